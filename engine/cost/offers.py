"""Owning against one rental offer that can hold the same job.

The caller says which offers hold the job and how fast they are (`RentalMatch`); memory fit is a filter in front of
every figure. Rent and purchase are compared per hour of the owned machine's work: one owned hour equals 1/s rented
hours, s being the speed of the rented cards relative to the owned machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from enum import StrEnum
from statistics import median

from engine.cost.break_even import (
    UTILISATIONS,
    BreakEven,
    BreakEvenStatus,
    Payback,
    PaybackStatus,
    break_even,
    own_cost_per_hour,
    payback,
)
from engine.cost.exact import exact
from engine.cost.exchange import factor
from engine.cost.ownership import YearlyCost, check_lease, check_owner, yearly_cost
from engine.cost.types import (
    COMMITTED,
    HOURS_PER_YEAR,
    INTERRUPTIBLE,
    MONTHS_PER_YEAR,
    CostAssumptions,
    RentalOffer,
)
from engine.errors import InvalidInputError
from engine.prices import DEFAULT_LIMITS, AgeLimits, ExchangeRate, PriceAge
from engine.pricing import age_of
from engine.units import FloatBand, Money, MoneyBand, round_money


class SpeedBasis(StrEnum):
    """What a speed ratio between rented and owned cards rests on."""

    SAME_CARD = "same-card"  # same card and count: 1 by definition, host differences left out
    MODELLED = "modelled"  # step times of the speed model on both sides
    ENTERED = "entered"


@dataclass(frozen=True, slots=True)
class RentalMatch:
    """The rented cards that hold the job, and their speed relative to the owned machine (2.0: twice as fast)."""

    cards: int  # of all rented machines
    speed: FloatBand
    basis: SpeedBasis
    proven: bool = True  # the catalogue has evidence for fine-tuning software on this vendor's cards
    machines: int = 1  # more than one when a month is too short for all runs on one


@dataclass(frozen=True, slots=True)
class OwnMachine:
    """The owned side: the customer's net price, drawn watts, useful hours per year of the whole machine."""

    purchase: Money
    power_on_w: int
    power_idle_w: int
    useful_hours_per_year: Decimal
    lease_per_month: Money | None = None  # over the horizon, instead of the purchase


@dataclass(frozen=True, slots=True)
class UtilisationRow:
    """One line of the table at 20 to 100 %: cost of one owned hour's work on both sides."""

    utilisation: Decimal
    own_per_hour: Money
    rent_per_hour: Money
    buying_is_cheaper: bool


@dataclass(frozen=True, slots=True)
class OfferComparison:
    """One offer against owning. Money is in the scenario's currency, net."""

    offer: RentalOffer
    match: RentalMatch
    rate: ExchangeRate | None  # set when the price was converted
    age: PriceAge
    rent_per_hour: Money  # all rented cards, extras included, per rented hour
    rent_per_owned_hour: MoneyBand  # the same work as one hour of the owned machine
    rent_per_year: MoneyBand
    break_even: BreakEven | None  # None, like the next two, when the owned machine has no complete price
    payback: Payback | None
    table: tuple[UtilisationRow, ...]
    interruptible: bool
    committed: bool
    enough_hours: bool  # one rented machine has enough hours in a year for the planned use
    buying_is_cheaper: bool | None  # at the expected values and the planned use


@dataclass(frozen=True, slots=True)
class OwnFigures:
    """Unrounded yearly figures of the owned side."""

    currency: str
    fixed_per_year: Decimal  # F
    capital_per_year: Decimal  # part of F
    depreciable: Decimal  # C0 - R; the sum of all instalments of a lease
    upfront: Decimal  # paid on the first day: the purchase, nothing for a lease
    residual: Decimal  # comes back on the last day
    variable_per_hour: Decimal  # v
    useful_hours_per_year: Decimal

    @property
    def per_year(self) -> Decimal:
        """A at the planned use."""
        return self.fixed_per_year + self.variable_per_hour * self.useful_hours_per_year


def own_figures(own: OwnMachine, assumptions: CostAssumptions) -> OwnFigures:
    """F, v and their parts. Raises InvalidInputError for a foreign currency or figures outside their range."""
    check_owner(own.purchase, own.power_on_w, own.power_idle_w, own.useful_hours_per_year, assumptions.currency)
    # Without useful hours nothing of A varies: it is F.
    idle = yearly_cost(own.purchase.amount, own.power_on_w, own.power_idle_w, Decimal(0), assumptions)
    residual = own.purchase.amount * assumptions.residual_share
    figures = OwnFigures(
        currency=assumptions.currency,
        fixed_per_year=idle.total,
        capital_per_year=idle.capital,
        depreciable=own.purchase.amount - residual,
        upfront=own.purchase.amount,
        residual=residual,
        variable_per_hour=idle.variable_per_hour,
        useful_hours_per_year=own.useful_hours_per_year,
    )
    return figures if own.lease_per_month is None else _leased(figures, idle, own.lease_per_month, assumptions)


def _leased(figures: OwnFigures, idle: YearlyCost, rate: Money, assumptions: CostAssumptions) -> OwnFigures:
    check_lease(rate, assumptions)
    instalments = rate.amount * MONTHS_PER_YEAR
    zero = Decimal(0)
    return replace(
        figures,
        fixed_per_year=idle.total - idle.capital - idle.interest + instalments,
        capital_per_year=instalments,
        depreciable=instalments * assumptions.years,
        upfront=zero,
        residual=zero,
    )


def compare_offer(
    own: OwnFigures | None,
    offer: RentalOffer,
    match: RentalMatch,
    assumptions: CostAssumptions,
    rates: Iterable[ExchangeRate],
    as_of: date,
    *,
    useful_hours_per_year: Decimal,
    limits: AgeLimits = DEFAULT_LIMITS,
) -> OfferComparison | None:
    """Set one offer against owning; None when no exchange rate leads to the assumptions' currency.

    Committed terms are paid for all 8760 hours of a year; a setup fee is spread over the horizon.
    """
    if match.cards < 1 or not 0 < match.speed.low <= match.speed.expected <= match.speed.high:
        raise InvalidInputError("A rented machine needs at least 1 card and a speed greater than 0.")
    currency = assumptions.currency
    converted = factor(offer.currency, currency, rates, as_of)
    if converted is None:
        return None
    worth, rate = converted
    committed = offer.term in COMMITTED
    setup = (offer.setup_fee or Decimal(0)) * worth * match.cards / assumptions.years
    per_hour: list[Decimal] = []
    per_owned_hour: list[Decimal] = []
    per_year: list[Decimal] = []
    ends = ((offer.low, match.speed.high), (offer.middle, match.speed.expected), (offer.high, match.speed.low))
    for price, speed in ends:
        hourly = price * worth * match.cards + assumptions.rental_extra_per_hour
        per_hour.append(hourly)
        per_owned_hour.append(hourly / exact(speed))
        due = hourly * HOURS_PER_YEAR if committed else per_owned_hour[-1] * useful_hours_per_year
        per_year.append(due + setup)
    expected_year = per_year[1]
    return OfferComparison(
        offer=offer,
        match=match,
        rate=rate,
        age=age_of(offer.as_of, as_of, limits),
        rent_per_hour=Money(round_money(per_hour[1]), currency),
        rent_per_owned_hour=_band(per_owned_hour, currency),
        rent_per_year=_band(per_year, currency),
        break_even=None if own is None else _break_even(own, per_owned_hour[1], committed=committed),
        payback=None if own is None else _payback(own, expected_year, assumptions),
        table=() if own is None else _table(own, per_owned_hour[1], expected_year if committed else None),
        interruptible=offer.term in INTERRUPTIBLE,
        committed=committed,
        enough_hours=useful_hours_per_year <= HOURS_PER_YEAR * exact(match.speed.expected),
        buying_is_cheaper=None if own is None else own.per_year < expected_year,
    )


def _break_even(own: OwnFigures, rent_per_owned_hour: Decimal, *, committed: bool) -> BreakEven:
    if committed:
        return BreakEven(BreakEvenStatus.COMMITTED, None, None)
    return break_even(own.fixed_per_year, rent_per_owned_hour, own.variable_per_hour)


def _payback(own: OwnFigures, rent_per_year: Decimal, assumptions: CostAssumptions) -> Payback:
    hours = own.useful_hours_per_year
    if not hours:
        return Payback(PaybackStatus.NO_USE, None, None)
    return payback(
        own.depreciable,
        own.fixed_per_year - own.capital_per_year,
        rent_per_year / hours,
        own.variable_per_hour,
        hours,
        assumptions.life_years,
    )


def _band(values: Sequence[Decimal], currency: str) -> MoneyBand:
    low, expected, high = (Money(round_money(value), currency) for value in values)
    return MoneyBand(low, expected, high)


def _table(
    own: OwnFigures, rent_per_owned_hour: Decimal, committed_per_year: Decimal | None
) -> tuple[UtilisationRow, ...]:
    rows = []
    for utilisation in UTILISATIONS:
        mine = own_cost_per_hour(own.fixed_per_year, own.variable_per_hour, utilisation)
        theirs = rent_per_owned_hour
        if committed_per_year is not None:
            theirs = committed_per_year / (utilisation * HOURS_PER_YEAR)
        rows.append(
            UtilisationRow(
                utilisation,
                Money(round_money(mine), own.currency),
                Money(round_money(theirs), own.currency),
                mine < theirs,
            )
        )
    return tuple(rows)


def median_rent_per_year(comparisons: Sequence[OfferComparison]) -> Decimal | None:
    """Middle of the yearly rents: the market's level beside the cheapest offer."""
    return median(entry.rent_per_year.expected.amount for entry in comparisons) if comparisons else None
