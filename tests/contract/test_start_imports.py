"""What a command does not use is not imported: every start of the command line waits for it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HEAVY = ("PySide6", "pandas", "reportlab", "openpyxl", "sqlalchemy", "cryptography", "rapidfuzz", "pypdf", "pypdfium2")


def imported(statement: str, **environment: str) -> set[str]:
    """The modules in memory after a statement in a fresh interpreter, which then ends without further ado."""
    script = f"{statement}\nimport os, sys\nprint('\\n'.join(sys.modules), flush=True)\nos._exit(0)"
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return set(done.stdout.split())


def test_that_reading_the_command_line_brings_no_planner_along() -> None:
    modules = imported("import catalog.commands.grammar")
    assert not {"engine.plan.placement", "engine.quote.document", "catalog.load", "pydantic"} & modules


@pytest.mark.parametrize("command", ["catalogue", "estimate"])
def test_that_reading_commands_import_nothing_heavy(command: str) -> None:
    modules = imported(f"import catalog.commands.{command}")
    assert not {name.partition(".")[0] for name in modules} & set(HEAVY)


FIRST_PAINT = """
import main
from gui.app import make_application, open_window
app = open_window(make_application(["passform"]))
while not app.window._painted:
    app._application.processEvents()
assert not app.window.furnished
"""
BEHIND_THE_PAINT = {
    "catalog.commands.grammar",
    "pydantic",
    "yaml",
    "decimal",
    "concurrent.futures",
    "catalog.load",
    "gui.planning",
}
"""Needed for a consultation, not for menus and start page."""


def test_that_the_first_paint_waits_for_nothing_heavy(tmp_path: Path) -> None:
    modules = imported(FIRST_PAINT, QT_QPA_PLATFORM="offscreen", PASSFORM_DATA=str(tmp_path))
    assert not {name.partition(".")[0] for name in modules} & {*HEAVY} - {"PySide6"}
    assert not BEHIND_THE_PAINT & modules
    ours = {name for name in modules if name.startswith(("engine.", "catalog."))}
    assert ours == {
        "catalog.user_folder",
        "engine.errors",
        "engine.pictures",
        "engine.pictures.palette",
        "engine.wording",
        "engine.wording.translator",
    }


def test_that_the_first_paint_does_not_build_all_of_qts_enumerations(tmp_path: Path) -> None:
    script = f"{FIRST_PAINT}\nimport PySide6.QtCore\nassert 'Qt' not in vars(PySide6.QtCore)"
    imported(script, QT_QPA_PLATFORM="offscreen", PASSFORM_DATA=str(tmp_path))


def test_that_numbers_written_for_enumerations_are_theirs() -> None:
    from PySide6.QtCore import Qt

    from gui import parts

    assert Qt.TextFormat.PlainText.value == parts.PLAIN_TEXT
    assert Qt.FocusPolicy.StrongFocus.value == parts.STRONG_FOCUS
    assert Qt.ItemDataRole.ToolTipRole.value == parts.TOOL_TIP_ROLE
    assert Qt.ToolButtonStyle.ToolButtonTextBesideIcon.value == parts.TEXT_BESIDE_ICON


def test_that_a_first_consultation_waits_for_no_paper_and_no_other_page(tmp_path: Path) -> None:
    script = """
from pathlib import Path
from gui.loading import first_steps
for step in first_steps(lambda: None):
    step()
from catalog.load import load_catalog
"""
    modules = imported(script, QT_QPA_PLATFORM="offscreen", PASSFORM_DATA=str(tmp_path))
    assert not {name.partition(".")[0] for name in modules} & {*HEAVY} - {"PySide6"}
    assert not {"gui.pages.offer", "gui.pages.results", "gui.catalogue.window", "engine.report.document"} & modules
