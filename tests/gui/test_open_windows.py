"""Windows that are open follow the switches of the main window."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine.wording.translator import Language
from gui.dialogs.tour import Tour
from gui.flow import Step
from gui.planning import PlanState
from gui.settings import ThemeChoice
from tests.gui.conftest import EXAMPLES, PATIENCE_MS, OpenApp, wait_idle

MIXED = EXAMPLES / "mixed-portfolio.passform.yaml"


def test_that_open_windows_follow_language_and_theme(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(MIXED)
    tools = app.window.tools
    for show in (tools.show_catalogue, tools.show_positions, tools.show_evidence):
        show()
    tools.show_help("goals")
    app.set_language(Language.DE)
    assert tools.catalogue.windowTitle() == "Katalog"
    assert tools.positions.windowTitle() == "Positionen des Angebots"
    assert tools.evidence.windowTitle() == "Gemessen gegen geschätzt"
    assert tools.help.windowTitle() == "Passform-Hilfe"
    assert tools.help.topic == "goals"
    app.set_theme(ThemeChoice.DARK)
    assert tools.catalogue.isVisible()
    qtbot.waitUntil(lambda: not tools.evidence.busy, timeout=PATIENCE_MS)


def test_that_a_closed_window_follows_the_consultation_no_more(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(MIXED)
    tools = app.window.tools
    for show in (tools.show_catalogue, tools.show_positions, tools.show_evidence, lambda: tools.show_help("site")):
        show()
    first = (tools.catalogue, tools.positions, tools.evidence, tools.help)
    for window in first:
        window.close()
    assert (tools.catalogue, tools.positions, tools.evidence, tools.help) == (None, None, None, None)
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    app.document.edit("Title", app.document.consultation.model_copy(update={"title": "Another"}))
    tools.show_positions()
    assert tools.positions.isVisible()


def test_that_another_catalogue_leaves_open_windows_where_they_are(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(MIXED)
    app.window.tools.show_positions()
    app.window.register.show()
    positions, register = app.window.tools.positions, app.window.register.shown
    qtbot.waitUntil(lambda: not register.busy, timeout=PATIENCE_MS)
    app.use_catalogue(app.context.catalog)
    assert app.window.tools.positions is positions
    assert app.window.register.shown is register


def test_that_the_tour_goes_on_in_another_language(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(MIXED)
    app.context.settings.tour_seen = False
    app.window.start_tour()
    app.window.start_tour()  # there is one at a time
    app.window._tour.go_on()
    app.set_language(Language.DE)
    app.set_theme(ThemeChoice.DARK)
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    tours = app.window.findChildren(Tour)
    assert [tour.count.text() for tour in tours] == ["2 / 3"]
    assert tours[0].title.text() == "Hier steht die Antwort"
    tours[0].go_on()
    tours[0].go_on()
    assert app.context.settings.tour_seen
    app.set_language(Language.EN)
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    assert app.window.findChildren(Tour) == []


def test_that_one_customers_answer_never_stands_beside_another_consultation(
    open_app: OpenApp, qtbot: QtBot, tmp_path: Path
) -> None:
    app = open_app(MIXED)
    app.window.show_step(Step.RESULTS)
    wait_idle(qtbot, app)
    unknown = tmp_path / "unknown.passform.yaml"
    text = MIXED.read_text(encoding="utf-8").replace("model: ", "model: no-such-", 1)
    unknown.write_text(text, encoding="utf-8")
    assert app.window.files.open(unknown)
    wait_idle(qtbot, app)
    assert app.planner.state is PlanState.EMPTY
    assert app.planner.recommendation is None
    assert app.window.answer.card_text == ""
    app.window.show_step(Step.RESULTS)
    results = app.window.results
    assert not results._content.isVisible()
    assert "no-such-" in results.state.text()


def test_that_results_that_are_not_current_say_so(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(MIXED)
    app.window.show_step(Step.RESULTS)
    wait_idle(qtbot, app)
    results = app.window.results
    assert not results.state.isVisible()
    app.planner.cancel()
    assert results._content.isVisible()
    assert results.state.text() == app.context.texts.error(app.planner.error)
    app.planner.refresh()
    wait_idle(qtbot, app)
    assert not results.state.isVisible()
