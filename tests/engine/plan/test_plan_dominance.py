"""More of the same card in the same machine must be better for something; else it is out, and the reason says why."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.config_model import model_from_file
from catalog.consultation.files import read
from catalog.consultation.scenario import to_scenario
from engine.fit import SAFEST_FIRST, Verdict
from engine.methods import Method, Recipe
from engine.plan.dominance import dominates, without_dominated
from engine.plan.purchase import PriceClass
from engine.plan.rank import Contender
from engine.plan.recommend import recommend
from engine.plan.types import Plan, Recommendation, Rejection
from engine.reasons import ReasonCode
from engine.units import FloatBand, Money
from engine.workload import Place, Priority, Scenario, Site
from tests.engine.plan.builders import scenario, system
from tests.engine.plan.real import facts, task
from tests.engine.plan.test_plan_rank import contender

EXAMPLES = Path(__file__).parents[3] / "examples"
FEW = settings(max_examples=12, deadline=None)
LARGER = 1.0101  # times closer than a percent count as equal


def timed(cards: int, price: int, hours: float, **changes: Any) -> Contender:
    made = contender("card", price, hours, cards=cards, **changes)
    band = FloatBand(hours * 0.8, hours, hours * 1.5)
    return replace(made, plan=replace(made.plan, monthly_hours=band))


def asked(name: str, **changes: Any) -> Scenario:
    path = EXAMPLES / f"{name}.passform.yaml"
    base = to_scenario(read(path), facts(), scenario().as_of, model_from_file, EXAMPLES)
    return replace(base, **changes)


def dominated(result: Recommendation) -> list[Rejection]:
    return [item for item in result.rejected if item.reasons[0].code is ReasonCode.DOMINATED]


def said(rejection: Rejection) -> dict[str, str | int | float]:
    return dict(rejection.reasons[0].values)


def test_that_more_cards_that_are_slower_and_dearer_are_out_with_both_times_and_the_difference() -> None:
    kept, out = without_dominated([timed(4, 40_000, 58), timed(5, 50_000, 88)])
    assert [item.plan.cards for item in kept] == [4]
    assert [(item.cards, item.system) for item in out] == [(5, system())]
    assert said(out[0]) == {
        "other": "4 × card",
        "other_need_h": 58,
        "need_h": 88,
        "saving_amount": 10_000.0,
        "currency": "EUR",
        "stand_ins": 0,
    }


def test_that_more_cards_that_are_faster_stay() -> None:
    kept, out = without_dominated([timed(4, 40_000, 58), timed(5, 50_000, 50)])
    assert ([item.plan.cards for item in kept], out) == ([4, 5], [])


@pytest.mark.parametrize(
    "larger",
    [
        timed(5, 30_000, 88),  # cheaper
        timed(5, 50_000, 88, cost=Decimal(1)),  # cheaper by the month, as far as is known
        timed(5, 50_000, 88, price_class=PriceClass.WITHOUT_MACHINE),  # not comparable by price
        timed(5, 50_000, 88, system=system("other")),  # in another machine
        contender("card", 50_000, 88, cards=5),  # nobody knows how long it takes
        timed(5, 50_000, 57.0),  # faster by more than a percent
    ],
)
def test_that_one_advantage_is_enough_to_stay(larger: Contender) -> None:
    kept, out = without_dominated([timed(4, 40_000, 58), larger])
    assert (len(kept), out) == (2, [])


def test_that_a_single_end_of_the_band_is_an_advantage() -> None:
    small, large = timed(4, 40_000, 58), timed(5, 50_000, 58)
    narrow = replace(large, plan=replace(large.plan, monthly_hours=FloatBand(58 * 0.8, 58, 58 * 1.2)))
    assert dominates(small, large)
    assert not dominates(small, narrow)  # its slow end is 20 % sooner


def test_that_times_which_read_alike_are_said_once() -> None:
    _, out = without_dominated([timed(4, 40_000, 58.0), timed(5, 50_000, 58.3)])
    assert "other_need_h" not in said(out[0])
    assert said(out[0])["saving_amount"] == 10_000.0


def test_that_what_dominates_is_itself_kept() -> None:
    # Each count is within a percent of the next smaller one, the largest not of the smallest: 100, 99.2 and 98.4 hours.
    kept, out = without_dominated([timed(4, 40_000, 100), timed(5, 50_000, 99.2), timed(6, 60_000, 98.4)])
    assert [item.plan.cards for item in kept] == [4, 6]
    assert [(item.cards, said(item)["other"]) for item in out] == [(5, "4 × card")]


def test_that_seven_h200_which_no_bridge_joins_are_out_for_six_that_bridges_join() -> None:
    # Six are joined in pairs, seven by PCIe alone: a sharded run over seven takes longer. 7 - 6 = 1 card at its guide
    # price is the difference, six of them carry three bridges included with the card.
    result = recommend(asked("full-32b-data-centre"), facts())
    out = {(item.cards, item.system.id): said(item) for item in dominated(result) if item.system is not None}
    values = out[7, "dell_xe7740"]
    six = next(item for item in result.ranked if item.id == "6xh200_nvl@dell_xe7740")
    assert values["other"] == "6 × H200 NVL"
    assert six.monthly_hours is not None
    assert values["other_need_h"] == six.monthly_hours.expected
    assert float(values["need_h"]) > LARGER * float(values["other_need_h"])
    assert "7xh200_nvl@dell_xe7740" not in {plan.id for plan in result.ranked}


def test_that_idle_cards_are_not_offered_to_who_only_serves() -> None:
    result = recommend(asked("serve-and-train", workloads=()), facts())
    counts: dict[tuple[str, str], list[int]] = {}
    for plan in result.ranked:
        counts.setdefault((plan.card.id, plan.system.id), []).append(plan.cards)
    assert {len(found) for found in counts.values()} == {1}
    assert {"other", "saving_amount", "currency", "stand_ins"} == set(said(dominated(result)[0]))


def test_that_what_is_larger_than_needed_is_listed_behind_what_is_too_small() -> None:
    result = recommend(asked("full-32b-data-centre"), facts())
    codes = [item.reasons[0].code for item in result.rejected if item.placements]
    first = codes.index(ReasonCode.DOMINATED)
    assert first > 0
    assert set(codes[first:]) == {ReasonCode.DOMINATED}


SCENARIOS = st.builds(
    lambda model, method, place, priority, runs, tokens, headroom, at_once: scenario(
        task("task", model, Recipe(method), runs, tokens, runs_at_once=at_once),
        task("small", "llama-3.1-8b", Recipe(Method.LORA), 2, 5),
        site=Site(place),
        priority=priority,
        headroom=headroom,
    ),
    st.sampled_from(["llama-3.1-8b", "qwen3-32b", "llama-3.3-70b"]),
    st.sampled_from([Method.FULL, Method.LORA, Method.QLORA]),
    st.sampled_from(list(Place)),
    st.sampled_from(list(Priority)),
    st.integers(1, 12),
    st.integers(1, 40),
    st.sampled_from([0.0, 0.15, 0.3]),
    st.integers(1, 3),
)


@FEW
@given(SCENARIOS)
def test_that_no_shown_plan_is_dominated_by_another_of_the_same_card(asked_for: Scenario) -> None:
    result = recommend(asked_for, facts())
    shown = {plan.id: plan for plan in result.ranked}
    for small, large in permutations(result.ranked, 2):
        if (small.card.id, small.system.id) == (large.card.id, large.system.id) and small.cards < large.cards:
            assert _better_at(large, small), (large.id, small.id)
    for rejection in dominated(result):
        assert rejection.system is not None
        values = said(rejection)
        better = next(
            plan
            for plan in shown.values()
            if (plan.card.id, plan.system.id) == (rejection.card.id, rejection.system.id)
            and values["other"] == f"{plan.cards} × {plan.card.short_name}"
        )
        assert better.cards < rejection.cards
        for one, other in zip(better.placements, rejection.placements, strict=True):
            assert SAFEST_FIRST.index(one.verdict) <= SAFEST_FIRST.index(other.verdict)
            assert one.hours_per_run is not None
            assert other.hours_per_run is not None
            assert one.hours_per_run.expected <= other.hours_per_run.expected * LARGER


@FEW
@given(SCENARIOS)
def test_that_a_dominated_plan_in_another_machine_stands_behind(asked_for: Scenario) -> None:
    for first, second in permutations(enumerate(recommend(asked_for, facts()).ranked), 2):
        (place, small), (other_place, large) = first, second
        if small.card.id == large.card.id and small.cards < large.cards and not _better_at(large, small, 1.0):
            assert place < other_place, (small.id, large.id)


def _better_at(large: Plan, small: Plan, factor: float = LARGER) -> list[str]:
    """What the larger plan is better at, by the figures that are shown. A gap in them counts as an advantage."""
    found = []
    if SAFEST_FIRST.index(large.verdict) < SAFEST_FIRST.index(small.verdict):
        found.append("verdict")
    if large.free_bytes > small.free_bytes and Verdict.TIGHT is large.verdict is small.verdict:
        found.append("room")
    if large.price.ranking < small.price.ranking or _kinds_unpriced(large) != _kinds_unpriced(small):
        found.append("price")
    if _amount(large.cost_per_month) < _amount(small.cost_per_month):
        found.append("cost")
    codes = [{item.code for item in plan.reasons} for plan in (large, small)]
    if ReasonCode.NOT_CHECKED not in codes[0] and ReasonCode.NOT_CHECKED in codes[1]:
        found.append("proof")
    times = [(large.monthly_hours, small.monthly_hours)]
    times += [
        (one.hours_per_run, other.hours_per_run) for one, other in zip(large.placements, small.placements, strict=True)
    ]
    for mine, theirs in times:
        if mine is None or theirs is None:
            return [*found, "unknown"]
        pairs = ((mine.low, theirs.low), (mine.expected, theirs.expected), (mine.high, theirs.high))
        if any(other > one * factor / 1.0001 for one, other in pairs):
            found.append("time")
    return found


def _amount(money: Money | None) -> Decimal:
    return Decimal("Infinity") if money is None else money.amount


def _kinds_unpriced(plan: Plan) -> set[str]:
    return {
        item.kind for item in plan.price.positions if item.unit.net is None and item.unit.stand_in_for_ranking is None
    }
