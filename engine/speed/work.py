"""From a recipe to the numbers of `engine.speed.terms`: how much is computed, moved and exchanged per step."""

from __future__ import annotations

from dataclasses import dataclass

from engine.methods import Checkpointing, Layout, Method, Objective, Offload, Precision, Recipe, Sharding, StateRecipe
from engine.speed.shape import NF4_BYTES, ModelShape
from engine.speed.terms import StepWork

BF16_BYTES = 2
FP32_BYTES = 4
UPDATE_BYTES = {  # read and written per trained parameter by one AdamW step: weight, gradient, two moments, copy
    StateRecipe.BF16_MASTER: 28,
    StateRecipe.BF16: 14,
    StateRecipe.AMP: 28,
    StateRecipe.FP32_GRADIENTS: 30,
    StateRecipe.FSDP_MIXED: 28,
    StateRecipe.BF16_8BIT: 16,
}
# Tuples: a member is found by identity, without the cost of hashing an enum in the planner's innermost call.
_REDUCED_ONCE = (Sharding.DDP, Sharding.ZERO1)
_WHOLE_UPDATE = (Sharding.NONE, Sharding.DDP)
_WIDE_GRADIENTS = (StateRecipe.AMP, StateRecipe.FP32_GRADIENTS)


@dataclass(frozen=True, slots=True)
class StepJob:
    """One optimiser step of one run. `tokens` per micro-batch and card, or per group of a tensor-parallel run."""

    recipe: Recipe
    layout: Layout
    cards: int
    tokens: int
    sequence_length: int
    trainable_parameters: int
    offload_s: float = 0.0


def flop_factors(recipe: Recipe) -> tuple[int, int, int]:
    """FLOP per matrix parameter and token, attention passes, and passes over the layers.

    Full training 6 and LoRA 4 (frozen weights need no gradient of their own: NVIDIA's published rates count 3.9 N and
    6.1 N for the same model), two more when the forward pass is recomputed, two more for DPO's reference pass.
    """
    full = recipe.method is Method.FULL
    extra = int(recipe.checkpointing is not Checkpointing.OFF) + int(recipe.objective is Objective.DPO)
    return (6 if full else 4) + 2 * extra, 3 + extra, (3 if full else 2) + extra


def weight_bytes(recipe: Recipe, shape: ModelShape) -> float:
    """Bytes of all weights as they travel when sharded: 4-bit stays packed, the rest in compute precision."""
    if recipe.method is Method.QLORA:
        rest = shape.stored_parameters - shape.quantisable_parameters
        return shape.quantisable_parameters * NF4_BYTES + rest * BF16_BYTES
    wide = recipe.method is Method.FULL and recipe.states is StateRecipe.AMP
    return float(shape.stored_parameters * (FP32_BYTES if wide else BF16_BYTES))


def gradient_bytes_each(recipe: Recipe) -> int:
    """Bytes per trained parameter that gradients have on the link."""
    if recipe.method is not Method.FULL:
        return FP32_BYTES if recipe.adapter_dtype is Precision.FP32 else BF16_BYTES
    return FP32_BYTES if recipe.states in _WIDE_GRADIENTS else BF16_BYTES


def work_of(job: StepJob, shape: ModelShape) -> StepWork:
    """A step in numbers, per card."""
    recipe, sharding, cards = job.recipe, job.layout.sharding, job.cards
    per_parameter, attention_passes, passes = flop_factors(recipe)
    split = cards if sharding is Sharding.TENSOR else 1
    matrix = per_parameter * shape.matrix_parameters
    if recipe.method is not Method.FULL:
        matrix += 6 * job.trainable_parameters
    inside, once = _exchange(job, shape)
    update = UPDATE_BYTES[recipe.states] * job.trainable_parameters / (1 if sharding in _WHOLE_UPDATE else cards)
    return StepWork(
        tokens=job.tokens,
        matrix_flop_per_token=matrix / split,
        attention_flop_per_token=4 * attention_passes * shape.attention_work(job.sequence_length) / split,
        layers=shape.layers,
        width=shape.width / split,
        passes=passes,
        dequantised_parameters=shape.quantisable_parameters / split if recipe.method is Method.QLORA else 0,
        micro_batches=recipe.gradient_accumulation,
        gather_bytes=inside,
        gradient_bytes=once,
        optimizer_bytes=update if recipe.offload is Offload.NONE else 0,
        offload_s=job.offload_s,
        replica_bytes=_between_groups(job),
    )


def _between_groups(job: StepJob) -> float:
    """Bytes one card receives per step from the other groups of a hybrid layout.

    Each card's part of the gradients is all-reduced over the groups after every backward pass, unless a script turns it
    off (PyTorch pull request 126166, on FSDP2): a reduce-scatter and an all-gather.
    """
    layout = job.layout
    if layout.sharding is not Sharding.HYBRID:
        return 0.0
    groups = layout.cards // layout.group
    part = job.trainable_parameters * gradient_bytes_each(job.recipe) / layout.group
    return job.recipe.gradient_accumulation * 2 * part * (groups - 1) / groups


def _exchange(job: StepJob, shape: ModelShape) -> tuple[float, float]:
    """Whole tensors exchanged inside every micro-batch, and once per step.

    FSDP gathers the weights before the forward and before the backward pass and scatters gradients once per micro-batch
    (PyTorch FSDP, full shard). Replicas reduce gradients once per step: a reduce-scatter and an all-gather. ZeRO-2
    scatters gradients as they are computed, in every micro-batch, and gathers the updated weights once per step. Tensor
    parallelism reduces two activations per layer and pass, each as reduce-scatter and all-gather (Megatron-LM).
    """
    gradients = float(job.trainable_parameters * gradient_bytes_each(job.recipe))
    sharding = job.layout.sharding
    if sharding in (Sharding.FSDP, Sharding.HYBRID):
        return 2 * weight_bytes(job.recipe, shape) + gradients, 0.0
    if sharding is Sharding.TENSOR:
        activation = job.tokens * shape.width * BF16_BYTES
        passes = 2 + int(job.recipe.checkpointing is not Checkpointing.OFF)
        return 2.0 * 2 * passes * shape.layers * activation, 0.0
    if sharding is Sharding.ZERO2:
        return gradients, float(job.trainable_parameters * BF16_BYTES)
    if sharding in _REDUCED_ONCE:
        return 0.0, 2 * gradients
    return 0.0, 0.0
