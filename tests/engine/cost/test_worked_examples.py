"""The worked examples W1 to W6, each with its hand calculation. 730 h a month, 26,280 h in three years."""

from decimal import Decimal

import pytest

from engine.cost.break_even import BreakEvenStatus, PaybackStatus, break_even, own_cost_per_hour, payback
from engine.cost.leasing import annuity_per_month
from engine.cost.npv import net_present_value
from engine.cost.offers import OwnMachine, own_figures
from engine.cost.ownership import yearly_cost
from engine.cost.results import cost_per_run
from engine.units import FloatBand, Money

D = Decimal
ZERO = D(0)
FULL = D(8760)
LIFE = D(3)


def hours_to_payback(price: object, rent: object, variable: object, use: Decimal = FULL) -> Decimal:
    found = payback(D(str(price)), ZERO, D(str(rent)), D(str(variable)), use, LIFE)
    assert found.useful_hours is not None
    return found.useful_hours


# W1. 25,000 / (3.15 - 0.07 - 0.02) = 25,000 / 3.06 = 8,169.9 h; 8,169.9 / 730 = 11.2 months; / 438 = 18.7;
# / 500 = 16.3.
def test_w1_that_an_h100_pays_back_after_8170_hours_and_not_7937():
    assert round(hours_to_payback(25_000, "3.15", "0.09")) == 8_170


@pytest.mark.parametrize(("hours_per_month", "months"), [(730, "11.2"), (438, "18.7"), (500, "16.3")])
def test_w1_months_to_payback_by_use(hours_per_month, months):
    found = payback(D(25_000), ZERO, D("3.15"), D("0.09"), D(hours_per_month * 12), LIFE)
    assert found.status is PaybackStatus.WITHIN_LIFE
    assert round(found.months, 1) == D(months)


# W1, second part: v = 0.7 kW x 1.4 x 0.25 = 0.245; 25,000 / 2.905 = 8,605.9 h; with half the price again for the
# server 37,500 / 2.905 = 12,908.8 h, of 26,280 h = 49 %.
def test_w1_that_electricity_moves_less_than_the_server_share(assume):
    year = yearly_cost(D(25_000), 700, 0, FULL, assume(pue=D("1.4"), electricity_per_kwh=D("0.25")))
    assert year.variable_per_hour == D("0.245")
    assert round(hours_to_payback(25_000, "3.15", year.variable_per_hour)) == 8_606
    with_server = hours_to_payback(37_500, "3.15", year.variable_per_hour)
    assert round(with_server) == 12_909
    assert round(with_server / 26_280, 2) == D("0.49")


# W2. F = 25,000 / 3 = 8,333.33 (5,833.33 with 30 % residual); F / (u x 8,760) + 0.09.
@pytest.mark.parametrize(
    ("utilisation", "without", "with_residual"),
    [
        ("1", "1.041", "0.756"),
        ("0.8", "1.279", "0.922"),
        ("0.6", "1.675", "1.200"),
        ("0.4", "2.468", "1.755"),
        ("0.2", "4.846", "3.420"),
    ],
)
def test_w2_cost_of_an_owned_hour_by_utilisation(assume, utilisation, without, with_residual):
    for residual, expected in (("0", without), ("0.3", with_residual)):
        own = own_figures(
            OwnMachine(Money(D(25_000), "USD"), 900, 0, FULL),
            assume(electricity_per_kwh=D("0.1"), residual_share=D(residual)),
        )
        assert own.variable_per_hour == D("0.09")
        hour = own_cost_per_hour(own.fixed_per_year, own.variable_per_hour, D(utilisation))
        assert round(hour, 3) == D(expected)


# W2, second part: 8,333.33 / 3.06 = 2,723.3 h = 31.1 % of 8,760; 5,833.33 / 3.06 = 1,906.3 h = 21.8 %.
@pytest.mark.parametrize(("residual", "utilisation"), [("0", "0.311"), ("0.3", "0.218")])
def test_w2_break_even_utilisation(residual, utilisation):
    fixed = 25_000 * (1 - D(residual)) / 3
    found = break_even(fixed, D("3.15"), D("0.09"))
    assert found.status is BreakEvenStatus.REACHED
    assert round(found.utilisation, 3) == D(utilisation)


# W3. price / (rent - kW x price of a kWh): 1,600 / (0.60 - 0.045) = 2,882.9 and so on; months = hours / 438.
@pytest.mark.parametrize(
    ("price", "rent", "power_w", "at_10_cents", "at_25_cents", "months"),
    [
        (1_600, "0.60", 450, 2_883, 3_282, "6.6"),
        (8_000, "1.50", 350, 5_461, 5_664, "12.5"),
        (25_000, "3.15", 700, 8_117, 8_403, "18.5"),
        (35_000, "3.80", 700, 9_383, 9_655, "21.4"),
        (47_500, "4.70", 1_000, 10_326, 10_674, "23.6"),
        (15_000, "0.72", 300, 21_739, 23_256, "49.6"),
    ],
)
def test_w3_break_even_hours_of_every_card(assume, price, rent, power_w, at_10_cents, at_25_cents, months):
    for per_kwh, expected in (("0.10", at_10_cents), ("0.25", at_25_cents)):
        year = yearly_cost(D(price), power_w, 0, FULL, assume(electricity_per_kwh=D(per_kwh)))
        assert round(hours_to_payback(price, rent, year.variable_per_hour)) == expected
    found = payback(D(price), ZERO, D(rent), D(power_w) / 1000 * D("0.10"), D(438 * 12), LIFE)
    assert round(found.months, 1) == D(months)
    beyond = found.status is PaybackStatus.BEYOND_LIFE
    assert beyond == (price == 15_000), "only the A100 at a used price never pays back within three years"


# W4. 10 h x 0.60 = 6.00; an H100 three times as fast needs 10 x 330 / 1,000 = 3.3 h x 3.15 = 10.395; ratio 1.73.
def test_w4_the_same_job_costs_1_73_times_as_much_and_not_5_25_times():
    small = cost_per_run(FloatBand(10, 10, 10), Money(D("0.60"), "USD")).expected.amount
    hours = 10 * 330 / 1000
    large = cost_per_run(FloatBand(hours, hours, hours), Money(D("3.15"), "USD")).expected.amount
    assert (small, large) == (D("6.00"), D("10.40"))
    assert round(large / small, 2) == D("1.73")


# W5. j = 0.005, (1.005)^-36 = 0.835645; 100,000 x 0.005 / 0.164355 = 3,042.19; (100,000 - 8,356.45) x 0.005 /
# 0.164355 = 2,787.97.
@pytest.mark.parametrize(("residual", "rate"), [(0, "3042.19"), (10_000, "2787.97")])
def test_w5_leasing_annuity(residual, rate):
    assert round(annuity_per_month(D(100_000), D(residual), 36, D("0.06")), 2) == D(rate)


def test_w5_that_the_instalments_are_worth_the_purchase_today():
    rate = annuity_per_month(D(100_000), D(10_000), 36, D("0.06"))
    flows = [ZERO, *([rate] * 36)]
    flows[-1] += 10_000
    assert round(net_present_value(flows, D("0.005")), 2) == D("100000.00")


# W6. Investment 392,000, amortisation 8,166.67, power 376.32, room 3,000, rent 14,400 a month. Capital counted twice:
# 392,000 / (14,400 - 11,542.99) = 137 months. Counted once: 392,000 / (14,400 - 3,376.32) = 35.6, inside the 48.
def test_w6_that_capital_is_counted_once():
    hours = D(730) * 12
    running = (D("376.32") + 3_000) * 12
    found = payback(D(392_000), running, D(14_400) / 730, ZERO, hours, D(4))
    assert found.status is PaybackStatus.WITHIN_LIFE
    assert round(found.months, 1) == D("35.6")


# Its second slip: 8,166.67 + 376.32 + 3,000 = 11,542.99 a month is less than 14,400, so buying is the cheaper month.
def test_w6_that_buying_is_the_cheaper_month(assume):
    own = own_figures(
        OwnMachine(Money(D(392_000), "USD"), 0, 0, FULL),
        assume(years=4, life_years=D(4), room_per_year=D(36_000) + D("376.32") * 12),
    )
    assert round(own.per_year / 12, 2) == D("11542.99")
    assert own.per_year < 14_400 * 12
