"""What the fullest card of a cluster must hold: the single-machine estimate, cut into stages and tensor shares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from math import ceil

from engine.memory.reserve import requirement
from engine.memory.types import MemoryEstimate, TrainingSetup
from engine.methods import SINGLE_CARD, Checkpointing, Layout, Sharding
from engine.models import Block, ModelSpec
from engine.speed.cluster.types import ClusterJob, ClusterMemory, ParallelLayout, ShardScope

Estimate = Callable[[TrainingSetup], MemoryEstimate]
BF16_BYTES = 2


def cluster_memory(
    job: ClusterJob, layout: ParallelLayout, shards: int, micro_batch: int, estimate: Estimate
) -> ClusterMemory:
    """Bytes of the fullest card.

    Tensor parallelism with sequence parallelism divides everything that lives inside a stage: states, activations,
    logits and gathered layers (Korthikanti et al. 2022, arXiv 2205.05198). In a 1F1B schedule the first stage keeps the
    activations of as many micro-batches as there are stages, the last one those of one (Narayanan et al. 2021, arXiv
    2104.04473); whichever of the two needs more counts.
    """
    sharding = Layout(shards, Sharding.ZERO1 if layout.scope is ShardScope.OPTIMIZER else Sharding.FSDP)
    candidates = [
        _stage(job, stage, sharding if shards > 1 else SINGLE_CARD, micro_batch, waiting, layout.tensor, estimate)
        for stage, waiting in stages(job.model, layout.pipeline)
    ]
    return max(candidates, key=lambda memory: memory.required.expected)


@lru_cache(maxsize=16)  # what the estimate keeps of a model, it keeps by the very object
def stages(model: ModelSpec, pipeline: int) -> tuple[tuple[ModelSpec, int], ...]:
    """First and last stage as models of their own, each with the micro-batches that wait in it beside the current one.

    A stage without output layer is given a vocabulary of one: no logits, no head.
    """
    if pipeline == 1:
        return ((model, 0),)
    layers = ceil(model.layers / pipeline)
    first = replace(
        model,
        blocks=_take(model.blocks, layers),
        vocab_size=1,
        tied_embeddings=False,
        head_parameters=model.hidden_size,
        final_parameters=0,
        adaptable_extras=(),
    )
    last = replace(
        model,
        blocks=tuple(reversed(_take(tuple(reversed(model.blocks)), layers))),
        tied_embeddings=False,
        embedding_parameters=0,
        head_parameters=model.vocab_size * model.hidden_size,
    )
    return ((first, pipeline - 1), (last, 0))


def _take(blocks: tuple[Block, ...], layers: int) -> tuple[Block, ...]:
    """The first `layers` layers."""
    taken: list[Block] = []
    for block in blocks:
        if layers <= 0:
            break
        taken.append(replace(block, count=min(block.count, layers)))
        layers -= block.count
    return tuple(taken)


def _stage(
    job: ClusterJob,
    stage: ModelSpec,
    sharding: Layout,
    micro_batch: int,
    waiting: int,
    tensor: int,
    estimate: Estimate,
) -> ClusterMemory:
    recipe = replace(job.recipe, gradient_accumulation=1)
    figure = estimate(TrainingSetup(stage, recipe, job.sequence_length, micro_batch, sharding))
    if recipe.checkpointing is Checkpointing.OFF:
        kept = figure.card.activations
    else:
        kept = stage.layers * micro_batch * job.sequence_length * stage.hidden_size * BF16_BYTES
    in_flight = ceil(waiting * kept / tensor)
    peak = ceil(figure.allocated_peak / tensor) + in_flight
    need = requirement(peak, Layout(max(2, sharding.cards * tensor), Sharding.FSDP))
    on_card = replace(
        figure,
        allocated_peak=peak,
        runtime_context=need.context,
        allocator_reserve=need.reserve,
        required=need.required,
    )
    return ClusterMemory(on_card, in_flight)
