"""Bytes that cards exchange in one optimiser step, and the least time a link needs for them."""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import InvalidInputError
from engine.memory.aggregate import aggregate
from engine.memory.sharding import compute_bytes
from engine.memory.states import trained_parameters
from engine.methods import Layout, Recipe, Sharding
from engine.models import ModelSpec

GRADIENT_BYTES = 2  # gradients travel in bf16


@dataclass(frozen=True, slots=True)
class StepTraffic:
    """Bytes received by one card in one optimiser step."""

    gradient_bytes: int  # all gradients once, as computed
    all_reduce: int  # gradients, reduced and sent back
    all_gather: int  # weights, for the forward and again for the backward pass
    reduce_scatter: int

    @property
    def total(self) -> int:
        """Everything one card receives."""
        return self.all_reduce + self.all_gather + self.reduce_scatter


def lower_bound_s(size_bytes: int, link_bytes_per_s: float) -> float:
    """Seconds for these bytes on a link of this theoretical rate, nothing else counted."""
    if not link_bytes_per_s > 0:
        raise InvalidInputError("The link's rate must be above 0.")
    return size_bytes / link_bytes_per_s


def step_traffic(model: ModelSpec, recipe: Recipe, layout: Layout) -> StepTraffic:
    """Traffic of one micro-batch and its optimiser step.

    An all-reduce is counted as twice the gradients, reduced once and sent back once: the bound of a ring for many
    cards (Patarasuk and Yuan 2009). FSDP gathers all weights for each pass, of which every card holds its own part
    already and receives (n - 1) / n; gradients are reduce-scattered once (ZeRO paper, section 7).
    """
    n = layout.cards
    gradients = GRADIENT_BYTES * trained_parameters(model, recipe)
    if n == 1 or layout.sharding is Sharding.NONE:
        return StepTraffic(gradients, 0, 0, 0)
    if layout.sharding is Sharding.FSDP:
        sums = aggregate(model)
        weights = compute_bytes(recipe, sums.parameters, sums.quantisable)
        return StepTraffic(gradients, 0, 2 * weights * (n - 1) // n, gradients * (n - 1) // n)
    return StepTraffic(gradients, 2 * gradients, 0, 0)
