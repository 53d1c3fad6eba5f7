"""The tables of rows offer the same things by menu and by key; names with an ampersand are shown whole."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QMenu

from catalog.consultation.document import CalibrationRow
from engine.methods import Method
from engine.speed.types import StackClass
from tests.gui.conftest import EXAMPLES, LAYOUT_PASSES, OpenApp

BOTH = EXAMPLES / "serve-and-train.passform.yaml"
RUN = CalibrationRow(
    model="llama-3.1-8b",
    method=Method.LORA,
    sequence_length=2048,
    card="h200_nvl",
    stack=StackClass.PLAIN_HF,
    tokens_per_second=900.0,
)


def test_that_every_table_of_rows_shows_its_actions_in_a_menu(
    open_app: OpenApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_app(BOTH)
    shown: list[list[str]] = []

    class Menu(QMenu):
        def exec(self, *_place: object) -> None:
            shown.append([one.text() for one in self.actions()])

    monkeypatch.setattr("gui.pages.row_actions.QMenu", Menu)
    page, runs = app.window.workloads, app.window.goals.own_runs
    runs.store(RUN, None)
    for table in (page.table, page.serving.table, runs.table):
        table.customContextMenuRequested.emit(QPoint(3, 3))
    assert shown == [
        ["Serve this model", "Duplicate workload", "Move up", "Move down", "Remove workload"],
        ["Duplicate served model", "Move served model up", "Move served model down", "Remove served model"],
        ["Edit …", "Remove test run"],
    ]


def test_that_the_cursor_keeps_its_column_when_a_row_is_moved(open_app: OpenApp) -> None:
    app = open_app(EXAMPLES / "mixed-portfolio.passform.yaml")
    page = app.window.workloads
    page.table.setCurrentIndex(page.model.index(0, 3))
    page.move_down()
    assert (page.current_row(), page.table.currentIndex().column()) == (1, 3)


def test_that_an_ampersand_in_a_name_is_shown(open_app: OpenApp) -> None:
    app = open_app(BOTH)
    app.context.settings.recent = ["/home/R&D/Angebot M&S.passform.yaml"]
    menus = app.window.menus
    menus.refresh_recent()
    assert menus.recent.actions()[0].text().startswith("Angebot M&&S.passform.yaml")
    document = app.document.consultation
    app.document.edit("Add R&D 8B", document.model_copy(update={"title": "R&D"}))
    assert menus.undo.text() == "Undo: Add R&&D 8B"


@pytest.mark.parametrize("count", [3, 6, 7, 60])
def test_that_the_rows_that_are_shown_are_shown_whole(open_app: OpenApp, count: int) -> None:
    """However many there are: no scroll bar lies on the last one, and nothing has to be scrolled sideways."""
    app = open_app(BOTH)
    document = app.document.consultation
    trained = tuple(document.workloads[0] for _ in range(count))
    served = tuple(document.serving[0] for _ in range(count))
    app.document.edit("Rows", document.model_copy(update={"workloads": trained, "serving": served}))
    for _ in range(LAYOUT_PASSES):  # the answer is nothing to the tables' heights
        QApplication.processEvents()
    page = app.window.workloads
    for table, most in ((page.table, 6), (page.serving.table, 4)):
        assert not table.horizontalScrollBar().isVisible()
        last = table.visualRect(table.model().index(min(count, most) - 1, 0))
        assert table.viewport().rect().contains(last)
        assert table.verticalScrollBar().isVisible() is (count > most)
