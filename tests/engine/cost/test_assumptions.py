"""From defaults and answers to the assumptions in force."""

from dataclasses import replace
from datetime import date
from decimal import Decimal
from types import SimpleNamespace

import pytest

from catalog.economics_data import load_economics
from engine.cost.assumptions import LARGEST, LIMITS, assumptions_in_force, check, with_value
from engine.cost.types import EconomicsKey, OwnershipAnswers
from engine.errors import InvalidInputError
from engine.workload import Place, Priority, Scenario, Site

D = Decimal


@pytest.fixture
def resolve(euro_rate):
    def build(place=Place.RACK, currency="EUR", **overrides):
        scenario = Scenario(
            workloads=(),
            site=Site(place),
            must_have=frozenset(),
            priority=Priority.PURCHASE_PRICE,
            currency=currency,
            as_of=date(2026, 11, 30),
            horizon_years=4,
            ownership=OwnershipAnswers(
                overrides={EconomicsKey(key): D(value) for key, value in overrides.items()},
            ),
        )
        return assumptions_in_force(load_economics(), scenario, SimpleNamespace(rates=(euro_rate,)))

    return build


@pytest.mark.parametrize(("place", "pue"), [(Place.DESK, "1.0"), (Place.RACK, "1.63"), (Place.DATA_CENTRE, "1.3")])
def test_that_the_place_chooses_the_pue(resolve, place, pue):
    assert resolve(place).pue == D(pue)


def test_that_the_horizon_is_the_scenarios_and_the_life_the_catalogues(resolve):
    assert resolve().years == 4
    assert resolve().life_years == 3


# 0.27 EUR at 1 EUR = 1.25 USD are 0.3375 USD; shares stay as they are, entered amounts are already in dollars.
def test_that_amounts_are_converted_and_shares_and_entries_are_not(resolve):
    found = resolve(currency="USD", staff_per_year="1000", failed_run_share="0.2")
    assert found.electricity_per_kwh == D("0.3375")
    assert found.pue == D("1.63")
    assert found.staff_per_year == 1000
    assert found.failed_run_share == D("0.2")
    assert found.rate is not None
    assert resolve().rate is None


def test_that_a_stated_utilisation_gives_the_hours(resolve):
    assert resolve().useful_hours_per_year is None
    assert resolve(utilisation="0.25").useful_hours_per_year == 2190


def test_that_every_default_reaches_its_field(resolve):
    values = {
        EconomicsKey.LOAD_POWER_SHARE: "0.9",
        EconomicsKey.IDLE_POWER_SHARE: "0.1",
        EconomicsKey.CO2_G_PER_KWH: "300",
        EconomicsKey.RESIDUAL_SHARE: "0.15",
        EconomicsKey.MAINTENANCE_SHARE: "0.04",
        EconomicsKey.LICENCES_PER_YEAR: "11",
        EconomicsKey.STAFF_PER_YEAR: "12",
        EconomicsKey.ROOM_PER_YEAR: "13",
        EconomicsKey.INTEREST_PER_YEAR: "0.05",
        EconomicsKey.FAILED_RUN_SHARE: "0.3",
        EconomicsKey.SEARCH_FACTOR: "2",
        EconomicsKey.RECOVERY_HOURS: "3",
        EconomicsKey.WAGE_PER_HOUR: "90",
        EconomicsKey.STORAGE_PER_CHECKPOINT: "1",
        EconomicsKey.TRANSFER_PER_CHECKPOINT: "4",
        EconomicsKey.ORCHESTRATION_PER_CHECKPOINT: "5",
        EconomicsKey.RENTAL_EXTRA_PER_HOUR: "0.5",
        EconomicsKey.SPEED_RATIO_BAND: "1.5",
        EconomicsKey.DECISION_MARGIN: "0.2",
        EconomicsKey.ELECTRICITY_PER_KWH: "0.2",
    }
    found = resolve(**{key.value: value for key, value in values.items()})
    for key, value in values.items():
        assert getattr(found, key.value) == D(value), key


@pytest.mark.parametrize("key", EconomicsKey)
def test_that_the_ends_of_a_range_are_allowed_and_what_lies_beyond_is_not(key):
    low, high = LIMITS.get(key, (D(0), LARGEST))
    check(key, low)
    check(key, high)
    for wrong in (low - D("0.001"), high + D("0.001"), D("NaN"), D("Infinity")):
        with pytest.raises(InvalidInputError, match=key.value):
            check(key, wrong)


# The limits themselves: shares end at 1, a PUE begins at 1, idling never draws more than the rating.
@pytest.mark.parametrize(
    ("key", "low", "high"),
    [
        ("pue_rack", "1", "5"),
        ("load_power_share", "0", "1"),
        ("idle_power_share", "0", "1"),
        ("useful_life_years", "1", "30"),
        ("residual_share", "0", "1"),
        ("maintenance_share", "0", "1"),
        ("interest_per_year", "0", "1"),
        ("utilisation", "0", "1"),
        ("failed_run_share", "0", "10"),
        ("search_factor", "0", "1000"),
        ("speed_ratio_band", "1", "10"),
        ("decision_margin", "0", "1"),
    ],
)
def test_that_the_limits_are_these(key, low, high):
    assert LIMITS[EconomicsKey(key)] == (D(low), D(high))


def test_that_a_change_touches_one_assumption(resolve):
    before = resolve()
    assert with_value(before, EconomicsKey.PUE_RACK, D("1.2"), Place.RACK) == replace(before, pue=D("1.2"))
    changed = with_value(before, EconomicsKey.RESIDUAL_SHARE, D("0.3"), Place.RACK)
    assert changed == replace(before, residual_share=D("0.3"))
