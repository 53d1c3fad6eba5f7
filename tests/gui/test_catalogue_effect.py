"""What a change of the catalogue does to the open consultation, figure by figure."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from engine.serving.summary import summaries
from gui.catalogue.effect import Tried, effect_rows
from gui.catalogue.price_dialog import PriceDialog
from gui.serving_words import summary_rows
from tests.gui.conftest import EXAMPLES, PATIENCE_MS, OpenApp

SERVING = EXAMPLES / "serve-and-train.passform.yaml"


def test_that_the_effect_lists_what_the_results_page_says_of_every_served_model(open_app: OpenApp) -> None:
    app = open_app(SERVING)
    context, recommendation = app.context, app.planner.recommendation
    assert recommendation is not None
    plan = recommendation.chosen
    assert plan is not None
    tried = Tried(context.catalog, recommendation)
    shown = {row.name: row for row in effect_rows(tried, tried, context.texts)}
    assert not any(row.differs for row in shown.values())
    served = summaries(plan, recommendation.scenario, context.catalog.facts)
    assert served
    for summary in served:
        for figure, text in summary_rows(summary, context.texts):
            assert text in shown[f"{summary.placement.workload.name}: {figure}"].before


def test_that_a_dearer_card_makes_served_tokens_dearer(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(SERVING)
    card = app.planner.recommendation.chosen.card.id
    dialog = PriceDialog(app.window.tools.desk, card, app.window)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.amount.setText("90000")
    dialog.edited()
    qtbot.waitUntil(lambda: not dialog.busy, timeout=PATIENCE_MS)
    assert any(line.endswith(": Million output tokens") for line in dialog.effect.lines)
