"""A cache of parsed YAML: the plain data of a file, kept as JSON under the hash of its text.

The cache holds nothing that the file does not say; a test proves both readings equal. It may be deleted at any time.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Protocol

from platformdirs import user_cache_path

from catalog.yaml_nodes import parse

FORMAT = 2  # part of the key: raised when the reading of YAML changes


class Store(Protocol):
    """Gives the plain data of a YAML text."""

    def data(self, text: str, name: str) -> object:
        """The data. Raises `FileFormatError` with file and line."""


class Uncached:
    """Parses every time."""

    def data(self, text: str, name: str) -> object:
        """The data. Raises `FileFormatError` with file and line."""
        return parse(text, name).data


class JsonStore:
    """Keeps parsed files in a folder. A cache that cannot be read or written is passed over."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def data(self, text: str, name: str) -> object:
        """The data. Raises `FileFormatError` with file and line."""
        key = hashlib.sha256(f"{FORMAT}\n{text}".encode()).hexdigest()
        kept = self._folder / f"{Path(name).stem}.{key[:32]}.json"
        try:
            return json.loads(kept.read_bytes())
        except (OSError, ValueError, RecursionError):
            data = parse(text, name).data
        self._keep(kept, data, name)
        return data

    def _keep(self, kept: Path, data: object, name: str) -> None:
        try:
            text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        except TypeError:
            return  # dates and other values JSON does not know: such a file is parsed every time
        try:
            if json.loads(text) != data:
                return
            self._folder.mkdir(parents=True, exist_ok=True)
            for stale in self._folder.glob(f"{Path(name).stem}.*.json"):
                stale.unlink(missing_ok=True)
            partial = kept.with_suffix(".tmp")
            partial.write_text(text, encoding="utf-8")
            partial.replace(kept)
        except OSError:
            return  # a full or read-only disk only costs time


def user_store() -> Store:
    """The cache in the user's own cache folder."""
    return JsonStore(user_cache_path("passform", appauthor=False) / "catalogue")
