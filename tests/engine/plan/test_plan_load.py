"""The month's load: what runs side by side, how long the cards are busy, when the last run is done."""

from __future__ import annotations

from decimal import Decimal

import pytest

from engine.methods import SINGLE_CARD, Layout, Sharding
from engine.plan.layouts import Option
from engine.plan.load import MonthLoad, RunLoad, month_load
from engine.units import FloatBand
from tests.engine.plan.builders import mig_profile, workload

SINGLE_ON_TWO = Option(SINGLE_CARD, 2, 0)
BOTH_CARDS = Option(Layout(2, Sharding.DDP), 1, 0)


def load(option: Option, runs: str, hours: float) -> RunLoad:
    return RunLoad(workload(runs_per_month=Decimal(runs)), option, FloatBand(hours / 2, hours, hours * 2))


def test_that_runs_side_by_side_halve_the_queue() -> None:
    # Ten runs of 20 h, two at a time: 100 h; both cards busy all the time.
    month = month_load([load(SINGLE_ON_TWO, "10", 20)], 2)
    assert month.busy_h == FloatBand(50, 100, 200)
    assert month.done_h.expected == 100


def test_that_a_single_run_cannot_be_split_over_idle_cards() -> None:
    # One run of 100 h on one of two cards: the cards are half busy, the run still takes 100 h.
    month = month_load([load(SINGLE_ON_TWO, "1", 100)], 2)
    assert month.busy_h.expected == 50
    assert month.done_h.expected == 100


def test_that_a_run_over_all_cards_occupies_the_machine() -> None:
    month = month_load([load(BOTH_CARDS, "10", 11)], 2)
    assert month.busy_h.expected == pytest.approx(110)
    assert month.done_h.expected == pytest.approx(110)


def test_that_workloads_share_the_month() -> None:
    # 4 x 50 h over both cards and 10 x 20 h side by side: 200 + 100 = 300 h.
    month = month_load([load(BOTH_CARDS, "4", 50), load(SINGLE_ON_TWO, "10", 20)], 2)
    assert month.done_h.expected == pytest.approx(300)
    assert month.utilisation.expected == pytest.approx(300 / 730)


def test_that_a_mig_instance_is_its_share_of_a_card() -> None:
    # Eight runs of 40 h in quarters of one card: 80 h.
    quarter = Option(SINGLE_CARD, 4, 0, mig_profile(4, 24))
    month = month_load([load(quarter, "8", 40)], 1)
    assert month.busy_h.expected == pytest.approx(80)
    assert month.done_h.expected == pytest.approx(80)


def test_that_half_a_run_a_month_takes_half_its_hours() -> None:
    assert month_load([load(SINGLE_ON_TWO, "0.5", 100)], 2).done_h.expected == pytest.approx(50)


@pytest.mark.parametrize(
    ("expected_h", "high_h", "fits", "nearly_full"),
    [(300, 600, True, False), (600, 700, True, True), (730, 1400, True, True), (731, 1400, False, True)],
)
def test_that_the_month_has_730_hours_and_the_slow_end_is_watched(
    expected_h: float, high_h: float, fits: bool, nearly_full: bool
) -> None:
    band = FloatBand(0, expected_h, high_h)
    month = MonthLoad(band, band)
    assert (month.fits, month.nearly_full) == (fits, nearly_full)
