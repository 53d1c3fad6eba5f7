"""Pictures of every window, page, view, dialog and menu: light and dark, German and English, at 100 and 200 percent.

Each scale is a process of its own, on a projector of 1280 x 720; what it found is read here.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from engine.wording.translator import Language
from gui.settings import ThemeChoice
from tests.gui.gallery.parts import waiting_functions, widget_classes

ROOT = Path(__file__).parents[2]
SCALES = (1, 2)
BY_KEYBOARD = {1: "de-dark", 2: ""}  # the look in which Tab is pressed through every window
PROJECTOR = (1280, 720)
PATIENCE_S = 280


@dataclass(frozen=True, slots=True)
class Report:
    """What a process showed, and what was wrong with it."""

    names: list[str]
    faults: list[str]
    classes: set[str]
    modal: set[str]


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Report]:
    """Both scales, shown at the same time."""
    folder = tmp_path_factory.mktemp("gallery")
    running = {scale: _start(scale, folder / str(scale)) for scale in SCALES}
    found = {}
    for scale, process in running.items():
        said, _ = process.communicate(timeout=PATIENCE_S)
        assert process.returncode == 0, said
        read = json.loads((folder / str(scale) / "report.json").read_text(encoding="utf-8"))
        found[scale] = Report(read["names"], read["faults"], set(read["classes"]), set(read["modal"]))
    return found


def _start(scale: int, folder: Path) -> subprocess.Popen[str]:
    user = folder / "user"
    user.mkdir(parents=True)
    width, height = (side * scale for side in PROJECTOR)
    screen = {"name": "projector", "x": 0, "y": 0, "width": width, "height": height, "dpr": 1}
    screen |= {"logicalDpi": 96, "logicalBaseDpi": 96}
    (folder / "screen.json").write_text(json.dumps({"screens": [screen]}), encoding="utf-8")
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": f"offscreen:configfile={folder / 'screen.json'}",
        "QT_SCALE_FACTOR": str(scale),
        "PASSFORM_DATA": str(user),
        "PYTHONPATH": str(ROOT),
        "GALLERY_TABS": BY_KEYBOARD[scale],
    }
    words = [sys.executable, "-m", "tests.gui.gallery.walk", str(user), str(folder / "report.json")]
    return subprocess.Popen(
        words, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("theme", [ThemeChoice.LIGHT, ThemeChoice.DARK])
@pytest.mark.parametrize("language", list(Language))
def test_that_nothing_is_cut_off_covered_faint_nameless_out_of_reach_or_in_the_other_language(
    reports: dict[int, Report], scale: int, theme: ThemeChoice, language: Language
) -> None:
    look = f"-{language.value}-{theme.value}"
    shown = [name for name in reports[scale].names if name.endswith(look)]
    assert len(shown) > 100
    faults = [fault for fault in reports[scale].faults if look in fault.partition(": ")[0]]
    assert faults == [], "\n".join(faults)


def test_that_every_widget_of_the_program_was_shown(reports: dict[int, Report]) -> None:
    for report in reports.values():
        assert widget_classes() - report.classes == set()


def test_that_every_question_of_the_program_was_asked(reports: dict[int, Report]) -> None:
    for report in reports.values():
        assert waiting_functions() - report.modal == set()


def test_that_both_scales_show_the_same_and_qt_complains_of_neither(reports: dict[int, Report]) -> None:
    assert reports[1].names == reports[2].names
    assert [fault for report in reports.values() for fault in report.faults if fault.startswith("Qt: ")] == []
