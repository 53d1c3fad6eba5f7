"""Which offers stand beside a decision: the one it weighs, whatever undercuts it without being weighed."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from catalog.load import load_catalog
from engine.cost.compare import compare
from engine.cost.rent import RentOrBuy
from engine.methods import Method, Recipe
from engine.plan.recommend import recommend
from engine.prices import PriceAge
from engine.workload import Place, Priority, Scenario, Site, Workload


@pytest.fixture(scope="module")
def comparison() -> RentOrBuy:
    facts = load_catalog().facts
    task = Workload("a", facts.models["llama-3.3-70b"], Recipe(Method.LORA), 2048)
    asked = Scenario((task,), Site(Place.RACK), frozenset(), Priority.PURCHASE_PRICE, "EUR", date(2026, 11, 30))
    found = compare(recommend(asked, facts), facts).comparison
    assert found is not None
    return found


@pytest.mark.parametrize("count", [1, 2, 6])
def test_that_the_weighed_offer_leads_and_the_cheapest_others_follow(comparison: RentOrBuy, count: int) -> None:
    weighed = comparison.decision.best_offer
    assert weighed is not None
    shown = comparison.shown(count)
    assert len(shown) == len({item.offer.id for item in shown}) == count
    assert shown[0] is weighed
    rents = [item.rent_per_year.expected.amount for item in shown[1:]]
    assert rents == sorted(rents)
    assert not weighed.interruptible
    cheapest = [item for item in comparison.offers if item is not weighed][: count - 1]
    assert list(shown[1:]) == cheapest


def test_that_what_undercuts_the_weighed_offer_is_not_dependable(comparison: RentOrBuy) -> None:
    weighed = comparison.decision.best_offer
    assert weighed is not None
    rent = weighed.rent_per_year.expected.amount
    for item in comparison.offers:
        if item.rent_per_year.expected.amount < rent:
            unproven = not item.match.proven or not item.enough_hours
            assert item.interruptible or item.age is PriceAge.EXPIRED or unproven


def test_that_without_a_weighed_offer_the_cheapest_stand_alone(comparison: RentOrBuy) -> None:
    bare = replace(comparison, decision=replace(comparison.decision, best_offer=None))
    assert bare.shown(3) == comparison.offers[:3]
