"""One sentence for every note of the memory estimate."""

from __future__ import annotations

from collections.abc import Mapping

from engine.memory.types import Note
from engine.wording.filling import Reader, fill
from engine.wording.translator import Language, Translator

MESSAGES: Mapping[str, tuple[str, ...]] = {}


def note_sentence(note: Note, tr: Translator, language: Language | str) -> str:
    """Say a note in the reader's language. KeyError for a code without words; a test guards that there is none."""
    return fill(MESSAGES[note.code], dict(note.values), Reader(tr, Language(language), {}))
