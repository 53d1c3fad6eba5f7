"""Which matrix rate a card really reaches: measured where somebody measured it, else scaled and said so."""

from __future__ import annotations

from dataclasses import dataclass

from engine.hardware import Card
from engine.speed.types import ComputeFormat, SpeedFacts

TERA = 1e12


@dataclass(frozen=True, slots=True)
class UsedRate:
    """Sustained FLOP/s at a format, and whether it was scaled from another card instead of measured."""

    flop_per_s: float
    scaled: bool


def matmul_rate(card: Card, compute: ComputeFormat, facts: SpeedFacts) -> UsedRate | None:
    """The sustained dense matrix rate of a card at a number format.

    1. The catalogue's rate for this card. 2. A measured BF16 rate on the card itself. 3. The data-sheet rate times the
    share that cards of the same architecture reach. None when the format or any rate is unpublished.
    """
    listed = facts.rates.get(card.id)
    if listed is not None:
        figure = getattr(listed, compute.value)
        if figure is not None:
            return UsedRate(figure.value * TERA, compute in listed.scaled)
    if compute is ComputeFormat.BF16 and card.measured_bf16_tflops is not None:
        return UsedRate(float(card.measured_bf16_tflops.value) * TERA, scaled=False)
    sheet = {ComputeFormat.BF16: card.bf16_dense_tflops, ComputeFormat.FP8: card.fp8_dense_tflops}.get(compute)
    share = facts.scaled_share.get(card.architecture)
    if sheet is None or share is None:
        return None
    return UsedRate(float(sheet.value) * TERA * share, scaled=True)
