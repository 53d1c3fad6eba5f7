"""Whether a need fits a capacity: the one rule behind every verdict."""

from __future__ import annotations

from engine.errors import InvalidInputError
from engine.plan.types import Verdict
from engine.units import ByteBand

MAX_HEADROOM = 4.0


def judge(required: ByteBand, usable_bytes: int, headroom: float) -> Verdict:
    """Compare what a card must have with what it has.

    `headroom` is a share added to the expected need (seed 000 advises 0.15 to 0.30). FITS: the need with headroom and
    the high estimate are within the usable bytes; TIGHT: only the high estimate is; UNCERTAIN: only the expected
    need is; NO: not even that.
    """
    if not 0 <= headroom <= MAX_HEADROOM:
        raise InvalidInputError("headroom must be a share from 0 to {most}.", most=int(MAX_HEADROOM))
    if required.expected > usable_bytes:
        return Verdict.NO
    if required.high > usable_bytes:
        return Verdict.UNCERTAIN
    if required.expected * (1 + headroom) > usable_bytes:
        return Verdict.TIGHT
    return Verdict.FITS
