"""A run's recipe in one sentence, in the order in which an engineer would set it up."""

from __future__ import annotations

from engine.methods import Method, Offload, Recipe
from engine.plan.types import Placement
from engine.wording import numbers
from engine.wording.labels import label
from engine.wording.translator import Language, Translator, mark

_BYTES = {
    Method.FULL: mark("full fine-tuning, {states}"),
    Method.LORA: mark("LoRA of rank {rank} on {targets} over a 16-bit base, adapters in {adapter}"),
    Method.QLORA: mark("QLoRA of rank {rank} on {targets} over a 4-bit base (NF4), adapters in {adapter}"),
}


def method_text(recipe: Recipe, tr: Translator) -> str:
    """Method, rank, targets and precision."""
    return tr.gettext(_BYTES[recipe.method]).format(
        states=label(recipe.states, tr),
        rank=recipe.rank,
        targets=targets_text(recipe, tr),
        adapter=label(recipe.adapter_dtype, tr),
    )


def targets_text(recipe: Recipe, tr: Translator) -> str:
    """Which layers the adapters are on."""
    if recipe.targets == ("all-linear",):
        return tr.gettext("all linear layers")
    if recipe.targets == ("attention",):
        return tr.gettext("the attention layers")
    return ", ".join(recipe.targets)


def recipe_text(placement: Placement, tr: Translator, language: Language) -> str:
    """Everything that changes bytes or seconds, of the run as it is placed."""
    recipe = placement.estimate.setup.recipe
    parts = [method_text(recipe, tr), label(recipe.optimizer, tr)]
    parts.append(
        tr.gettext("micro-batch {micro_batch} × {length} tokens, gradient accumulation {accumulation}").format(
            micro_batch=placement.micro_batch,
            length=numbers.integer(placement.workload.sequence_length, language),
            accumulation=recipe.gradient_accumulation,
        )
    )
    parts += [label(recipe.checkpointing, tr), label(recipe.attention, tr), label(recipe.loss, tr)]
    if recipe.offload is not Offload.NONE:
        parts.append(label(recipe.offload, tr))
    parts.append(tr.gettext("samples packed") if recipe.packing else tr.gettext("samples padded"))
    if placement.layout.cards > 1:
        cards = tr.ngettext("{count} card", "{count} cards", placement.layout.cards)
        parts.append(cards.format(count=placement.layout.cards) + ", " + label(placement.layout.sharding, tr))
    return "; ".join(parts)
