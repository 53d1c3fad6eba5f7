"""What a plan costs per month and per run."""

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cost.plan_costs import RunLoad, plan_costs
from engine.errors import InvalidInputError
from engine.units import FloatBand, Money

D = Decimal
PRICE = Money(D(36_000), "USD")
FOUR_TEN_HOUR_RUNS = [RunLoad(FloatBand(8.0, 10.0, 15.0), D(4))]


# 36,000 / 36 months = 1,000 a month; 1 kW x 40 h x 0.10 = 4.00; 1,004 / 40 h = 25.10 an hour; ten hours 251.00.
def test_that_a_month_is_spread_over_its_runs(assume):
    costs = plan_costs(PRICE, 1_000, FOUR_TEN_HOUR_RUNS, assume(electricity_per_kwh=D("0.10")))
    assert costs.per_month.amount == D("1004.00")
    assert costs.per_useful_hour is not None
    assert costs.per_useful_hour.amount == D("25.10")
    assert costs.per_run[0].expected.amount == D("251.00")
    assert costs.useful_hours_per_month == 40


# The machine stands there anyway: a run that takes 15 h instead of 10 costs 5 h of energy more, 5 x 0.10 = 0.50.
def test_that_only_energy_varies_when_the_load_is_these_runs(assume):
    band = plan_costs(PRICE, 1_000, FOUR_TEN_HOUR_RUNS, assume(electricity_per_kwh=D("0.10"))).per_run[0]
    assert band.low.amount == D("250.80")
    assert band.high.amount == D("251.50")


# With 60 % stated, the hour costs 12,000 / 5,256 + 0.10 = 2.383; 10 h 23.83, 15 h 35.75.
def test_that_the_whole_hour_varies_with_a_stated_utilisation(assume):
    stated = assume(electricity_per_kwh=D("0.10"), useful_hours_per_year=D("0.6") * 8760)
    band = plan_costs(PRICE, 1_000, FOUR_TEN_HOUR_RUNS, stated).per_run[0]
    assert band.expected.amount == D("23.83")
    assert band.high.amount == D("35.75")


def test_that_useful_hours_end_with_the_month(assume):
    always = plan_costs(PRICE, 1_000, [RunLoad(FloatBand(900.0, 900.0, 900.0), D(4))], assume())
    assert always.useful_hours_per_month == 730


def test_that_an_idle_plan_has_no_cost_per_run(assume):
    idle = plan_costs(PRICE, 1_000, [], assume())
    assert idle.per_month.amount == D("1000.00")
    assert idle.per_useful_hour is None
    assert idle.per_run == ()


@pytest.mark.parametrize("hours", [float("nan"), -1.0])
def test_that_impossible_busy_hours_are_refused(assume, hours):
    with pytest.raises(InvalidInputError):
        plan_costs(PRICE, 1_000, FOUR_TEN_HOUR_RUNS, assume(), hours)


def test_that_a_price_in_another_currency_is_refused(assume):
    with pytest.raises(InvalidInputError, match="expected USD, got EUR"):
        plan_costs(replace(PRICE, currency="EUR"), 1_000, FOUR_TEN_HOUR_RUNS, assume())


@given(
    hours=st.lists(st.floats(0.1, 40.0), min_size=1, max_size=4),
    power_w=st.integers(0, 12_000),
    price=st.decimals(min_value=1, max_value=10**6, places=2),
)
def test_that_the_runs_of_a_month_pay_for_the_month(assume, hours, power_w, price):
    runs = [RunLoad(FloatBand(value, value, value), D(2)) for value in hours]
    assumptions = assume(electricity_per_kwh=D("0.27"), pue=D("1.3"), idle_power_share=D("0.2"))
    costs = plan_costs(Money(price, "USD"), power_w, runs, assumptions)
    paid = sum(band.expected.amount * 2 for band in costs.per_run)
    assert abs(paid - costs.per_month.amount) <= D("0.01") * (2 * len(runs) + 1)
