"""Writing files so that nothing is lost, and what the system says when it refuses, in words that help."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from stat import S_IMODE, S_ISREG

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

NEW, NEW_PRIVATE = 0o666, 0o600  # rights of new files; the system takes away what the user's mask forbids
SUFFIX = ".tmp"
LETTERS = 8  # that tell half-written copies apart
LONGEST_START = 200  # bytes; file systems take names of 255


class DiskError(PassformError):
    """The system refuses to write; the message says what helps."""


def disk_error(error: OSError, path: Path) -> DiskError:
    """What the system said when a file or folder was to be written, in words."""
    template = _TEMPLATES.get(error.errno or 0, _OTHER)
    folder = str(path.absolute().parent)
    return DiskError(template, file=path.name, folder=folder, problem=error.strerror or str(error))


@contextmanager
def worded(path: Path) -> Iterator[None]:
    """What the system refuses inside is a `DiskError`, about the file that it names or else about `path`."""
    try:
        yield
    except OSError as error:
        named = error.filename
        raise disk_error(error, Path(os.fsdecode(named)) if isinstance(named, str | bytes) else path) from error


def make_folder(folder: Path) -> None:
    """A folder and those above it, where they are missing. Raises `DiskError`."""
    with worded(folder):
        folder.mkdir(parents=True, exist_ok=True)


def write_atomically(content: bytes, path: Path, *, private: bool = False) -> None:
    """Write bytes to a file beside `path`, flush them to the disk, then take the name.

    A link stays: the file it leads to is replaced. A file keeps its rights; a new one has those that the system gives
    to new files, or with `private` none but its owner's. When it returns, the content is on the disk. Raises
    `DiskError`; the old file is whole then, and nothing half-written is left.
    """
    try:
        old = _replaceable(path)
        target = Path(os.path.realpath(path)) if path.is_symlink() else path
        partial = target.with_name(f"{_start(target)}{os.urandom(LETTERS // 2).hex()}{SUFFIX}")
        try:
            _fill(partial, content, old, NEW_PRIVATE if private else NEW)
            partial.replace(target)
        except BaseException:  # also where the person, or the system, ends the program
            drop(partial)
            raise
    except OSError as error:
        raise disk_error(error, path) from error
    _sync_folder(target.parent)


def drop(path: Path) -> None:
    """Remove a file that nobody needs any more, if it can be: the disk may be gone altogether."""
    with suppress(OSError):
        path.unlink(missing_ok=True)


def sweep(path: Path) -> None:
    """Remove half-written copies of a file that a kill left beside it. Only whoever alone writes to it may do so."""
    target = Path(os.path.realpath(path))
    start = _start(target)
    with suppress(OSError):
        for entry in target.parent.iterdir():
            name = entry.name
            if name.startswith(start) and name.endswith(SUFFIX) and len(name) == len(start) + LETTERS + len(SUFFIX):
                entry.unlink(missing_ok=True)


def _start(target: Path) -> str:
    """How the names of half-written copies begin; shortened where the file's own name leaves no room for more."""
    return f".{os.fsencode(target.name)[:LONGEST_START].decode('utf-8', 'ignore')}."


def _replaceable(path: Path) -> os.stat_result | None:
    """What is known of the file that will be replaced; None when there is none. Raises `DiskError`, `OSError`."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    if not S_ISREG(status.st_mode):
        raise DiskError("{file} is not a file.", file=path.name or str(path))
    if not os.access(path, os.W_OK):
        raise DiskError("{file} is write-protected. The old file is unchanged. Save to another place.", file=path.name)
    return status


def _fill(partial: Path, content: bytes, old: os.stat_result | None, new_mode: int) -> None:
    mode = new_mode if old is None else S_IMODE(old.st_mode) & 0o777
    handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
    with os.fdopen(handle, "wb") as stream:
        if old is not None:
            _dress(handle, old.st_gid, mode)
        stream.write(content)
        stream.flush()
        os.fsync(handle)


def _dress(handle: int, group: int, mode: int) -> None:
    """Give a copy the group and rights of the file it replaces. Foreign disks know none; the content matters more."""
    if sys.platform == "win32":
        return
    with suppress(OSError):
        os.fchown(handle, -1, group)
    with suppress(OSError):
        os.fchmod(handle, mode)


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
