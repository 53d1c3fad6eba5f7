"""A customer's own reading beside the estimate, by hand in MiB.

One card with 10,000 MiB alive: the card must have 300 to 900 more for the context (500 expected) and a reserve of 1, 3
or 10 %, so 10,400, 10,800 or 11,900.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.memory.estimate import estimate
from engine.memory.evidence import Reading
from engine.memory.own_peak import OwnPeak, Side, expected_reading, own_peak
from engine.memory.reserve import requirement
from engine.memory.types import MemoryEstimate
from engine.methods import SINGLE_CARD
from engine.units import MIB, ByteBand
from tests.engine.memory.builders import LLAMA_1B, run

PEAK = 10_000 * MIB


def _estimate(shown: int) -> MemoryEstimate:
    one = estimate(run(LLAMA_1B, sequence=16))
    need = requirement(PEAK, SINGLE_CARD).required
    return replace(one, allocated_peak=PEAK, required=need, driver_shows=shown * MIB)


def _band(low: int, expected: int, high: int) -> ByteBand:
    return ByteBand(low * MIB, expected * MIB, high * MIB)


# The driver shows 11,700 with room to spare; above it the need's own band reaches 11,900 - 10,800 further. What the
# allocator holds is that without the context; what is alive reaches as far below and above in proportion.
def test_that_each_reading_is_expected_where_it_is_taken() -> None:
    one = _estimate(11_700)
    assert expected_reading(one, Reading.DRIVER) == _band(10_400, 11_700, 12_800)
    assert expected_reading(one, Reading.RESERVED) == _band(10_400 - 300, 11_700 - 500, 12_800 - 900)
    assert expected_reading(one, Reading.ALLOCATED) == ByteBand(PEAK * 10_400 // 11_700, PEAK, PEAK * 12_800 // 11_700)


def test_that_the_driver_never_shows_less_than_the_card_must_have() -> None:
    assert expected_reading(_estimate(10_500), Reading.DRIVER) == _band(10_400, 10_800, 11_900)


@pytest.mark.parametrize(
    ("measured", "side"),
    [
        (10_400 * MIB - 1, Side.BELOW),
        (10_400 * MIB, Side.WITHIN),
        (12_800 * MIB, Side.WITHIN),
        (12_800 * MIB + 1, Side.ABOVE),
    ],
)
def test_that_both_ends_of_the_band_lie_within_it(measured: int, side: Side) -> None:
    found = own_peak(_estimate(11_700), Reading.DRIVER, measured)
    assert found == OwnPeak(Reading.DRIVER, measured, _band(10_400, 11_700, 12_800))
    assert found.side is side
