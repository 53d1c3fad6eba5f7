"""What no one machine holds leads on in the window too."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel

from engine.wording.translator import Language
from gui.flow import Step
from tests.gui.conftest import OpenApp

GIANT = """\
schema: 1
site: {place: rack}
workloads:
  - {name: giant, model: kimi-k2, method: full, sequence_length: 2048}
"""


@pytest.mark.parametrize(
    ("language", "words"),
    [
        (Language.EN, "of them are the fewest whose memory suffices"),
        (Language.DE, "Der Speicher reicht frühestens bei"),
    ],
)
def test_that_the_results_name_the_fewest_machines(
    open_app: OpenApp, tmp_path: Path, language: Language, words: str
) -> None:
    file = tmp_path / "giant.passform.yaml"
    file.write_text(GIANT, encoding="utf-8")
    app = open_app(file, language=language)
    app.window.show_step(Step.RESULTS)
    assert app.planner.recommendation is not None
    assert len(app.planner.recommendation.beyond) == 2
    shown = [line.text() for line in app.window.results.glance.findChildren(QLabel) if line.isVisible()]
    (text,) = [line for line in shown if words in line]
    assert text.count("giant:") == 2
