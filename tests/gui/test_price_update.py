"""Own prices are brought up to date from a list of before and after, in one step that undo takes back."""

from __future__ import annotations

from decimal import Decimal

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from engine.pricing import guide_price
from gui.app import App
from gui.quote_editor import price_update
from gui.quote_editor.editor import QuoteEditor
from gui.quote_editor.price_update import PriceUpdateDialog
from tests.gui.conftest import EXAMPLES, OpenApp, wait_idle

EXAMPLE = EXAMPLES / "lora-department-rack.passform.yaml"


@pytest.fixture
def app(open_app: OpenApp, qtbot: QtBot) -> App:
    """Every position at an own price of 1,000.00; since then the price list has the card at 1,500.00."""
    app = open_app(EXAMPLE)
    app.window.tools.show_positions()
    editor = app.window.tools.positions
    assert editor is not None
    for place in range(len(editor.model.sections[0].lines)):
        editor.choose((0, place))
        editor._on_line("price", Decimal(1000))
    facts = app.context.catalog.facts
    guided = next(key for key in facts.cards if guide_price(key, facts, "EUR", editor._today).net is not None)
    editor.add_from_catalogue(guided)
    editor._on_line("price", Decimal(1000))
    document = app.document.consultation
    card = app.planner.recommendation.chosen.card.id
    app.document.edit("price list", document.model_copy(update={"prices": {card: Decimal(1500)}}))
    wait_idle(qtbot, app)
    return app


def _editor(app: App) -> QuoteEditor:
    editor = app.window.tools.positions
    assert editor is not None
    return editor


def _answering(monkeypatch: pytest.MonkeyPatch, accepted: bool, seen: list[PriceUpdateDialog]) -> None:
    def exec_(dialog: PriceUpdateDialog) -> int:
        seen.append(dialog)
        dialog.show()
        return int(accepted)

    monkeypatch.setattr(price_update.PriceUpdateDialog, "exec", exec_)


def _card_price(app: App) -> Decimal | None:
    card = app.planner.recommendation.chosen.card.id
    return next(line.price for line in app.document.consultation.quote.lines if line.item == card)


def test_that_the_price_list_is_taken_over_in_one_step_and_taken_back(
    app: App, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    seen: list[PriceUpdateDialog] = []
    _answering(monkeypatch, True, seen)
    before = app.document.consultation
    _editor(app).prices.button.click()
    (dialog,) = seen
    rows = [dialog.list.topLevelItem(row) for row in range(dialog.list.topLevelItemCount())]
    ticked = [row for row in rows if row.checkState(0) is Qt.CheckState.Checked]
    assert len(ticked) == 1  # the seller's own price; guide prices wait for a decision
    assert len(rows) > 1
    assert "1,000.00" in ticked[0].text(2)
    assert "1,500.00" in ticked[0].text(3)
    assert _card_price(app) == Decimal(1500)
    changed = app.document.consultation.quote.lines
    assert sum(line != old for line, old in zip(changed, before.quote.lines, strict=True)) == 1
    app.document.stack.undo()
    assert app.document.consultation == before
    wait_idle(qtbot, app)


def test_that_cancelling_changes_nothing_and_ticks_move_the_sum(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[PriceUpdateDialog] = []
    _answering(monkeypatch, False, seen)
    before = app.document.consultation
    monkeypatch.setattr(PriceUpdateDialog, "deleteLater", lambda _dialog: None)
    _editor(app).prices.ask()
    assert app.document.consultation == before
    (dialog,) = seen
    first = dialog.sum.text()
    assert "+" in first
    for row in range(dialog.list.topLevelItemCount()):
        dialog.tick(row, False)
    assert not dialog.take.isEnabled()
    assert dialog.sum.text() != first
    dialog.tick(0)
    assert dialog.take.isEnabled()
    dialog.close()


def test_that_it_says_when_there_is_nothing_to_update(open_app: OpenApp, monkeypatch: pytest.MonkeyPatch) -> None:
    app = open_app(EXAMPLE)
    app.window.tools.show_positions()
    seen: list[PriceUpdateDialog] = []
    _answering(monkeypatch, True, seen)
    _editor(app).prices.button.click()
    assert not seen
    assert "nothing to update" in _editor(app).state.text()
