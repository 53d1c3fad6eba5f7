"""A card as the serving formulas see it: bytes, bandwidth, dense data-sheet rates, links."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from engine.hardware import Card, LinkKind, MigProfile
from engine.memory.mig import memory_slices, profile_bytes
from engine.serving.formats import WIDE_TENSOR_CORE_CAPABILITY, ComputeClass, capability
from engine.units import GB, TB

EVIDENCED_VENDOR = "NVIDIA"  # no throughput of another vendor's card with stated lengths is among the records
_BRIDGED = frozenset({LinkKind.NVLINK_BRIDGE})
_FP4_KEYS = ("fp4_dense_tflops", "mxfp4_dense_tflops")


@dataclass(frozen=True, slots=True)
class ServingCard:
    """One card, or one MIG instance of it. Rates are dense data-sheet peaks in FLOP/s; None: not published."""

    card_id: str
    usable_bytes: int
    bandwidth_b_per_s: float | None
    rates: Mapping[ComputeClass, float]
    eight_bit: bool
    wide_four_bit: bool
    nvlink_b_per_s: float | None  # per direction; None where the cards of this machine are not joined by it
    pcie_b_per_s: float | None
    evidenced: bool = True  # measurements of this vendor's cards stand behind the constants

    @property
    def stated(self) -> bool:
        """Whether a speed can be stood behind at all."""
        return self.evidenced and self.bandwidth_b_per_s is not None and ComputeClass.BF16 in self.rates


def serving_card(
    card: Card, *, bridged: bool = False, mig: MigProfile | None = None, rate_factor: float = 1.0
) -> ServingCard:
    """The card's figures. `bridged`: NVLink bridges join the cards; `rate_factor`: matrix rate under a power cap.

    An instance has its slices of memory and bandwidth, and about the same share of the matrix units.
    """
    share = 1.0 if mig is None else 1 / memory_slices(card.memory_gb.value, mig.memory_gb)
    generation = capability(card)
    low, high = WIDE_TENSOR_CORE_CAPABILITY
    bandwidth = card.bandwidth_gb_per_s
    joined = card.nvlink is not None and (bridged or card.nvlink.kind not in _BRIDGED)
    nvlink = float(card.nvlink.gb_per_s_per_direction.value) * GB if card.nvlink is not None and joined else None
    return ServingCard(
        card_id=card.id,
        usable_bytes=card.usable_bytes.value if mig is None else profile_bytes(card, mig),
        bandwidth_b_per_s=None if bandwidth is None else float(bandwidth.value) * GB * share,
        rates={key: rate * rate_factor * share for key, rate in _rates(card).items()},
        eight_bit=bool(card.fp8),
        wide_four_bit=generation is not None and low <= generation < high,
        nvlink_b_per_s=nvlink if mig is None else None,
        pcie_b_per_s=None if card.pcie_gb_per_s is None else float(card.pcie_gb_per_s.value) * GB,
        evidenced=card.vendor == EVIDENCED_VENDOR,
    )


def _rates(card: Card) -> dict[ComputeClass, float]:
    rates: dict[ComputeClass, float] = {}
    if card.bf16_dense_tflops is not None:
        rates[ComputeClass.BF16] = rates[ComputeClass.WEIGHT_ONLY] = float(card.bf16_dense_tflops.value) * TB
    if card.fp8_dense_tflops is not None:
        rates[ComputeClass.FP8] = float(card.fp8_dense_tflops.value) * TB
    for key in _FP4_KEYS:
        figure = card.details.get(key)
        if figure is not None and isinstance(figure.value, Decimal | int | float):
            rates[ComputeClass.FP4] = float(figure.value) * TB
    return rates
