"""What can be computed: the allowed ranges of a setup."""

from __future__ import annotations

from engine.errors import InvalidInputError
from engine.memory.types import TrainingSetup
from engine.methods import Layout, Recipe, Sharding
from engine.models import ModelSpec

MAX_SEQUENCE = 2**24  # 16 million tokens
MAX_MICRO_BATCH = 2**16
MAX_CARDS = 2**14
MAX_RANK = 2**14
MAX_ACCUMULATION = 2**24


def check_lengths(setup: TrainingSetup) -> None:
    """Raise InvalidInputError when length or batch are outside what can be computed."""
    _whole("sequence length", setup.sequence_length, MAX_SEQUENCE)
    _whole("micro-batch", setup.micro_batch, MAX_MICRO_BATCH)


def check_recipe(recipe: Recipe) -> None:
    """The recipe's own numbers."""
    _whole("rank", recipe.rank, MAX_RANK)
    _whole("gradient accumulation", recipe.gradient_accumulation, MAX_ACCUMULATION)
    if not recipe.targets:
        raise InvalidInputError("At least one target of the adapters must be named.")


def check_layout(layout: Layout, model: ModelSpec) -> None:
    """Cards, sharding and the model's heads agree."""
    _whole("cards", layout.cards, MAX_CARDS)
    if layout.sharding is Sharding.NONE and layout.cards > 1:
        raise InvalidInputError(
            "{cards} cards need a sharding: one of ddp, zero1, zero2, fsdp, tensor.", cards=layout.cards
        )
    if (layout.sharding is Sharding.HYBRID) is not _has_groups(layout):
        raise InvalidInputError("Hybrid sharding needs several equal groups of at least two cards.")
    if layout.sharding is Sharding.TENSOR and not model.divides_over(layout.cards):
        heads = sorted({block.attention.heads for block in model.blocks if block.attention is not None})
        raise InvalidInputError(
            "Tensor parallelism needs a number of cards that divides the attention heads: {heads} heads cannot be "
            "divided over {cards} cards.",
            heads=", ".join(map(str, heads)),
            cards=layout.cards,
        )


def _has_groups(layout: Layout) -> bool:
    return 1 < layout.group < layout.cards and layout.cards % layout.group == 0


def _whole(field: str, value: object, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise InvalidInputError("{field} must be a whole number from 1 to {most}.", field=field, most=most)
