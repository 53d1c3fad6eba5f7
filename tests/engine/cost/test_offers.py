"""Owning against one rental offer."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cost.break_even import (
    UTILISATIONS,
    BreakEvenStatus,
    PaybackStatus,
    break_even,
    own_cost_per_hour,
    payback,
)
from engine.cost.exchange import factor
from engine.cost.offers import OwnMachine, RentalMatch, SpeedBasis, compare_offer, own_figures
from engine.cost.types import RentalTerm
from engine.errors import InvalidInputError
from engine.figures import Grade
from engine.prices import ExchangeRate
from engine.units import FloatBand, Money

D = Decimal
TODAY = date(2026, 11, 30)
SAME = RentalMatch(1, FloatBand(1.0, 1.0, 1.0), SpeedBasis.SAME_CARD)


def owned(assume, hours, price=25_000, currency="USD", **fields):
    assumptions = assume(currency=currency, **fields)
    machine = OwnMachine(Money(D(price), currency), 900, 0, D(hours))
    return own_figures(machine, assumptions), assumptions


def compared(assume, offer, hours=5256, match=SAME, rates=(), **fields):
    own, assumptions = owned(assume, hours, **fields)
    return compare_offer(own, offer, match, assumptions, rates, TODAY, useful_hours_per_year=D(hours))


# v = 0.9 kW x 0.10 = 0.09; h* = 8,333.33 / 3.06 = 2,723 h; at 5,256 h owning costs 8,333.33 + 473.04 = 8,806.37 a year
# and renting 16,556.40.
def test_that_the_owners_hour_is_subtracted_from_the_rent(assume, offer):
    entry = compared(assume, offer(), electricity_per_kwh=D("0.10"))
    assert round(entry.break_even.hours_per_year) == 2_723
    assert entry.rent_per_year.expected.amount == D("16556.40")
    assert entry.buying_is_cheaper
    assert round(entry.payback.useful_hours) == 8_170


def test_that_the_table_runs_from_20_to_100_per_cent(assume, offer):
    entry = compared(assume, offer(), electricity_per_kwh=D("0.10"))
    assert [row.utilisation for row in entry.table] == list(UTILISATIONS)
    assert [row.own_per_hour.amount for row in entry.table] == [D(x) for x in ("4.85", "2.47", "1.68", "1.28", "1.04")]
    assert [row.buying_is_cheaper for row in entry.table] == [False, True, True, True, True]


# A rented machine twice as fast does an owned hour in half an hour: 6.30 / 2 = 3.15.
def test_that_rent_is_adjusted_for_speed_both_ways(assume, offer):
    fast = compared(assume, offer("6.30"), match=RentalMatch(1, FloatBand(1.6, 2.0, 2.5), SpeedBasis.MODELLED))
    assert fast.rent_per_owned_hour.expected.amount == D("3.15")
    assert fast.rent_per_owned_hour.low.amount == D("2.52")
    assert fast.rent_per_owned_hour.high.amount == D("3.94")


def test_that_a_range_of_prices_is_compared_at_its_middle(assume, offer):
    ranged = replace(offer("2.00"), high=D("4.00"))
    entry = compared(assume, ranged)
    assert entry.rent_per_hour.amount == D("3.00")
    assert [entry.rent_per_owned_hour.low.amount, entry.rent_per_owned_hour.high.amount] == [D("2.00"), D("4.00")]


def test_that_all_rented_cards_are_paid_for(assume, offer):
    four = compared(assume, offer("2.00"), match=RentalMatch(4, FloatBand(1.0, 1.0, 1.0), SpeedBasis.SAME_CARD))
    assert four.rent_per_hour.amount == D("8.00")


def test_that_extras_are_paid_once_per_hour(assume, offer):
    entry = compared(assume, offer("2.00"), rental_extra_per_hour=D("0.50"))
    assert entry.rent_per_hour.amount == D("2.50")


# 3.15 USD at 1 EUR = 1.25 USD are 2.52 EUR.
def test_that_a_foreign_price_is_converted_at_the_dated_rate(assume, offer, euro_rate):
    entry = compared(assume, offer(), rates=(euro_rate,), currency="EUR")
    assert entry.rent_per_hour == Money(D("2.52"), "EUR")
    assert entry.rate is euro_rate


def test_that_an_offer_without_a_rate_is_not_compared(assume, offer):
    assert compared(assume, offer(), currency="CHF") is None


# 1,460 a month are 2.00 an hour for all 730 hours: 17,520 a year whatever the use.
def test_that_a_committed_rent_is_due_for_every_hour(assume, offer):
    idle = compared(assume, offer("2.00", term=RentalTerm.MONTHLY), hours=100)
    busy = compared(assume, offer("2.00", term=RentalTerm.MONTHLY), hours=8000)
    assert idle.rent_per_year.expected.amount == busy.rent_per_year.expected.amount == D("17520.00")
    assert idle.break_even.status is BreakEvenStatus.COMMITTED


# 17,520 a year over 1,752 useful hours (20 %) are 10.00 an hour, over 8,760 (100 %) 2.00.
def test_that_a_committed_rent_falls_with_use_in_the_table(assume, offer):
    entry = compared(assume, offer("2.00", term=RentalTerm.MONTHLY))
    assert [row.rent_per_hour.amount for row in entry.table] == [
        D(x) for x in ("10.00", "5.00", "3.33", "2.50", "2.00")
    ]


# 30 % residual: 17,500 / (3.15 - 0.09) = 5,719 h; 17,500 / 3 / 3.06 = 1,906 h a year.
def test_that_the_residual_value_shortens_the_payback(assume, offer):
    entry = compared(assume, offer(), electricity_per_kwh=D("0.10"), residual_share=D("0.3"))
    assert round(entry.payback.useful_hours) == 5_719
    assert round(entry.break_even.hours_per_year) == 1_906


def test_that_a_setup_fee_is_spread_over_the_horizon(assume, offer):
    plain = compared(assume, offer("2.00"))
    with_fee = compared(assume, offer("2.00", setup_fee=D(1_500)))
    assert with_fee.rent_per_year.expected.amount - plain.rent_per_year.expected.amount == D("500.00")


# 1,500 USD at 1 EUR = 1.25 USD are 1,200 EUR, for two cards 2,400, over three years 800.
def test_that_a_setup_fee_is_converted_and_paid_per_card(assume, offer, euro_rate):
    pair = RentalMatch(2, FloatBand(1.0, 1.0, 1.0), SpeedBasis.SAME_CARD)
    plain = compared(assume, offer(), match=pair, rates=(euro_rate,), currency="EUR")
    with_fee = compared(assume, offer(setup_fee=D(1_500)), match=pair, rates=(euro_rate,), currency="EUR")
    assert with_fee.rent_per_year.expected.amount - plain.rent_per_year.expected.amount == D("800.00")


def test_that_a_slow_rented_machine_is_marked_when_a_year_is_too_short(assume, offer):
    slow = RentalMatch(1, FloatBand(0.5, 0.5, 0.5), SpeedBasis.MODELLED)
    assert not compared(assume, offer(), hours=5256, match=slow).enough_hours
    assert compared(assume, offer(), hours=4380, match=slow).enough_hours


@pytest.mark.parametrize("speed", [FloatBand(0.0, 1.0, 1.0), FloatBand(2.0, 1.0, 3.0), FloatBand(1.0, 2.0, 1.5)])
def test_that_impossible_speeds_are_refused(assume, offer, speed):
    with pytest.raises(InvalidInputError):
        compared(assume, offer(), match=RentalMatch(1, speed, SpeedBasis.ENTERED))


def test_that_renting_zero_cards_is_refused(assume, offer):
    with pytest.raises(InvalidInputError):
        compared(assume, offer(), match=RentalMatch(0, FloatBand(1.0, 1.0, 1.0), SpeedBasis.ENTERED))


def test_that_an_owned_hour_as_dear_as_a_rented_one_never_breaks_even():
    assert break_even(D(1), D("0.10"), D("0.10")).status is BreakEvenStatus.NEVER
    assert break_even(D(1), D("0.10"), D("0.20")).hours_per_year is None


# 30,000 a year / (3.50 - 0.50) = 10,000 h, more than a year has.
def test_that_a_break_even_beyond_a_full_year_says_so():
    found = break_even(D(30_000), D("3.50"), D("0.50"))
    assert found.status is BreakEvenStatus.ABOVE_FULL_USE
    assert found.hours_per_year == 10_000


def test_that_a_payback_beyond_the_useful_life_says_so():
    assert payback(D(15_000), D(0), D("0.72"), D("0.03"), D(5_256), D(3)).status is PaybackStatus.BEYOND_LIFE
    assert payback(D(15_000), D(0), D("0.72"), D("0.03"), D(5_256), D(5)).status is PaybackStatus.WITHIN_LIFE


# 3,000 / 1.00 an hour at 1,000 h a year: three years to the day.
def test_that_a_payback_on_the_last_day_is_within_the_life():
    found = payback(D(3_000), D(0), D(1), D(0), D(1_000), D(3))
    assert found.status is PaybackStatus.WITHIN_LIFE
    assert found.months == 36


def test_that_running_cost_can_eat_the_whole_gain():
    found = payback(D(3_000), D(1_000), D(1), D(0), D(1_000), D(3))
    assert found.status is PaybackStatus.NEVER
    assert found.useful_hours is None


def test_that_no_use_pays_nothing_back():
    assert payback(D(1), D(0), D(1), D(0), D(0), D(3)).status is PaybackStatus.NO_USE
    with pytest.raises(InvalidInputError):
        payback(D(1), D(0), D(1), D(0), D(-1), D(3))


@pytest.mark.parametrize("utilisation", ["0", "-0.1", "1.01"])
def test_that_an_hour_needs_a_use_between_0_and_1(utilisation):
    with pytest.raises(InvalidInputError):
        own_cost_per_hour(D(1), D(1), D(utilisation))


@given(
    price=st.decimals(min_value=1_000, max_value=10**6, places=2),
    rent=st.decimals(min_value="0.2", max_value=100, places=2),
    electricity=st.decimals(min_value=0, max_value=1, places=2),
)
def test_that_both_sides_cost_the_same_at_the_break_even(assume, offer, price, rent, electricity):
    own, _ = owned(assume, 1, price=price, electricity_per_kwh=electricity)
    found = break_even(own.fixed_per_year, rent, own.variable_per_hour)
    if found.hours_per_year is None:
        assert rent <= own.variable_per_hour
        return
    owning = own.fixed_per_year + own.variable_per_hour * found.hours_per_year
    assert abs(owning - rent * found.hours_per_year) < D("0.0001")


@given(hours=st.decimals(min_value=1, max_value=8760, places=1), rent=st.decimals(min_value=1, max_value=9, places=2))
def test_that_the_verdict_turns_at_the_break_even(assume, offer, hours, rent):
    entry = compared(assume, offer(rent), hours=hours, electricity_per_kwh=D("0.10"))
    assert entry.buying_is_cheaper == (hours > entry.break_even.hours_per_year)


def rate(base, quote, value, day):
    return ExchangeRate(base, quote, D(value), day, None, Grade.A)


def test_that_the_newest_rate_not_after_the_date_decides():
    rates = (
        rate("EUR", "USD", "1.10", date(2026, 9, 1)),
        rate("EUR", "USD", "1.12", date(2026, 10, 9)),
        rate("EUR", "USD", "1.20", date(2026, 12, 24)),
    )
    assert factor("EUR", "USD", rates, TODAY)[0] == D("1.12")
    assert factor("USD", "EUR", rates, TODAY)[0] == 1 / D("1.12")
    assert factor("EUR", "USD", rates, date(2020, 1, 1))[0] == D("1.10"), "without an older rate the oldest"
    assert factor("EUR", "EUR", (), TODAY) == (1, None)
    assert factor("EUR", "JPY", rates, TODAY) is None


# 1.12 USD and 0.9313 CHF per EUR: a dollar is 0.9313 / 1.12 = 0.83152 CHF, dated by the older of the two.
def test_that_two_rates_against_the_euro_make_a_cross_rate():
    rates = (rate("EUR", "USD", "1.12", date(2026, 10, 9)), rate("EUR", "CHF", "0.9313", date(2026, 10, 2)))
    worth, cross = factor("USD", "CHF", rates, TODAY)
    assert round(worth, 5) == D("0.83152")
    assert cross.as_of == date(2026, 10, 2)
    assert cross.grade is Grade.D
    assert factor("USD", "CHF", rates[:1], TODAY) is None
    assert factor("USD", "CHF", rates[1:], TODAY) is None


# 2,600 h: owning 8,333.33 + 234.00 = 8,567.33; renting 8,190.00 expected, 10,237.50 at the slow end of the speed.
def test_that_the_expected_rent_decides_which_side_is_cheaper(assume, offer):
    unsure = RentalMatch(1, FloatBand(0.8, 1.0, 1.25), SpeedBasis.MODELLED)
    entry = compared(assume, offer(), hours=2_600, match=unsure, electricity_per_kwh=D("0.10"))
    assert [entry.rent_per_year.low.amount, entry.rent_per_year.expected.amount, entry.rent_per_year.high.amount] == [
        D("6552.00"),
        D("8190.00"),
        D("10237.50"),
    ]
    assert entry.buying_is_cheaper is False
    # 25,000 / (3.15 - 0.09) = 8,170 h at the expected rent.
    assert round(entry.payback.useful_hours) == 8_170
