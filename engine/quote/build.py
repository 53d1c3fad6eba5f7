"""From the planner's recommendation to a draft and a quote."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from decimal import Decimal

from engine.compare import Comparison, compare_cards
from engine.cost.assumptions import assumptions_in_force
from engine.cost.compare import compare
from engine.editions import compared_cards
from engine.errors import InvalidInputError
from engine.facts import Facts
from engine.glance import glances
from engine.hardware import Card, CardForm
from engine.memory.inverse import largest_micro_batch, longest_sequence
from engine.plan.types import Placement, Plan, Position, PositionKind, Recommendation
from engine.prices import GuidePrice, PriceBasis, PriceKind
from engine.pricing import guide_price
from engine.quote.document import Advice, BesideSteps, Quote, Reach, Variant
from engine.quote.draft import (
    Chapter,
    DocumentKind,
    DraftLine,
    DraftSection,
    LineKind,
    PriceOrigin,
    QuoteDraft,
    SectionRole,
    Terms,
)
from engine.quote.offered import at_prices, offered_prices, ordered_at
from engine.quote.parties import Customer, Seller
from engine.quote.release import release
from engine.quote.sources import Use, card_uses, cite, measured_uses, plan_uses, price_uses
from engine.quote.totals import Charge, Totals, line_net, sum_up
from engine.quote.vat import Supply, propose
from engine.serving.summary import summaries
from engine.speed.run import assumed_failed_share
from engine.units import Money, MoneyBand
from engine.workload import Scenario


def build_quote(
    recommendation: Recommendation,
    facts: Facts,
    seller: Seller,
    customer: Customer,
    language: str,
    as_of: date,
    *,
    kind: DocumentKind = DocumentKind.RECOMMENDATION,
    number: str = "",
    terms: Terms | None = None,
) -> Quote:
    """The whole way for a recommendation without hand-made changes.

    Raises `InvalidInputError` when nothing fits and `QuoteNotReadyError` when an offer cannot be made yet.
    """
    draft = build_draft(recommendation, facts, seller, customer, language, as_of, kind=kind, number=number, terms=terms)
    return release_quote(draft, recommendation, facts)


def release_quote(draft: QuoteDraft, recommendation: Recommendation, facts: Facts, *, preview: bool = False) -> Quote:
    """The quote of an edited draft with the technical ground of its recommendation."""
    own = offered_prices(draft)
    draft = replace(draft, left_out=_left_out(draft))
    advice = build_advice(
        _at_prices(recommendation, own, facts),
        facts,
        draft.as_of,
        offered_prices(draft, shown_only=True),
        left_out=draft.left_out,
    )
    advice = replace(advice, ordered_at=tuple(ordered_at(recommendation, own)))
    shown = () if Chapter.VARIANTS in draft.left_out else advice.alternatives
    variants = tuple(Variant(plan, _variant_totals(plan, draft)) for plan in shown)
    return release(draft, advice, variants, names_of(facts, recommendation), preview=preview)


def _left_out(draft: QuoteDraft) -> frozenset[Chapter]:
    """What the seller leaves out, and in a tender what nobody asked for: it can be read as a second bid."""
    if draft.tender and draft.kind is DocumentKind.OFFER:
        return draft.left_out | {Chapter.VARIANTS, Chapter.RENTING}
    return draft.left_out


def build_draft(
    recommendation: Recommendation,
    facts: Facts,
    seller: Seller,
    customer: Customer,
    language: str,
    as_of: date,
    *,
    kind: DocumentKind = DocumentKind.RECOMMENDATION,
    number: str = "",
    terms: Terms | None = None,
) -> QuoteDraft:
    """Positions of the recommended plan, VAT proposed, nothing else invented."""
    plan = _chosen(recommendation)
    lines = tuple(_draft_line(position, as_of) for position in _ordered(plan.price.positions))
    return QuoteDraft(
        kind=kind,
        seller=seller,
        customer=customer,
        language=language,
        currency=recommendation.scenario.currency,
        as_of=as_of,
        sections=(DraftSection(SectionRole.SYSTEM, lines),),
        vat=propose(seller, customer, {Supply.GOODS}, facts.vat_rates, as_of),
        number=number,
        terms=terms or Terms(),
    )


def build_advice(
    recommendation: Recommendation,
    facts: Facts,
    as_of: date,
    own_prices: Mapping[str, Money] | None = None,
    *,
    left_out: frozenset[Chapter] = frozenset(),
) -> Advice:
    """The technical ground: plans without the seller's price records, the comparison and the sources.

    `own_prices` of cards, net by catalogue id, stand in the comparison instead of their guide prices. Of the chapters
    in `left_out` neither comparison, advice to rent nor sources are there.
    """
    chosen = _chosen(recommendation)
    scenario = recommendation.scenario
    comparison: Comparison | None = None
    compared_uses: list[Use] = []
    measured: list[Use] = []
    if Chapter.EDITIONS not in left_out:
        overrides = {**scenario.price_overrides, **(own_prices or {})}
        comparison, compared_uses, measured = _compared(recommendation, facts, as_of, overrides)
    uses: list[Use] = [*plan_uses(chosen, facts.items), *compared_uses]
    if not left_out >= {Chapter.VARIANTS, Chapter.OTHERS}:
        for plan in recommendation.alternatives:
            uses += plan_uses(plan, facts.items)
    uses += measured
    renting = None
    if facts.economics is not None and Chapter.RENTING not in left_out:
        renting = replace(compare(recommendation, facts), plan=None)
    public = replace(
        recommendation,
        chosen=_public(chosen),
        alternatives=tuple(_public(plan) for plan in recommendation.alternatives),
        ranked=(),
    )
    return Advice(
        scenario=scenario,
        chosen=_public(chosen),
        alternatives=public.alternatives,
        rejected=public.rejected,
        standings=glances(public),
        comparison=comparison,
        catalogue_version=facts.version,
        citations=cite(uses),
        reaches=tuple(_reach(placement, scenario.headroom) for placement in chosen.placements),
        serving=summaries(chosen, scenario, facts),
        beside=_beside(chosen, scenario, facts),
        renting=renting,
    )


def _compared(
    recommendation: Recommendation, facts: Facts, as_of: date, overrides: Mapping[str, Money]
) -> tuple[Comparison, list[Use], list[Use]]:
    """The editions side by side, the sources of their figures and those of what was measured of them."""
    compared = compared_cards(facts, _chosen(recommendation).card)
    currency = recommendation.scenario.currency
    prices = {card.id: guide_price(_sold_as(card, facts), facts, currency, as_of, overrides) for card in compared}
    uses: list[Use] = []
    for card in compared:
        uses += [*card_uses(card), *price_uses(prices[card.id], card.short_name)]
    comparison = compare_cards(compared, prices, facts, recommendation)
    return comparison, uses, list(measured_uses(comparison, facts.cards))


def _sold_as(card: Card, facts: Facts) -> str:
    """The id of what has the price: of a complete small computer, the computer."""
    if card.form is CardForm.UNIT:
        return next((item.id for item in facts.systems.values() if item.option_for(card.id) is not None), card.id)
    return card.id


def _beside(chosen: Plan, scenario: Scenario, facts: Facts) -> BesideSteps | None:
    """The catalogue's assumptions about runs, or the customer's own; None where nothing is timed."""
    if all(placement.hours_per_run is None for placement in chosen.placements):
        return None
    known = facts.speed.assumptions
    failed = Decimal(repr(assumed_failed_share(facts.speed)))
    if facts.economics is not None:
        failed = assumptions_in_force(facts.economics, scenario, facts).failed_run_share
    evaluation, start_up = known.get("evaluation_share"), known.get("start_up_s")
    return BesideSteps(
        evaluation_share=0.0 if evaluation is None else evaluation.value,
        start_up_s=0.0 if start_up is None else start_up.value,
        failed_share=failed,
    )


def names_of(facts: Facts, recommendation: Recommendation) -> Mapping[str, str]:
    """What the catalogue's ids, and the plans, are called."""
    names = {card.id: card.short_name for card in facts.cards.values()}
    names |= {system.id: system.name for system in facts.systems.values()}
    names |= {item.id: item.name for item in facts.items.values()}
    names |= {model.id: model.name for model in facts.models.values()}
    for plan in recommendation.ranked:
        names[plan.id] = f"{plan.cards} × {plan.card.short_name}, {plan.system.name}"
    return names


def price_origin(price: GuidePrice, as_of: date) -> PriceOrigin:
    """What the customer may know of a price. Of the seller's own prices only the date, `as_of` for entered ones."""
    record = price.price
    if price.basis is PriceBasis.SELLER:
        return PriceOrigin(price.basis, as_of=as_of.isoformat() if record is None else record.as_of, age=price.age)
    if record is None:
        return PriceOrigin(price.basis, age=price.age)
    return PriceOrigin(
        basis=price.basis,
        as_of=record.as_of,
        source_title=record.source.title,
        source_url=record.source.url,
        grade=record.grade,
        age=price.age,
        rate=price.rate,
        kind=record.kind,
        published=MoneyBand(
            Money(record.low, record.currency),
            Money((record.low + record.high) / 2, record.currency),
            Money(record.high, record.currency),
        ),
        includes_vat=record.includes_vat,
    )


def _chosen(recommendation: Recommendation) -> Plan:
    if recommendation.chosen is None:
        raise InvalidInputError("No system carries these tasks; there is nothing to propose.")
    return recommendation.chosen


def _ordered(positions: tuple[Position, ...]) -> Iterator[Position]:
    """Machine first, then cards, bridges, accessories and software."""
    order = (
        *(PositionKind.SYSTEM, PositionKind.CARD, PositionKind.BRIDGE),
        *(PositionKind.ACCESSORY, PositionKind.SOFTWARE),
    )
    yield from sorted(positions, key=lambda position: order.index(position.kind))


def _reach(placement: Placement, headroom: float) -> Reach:
    setup, capacity = placement.estimate.setup, placement.capacity_bytes
    return Reach(longest_sequence(setup, capacity, headroom), largest_micro_batch(setup, capacity, headroom))


def _draft_line(position: Position, as_of: date) -> DraftLine:
    price = position.unit
    included = price.price is not None and price.price.kind is PriceKind.INCLUDED
    return DraftLine(
        id=position.item_id,
        title=position.name,
        kind=LineKind.INCLUDED if included else LineKind.BASE,
        quantity=Decimal(position.quantity),
        unit_price=None if price.net is None else price.net.amount,
        item_id=position.item_id,
        origin=price_origin(price, as_of),
    )


def _at_prices(recommendation: Recommendation, own: Mapping[str, Money], facts: Facts) -> Recommendation:
    """Every plan at the prices of the document; their order stays."""
    scenario = recommendation.scenario

    def priced(plan: Plan) -> Plan:
        return at_prices(plan, own, scenario, facts)

    chosen = recommendation.chosen
    return replace(
        recommendation,
        chosen=None if chosen is None else priced(chosen),
        alternatives=tuple(priced(plan) for plan in recommendation.alternatives),
        ranked=tuple(priced(plan) for plan in recommendation.ranked),
    )


def _public(plan: Plan) -> Plan:
    """The plan without the records behind the seller's own prices: their source can name a supplier or a file."""
    positions = tuple(
        replace(position, unit=replace(position.unit, price=None))
        if position.unit.basis is PriceBasis.SELLER
        else position
        for position in plan.price.positions
    )
    return replace(plan, price=replace(plan.price, positions=positions))


def _variant_totals(plan: Plan, draft: QuoteDraft) -> Totals:
    """Sums of a whole other system under the same VAT treatment, without document discount."""
    case = draft.vat.goods
    charges = []
    for position in plan.price.positions:
        price = position.unit.net
        net = None if price is None else line_net(Decimal(position.quantity), price.amount)
        charges.append(Charge(position.name, net, net, case, Decimal(0) if case is None else draft.vat.rate_of(case)))
    return sum_up(charges, draft.currency)
