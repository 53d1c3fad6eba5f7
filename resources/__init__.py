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


class MissingTranslationsError(Exception):
    """A fresh copy of the source has no compiled translations yet; the message says how they are made."""


@cache
def program_version() -> str:
    """The program's version, for example `0.1.0`. The file is its only place."""
    return (ROOT / "VERSION").read_text(encoding="ascii").strip()


@cache
def translations(language: str) -> gettext.NullTranslations:
    """Translations of the window, the command line and the paper for `de` or `en`.

    English is the language of the source, so it needs no catalogue. Raises `ValueError` for any other language and
    `MissingTranslationsError` when the German catalogue was not built (`make run` and `make test` build it).
    """
    if language not in LANGUAGES:
        raise ValueError(f"no such language: {language}")
    if language == "en":
        return gettext.NullTranslations()
    compiled = LOCALE / language / "LC_MESSAGES" / "passform.mo"
    if not compiled.is_file():
        raise MissingTranslationsError(
            f"no compiled translations for {language}; run: python resources/locale/build.py"
        )
    return Messages(compiled)
