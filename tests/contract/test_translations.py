"""German is complete: every message the code can show has its German words."""

from __future__ import annotations

import ast
import string
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir

from catalog.validation_words import TEMPLATES
from resources.locale import build
from scripts.sort_messages import sorted_files

ROOT = Path(__file__).parents[2]
PACKAGES = ("engine", "catalog", "gui")
KEYWORDS = {**DEFAULT_KEYWORDS, "mark": None, "N_": None}


def test_that_every_message_stands_in_the_file_of_its_package() -> None:
    files, dropped = sorted_files("de")
    assert dropped == []
    folder = ROOT / "resources/locale/de"
    assert {path.name: path.read_bytes() for path in folder.glob("*.po")} == files, "run `make locale`"


@pytest.fixture(scope="module")
def german() -> Catalog:
    catalog: Catalog = build.merged("de")
    return catalog


def _messages() -> set[str | tuple[str, ...]]:
    found: set[str | tuple[str, ...]] = set()
    for package in PACKAGES:
        for _file, _line, message, _comments, _context in extract_from_dir(
            str(ROOT / package), method_map=[("**.py", "python")], keywords=KEYWORDS
        ):
            if message:
                found.add(message)
    return found


def _error_templates() -> set[str]:
    """First arguments of every raised `...Error("template", name=...)` of our own."""
    found = set()
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if not (isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args):
                    continue
                name = ast.unparse(node.exc.func).split(".")[-1]
                first = node.exc.args[0]
                if name.endswith("Error") and name not in PLAIN_ERRORS and isinstance(first, ast.Constant):
                    found.add(str(first.value))
    return found


PLAIN_ERRORS = {
    "ValueError",
    "TypeError",
    "KeyError",
    "RuntimeError",
    "OSError",
    "AssertionError",
    "IndexError",
    "ArgumentTypeError",
    "PydanticCustomError",  # named by its code, for which catalog.validation_words has the words
}


def test_that_every_message_of_the_source_is_translated(german: Catalog) -> None:
    missing = sorted(str(message) for message in _messages() if german.get(_key(message)) is None)
    assert missing == []


def test_that_every_error_message_is_translated(german: Catalog) -> None:
    missing = sorted(template for template in _error_templates() if german.get(template) is None)
    assert missing == []


def test_that_every_validation_message_is_translated(german: Catalog) -> None:
    assert sorted(template for template in TEMPLATES.values() if german.get(template) is None) == []


def test_that_translations_keep_the_placeholders(german: Catalog) -> None:
    for message in german:
        if not message.id:
            continue
        source = message.id if isinstance(message.id, tuple) else (message.id,)
        target = message.string if isinstance(message.string, tuple) else (message.string,)
        wanted = set().union(*(_fields(text) for text in source))
        for text in target:
            assert _fields(text) <= wanted, message.id
        assert set().union(*(_fields(text) for text in target)) == wanted, message.id


def test_that_no_error_is_raised_with_a_formatted_string() -> None:
    """An f-string cannot be translated: our errors take a template and named values."""
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args:
                    name = ast.unparse(node.exc.func).split(".")[-1]
                    if name.endswith("Error") and name not in PLAIN_ERRORS:
                        assert not isinstance(node.exc.args[0], ast.JoinedStr), f"{path}:{node.lineno}"


def _key(message: str | tuple[str, ...]) -> str:
    return message if isinstance(message, str) else message[0]


def _fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}
