"""Names of files that hold issued documents. No Qt."""

from __future__ import annotations


def file_name(number: str, revision: int, ending: str = "pdf") -> str:
    """A name every system takes: the number, the revision from the second on."""
    safe = "".join(letter if letter.isalnum() or letter in "-_" else "-" for letter in number)
    return f"{safe}-rev{revision}.{ending}" if revision > 1 else f"{safe}.{ending}"
