"""The technical part of a document stands on the prices of its own positions."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from catalog.load import load_catalog
from engine.methods import Method, Recipe
from engine.plan.recommend import recommend
from engine.plan.types import Recommendation
from engine.prices import PriceBasis
from engine.pricing import guide_price
from engine.quote.build import build_draft, release_quote
from engine.quote.document import OrderedAt
from engine.quote.draft import LineKind, PriceOrigin, QuoteDraft
from engine.quote.offered import ABOUT_PRICES, at_prices, offered_prices, ordered_at
from engine.quote.parties import Customer, Seller
from engine.units import Money
from engine.workload import Place, Priority, Scenario, Site, Workload

FACTS = load_catalog().facts
DAY = date(2026, 11, 30)
OWN = PriceOrigin(PriceBasis.SELLER, "2026-11-30")


@pytest.fixture(scope="module")
def recommendation() -> Recommendation:
    """A server without a published price: its positions hold a gap that a sibling's price fills for the order."""
    recipe = Recipe(Method.LORA)
    workloads = (
        Workload("Small", FACTS.models["llama-3.1-8b"], recipe, 4096),
        Workload("Large", FACTS.models["llama-3.3-70b"], recipe, 2048),
    )
    scenario = Scenario(workloads, Site(Place.RACK), frozenset(), Priority.PURCHASE_PRICE, "EUR", DAY)
    found = recommend(scenario, FACTS)
    assert found.chosen is not None
    assert found.chosen.price.gaps
    return found


def _draft(recommendation: Recommendation, price: str, **changes: object) -> QuoteDraft:
    """Every position at one own price."""
    draft = build_draft(recommendation, FACTS, Seller(), Customer(), "en", DAY)
    (section,) = draft.sections
    lines = tuple(replace(line, unit_price=Decimal(price), origin=OWN) for line in section.lines)
    return replace(draft, sections=(replace(section, lines=lines),), **changes)  # type: ignore[arg-type]  # names checked by replace itself


def test_that_the_planners_own_prices_change_nothing(recommendation: Recommendation) -> None:
    """The costs of a run come out as the planner computed them, from the same formulas by another way."""
    plans = [plan for plan in recommendation.ranked if plan.cost_per_month is not None][:40]
    assert any(len(plan.placements) > 1 and plan.cards > 1 for plan in plans)
    for plan in plans:
        own = {item.item_id: item.unit.net for item in plan.price.positions if item.unit.net is not None}
        same = at_prices(plan, own, recommendation.scenario, FACTS)
        assert (same.price.priced, same.price.gaps, same.price.ranking) == (
            plan.price.priced,
            plan.price.gaps,
            plan.price.ranking,
        )
        assert same.cost_per_month == plan.cost_per_month
        assert [item.cost_per_run for item in same.placements] == [item.cost_per_run for item in plan.placements]


def test_that_an_offered_price_is_the_price_of_reasons_costs_and_renting(recommendation: Recommendation) -> None:
    quote = release_quote(_draft(recommendation, "20000"), recommendation, FACTS)
    advice = quote.advice
    assert advice is not None
    pieces = sum(item.quantity for item in advice.chosen.price.positions)
    assert advice.chosen.price.priced == Money(Decimal(20000 * pieces), "EUR")
    assert advice.chosen.price.gaps == ()
    assert not ABOUT_PRICES & {reason.code for reason in advice.chosen.reasons}
    assert advice.renting is not None
    assert advice.renting.ownership is not None
    assert not advice.renting.price_uses_stand_ins
    assert advice.comparison is not None
    (column,) = [i for i, card in enumerate(advice.comparison.columns) if card.id == advice.chosen.card.id]
    (row,) = [row for row in advice.comparison.rows if row.key == "price"]
    assert row.cells[column].value == Money(Decimal(20000), "EUR")


def test_that_a_dearer_offer_makes_every_run_dearer(recommendation: Recommendation) -> None:
    cheap, dear = (
        release_quote(_draft(recommendation, price), recommendation, FACTS).advice for price in ("10000", "20000")
    )
    assert cheap is not None
    assert dear is not None
    for low, high in zip(cheap.chosen.placements, dear.chosen.placements, strict=True):
        assert low.cost_per_run is not None
        assert high.cost_per_run is not None
        assert low.cost_per_run.expected.amount < high.cost_per_run.expected.amount


def test_that_other_systems_share_the_price_of_the_same_machine(recommendation: Recommendation) -> None:
    assert recommendation.chosen is not None
    system = recommendation.chosen.system.id
    others = [plan for plan in recommendation.alternatives if plan.system.id == system and system in plan.price.gaps]
    assert others
    quote = release_quote(_draft(recommendation, "20000"), recommendation, FACTS)
    for variant in quote.variants:
        if variant.plan.id in {plan.id for plan in others}:
            assert variant.plan.system.name not in variant.totals.gaps
            assert system not in variant.plan.price.gaps


def test_that_a_hidden_unit_price_does_not_come_out_in_the_comparison(recommendation: Recommendation) -> None:
    quote = release_quote(_draft(recommendation, "20001.23", show_line_prices=False), recommendation, FACTS)
    assert quote.advice is not None
    assert quote.advice.comparison is not None
    values = [cell.value for row in quote.advice.comparison.rows for cell in row.cells]
    assert Money(Decimal("20001.23"), "EUR") not in values


def test_that_an_alternatives_price_holds_in_the_other_systems_too(recommendation: Recommendation) -> None:
    """The paper must not name two prices of one card: as an alternative above, as another complete system below."""
    draft = _draft(recommendation, "5000")
    (section,) = draft.sections
    other = next(plan for plan in recommendation.alternatives if plan.price.priced.amount)
    card = other.card.id
    assert card not in {line.item_id for line in section.lines}
    base = section.lines[0]
    extra = replace(base, id="x", kind=LineKind.ALTERNATIVE, base_id=base.id, item_id=card, unit_price=Decimal(7777))
    again = replace(extra, id="y", item_id=base.item_id)
    offered = offered_prices(replace(draft, sections=(replace(section, lines=(again, extra, *section.lines)),)))
    assert offered[card].amount == 7777
    assert offered[base.item_id].amount == 5000  # the position in the sum comes first
    quote = release_quote(
        replace(draft, sections=(replace(section, lines=(*section.lines, extra)),)), recommendation, FACTS
    )
    plans = [variant.plan for variant in quote.variants if variant.plan.card.id == card]
    priced = [item.unit.net for plan in plans for item in plan.price.positions if item.item_id == card]
    assert priced
    assert {one.amount for one in priced if one is not None} == {7777}


def test_that_guide_prices_are_no_offered_prices(recommendation: Recommendation) -> None:
    draft = build_draft(recommendation, FACTS, Seller(), Customer(), "en", DAY)
    assert offered_prices(draft) == {}
    quote = release_quote(draft, recommendation, FACTS)
    assert quote.advice is not None
    assert recommendation.chosen is not None
    assert quote.advice.chosen.price.gaps == recommendation.chosen.price.gaps


def test_that_without_times_or_economics_an_offered_price_makes_no_cost_of_a_run(
    recommendation: Recommendation,
) -> None:
    """The price holds; what a run costs stays open rather than guessed."""
    plan = recommendation.chosen
    assert plan is not None
    own = {item.item_id: Money(Decimal(20000), "EUR") for item in plan.price.positions}
    assert at_prices(plan, own, recommendation.scenario, FACTS).cost_per_month is not None
    untimed = replace(plan, placements=tuple(replace(item, hours_per_run=None) for item in plan.placements))
    for seen, facts in ((plan, replace(FACTS, economics=None)), (untimed, FACTS)):
        offered = at_prices(seen, own, recommendation.scenario, facts)
        assert offered.price.priced.amount == 20000 * sum(item.quantity for item in plan.price.positions)
        assert offered.cost_per_month is None
        assert {item.cost_per_run for item in offered.placements} == {None}


def test_that_a_price_the_order_knew_is_not_called_unknown_to_it(recommendation: Recommendation) -> None:
    """Own prices of the consultation order the systems; only another price in the document is news."""
    assert recommendation.chosen is not None
    card = recommendation.chosen.card.id
    own = Money(Decimal(6543), "EUR")
    knowing = recommend(replace(recommendation.scenario, price_overrides={card: own}), FACTS)
    assert {item.unit.net for plan in knowing.ranked for item in plan.price.positions if item.item_id == card} == {own}
    assert list(ordered_at(knowing, {card: own})) == []
    assert list(ordered_at(knowing, {card: Money(Decimal(6544), "EUR")})) == [(card, OrderedAt.EARLIER_PRICE)]
    assert list(ordered_at(recommendation, {card: own})) == [(card, OrderedAt.GUIDE_PRICE)]


def test_that_each_item_says_what_it_was_ordered_at(recommendation: Recommendation) -> None:
    units = {item.item_id: item.unit for plan in recommendation.ranked for item in plan.price.positions}
    found = dict(ordered_at(recommendation, dict.fromkeys(units, Money(Decimal("0.01"), "EUR"))))
    assert set(found) == set(units)
    for item, kind in found.items():
        known = units[item].net is not None, units[item].stand_in_for_ranking is not None
        named = {(True, False): OrderedAt.GUIDE_PRICE, (False, True): OrderedAt.RELATED_ITEM}
        assert kind is named.get(known, OrderedAt.NO_PRICE)
    assert set(found.values()) == {OrderedAt.GUIDE_PRICE, OrderedAt.RELATED_ITEM, OrderedAt.NO_PRICE}
    # A machine sold with its cards is not ordered at the price of a sibling with other cards, though that one is known.
    filled = [item for item, kind in found.items() if kind is OrderedAt.NO_PRICE]
    assert any(guide_price(item, FACTS, "EUR", DAY).stand_in_for_ranking is not None for item in filled)


def test_that_a_price_of_an_item_no_plan_holds_says_nothing_about_the_order(recommendation: Recommendation) -> None:
    held = {item.item_id for plan in recommendation.ranked for item in plan.price.positions}
    other = next(item for item in FACTS.priceable_ids if item not in held)
    assert list(ordered_at(recommendation, {other: Money(Decimal(1), "EUR")})) == []
