"""What a power limit costs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.speed.power import _interpolate, power_factor
from engine.speed.types import PowerPoint, SpeedNote
from tests.engine.speed.builders import H200_NVL, MAX_Q, SERVER, WORKSTATION


@pytest.mark.parametrize(
    ("watts", "gflops"),
    [(300, 90_210), (400, 118_836), (450, 131_127), (550, 153_582)],
)
def test_that_the_workstation_edition_follows_its_own_sweep(facts, watts, gflops):
    factor, note = power_factor(facts.cards[WORKSTATION], watts, facts.speed)
    assert factor == pytest.approx(gflops / 163_545)
    assert note is None


def test_that_the_server_edition_keeps_more_at_300_w_than_the_workstation_edition(facts):
    server, _ = power_factor(facts.cards[SERVER], 300, facts.speed)
    workstation, _ = power_factor(facts.cards[WORKSTATION], 300, facts.speed)
    assert server == pytest.approx(124_224 / 165_300)
    assert workstation < 0.56 < server


def test_that_no_cap_and_a_cap_above_full_power_cost_nothing(facts):
    for watts in (None, 600, 700):
        assert power_factor(facts.cards[WORKSTATION], watts, facts.speed) == (1.0, None)


def test_that_a_cap_below_the_sweep_is_remarked_on(facts):
    factor, note = power_factor(facts.cards[WORKSTATION], 120, facts.speed)
    assert note is SpeedNote.POWER_BELOW_TABLE
    # 616 of 1,019 MHz at 150 W, and the watts below that
    assert factor == pytest.approx(90_210 / 163_545 * 616 / 1019 * 120 / 150, rel=1e-4)


def test_that_a_max_q_follows_its_own_clock(facts):
    factor, note = power_factor(facts.cards[MAX_Q], 250, facts.speed)
    assert note is None
    assert factor == pytest.approx(1252 / 1417, rel=1e-4)


def test_that_a_card_without_a_sweep_borrows_and_says_so(facts):
    factor, note = power_factor(facts.cards["rtx_5090"], 400, facts.speed)
    assert note is SpeedNote.POWER_TABLE_BORROWED
    # 400 of 575 W read at the same share of the Workstation Edition's sweep: 417 W, a third of the way from 400 to 450
    assert factor == pytest.approx((118_836 + (131_127 - 118_836) * 17.39 / 50) / 163_545, rel=1e-3)
    factor, note = power_factor(facts.cards[H200_NVL], 400, facts.speed)
    assert note is SpeedNote.POWER_TABLE_BORROWED
    assert factor == pytest.approx(400 / 600)


@given(st.floats(1, 600), st.floats(1, 600))
def test_that_more_watts_are_never_slower(one, other):
    points = (PowerPoint(300, 0.55), PowerPoint(450, 0.8), PowerPoint(600, 1.0))
    low, high = sorted((one, other))
    assert _interpolate(points, low) <= _interpolate(points, high) <= 1.0
