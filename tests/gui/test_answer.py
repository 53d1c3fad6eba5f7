"""The recommendation on the right follows the document by writing into the widgets there are."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from gui.answer import Answer, FactLines
from tests.gui.conftest import EXAMPLES, OpenApp, wait_idle


def lines_of(answer: Answer) -> list[FactLines]:
    return [lines for lines in answer.findChildren(FactLines) if lines.isVisibleTo(answer)]


def words_of(answer: Answer) -> list[str]:
    return [text.text() for lines in lines_of(answer) for text in lines.findChildren(QLabel)]


def test_that_another_length_is_written_into_the_same_lines(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(EXAMPLES / "lora-70b-rack.passform.yaml")
    wait_idle(qtbot, app)
    answer = app.window.answer
    lines, words = lines_of(answer), words_of(answer)
    slider = app.window.workloads.details.length.slider
    slider.setValue(slider.value() + 4)
    wait_idle(qtbot, app)
    assert lines_of(answer) == lines
    assert words_of(answer) != words


def test_that_another_row_has_its_own_lines(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(EXAMPLES / "serve-and-train.passform.yaml")
    wait_idle(qtbot, app)
    answer, document = app.window.answer, app.document.consultation
    said = []
    for row in range(len(document.workloads) + len(document.serving)):
        answer.select_workload(row)
        said.append(words_of(answer))
    assert len({tuple(words) for words in said}) == len(said)
    answer.select_workload(0)
    assert words_of(answer) == said[0]


def test_that_nothing_is_written_again_while_the_answer_stays(
    open_app: OpenApp, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_app(EXAMPLES / "lora-70b-rack.passform.yaml")
    wait_idle(qtbot, app)
    written: list[object] = []
    monkeypatch.setattr(FactLines, "show_fact", lambda _, fact: written.append(fact))
    app.window.answer.refresh()
    assert not written
