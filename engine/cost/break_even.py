"""From which use on buying pays against one rental price.

h* = F / ((r + x)/s - v) useful hours per year; cash payback H* = (C0 - R) / ((r + x)/s - v - (F - capital)/h).
The owner's hourly cost v is subtracted from the rent; capital is counted once.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from engine.cost.types import HOURS_PER_YEAR
from engine.errors import InvalidInputError

UTILISATIONS = (Decimal("0.2"), Decimal("0.4"), Decimal("0.6"), Decimal("0.8"), Decimal(1))


class BreakEvenStatus(StrEnum):
    """What became of a break-even."""

    REACHED = "reached"  # at or below full use
    ABOVE_FULL_USE = "above-full-use"  # more hours than a year has: renting is always cheaper at these inputs
    NEVER = "never"  # an owned hour costs as much as a rented one
    COMMITTED = "committed"  # the rent is due whether the cards work or not: compare per year


class PaybackStatus(StrEnum):
    """What became of a payback."""

    WITHIN_LIFE = "within-life"
    BEYOND_LIFE = "beyond-life"  # not within the useful life
    NEVER = "never"
    NO_USE = "no-use"  # no useful hours: nothing is divided by zero


@dataclass(frozen=True, slots=True)
class BreakEven:
    """Useful hours per year from which owning is cheaper. Hours and utilisation None unless a use was found."""

    status: BreakEvenStatus
    hours_per_year: Decimal | None
    utilisation: Decimal | None


@dataclass(frozen=True, slots=True)
class Payback:
    """Useful hours after which the purchase has paid for itself at the given use."""

    status: PaybackStatus
    useful_hours: Decimal | None
    months: Decimal | None


def break_even(fixed_per_year: Decimal, rent_per_owned_hour: Decimal, variable_per_hour: Decimal) -> BreakEven:
    """h* and u*. `rent_per_owned_hour` is (r + x)/s: what renting one owned hour's work costs."""
    gain = rent_per_owned_hour - variable_per_hour
    if gain <= 0:
        return BreakEven(BreakEvenStatus.NEVER, None, None)
    hours = fixed_per_year / gain
    status = BreakEvenStatus.REACHED if hours <= HOURS_PER_YEAR else BreakEvenStatus.ABOVE_FULL_USE
    return BreakEven(status, hours, hours / HOURS_PER_YEAR)


def payback(
    depreciable: Decimal,
    running_fixed_per_year: Decimal,
    rent_per_owned_hour: Decimal,
    variable_per_hour: Decimal,
    useful_hours_per_year: Decimal,
    life_years: Decimal,
) -> Payback:
    """H*: `depreciable` is C0 - R, `running_fixed_per_year` all fixed cost but the capital."""
    if useful_hours_per_year < 0:
        raise InvalidInputError("The useful hours per year must lie between 0 and 8760.")
    if not useful_hours_per_year:
        return Payback(PaybackStatus.NO_USE, None, None)
    gain = rent_per_owned_hour - variable_per_hour - running_fixed_per_year / useful_hours_per_year
    if gain <= 0:
        return Payback(PaybackStatus.NEVER, None, None)
    hours = depreciable / gain
    years = hours / useful_hours_per_year
    status = PaybackStatus.WITHIN_LIFE if years <= life_years else PaybackStatus.BEYOND_LIFE
    return Payback(status, hours, years * 12)


def own_cost_per_hour(fixed_per_year: Decimal, variable_per_hour: Decimal, utilisation: Decimal) -> Decimal:
    """Cost of one useful hour at a utilisation above 0: fixed part spread, variable part as it is."""
    if not 0 < utilisation <= 1:
        raise InvalidInputError("The utilisation must be greater than 0 and at most 1.")
    return fixed_per_year / (utilisation * HOURS_PER_YEAR) + variable_per_hour
