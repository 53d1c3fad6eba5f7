"""What serving has to know of a model: counted once per model, then only looked up."""

from __future__ import annotations

from dataclasses import dataclass

from engine.memory.aggregate import PerModel
from engine.models import Block, MixerKind, ModelSpec, Role

BF16_BYTES = 2
LATENT_ELEMENTS = 512 + 64  # compressed keys and values plus the rotary part (DeepSeek-V3 configuration)
STATE_BYTES = 4  # recurrent states are kept in 32 bit

_CACHED = frozenset({MixerKind.ATTENTION, MixerKind.SLIDING_ATTENTION, MixerKind.CHUNKED_ATTENTION})
_RECURRENT = frozenset({MixerKind.LINEAR_ATTENTION, MixerKind.STATE_SPACE})


@dataclass(frozen=True, slots=True)
class CacheGroup:
    """Layers that keep the same per token. `elements` counts keys and values of one token in all `layers`."""

    layers: int
    elements: int
    kv_heads: int
    window: int | None  # tokens kept at most
    latent: bool  # one compressed vector for all heads: tensor parallelism does not divide it


@dataclass(frozen=True, slots=True)
class ServingShape:
    """A model as the serving formulas see it. Parameters are whole counts."""

    layers: int
    hidden: int
    vocabulary: int
    feed_forward: int  # widest feed-forward part one token passes
    parameters: int
    linear_parameters: int  # weights of the blocks' matrices, experts included: what a quantiser converts
    embedding_parameters: int  # looked up, not read in full
    read_parameters: int  # read in every step whatever the batch: everything but embedding and routed experts
    expert_parameters: int  # routed experts of all layers
    experts: int
    experts_per_token: int
    active_parameters: int  # matrices one token passes, output layer included
    attention_width: int  # heads times head size, summed over the layers that attend
    caches: tuple[CacheGroup, ...]
    state_bytes: int  # recurrent state of one sequence in all layers
    recurrent_layers: int

    @property
    def is_moe(self) -> bool:
        """Whether experts are routed."""
        return self.experts > 0

    @property
    def is_hybrid(self) -> bool:
        """Whether some layers keep a fixed state instead of keys and values."""
        return self.state_bytes > 0

    @property
    def is_latent(self) -> bool:
        """Whether keys and values are kept compressed."""
        return any(group.latent for group in self.caches)

    @property
    def has_windows(self) -> bool:
        """Whether some layers keep no more than a window."""
        return any(group.window is not None for group in self.caches)

    def cache_elements(self, tokens: float) -> float:
        """Cached values of one sequence of `tokens`; windowed layers stop growing at their window."""
        return sum(
            group.elements * (tokens if group.window is None else min(tokens, group.window)) for group in self.caches
        )

    def read_share(self, batch: float) -> float:
        """Share of the routed experts that a batch touches: 1 - (1 - k/E)^B for evenly chosen experts."""
        if not self.experts:
            return 0.0
        return float(1 - (1 - self.experts_per_token / self.experts) ** max(batch, 1.0))


def _cache_group(block: Block) -> CacheGroup | None:
    shape = block.attention
    if shape is None:
        return None
    if block.mixer is MixerKind.LATENT_ATTENTION:
        return CacheGroup(block.count, block.count * LATENT_ELEMENTS, 1, None, latent=True)
    if block.mixer not in _CACHED:
        return None
    elements = block.count * shape.kv_heads * (shape.head_dim + shape.value_dim)
    return CacheGroup(block.count, elements, shape.kv_heads, shape.window, latent=False)


def _experts(block: Block) -> int:
    return block.count * sum(linear.parameters for linear in block.linears if linear.role is Role.EXPERT)


def _state_bytes(block: Block) -> int:
    """State of one sequence: channels times state width, per layer (Mamba-2, gated delta rule)."""
    if block.mixer not in _RECURRENT or not block.state_size:
        return 0
    widest = max((linear.inputs for linear in block.linears if linear.role is Role.MIXER), default=0)
    return block.count * widest * block.state_size * STATE_BYTES


def _feed_forward(block: Block) -> int:
    dense = 0 if block.mlp is None else block.mlp.intermediate
    if block.moe is None:
        return dense
    return max(dense, block.moe.experts_per_token * block.moe.intermediate + block.moe.shared_intermediate)


def _count(model: ModelSpec) -> ServingShape:
    blocks = model.blocks
    experts = sum(_experts(block) for block in blocks)
    routed = next((block.moe for block in blocks if block.moe is not None), None)
    head = model.head_parameters or model.embedding_parameters  # tied: the embedding is the head and is read
    untied_embedding = model.embedding_parameters if model.head_parameters else 0
    active_experts = 0 if routed is None else experts * routed.experts_per_token // routed.experts
    linear = sum(block.count * matrix.weights for block in blocks for matrix in block.linears)
    attention = [block for block in blocks if block.attention is not None]
    return ServingShape(
        layers=model.layers,
        hidden=model.hidden_size,
        vocabulary=model.vocab_size,
        feed_forward=max((_feed_forward(block) for block in blocks), default=0),
        parameters=model.parameters,
        linear_parameters=linear,
        embedding_parameters=untied_embedding,
        read_parameters=model.parameters - untied_embedding - experts,
        expert_parameters=experts,
        experts=0 if routed is None else routed.experts,
        experts_per_token=0 if routed is None else routed.experts_per_token,
        active_parameters=linear - experts + active_experts + head,
        attention_width=sum(
            block.count * block.attention.heads * block.attention.head_dim
            for block in attention
            if block.attention is not None
        ),
        caches=tuple(group for block in blocks if (group := _cache_group(block)) is not None),
        state_bytes=sum(_state_bytes(block) for block in blocks),
        recurrent_layers=sum(block.count for block in blocks if block.mixer in _RECURRENT),
    )


serving_shape: PerModel[ServingShape] = PerModel(_count)
"""The counted shape of a model."""
