"""The customer's own test runs in the window: entered, shown with their effect, changed, removed, undone."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from catalog.consultation.document import CalibrationRow
from catalog.consultation.files import read, text_of
from engine.memory.evidence import Reading
from engine.methods import Method, Sharding
from engine.reasons import ReasonCode
from engine.speed.types import StackClass
from engine.wording.translator import Language
from gui.app import App
from gui.flow import Step
from gui.own_runs import own_run
from gui.pages.own_run_dialog import MODEL, STEP_TIME, WORKLOAD, OwnRunDialog
from gui.pages.own_run_table import EFFECT, ESTIMATED, MEASURED, MEMORY, WHAT
from gui.settings import ThemeChoice
from tests.gui.conftest import EXAMPLES, OpenApp, wait_idle
from tests.gui.layout import nameless, unfit, unreachable

DESK = EXAMPLES / "qlora-70b-desk.passform.yaml"
CARD = "rtx_pro_6000_blackwell_maxq"


def answer(qtbot: QtBot, fill: Callable[[OwnRunDialog], object]) -> list[OwnRunDialog]:
    """Fill the dialog that is about to open."""
    seen: list[OwnRunDialog] = []

    def act() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, OwnRunDialog)
        try:
            fill(dialog)
            seen.append(dialog)
        finally:
            if dialog.isVisible():  # a failed check must not leave the dialog waiting
                dialog.reject()

    QTimer.singleShot(0, act)
    return seen


def choose(choice: object, value: str) -> None:
    choice.show_value(value)
    choice.chosen.emit(value)


def measured(app: App, share: float) -> float:
    """A share of the rate that is computed for the first workload on one card."""
    section = app.window.goals.own_runs
    dialog = OwnRunDialog(app.context, None, section)
    choose(dialog.card, CARD)
    dialog.measured.setText("1")
    words = dialog.effect.text()
    dialog.deleteLater()
    estimated = words.split("measured, ")[1].split(" ")[0].replace(",", "")
    return float(estimated) * share


def test_that_a_measured_rate_becomes_the_rate_of_the_plan(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(DESK)
    app.window.show_step(Step.GOALS)
    section = app.window.goals.own_runs
    assert not section.table.isVisible()
    rate = round(measured(app, 0.5))

    def fill(dialog: OwnRunDialog) -> None:
        dialog.name.setText("pilot")
        choose(dialog.card, CARD)
        dialog.measured.setText(str(rate))
        # Half the speed is twice the time; the estimate is shown without decimals.
        assert re.search(r"times (99|100|101)\s?% longer", dialog.effect.text())
        dialog.take.click()

    seen = answer(qtbot, fill)
    section.add_button.click()
    assert seen
    row = app.document.consultation.calibrations[0]
    workload = app.document.consultation.workloads[0]
    # What was measured does not change when the workload's slider moves: the run says itself what ran.
    assert (row.model, row.method, row.sequence_length) == (workload.model, workload.method, workload.sequence_length)
    assert (row.name, row.card, row.tokens_per_second) == ("pilot", CARD, rate)
    wait_idle(qtbot, app)
    recommendation = app.planner.recommendation
    assert recommendation is not None
    moved = {item.code for plan in recommendation.ranked for one in plan.placements for item in one.reasons}
    assert moved & {ReasonCode.CALIBRATED, ReasonCode.CALIBRATED_ELSEWHERE}
    model = section.model
    assert model.index(0, MEASURED).data() == f"{rate:,} tokens/s"
    assert "longer" in model.index(0, EFFECT).data()
    assert model.index(0, ESTIMATED).data().endswith("tokens/s")
    assert app.window.menus.undo.text().endswith("Add test run")
    app.document.stack.undo()
    assert app.document.consultation.calibrations == ()
    assert model.rowCount() == 0
    app.document.stack.redo()
    assert app.document.consultation.calibrations == (row,)
    assert model.rowCount() == 1
    wait_idle(qtbot, app)


def test_that_a_step_time_is_turned_into_tokens_per_second(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(DESK)
    dialog = OwnRunDialog(app.context, None, app.window)
    choose(dialog.what, f"{MODEL}llama-3.1-8b")
    choose(dialog.method, Method.LORA.value)
    dialog.length.setText("2048")
    choose(dialog.card, "h200_nvl")
    dialog.cards.setText("2")
    choose(dialog.sharding, Sharding.FSDP.value)
    choose(dialog.bridge, "2")
    choose(dialog.measured_as, STEP_TIME)
    dialog.measured.setText("4")
    with pytest.raises(Exception, match="sequences per step"):
        dialog.made()
    dialog.sequences.setText("16")
    row = dialog.made()
    assert row.tokens_per_second == 16 * 2048 / 4  # 8,192 tokens/s
    assert (row.model, row.method, row.cards, row.bridge_cards) == ("llama-3.1-8b", Method.LORA, 2, 2)
    assert row.sharding is Sharding.FSDP
    assert "8,192 tokens/s measured" in dialog.effect.text()
    dialog.deleteLater()


def test_that_what_cannot_have_been_is_said_in_the_dialog(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(DESK, language=Language.DE)
    dialog = OwnRunDialog(app.context, None, app.window)
    dialog.show()
    dialog.take.click()
    assert dialog.error.text() == "Bitte eintragen, was gemessen wurde."
    dialog.measured.setText("900.000")
    assert not dialog.error.isVisible()
    dialog.take.click()
    assert "900000 Token/s" in dialog.error.text()  # more than the card can compute
    dialog.measured.setText("viel")
    dialog.take.click()
    assert dialog.error.text()
    assert dialog.isVisible()
    assert dialog.row is None
    dialog.close()
    dialog.deleteLater()


def test_that_a_run_is_changed_and_removed_by_keys(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(DESK)
    app.window.show_step(Step.GOALS)
    section = app.window.goals.own_runs
    one = CalibrationRow(
        name="one", model="llama-3.1-8b", method=Method.LORA, sequence_length=2048, card=CARD,
        stack=StackClass.PLAIN_HF, tokens_per_second=2000.0,
    )  # fmt: skip
    section.store(one, None)
    section.store(one.model_copy(update={"name": "two"}), None)
    assert section.current_row() == 1

    def fill(dialog: OwnRunDialog) -> None:
        assert dialog.name.text() == "two"
        assert dialog.measured.text() == "2,000"
        assert str(dialog.stack.currentData()) == StackClass.PLAIN_HF.value
        dialog.measured.setText("2500")
        dialog.take.click()

    seen = answer(qtbot, fill)
    section.table.setFocus()
    QTest.keyClick(section.table, Qt.Key.Key_Return)
    assert seen
    assert [row.tokens_per_second for row in app.document.consultation.calibrations] == [2000.0, 2500.0]
    assert app.document.consultation.calibrations[1] == one.model_copy(
        update={"name": "two", "tokens_per_second": 2500.0}
    )
    app.window.activateWindow()
    section.table.setFocus()
    qtbot.waitUntil(section.table.hasFocus)
    QTest.keyClick(section.table, Qt.Key.Key_Delete)
    assert [row.name for row in app.document.consultation.calibrations] == ["one"]
    app.document.stack.undo()
    assert [row.name for row in app.document.consultation.calibrations] == ["one", "two"]
    wait_idle(qtbot, app)


def test_that_other_software_is_said_to_move_nothing(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(DESK)
    app.window.goals.stack.chosen.emit(StackClass.VENDOR_TUNED.value)
    dialog = OwnRunDialog(app.context, None, app.window)
    dialog.show()
    choose(dialog.stack, StackClass.PLAIN_HF.value)
    dialog.measured.setText("100")
    assert "moves nothing" in dialog.remark.text()
    choose(dialog.stack, StackClass.VENDOR_TUNED.value)
    assert not dialog.remark.isVisible()
    dialog.close()
    dialog.deleteLater()
    wait_idle(qtbot, app)


def test_that_a_run_follows_the_name_of_its_task_and_is_saved(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(DESK)
    task = app.document.consultation.workloads[0]
    assert task.name
    run = CalibrationRow(workload=task.name, card=CARD, stack=StackClass.PLAIN_HF, tokens_per_second=100.0)
    app.window.goals.own_runs.store(run, None)
    app.window.workloads.details._set_row("name", "renamed", "Name")
    assert app.document.consultation.calibrations[0].workload == "renamed"
    wait_idle(qtbot, app)
    assert app.planner.error is None
    app.window.workloads.details._set_row("name", "", "Name")  # the model's name now, which the run does not know
    wait_idle(qtbot, app)
    assert app.window.goals.own_runs.model.index(0, ESTIMATED).data() == "–"
    assert "renamed" in app.window.goals.own_runs.model.index(0, EFFECT).data()
    assert "renamed" in app.window.goals.own_runs.model.index(0, WHAT).data()
    app.document.stack.undo()
    path = app.document.folder / "with-run.passform.yaml"
    app.document.save(path)
    assert "calibrations:" in text_of(path)
    assert read(path).calibrations[0].workload == "renamed"
    wait_idle(qtbot, app)


@pytest.mark.parametrize(("theme", "language"), [(ThemeChoice.LIGHT, Language.DE), (ThemeChoice.DARK, Language.EN)])
def test_that_section_and_dialog_cut_nothing_off(
    open_app: OpenApp, qtbot: QtBot, theme: ThemeChoice, language: Language
) -> None:
    app = open_app(DESK, theme=theme, language=language, size=(1280, 720))
    app.window.show_step(Step.GOALS)
    section = app.window.goals.own_runs
    section.store(
        CalibrationRow(
            workload=app.document.consultation.workloads[0].name, card=CARD, stack=StackClass.PLAIN_HF,
            tokens_per_second=100.0,
        ),
        None,
    )  # fmt: skip
    wait_idle(qtbot, app)
    dialog = OwnRunDialog(app.context, app.document.consultation.calibrations[0], app.window)
    assert str(dialog.what.currentData()) == f"{WORKLOAD}0"
    dialog.show()
    dialog.take.setFocus()
    for widget in (app.window.goals, dialog):
        QApplication.processEvents()
        assert unfit(widget) == []
        assert nameless(widget) == []
        assert unreachable(widget) == []
    dialog.close()
    dialog.deleteLater()


def test_that_a_measured_peak_stands_beside_the_estimate_and_says_when_it_lies_outside(
    open_app: OpenApp, qtbot: QtBot
) -> None:
    app = open_app(DESK, size=(1280, 720))
    app.window.show_step(Step.GOALS)
    section = app.window.goals.own_runs

    def fill(dialog: OwnRunDialog) -> None:
        choose(dialog.card, CARD)
        dialog.measured.setText("100")
        assert not dialog.memory.isVisible()
        assert not dialog.reading.isEnabled()
        dialog.peak.setText("95")
        assert dialog.reading.isEnabled()
        assert "95.0\N{NO-BREAK SPACE}GiB measured" in dialog.memory.text()
        assert "The measurement lies above the estimated range" in dialog.memory.text()
        assert "nvidia-smi also counts" in dialog.memory.text()
        choose(dialog.reading, Reading.ALLOCATED.value)
        assert "nvidia-smi" not in dialog.memory.text()
        dialog.peak.setText("two")
        dialog.take.click()
        assert dialog.error.text() == "two is not a number."
        dialog.peak.setText("97")
        dialog.take.click()
        assert "GiB are more than" in dialog.error.text()
        QApplication.processEvents()
        assert unfit(dialog) == []
        dialog.peak.setText("2")
        dialog.take.click()

    seen = answer(qtbot, fill)
    section.add_button.click()
    assert seen
    row = app.document.consultation.calibrations[0]
    assert (row.peak_gib, row.peak_reading) == (2.0, Reading.ALLOCATED)
    assert "The measurement lies below the estimated range" in section.model.index(0, MEMORY).data()
    again = OwnRunDialog(app.context, row, app.window)
    assert (again.peak.text(), again.made()) == ("2", row)
    again.deleteLater()
    wait_idle(qtbot, app)
    assert unfit(app.window.goals) == []


def test_that_a_stored_run_of_a_task_keeps_the_method_and_micro_batch_of_its_task(
    open_app: OpenApp, qtbot: QtBot
) -> None:
    app = open_app(DESK)
    task = app.document.consultation.workloads[0]
    assert task.method is Method.QLORA
    app.window.workloads.details._set_row("micro_batch", 2, "Micro-batch")
    row = CalibrationRow(
        workload=task.name, card=CARD, stack=StackClass.PLAIN_HF, tokens_per_second=100.0, peak_gib=61.2
    )
    dialog = OwnRunDialog(app.context, row, app.window)
    made = dialog.made()
    assert (made.method, made.micro_batch) == (Method.QLORA, 2)
    # The dialog says of the run what the table says of the stored row.
    stored, shown = own_run(row, app.context), own_run(made, app.context)
    assert shown.modelled_tokens_per_s == pytest.approx(stored.modelled_tokens_per_s)
    assert shown.peak == stored.peak
    dialog.deleteLater()
    wait_idle(qtbot, app)
