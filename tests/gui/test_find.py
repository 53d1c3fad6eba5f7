"""Find looks through whatever is shown: texts, tables, trees and pictures, forwards and back."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QTableView, QTreeView
from pytestqt.qtbot import QtBot

from gui.app import App
from gui.flow import Step
from gui.picture_view import PictureView
from tests.gui.conftest import EXAMPLES, OpenApp, wait_idle

MIXED = EXAMPLES / "mixed-portfolio.passform.yaml"


@pytest.fixture
def app(open_app: OpenApp) -> App:
    return open_app(MIXED)


def look_for(app: App, text: str) -> object:
    bar = app.window.find_bar
    bar.begin()
    bar.field.setText(text)
    bar.search()
    return bar


def test_that_find_opens_by_its_keys_and_closes_by_escape(app: App, qtbot: QtBot) -> None:
    app.window.show_step(Step.GOALS)
    find = next(action for action in app.window.menuBar().actions()[1].menu().actions() if "ind" in action.text())
    assert find.shortcut().toString() == "Ctrl+F"
    find.trigger()
    bar = app.window.find_bar
    assert bar.isVisible()
    assert bar.field.hasFocus()
    QTest.keyClicks(bar.field, "H200")
    qtbot.waitUntil(lambda: bar.found > 0)
    QTest.keyClick(bar.field, Qt.Key.Key_Escape)
    assert not bar.isVisible()
    assert bar.current is None


def test_that_places_in_a_table_are_walked_in_order_and_round(app: App, qtbot: QtBot) -> None:
    app.window.show_step(Step.GOALS)
    bar = look_for(app, "h200")
    table = app.window.goals.price_panel.table
    model = table.model()
    rows = [row for row in range(model.rowCount()) if "h200" in str(model.index(row, 0).data()).casefold()]
    assert len(rows) > 1
    seen = []
    for _ in range(bar.found):
        match = bar.current
        if match.widget is table:
            seen.append(QModelIndex(match.cell).row())
            assert table.currentIndex().row() == seen[-1]
        bar.go_on()
    assert seen == rows
    first = bar.current
    assert bar.count.text().startswith("1 of ")  # round again
    bar.go_back()
    assert bar.count.text() == f"{bar.found} of {bar.found}"
    bar.go_on()
    assert bar.current == first


def test_that_texts_of_the_results_are_found_and_outlined(app: App, qtbot: QtBot) -> None:
    app.window.show_step(Step.RESULTS)
    wait_idle(qtbot, app)
    results = app.window.results
    bar = look_for(app, results.glance.title)
    assert isinstance(bar.current.widget, QLabel)
    light = bar._light
    assert light is not None
    assert light.isVisible()
    label = bar.current.widget
    corner = label.mapTo(results.widget(), label.rect().center())
    assert light.geometry().contains(corner)
    # The page is scrolled to what lies below.
    results.tabs.show_page(results.compare)
    wait_idle(qtbot, app)
    results.verticalScrollBar().setValue(0)
    bar = look_for(app, "NVLink")
    tables = [match for match in bar._found if isinstance(match.widget, QTableView)]
    assert tables
    while not isinstance(bar.current.widget, QTableView):
        bar.go_on()
    assert results.verticalScrollBar().value() > 0


def test_that_cells_of_pictures_and_rejected_candidates_are_found(app: App, qtbot: QtBot) -> None:
    app.window.show_step(Step.RESULTS)
    wait_idle(qtbot, app)
    results = app.window.results
    name = app.document.consultation.workloads[1].name
    bar = look_for(app, name)
    assert any(match.widget is results.heat for match in bar._found)
    assert any(isinstance(match.widget, PictureView) and match.area is not None for match in bar._found)
    results.show_why()
    bar = look_for(app, "L40S")
    trees = [match for match in bar._found if isinstance(match.widget, QTreeView)]
    assert trees
    # A reason inside a closed card is found too, and the card is opened for it.
    rejection = app.planner.recommendation.rejected[0]
    sentence = app.context.texts.reason(rejection.reasons[0])
    bar = look_for(app, sentence[:40])
    match = next(match for match in bar._found if isinstance(match.widget, QTreeView))
    while bar.current != match:
        bar.go_on()
    assert results.why.tree.currentItem() is not None
    assert results.why.tree.currentItem().parent().isExpanded()


def test_that_what_is_not_there_is_said_and_f3_begins_a_search(app: App, qtbot: QtBot) -> None:
    bar = look_for(app, "zzz-nowhere")
    assert bar.found == 0
    assert bar.count.text() == "not found here"
    assert not bar.next_button.isEnabled()
    bar.go_on()
    assert bar.found == 0
    bar.end()
    bar.field.clear()
    bar.go_on()  # nothing to look for yet: it asks
    assert bar.isVisible()
    assert bar.field.hasFocus()


def test_that_another_page_forgets_what_was_found(app: App, qtbot: QtBot) -> None:
    bar = look_for(app, "Training")
    assert bar.found
    app.window.show_step(Step.SITE)
    assert bar.found == 0
    assert bar.current is None
    bar.go_on()
    assert all(app.window.site.isAncestorOf(match.widget) for match in bar._found)
