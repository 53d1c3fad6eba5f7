"""Comparisons: differences, best values, gaps that say why, figures with their origin."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from catalog.consultation.open import open_consultation
from catalog.load import load_catalog
from engine.compare import (
    CARD_ROWS,
    RULED_OUT,
    Better,
    Cell,
    Gap,
    Row,
    Unit,
    build_row,
    compare_cards,
    compare_plans,
    compare_systems,
)
from engine.editions import compared_cards
from engine.facts import Facts
from engine.fit import Verdict
from engine.frontier import plan_points
from engine.glance import Standing, glances
from engine.methods import Method, Recipe
from engine.plan.recommend import recommend
from engine.plan.types import Recommendation
from engine.pricing import guide_price
from engine.units import FloatBand, Money
from engine.workload import Place, Priority, Scenario, Site, Workload

EXAMPLES = Path(__file__).parents[2] / "examples"
DAY = date(2026, 11, 30)
EDITIONS = ("rtx_pro_6000_blackwell_ws", "rtx_pro_6000_blackwell_maxq", "rtx_pro_6000_blackwell_se", "h200_nvl")


@pytest.fixture(scope="module")
def facts() -> Facts:
    return load_catalog().facts


@pytest.fixture(scope="module")
def recommendation(facts: Facts) -> Recommendation:
    workloads = (
        Workload("QLoRA 70B", facts.models["llama-3.3-70b"], Recipe(Method.QLORA), 4096),
        Workload("LoRA 8B", facts.models["llama-3.1-8b"], Recipe(Method.LORA), 2048),
    )
    return recommend(Scenario(workloads, Site(Place.RACK), frozenset(), Priority.COST_PER_RUN, "EUR", DAY), facts)


def row(rows: tuple[Row, ...], key: str, subject: str = "") -> Row:
    return next(item for item in rows if (item.key, item.subject) == (key, subject))


def test_that_editions_differ_in_power_and_cooling_but_not_in_memory(facts: Facts) -> None:
    # Sizing rules of October 2026: the three editions share chip and 96 GB; they differ in power, cooling and place.
    editions = [facts.cards[card] for card in EDITIONS[:3]]
    comparison = compare_cards(editions, {}, facts)
    assert not row(comparison.rows, "memory_gb").differs
    assert row(comparison.rows, "power_w").differs
    assert row(comparison.rows, "cooling").differs
    assert [cell.value for cell in row(comparison.rows, "memory_gb").cells] == [Decimal(96)] * 3


def test_that_the_best_value_is_marked_only_where_better_is_defined(facts: Facts) -> None:
    comparison = compare_cards([facts.cards[card] for card in EDITIONS], {}, facts)
    memory = row(comparison.rows, "memory_gb")
    assert [cell.best for cell in memory.cells] == [False, False, False, True]  # 141 GB against 96 GB
    power = row(comparison.rows, "power_w")
    assert [cell.best for cell in power.cells] == [False, True, False, False]  # Max-Q: 300 W
    for key, _group, _unit, better, _read in CARD_ROWS:
        if better is Better.NEITHER:
            assert not any(cell.best for cell in row(comparison.rows, key).cells), key


def test_that_equal_or_lonely_values_are_not_praised() -> None:
    equal = build_row("k", "g", Unit.WATTS, Better.LOWER, [Cell(300), Cell(300)])
    assert not any(cell.best for cell in equal.cells)
    assert not equal.differs
    lonely = build_row("k", "g", Unit.WATTS, Better.LOWER, [Cell(300), Cell(None, Gap.NOT_PUBLISHED)])
    assert not any(cell.best for cell in lonely.cells)
    assert lonely.differs


def test_that_bands_compare_by_their_expected_value_and_currencies_never_mix() -> None:
    bands = build_row("k", "g", Unit.HOURS, Better.LOWER, [Cell(FloatBand(1, 5, 9)), Cell(FloatBand(3, 4, 20))])
    assert [cell.best for cell in bands.cells] == [False, True]
    mixed = build_row(
        "k", "g", Unit.MONEY, Better.LOWER, [Cell(Money(Decimal(1), "EUR")), Cell(Money(Decimal(2), "USD"))]
    )
    assert not any(cell.best for cell in mixed.cells)


def test_that_a_missing_price_is_on_request_and_never_the_cheapest(facts: Facts) -> None:
    cards = [facts.cards[card] for card in EDITIONS]
    prices = {card.id: guide_price(card.id, facts, "EUR", DAY) for card in cards[:2]}
    cells = row(compare_cards(cards, prices, facts).rows, "price").cells
    assert cells[2].gap is Gap.ON_REQUEST
    assert cells[2].value is None
    assert not cells[2].best


def test_that_every_published_figure_carries_its_source(facts: Facts) -> None:
    comparison = compare_cards([facts.cards[card] for card in EDITIONS], {}, facts)
    for key in ("memory_gb", "usable_bytes", "power_w", "bandwidth_gb_per_s"):
        for cell in row(comparison.rows, key).cells:
            assert cell.value is not None
            assert cell.figures[0].source.title


def test_that_workloads_stand_first_with_the_cards_of_the_plan_that_carries_them(
    facts: Facts, recommendation: Recommendation
) -> None:
    comparison = compare_cards([facts.cards["h200_nvl"], facts.cards["l40s"]], {}, facts, recommendation)
    assert comparison.rows[0].group == "fits"
    planned = row(comparison.rows, "cards_planned", "QLoRA 70B").cells
    # Sizing rules of October 2026: a 70B QLoRA needs 42.8 GB of model states, so one H200 NVL (141 GB) holds it.
    assert planned[0].value == 1
    free = row(comparison.rows, "free_bytes", "QLoRA 70B").cells
    assert isinstance(free[0].value, int)
    assert free[0].value > 0


def test_that_a_card_that_does_not_carry_the_workload_is_never_best(facts: Facts) -> None:
    # A full fine-tuning of 8B with fp32 master weights keeps 16 B x 8.03 G = 128.5 GB of states: no single L4 (24 GB)
    # holds it, and where a machine takes too few of them no count does; the H200 NVL (150.8 GB usable) does.
    workload = Workload("full 8B", facts.models["llama-3.1-8b"], Recipe(Method.FULL), 2048)
    asked = Scenario((workload,), Site(Place.DESK), frozenset(), Priority.COST_PER_RUN, "EUR", DAY)
    recommended = recommend(asked, facts)
    cards = [facts.cards[card] for card in facts.cards]
    comparison = compare_cards(cards, {}, facts, recommended)
    verdicts = [cell.value for cell in row(comparison.rows, "verdict", "full 8B").cells]
    planned = row(comparison.rows, "cards_planned", "full 8B").cells
    assert {"does-not-fit", "fits"} <= set(verdicts)
    for place, verdict in enumerate(verdicts):
        if verdict not in {"fits", "tight"}:
            assert not any(item.cells[place].best for item in comparison.rows if item.subject)
        if verdict == "does-not-fit":
            assert planned[place].gap is Gap.NOT_APPLICABLE


def test_that_the_recommended_card_is_compared_as_it_is_recommended(facts: Facts) -> None:
    # Fewer H200 NVL hold this run too, but slower or not surely: the column must not contradict the recommendation.
    opened = open_consultation(EXAMPLES / "full-70b-data-centre.passform.yaml", date(2026, 11, 30))
    recommendation = recommend(opened.scenario, facts)
    chosen = recommendation.chosen
    assert chosen is not None
    rows = compare_cards([chosen.card, facts.cards["l4"]], {}, facts, recommendation).rows
    found = {item.key: item.cells[0].value for item in rows if item.subject == "Full 70B"}
    assert found["cards_planned"] == chosen.cards == 8
    assert found["verdict"] == chosen.placements[0].verdict
    assert found["hours_per_run"] == chosen.placements[0].hours_per_run


# 10 B x 70.55e9 on eight cards are 88.2 GB of states each, with gathers, activations and reserve 106 GB: a little more
# than the 102.6 GB of an RTX PRO 6000. On one card the same states are 706 GB; that is not how near it comes.
def test_that_a_card_that_does_not_hold_the_task_is_shown_where_it_is_least_short(facts: Facts) -> None:
    opened = open_consultation(EXAMPLES / "full-70b-data-centre.passform.yaml", date(2026, 11, 30))
    server = facts.cards["rtx_pro_6000_blackwell_se"]
    rows = compare_cards([server, facts.cards["h200_nvl"]], {}, facts, recommend(opened.scenario, facts)).rows
    free = row(rows, "free_bytes", "Full 70B").cells[0].value
    assert free is not None
    assert -6e9 < float(free) < 0


def test_that_plans_are_compared_with_what_they_cost_and_do(recommendation: Recommendation) -> None:
    assert recommendation.chosen is not None
    plans = [recommendation.chosen, *recommendation.alternatives][:3]
    comparison = compare_plans(plans)
    assert [column.id for column in comparison.columns] == [plan.id for plan in plans]
    assert {"verdict", "cards", "system", "power_w", "price"} <= {item.key for item in comparison.rows}
    assert row(comparison.rows, "hours_per_run", "LoRA 8B").better is Better.LOWER


def test_that_machines_are_compared(facts: Facts) -> None:
    systems = list(facts.systems.values())[:3]
    comparison = compare_systems(systems, {})
    assert len(comparison.columns) == 3
    assert row(comparison.rows, "price").cells[0].gap is Gap.ON_REQUEST


def test_that_every_card_is_glanced_at_once_chosen_first(facts: Facts, recommendation: Recommendation) -> None:
    shown = glances(recommendation)
    ids = [item.card.id for item in shown]
    assert len(ids) == len(set(ids))
    assert set(ids) == set(facts.cards)
    assert shown[0].standing is Standing.CHOSEN
    assert recommendation.chosen is not None
    assert shown[0].id == recommendation.chosen.id
    for item in shown:
        assert (item.plan is None) == bool(item.reasons)
    sized = [item for item in shown if item.placements]
    for workload in recommendation.scenario.workloads:
        placement = sized[0].placement(workload)
        assert placement is not None
        assert placement.verdict is not Verdict.NO


def test_that_no_plan_beats_one_on_the_front_and_every_other_is_beaten(recommendation: Recommendation) -> None:
    for workload in recommendation.scenario.workloads:
        points = plan_points(recommendation, workload)
        assert any(point.on_front for point in points)
        for point in points:
            beaten = [
                other
                for other in points
                if other.hours.expected <= point.hours.expected
                and other.cost.expected.amount <= point.cost.expected.amount
                and (other.hours.expected, other.cost.expected.amount)
                != (point.hours.expected, point.cost.expected.amount)
            ]
            assert point.on_front == (not beaten)


def test_that_editions_show_how_they_serve_and_no_overlapping_speed_is_called_best(facts: Facts) -> None:
    opened = open_consultation(EXAMPLES / "serve-and-train.passform.yaml", date(2026, 11, 30))
    recommendation = recommend(opened.scenario, facts)
    chosen = recommendation.chosen
    assert chosen is not None
    served = chosen.serving[0]
    rows = compare_cards([chosen.card, facts.cards["l4"]], {}, facts, recommendation).rows
    found = {row.key: row for row in rows if row.subject == served.workload.name}
    assert found["verdict"].cells[0].value == served.verdict
    assert found["requests_at_once"].cells[0].value is not None
    # 24 GB hold no part of a 70B model in FP8: the verdict stands there, and no figure beside it.
    assert found["verdict"].cells[1].value == Verdict.NO
    assert found["requests_at_once"].cells[1].gap is Gap.NOT_APPLICABLE
    assert not found["requests_at_once"].cells[1].best
    assert not any(cell.best for cell in found["tokens_per_second"].cells)


def test_that_a_card_that_is_ruled_out_shows_its_memory_and_is_never_best(facts: Facts) -> None:
    # A passive card cannot stand at the desk. Its 96 GB are the Workstation edition's, so the memory is the same.
    workload = Workload("LoRA 8B", facts.models["llama-3.1-8b"], Recipe(Method.LORA), 2048)
    desk = Scenario((workload,), Site(Place.DESK), frozenset(), Priority.PURCHASE_PRICE, "EUR", DAY)
    cards = [facts.cards[card] for card in EDITIONS]
    comparison = compare_cards(cards, {}, facts, recommend(desk, facts))
    assert [out.card.id for out in comparison.ruled_out] == [EDITIONS[2], EDITIONS[3]]
    found = {item.key: item.cells for item in comparison.rows if item.subject == "LoRA 8B"}
    assert [cell.note == RULED_OUT for cell in found["verdict"]] == [False, False, True, True]
    assert [cell.note == RULED_OUT for cell in found["cards_planned"]] == [False, False, True, True]
    for key in ("required_bytes", "free_bytes"):
        assert found[key][2].value == found[key][0].value
    for key in ("hours_per_run", "tokens_per_second", "cost_per_run"):
        assert found[key][2].gap is Gap.NOT_SIZED
    assert not any(cells[place].best for cells in found.values() for place in (2, 3))
    # The H200 has more free bytes than any card at the desk, which does not make them the best that can be had.
    free = [cell.value for cell in found["free_bytes"]]
    assert free[3] == max(free)


def test_that_a_verdict_of_a_card_that_is_out_tells_the_columns_apart() -> None:
    alike = build_row("k", "g", Unit.NONE, Better.NEITHER, [Cell("fits"), Cell("fits", note=RULED_OUT)])
    assert alike.differs


def test_that_served_models_are_held_against_a_card_that_is_out_without_a_speed(facts: Facts) -> None:
    opened = open_consultation(EXAMPLES / "serve-and-train.passform.yaml", date(2026, 11, 30))
    recommendation = recommend(opened.scenario, facts)
    assert recommendation.chosen is not None
    served = recommendation.chosen.serving[0].workload.name
    comparison = compare_cards([recommendation.chosen.card, facts.cards[EDITIONS[1]]], {}, facts, recommendation)
    found = {item.key: item.cells[1] for item in comparison.rows if item.subject == served}
    assert found["verdict"].note == RULED_OUT
    assert found["requests_at_once"].value
    assert not found["requests_at_once"].best
    assert found["tokens_per_second"].gap is Gap.NOT_SIZED


def test_that_what_was_measured_of_the_compared_editions_comes_with_them(facts: Facts) -> None:
    four = compare_cards([facts.cards[card] for card in EDITIONS], {}, facts)
    assert [(found.card_id, found.other_id) for found in four.served] == [(EDITIONS[1], EDITIONS[0])]
    assert [(found.card_id, found.other_id) for found in four.trained] == [("h200_nvl", "h200_sxm")]
    assert four.unserved == (EDITIONS[2],)
    others = compare_cards([facts.cards["l40s"], facts.cards["l4"]], {}, facts)
    assert (others.served, others.unserved, others.trained) == ((), (), ())


def test_that_paper_and_command_line_compare_the_editions_beside_the_recommended_card(facts: Facts) -> None:
    usual = {"rtx_pro_6000_blackwell_ws", "rtx_pro_6000_blackwell_maxq", "rtx_pro_6000_blackwell_se", "h200_nvl"}
    assert {card.id for card in compared_cards(facts, None)} == usual
    assert {card.id for card in compared_cards(facts, facts.cards["l40s"])} == usual | {"l40s"}
    assert len(compared_cards(facts, facts.cards["h200_nvl"])) == len(usual)
