"""The build of the translations refuses what would fail when a sentence is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from resources.locale import build

HEADER = 'msgid ""\nmsgstr ""\n"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n'  # as copied from German
TWO_FORMS = HEADER + 'msgid "{count} card"\nmsgid_plural "{count} cards"\nmsgstr[0] "a"\nmsgstr[1] "b"\n'


def _written(folder: Path, language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / language).mkdir()
    (folder / language / "area.po").write_text(TWO_FORMS, encoding="utf-8")
    monkeypatch.setattr(build, "LOCALE", folder)


def test_that_a_language_with_three_plural_forms_needs_three(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Polish has three: 1 karta, 2 karty, 5 kart (Unicode CLDR, plural rules)."""
    _written(tmp_path, "pl", monkeypatch)
    with pytest.raises(build.TranslationError, match=r"area\.po.*needs [34] plural forms"):
        build.merged("pl")


def test_that_a_language_with_two_plural_forms_needs_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _written(tmp_path, "nl", monkeypatch)
    assert build.merged("nl").get(("{count} card", "{count} cards")).string == ("a", "b")
