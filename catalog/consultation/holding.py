"""The file a window works on: locked, and remembered as it was when last read or written."""

from __future__ import annotations

import hashlib
from pathlib import Path

from catalog.consultation import locks
from catalog.consultation.files import ConsultationError
from catalog.consultation.locks import LockedError, Owner
from catalog.disk import sweep


class ChangedOutsideError(ConsultationError):
    """The file is not the one that was read: saving would lose what another program wrote."""


class TakenOverError(ConsultationError):
    """Another window took the file over meanwhile."""


class OpenFile:
    """A locked file. `check` before writing, `wrote` after it, `close` when the window leaves it."""

    def __init__(self, path: Path, me: Owner, *, over: bool = False) -> None:
        """Take the lock. Raises `LockedError` when another window holds it, unless it is to be taken `over`."""
        self.path = path
        self._me = me
        self._locked = locks.take_over(path, me) if over else locks.take(path, me)
        self._digest = digest_of(path)
        if self._locked:
            sweep(path)  # a kill may have left half-written copies
            locks.sweep(path)

    @property
    def digest(self) -> str:
        """The fingerprint of what the file held when it was last read or written; empty when there was none."""
        return self._digest

    def check(self) -> None:
        """Raises `TakenOverError` or `ChangedOutsideError` when writing now would overwrite somebody's work."""
        owner = locks.holder(self.path)
        if self._locked and owner is not None and owner.token != self._me.token:
            raise TakenOverError(
                "{file} was taken over by {user} at {host}. Save your work under another name.",
                file=self.path.name,
                user=owner.user,
                host=owner.host,
            )
        found = digest_of(self.path)
        if found and found != self._digest:
            raise ChangedOutsideError(
                "{file} was changed by another program since you opened it. Saving replaces that change.",
                file=self.path.name,
            )

    def wrote(self) -> None:
        """Remember the file as it is now."""
        self._digest = digest_of(self.path)

    def close(self) -> None:
        """Give the lock back."""
        if self._locked:
            locks.release(self.path, self._me)


def digest_of(path: Path) -> str:
    """SHA-256 of the file's bytes; empty when there is no such file or it cannot be read."""
    try:
        if not path.is_file():  # a pipe would never end
            return ""
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:
        return ""


__all__ = ["ChangedOutsideError", "LockedError", "OpenFile", "TakenOverError", "digest_of"]
