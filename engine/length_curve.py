"""What a run needs at other sequence lengths: the points of the length curve and each card's limit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.hardware import Card
from engine.memory.estimate import estimate
from engine.memory.inverse import longest_sequence
from engine.memory.types import TrainingSetup
from engine.units import ByteBand

SHORTEST = 512
LONGEST = 2**17


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """The need per card at one sequence length."""

    length: int
    required: ByteBand


@dataclass(frozen=True, slots=True)
class Limit:
    """A card's usable bytes, and the longest sequence that fits; None: not even the shortest."""

    name: str
    usable_bytes: int
    longest: int | None = None


def curve_lengths(model_limit: int | None, current: int) -> tuple[int, ...]:
    """Powers of two from 512 tokens to the model's limit (at most 131,072, at least the current one), and it."""
    end = max(min(model_limit or LONGEST, LONGEST), current, SHORTEST * 2)
    powers = {SHORTEST * 2**step for step in range(12) if SHORTEST * 2**step <= end}
    return tuple(sorted(powers | {current}))


def curve_points(setup: TrainingSetup, lengths: Sequence[int]) -> tuple[CurvePoint, ...]:
    """The need per card at each length, everything else as it is."""
    return tuple(CurvePoint(length, estimate(replace(setup, sequence_length=length)).required) for length in lengths)


def card_limits(setup: TrainingSetup, cards: Sequence[Card], headroom: float) -> tuple[Limit, ...]:
    """Each card's usable bytes and the longest sequence that fits it with the headroom."""
    return tuple(
        Limit(
            card.short_name,
            card.usable_bytes.value,
            longest_sequence(setup, card.usable_bytes.value, headroom),
        )
        for card in cards
    )
