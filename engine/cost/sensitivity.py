"""Which inputs move the decision, and the curves of buying against renting.

The measure is the saving of buying over the horizon: rent less own cost. An input is tried at the two ends of its
range while all others stay; the inputs with the widest swing come first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from enum import StrEnum

from engine.cost.assumptions import PUE_OF_PLACE, with_value
from engine.cost.break_even import own_cost_per_hour
from engine.cost.offers import OwnFigures, OwnMachine, RentalMatch, compare_offer, own_figures
from engine.cost.ownership import drawn_power_w
from engine.cost.types import (
    HOURS_PER_YEAR,
    MONTHS_PER_YEAR,
    CostAssumptions,
    Economics,
    EconomicsKey,
    RentalOffer,
)
from engine.prices import ExchangeRate
from engine.units import Money, round_money
from engine.workload import Place


class CaseInput(StrEnum):
    """Inputs of the case itself, beside the assumptions."""

    PURCHASE_PRICE = "purchase_price"
    RENT = "rent"
    USEFUL_HOURS = "useful_hours_per_year"
    SPEED_RATIO = "speed_ratio"
    HORIZON_YEARS = "horizon_years"


@dataclass(frozen=True, slots=True)
class Range:
    """Two ends to try; both within what the input may be."""

    low: Decimal
    high: Decimal


@dataclass(frozen=True, slots=True)
class Case:
    """One decision: the machine by its rated power, one offer, and the assumptions."""

    purchase: Money
    nameplate_w: int
    useful_hours_per_year: Decimal
    offer: RentalOffer
    match: RentalMatch
    assumptions: CostAssumptions
    rates: tuple[ExchangeRate, ...]
    as_of: date
    place: Place
    lease_per_month: Money | None = None


@dataclass(frozen=True, slots=True)
class Swing:
    """One bar of the tornado: savings of buying over the horizon at both ends of the input."""

    key: EconomicsKey | CaseInput
    low_value: Decimal
    high_value: Decimal
    saving_at_low: Money
    saving_at_high: Money
    flips: bool  # buying is cheaper at one end and dearer at the other

    @property
    def width(self) -> Decimal:
        """How far the input moves the saving."""
        return abs(self.saving_at_high.amount - self.saving_at_low.amount)


def saving_over_horizon(case: Case) -> Decimal:
    """Unrounded rent less own cost over the horizon, at expected values."""
    comparison = compare_offer(
        own_of(case),
        case.offer,
        case.match,
        case.assumptions,
        case.rates,
        case.as_of,
        useful_hours_per_year=case.useful_hours_per_year,
    )
    if comparison is None:
        return Decimal(0)
    rent = comparison.rent_per_year.expected.amount
    return (rent - own_of(case).per_year) * case.assumptions.years


def own_of(case: Case) -> OwnFigures:
    """The owned side of a case."""
    on_w, idle_w = drawn_power_w(case.nameplate_w, case.assumptions)
    machine = OwnMachine(case.purchase, on_w, idle_w, case.useful_hours_per_year, case.lease_per_month)
    return own_figures(machine, case.assumptions)


def tornado(case: Case, economics: Economics, ranges: Sequence[tuple[CaseInput, Range]]) -> tuple[Swing, ...]:
    """All inputs with a range, widest swing first.

    Assumptions the customer has entered himself are tried as well, over the catalogue's range when it holds them.
    `ranges` are those of the case (price, hours, speed); the offer's own range of prices is added.
    """
    swings = []
    for key, assumption in economics.assumptions.items():
        if key is EconomicsKey.USEFUL_LIFE_YEARS:
            continue
        if key in PUE_OF_PLACE.values() and PUE_OF_PLACE[case.place] is not key:
            continue
        ends = [
            replace(case, assumptions=with_value(case.assumptions, key, value, case.place))
            for value in (assumption.low, assumption.high)
        ]
        swings.append(_swing(key, assumption.low, assumption.high, ends[0], ends[1]))
    for name, tried in ranges:
        low, high = (_with_case_input(case, name, value) for value in (tried.low, tried.high))
        swings.append(_swing(name, tried.low, tried.high, low, high))
    moving = [swing for swing in swings if swing.width]
    return tuple(sorted(moving, key=lambda swing: (-swing.width, swing.key.value)))


def _swing(key: EconomicsKey | CaseInput, low_value: Decimal, high_value: Decimal, low: Case, high: Case) -> Swing:
    at_low, at_high = saving_over_horizon(low), saving_over_horizon(high)
    currency = low.assumptions.currency
    return Swing(
        key=key,
        low_value=low_value,
        high_value=high_value,
        saving_at_low=Money(round_money(at_low), currency),
        saving_at_high=Money(round_money(at_high), currency),
        flips=(at_low < 0) != (at_high < 0),
    )


def _with_case_input(case: Case, name: CaseInput, value: Decimal) -> Case:
    if name is CaseInput.PURCHASE_PRICE:
        return replace(case, purchase=Money(value, case.purchase.currency))
    if name is CaseInput.RENT:
        return replace(case, offer=replace(case.offer, low=value, high=value))
    if name is CaseInput.USEFUL_HOURS:
        return replace(case, useful_hours_per_year=value)
    if name is CaseInput.HORIZON_YEARS:
        return replace(case, assumptions=replace(case.assumptions, years=int(value)))
    speed = replace(case.match.speed, low=float(value), expected=float(value), high=float(value))
    return replace(case, match=replace(case.match, speed=speed))


@dataclass(frozen=True, slots=True)
class TimePoint:
    """Money spent after so many months. The residual value comes back in the last one."""

    month: int
    owning: Money
    renting: Money


@dataclass(frozen=True, slots=True)
class CostOverTime:
    """Cumulative cost of both sides; `crossing_month` is the first month from which owning stays cheaper."""

    points: tuple[TimePoint, ...]
    crossing_month: int | None


def cost_over_time(own: OwnFigures, rent_per_year: Decimal, assumptions: CostAssumptions) -> CostOverTime:
    """Month by month over the horizon, undiscounted: a purchase is paid at the start, a lease month by month."""
    spread = Decimal(0) if own.upfront else own.capital_per_year
    running = (own.per_year - own.capital_per_year + spread) / MONTHS_PER_YEAR
    rent = rent_per_year / MONTHS_PER_YEAR
    months = assumptions.years * int(MONTHS_PER_YEAR)
    points = []
    for month in range(months + 1):
        owned = own.upfront + running * month - (own.residual if month == months else 0)
        points.append(
            TimePoint(
                month,
                Money(round_money(owned), assumptions.currency),
                Money(round_money(rent * month), assumptions.currency),
            )
        )
    crossing = None
    for point in reversed(points):
        if point.owning.amount > point.renting.amount:
            break
        crossing = point.month
    return CostOverTime(tuple(points), crossing)


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """Cost of one owned hour's work at a utilisation."""

    utilisation: Decimal
    own_per_hour: Money
    rent_per_hour: Money


def break_even_curve(
    own: OwnFigures, rent_per_owned_hour: Decimal, *, committed_per_year: Decimal | None = None, steps: int = 20
) -> tuple[CurvePoint, ...]:
    """Own and rented cost per hour at 1/steps, 2/steps ... full use. A committed rent falls with use like owning."""
    points = []
    for step in range(1, steps + 1):
        utilisation = Decimal(step) / steps
        rent = rent_per_owned_hour
        if committed_per_year is not None:
            rent = committed_per_year / (utilisation * HOURS_PER_YEAR)
        mine = own_cost_per_hour(own.fixed_per_year, own.variable_per_hour, utilisation)
        points.append(
            CurvePoint(utilisation, Money(round_money(mine), own.currency), Money(round_money(rent), own.currency))
        )
    return tuple(points)
