"""The order of plans under the customer's priority."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import inf, log

from engine.cost.types import MONTHS_PER_YEAR
from engine.fit import Verdict
from engine.plan.purchase import PriceClass
from engine.plan.types import Plan
from engine.reasons import ReasonCode
from engine.workload import Priority, Scenario

SAME_TIME_SHARE = 0.01  # times closer than one percent count as equal: the model is not that exact
NO_MACHINE_SIZE = 99

Key = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Contender:
    """A plan with the figures it is ordered by."""

    plan: Plan
    price_class: PriceClass
    unchecked: bool  # a limit of the place could not be checked for want of a figure
    done_h: float | None  # hours until the month's runs are done
    cost_per_month: Decimal | None
    waiting_per_hour: Decimal | None = None  # what an hour less until the runs are done may cost

    @property
    def price(self) -> Decimal:
        """Price with stand-ins, for ordering only."""
        return self.plan.price.ranking


def in_order(contenders: Sequence[Contender], scenario: Scenario) -> list[Contender]:
    """Best first.

    1. Plans that keep the headroom before tight ones. 2. Plans whose place is proven before those with an unchecked
    limit. 3. Plans whose price is known before those that cannot be compared by it. 4. The priority; within a budget
    time alone counts, without one see `price_with_waiting`. 5. Among equals fewer cards, the smaller machine, known
    power before that of the cards alone, less power, the seller's own machine.
    """
    return sorted(contenders, key=lambda contender: _key(contender, scenario))


def _key(contender: Contender, scenario: Scenario) -> Key:
    plan = contender.plan
    standing = (plan.verdict is not Verdict.FITS, contender.unchecked, contender.price_class)
    return (*standing, *_priority_key(contender, scenario), *_size_key(plan))


def _priority_key(contender: Contender, scenario: Scenario) -> Key:
    price = contender.price
    match scenario.priority:
        case Priority.PURCHASE_PRICE:
            return (price, _rounded(contender.done_h))
        case Priority.COST_PER_RUN:
            cost = contender.cost_per_month
            return (cost is None, cost or Decimal(0), price)
        case Priority.TIME:
            if scenario.budget is not None:
                return (_rounded(contender.done_h), price)
            return (_rounded(price_with_waiting(contender, scenario)), _rounded(contender.done_h), price)


def price_with_waiting(contender: Contender, scenario: Scenario) -> float | None:
    """Price plus what the waiting over the horizon may cost; None without a time.

    The plan with the least is where a walk from the cheapest plan to faster ones ends when every step must save its
    hours at no more than the stated cost of an hour: any faster plan costs more than that per hour it saves. A light
    load therefore stays on a small machine, however fast a large one would be.
    """
    if contender.waiting_per_hour is None or contender.done_h is None:
        return None
    months = scenario.horizon_years * MONTHS_PER_YEAR
    return float(contender.price) + float(contender.waiting_per_hour * months) * contender.done_h


def _rounded(value: float | None) -> float:
    """A step of one percent; unknown is last."""
    if value is None:
        return inf
    return 0 if value <= 0 else float(round(log(value) / log(1 + SAME_TIME_SHARE)))


def _size_key(plan: Plan) -> Key:
    system = plan.system
    units = NO_MACHINE_SIZE if system.rack_units is None else system.rack_units.value
    slots = NO_MACHINE_SIZE if system.slots is None else system.slots.value
    power_known = system.base_power_w is not None  # else only the cards are in it, and it looks small
    return (plan.cards, units, slots, not power_known, plan.power_w, not system.built_to_order, plan.id)


def is_unchecked(plan: Plan) -> bool:
    """Whether a limit of the place could not be checked for this plan."""
    return any(item.code is ReasonCode.NOT_CHECKED for item in plan.reasons)


def best_of_each_card(ranked: Sequence[Plan]) -> tuple[Plan, ...]:
    """The first plan of every card but the chosen one's, in order."""
    if not ranked:
        return ()
    seen = {ranked[0].card.id}
    best = []
    for plan in ranked[1:]:
        if plan.card.id not in seen:
            seen.add(plan.card.id)
            best.append(plan)
    return tuple(best)
