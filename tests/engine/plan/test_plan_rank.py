"""The order of plans: headroom, proof, comparable prices, then the priority."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from engine.fit import Verdict
from engine.plan.purchase import PriceClass
from engine.plan.rank import Contender, best_of_each_card, in_order
from engine.plan.types import Plan, PlanPrice
from engine.plan.why import relation
from engine.prices import PriceBasis
from engine.reasons import ReasonCode
from engine.units import Money
from engine.workload import Priority
from tests.engine.plan.builders import card, scenario, system

BUDGET = Money(Decimal(100_000), "EUR")


def contender(name: str, price: int, done_h: float | None, **changes: Any) -> Contender:
    amount = Decimal(price)
    plan = Plan(
        card=card(name),
        cards=changes.get("cards", 1),
        system=changes.get("system", system()),
        power_cap_w=None,
        bridging=None,
        placements=(),
        verdict=changes.get("verdict", Verdict.FITS),
        free_bytes=0,
        price=PlanPrice((), Money(amount, "EUR"), (), PriceBasis.ESTIMATED, amount),
        power_w=changes.get("power_w", 500),
        monthly_hours=None,
        monthly_utilisation=None,
        cost_per_month=None,
        reasons=(),
    )
    return Contender(
        plan,
        changes.get("price_class", PriceClass.COMPLETE),
        changes.get("unchecked", False),
        done_h,
        changes.get("cost"),
        changes.get("waiting_per_hour", Decimal(25)),
    )


def order(contenders: list[Contender], **changes: Any) -> list[str]:
    return [item.plan.card.id for item in in_order(contenders, scenario(**changes))]


def test_that_a_tight_plan_ranks_behind_every_plan_with_headroom() -> None:
    plans = [contender("tight", 1_000, 1, verdict=Verdict.TIGHT), contender("roomy", 90_000, 700)]
    for priority in Priority:
        assert order(plans, priority=priority) == ["roomy", "tight"]


def test_that_an_unproven_place_ranks_behind_a_proven_one() -> None:
    assert order([contender("unproven", 1_000, 1, unchecked=True), contender("proven", 9_000, 9)]) == [
        "proven",
        "unproven",
    ]


def test_that_prices_of_different_completeness_are_not_compared() -> None:
    plans = [
        contender("no_card_price", 0, 1, price_class=PriceClass.WITHOUT_CARDS),
        contender("no_machine_price", 1_000, 1, price_class=PriceClass.WITHOUT_MACHINE),
        contender("complete", 50_000, 9),
    ]
    assert order(plans) == ["complete", "no_machine_price", "no_card_price"]


def test_that_the_cheapest_comes_first_under_purchase_price() -> None:
    assert order([contender("dear", 20_000, 1), contender("cheap", 10_000, 700)]) == ["cheap", "dear"]


def test_that_the_fastest_within_the_budget_comes_first_under_time() -> None:
    plans = [contender("cheap", 10_000, 100), contender("fast", 90_000, 50)]
    assert order(plans, priority=Priority.TIME, budget=BUDGET) == ["fast", "cheap"]


def test_that_times_closer_than_a_percent_are_settled_by_price() -> None:
    plans = [contender("dear", 90_000, 100.0), contender("cheap", 10_000, 100.1)]
    assert order(plans, priority=Priority.TIME, budget=BUDGET) == ["cheap", "dear"]


def test_that_without_a_budget_a_saved_hour_may_cost_what_is_stated() -> None:
    # 36 months: an hour less a month may cost 36 x 25 = 900 EUR. The second plan saves 50 hours for 8,000 EUR, 160 a
    # monthly hour; the third saves 10 more for 22,000 EUR, 2,200 a monthly hour. With the waiting of 36 months they
    # come to 10,000 + 90,000, 18,000 + 45,000 and 40,000 + 36,000.
    plans = [contender("slow", 10_000, 100), contender("middle", 18_000, 50), contender("fast", 40_000, 40)]
    assert order(plans, priority=Priority.TIME) == ["middle", "fast", "slow"]
    dear = [replace(plan, waiting_per_hour=Decimal(100)) for plan in plans]  # now up to 3,600 EUR
    assert order(dear, priority=Priority.TIME)[0] == "fast"
    free = [replace(plan, waiting_per_hour=Decimal(0)) for plan in plans]
    assert order(free, priority=Priority.TIME)[0] == "slow"


def test_that_a_longer_horizon_pays_for_more_speed() -> None:
    # 30 hours less for 30,000 EUR: 1,000 EUR a monthly hour, against 25 x 36 = 900 and 25 x 48 = 1,200
    plans = [contender("slow", 10_000, 40), contender("fast", 40_000, 10)]
    assert order(plans, priority=Priority.TIME, horizon_years=3)[0] == "slow"
    assert order(plans, priority=Priority.TIME, horizon_years=4)[0] == "fast"


def test_that_a_light_load_does_not_buy_the_fastest_machine_though_the_product_of_price_and_time_would() -> None:
    plans = [contender("small", 12_000, 12), contender("large", 390_000, 0.3)]
    assert order(plans, priority=Priority.TIME) == ["small", "large"]


def test_that_the_lowest_monthly_cost_comes_first_and_an_unknown_one_last() -> None:
    plans = [
        contender("unknown", 1_000, 1),
        contender("dear", 1_000, 1, cost=Decimal(900)),
        contender("cheap", 30_000, 1, cost=Decimal(800)),
    ]
    assert order(plans, priority=Priority.COST_PER_RUN) == ["cheap", "dear", "unknown"]


def test_that_equals_are_settled_by_fewer_cards_then_less_power() -> None:
    plans = [
        contender("two", 10_000, 10, cards=2, power_w=100),
        contender("thirsty", 10_000, 10, power_w=900),
        contender("frugal", 10_000, 10, power_w=600),
    ]
    assert order(plans) == ["frugal", "thirsty", "two"]


def test_that_the_alternatives_are_the_best_plan_of_each_other_card() -> None:
    plans = [contender(name, 1_000, 1).plan for name in ("a", "a", "b", "a", "c", "b")]
    assert [plan.card.id for plan in best_of_each_card(plans)] == ["b", "c"]
    assert best_of_each_card([]) == ()


def test_that_plans_without_times_are_alternatives_without_figures() -> None:
    assert relation(contender("a", 1, None), contender("b", 2, None)).code is ReasonCode.ALTERNATIVE


@given(
    st.lists(
        st.tuples(
            st.integers(1, 10**6), st.one_of(st.none(), st.floats(0.01, 10**4)), st.sampled_from(list(Verdict)[:2])
        ),
        min_size=1,
        max_size=8,
    ),
    st.sampled_from(list(Priority)),
    st.booleans(),
)
def test_that_the_order_does_not_depend_on_the_order_given(
    figures: list[tuple[int, float | None, Verdict]], priority: Priority, has_budget: bool
) -> None:
    plans = [
        contender(f"card{index}", price, hours, verdict=verdict)
        for index, (price, hours, verdict) in enumerate(figures)
    ]
    budget = BUDGET if has_budget else None
    forwards = order(plans, priority=priority, budget=budget)
    assert forwards == order(plans[::-1], priority=priority, budget=budget)
    assert sorted(forwards) == sorted(item.plan.card.id for item in plans)
