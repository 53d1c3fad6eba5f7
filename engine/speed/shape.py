"""What the speed model has to know of a model: counted once per model, then only looked up."""

from __future__ import annotations

from dataclasses import dataclass

from engine.memory.aggregate import PerModel
from engine.models import Block, MixerKind, ModelSpec, Role

NF4_BYTES = 4.127 / 8  # 4 bit plus 0.127 bit for doubly quantised constants (QLoRA paper, arXiv 2305.14314)

_ATTENTION = frozenset(
    {
        MixerKind.ATTENTION,
        MixerKind.SLIDING_ATTENTION,
        MixerKind.CHUNKED_ATTENTION,
        MixerKind.LATENT_ATTENTION,
    }
)


@dataclass(frozen=True, slots=True)
class AttentionGroup:
    """Layers with the same attention. `width` is heads times the mean of query and value width."""

    layers: int
    width: float
    window: int | None
    chunked: bool


@dataclass(frozen=True, slots=True)
class ModelShape:
    """A model as the speed model sees it. Parameters are whole counts."""

    layers: int
    width: int
    matrix_parameters: int  # matrices one token passes, output layer included, input embedding not
    stored_parameters: int  # everything sharding has to gather
    quantisable_parameters: int  # linear layers a 4-bit loader converts
    attention: tuple[AttentionGroup, ...]

    def attention_work(self, sequence_length: int) -> float:
        """Sum over layers of attention width times mean attended positions: FLOP per token and pass is four times it.

        Causal: half the square (PaLM, arXiv 2204.02311, appendix B, halved for the mask); a window cuts it off.
        """
        total = 0.0
        for group in self.attention:
            total += group.layers * group.width * _attended(group, sequence_length)
        return total


def _attended(group: AttentionGroup, sequence_length: int) -> float:
    """Mean number of earlier positions a token looks at."""
    window = group.window
    if window is None or sequence_length <= window:
        return sequence_length / 2
    if group.chunked:
        return window / 2
    return window - window * window / (2 * sequence_length)


def _attention_group(block: Block) -> AttentionGroup | None:
    if block.attention is None or block.mixer not in _ATTENTION:
        return None
    shape = block.attention
    return AttentionGroup(
        block.count,
        shape.heads * (shape.head_dim + shape.value_dim) / 2,
        shape.window,
        block.mixer is MixerKind.CHUNKED_ATTENTION,
    )


def _active_weights(block: Block) -> int:
    """Weights one token passes in all layers of a block."""
    total = 0
    for linear in block.linears:
        if linear.role is Role.EXPERT and block.moe is not None:
            total += linear.weights * block.moe.experts_per_token // block.moe.experts
        else:
            total += linear.weights
    return total * block.count


def _count(model: ModelSpec) -> ModelShape:
    groups = tuple(group for block in model.blocks if (group := _attention_group(block)) is not None)
    return ModelShape(
        layers=model.layers,
        width=model.hidden_size,
        matrix_parameters=sum(_active_weights(block) for block in model.blocks) + model.vocab_size * model.hidden_size,
        stored_parameters=model.parameters,
        quantisable_parameters=sum(
            block.count * linear.weights
            for block in model.blocks
            for linear in block.linears
            if not linear.fused_parameter
        ),
        attention=groups,
    )


shape_of: PerModel[ModelShape] = PerModel(_count)
"""The counted shape of a model."""
