"""What is being typed is neither lost nor left behind: saving takes it in, a refused text stays to be mended."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QMessageBox
from pytestqt.qtbot import QtBot

from catalog.consultation.files import read
from engine.wording.translator import Language
from engine.workload import Priority
from gui.app import App
from gui.flow import Step, StepState, states
from gui.furniture import situation
from tests.gui.conftest import EXAMPLES, PATIENCE_MS, OpenApp, wait_idle

MIXED, DESK = EXAMPLES / "mixed-portfolio.passform.yaml", EXAMPLES / "qlora-70b-desk.passform.yaml"


@pytest.fixture(autouse=True)
def _no_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is still being typed when a test ends is thrown away."""
    monkeypatch.setattr(QMessageBox, "exec", lambda _box: QMessageBox.StandardButton.Discard.value)


def type_into(field: QLineEdit, text: str) -> None:
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)


def in_front(open_app: OpenApp, qtbot: QtBot) -> App:
    """Keys go to the window that is active."""
    app = open_app(MIXED)
    qtbot.waitUntil(lambda: QApplication.activeWindow() is app.window, timeout=PATIENCE_MS)
    return app


def at_goals(open_app: OpenApp, qtbot: QtBot) -> App:
    app = in_front(open_app, qtbot)
    app.window.show_step(Step.GOALS)
    wait_idle(qtbot, app)
    return app


def way(app: App) -> StepState:
    return states(situation(app.context, app.window._pages))[Step.GOALS]


def test_that_saving_takes_in_the_field_that_is_being_typed_into(open_app: OpenApp, qtbot: QtBot) -> None:
    app = at_goals(open_app, qtbot)
    field = app.window.goals.horizon
    type_into(field, "7")
    QTest.keyClick(app.window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert app.document.path is not None
    assert read(app.document.path).horizon_years == 7
    assert not app.document.modified
    assert QApplication.focusWidget() is field


def test_that_saving_takes_in_the_cell_that_is_being_edited(open_app: OpenApp, qtbot: QtBot) -> None:
    app = in_front(open_app, qtbot)
    table = app.window.workloads.table
    table.setFocus()
    table.edit(app.window.workloads.model.index(0, 3))
    editor = QApplication.focusWidget()
    assert isinstance(editor, QLineEdit)
    type_into(editor, "5M")
    assert app.window.files.save()
    assert app.document.path is not None
    assert read(app.document.path).workloads[0].tokens_per_run == 5_000_000


def test_that_leaving_for_another_consultation_asks_about_what_was_just_typed(
    open_app: OpenApp, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = at_goals(open_app, qtbot)
    asked: list[str] = []
    monkeypatch.setattr(
        QMessageBox, "exec", lambda box: (asked.append(box.text()), QMessageBox.StandardButton.Cancel.value)[1]
    )
    type_into(app.window.goals.horizon, "7")
    app.window.files.new()
    assert len(asked) == 1
    assert app.document.consultation.horizon_years == 7


@pytest.mark.parametrize("switch", ["view", "language", "catalogue"])
def test_that_building_the_window_anew_keeps_what_was_just_typed(open_app: OpenApp, qtbot: QtBot, switch: str) -> None:
    app = at_goals(open_app, qtbot)
    type_into(app.window.goals.horizon, "7")
    if switch == "view":
        app.window.set_customer_view(True)
    elif switch == "language":
        app.set_language(Language.DE)
    else:
        app.use_catalogue(app.context.catalog)
    wait_idle(qtbot, app)
    assert app.document.consultation.horizon_years == 7
    assert app.window.goals.horizon.text() == "7"


def test_that_a_refused_text_stays_with_its_complaint_while_something_else_is_changed(
    open_app: OpenApp, qtbot: QtBot
) -> None:
    app = at_goals(open_app, qtbot)
    goals = app.window.goals
    type_into(goals.budget, "a lot")
    type_into(goals.horizon, "6")
    QTest.keyClick(goals.horizon, Qt.Key.Key_Return)
    wait_idle(qtbot, app)
    assert app.document.consultation.horizon_years == 6
    assert goals.budget.text() == "a lot"
    assert goals.budget.property("invalid")
    assert way(app) is StepState.PROBLEM
    type_into(goals.budget, "90000")
    QTest.keyClick(goals.budget, Qt.Key.Key_Return)
    assert way(app) is StepState.OK


def test_that_a_refused_text_goes_with_its_complaint_when_the_value_changes_beneath_it(
    open_app: OpenApp, qtbot: QtBot
) -> None:
    app = at_goals(open_app, qtbot)
    goals = app.window.goals
    type_into(goals.horizon, "6")
    type_into(goals.budget, "1")  # leaves the field before
    type_into(goals.horizon, "soon")
    goals.budget.setFocus()
    assert way(app) is StepState.PROBLEM
    app.document.stack.undo()  # the budget
    assert goals.horizon.text() == "soon"
    app.document.stack.undo()  # the horizon
    assert goals.horizon.text() == "4"
    assert not goals.horizon.property("invalid")
    assert way(app) is StepState.OK


def test_that_a_refused_text_belongs_to_its_row_and_its_consultation(
    open_app: OpenApp, qtbot: QtBot, tmp_path: Path
) -> None:
    app = in_front(open_app, qtbot)
    page = app.window.workloads
    rank = next(field for field in page.details._left.findChildren(QLineEdit) if field.accessibleName() == "LoRA rank")
    page.select_row(0)
    type_into(rank, "x")
    page.picker.setFocus()
    assert page.has_errors
    page.select_row(1)
    assert not page.has_errors
    assert rank.text() != "x"
    page.details.show_row(1)
    type_into(rank, "x")
    page.picker.setFocus()
    path = tmp_path / "next.passform.yaml"
    path.write_bytes(DESK.read_bytes())
    app.window.files.open(path)
    wait_idle(qtbot, app)
    assert not page.has_errors


def test_that_a_paper_is_saved_at_once_from_any_page_and_with_what_was_just_typed(
    open_app: OpenApp, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    app = in_front(open_app, qtbot)
    path = tmp_path / "paper.pdf"
    asked: list[str] = []

    def answer(*arguments: object) -> tuple[str, str]:
        asked.append(str(arguments[2]))
        return str(path), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", answer)
    control = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(app.window, Qt.Key.Key_P, control)
    wait_idle(qtbot, app)
    assert len(asked) == 1
    assert path.read_bytes().startswith(b"%PDF")
    offer = app.window.offer
    type_into(offer.fields["company"], "Neue Werft AG")
    offer.save_button.click()
    assert len(asked) == 1  # the paper is made first
    wait_idle(qtbot, app)
    assert "Neue-Werft-AG" in asked[1]
    assert offer.rendered is not None
    assert path.read_bytes() == offer.rendered.paper.pdf
    assert any("Neue Werft AG" in page.text for page in offer.rendered.pages)


def test_that_nobody_is_asked_for_a_file_after_leaving_the_page_or_without_a_system(
    open_app: OpenApp, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = in_front(open_app, qtbot)
    asked: list[int] = []
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_arguments: asked.append(1) or ("", ""))
    app.window.show_step(Step.OFFER)
    app.window.offer.once_made(app.window.offer.ask_and_save)
    app.window.show_step(Step.SITE)
    wait_idle(qtbot, app)
    app.window.show_step(Step.OFFER)
    wait_idle(qtbot, app)
    assert asked == []
    app.window.files.new()
    app.window.show_step(Step.OFFER)
    app.window.offer.once_made(app.window.offer.ask_and_save)
    wait_idle(qtbot, app)
    assert asked == []
    assert not app.window.offer.busy.isVisible()


def test_that_offer_and_positions_say_what_keeps_them_empty(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app()
    app.window.show_step(Step.OFFER)
    app.window.tools.show_positions()
    wait_idle(qtbot, app)
    missing = "Add a model to get a recommendation."
    assert app.window.offer.state.text() == missing
    assert app.window.tools.positions.state.text() == missing
    app.window.files.open_sample(MIXED)
    app.window.show_step(Step.OFFER)
    wait_idle(qtbot, app)
    document = app.document.consultation
    site = document.site.model_copy(update={"circuit_watts": 100})
    app.document.edit("Site", document.model_copy(update={"site": site}))
    wait_idle(qtbot, app)
    nothing = "No system in the catalogue carries every workload. The results say what is missing."
    assert app.window.offer.state.text() == nothing
    assert app.window.tools.positions.state.text() == nothing


def test_that_messages_about_one_consultation_go_with_it(open_app: OpenApp, qtbot: QtBot) -> None:
    app = at_goals(open_app, qtbot)
    page, goals = app.window.workloads, app.window.goals
    page.model.setData(page.model.index(0, 2), "long")
    goals.prices.setData(goals.prices.index(0, goals.prices.own_column), "dear")
    assert page.error.text()
    assert goals.error.text()
    app.document.edit("Title", app.document.consultation.model_copy(update={"title": "Another"}))
    app.autosave.save_now()
    assert "saved automatically" in app.window.status._text.text()
    app.window.files.new()
    assert not page.error.text()
    assert not goals.error.text()
    assert "saved automatically" not in app.window.status._text.text()


def test_that_arrow_keys_choose_a_priority(open_app: OpenApp, qtbot: QtBot) -> None:
    app = at_goals(open_app, qtbot)
    goals, before = app.window.goals, app.document.consultation.priority
    goals.initial_focus().setFocus()
    key = Qt.Key.Key_Up if before is list(Priority)[-1] else Qt.Key.Key_Down
    QTest.keyClick(goals.initial_focus(), key)
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Space)
    assert app.document.consultation.priority is not before
