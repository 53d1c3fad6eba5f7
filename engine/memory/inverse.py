"""The questions the other way round: how long may a sequence be, how large a micro-batch, on a given card."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from engine.fit import Verdict, judge
from engine.memory.estimate import estimate
from engine.memory.limits import MAX_MICRO_BATCH, MAX_SEQUENCE
from engine.memory.types import TrainingSetup


def longest_sequence(setup: TrainingSetup, usable_bytes: int, headroom: float) -> int | None:
    """The most tokens per sequence with the verdict FITS, everything else as in `setup`; None when not even one."""
    return _largest(lambda length: replace(setup, sequence_length=length), MAX_SEQUENCE, usable_bytes, headroom)


def largest_micro_batch(setup: TrainingSetup, usable_bytes: int, headroom: float) -> int | None:
    """The most sequences per card and forward pass with the verdict FITS; None when not even one."""
    return _largest(lambda count: replace(setup, micro_batch=count), MAX_MICRO_BATCH, usable_bytes, headroom)


def _largest(setup_with: Callable[[int], TrainingSetup], most: int, usable_bytes: int, headroom: float) -> int | None:
    """Bisection; the need never falls when the number rises."""

    def fits(value: int) -> bool:
        return judge(estimate(setup_with(value)), usable_bytes, headroom) is Verdict.FITS

    if not fits(1):
        return None
    if fits(most):
        return most
    low, high = 1, most
    while high - low > 1:
        middle = (low + high) // 2
        if fits(middle):
            low = middle
        else:
            high = middle
    return low
