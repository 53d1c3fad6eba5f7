"""From the catalogue's defaults and the customer's answers to the assumptions in force."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal

from engine.cost.exchange import factor
from engine.cost.types import HOURS_PER_YEAR, MONEY_KEYS, CostAssumptions, Economics, EconomicsKey
from engine.errors import InvalidInputError
from engine.facts import Facts
from engine.prices import ExchangeRate
from engine.workload import Place, Scenario

PUE_OF_PLACE = {
    Place.DESK: EconomicsKey.PUE_DESK,
    Place.RACK: EconomicsKey.PUE_RACK,
    Place.DATA_CENTRE: EconomicsKey.PUE_DATA_CENTRE,
}

LIMITS: Mapping[EconomicsKey, tuple[Decimal, Decimal]] = {
    EconomicsKey.PUE_DESK: (Decimal(1), Decimal(5)),
    EconomicsKey.PUE_RACK: (Decimal(1), Decimal(5)),
    EconomicsKey.PUE_DATA_CENTRE: (Decimal(1), Decimal(5)),
    EconomicsKey.LOAD_POWER_SHARE: (Decimal(0), Decimal(1)),
    EconomicsKey.IDLE_POWER_SHARE: (Decimal(0), Decimal(1)),
    EconomicsKey.USEFUL_LIFE_YEARS: (Decimal(1), Decimal(30)),
    EconomicsKey.RESIDUAL_SHARE: (Decimal(0), Decimal(1)),
    EconomicsKey.MAINTENANCE_SHARE: (Decimal(0), Decimal(1)),
    EconomicsKey.INTEREST_PER_YEAR: (Decimal(0), Decimal(1)),
    EconomicsKey.UTILISATION: (Decimal(0), Decimal(1)),
    EconomicsKey.FAILED_RUN_SHARE: (Decimal(0), Decimal(10)),
    EconomicsKey.SEARCH_FACTOR: (Decimal(0), Decimal(1000)),
    EconomicsKey.SPEED_RATIO_BAND: (Decimal(1), Decimal(10)),
    EconomicsKey.DECISION_MARGIN: (Decimal(0), Decimal(1)),
}
"""Allowed values; every other assumption lies between 0 and `LARGEST`."""

LARGEST = Decimal(10) ** 12


def assumptions_in_force(economics: Economics, scenario: Scenario, facts: Facts) -> CostAssumptions:
    """Apply the overrides, choose the place's PUE and bring amounts into the scenario's currency.

    Raises InvalidInputError for an override outside its limits, or when no rate leads to the scenario's currency.
    """
    overrides = scenario.ownership.overrides
    for key, given in overrides.items():
        check(key, given)
    values, rate = _defaults(economics, scenario, facts)
    values.update(overrides)
    utilisation = values.get(EconomicsKey.UTILISATION)
    return CostAssumptions(
        currency=scenario.currency,
        years=scenario.horizon_years,
        life_years=values[EconomicsKey.USEFUL_LIFE_YEARS],
        electricity_per_kwh=values[EconomicsKey.ELECTRICITY_PER_KWH],
        pue=values[PUE_OF_PLACE[scenario.site.place]],
        load_power_share=values[EconomicsKey.LOAD_POWER_SHARE],
        idle_power_share=values[EconomicsKey.IDLE_POWER_SHARE],
        co2_g_per_kwh=values[EconomicsKey.CO2_G_PER_KWH],
        residual_share=values[EconomicsKey.RESIDUAL_SHARE],
        maintenance_share=values[EconomicsKey.MAINTENANCE_SHARE],
        licences_per_year=values[EconomicsKey.LICENCES_PER_YEAR],
        staff_per_year=values[EconomicsKey.STAFF_PER_YEAR],
        room_per_year=values[EconomicsKey.ROOM_PER_YEAR],
        interest_per_year=values[EconomicsKey.INTEREST_PER_YEAR],
        useful_hours_per_year=None if utilisation is None else utilisation * HOURS_PER_YEAR,
        failed_run_share=values[EconomicsKey.FAILED_RUN_SHARE],
        search_factor=values[EconomicsKey.SEARCH_FACTOR],
        recovery_hours=values[EconomicsKey.RECOVERY_HOURS],
        wage_per_hour=values[EconomicsKey.WAGE_PER_HOUR],
        storage_per_checkpoint=values[EconomicsKey.STORAGE_PER_CHECKPOINT],
        transfer_per_checkpoint=values[EconomicsKey.TRANSFER_PER_CHECKPOINT],
        orchestration_per_checkpoint=values[EconomicsKey.ORCHESTRATION_PER_CHECKPOINT],
        rental_extra_per_hour=values[EconomicsKey.RENTAL_EXTRA_PER_HOUR],
        speed_ratio_band=values[EconomicsKey.SPEED_RATIO_BAND],
        decision_margin=values[EconomicsKey.DECISION_MARGIN],
        waiting_per_hour=values[EconomicsKey.WAITING_PER_HOUR],
        rate=rate,
    )


def check(key: EconomicsKey, value: Decimal) -> None:
    """Refuse a value outside its limits with a message that names them."""
    low, high = LIMITS.get(key, (Decimal(0), LARGEST))
    if not value.is_finite() or not low <= value <= high:
        raise InvalidInputError("{field} must lie between {low} and {high}.", field=key.value, low=low, high=high)


def with_value(assumptions: CostAssumptions, key: EconomicsKey, value: Decimal, place: Place) -> CostAssumptions:
    """The same assumptions with one of them changed, for the sensitivity.

    Any key with a field of its own name, or the PUE of `place`.
    """
    name = "pue" if key is PUE_OF_PLACE[place] else key.value
    return replace(assumptions, **{name: value})  # type: ignore[arg-type]  # every key's field is a Decimal


def _defaults(
    economics: Economics, scenario: Scenario, facts: Facts
) -> tuple[dict[EconomicsKey, Decimal], ExchangeRate | None]:
    found = factor(economics.currency, scenario.currency, facts.rates, scenario.as_of)
    if found is None:
        raise InvalidInputError(
            "The catalogue has no exchange rate from {given} to {expected} up to {as_of}.",
            given=economics.currency,
            expected=scenario.currency,
            as_of=scenario.as_of.isoformat(),
        )
    worth, rate = found
    return {
        key: assumption.figure.value * worth if key in MONEY_KEYS else assumption.figure.value
        for key, assumption in economics.assumptions.items()
    }, rate
