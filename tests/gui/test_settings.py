"""Preferences survive, and damaged ones never stop the program."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.wording.translator import Language
from gui.settings import RECENT_LIMIT, Settings, ThemeChoice, load_settings


def test_that_settings_are_read_back_as_written(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "settings.json"
    settings = Settings(language=Language.DE, theme=ThemeChoice.DARK, tour_seen=True, path=path)
    settings.remember(tmp_path / "a.passform.yaml")
    assert load_settings(path) == settings


@pytest.mark.parametrize(
    "content",
    [
        *("", "[]", "{", '{"language": "fr", "theme": 3, "recent": "x", "tour_seen": "yes"}'),
        *('{"language": [], "theme": {}}', "[" * 100_000),
    ],
    ids=("empty", "list", "cut", "wrong values", "wrong kinds", "endless nesting"),
)
def test_that_damaged_settings_take_their_defaults(tmp_path: Path, content: str) -> None:
    path = tmp_path / "settings.json"
    path.write_text(content, encoding="utf-8")
    assert load_settings(path) == Settings(path=path)


def test_that_recent_files_are_few_unique_and_newest_first(tmp_path: Path) -> None:
    settings = Settings()
    for number in range(15):
        settings.remember(tmp_path / f"{number}.passform.yaml")
    settings.remember(tmp_path / "9.passform.yaml")
    assert len(settings.recent) == RECENT_LIMIT
    assert settings.recent[0].endswith("9.passform.yaml")
    assert len(set(settings.recent)) == RECENT_LIMIT
    settings.forget(settings.recent[0])
    assert not any(name.endswith("9.passform.yaml") for name in settings.recent)
