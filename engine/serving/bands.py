"""How wide a throughput is printed.

The widths come from leaving whole sources out of the fit: they are chosen so that four of five published figures lie
inside, dense models closer than experts and hybrids.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.serving.anchors import Nearest
from engine.serving.facts import Widths
from engine.serving.shape import ServingShape
from engine.units import FloatBand


@dataclass(frozen=True, slots=True)
class Width:
    """Factors on an expected rate: `down` divides, `up` multiplies."""

    down: float
    up: float


def width_for(shape: ServingShape, found: Nearest | None, widths: Widths) -> Width:
    """The factors for a model and what was measured near it."""
    if found is not None and found.kinship == 0 and not shape.is_hybrid:
        return Width(widths.measured, widths.measured)
    factor = widths.hybrid if shape.is_hybrid else widths.experts if shape.is_moe else widths.dense
    return Width(factor, factor)


def band(expected: float, width: Width) -> FloatBand:
    """A rate with its range."""
    return FloatBand(expected / width.down, expected, expected * width.up)
