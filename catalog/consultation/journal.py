"""Unsaved work of every open window, kept in the user's folder until it is saved or given up.

Each window writes a file of its own, whole or not at all, so two windows never take each other's work. What a window
left whose process is gone is offered by the next one. No rule looks at a clock: one that was moved back loses nothing.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from catalog.consultation.document import SCHEMA, Consultation
from catalog.consultation.files import MAX_BYTES, ConsultationError, parse_text, read, schema_in, to_text
from catalog.consultation.holding import digest_of
from catalog.consultation.locks import Owner
from catalog.disk import drop, sweep, write_atomically
from engine.errors import PassformError

FOLDER = "unsaved"
FORMAT = 1


@dataclass(frozen=True, slots=True)
class LeftBehind:
    """Unsaved work of a window that did not end in order."""

    entry: Path
    consultation: Consultation
    path: Path | None  # the file it was going to be saved to
    digest: str  # of that file when this work began
    when: datetime

    @property
    def saved_since(self) -> bool:
        """Whether that file, as it is now, is not the one this work began with."""
        return self.path is not None and digest_of(self.path) != self.digest


class _NewerError(Exception):
    """An entry of a newer Passform, which will find it again."""


class Journal:
    """The unsaved work of one window."""

    def __init__(self, folder: Path, me: Owner) -> None:
        self._me = me
        self._entry = folder / FOLDER / f"{me.token}.json"

    def write(self, consultation: Consultation, path: Path | None, digest: str = "") -> None:
        """Keep a state; `digest` is the fingerprint of the file at `path` it began with.

        When this returns, the state survives the death of the process. Raises `DiskError`.
        """
        text = to_text(consultation)
        content = {
            "passform_unsaved": FORMAT,
            "owner": asdict(self._me),
            "path": None if path is None else str(path.absolute()),
            "digest": digest,
            "check": hashlib.sha256(text.encode("utf-8")).hexdigest(),
            "consultation": text,
        }
        try:
            self._entry.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConsultationError(
                "The copy of your unsaved work cannot be kept: {problem}. Please save it.",
                problem=error.strerror or str(error),
            ) from error
        write_atomically(json.dumps(content, ensure_ascii=False).encode("utf-8"), self._entry, private=True)

    def discard(self) -> None:
        """Forget the state: the work is saved, or given up on purpose."""
        _drop(self._entry)


def left_behind(folder: Path) -> list[LeftBehind]:
    """What windows that are gone left unsaved, the newest first.

    Work that is in its file already is forgotten; an entry that cannot be read is set aside and never offered again.
    One of a newer Passform stays for that one.
    """
    found = []
    for entry in _entries(folder):
        try:
            raw = _raw(entry)
            if not _owner(raw).is_gone:
                continue
            left = _left(entry, raw)
        except _NewerError:
            continue
        except (PassformError, ValueError, TypeError, KeyError, RecursionError):
            _set_aside(entry)
            continue
        except OSError:
            continue  # unreadable now; the next start tries again
        if left.path is not None and _holds(left.path, left.consultation):
            forget(left)
            continue
        found.append(left)
    return sorted(found, key=lambda left: left.when, reverse=True)


def forget(left: LeftBehind) -> None:
    """Drop an entry: its work was taken over, or given up on purpose."""
    _drop(left.entry)


def _drop(entry: Path) -> None:
    drop(entry)
    sweep(entry)


def _entries(folder: Path) -> list[Path]:
    try:
        names = sorted((folder / FOLDER).iterdir())
    except OSError:
        return []
    return [path for path in names if path.suffix == ".json" and not path.name.startswith(".")]


def _raw(entry: Path) -> dict[str, Any]:
    if not entry.is_file() or entry.stat().st_size > 2 * MAX_BYTES:
        raise ValueError("too large, or no file")
    raw = json.loads(entry.read_text(encoding="utf-8"))
    number = raw.get("passform_unsaved") if isinstance(raw, dict) else None
    if not isinstance(number, int) or number < FORMAT:
        raise ValueError("not an entry")
    if number > FORMAT:
        raise _NewerError
    return cast("dict[str, Any]", raw)


def _owner(raw: dict[str, Any]) -> Owner:
    owner = Owner(**raw["owner"])
    if not isinstance(owner.process, int) or not isinstance(owner.birth, str):
        raise TypeError("not an owner")
    return owner


def _left(entry: Path, raw: dict[str, Any]) -> LeftBehind:
    text = raw["consultation"]
    if hashlib.sha256(text.encode("utf-8")).hexdigest() != raw["check"]:
        raise ValueError("torn")
    if schema_in(text.encode("utf-8")) > SCHEMA:
        raise _NewerError
    path = None if raw["path"] is None else Path(raw["path"])
    return LeftBehind(entry, parse_text(text, entry.name), path, str(raw["digest"]), _when(entry))


def _when(entry: Path) -> datetime:
    """When an entry was written; 1970 when the disk tells a time that no calendar has."""
    try:
        return datetime.fromtimestamp(entry.stat().st_mtime).astimezone()
    except (OSError, ValueError, OverflowError):
        return datetime(1970, 1, 1, tzinfo=UTC)


def _holds(path: Path, consultation: Consultation) -> bool:
    try:
        return read(path) == consultation
    except PassformError:
        return False


def _set_aside(entry: Path) -> None:
    with suppress(OSError):
        entry.replace(entry.with_suffix(".unreadable"))
