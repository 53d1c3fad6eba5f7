"""What the wording needs of a translations object; `gettext.NullTranslations` and its children satisfy it."""

from __future__ import annotations

from enum import StrEnum
from typing import Protocol


class Translator(Protocol):
    """Turns an English message into the reader's language."""

    def gettext(self, message: str, /) -> str:
        """Translate one message."""

    def ngettext(self, msgid1: str, msgid2: str, n: int, /) -> str:
        """Translate a message that counts."""


class Language(StrEnum):
    """The languages Passform speaks; the number formats follow them."""

    DE = "de"
    EN = "en"


def mark(message: str) -> str:
    """Mark a message for the translators without translating it yet."""
    return message
