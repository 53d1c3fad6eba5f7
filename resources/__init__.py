"""Bundled fonts, icons, colour profile and translations, and the paths to them."""

from __future__ import annotations

import gettext
from functools import cache
from pathlib import Path

from resources.messages import Messages

ROOT = Path(__file__).parent
FONTS = ROOT / "fonts"
ICONS = ROOT / "icons"
COLOUR = ROOT / "colour"
LOCALE = ROOT / "locale"
LANGUAGES = ("de", "en")


@cache
def program_version() -> str:
    """The program's version, for example `0.1.0`. The file is its only place."""
    return (ROOT / "VERSION").read_text(encoding="ascii").strip()


@cache
def translations(language: str) -> gettext.NullTranslations:
    """Translations of the window, the command line and the paper for `de` or `en`.

    English is the language of the source, so it needs no catalogue. Raises `ValueError` for any other language and
    `FileNotFoundError` when the German catalogue was not built (`make run` and `make test` build it).
    """
    if language not in LANGUAGES:
        raise ValueError(f"no such language: {language}")
    if language == "en":
        return gettext.NullTranslations()
    return Messages(LOCALE / language / "LC_MESSAGES" / "passform.mo")
