"""What a command does not use is not imported: every start of the command line waits for it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HEAVY = ("PySide6", "pandas", "reportlab", "openpyxl", "sqlalchemy", "cryptography", "rapidfuzz", "pypdf", "pypdfium2")


def imported(statement: str) -> set[str]:
    """The modules in memory after a statement in a fresh interpreter."""
    script = f"{statement}\nimport sys\nprint('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_that_reading_the_command_line_brings_no_planner_along() -> None:
    modules = imported("import catalog.commands.grammar")
    assert not {"engine.plan.placement", "engine.quote.document", "catalog.load", "pydantic"} & modules


@pytest.mark.parametrize("command", ["catalogue", "estimate"])
def test_that_reading_commands_import_nothing_heavy(command: str) -> None:
    modules = imported(f"import catalog.commands.{command}")
    assert not {name.partition(".")[0] for name in modules} & set(HEAVY)
