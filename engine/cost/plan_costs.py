"""The cost figures the planner puts on every plan: per month and per run. Called often, hence the plain arithmetic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from engine.cost.exact import exact
from engine.cost.ownership import check_owner, drawn_power_w, yearly_cost
from engine.cost.types import HOURS_PER_MONTH, MONTHS_PER_YEAR, CostAssumptions
from engine.errors import InvalidInputError
from engine.units import FloatBand, Money, MoneyBand, round_money


@dataclass(frozen=True, slots=True)
class RunLoad:
    """One workload's use of the machine: hours the whole machine is busy for one run, and runs per month.

    A run on two of four cards for ten hours, its twin beside it, counts five machine hours.
    """

    machine_hours: FloatBand
    runs_per_month: Decimal
    exact_hours: Decimal = field(init=False, repr=False, compare=False)  # expected
    exact_faster: Decimal = field(init=False, repr=False, compare=False)  # low less expected
    exact_slower: Decimal = field(init=False, repr=False, compare=False)  # high less expected

    def __post_init__(self) -> None:
        hours = self.machine_hours
        expected = exact(hours.expected)
        object.__setattr__(self, "exact_hours", expected)
        object.__setattr__(self, "exact_faster", exact(hours.low) - expected)
        object.__setattr__(self, "exact_slower", exact(hours.high) - expected)


@dataclass(frozen=True, slots=True)
class PlanCosts:
    """Ownership per month and per run, in the order of the runs given."""

    per_month: Money
    per_useful_hour: Money | None  # None when the machine never works
    per_run: tuple[MoneyBand, ...]
    useful_hours_per_month: Decimal  # after the cap of 730


def plan_costs(
    price: Money,
    power_w: int,
    runs: Sequence[RunLoad],
    assumptions: CostAssumptions,
    busy_hours_per_month: float | None = None,
) -> PlanCosts:
    """Spread the ownership of a plan over its runs.

    `power_w` is the rated power of machine and cards. The useful hours are, in this order: the customer's own
    utilisation (`assumptions.useful_hours_per_year`), `busy_hours_per_month`, or the sum of the runs; never more than
    730 a month.
    A run costs its machine hours times the cost per useful hour at the expected load. Where the load is exactly the
    runs given, the fixed cost of a run does not depend on how long it takes, so only energy carries the band;
    with a stated utilisation the machine has other work, and the whole hour does.
    """
    hours = _useful_hours_per_month(runs, assumptions, busy_hours_per_month)
    on_w, idle_w = drawn_power_w(power_w, assumptions)
    useful_per_year = hours * MONTHS_PER_YEAR
    check_owner(price, on_w, idle_w, useful_per_year, assumptions.currency)
    year = yearly_cost(price.amount, on_w, idle_w, useful_per_year, assumptions)
    total = year.total
    currency = assumptions.currency
    if not useful_per_year:
        return PlanCosts(Money(round_money(total / MONTHS_PER_YEAR), currency), None, (), hours)
    per_hour = total / useful_per_year
    stated = assumptions.useful_hours_per_year is not None
    spreads_with_hours = per_hour if stated else year.variable_per_hour
    return PlanCosts(
        per_month=Money(round_money(total / MONTHS_PER_YEAR), currency),
        per_useful_hour=Money(round_money(per_hour), currency),
        per_run=tuple([_run_cost(run, per_hour, spreads_with_hours, currency) for run in runs]),
        useful_hours_per_month=hours,
    )


def _useful_hours_per_month(
    runs: Sequence[RunLoad], assumptions: CostAssumptions, busy_hours_per_month: float | None
) -> Decimal:
    if assumptions.useful_hours_per_year is not None:
        return assumptions.useful_hours_per_year / MONTHS_PER_YEAR
    if busy_hours_per_month is not None:
        if not busy_hours_per_month >= 0:  # also refuses NaN
            raise InvalidInputError("The busy hours per month must be at least 0.")
        return min(exact(busy_hours_per_month), HOURS_PER_MONTH)
    hours = sum((run.exact_hours * run.runs_per_month for run in runs), Decimal(0))
    return min(hours, HOURS_PER_MONTH)


def _run_cost(run: RunLoad, per_hour: Decimal, spread: Decimal, currency: str) -> MoneyBand:
    expected = run.exact_hours * per_hour
    return MoneyBand(
        Money(round_money(expected + run.exact_faster * spread), currency),
        Money(round_money(expected), currency),
        Money(round_money(expected + run.exact_slower * spread), currency),
    )
