"""One history for every edit, wherever it was made: undo takes back the last one, redo brings it again."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from catalog.consultation.document import CalibrationRow
from engine.cost.types import EconomicsKey
from engine.methods import Method
from engine.speed.types import StackClass
from engine.workload import MustHave, Place, Priority
from gui.app import App
from gui.flow import Step
from tests.gui.conftest import EXAMPLES, OpenApp, wait_idle

MIXED = EXAMPLES / "mixed-portfolio.passform.yaml"


def commit(field: object, text: str) -> None:
    field.setText(text)
    field.editingFinished.emit()


def edits_of(app: App) -> dict[str, Callable[[], object]]:
    """One edit of every kind a person can make, by where it is made."""
    window, tools = app.window, app.window.tools
    page, site, goals, offer = window.workloads, window.site, window.goals, window.offer
    editor = tools.positions
    run = CalibrationRow(
        model="llama-3.1-8b", method=Method.LORA, sequence_length=2048, card="h200_nvl", stack=StackClass.PLAIN_HF,
        tokens_per_second=900.0,
    )  # fmt: skip
    share = next(n for n in range(goals.assumptions.rowCount()) if goals.assumptions.rows[n] is EconomicsKey.PUE_DESK)

    def note() -> None:
        offer.notes.setPlainText("a note")
        offer.store_notes()

    def address() -> None:
        offer.address.setPlainText("Weg 1\n12345 Ort")
        offer.store_address()

    return {
        "duplicate workload": lambda: (page.select_row(0), page.duplicate()),
        "cell": lambda: page.model.setData(page.model.index(0, 2), "3000"),
        "move workload": lambda: (page.select_row(0), page.move_down()),
        "remove workload": lambda: (page.select_row(0), page.remove()),
        "recipe": lambda: page.details._set("rank", 32, "Rank", recipe=True),
        "deadline": lambda: page.details._set("deadline_hours", Decimal(99), "Deadline", recipe=False),
        "serve": lambda: (page.select_row(0), page.serve()),
        "place": lambda: site.place.chosen.emit(Place.DESK.value),
        "must-have": site.boxes[MustHave.ECC].click,
        "circuit": lambda: commit(site.fields["circuit_watts"], "3680"),
        "priority": goals.radios[Priority.TIME].click,
        "budget": lambda: commit(goals.budget, "90000"),
        "currency": lambda: goals.currency.chosen.emit("CHF"),
        "day": lambda: commit(goals.day, "2026-10-01"),
        "own price": lambda: goals.prices.setData(goals.prices.index(0, goals.prices.own_column), "1234"),
        "assumption": lambda: goals.assumptions.setData(goals.assumptions.index(share, 3), "1.3"),
        "test run": lambda: goals.own_runs.store(run, None),
        "customer": lambda: commit(offer.fields["company"], "Neue GmbH"),
        "address": address,
        "note": note,
        "paper's language": lambda: offer.language.chosen.emit("en"),
        "positions: section": editor.add_section,
        "positions: line": lambda: editor._on_cell((0, 0), "title", "Umbenannt"),
        "positions: purchase price": lambda: editor._on_cell((0, 0), "purchase_price", "1000"),
        "positions: remove": lambda: (editor.choose((0, 0)), editor.remove()),
        "terms": lambda: editor._on_terms("validity_days", 14),
        "discount": lambda: editor._on_quote("discount_percent", Decimal(3)),
    }


def test_that_every_edit_is_one_step_and_comes_back(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(MIXED)
    app.window.show_step(Step.OFFER)
    app.window.tools.show_positions()
    wait_idle(qtbot, app)
    document, stack = app.document, app.document.stack
    for name, make in edits_of(app).items():
        before, steps = document.consultation, stack.index()
        make()
        after = document.consultation
        assert after != before, name
        assert stack.index() == steps + 1, f"{name}: {stack.index() - steps} steps"
        assert stack.undoText(), name
        stack.undo()
        assert document.consultation == before, name
        stack.redo()
        assert document.consultation == after, name
        stack.undo()
        document.settle()
    wait_idle(qtbot, app)
    assert not stack.canUndo()
    assert not document.modified


def test_that_editor_and_window_share_one_history(open_app: OpenApp, qtbot: QtBot) -> None:
    """Edits made in turns are taken back in turns, whichever of the two windows asks for it."""
    app = open_app(MIXED)
    app.window.show_step(Step.OFFER)
    app.window.tools.show_positions()
    wait_idle(qtbot, app)
    editor, offer, start = app.window.tools.positions, app.window.offer, app.document.consultation
    commit(offer.fields["company"], "Eins GmbH")
    editor.add_section()
    commit(offer.fields["company"], "Zwei GmbH")
    sections = len(editor.model.sections)
    wait_idle(qtbot, app)
    editor.undo_button.click()  # the company, though the editor was asked
    assert app.document.consultation.customer.company == "Eins GmbH"
    assert offer.fields["company"].text() == "Eins GmbH"
    app.window.menus.undo.trigger()  # the section, though the window was asked
    assert len(editor.model.sections) == sections - 1
    app.window.menus.undo.trigger()
    assert app.document.consultation == start
    editor.redo_button.click()
    app.window.menus.redo.trigger()
    editor.redo_button.click()
    assert app.document.consultation.customer.company == "Zwei GmbH"
    assert len(editor.model.sections) == sections
    wait_idle(qtbot, app)


def test_that_both_redo_keys_work_in_the_editor(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(MIXED)
    app.window.tools.show_positions()
    wait_idle(qtbot, app)
    editor = app.window.tools.positions
    editor.activateWindow()
    editor.tree.setFocus()
    qtbot.waitUntil(editor.tree.hasFocus)
    editor.add_section()
    after = app.document.consultation
    control = Qt.KeyboardModifier.ControlModifier
    for keys in ((Qt.Key.Key_Y, control), (Qt.Key.Key_Z, control | Qt.KeyboardModifier.ShiftModifier)):
        QTest.keyClick(editor.tree, Qt.Key.Key_Z, control)
        assert app.document.consultation != after
        QTest.keyClick(editor.tree, *keys)
        assert app.document.consultation == after
    wait_idle(qtbot, app)
