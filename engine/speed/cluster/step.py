"""The time of one optimiser step over several nodes."""

from __future__ import annotations

from dataclasses import replace
from math import ceil

from engine.hardware import Card
from engine.methods import Layout, Method, Sharding
from engine.speed.bands import band, width_for
from engine.speed.cluster.exchange import Paths, micro_exchange, shard_cards, step_exchange
from engine.speed.cluster.types import ClusterJob, ClusterStep, NodeType, ParallelLayout
from engine.speed.rates import TERA, matmul_rate
from engine.speed.shape import ModelShape, shape_of
from engine.speed.terms import GB, MachineRates, StepWork, overlap_s, step_terms
from engine.speed.types import NO_LINK, Calibration, ComputeFormat, SpeedFacts, SpeedNote
from engine.speed.work import StepJob, flop_factors, work_of

BATCH_TOLERANCE = 0.25


def cluster_step(
    job: ClusterJob,
    node: NodeType,
    layout: ParallelLayout,
    micro_batch: int,
    trainable: int,
    notes: tuple[SpeedNote, ...],
    facts: SpeedFacts,
    calibration: Calibration | None = None,
) -> ClusterStep | None:
    """One step; None when the card or the network has no rate, or the batch is too small for the layout.

    With m micro-batches and p stages every card works m and waits p - 1 micro-batches (1F1B, arXiv 2104.04473).
    Exchange inside a micro-batch overlaps with its compute, gradient exchange with the whole step, each but for the
    fitted exposed share. A test run inside one machine moves what happens inside a machine; the network it never saw.
    """
    coefficients, fabric = facts.coefficients, facts.fabrics.get(node.fabric)
    rates = _rates(node.card, job.compute, facts)
    count = accumulation(job, layout, micro_batch)
    if coefficients is None or rates is None or fabric is None or count < 1:
        return None
    shape = shape_of(job.model)
    tokens = micro_batch * job.sequence_length
    terms = step_terms(stage_work(job, layout, shape, tokens, trainable), rates, job.stack, coefficients)
    speed = 1.0 if calibration is None else calibration.factor
    compute = (terms.compute_s - terms.optimizer_s) / speed
    paths = Paths(node, node.network_gb_per_s * fabric.expected)
    inner = micro_exchange(job, layout, shape, tokens, trainable, paths).at_speed(speed)
    outer = step_exchange(job, layout, trainable, paths).at_speed(speed)
    micro_s = overlap_s(compute, inner.total_s, coefficients.exposed_share)
    schedule = (count + layout.pipeline - 1) * micro_s
    optimizer = terms.optimizer_s / speed / shard_cards(layout, node)
    total = overlap_s(schedule, outer.total_s, coefficients.exposed_share) + optimizer
    step_tokens = count * tokens * layout.replicas
    across = count * inner.across_bytes + outer.across_bytes
    return ClusterStep(
        total_s=band(total, width_for(notes, calibration)),
        compute_s=count * compute,
        inside_s=count * inner.inside_s + outer.inside_s,
        across_s=count * inner.across_s + outer.across_s,
        bubble_s=(layout.pipeline - 1) * micro_s,
        optimizer_s=optimizer,
        inside_bytes=round(count * inner.inside_bytes + outer.inside_bytes),
        across_bytes=round(across),
        least_across_s=across / (node.network_gb_per_s * GB),
        tokens_per_step=step_tokens,
        model_flop_share=_model_flop_share(job, node.card, shape, step_tokens / layout.cards / total),
    )


def accumulation(job: ClusterJob, layout: ParallelLayout, micro_batch: int) -> int:
    """Micro-batches per replica and step, so that the step's tokens come nearest to the batch; 0 when they do not.

    A batch more than `BATCH_TOLERANCE` away would be another training, not another layout.
    """
    tokens = layout.replicas * micro_batch * job.sequence_length
    count = round(job.batch_tokens / tokens)
    return count if abs(count * tokens / job.batch_tokens - 1) <= BATCH_TOLERANCE else 0


def stage_work(job: ClusterJob, layout: ParallelLayout, shape: ModelShape, tokens: int, trainable: int) -> StepWork:
    """One micro-batch on the heaviest stage: its share of the layers, and the output layer."""
    split = Layout(layout.tensor, Sharding.TENSOR if layout.tensor > 1 else Sharding.NONE)
    recipe = replace(job.recipe, gradient_accumulation=1)
    whole = work_of(StepJob(recipe, split, layout.tensor, tokens, job.sequence_length, trainable), shape)
    if layout.pipeline == 1:
        return whole
    layers = ceil(shape.layers / layout.pipeline)
    share = layers / shape.layers
    output = flop_factors(recipe)[0] * job.model.vocab_size * job.model.hidden_size / layout.tensor
    return replace(
        whole,
        matrix_flop_per_token=(whole.matrix_flop_per_token - output) * share + output,
        attention_flop_per_token=whole.attention_flop_per_token * share,
        layers=layers,
        dequantised_parameters=whole.dequantised_parameters * share,
        optimizer_bytes=whole.optimizer_bytes * share,
    )


def _rates(card: Card, compute: ComputeFormat, facts: SpeedFacts) -> MachineRates | None:
    rate, bf16 = matmul_rate(card, compute, facts), matmul_rate(card, ComputeFormat.BF16, facts)
    if rate is None or bf16 is None or card.bandwidth_gb_per_s is None:
        return None
    memory = float(card.bandwidth_gb_per_s.value) * GB
    return MachineRates(rate.flop_per_s, bf16.flop_per_s, memory, NO_LINK, 1)


def _model_flop_share(job: ClusterJob, card: Card, shape: ModelShape, tokens_per_s: float) -> float | None:
    """Useful FLOP, recomputation left out, over the data sheet's dense BF16 rate (PaLM, arXiv 2204.02311)."""
    if card.bf16_dense_tflops is None:
        return None
    per_parameter = 6 if job.recipe.method is Method.FULL else 4
    flop = per_parameter * shape.matrix_parameters + 12 * shape.attention_work(job.sequence_length)
    return tokens_per_s * flop / (float(card.bf16_dense_tflops.value) * TERA)
