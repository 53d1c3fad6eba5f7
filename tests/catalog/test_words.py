"""Every sentence of the catalogue that is only marked for translation has its German words."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from catalog.prices_import.preview import Row, Status
from catalog.prices_import.words import status_words
from resources import translations

PACKAGE = Path(__file__).parents[2] / "catalog"


def _marked() -> list[str]:
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and ast.unparse(node.func) == "mark"
                and isinstance(node.args[0], ast.Constant)
            ):
                found.append(str(node.args[0].value))
    return found


def test_that_marked_sentences_are_translated() -> None:
    german = translations("de")
    assert len(_marked()) > 30
    assert [text for text in _marked() if german.gettext(text) == text] == []


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("status", list(Status))
def test_that_every_status_has_words(status: Status, language: str) -> None:
    row = Row(7, status, "name", "", "1", detail="3")
    words = status_words(row, translations(language))
    assert words
    assert "{" not in words
