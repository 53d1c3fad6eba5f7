"""The ownership statement: lines that add up, guards, and the parts that vary."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cost.leasing import annuity_per_month
from engine.cost.ownership import CostLineKind, drawn_power_w, ownership, yearly_cost
from engine.errors import InvalidInputError
from engine.units import Money

D = Decimal


def line(statement, kind):
    return next(entry for entry in statement.lines if entry.kind is kind)


# 50,000 over 3 years = 16,666.67; load 1.63 x 2.4 kW x 2,000 h x 0.27 = 2,112.48; idle 1.63 x 0.48 kW x 6,760 h x 0.27
# = 1,428.04; maintenance 5 % = 2,500; sum 22,707.19; per hour 11.35; kWh 7,824 + 5,289.02 = 13,113.02; x 363 g.
def test_that_a_statement_matches_the_hand_calculation(assume, usd):
    statement = ownership(
        usd(50_000),
        2_400,
        480,
        D(2_000),
        assume(
            pue=D("1.63"),
            electricity_per_kwh=D("0.27"),
            maintenance_share=D("0.05"),
            co2_g_per_kwh=D(363),
        ),
    )
    assert line(statement, CostLineKind.CAPITAL).per_year == usd("16666.67")
    assert line(statement, CostLineKind.CAPITAL).over_horizon == usd("50000.00")
    assert line(statement, CostLineKind.ENERGY_LOAD).per_year == usd("2112.48")
    assert line(statement, CostLineKind.ENERGY_IDLE).per_year == usd("1428.04")
    assert line(statement, CostLineKind.MAINTENANCE).per_year == usd("2500.00")
    assert statement.per_year == usd("22707.19")
    assert statement.per_useful_hour == usd("11.35")
    assert round(statement.energy_kwh_per_year, 2) == D("13113.02")
    assert round(statement.co2_kg_per_year) == 4_760


def test_that_zero_lines_are_named_as_not_included(assume, usd):
    statement = ownership(usd(1_000), 500, 100, D(100), assume(electricity_per_kwh=D("0.27")))
    assert set(statement.not_included) == {
        CostLineKind.INTEREST,
        CostLineKind.MAINTENANCE,
        CostLineKind.LICENCES,
        CostLineKind.STAFF,
        CostLineKind.ROOM,
    }


# 8,760 useful hours leave none between runs, and a machine that is switched off draws nothing: zero, and counted.
def test_that_energy_that_comes_to_nothing_is_included(assume, usd):
    priced = assume(electricity_per_kwh=D("0.27"))
    for idle_w, hours in ((100, D(8760)), (0, D(100))):
        statement = ownership(usd(1_000), 500, idle_w, hours, priced)
        assert line(statement, CostLineKind.ENERGY_IDLE).per_year == usd("0.00")
        assert CostLineKind.ENERGY_IDLE not in statement.not_included
    free = ownership(usd(1_000), 500, 100, D(100), assume(electricity_per_kwh=D(0)))
    assert {CostLineKind.ENERGY_LOAD, CostLineKind.ENERGY_IDLE} <= set(free.not_included)


def test_that_interest_is_the_annuity_less_the_capital(assume, usd):
    statement = ownership(usd(100_000), 0, 0, D(1), assume(interest_per_year=D("0.06")))
    rate = annuity_per_month(D(100_000), D(0), 36, D("0.06"))
    interest = line(statement, CostLineKind.INTEREST).per_year.amount
    assert interest == round(rate * 12 - D(100_000) / 3, 2)


def test_that_a_lease_replaces_capital_and_interest(assume, usd):
    leased = ownership(usd(100_000), 0, 0, D(1), assume(interest_per_year=D("0.06")), lease_per_month=usd(3_000))
    kinds = {entry.kind for entry in leased.lines}
    assert CostLineKind.LEASE in kinds
    assert not kinds & {CostLineKind.CAPITAL, CostLineKind.INTEREST}
    assert leased.over_horizon == usd(108_000)


def test_that_a_machine_switched_off_between_runs_draws_nothing(assume):
    assert drawn_power_w(2_000, assume(idle_power_share=D(0))) == (2_000, 0)
    assert drawn_power_w(2_000, assume(load_power_share=D("0.76"), idle_power_share=D("0.2"))) == (1_520, 400)


def test_that_a_horizon_beyond_the_useful_life_is_marked(assume, usd):
    assert ownership(usd(1), 0, 0, D(1), assume(years=5, life_years=D(3))).beyond_life
    assert not ownership(usd(1), 0, 0, D(1), assume(years=3, life_years=D(3))).beyond_life


def test_that_no_use_divides_nothing_by_zero(assume, usd):
    statement = ownership(usd(30_000), 1_000, 200, D(0), assume(electricity_per_kwh=D("0.27")))
    assert statement.per_useful_hour is None
    assert statement.variable_per_year == usd("0.00")
    assert statement.fixed_per_year == statement.per_year


@pytest.mark.parametrize(
    ("purchase", "on_w", "idle_w", "hours"),
    [
        (Money(D(1), "EUR"), 100, 10, D(1)),
        (Money(D(-1), "USD"), 100, 10, D(1)),
        (Money(D("NaN"), "USD"), 100, 10, D(1)),
        (Money(D(1), "USD"), 100, 101, D(1)),
        (Money(D(1), "USD"), -1, -1, D(1)),
        (Money(D(1), "USD"), 100, 10, D("8760.01")),
        (Money(D(1), "USD"), 100, 10, D(-1)),
        (Money(D(1), "USD"), 100, 10, D("Infinity")),
    ],
)
def test_that_figures_out_of_range_are_refused(assume, purchase, on_w, idle_w, hours):
    with pytest.raises(InvalidInputError):
        ownership(purchase, on_w, idle_w, hours, assume())


def test_that_a_lease_in_another_currency_is_refused(assume, usd):
    with pytest.raises(InvalidInputError, match="expected USD, got EUR"):
        ownership(usd(1), 0, 0, D(1), assume(), lease_per_month=Money(D(1), "EUR"))


@pytest.mark.parametrize(("months", "interest"), [(0, "0.06"), (36, "-0.01")])
def test_that_a_lease_needs_months_and_no_negative_interest(months, interest):
    with pytest.raises(InvalidInputError):
        annuity_per_month(D(100), D(0), months, D(interest))


def test_that_a_lease_without_interest_is_the_plain_share():
    assert annuity_per_month(D(3_600), D(0), 36, D(0)) == 100
    assert annuity_per_month(D(3_600), D(1_800), 36, D(0)) == 50


cents = st.decimals(min_value=0, max_value=10**7, places=2)
shares = st.decimals(min_value=0, max_value=1, places=3)


@given(
    price=cents,
    on_w=st.integers(0, 20_000),
    idle=shares,
    hours=st.decimals(min_value=0, max_value=8760, places=2),
    staff=cents,
    interest=shares,
    years=st.integers(1, 15),
    residual=shares,
)
def test_that_every_statement_adds_up_to_the_cent(assume, price, on_w, idle, hours, staff, interest, years, residual):
    statement = ownership(
        Money(price, "USD"),
        on_w,
        int(on_w * idle),
        hours,
        assume(
            electricity_per_kwh=D("0.27"),
            pue=D("1.63"),
            staff_per_year=staff,
            interest_per_year=interest,
            years=years,
            residual_share=residual,
        ),
    )
    assert sum(entry.per_year.amount for entry in statement.lines) == statement.per_year.amount
    assert sum(entry.over_horizon.amount for entry in statement.lines) == statement.over_horizon.amount
    assert statement.fixed_per_year.amount + statement.variable_per_year.amount == statement.per_year.amount
    assert all(entry.per_year.amount == round(entry.per_year.amount, 2) for entry in statement.lines)
    spread = abs(statement.over_horizon.amount - statement.per_year.amount * years)
    assert spread <= D("0.01") * years, "only the rounding of the yearly capital may part the two columns"


@given(hours=st.decimals(min_value=0, max_value=8759, places=2), more=st.decimals(min_value=0, max_value=1, places=2))
def test_that_more_use_costs_more_in_all_and_less_per_hour(assume, hours, more):
    assumptions = assume(electricity_per_kwh=D("0.27"), pue=D("1.3"))

    def total(use):
        return yearly_cost(D(50_000), 2_000, 400, use, assumptions).total

    assert total(hours + more) >= total(hours)
    if hours:
        assert total(hours + more) / (hours + more) <= total(hours) / hours
