"""The memory a customer measured in a test run, beside what the estimate says for the same run. It moves nothing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.memory.evidence import Reading
from engine.memory.reserve import requirement
from engine.memory.types import MemoryEstimate
from engine.units import ByteBand


class Side(StrEnum):
    """Where a measurement lies."""

    BELOW = "below"
    WITHIN = "within"
    ABOVE = "above"


@dataclass(frozen=True, slots=True)
class OwnPeak:
    """The highest reading of the fullest card, and what such a reading is expected to show."""

    reading: Reading
    measured_bytes: int
    estimated: ByteBand

    @property
    def side(self) -> Side:
        """Where the measurement lies against the band."""
        if self.measured_bytes < self.estimated.low:
            return Side.BELOW
        return Side.ABOVE if self.measured_bytes > self.estimated.high else Side.WITHIN


def own_peak(estimate: MemoryEstimate, reading: Reading, measured_bytes: int) -> OwnPeak:
    """Set a measurement beside the estimate of the run it was made of."""
    return OwnPeak(reading, measured_bytes, expected_reading(estimate, reading))


def expected_reading(estimate: MemoryEstimate, reading: Reading) -> ByteBand:
    """What a reading of this kind shows on the fullest card, low to high.

    Driver: from the least the card must have, where a nearly full card makes the allocator give cached blocks back, to
    what it shows with room to spare, as far above as the need's own band reaches. Reserved: the same without what lies
    outside the allocator. Allocated: the live bytes themselves, as far as the driver's band reaches in proportion.
    """
    need, context = estimate.required, requirement(0, estimate.setup.layout).required
    shown = max(estimate.driver_shows, need.expected)
    driver = ByteBand(need.low, shown, shown + need.high - need.expected)
    if reading is Reading.DRIVER:
        return driver
    if reading is Reading.RESERVED:
        return ByteBand(driver.low - context.low, driver.expected - context.expected, driver.high - context.high)
    peak = estimate.allocated_peak
    return ByteBand(peak * driver.low // driver.expected, peak, peak * driver.high // driver.expected)
