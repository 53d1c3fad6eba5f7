"""Writing files so that nothing is lost, and what the system says when it refuses, in words that help."""

from __future__ import annotations

import errno
import os
import tempfile
from contextlib import suppress
from pathlib import Path

from engine.errors import PassformError
from engine.wording.translator import mark

_FULL = mark(
    "{file}: cannot be written: the disk is full. The old file is unchanged. Free some space, or save to another place."
)
_REFUSED = mark(
    "{file}: cannot be written: {folder} is read-only for you, or another program holds the file. "
    "The old file is unchanged. Save to another place."
)
_GONE = mark(
    "{file}: cannot be written: {folder} cannot be reached. If it lies on a network drive, connect it again, "
    "or save to another place."
)
_NAME = mark("{file}: cannot be written: the name is too long or not allowed here. Choose another name.")
_OTHER = mark("{file}: cannot be written: {problem}. The old file is unchanged.")

_NUMBERS = (
    (_FULL, ("ENOSPC", "EDQUOT", "EFBIG")),
    (_REFUSED, ("EACCES", "EPERM", "EROFS", "EBUSY", "ETXTBSY")),
    (_GONE, ("ENOENT", "ENOTDIR", "ENODEV", "ENXIO", "ESTALE", "EIO", "EHOSTDOWN", "EHOSTUNREACH", "ENOTCONN")),
    (_NAME, ("ENAMETOOLONG", "EINVAL", "EISDIR", "EILSEQ")),
)
_TEMPLATES = {
    getattr(errno, name): template
    for template, names in _NUMBERS
    for name in names
    if hasattr(errno, name)  # not every system has them all
}

_NO_FOLDER_SYNC = {errno.EINVAL, errno.ENOTSUP, errno.EBADF, errno.EACCES, errno.EROFS}
"""Network and foreign file systems answer so; they keep names safe in their own way."""


class DiskError(PassformError):
    """The system refuses to write; the message says what helps."""


def disk_error(error: OSError, path: Path) -> DiskError:
    """What the system said when a file or folder was to be written, in words."""
    template = _TEMPLATES.get(error.errno or 0, _OTHER)
    folder = str(path.absolute().parent)
    return DiskError(template, file=path.name, folder=folder, problem=error.strerror or str(error))


def make_folder(folder: Path) -> None:
    """A folder and those above it, where they are missing. Raises `DiskError`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise disk_error(error, folder) from error


def write_atomically(content: bytes, path: Path) -> None:
    """Write bytes to a file beside `path`, flush them to the disk, then take the name.

    When it returns, the content is on the disk. Raises `DiskError`; the old file is whole then.
    """
    partial: Path | None = None
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
        partial = Path(name)
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        partial.chmod(path.stat().st_mode & 0o777 if path.exists() else 0o644)
        partial.replace(path)
    except OSError as error:
        if partial is not None:
            with suppress(OSError):  # the disk may be gone altogether
                partial.unlink(missing_ok=True)
        raise disk_error(error, path) from error
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Put the new name itself on the disk, where the system can do that for a folder."""
    if os.name != "posix":
        return
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return  # a folder that may be written to but not listed
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in _NO_FOLDER_SYNC:
            raise DiskError(
                "{folder}: the disk reports an error: {problem}. Please save to another place as well.",
                folder=str(folder),
                problem=error.strerror or str(error),
            ) from error
    finally:
        os.close(handle)
