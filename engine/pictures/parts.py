"""The parts of a card's memory as every picture stacks them: one order, one colour each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from engine.fit import Verdict, planned_bytes
from engine.memory.types import CardBytes, MemoryEstimate
from engine.pictures.palette import Ink
from engine.pictures.shapes import MarkShape
from engine.plan.types import Placement


class MemoryPart(StrEnum):
    """Parts in stacking order."""

    WEIGHTS = "weights"
    ADAPTERS = "adapters"
    GRADIENTS = "gradients"
    OPTIMISER = "optimiser"  # moments and fp32 master weights
    ACTIVATIONS = "activations"
    LOSS = "loss"  # logits and their copies
    WORKSPACE = "workspace"  # kernels' workspace, communication buffers, CUDA context, allocator reserve
    HEADROOM = "headroom"  # the stated operating headroom, hatched


PART_INKS: Mapping[MemoryPart, Ink] = {part: Ink(part.value) for part in MemoryPart}

VERDICT_INKS: Mapping[Verdict, Ink] = {
    Verdict.FITS: Ink.FITS,
    Verdict.TIGHT: Ink.TIGHT,
    Verdict.UNCERTAIN: Ink.UNCERTAIN,
    Verdict.NO: Ink.NO,
}
VERDICT_GROUNDS: Mapping[Verdict, Ink] = {
    Verdict.FITS: Ink.FITS_GROUND,
    Verdict.TIGHT: Ink.TIGHT_GROUND,
    Verdict.UNCERTAIN: Ink.UNCERTAIN_GROUND,
    Verdict.NO: Ink.NO_GROUND,
}
VERDICT_MARKS: Mapping[Verdict, MarkShape] = {
    Verdict.FITS: MarkShape.FILLED,
    Verdict.TIGHT: MarkShape.HALF,
    Verdict.UNCERTAIN: MarkShape.RING,
    Verdict.NO: MarkShape.CROSS,
}


@dataclass(frozen=True, slots=True)
class PartBytes:
    """One part of one bar."""

    part: MemoryPart
    size_bytes: int


def memory_parts(estimate: MemoryEstimate) -> tuple[PartBytes, ...]:
    """The parts of the expected need, in stacking order; they sum to `required.expected` exactly.

    What the need holds beyond the named parts is workspace: buffers, CUDA context, allocator reserve.
    """
    return stacked(estimate.card, estimate.required.expected)


def stacked(card: CardBytes, expected_bytes: int) -> tuple[PartBytes, ...]:
    """The parts of a card's bytes, filled up to the expected need as `memory_parts` says."""
    sizes = {
        MemoryPart.WEIGHTS: card.weights,
        MemoryPart.ADAPTERS: card.adapters,
        MemoryPart.GRADIENTS: card.gradients,
        MemoryPart.OPTIMISER: card.master_weights + card.optimizer,
        MemoryPart.ACTIVATIONS: card.activations,
        MemoryPart.LOSS: card.logits,
    }
    sizes[MemoryPart.WORKSPACE] = expected_bytes - sum(sizes.values())
    return tuple(PartBytes(part, size) for part, size in sizes.items() if size > 0)


@dataclass(frozen=True, slots=True)
class MemoryBar:
    """What one bar shows: the need of one workload on one card of one plan."""

    id: str
    title: str
    subtitle: str
    parts: tuple[PartBytes, ...]
    low_bytes: int
    expected_bytes: int
    high_bytes: int
    headroom_bytes: int
    capacity_bytes: int
    verdict: Verdict


def memory_bar(id_: str, title: str, subtitle: str, placement: Placement, headroom: float) -> MemoryBar:
    """The bar of a placement; `headroom` is the scenario's share of the live bytes."""
    required = placement.estimate.required
    return MemoryBar(
        id=id_,
        title=title,
        subtitle=subtitle,
        parts=memory_parts(placement.estimate),
        low_bytes=required.low,
        expected_bytes=required.expected,
        high_bytes=required.high,
        headroom_bytes=planned_bytes(placement.estimate, headroom) - required.expected,
        capacity_bytes=placement.capacity_bytes,
        verdict=placement.verdict,
    )
