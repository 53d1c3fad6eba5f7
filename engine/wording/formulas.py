"""The rules behind the model states, with this run's numbers put in."""

from __future__ import annotations

from engine.memory.types import MemoryEstimate
from engine.methods import Method, Optimizer, Recipe, Sharding, StateRecipe
from engine.wording import numbers
from engine.wording.translator import Language, Translator, mark

_FULL = {
    StateRecipe.BF16_MASTER: mark("2 B weight + 2 B gradient + 4 B master weight + 8 B moments = 16 B per parameter"),
    StateRecipe.BF16: mark("2 B weight + 2 B gradient + 4 B moments = 8 B per parameter, plus the step's copy"),
    StateRecipe.AMP: mark("4 B weight + 4 B gradient + 8 B moments = 16 B per parameter, bf16 copies under autocast"),
    StateRecipe.FP32_GRADIENTS: mark(
        "2 B weight + 4 B gradient + 4 B master weight + 8 B moments = 18 B per parameter"
    ),
    StateRecipe.FSDP_MIXED: mark("4 B weight + 4 B gradient + 8 B moments per parameter, plus gathered bf16 layers"),
    StateRecipe.BF16_8BIT: mark("2 B weight + 2 B gradient + 4 B master weight + 2 B moments = 10 B per parameter"),
}
_ADAMS = {Optimizer.ADAMW, Optimizer.ADAMW_FUSED, Optimizer.ADAMW_FOREACH}
_SHARD_DIVIDES = {
    Sharding.FSDP: mark("FSDP divides weights, gradients and moments over {cards} cards."),
    Sharding.ZERO2: mark("ZeRO-2 divides gradients and moments over {cards} cards; every card holds all weights."),
    Sharding.ZERO1: mark("ZeRO-1 divides the moments over {cards} cards; every card holds weights and gradients."),
    Sharding.DDP: mark("Data parallel: every one of the {cards} cards holds all states."),
    Sharding.TENSOR: mark("Tensor parallel divides every layer over {cards} cards."),
    Sharding.HYBRID: mark("FSDP divides weights, gradients and moments over {cards} cards; the groups are replicas."),
}


def state_formula(estimate: MemoryEstimate, tr: Translator, language: Language) -> str:
    """Bytes per parameter by the named recipe, and the counts they apply to."""
    recipe = estimate.setup.recipe
    return tr.gettext("{rule}; {parameters} parameters, {trainable} of them trained").format(
        rule=_rule(recipe, tr),
        parameters=numbers.integer(estimate.parameters, language),
        trainable=numbers.integer(estimate.trainable_parameters, language),
    )


def sharding_formula(estimate: MemoryEstimate, tr: Translator) -> str:
    """What the sharding divides; empty on one card."""
    layout = estimate.setup.layout
    if layout.sharding not in _SHARD_DIVIDES or layout.cards == 1:
        return ""
    return tr.gettext(_SHARD_DIVIDES[layout.sharding]).format(cards=layout.shard_cards)


def _rule(recipe: Recipe, tr: Translator) -> str:
    if recipe.method is Method.FULL:
        if recipe.optimizer in _ADAMS or recipe.states is StateRecipe.BF16_8BIT:
            return tr.gettext(_FULL[recipe.states])
        return tr.gettext("states by the named recipe and the optimiser's own moments")
    adapters = tr.gettext("16 B per adapter parameter (weight, gradient and two moments in fp32)")
    if recipe.adapter_dtype.value != "fp32" or recipe.optimizer not in _ADAMS:
        adapters = tr.gettext("adapters by their precision and the optimiser's own moments")
    if recipe.method is Method.LORA:
        base = tr.gettext("2 B per base parameter")
    else:
        base = tr.gettext("4.127 bit per linear weight (NF4, double quantisation), 2 B for embeddings, head and norms")
        if not recipe.double_quantisation:
            base = tr.gettext("4.5 bit per linear weight (NF4), 2 B for embeddings, head and norms")
    return f"{base} + {adapters}"
