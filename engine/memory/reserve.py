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


# CUDA context, kernel images and cuBLAS workspaces of one process: 0.3 to 1 GB outside the allocator (exact-trace notes
# and the intercepts of 100 runs that publish both the allocator's and the driver's figure).
CONTEXT = Band(300 * MIB, 500 * MIB, 900 * MIB)
# Channels and buffers of NCCL per card in a run over several cards; intercept of the same runs over several cards.
NCCL = Band(100 * MIB, 400 * MIB, 1000 * MIB)
CONTEXT_SEVERAL = Band(CONTEXT.low + NCCL.low, CONTEXT.expected + NCCL.expected, CONTEXT.high + NCCL.high)
# Blocks the allocator holds beside the live bytes and cannot give back: replayed traces show 3 % at the median for the
# native allocator, 1 to 2 % with expandable segments, under 14 % in nine of ten cases.
RESERVE = Band(0.01, 0.03, 0.10)
# Over several cards the gathered weights come and go on a stream of their own, whose blocks the compute stream cannot
# take: the driver showed 1.2 times the live bytes at the median even near the card's limit.
RESERVE_SEVERAL = Band(0.01, 0.03, 0.22)
# What the driver shows also holds blocks that could be given back. Fitted on 100 machine-written runs
# (fms-acceleration, A100 80 GB): a share of the live bytes and a part of the logits once more.
CACHED_SHARE, CACHED_SHARE_SEVERAL = 0.09, 0.15
CACHED_LOGITS = 0.3
CACHED_SEVERAL = 1000 * MIB


@dataclass(frozen=True, slots=True)
class Requirement:
    """What the card must have beside the live bytes."""

    context: int
    reserve: int
    required: ByteBand


def requirement(allocated_peak: int, layout: Layout) -> Requirement:
    """Allocated peak + runtime context + allocator reserve, as low, expected and high."""
    several = is_spread(layout)
    shares, context = (RESERVE_SEVERAL, CONTEXT_SEVERAL) if several else (RESERVE, CONTEXT)
    reserve = int(shares.expected * allocated_peak)
    return Requirement(
        int(context.expected),
        reserve,
        ByteBand(
            allocated_peak + int(context.low) + int(shares.low * allocated_peak),
            allocated_peak + int(context.expected) + reserve,
            allocated_peak + int(context.high) + int(shares.high * allocated_peak),
        ),
    )


def driver_shows(allocated_peak: int, logits: int, layout: Layout) -> int:
    """What the driver reports for a run with room to spare: more than it must have, for comparison with readings."""
    if is_spread(layout):
        cached = CACHED_SHARE_SEVERAL * allocated_peak + CACHED_LOGITS * logits + CACHED_SEVERAL
        return allocated_peak + int(CONTEXT.expected + NCCL.expected + cached)
    return allocated_peak + int(CONTEXT.expected + CACHED_SHARE * allocated_peak + CACHED_LOGITS * logits)


def is_spread(layout: Layout) -> bool:
    """Whether several cards work on the run."""
    return layout.cards > 1 and layout.sharding is not Sharding.NONE
