"""A compiled message catalogue that is searched where it lies.

Python's own reader decodes every message before the first is asked for, and the window asks for its menus before it is
painted. The file's originals are sorted (GNU gettext manual, "The Format of GNU MO Files"): each is found by halving.
"""

from __future__ import annotations

import gettext
import struct
from collections.abc import Callable
from functools import cached_property
from pathlib import Path

MAGIC = 0x950412DE
HEADER = struct.Struct("<5I")  # magic, revision, count of messages, offsets of the tables of originals and translations


class Messages(gettext.NullTranslations):
    """The translations of one `.mo` file, as `gettext.GNUTranslations` would give them."""

    def __init__(self, path: Path) -> None:
        """Raises `OSError` when the file cannot be read and `ValueError` when it is no such catalogue."""
        super().__init__()
        self._content = path.read_bytes()
        magic, _revision, self._count, originals, translated = HEADER.unpack_from(self._content)
        if magic != MAGIC:
            raise ValueError(f"{path.name} is no message catalogue")
        self._originals = struct.unpack_from(f"<{2 * self._count}I", self._content, originals)
        self._translated = struct.unpack_from(f"<{2 * self._count}I", self._content, translated)
        self._found: dict[tuple[str, int | None], str | None] = {}

    def gettext(self, message: str) -> str:
        """The translation, or the message itself."""
        return self._text(message, None, message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """The form of the translation for `n`, or one of the messages."""
        return self._text(msgid1, self._form(n), msgid1 if n == 1 else msgid2)

    def _text(self, message: str, form: int | None, otherwise: str) -> str:
        key = message, form
        if key not in self._found:
            self._found[key] = self._search(message, form)
        return self._found[key] or otherwise

    def _search(self, message: str, form: int | None) -> str | None:
        """A message with forms is stored as its singular, a zero byte, its plural."""
        single, many = message.encode(), message.encode() + b"\0"
        number = self._first_from(single)
        if number < self._count and self._original(number) == single:
            return self._forms(number)[form or 0]
        number = self._first_from(many)
        if number < self._count and self._original(number).startswith(many):
            return self._forms(number)[self._form(1) if form is None else form]
        return None

    def _first_from(self, key: bytes) -> int:
        low, high = 0, self._count
        while low < high:
            middle = (low + high) // 2
            if self._original(middle) < key:
                low = middle + 1
            else:
                high = middle
        return low

    def _original(self, number: int) -> bytes:
        length, start = self._originals[2 * number : 2 * number + 2]
        return self._content[start : start + length]

    def _forms(self, number: int) -> list[str]:
        length, start = self._translated[2 * number : 2 * number + 2]
        return self._content[start : start + length].decode().split("\0")

    @cached_property
    def _form(self) -> Callable[[int], int]:
        """Which form belongs to a number, from the header's `Plural-Forms`."""
        for line in (self._search("", None) or "").splitlines():
            name, _colon, value = line.partition(":")
            if name.strip().lower() == "plural-forms":
                return gettext.c2py(value.partition("plural=")[2].rstrip("; "))
        return lambda n: int(n != 1)
