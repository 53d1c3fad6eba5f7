"""Every note the memory estimate can attach has its sentence."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from engine.wording.notes import MESSAGES

ROOT = Path(__file__).parents[3]


def _codes(source: str) -> Iterator[str]:
    """First arguments of every `Note("code", ...)`."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Note":
            arguments = [*node.args[:1], *(item.value for item in node.keywords if item.arg == "code")]
            yield from (str(item.value) for item in arguments if isinstance(item, ast.Constant))


def test_that_every_note_of_the_engine_has_a_sentence() -> None:
    used = {code for path in (ROOT / "engine").rglob("*.py") for code in _codes(path.read_text(encoding="utf-8"))}
    assert used <= set(MESSAGES)


def test_that_the_search_finds_notes() -> None:
    assert set(_codes('x = Note("a", ())\ny = Note(code="b")')) == {"a", "b"}
