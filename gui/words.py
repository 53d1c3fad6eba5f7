"""The window's language as far as it needs nothing of the catalogue: enough for menus and the start page.

`gui.texts` adds the words for what the engine says. It is loaded behind the painted window, this at once.
"""

from __future__ import annotations

import gettext
from dataclasses import dataclass

from engine.errors import PassformError
from engine.wording.translator import Language
from resources import translations


@dataclass(frozen=True, slots=True)
class Words:
    """The messages of one language."""

    language: Language
    tr: gettext.NullTranslations

    def gettext(self, message: str) -> str:
        """Translate a message."""
        return self.tr.gettext(message)

    def ngettext(self, one: str, many: str, count: int) -> str:
        """Translate a message that counts."""
        return self.tr.ngettext(one, many, count)

    def error(self, error: PassformError) -> str:
        """The message of an error."""
        return error.text(self.tr.gettext)


def words_for(language: Language) -> Words:
    """The messages of a language."""
    return Words(language, translations(language.value))
