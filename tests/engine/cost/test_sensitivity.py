"""The tornado, the curves and the present value."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from catalog.economics_data import load_economics
from engine.cost.npv import buying_against_renting, net_present_value
from engine.cost.offers import OwnMachine, RentalMatch, SpeedBasis, own_figures
from engine.cost.sensitivity import (
    Case,
    CaseInput,
    Range,
    break_even_curve,
    cost_over_time,
    own_of,
    saving_over_horizon,
    tornado,
)
from engine.cost.types import EconomicsKey
from engine.errors import InvalidInputError
from engine.units import FloatBand, Money
from engine.workload import Place

D = Decimal


@pytest.fixture
def case(assume, offer):
    return Case(
        purchase=Money(D(25_000), "USD"),
        nameplate_w=900,
        useful_hours_per_year=D(5_256),
        offer=offer(),
        match=RentalMatch(1, FloatBand(0.8, 1.0, 1.25), SpeedBasis.MODELLED),
        assumptions=assume(electricity_per_kwh=D("0.27")),
        rates=(),
        as_of=date(2026, 11, 30),
        place=Place.RACK,
    )


# Renting 16,556.40 a year, owning 8,333.33 + 0.9 x 0.27 x 5,256 = 9,610.54; three times the difference.
def test_that_the_saving_is_rent_less_own_cost_over_the_horizon(case):
    assert round(saving_over_horizon(case), 2) == D("20837.58")


def test_that_the_widest_swing_comes_first(case):
    ranges = [
        (CaseInput.USEFUL_HOURS, Range(D(2_628), D(8_760))),
        (CaseInput.PURCHASE_PRICE, Range(D(22_500), D(27_500))),
        (CaseInput.SPEED_RATIO, Range(D("0.8"), D("1.25"))),
    ]
    swings = tornado(case, load_economics(), ranges)
    widths = [swing.width for swing in swings]
    assert widths == sorted(widths, reverse=True)
    assert [swing.key for swing in swings[:3]] == [
        CaseInput.USEFUL_HOURS,
        CaseInput.SPEED_RATIO,
        EconomicsKey.RESIDUAL_SHARE,
    ]


# Half the load: 8,278.20 rent against 8,971.94: renting is cheaper there, buying at full load.
def test_that_an_input_that_turns_the_answer_is_marked(case):
    swings = tornado(case, load_economics(), [(CaseInput.USEFUL_HOURS, Range(D(2_628), D(8_760)))])
    hours = next(swing for swing in swings if swing.key is CaseInput.USEFUL_HOURS)
    assert hours.flips
    assert hours.saving_at_low.amount < 0 < hours.saving_at_high.amount


def test_that_only_the_places_own_pue_is_tried(case):
    keys = {swing.key for swing in tornado(case, load_economics(), [])}
    assert EconomicsKey.PUE_RACK in keys
    assert not keys & {EconomicsKey.PUE_DESK, EconomicsKey.PUE_DATA_CENTRE}


def test_that_rent_and_horizon_are_tried_too(case):
    ranges = [(CaseInput.RENT, Range(D("2.00"), D("4.00"))), (CaseInput.HORIZON_YEARS, Range(D(3), D(5)))]
    found = {swing.key: swing for swing in tornado(case, load_economics(), ranges)}
    # 2.00 x 5,256 x 3 = 31,536 less 28,831.62; five years: 5 x 16,556.40 less 25,000 less 5 x 1,277.21.
    assert found[CaseInput.RENT].saving_at_low.amount == D("2704.38")
    assert found[CaseInput.HORIZON_YEARS].saving_at_high.amount == D("51395.96")


def test_that_the_curves_cross_where_the_payback_says(case):
    own = own_of(case)
    over_time = cost_over_time(own, D("16556.40"), case.assumptions)
    # 25,000 / (1,379.70 - 106.43) = 19.6 months.
    assert over_time.crossing_month == 20
    assert over_time.points[0].owning.amount == 25_000
    assert over_time.points[36].owning.amount == D("28831.62")
    assert over_time.points[36].renting.amount == D("49669.20")


def test_that_the_residual_value_comes_back_at_the_end(assume):
    machine = OwnMachine(Money(D(36_000), "USD"), 0, 0, D(100))
    assumptions = assume(residual_share=D("0.25"))
    points = cost_over_time(own_figures(machine, assumptions), D(1), assumptions).points
    assert points[35].owning.amount == 36_000
    assert points[36].owning.amount == 27_000


def test_that_a_lease_is_paid_month_by_month(assume):
    machine = OwnMachine(Money(D(36_000), "USD"), 0, 0, D(100), Money(D(1_000), "USD"))
    assumptions = assume()
    points = cost_over_time(own_figures(machine, assumptions), D(1), assumptions).points
    assert [points[month].owning.amount for month in (0, 1, 36)] == [0, 1_000, 36_000]


def test_that_renting_that_stays_cheaper_never_crosses(case):
    assert cost_over_time(own_of(case), D(1_000), case.assumptions).crossing_month is None


def test_that_the_break_even_curve_falls_towards_full_use(case):
    curve = break_even_curve(own_of(case), D("3.15"))
    costs = [point.own_per_hour.amount for point in curve]
    assert costs == sorted(costs, reverse=True)
    assert {point.rent_per_hour.amount for point in curve} == {D("3.15")}
    committed = break_even_curve(own_of(case), D("3.15"), committed_per_year=D(8_760))
    assert committed[-1].rent_per_hour.amount == D("1.00")
    assert committed[9].rent_per_hour.amount == D("2.00")


# -1,000 + 600 / 1.1 + 600 / 1.21 = 41.32; without interest 200.
def test_that_later_money_is_worth_less():
    flows = [D(-1_000), D(600), D(600)]
    assert net_present_value(flows, D(0)) == 200
    assert round(net_present_value(flows, D("0.1")), 2) == D("41.32")
    with pytest.raises(InvalidInputError):
        net_present_value(flows, D(-1))


def test_that_the_flows_of_buying_start_with_the_purchase_and_end_with_the_residual():
    flows = buying_against_renting(D(1_000), D(100), D(50), D(650), 2)
    assert flows == (D(-1_000), D(600), D(700))


def test_that_an_input_without_a_known_rate_moves_nothing(case):
    yen = replace(case, offer=replace(case.offer, currency="JPY"))
    assert saving_over_horizon(yen) == 0
