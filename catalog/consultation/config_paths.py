"""Where a consultation's model configurations may lie: in its own folder, or in the user's.

A consultation may come from anybody. What it names is read only where its owner put it: never from elsewhere on the
disk, and never over the network, where the mere look at a file sends the user's login name to its host.
"""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path, PureWindowsPath

from catalog.disk import make_folder, write_atomically
from catalog.text_files import is_given
from catalog.user_folder import user_folder
from engine.errors import InvalidInputError, PassformError

KEPT_FOLDER = "models"
_SHOWN = 80


class OutsideError(InvalidInputError):
    """A consultation names a file outside the folders it may read from."""


def config_path(config: str, folder: Path, own_folder: Path | None = None) -> Path:
    """The file a consultation in `folder` means by `config`. Raises `OutsideError`; touches no disk before that."""
    windows = PureWindowsPath(config)
    if windows.drive.startswith(("\\\\", "//")) or "\x00" in config or not config.strip():
        raise _outside(config)
    allowed = [folder.absolute(), (own_folder or user_folder()).absolute()]
    path = Path(os.path.normpath(folder.absolute() / config))
    if not any(path.is_relative_to(place) for place in map(_plain, allowed)):
        raise _outside(config)
    real = Path(os.path.realpath(path))  # a link inside the folder may point out of it
    if not any(real.is_relative_to(os.path.realpath(place)) for place in allowed):
        raise _outside(config)
    return path


def keep_config(path: Path, own_folder: Path | None = None) -> Path:
    """Copy a configuration from anywhere into the user's folder; the same content has the same place.

    Raises `PassformError` when it cannot be read or kept.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise PassformError(
            "{file}: cannot be read: {problem}.", file=path.name, problem=error.strerror or str(error)
        ) from error
    named = path.absolute().parent.name if path.stem == "config" else path.stem
    return keep_content(content, named, own_folder)


def keep_content(content: bytes, named: str, own_folder: Path | None = None) -> Path:
    """Write a configuration into the user's folder, in a place called after its model. Raises `DiskError`."""
    title = re.sub(r"[^\w.-]+", "-", named).strip("-.")[:60] or "model"
    digest = hashlib.sha256(content).hexdigest()[:8]
    kept = (own_folder or user_folder()) / KEPT_FOLDER / digest / title / "config.json"
    if not is_given(kept):
        make_folder(kept.parent)
        write_atomically(content, kept)
    return kept


def _plain(place: Path) -> str:
    return os.path.normpath(place)


def _outside(config: str) -> OutsideError:
    return OutsideError(
        "{config} lies outside the folder of the consultation and is not read. Put the file beside the consultation, "
        "or add the model in the window.",
        config=config[:_SHOWN],
    )
