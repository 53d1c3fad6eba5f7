"""How far estimates agree with published measurements of runs like the customer's: one summary for every quantity.

What every kind of evidence shares stands here; `engine.memory`, `engine.speed` and `engine.serving` score their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from engine.methods import Method

SIZE_FACTOR = 3  # a model up to three times as large or small is still like the customer's
LENGTH_FACTOR = 4
LOW_SHARE, HIGH_SHARE = 0.1, 0.9  # four of five measurements lie between these quantiles


@dataclass(frozen=True, slots=True)
class Unscored:
    """A record that was not scored, and why: a code for `engine.wording`."""

    record_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Run:
    """What a run is compared by."""

    method: Method
    parameters: int
    cards: int
    sequence_length: int


@dataclass(frozen=True, slots=True)
class Agreement:
    """Errors are estimate over measurement, less one; every source weighs alike, however much it published."""

    records: int
    sources: int
    median_error: float  # of absolute errors
    within_10_percent: float  # share
    within_20_percent: float
    low: float  # a tenth of the weight lies below
    high: float  # a tenth of the weight lies above


def is_like(run: Run, wanted: Iterable[Run]) -> bool:
    """Whether a measured run is like one of these: method, one or several cards, model size, sequence length."""
    return any(
        run.method is one.method
        and (run.cards > 1) is (one.cards > 1)
        and one.parameters / SIZE_FACTOR <= run.parameters <= one.parameters * SIZE_FACTOR
        and one.sequence_length / LENGTH_FACTOR <= run.sequence_length <= one.sequence_length * LENGTH_FACTOR
        for one in wanted
    )


def agreement(errors: Sequence[tuple[str, float]]) -> Agreement | None:
    """The summary of (source, error) pairs; None without any."""
    if not errors:
        return None
    counts = Counter(source for source, _error in errors)
    weighted = [(error, 1 / (len(counts) * counts[source])) for source, error in errors]
    absolute = [(abs(error), weight) for error, weight in weighted]
    return Agreement(
        records=len(errors),
        sources=len(counts),
        median_error=quantile(absolute, 0.5),
        within_10_percent=sum(weight for error, weight in absolute if error <= 0.10),
        within_20_percent=sum(weight for error, weight in absolute if error <= 0.20),
        low=quantile(weighted, LOW_SHARE),
        high=quantile(weighted, HIGH_SHARE),
    )


def quantile(pairs: Iterable[tuple[float, float]], share: float) -> float:
    """The smallest value at which a share (at most 1) of the weight is reached. Pairs are (value, weight)."""
    ordered = sorted(pairs)
    reached = tuple(accumulate(weight for _, weight in ordered))
    wanted = share * reached[-1] * (1 - 1e-12)  # sums of the same weights may differ in the last digit
    return next(value for (value, _), weight in zip(ordered, reached, strict=True) if weight >= wanted)
