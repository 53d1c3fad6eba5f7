"""The plans at the prices of this very document, so that its technical part never contradicts its positions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal

from engine.cost.assumptions import assumptions_in_force
from engine.cost.equivalents import busy_hours_per_month
from engine.cost.plan_costs import PlanCosts, RunLoad, plan_costs
from engine.facts import Facts
from engine.plan.layouts import Option
from engine.plan.load import machine_share
from engine.plan.purchase import WEAKEST_FIRST, is_known
from engine.plan.types import Placement, Plan, PlanPrice, Position, PositionKind, Recommendation
from engine.prices import GuidePrice, PriceBasis
from engine.quote.document import OrderedAt
from engine.quote.draft import LineKind, QuoteDraft
from engine.reasons import Reason, ReasonCode
from engine.units import FloatBand, Money
from engine.workload import Scenario

ABOUT_PRICES = frozenset({ReasonCode.PRICE_ON_REQUEST, ReasonCode.PRICE_STAND_IN, ReasonCode.PRICE_NOT_COMPARABLE})
PRICED = frozenset({LineKind.BASE, LineKind.ALTERNATIVE, LineKind.OPTIONAL})


def offered_prices(draft: QuoteDraft, *, shown_only: bool = False) -> dict[str, Money]:
    """The seller's own price per unit, net and before discounts, of every catalogue item that is offered.

    A base line's price comes before that of an alternative or option for the same item. `shown_only`: without those
    whose price the paper does not print.
    """
    if shown_only and not draft.show_line_prices:
        return {}
    prices: dict[str, Money] = {}
    sections = (one for one in draft.sections if not one.struck and (one.show_prices or not shown_only))
    lines = sorted(
        (line for section in sections for line in section.lines), key=lambda line: line.kind is not LineKind.BASE
    )
    for line in lines:
        own = line.origin is not None and line.origin.basis is PriceBasis.SELLER
        if line.kind in PRICED and line.item_id and line.unit_price is not None and own:
            prices.setdefault(line.item_id, Money(line.unit_price, draft.currency))
    return prices


def ordered_at(recommendation: Recommendation, prices: Mapping[str, Money]) -> Iterator[tuple[str, OrderedAt]]:
    """Items of the ranked plans that stood in the order at another price than the given one, in the order of `prices`.

    What the consultation or the seller's list says is a price the order knew: only a difference counts.
    """
    then = {position.item_id: position.unit for plan in recommendation.ranked for position in plan.price.positions}
    for item_id, price in prices.items():
        if item_id in then and then[item_id].net != price:
            yield item_id, _ordered_at(then[item_id])


def _ordered_at(then: GuidePrice) -> OrderedAt:
    if then.net is None:
        return OrderedAt.NO_PRICE if then.stand_in_for_ranking is None else OrderedAt.RELATED_ITEM
    return OrderedAt.EARLIER_PRICE if then.basis is PriceBasis.SELLER else OrderedAt.GUIDE_PRICE


def at_prices(plan: Plan, prices: Mapping[str, Money], scenario: Scenario, facts: Facts) -> Plan:
    """The plan with other prices of some items: its sum, its gaps, what a run costs, and no remark that they lack.

    Its standing among the plans stays as it was judged.
    """
    if not any(position.item_id in prices for position in plan.price.positions):
        return plan
    price = _priced(tuple(_position(position, prices) for position in plan.price.positions), plan)
    costs = _costs(plan, price, scenario, facts)
    runs = (None,) * len(plan.placements) if costs is None else costs.per_run
    placements = tuple(replace(item, cost_per_run=cost) for item, cost in zip(plan.placements, runs, strict=True))
    return replace(
        plan,
        price=price,
        placements=placements,
        cost_per_month=None if costs is None else costs.per_month,
        reasons=tuple(reason for reason in plan.reasons if not _is_settled(reason, prices)),
    )


def _position(position: Position, prices: Mapping[str, Money]) -> Position:
    own = prices.get(position.item_id)
    if own is None:
        return position
    return replace(position, unit=GuidePrice(position.item_id, own, PriceBasis.SELLER, None, None, None))


def _priced(positions: tuple[Position, ...], plan: Plan) -> PlanPrice:
    priced = ranking = Decimal(0)
    for position in positions:
        unit = position.unit
        known = unit.net or unit.stand_in_for_ranking
        priced += Decimal(0) if unit.net is None else unit.net.amount * position.quantity
        ranking += Decimal(0) if known is None else known.amount * position.quantity
    return PlanPrice(
        positions=positions,
        priced=Money(priced, plan.price.priced.currency),
        gaps=tuple(position.item_id for position in positions if position.unit.net is None),
        basis=min((position.unit.basis for position in positions), key=WEAKEST_FIRST.index),
        ranking=ranking,
    )


def _costs(plan: Plan, price: PlanPrice, scenario: Scenario, facts: Facts) -> PlanCosts | None:
    """Ownership spread over the runs, as the planner does.

    None without times, or while cards or machine have no figure.
    """
    needed = (PositionKind.CARD, PositionKind.SYSTEM)
    known = all(is_known(position.unit) for position in price.positions if position.kind in needed)
    busy = busy_hours_per_month(plan)
    if facts.economics is None or busy is None or not known:
        return None
    assumptions = assumptions_in_force(facts.economics, scenario, facts)
    with_failed = 1 + float(assumptions.failed_run_share)
    runs = []
    for placement in plan.placements:
        hours = placement.hours_per_run
        if hours is None:
            return None
        share = _machine_share(placement, plan.cards) * with_failed
        scaled = FloatBand(hours.low * share, hours.expected * share, hours.high * share)
        runs.append(RunLoad(scaled, placement.workload.runs_per_month))
    return plan_costs(Money(price.ranking, scenario.currency), plan.power_w, runs, assumptions, busy)


def _machine_share(placement: Placement, cards: int) -> float:
    option = Option(placement.layout, placement.runs_in_parallel, placement.capacity_bytes, placement.mig)
    return machine_share(option, cards)


def _is_settled(reason: Reason, prices: Mapping[str, Money]) -> bool:
    return reason.code in ABOUT_PRICES and dict(reason.values).get("item") in prices
