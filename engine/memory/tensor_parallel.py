"""One card's share of a model under tensor parallelism: the same layers with fewer heads and narrower matrices."""

from __future__ import annotations

from dataclasses import replace

from engine.memory.aggregate import PerModel
from engine.models import Block, Linear, ModelSpec

ROW_PARALLEL = ("o_proj", "out_proj", "down_proj", "dense", "c_proj", "fc2", "w2", "dense_4h_to_h", "output_linear")


def _slice(model: ModelSpec, cards: int) -> ModelSpec:
    """Megatron-LM's split (Shoeybi et al. 2019, section 3): first matrix by columns, second by rows, heads by card.

    Norms, the residual stream and the routing stay whole; key-value heads are copied when there are fewer than cards.
    """
    return replace(
        model,
        vocab_size=_part(model.vocab_size, cards),
        embedding_parameters=_part(model.embedding_parameters, cards),
        head_parameters=_part(model.head_parameters, cards),
        blocks=tuple(_block(block, cards) for block in model.blocks),
    )


tensor_slice: PerModel[ModelSpec] = PerModel(_slice)


def _block(block: Block, cards: int) -> Block:
    attention, mlp, moe = block.attention, block.mlp, block.moe
    if attention is not None:
        heads, kv_heads = _part(attention.heads, cards), _part(attention.kv_heads, cards)
        attention = replace(attention, heads=heads, kv_heads=kv_heads)
    if mlp is not None:
        mlp = replace(mlp, intermediate=_part(mlp.intermediate, cards))
    if moe is not None:
        moe = replace(moe, intermediate=_part(moe.intermediate, cards))
    linears = tuple(_linear(linear, cards) for linear in block.linears)
    return replace(block, attention=attention, mlp=mlp, moe=moe, linears=linears)


def _linear(linear: Linear, cards: int) -> Linear:
    leaf = linear.name.rpartition(".")[2]
    if leaf in ROW_PARALLEL:
        return replace(linear, inputs=_part(linear.inputs, cards))
    return replace(linear, outputs=_part(linear.outputs, cards))


def _part(size: int, cards: int) -> int:
    return -(-size // cards)
