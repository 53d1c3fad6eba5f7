"""Models and setups for the memory tests, built by hand from published shapes."""

from __future__ import annotations

from typing import Any

from engine.memory.trace.extent import Extent, per_token
from engine.memory.trace.layers import Builder, TraceOptions
from engine.memory.trace.tape import BF16, Tape, Tensor, total
from engine.memory.types import TrainingSetup
from engine.methods import Layout, Method, Recipe, Sharding
from engine.models import AttentionShape, Block, Linear, MixerKind, MlpShape, ModelSpec, Role

PLAIN = TraceOptions(False, 2, False, 0, (), 0, False, False, False, False)
"""Layers of bf16 weights that nobody trains, everything else switched off."""


def empty_builder(options: TraceOptions = PLAIN) -> Builder:
    """Layers on an empty tape."""
    return Builder(Tape(), options, frozenset())


def entering(builder: Builder, size: int, width: int = BF16) -> Tensor:
    """What a layer is given: so many values per token."""
    return builder.tape.leaf(builder.tape.new(per_token(size), width))


def live(builder: Builder) -> Extent:
    """The bytes that are held now."""
    return total(builder.tape.snapshot())


def llama(
    hidden: int,
    inner: int,
    layers: int,
    heads: int,
    kv_heads: int,
    vocab: int,
    *,
    name: str = "llama",
    tied: bool = False,
) -> ModelSpec:
    """A Llama of these sizes."""
    head = hidden // heads
    sizes = (
        ("q_proj", hidden, heads * head, Role.ATTENTION),
        ("k_proj", hidden, kv_heads * head, Role.ATTENTION),
        ("v_proj", hidden, kv_heads * head, Role.ATTENTION),
        ("o_proj", heads * head, hidden, Role.ATTENTION),
        ("gate_proj", hidden, inner, Role.MLP),
        ("up_proj", hidden, inner, Role.MLP),
        ("down_proj", inner, hidden, Role.MLP),
    )
    prefix = {Role.ATTENTION: "self_attn.", Role.MLP: "mlp."}
    block = Block(
        layers,
        MixerKind.ATTENTION,
        tuple(Linear(prefix[role] + leaf, inputs, outputs, role) for leaf, inputs, outputs, role in sizes),
        2 * hidden,
        AttentionShape(heads, kv_heads, head, head),
        MlpShape(inner),
    )
    return ModelSpec(
        id=name,
        name=name,
        hf_id="",
        family="Llama",
        licence="",
        model_type="llama",
        recognised=True,
        hidden_size=hidden,
        vocab_size=vocab,
        max_position=131072,
        tied_embeddings=tied,
        embedding_parameters=vocab * hidden,
        head_parameters=0 if tied else vocab * hidden,
        final_parameters=hidden,
        blocks=(block,),
    )


LLAMA_8B = llama(4096, 14336, 32, 32, 8, 128256, name="llama-3.1-8b")
LLAMA_70B = llama(8192, 28672, 80, 64, 8, 128256, name="llama-3.3-70b")
LLAMA_1B = llama(2048, 8192, 16, 32, 8, 128256, name="llama-3.2-1b", tied=True)


def run(
    model: ModelSpec = LLAMA_8B,
    method: Method = Method.LORA,
    sequence: int = 2048,
    batch: int = 1,
    cards: int = 1,
    sharding: Sharding | None = None,
    **recipe: Any,
) -> TrainingSetup:
    """A run with everything else as by default; several cards are fully sharded unless said otherwise.

    Hybrid sharding gets two groups.
    """
    spread = sharding or (Sharding.NONE if cards == 1 else Sharding.FSDP)
    layout = Layout(cards, spread, cards // 2 if spread is Sharding.HYBRID else 0)
    return TrainingSetup(model, Recipe(method, **recipe), sequence, batch, layout)
