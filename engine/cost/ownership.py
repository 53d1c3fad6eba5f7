"""What a machine of one's own costs per year, over the horizon and per useful hour.

Formulas: energy per year E = PUE x (P_on h + P_idle (8760 - h)) e; owned per year A = (C0 - R)/N + M + S + K + E;
variable per useful hour v = PUE x (P_on - P_idle) e; fixed per year F = A - v h.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from engine.cost.leasing import annuity_per_month
from engine.cost.types import HOURS_PER_YEAR, MONTHS_PER_YEAR, CostAssumptions
from engine.errors import InvalidInputError
from engine.units import Money, round_money

WATTS_PER_KILOWATT = Decimal(1000)
GRAMS_PER_KILOGRAM = Decimal(1000)


class CostLineKind(StrEnum):
    """The lines of an ownership statement, in the order in which they are printed."""

    CAPITAL = "capital"  # purchase less residual value, spread evenly
    INTEREST = "interest"
    LEASE = "lease"  # instead of capital and interest
    ENERGY_LOAD = "energy-load"
    ENERGY_IDLE = "energy-idle"
    MAINTENANCE = "maintenance"
    LICENCES = "licences"
    STAFF = "staff"
    ROOM = "room"


@dataclass(frozen=True, slots=True)
class CostLine:
    """One line, rounded to the cent."""

    kind: CostLineKind
    per_year: Money
    over_horizon: Money


@dataclass(frozen=True, slots=True)
class YearlyCost:
    """Unrounded parts of one year, all in one currency; the basis of every break-even."""

    capital: Decimal
    interest: Decimal
    energy_load: Decimal
    energy_idle: Decimal
    other: Decimal  # maintenance, licences, staff, room
    variable_per_hour: Decimal  # v: what one more useful hour costs

    @property
    def total(self) -> Decimal:
        """A: everything."""
        return self.capital + self.interest + self.energy_load + self.energy_idle + self.other


@dataclass(frozen=True, slots=True)
class Ownership:
    """The statement. `per_year` and `over_horizon` are the sums of the lines to the cent."""

    purchase: Money
    years: int
    useful_hours_per_year: Decimal
    lines: tuple[CostLine, ...]
    per_year: Money
    over_horizon: Money
    fixed_per_year: Money  # per_year less variable_per_year
    variable_per_year: Money
    variable_per_hour: Decimal  # unrounded, currency of `purchase`
    per_useful_hour: Money | None  # None without useful hours: never divided by zero
    energy_kwh_per_year: Decimal
    co2_kg_per_year: Decimal
    not_included: tuple[CostLineKind, ...]  # lines that are zero by assumption
    beyond_life: bool  # the horizon is longer than the assumed useful life


def yearly_cost(
    purchase: Decimal,
    power_on_w: int,
    power_idle_w: int,
    useful_hours: Decimal,
    assumptions: CostAssumptions,
) -> YearlyCost:
    """Unrounded yearly parts; amounts in `assumptions.currency`, `useful_hours` per year."""
    price = assumptions.pue * assumptions.electricity_per_kwh / WATTS_PER_KILOWATT  # per watt-hour in kilo units
    depreciable = purchase * (1 - assumptions.residual_share)
    capital = depreciable / assumptions.years
    interest = Decimal(0)
    if assumptions.interest_per_year:
        rate = annuity_per_month(
            purchase,
            purchase * assumptions.residual_share,
            assumptions.years * int(MONTHS_PER_YEAR),
            assumptions.interest_per_year,
        )
        interest = rate * MONTHS_PER_YEAR - capital
    return YearlyCost(
        capital=capital,
        interest=interest,
        energy_load=price * power_on_w * useful_hours,
        energy_idle=price * power_idle_w * (HOURS_PER_YEAR - useful_hours),
        other=purchase * assumptions.maintenance_share
        + assumptions.licences_per_year
        + assumptions.staff_per_year
        + assumptions.room_per_year,
        variable_per_hour=price * (power_on_w - power_idle_w),
    )


def drawn_power_w(nameplate_w: int, assumptions: CostAssumptions) -> tuple[int, int]:
    """Watts drawn under load and between runs, by the assumed shares of the rated power."""
    on_w = round(nameplate_w * assumptions.load_power_share)
    return on_w, min(on_w, round(nameplate_w * assumptions.idle_power_share))


def check_owner(purchase: Money, power_on_w: int, power_idle_w: int, useful_hours: Decimal, currency: str) -> None:
    """Refuse what cannot be computed; InvalidInputError names the field and the allowed values."""
    if purchase.currency != currency:
        raise InvalidInputError(
            "Purchase price: expected {expected}, got {given}.", expected=currency, given=purchase.currency
        )
    if not purchase.amount.is_finite() or purchase.amount < 0:
        raise InvalidInputError("The purchase price must be a finite amount of at least 0.")
    if power_on_w < 0 or not 0 <= power_idle_w <= power_on_w:
        raise InvalidInputError("The power at idle must lie between 0 and the power under load.")
    if not useful_hours.is_finite() or not 0 <= useful_hours <= HOURS_PER_YEAR:
        raise InvalidInputError("The useful hours per year must lie between 0 and 8760.")


def check_lease(rate: Money, assumptions: CostAssumptions) -> None:
    """Refuse a leasing rate of another currency or below 0."""
    if rate.currency != assumptions.currency:
        raise InvalidInputError(
            "Leasing rate: expected {expected}, got {given}.", expected=assumptions.currency, given=rate.currency
        )
    if not rate.amount.is_finite() or rate.amount < 0:
        raise InvalidInputError("The leasing rate must be a finite amount of at least 0.")


def ownership(
    purchase: Money,
    power_on_w: int,
    power_idle_w: int,
    useful_hours: Decimal,
    assumptions: CostAssumptions,
    *,
    lease_per_month: Money | None = None,
) -> Ownership:
    """State the cost of owning (or leasing) a machine for `assumptions.years`.

    `purchase` is the customer's net price of the whole system, `useful_hours` the hours per year in which it works.
    Raises InvalidInputError for a foreign currency or figures outside their range.
    """
    check_owner(purchase, power_on_w, power_idle_w, useful_hours, assumptions.currency)
    if lease_per_month is not None:
        check_lease(lease_per_month, assumptions)
    year = yearly_cost(purchase.amount, power_on_w, power_idle_w, useful_hours, assumptions)
    lines = _lines(purchase.amount, year, assumptions, lease_per_month)
    per_year = sum((line.per_year.amount for line in lines), Decimal(0))
    horizon = sum((line.over_horizon.amount for line in lines), Decimal(0))
    variable = round_money(year.variable_per_hour * useful_hours)
    kwh = (
        assumptions.pue
        * (power_on_w * useful_hours + power_idle_w * (HOURS_PER_YEAR - useful_hours))
        / WATTS_PER_KILOWATT
    )
    currency = assumptions.currency
    return Ownership(
        purchase=purchase,
        years=assumptions.years,
        useful_hours_per_year=useful_hours,
        lines=lines,
        per_year=Money(per_year, currency),
        over_horizon=Money(horizon, currency),
        fixed_per_year=Money(per_year - variable, currency),
        variable_per_year=Money(variable, currency),
        variable_per_hour=year.variable_per_hour,
        per_useful_hour=Money(per_year / useful_hours, currency).rounded() if useful_hours else None,
        energy_kwh_per_year=kwh,
        co2_kg_per_year=kwh * assumptions.co2_g_per_kwh / GRAMS_PER_KILOGRAM,
        not_included=tuple(line.kind for line in lines if _left_out(line, assumptions)),
        beyond_life=assumptions.years > assumptions.life_years,
    )


def _left_out(line: CostLine, assumptions: CostAssumptions) -> bool:
    """Whether a line is zero because nothing was assumed for it; energy may be zero for want of idle or busy hours."""
    if line.kind in (CostLineKind.ENERGY_LOAD, CostLineKind.ENERGY_IDLE):
        return not assumptions.electricity_per_kwh
    return not line.per_year.amount


def _lines(
    purchase: Decimal, year: YearlyCost, assumptions: CostAssumptions, lease_per_month: Money | None
) -> tuple[CostLine, ...]:
    amounts: list[tuple[CostLineKind, Decimal, Decimal | None]] = []
    if lease_per_month is not None:
        amounts.append((CostLineKind.LEASE, lease_per_month.amount * MONTHS_PER_YEAR, None))
    else:
        # The horizon's capital is exact; a third of it per year is not, so it is not multiplied back.
        amounts.append((CostLineKind.CAPITAL, year.capital, purchase * (1 - assumptions.residual_share)))
        amounts.append((CostLineKind.INTEREST, year.interest, None))
    amounts += [
        (CostLineKind.ENERGY_LOAD, year.energy_load, None),
        (CostLineKind.ENERGY_IDLE, year.energy_idle, None),
        (CostLineKind.MAINTENANCE, purchase * assumptions.maintenance_share, None),
        (CostLineKind.LICENCES, assumptions.licences_per_year, None),
        (CostLineKind.STAFF, assumptions.staff_per_year, None),
        (CostLineKind.ROOM, assumptions.room_per_year, None),
    ]
    lines = []
    for kind, per_year, whole in amounts:
        rounded = round_money(per_year)
        horizon = rounded * assumptions.years if whole is None else round_money(whole)
        lines.append(CostLine(kind, Money(rounded, assumptions.currency), Money(horizon, assumptions.currency)))
    return tuple(lines)
