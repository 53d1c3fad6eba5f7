"""Every field of a consultation has its place in the window: what only the file could say before."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from engine.cost.compare import compare
from engine.cost.decision import DecisionCode
from engine.reasons import ReasonCode
from engine.wording.translator import Language
from gui.flow import Step
from gui.widgets import NumberField
from tests.gui.conftest import EXAMPLES, OpenApp, wait_idle

DESK = EXAMPLES / "qlora-70b-desk.passform.yaml"
MIXED = EXAMPLES / "mixed-portfolio.passform.yaml"
BASIS = 2  # the column of what a price rests on


def field_called(root: QWidget, name: str) -> NumberField:
    found = [made for made in root.findChildren(NumberField) if made.accessibleName() == name]
    assert len(found) == 1
    return found[0]


def enter(field: NumberField, text: str) -> None:
    field.setText(text)
    field.editingFinished.emit()


def test_that_a_deadline_reaches_the_answer_and_can_be_undone(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(DESK)
    app.window.workloads.select_row(0)
    deadline = field_called(app.window.workloads, "Deadline of one run in hours")
    assert deadline.text() == ""
    plan = app.planner.recommendation.chosen
    slow = plan.placements[0].hours_per_run.high
    enter(deadline, "0.5")
    wait_idle(qtbot, app)
    assert app.document.consultation.workloads[0].deadline_hours == 0.5
    late = [
        item
        for rejection in app.planner.recommendation.rejected
        for item in rejection.reasons
        if item.code is ReasonCode.DEADLINE
    ]
    assert slow > 0.5
    assert late
    assert all(dict(item.values)["limit_h"] == 0.5 for item in late)
    assert app.window.menus.undo.text().endswith("Change Deadline of one run in hours")
    app.document.stack.undo()
    wait_idle(qtbot, app)
    assert deadline.text() == ""
    assert app.planner.recommendation.chosen.id == plan.id


def test_that_a_deadline_is_read_in_german_and_refused_in_words(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(DESK, language=Language.DE)
    deadline = field_called(app.window.workloads, "Frist für einen Lauf in Stunden")
    said: list[str] = []
    deadline.refused.connect(said.append)
    enter(deadline, "37,5")
    assert app.document.consultation.workloads[0].deadline_hours == 37.5
    assert deadline.text() == "37,5"
    enter(deadline, "morgen")
    assert "Zahl" in said[-1]
    assert app.window.workloads.has_errors
    enter(deadline, "0")  # a run takes longer than nothing
    assert said[-1]
    assert app.document.consultation.workloads[0].deadline_hours == 37.5
    enter(deadline, "")
    assert app.document.consultation.workloads[0].deadline_hours is None
    assert not app.window.workloads.has_errors
    wait_idle(qtbot, app)


def test_that_the_day_of_the_prices_moves_their_ages(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(DESK, language=Language.DE)
    goals = app.window.goals
    row = next(number for number in range(goals.prices.rowCount()) if goals.prices.rows[number] == "h200_nvl")
    before = goals.prices.index(row, BASIS).data()
    enter(goals.day, "30.11.2029")
    assert app.document.consultation.date == date(2029, 11, 30)
    after = goals.prices.index(row, BASIS).data()
    assert after != before  # three years on the price is called old
    enter(goals.day, "30.02.2027")
    assert goals.has_errors
    assert app.document.consultation.date == date(2029, 11, 30)
    enter(goals.day, "")
    assert app.document.consultation.date is None
    assert goals.prices.index(row, BASIS).data() == before
    wait_idle(qtbot, app)


def test_that_what_the_customer_knows_of_his_case_reaches_the_decision(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(MIXED)
    goals, facts = app.window.goals, app.context.catalog.facts

    def codes() -> set[DecisionCode]:
        wait_idle(qtbot, app)
        return {item.code for item in compare(app.planner.recommendation, facts).decision.reasons}

    goals.leaves.chosen.emit("no")
    assert DecisionCode.DATA_STAYS_IN_HOUSE in codes()
    goals.leaves.chosen.emit("yes")
    assert app.document.consultation.ownership.data_may_leave is True
    assert DecisionCode.DATA_STAYS_IN_HOUSE not in codes()
    enter(goals.worth, "0.01")  # a cent is below the cost of any run
    assert app.document.consultation.ownership.checkpoint_value == Decimal("0.01")
    assert DecisionCode.VALUE_BELOW_COST in codes()
    goals.spot.click()
    assert app.document.consultation.ownership.allow_spot
    assert app.planner.recommendation is not None
    wait_idle(qtbot, app)


def test_that_delivery_and_cost_centre_reach_the_customer(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(MIXED)
    app.window.show_step(Step.OFFER)
    for name, text in (("delivery_country", "at"), ("cost_centre", "4711")):
        app.window.offer.fields[name].setText(text)
        app.window.offer.fields[name].editingFinished.emit()
    assert app.document.consultation.customer.delivery_country == "AT"
    assert app.document.consultation.customer.cost_centre == "4711"
    wait_idle(qtbot, app)


def test_that_a_served_model_is_among_the_samples(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app()
    page = app.window.workloads
    buttons = {made.text(): made for made in page.samples.findChildren(type(app.window._next))}
    buttons["Serve models by day and train at night"].click()
    wait_idle(qtbot, app)
    assert app.document.consultation.serving
    assert app.document.consultation.workloads
    assert app.planner.recommendation.chosen is not None
    assert app.planner.recommendation.chosen.serving
