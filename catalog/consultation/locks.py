"""Who has a consultation open: a small file beside it, so that two windows do not overwrite each other's work.

The lock is advice, not force: a person may take it over. A lock whose process is gone is taken without a question.
No rule looks at the time in it; it is only shown.
"""

from __future__ import annotations

import getpass
import hashlib
import json
import os
import platform
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

from catalog.consultation.files import ConsultationError
from catalog.consultation.processes import birth_of, boot_of, is_running
from catalog.disk import drop

MAX_BYTES = 4_000
_MAX_WORD = 200
_HALF = ".lock.tmp"
_LONGEST_NAME = 240  # bytes; file systems take 255, and the lock's name is longer than the file's


@dataclass(frozen=True, slots=True)
class Owner:
    """A window that works on files: who sits at it and how to find out whether it still runs."""

    token: str
    user: str
    host: str
    process: int
    birth: str  # of the process, in the system's words
    since: str  # local date and time, ISO 8601

    @property
    def is_gone(self) -> bool:
        """Whether its process is known to have ended. Of another machine nothing is known."""
        return self._is_here and not is_running(self.process, self.birth)

    @property
    def _is_here(self) -> bool:
        """Whether it is of this machine, whose name may have got another domain in another network, or be new."""
        boot = boot_of(self.birth)
        return _machine(self.host) == _machine(platform.node()) or (
            bool(boot) and boot == boot_of(birth_of(os.getpid()))
        )


class LockedError(ConsultationError):
    """Somebody else works on this file; `owner` tells who."""

    def __init__(self, path: Path, owner: Owner) -> None:
        super().__init__(
            "{file} is open: {user} has been working on it at {host} since {since}.",
            file=path.name,
            user=owner.user,
            host=owner.host,
            since=owner.since[:16].replace("T", " "),
        )
        self.owner = owner


def this_window() -> Owner:
    """A new owner for a window of this process."""
    try:
        user = getpass.getuser()
    except (OSError, KeyError, ImportError):  # no such user, or a system without accounts
        user = "?"
    process = os.getpid()
    since = datetime.now().astimezone().isoformat(timespec="seconds")
    return Owner(uuid4().hex, user, platform.node(), process, birth_of(process), since)


def lock_path(path: Path) -> Path:
    """Where the lock of a file lies: beside the file itself, also for whoever reaches it by a link."""
    real = Path(os.path.realpath(path))
    name = real.name
    if len(os.fsencode(name)) > _LONGEST_NAME:
        name = hashlib.sha256(os.fsencode(name)).hexdigest()
    return real.with_name(f".{name}.lock")


def holder(path: Path) -> Owner | None:
    """Who holds the file; None when nobody does or the lock cannot be read."""
    return _read(lock_path(path))


def take(path: Path, me: Owner) -> bool:
    """Take the lock. False when the folder takes none, for example a read-only one.

    Raises `LockedError` when another window that may still run holds it.
    """
    lock = lock_path(path)
    if _create(lock, me):
        return True
    owner = _read(lock)
    if owner is not None and owner.token != me.token and not owner.is_gone:
        raise LockedError(path, owner)
    return take_over(path, me)


def take_over(path: Path, me: Owner) -> bool:
    """Take the lock whoever holds it. False when the folder takes none."""
    lock = lock_path(path)
    try:
        whole = _whole(lock, me)
    except OSError:
        return False
    try:
        whole.replace(lock)
    except OSError:
        drop(whole)
        return False
    return True


def release(path: Path, me: Owner) -> None:
    """Give the lock back; one that was taken over stays with its new owner."""
    owner = holder(path)
    if owner is not None and owner.token == me.token:
        drop(lock_path(path))


def sweep(path: Path) -> None:
    """Remove locks that dead windows were about to set in the folder of a file."""
    with suppress(OSError):
        for entry in lock_path(path).parent.iterdir():
            if entry.name.startswith(".") and entry.name.endswith(_HALF):
                owner = _read(entry)
                if owner is not None and owner.is_gone:
                    drop(entry)


def _machine(host: str) -> str:
    return host.partition(".")[0].casefold()


def _create(lock: Path, me: Owner) -> bool:
    """Make the lock unless there is one, in one step where the disk knows hard links."""
    try:
        whole = _whole(lock, me)
    except OSError:
        return False
    try:
        os.link(whole, lock)
    except FileExistsError:
        return False
    except OSError:
        return _create_exclusively(lock, me)
    finally:
        drop(whole)
    return True


def _create_exclusively(lock: Path, me: Owner) -> bool:
    try:
        with lock.open("x", encoding="utf-8") as stream:
            stream.write(_text(me))
    except OSError:
        return False
    return True


def _whole(lock: Path, me: Owner) -> Path:
    whole = lock.with_name(f".{me.token}{_HALF}")
    try:
        whole.write_text(_text(me), encoding="utf-8")
    except OSError:
        drop(whole)
        raise
    return whole


def _text(me: Owner) -> str:
    return json.dumps({"passform_lock": 1, **asdict(me)}, ensure_ascii=False)


def _read(lock: Path) -> Owner | None:
    try:
        if not lock.is_file() or lock.stat().st_size > MAX_BYTES:
            return None
        raw = json.loads(lock.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return _owner(raw) if isinstance(raw, dict) else None


def _owner(raw: dict[str, Any]) -> Owner | None:
    words = [raw.get(name) for name in ("token", "user", "host", "birth", "since")]
    process = raw.get("process")
    if not all(isinstance(word, str) and len(word) <= _MAX_WORD for word in words):
        return None
    if not isinstance(process, int) or isinstance(process, bool):
        return None
    token, user, host, birth, since = (str(word) for word in words)
    return Owner(token, user, host, process, birth, since)
