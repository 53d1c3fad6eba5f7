"""What the fits of speed and serving constants share: free constants, and a pattern search along each of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

WIDEN = 1.3  # a step that helped grows by this


@dataclass(frozen=True, slots=True)
class Free:
    """A free constant: its round starting value and how far, in natural logarithm, it may comfortably move."""

    name: str
    start: float
    reach: float


@dataclass(frozen=True, slots=True)
class Pace:
    """How a search narrows: steps shrink by a factor until none is above the smallest."""

    shrink: float
    smallest: float
    rests: bool  # a constant whose own step is small enough is left alone


def pull(logs: Sequence[float], free: Sequence[Free]) -> float:
    """The prior: squared distance of each constant from its start, in units of its reach."""
    return sum(((value - math.log(one.start)) / one.reach) ** 2 for value, one in zip(logs, free, strict=True))


def pattern_search(
    loss: Callable[[Sequence[float]], float],
    logs: Sequence[float],
    steps: Sequence[float],
    pace: Pace,
    allowed: Callable[[int, float], bool] = lambda _at, _value: True,
) -> list[float]:
    """The logarithms with the least loss found by moving one constant at a time; deterministic."""
    found, widths = list(logs), list(steps)
    best = loss(found)
    while max(widths) > pace.smallest:
        for at in range(len(found)):
            if pace.rests and widths[at] <= pace.smallest:
                continue
            moved = False
            for direction in (widths[at], -widths[at]):
                trial = found.copy()
                trial[at] += direction
                if not allowed(at, trial[at]):
                    continue
                value = loss(trial)
                if value < best:
                    best, found, moved = value, trial, True
                    break
            widths[at] *= WIDEN if moved else pace.shrink
    return found
