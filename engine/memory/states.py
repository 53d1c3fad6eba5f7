"""Model states: weights, adapters, gradients, master weights and moments by the named recipe."""

from __future__ import annotations

from dataclasses import dataclass

from engine.memory.aggregate import adapter_count, aggregate
from engine.memory.optimisers import RULES, optimiser_bytes
from engine.methods import Method, Objective, Optimizer, Precision, Recipe, StateRecipe
from engine.models import ModelSpec

# NF4 with double quantisation (Dettmers et al. 2023, section 3): half a byte per weight, one uint8 scale per 64
# weights, one fp32 scale per 256 of those: 4.127 bit. Without double quantisation one fp32 scale per 64: 4.5 bit.
NF4_BLOCK, NF4_OUTER_BLOCK = 64, 256


@dataclass(frozen=True, slots=True)
class Widths:
    """Bytes per trained parameter."""

    weight: int
    gradient: int
    master: int
    moment: int


FULL_WIDTHS: dict[StateRecipe, Widths] = {
    StateRecipe.BF16_MASTER: Widths(2, 2, 4, 4),  # ZeRO paper, section 3.1: 16 B with Adam
    StateRecipe.BF16: Widths(2, 2, 0, 2),
    StateRecipe.AMP: Widths(4, 4, 0, 4),
    StateRecipe.FP32_GRADIENTS: Widths(2, 4, 4, 4),  # Megatron-LM, distributed optimiser documentation: 18 B
    StateRecipe.FSDP_MIXED: Widths(4, 4, 0, 4),  # fp32 shards; the compute copy is gathered layer by layer
    StateRecipe.BF16_8BIT: Widths(2, 2, 4, 4),
}
ADAPTER_WIDTHS: dict[Precision, Widths] = {
    Precision.FP32: Widths(4, 4, 0, 4),  # PEFT's default
    Precision.BF16: Widths(2, 2, 0, 2),
}


@dataclass(frozen=True, slots=True)
class States:
    """Bytes of the whole model, before they are spread over cards."""

    trained_parameters: int
    frozen_weights: int
    trained_weights: int
    gradients: int
    master_weights: int
    optimizer: int
    scales: int
    step_temporaries: int
    reference: int  # a second, frozen copy of the weights (DPO)


def nf4_bytes(weights: int, *, double_quantisation: bool) -> int:
    """Storage of `weights` packed weights."""
    blocks = -(-weights // NF4_BLOCK)
    if double_quantisation:
        return -(-weights // 2) + blocks + 4 * -(-blocks // NF4_OUTER_BLOCK)
    return -(-weights // 2) + 4 * blocks


def trained_parameters(model: ModelSpec, recipe: Recipe) -> int:
    """Parameters that receive gradients."""
    if recipe.method is Method.FULL:
        return model.parameters
    return adapter_count(model, recipe.rank, recipe.targets, recipe.dora) + trained_copies(model, recipe)


def trained_copies(model: ModelSpec, recipe: Recipe) -> int:
    """Embedding and output layer trained beside the adapters, as copies of their own (PEFT's modules_to_save)."""
    size = model.vocab_size * model.hidden_size
    return size * (int(recipe.trains_embeddings) + int(recipe.trains_head))


def frozen_bytes(model: ModelSpec, recipe: Recipe) -> int:
    """Frozen base weights of LoRA and QLoRA."""
    sums = aggregate(model)
    if recipe.method is Method.LORA:
        return 2 * sums.parameters
    rest = 4 if recipe.kbit_upcast else 2
    packed = nf4_bytes(sums.quantisable, double_quantisation=recipe.double_quantisation)
    return packed + rest * (sums.parameters - sums.quantisable)


def widths_of(recipe: Recipe) -> Widths:
    """The recipe's bytes per trained parameter."""
    if recipe.method is Method.FULL:
        return FULL_WIDTHS[recipe.states]
    return ADAPTER_WIDTHS[recipe.adapter_dtype]


def model_states(model: ModelSpec, recipe: Recipe) -> States:
    """States of the whole model on one card."""
    full = recipe.method is Method.FULL
    widths = widths_of(recipe)
    trained = trained_parameters(model, recipe)
    optimiser = optimiser_bytes(
        effective_optimizer(recipe), trained, aggregate(model), widths.moment, widths.weight, full=full
    )
    return States(
        trained,
        0 if full else frozen_bytes(model, recipe),
        widths.weight * trained,
        widths.gradient * trained,
        widths.master * trained,
        optimiser.states,
        optimiser.scales,
        optimiser.step,
        2 * model.parameters if full and recipe.objective is Objective.DPO else 0,
    )


def is_paged(recipe: Recipe) -> bool:
    """Whether the optimiser's states may live in host memory."""
    return RULES[effective_optimizer(recipe)].paged


def effective_optimizer(recipe: Recipe) -> Optimizer:
    """The recipe `bf16-8bit` names its optimiser itself."""
    plain = (Optimizer.ADAMW, Optimizer.ADAMW_FUSED, Optimizer.ADAMW_FOREACH)
    if recipe.method is Method.FULL and recipe.states is StateRecipe.BF16_8BIT and recipe.optimizer in plain:
        return Optimizer.ADAMW_8BIT
    return recipe.optimizer
