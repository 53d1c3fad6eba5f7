"""From live bytes to what the card must have: what lies outside the allocator, and what the allocator keeps in reserve.

Measured backing: over machine-written runs with both figures, the driver shows more than the allocated peak by a
fixed part (context, kernels, library handles) and a part in proportion to the peak (blocks held but not used).
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.methods import Layout, Sharding
from engine.units import MIB, ByteBand


@dataclass(frozen=True, slots=True)
class Band:
    """A coefficient with its range."""

    low: float
    expected: float
    high: float


CONTEXT = Band(300 * MIB, 500 * MIB, 900 * MIB)  # CUDA context, kernel images, cuBLAS workspaces
NCCL = Band(100 * MIB, 400 * MIB, 1000 * MIB)  # channels and buffers of NCCL per card in a multi-card run
RESERVE = Band(0.01, 0.05, 0.10)  # of the allocated peak: cached and fragmented blocks that cannot be given back


@dataclass(frozen=True, slots=True)
class Requirement:
    """What the card must have beside the live bytes."""

    context: int
    reserve: int
    required: ByteBand


def requirement(allocated_peak: int, layout: Layout) -> Requirement:
    """Allocated peak + runtime context + allocator reserve, as low, expected and high."""
    several = layout.cards > 1 and layout.sharding is not Sharding.NONE
    context = [getattr(CONTEXT, part) + (getattr(NCCL, part) if several else 0) for part in ("low", "expected", "high")]
    reserve = [getattr(RESERVE, part) * allocated_peak for part in ("low", "expected", "high")]
    low, expected, high = (allocated_peak + int(c) + int(r) for c, r in zip(context, reserve, strict=True))
    return Requirement(int(context[1]), int(reserve[1]), ByteBand(low, expected, high))
