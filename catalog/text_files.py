"""Reading a text file of the user's: bounded, in UTF-8, with a sentence for whatever goes wrong."""

from __future__ import annotations

from pathlib import Path

from catalog.yaml_nodes import FileFormatError


def is_given(path: Path) -> bool:
    """Whether a file is there. Where the system lets nobody look, it may be: reading it then says what is wrong."""
    try:
        return path.is_file()
    except OSError:
        return True


def read_text(path: Path, most_bytes: int) -> str:
    """The text without its byte order mark. Raises `FileFormatError` naming the file."""
    try:
        with path.open("rb") as stream:
            content = stream.read(most_bytes + 1)
    except OSError as error:
        raise FileFormatError(
            "{file}: cannot be read: {problem}.", file=path.name, problem=error.strerror or str(error)
        ) from error
    if len(content) > most_bytes:
        raise FileFormatError("{file}: larger than {limit} bytes.", file=path.name, limit=most_bytes)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileFormatError("{file}: the file is not UTF-8 text.", file=path.name) from error
