"""Compile the translations: every `<language>/<area>.po` joins one `passform.mo` per language.

Run it after editing a .po file. It refuses a message that is translated twice in different words, is marked fuzzy,
has an empty translation, or lacks a plural form of the language.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

LOCALE = Path(__file__).parent
DOMAIN = "passform"
UNDATED = datetime(2026, 1, 1, tzinfo=UTC)


class TranslationError(Exception):
    """A .po file that must not be shipped; the message names file and msgid."""


def merged(language: str) -> Catalog:
    """Join the area catalogues of one language."""
    # The date in the header would make every build another file.
    whole = Catalog(locale=language, domain=DOMAIN, fuzzy=False, creation_date=UNDATED, revision_date=UNDATED)
    for path in sorted((LOCALE / language).glob("*.po")):
        with path.open("rb") as stream:
            area = read_po(stream, locale=language, abort_invalid=True)
        for message in area:
            if message.id:
                _add(whole, message, path)
    return whole


def _add(whole: Catalog, message: Message, path: Path) -> None:
    strings = message.string if isinstance(message.string, tuple) else (message.string,)
    if message.fuzzy or not all(strings):
        raise TranslationError(f"{path.name}: fuzzy or untranslated: {message.id!r}")
    if isinstance(message.string, tuple) and len(message.string) != whole.num_plurals:
        raise TranslationError(f"{path.name}: {message.id!r} needs {whole.num_plurals} plural forms")
    known = whole.get(message.id, message.context)
    if known is not None and known.string != message.string:
        raise TranslationError(f"{path.name}: {message.id!r} is translated elsewhere as {known.string!r}")
    whole.add(message.id, message.string, context=message.context, flags=message.flags)


def build(language: str) -> Path:
    """Write `<language>/LC_MESSAGES/passform.mo`, replacing the old one only when complete."""
    target = LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.mo"
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_suffix(".tmp")
    with partial.open("wb") as stream:
        write_mo(stream, merged(language))
    partial.replace(target)
    return target


if __name__ == "__main__":
    try:
        for folder in sorted(path for path in LOCALE.iterdir() if path.is_dir() and list(path.glob("*.po"))):
            build(folder.name)
    except TranslationError as error:
        sys.exit(str(error))
