"""What the operating system says about a file, in words that help the person at the screen."""

from __future__ import annotations

import errno

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


def write_problem(error: OSError) -> str:
    """A template with `file`, `folder` and `problem` for an error met while writing."""
    return _TEMPLATES.get(error.errno or 0, _OTHER)
