"""What must hold for any scenario: asking for more never makes more plans possible."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.fit import Verdict
from engine.methods import Method, Recipe
from engine.plan.recommend import recommend
from engine.plan.types import Recommendation
from engine.reasons import ReasonCode
from engine.units import Money
from engine.workload import MustHave, Place, Priority, Scenario, Site
from tests.engine.plan.builders import scenario
from tests.engine.plan.real import facts, task

FEW = settings(max_examples=12, deadline=None)
METHODS = st.sampled_from([Method.FULL, Method.LORA, Method.QLORA])
PLACES = st.sampled_from(list(Place))
MODELS = st.sampled_from(["llama-3.1-8b", "qwen3-32b", "llama-3.3-70b"])


def asked(model: str, method: Method, place: Place) -> Scenario:
    return replace(scenario(task("task", model, Recipe(method), 4, 20)), site=Site(place))


def possible(result: Recommendation) -> set[str]:
    """What carries the task, whether or not fewer cards do as well."""
    spare = [item for item in result.rejected if item.reasons[0].code is ReasonCode.DOMINATED]
    return {plan.id for plan in result.ranked} | {
        f"{item.cards}x{item.card.id}@{item.system.id}" for item in spare if item.system
    }


@FEW
@given(MODELS, METHODS, PLACES, st.integers(500, 9000), st.integers(1, 8))
def test_that_a_limited_place_never_allows_more(
    model: str, method: Method, place: Place, watts: int, rack_units: int
) -> None:
    free = asked(model, method, place)
    limited = replace(free, site=Site(place, watts, watts, None, rack_units))
    if place is Place.DESK and watts > 2300:  # a stated circuit replaces the socket the free desk was judged with
        limited = replace(free, site=Site(place, None, watts, None, rack_units))
    assert possible(recommend(limited, facts())) <= possible(recommend(free, facts()))


@FEW
@given(MODELS, METHODS, PLACES, st.sets(st.sampled_from(list(MustHave)), max_size=3))
def test_that_a_must_have_never_allows_more(model: str, method: Method, place: Place, features: set[MustHave]) -> None:
    free = asked(model, method, place)
    strict = replace(free, must_have=frozenset(features))
    assert possible(recommend(strict, facts())) <= possible(recommend(free, facts()))


@FEW
@given(MODELS, METHODS, PLACES, st.integers(1_000, 500_000))
def test_that_a_budget_never_allows_more(model: str, method: Method, place: Place, amount: int) -> None:
    free = asked(model, method, place)
    limited = replace(free, budget=Money(Decimal(amount), "EUR"))
    assert possible(recommend(limited, facts())) <= possible(recommend(free, facts()))


@FEW
@given(MODELS, METHODS, PLACES, st.sampled_from([0.0, 0.1, 0.2, 0.3]))
def test_that_more_headroom_never_fits_more(model: str, method: Method, place: Place, headroom: float) -> None:
    def fitting(share: float) -> set[str]:
        result = recommend(replace(asked(model, method, place), headroom=share), facts())
        return possible(result) - {plan.id for plan in result.ranked if plan.verdict is Verdict.TIGHT}

    assert fitting(headroom + 0.1) <= fitting(headroom)


@FEW
@given(MODELS, METHODS, PLACES, st.sampled_from(list(Priority)))
def test_that_the_priority_changes_only_the_order(model: str, method: Method, place: Place, priority: Priority) -> None:
    free = asked(model, method, place)
    other = recommend(replace(free, priority=priority), facts())
    assert possible(other) == possible(recommend(free, facts()))
    if other.ranked:
        assert other.chosen is other.ranked[0]
        assert other.ranked[0].card.id not in {plan.card.id for plan in other.alternatives}
