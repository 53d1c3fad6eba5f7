"""The direction of imports: main -> gui -> catalog -> engine, and an engine that knows nothing of the world."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STANDARD_LIBRARY = set(sys.stdlib_module_names)
WORLDLY = {"os", "io", "pathlib", "time", "locale", "socket", "subprocess", "urllib", "http", "tempfile", "shutil"}


def _files(*folders: str, without: tuple[str, ...] = ()) -> list[Path]:
    found = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    return [path for path in found if not any(path.is_relative_to(ROOT / part) for part in without)]


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield node.module or ""


def _is_at(name: str, package: str) -> bool:
    return name == package or name.startswith(package + ".")


CORE = _files("engine", without=("engine/report", "engine/wording"))


@pytest.mark.parametrize("path", CORE, ids=lambda path: str(path.relative_to(ROOT)))
def test_that_the_engine_core_imports_only_itself_and_the_harmless_standard_library(path: Path) -> None:
    for name in _imports(path):
        top = name.split(".")[0]
        assert top == "engine" or (top in STANDARD_LIBRARY and top not in WORLDLY), f"{path.name} imports {name}"
        assert not _is_at(name, "engine.report"), f"{path.name} imports {name}"
        assert not _is_at(name, "engine.wording"), f"{path.name} imports {name}"


@pytest.mark.parametrize("path", _files("engine"), ids=lambda path: str(path.relative_to(ROOT)))
def test_that_no_engine_file_opens_files_or_reads_the_clock(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            assert called not in {"open", "date.today", "datetime.now", "datetime.date.today", "print", "input"}, called


PAPER_MAY_IMPORT = {"engine", "reportlab", "PIL", "pypdf", "pikepdf", "openpyxl", "io"} | STANDARD_LIBRARY - WORLDLY


def test_that_the_paper_and_the_words_rest_on_the_engine_and_reportlab_alone() -> None:
    for path in _files("engine/report", "engine/wording"):
        for name in _imports(path):
            assert name.split(".")[0] in PAPER_MAY_IMPORT, f"{path.name} imports {name}"


def test_that_the_catalogue_never_imports_the_window() -> None:
    for path in _files("catalog"):
        assert not any(_is_at(name, "gui") or name.startswith("PySide6") for name in _imports(path)), path


def test_that_draft_and_flow_know_no_qt() -> None:
    for path in (ROOT / "gui/draft.py", ROOT / "gui/flow.py"):
        assert not any(name.startswith(("PySide6", "shiboken6")) for name in _imports(path)), path


def test_that_pandas_and_reportlab_are_imported_only_when_used() -> None:
    for path in [ROOT / "main.py", *_files("engine", "catalog", "gui", without=("engine/report",))]:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in tree.body:
            names = (
                [alias.name for alias in node.names]
                if isinstance(node, ast.Import)
                else [node.module or ""]
                if isinstance(node, ast.ImportFrom)
                else []
            )
            assert not any(name.split(".")[0] in {"pandas", "reportlab", "numpy"} for name in names), path
