"""The whole way, driven through the real widgets with the real engine."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from catalog.consultation.files import read
from engine.wording.translator import Language
from gui.flow import Step
from gui.planning import PlanState
from gui.settings import ThemeChoice
from tests.gui.conftest import EXAMPLES, OpenApp, wait_idle


def test_that_the_first_row_brings_a_recommendation(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app()
    assert app.planner.state is PlanState.EMPTY
    picker = app.window.workloads.picker
    qtbot.keyClicks(picker, "llama 3.3 70")
    assert picker.suggestions[0].id == "llama-3.3-70b"
    qtbot.keyClick(picker, Qt.Key.Key_Return)
    wait_idle(qtbot, app)
    assert app.document.consultation.workloads[0].model == "llama-3.3-70b"
    assert app.planner.state is PlanState.READY
    assert app.planner.recommendation is not None
    chosen = app.planner.recommendation.chosen
    assert chosen is not None
    assert app.window.answer.card_text == f"{chosen.cards} × {chosen.card.name}"


def test_that_going_through_all_steps_and_back_loses_nothing(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(EXAMPLES / "mixed-portfolio.passform.yaml")
    before = app.document.consultation
    for step in [*Step, *reversed(Step)]:
        app.window.show_step(step)
        wait_idle(qtbot, app)
    assert app.document.consultation == before
    assert not app.document.modified


def test_that_undo_and_redo_walk_through_every_change(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(EXAMPLES / "lora-70b-rack.passform.yaml")
    states = [app.document.consultation]
    details = app.window.workloads.details
    details.length.slider.setValue(details.length.slider.value() + 4)
    states.append(app.document.consultation)
    app.window.workloads.duplicate()
    states.append(app.document.consultation)
    app.window.site.boxes[next(iter(app.window.site.boxes))].click()
    states.append(app.document.consultation)
    assert len({repr(state) for state in states}) == 4
    for state in reversed(states[:-1]):
        app.document.stack.undo()
        assert app.document.consultation == state
    for state in states[1:]:
        app.document.stack.redo()
        assert app.document.consultation == state
    wait_idle(qtbot, app)


def test_that_dragging_the_slider_is_one_step_to_undo(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(EXAMPLES / "lora-70b-rack.passform.yaml")
    before = app.document.consultation
    slider = app.window.workloads.details.length.slider
    for position in range(slider.value() + 1, slider.value() + 6):
        slider.setValue(position)
    assert app.document.stack.count() == 1
    app.document.stack.undo()
    assert app.document.consultation == before
    wait_idle(qtbot, app)


def test_that_a_saved_consultation_opens_again_as_it_was(open_app: OpenApp, qtbot: QtBot, tmp_path: Path) -> None:
    app = open_app(EXAMPLES / "qlora-70b-desk.passform.yaml")
    app.window.workloads.details.length.slider.setValue(10)
    wait_idle(qtbot, app)
    target = tmp_path / "kunde.passform.yaml"
    app.document.save(target)
    assert not app.document.modified
    assert read(target) == app.document.consultation
    other = open_app(target)
    assert other.document.consultation == app.document.consultation


def test_that_a_wrong_number_is_refused_beside_its_field_and_changes_nothing(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(EXAMPLES / "lora-70b-rack.passform.yaml")
    app.window.show_step(Step.GOALS)
    field = app.window.goals.horizon
    before = app.document.consultation
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "drei")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert app.document.consultation == before
    assert field.property("invalid")
    assert "A number is needed" in field.accessibleDescription()
    field.selectAll()
    qtbot.keyClicks(field, "99")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert app.document.consultation == before
    field.selectAll()
    qtbot.keyClicks(field, "5")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert app.document.consultation.horizon_years == 5
    assert not field.property("invalid")
    wait_idle(qtbot, app)


def test_that_language_and_theme_switch_live_and_keep_document_and_step(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(EXAMPLES / "mixed-portfolio.passform.yaml")
    app.window.show_step(Step.SITE)
    before = app.document.consultation
    app.set_language(Language.DE)
    app.set_theme(ThemeChoice.DARK)
    wait_idle(qtbot, app)
    assert app.window.step is Step.SITE
    assert app.document.consultation == before
    assert app.window.menuBar().actions()[0].text() == "&Datei"
    assert app.context.theme.dark
    assert app.context.settings.theme is ThemeChoice.DARK


def test_that_a_file_that_cannot_be_read_is_named_and_changes_nothing(
    open_app: OpenApp, qtbot: QtBot, tmp_path: Path, monkeypatch
) -> None:
    app = open_app(EXAMPLES / "lora-70b-rack.passform.yaml")
    before = app.document.consultation
    broken = tmp_path / "broken.passform.yaml"
    broken.write_text("schema: 1\nworkload: []\n", encoding="utf-8")
    shown: list[str] = []
    monkeypatch.setattr(QMessageBox, "exec", lambda box: shown.append(box.text()) or 0)
    assert not app.window.files.open(broken)
    assert app.document.consultation == before
    assert "broken.passform.yaml:2" in shown[0]


def test_that_unsaved_changes_hold_the_window_open_until_answered(open_app: OpenApp, qtbot: QtBot, monkeypatch) -> None:
    app = open_app(EXAMPLES / "lora-70b-rack.passform.yaml")
    app.window.workloads.duplicate()
    wait_idle(qtbot, app)
    answers = iter((QMessageBox.StandardButton.Cancel, QMessageBox.StandardButton.Discard))
    monkeypatch.setattr(QMessageBox, "exec", lambda _box: next(answers).value)
    app.window.close()
    assert app.window.isVisible()
    app.window.close()
    assert not app.window.isVisible()


def test_that_the_way_from_model_to_offer_can_be_gone_by_keyboard_alone(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app()
    window = app.window
    QTest.keyClicks(window.focusWidget(), "qwen3 32b")
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Return)
    wait_idle(qtbot, app)
    window.activateWindow()  # a window manager does this when the list of suggestions closes
    qtbot.waitUntil(window.isActiveWindow)
    for step in list(Step)[1:]:
        QTest.keyClick(window, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
        assert window.step is step
    company = window.focusWidget()
    assert company is window.offer.fields["company"]
    QTest.keyClicks(company, "Beispiel AG")
    QTest.keyClick(company, Qt.Key.Key_Tab)
    assert app.document.consultation.customer.company == "Beispiel AG"
    wait_idle(qtbot, app)
    assert window.offer.rendered is not None
    assert window.offer.rendered.paper.pdf.startswith(b"%PDF")
