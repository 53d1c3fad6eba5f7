"""The month: how long the runs keep a plan busy, and whether they fit into it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.cost.types import HOURS_PER_MONTH
from engine.plan.layouts import Option
from engine.units import FloatBand
from engine.workload import Workload

MONTH_H = float(HOURS_PER_MONTH)
FULL_MONTH_SHARE = 0.9  # of the month at the slow end: beyond it the plan is marked as nearly full


@dataclass(frozen=True, slots=True)
class RunLoad:
    """One workload's runs on a plan. `hours` is one run with its share of failed ones."""

    workload: Workload
    option: Option
    hours: FloatBand


@dataclass(frozen=True, slots=True)
class MonthLoad:
    """`busy_h`: hours all cards together would be busy; `done_h`: hours until the month's last run is done."""

    busy_h: FloatBand
    done_h: FloatBand

    @property
    def utilisation(self) -> FloatBand:
        """Share of the month the cards are busy."""
        return FloatBand(*(hours / MONTH_H for hours in (self.busy_h.low, self.busy_h.expected, self.busy_h.high)))

    @property
    def fits(self) -> bool:
        """Whether the expected runs are done within the month."""
        return self.done_h.expected <= MONTH_H

    @property
    def nearly_full(self) -> bool:
        """Whether the slow end leaves less than a tenth of the month."""
        return self.done_h.high > FULL_MONTH_SHARE * MONTH_H


def machine_share(option: Option, cards: int) -> float:
    """Share of the machine one run occupies."""
    return option.card_share / cards


def span_factor(workload: Workload, option: Option) -> float:
    """Run lengths until all runs of one workload are done, as many side by side as the layout allows.

    A single run cannot be split over idle places, so one whole run is the least.
    """
    runs = float(workload.runs_per_month)
    return max(runs / option.runs_in_parallel, min(runs, 1.0))


@dataclass(frozen=True, slots=True)
class LoadShare:
    """What one workload adds to the month: hours of the whole machine, and hours until its own runs are done."""

    busy_h: FloatBand
    span_h: FloatBand


def load_share(load: RunLoad, cards: int) -> LoadShare:
    """The workload's part of the month on this many cards."""
    busy = float(load.workload.runs_per_month) * machine_share(load.option, cards)
    return LoadShare(load.hours.scaled(busy), load.hours.scaled(span_factor(load.workload, load.option)))


def month_load(loads: Sequence[RunLoad], cards: int) -> MonthLoad:
    """The month of these runs on this many cards, see `month_of`."""
    return month_of([load_share(load, cards) for load in loads])


def month_of(shares: Sequence[LoadShare]) -> MonthLoad:
    """Runs of different workloads fill each other's gaps, so the month ends with the busiest of the two bounds.

    The cards' own work spread evenly, and the longest queue of one workload: the classic lower bounds of scheduling
    on equal machines, close to what is reached with more runs than cards.
    """
    low = expected = high = 0.0
    for share in shares:
        busy = share.busy_h
        low += busy.low
        expected += busy.expected
        high += busy.high
    spans = [share.span_h for share in shares]
    done = FloatBand(
        max([low, *[span.low for span in spans]]),
        max([expected, *[span.expected for span in spans]]),
        max([high, *[span.high for span in spans]]),
    )
    return MonthLoad(FloatBand(low, expected, high), done)
