"""Whether a need fits a capacity: the one rule behind every verdict."""

from __future__ import annotations

from enum import StrEnum

from engine.errors import InvalidInputError
from engine.memory.types import MemoryEstimate

MAX_HEADROOM = 4.0


class Verdict(StrEnum):
    """How a workload sits on a card."""

    FITS = "fits"  # the live bytes plus the stated headroom, and the high estimate, are within the usable bytes
    TIGHT = "tight"  # the high estimate is within the usable bytes, the headroom is not
    UNCERTAIN = "uncertain"  # the expected need fits, the high estimate does not
    NO = "does-not-fit"


SAFEST_FIRST = tuple(Verdict)
"""From the safest verdict to the worst."""
CARRIED = (Verdict.FITS, Verdict.TIGHT)
"""The verdicts a workload may be planned with."""


def planned_bytes(estimate: MemoryEstimate, headroom: float) -> int:
    """What to plan with: the live bytes of the peak and the stated operating headroom on top of them.

    The headroom is where runtime context, allocator reserve and the unforeseen belong, so it is added to the live
    bytes and not to a figure that already holds a reserve; never less than the expected need.
    """
    if not 0 <= headroom <= MAX_HEADROOM:
        raise InvalidInputError("headroom must be a share from 0 to {most}.", most=int(MAX_HEADROOM))
    return max(int(estimate.allocated_peak * (1 + headroom)), estimate.required.expected)


def judge(estimate: MemoryEstimate, usable_bytes: int, headroom: float) -> Verdict:
    """Compare what a card must have with what it has.

    `headroom` is a share of the live bytes (0.15 to 0.30 is usual). FITS: the planned bytes and the high
    estimate are within the usable bytes; TIGHT: only the high estimate is; UNCERTAIN: only the expected need is;
    NO: not even that.
    """
    planned = planned_bytes(estimate, headroom)
    required = estimate.required
    if required.expected > usable_bytes:
        return Verdict.NO
    if required.high > usable_bytes:
        return Verdict.UNCERTAIN
    if planned > usable_bytes:
        return Verdict.TIGHT
    return Verdict.FITS
