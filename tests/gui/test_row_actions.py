"""The tables of rows offer the same things by menu and by key; names with an ampersand are shown whole."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QMenu

from catalog.consultation.document import CalibrationRow
from engine.methods import Method
from engine.speed.types import StackClass
from tests.gui.conftest import EXAMPLES, OpenApp

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
