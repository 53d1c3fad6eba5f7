"""How far estimates agree with published measurements: errors, shares and yes-no tests, every source weighted alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from engine.memory.types import MemoryEstimate
from engine.methods import Method


class Reading(StrEnum):
    """What a published figure is: three numbers that must not be mixed."""

    ALLOCATED = "allocated"  # live bytes, as max_memory_allocated shows
    RESERVED = "reserved"  # what the allocator holds
    DRIVER = "driver"  # what the driver shows for the card


class Outcome(StrEnum):
    """What a measurement says."""

    PEAK = "peak"
    RAN = "ran"
    OUT_OF_MEMORY = "out-of-memory"


@dataclass(frozen=True, slots=True)
class Measurement:
    """A published figure beside its estimate."""

    id: str
    source_id: str
    model: str
    method: Method
    cards: int
    high_confidence: bool
    offloaded: bool
    outcome: Outcome
    reading: Reading
    measured_bytes: int  # per card; of a yes-no record the bytes of the card it ran or did not run on
    estimate: MemoryEstimate

    @property
    def estimated_bytes(self) -> int:
        """The estimate's figure of the same kind."""
        if self.reading is Reading.ALLOCATED:
            return self.estimate.allocated_peak
        if self.reading is Reading.RESERVED:
            return self.estimate.allocated_peak + self.estimate.allocator_reserve
        return self.estimate.driver_shows

    @property
    def error(self) -> float:
        """Estimate over measurement, less one."""
        return self.estimated_bytes / self.measured_bytes - 1

    @property
    def scored(self) -> bool:
        """Whether it counts: confidence high, nothing offloaded."""
        return self.high_confidence and not self.offloaded


@dataclass(frozen=True, slots=True)
class Unmapped:
    """A record that could not be turned into a setup, with the reason."""

    id: str
    source_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Score:
    """Agreement of a group of peaks. Shares and median weight every source alike."""

    group: str
    records: int
    sources: int
    median_error: float  # of absolute errors
    within_10_percent: float
    within_20_percent: float
    bias: float  # weighted median of signed errors


@dataclass(frozen=True, slots=True)
class FitScore:
    """Agreement on yes or no: does it fit."""

    out_of_memory: int
    false_fits: tuple[str, ...]
    ran: int
    false_refusals: tuple[str, ...]


def score(measurements: Sequence[Measurement]) -> tuple[Score, ...]:
    """Scores of all peaks that count: by method and one or several cards, by source, and all together."""
    peaks = [one for one in measurements if one.outcome is Outcome.PEAK and one.scored]
    groups: dict[str, list[Measurement]] = {}
    for one in peaks:
        cards = "one card" if one.cards == 1 else "several cards"
        for key in (f"{one.method.value}, {cards}", f"source {one.source_id}", "all"):
            groups.setdefault(key, []).append(one)
    return tuple(_score(group, members) for group, members in sorted(groups.items()))


def score_fits(measurements: Sequence[Measurement], fits: Callable[[Measurement], bool | None]) -> FitScore:
    """Yes-no records of high confidence. `fits` is the verdict on the record's card; None is neither yes nor no."""
    failed = [one for one in measurements if one.outcome is Outcome.OUT_OF_MEMORY and one.scored]
    ran = [one for one in measurements if one.outcome is Outcome.RAN and one.scored]
    return FitScore(
        len(failed),
        tuple(one.id for one in failed if fits(one) is True),
        len(ran),
        tuple(one.id for one in ran if fits(one) is False),
    )


def _score(group: str, members: list[Measurement]) -> Score:
    weights = _equal_sources(members)
    errors = [abs(one.error) for one in members]
    return Score(
        group,
        len(members),
        len({one.source_id for one in members}),
        weighted_median(zip(errors, weights, strict=True)),
        sum(weight for error, weight in zip(errors, weights, strict=True) if error <= 0.10),
        sum(weight for error, weight in zip(errors, weights, strict=True) if error <= 0.20),
        weighted_median(zip((one.error for one in members), weights, strict=True)),
    )


def _equal_sources(members: list[Measurement]) -> list[float]:
    counts: dict[str, int] = {}
    for one in members:
        counts[one.source_id] = counts.get(one.source_id, 0) + 1
    return [1 / (len(counts) * counts[one.source_id]) for one in members]


def weighted_median(pairs: Iterable[tuple[float, float]]) -> float:
    """The value at which half of the weight is reached."""
    ordered = sorted(pairs)
    half, reached = sum(weight for _, weight in ordered) / 2, 0.0
    for value, weight in ordered:
        reached += weight
        if reached >= half:
            return value
    return 0.0
