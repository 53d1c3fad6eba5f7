"""A run's cost under a lease, by hand: two hours of the machine at 9.00, half as many again for failed runs, is 27.00.

The planner's own figure, which spreads the purchase, is 10.00, from 8.00 to 14.00.
"""

from __future__ import annotations

from decimal import Decimal
from types import SimpleNamespace
from typing import Any, cast

import pytest

from engine.cost.compare import _as_owned
from engine.units import Money, MoneyBand

D = Decimal


def _eur(amount: str) -> Money:
    return Money(D(amount), "EUR")


def _band(low: str, expected: str, high: str) -> MoneyBand:
    return MoneyBand(_eur(low), _eur(expected), _eur(high))


PER_RUN = _band("8", "10", "14")
LEASED = cast("Any", SimpleNamespace(machine=SimpleNamespace(lease_per_month=_eur("1"))))
BOUGHT = cast("Any", SimpleNamespace(machine=SimpleNamespace(lease_per_month=None)))


# Of its own accord a longer run costs only its energy, 4.00 more; where a utilisation is stated it costs whole hours.
@pytest.mark.parametrize(
    ("stated", "found"), [(None, _band("25.00", "27.00", "31.00")), (D(4380), _band("21.60", "27.00", "37.80"))]
)
def test_that_a_leased_run_costs_its_hours_of_the_lease(assume: Any, stated: Decimal | None, found: MoneyBand) -> None:
    assumptions = assume(failed_run_share=D("0.5"), useful_hours_per_year=stated)
    assert _as_owned(PER_RUN, D(2), LEASED, _eur("9"), assumptions) == found
    free = _band("0", "0", "0")
    assert _as_owned(free, D(2), LEASED, _eur("9"), assumptions) == _band("27.00", "27.00", "27.00")


def test_that_without_a_lease_or_its_hours_the_planners_figure_stands(assume: Any) -> None:
    plain = assume()
    assert _as_owned(PER_RUN, D(2), BOUGHT, _eur("9"), plain) == PER_RUN
    assert _as_owned(PER_RUN, D(2), None, _eur("9"), plain) == PER_RUN
    assert _as_owned(PER_RUN, None, LEASED, _eur("9"), plain) == PER_RUN
    assert _as_owned(PER_RUN, D(2), LEASED, None, plain) == PER_RUN
    assert _as_owned(None, D(2), LEASED, _eur("9"), plain) is None
