"""Seconds of one decode step and of one prefill, and what a copy of the model delivers with them.

A roofline with fixed terms: read weights and cache, multiply, launch layers, exchange between tensor ranks. The
constants are fitted on published measurements; `engine.serving.evidence` says how well they carry to unseen sources.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.serving.facts import ServingCoefficients
from engine.serving.formats import BYTES_PER_CACHED_VALUE, ComputeClass, bytes_read, compute_class
from engine.serving.machine import ServingCard
from engine.serving.shape import BF16_BYTES, ServingShape
from engine.serving.types import CacheFormat, ServeLayout, ServingEngine, WeightFormat

_EXCHANGES_PER_LAYER = 2  # after attention and after the feed-forward part
_RING = 2  # a ring all-reduce moves the message about twice (reduce-scatter and all-gather)


@dataclass(frozen=True, slots=True)
class Work:
    """A model in its formats on a card in a layout: everything a step needs but the batch."""

    shape: ServingShape
    weights: WeightFormat
    cache: CacheFormat
    engine: ServingEngine
    card: ServingCard
    layout: ServeLayout
    compute: ComputeClass = field(init=False)  # what the products run in

    def __post_init__(self) -> None:
        card = self.card
        kind = compute_class(self.weights, eight_bit=card.eight_bit, wide_four_bit=card.wide_four_bit)
        object.__setattr__(self, "compute", kind)  # frozen, and asked for thousands of times a second


@dataclass(frozen=True, slots=True)
class StepSeconds:
    """One decode step of a copy by cause."""

    weights_s: float
    cache_s: float
    compute_s: float
    fixed_s: float
    exchange_s: float

    @property
    def total_s(self) -> float:
        """The step: seconds per token of every sequence in it."""
        return self.weights_s + self.cache_s + self.compute_s + self.fixed_s + self.exchange_s


def rate_of(work: Work) -> float | None:
    """The dense peak the products run at; None when the card has none published for the class."""
    return work.card.rates.get(work.compute)


def decode_step(work: Work, batch: float, context: float, fitted: ServingCoefficients) -> StepSeconds | None:
    """One step for `batch` sequences of `context` tokens on one copy; None without a published bandwidth or rate.

    With pipeline stages a step is one pass through all of them, with `batch` sequences in each stage.
    """
    bandwidth, rate = work.card.bandwidth_b_per_s, rate_of(work)
    if bandwidth is None or rate is None:
        return None
    shape, ranks = work.shape, work.layout.tensor
    read = bandwidth * fitted.bandwidth_share * ranks
    dense, experts = bytes_read(shape, work.weights, batch)
    kept = shape.cache_elements(context) * BYTES_PER_CACHED_VALUE[work.cache] + 2 * shape.state_bytes
    efficiency = fitted.compute_share[work.compute] * (fitted.expert_compute if shape.is_moe else 1.0)
    layer_s = fitted.layer_s + (fitted.expert_layer_s if shape.is_moe else 0.0)
    return StepSeconds(
        weights_s=(dense + experts / fitted.expert_bandwidth) / read,
        cache_s=batch * kept / read,
        compute_s=2 * shape.active_parameters * batch / (rate * efficiency * ranks),
        fixed_s=fitted.start_s[work.engine]
        + shape.layers * layer_s
        + shape.recurrent_layers * fitted.recurrent_layer_s
        + batch * fitted.sequence_s,
        exchange_s=exchange_s(work, batch, fitted),
    )


def fastest_rate(work: Work, sequences: float, prompt: int, output: int) -> float | None:
    """Output tokens/s of one copy if nothing but its memory held it up: weights and cache read at the published rate.

    No software is faster; speculative decoding, which is not assumed here, would read once for several tokens.
    """
    bandwidth = work.card.bandwidth_b_per_s
    if bandwidth is None:
        return None
    batch = max(1.0, sequences / work.layout.pipeline)
    dense, experts = bytes_read(work.shape, work.weights, batch)
    kept = work.shape.cache_elements(prompt + output / 2) * BYTES_PER_CACHED_VALUE[work.cache]
    return max(1.0, sequences) * bandwidth * work.layout.tensor / (dense + experts + batch * kept)


def exchange_s(work: Work, tokens: float, fitted: ServingCoefficients) -> float:
    """All-reduces of one pass between tensor ranks: latency and message."""
    ranks = work.layout.tensor
    if ranks == 1:
        return 0.0
    if work.card.nvlink_b_per_s is not None:
        latency, link = fitted.exchange_nvlink_s, work.card.nvlink_b_per_s
    else:
        latency, link = fitted.exchange_pcie_s, (work.card.pcie_b_per_s or 0.0) * fitted.pcie_share
    message = tokens * work.shape.hidden * BF16_BYTES * _RING * (ranks - 1) / ranks
    return _EXCHANGES_PER_LAYER * work.shape.layers * (latency + (message / link if link else 0.0))


def prefill_s(work: Work, prompt: int, fitted: ServingCoefficients) -> float | None:
    """Computing one prompt on one copy, nothing else running: a lower bound of the first token."""
    rate = rate_of(work)
    if rate is None:
        return None
    shape, ranks, compute = work.shape, work.layout.tensor, work.compute
    weight_only = compute is ComputeClass.WEIGHT_ONLY
    gain = fitted.prefill_gain_weight_only if weight_only else fitted.prefill_gain
    efficiency = fitted.compute_share[compute] * gain
    products = 2 * shape.active_parameters * prompt / (fitted.expert_compute if shape.is_moe else 1.0)
    attention = 2 * shape.attention_width * prompt * prompt
    exchange = exchange_s(work, prompt, fitted)
    latency = exchange_s(work, 0, fitted)
    return (products + attention) / (rate * efficiency * ranks) + exchange - latency


def copy_rate(work: Work, sequences: float, prompt: int, output: int, fitted: ServingCoefficients) -> float | None:
    """Output tokens/s of one copy with `sequences` in flight, each followed by the next one (closed loop)."""
    stages = work.layout.pipeline
    batch = max(1.0, sequences / stages)
    step = decode_step(work, batch, prompt + output / 2, fitted)
    filling = prefill_s(work, prompt, fitted) if prompt else 0.0
    if step is None or filling is None:
        return None
    return max(1.0, sequences) * output / (output * step.total_s + batch * filling)
