"""Model architectures: what has to be known of a decoder to count its parameters and its activations exactly.

A model is its embedding, a few groups of equal blocks, a final norm and a head. Every weight matrix is listed with
its shape, so that parameters, adapters and quantised bytes are sums over a list and not formulas per family.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.figures import Basis, Grade


class Role(StrEnum):
    """What a weight matrix does in its block."""

    ATTENTION = "attention"
    MLP = "mlp"
    EXPERT = "expert"
    SHARED_EXPERT = "shared-expert"
    ROUTER = "router"
    MIXER = "mixer"  # state-space or linear-attention projections


class CheckpointFormat(StrEnum):
    """How the published weights are stored, and so what must happen before they can be trained.

    Full fine-tuning and LoRA need them in 16 bit first. BITSANDBYTES is what QLoRA makes and can take as it is; GPTQ
    and AWQ can carry adapters but cannot be trained themselves.
    """

    NONE = ""  # 16 or 32 bit
    FP8 = "fp8"
    MXFP4 = "mxfp4"
    NVFP4 = "nvfp4"
    GPTQ = "gptq"
    AWQ = "awq"
    BITSANDBYTES = "bitsandbytes"
    COMPRESSED_TENSORS = "compressed-tensors"  # integers
    OTHER = "other"


class MixerKind(StrEnum):
    """How a block mixes tokens."""

    ATTENTION = "attention"
    SLIDING_ATTENTION = "sliding-attention"
    CHUNKED_ATTENTION = "chunked-attention"
    LATENT_ATTENTION = "latent-attention"  # MLA
    LINEAR_ATTENTION = "linear-attention"
    STATE_SPACE = "state-space"
    NONE = "none"  # a block of experts or MLP alone


@dataclass(frozen=True, slots=True)
class Linear:
    """`count` weight matrices of the same shape in one block. Names are the module names of the library."""

    name: str
    inputs: int
    outputs: int
    role: Role
    bias: bool = False
    count: int = 1  # number of experts for expert matrices
    fused_parameter: bool = False  # bitsandbytes leaves it in 16 bit: a bare tensor (3-D experts, router) or own class
    peft_all_linear: bool = True  # whether PEFT's "all-linear" adapts it
    own_class: bool = False  # a linear layer of the model's own class: PEFT adapts it, bitsandbytes does not see it
    rank_factor: int = 1  # 2 where PEFT doubles the rank: expert gate and up in one tensor

    @property
    def is_module(self) -> bool:
        """Whether it is a linear layer, of whatever class, and no bare tensor."""
        return self.own_class or not self.fused_parameter

    @property
    def weights(self) -> int:
        """Weights without bias."""
        return self.inputs * self.outputs * self.count

    @property
    def parameters(self) -> int:
        """Weights and biases."""
        return self.weights + (self.outputs * self.count if self.bias else 0)


@dataclass(frozen=True, slots=True)
class AttentionShape:
    """Heads of one block. For MLA `head_dim` is the query/key width and `value_dim` the value width."""

    heads: int
    kv_heads: int
    head_dim: int
    value_dim: int
    window: int | None = None
    query_key_norms: bool = False
    softcap: bool = False  # attention logits are soft-capped
    sinks: bool = False
    fused_qkv: bool = False
    dropout: bool = False  # attention weights are dropped out in training, which eager attention must keep


@dataclass(frozen=True, slots=True)
class MlpShape:
    """The dense feed-forward part of one block."""

    intermediate: int
    gated: bool = True


@dataclass(frozen=True, slots=True)
class MoeShape:
    """The expert part of one block."""

    experts: int
    experts_per_token: int
    intermediate: int
    shared_intermediate: int = 0  # all shared experts together
    gated: bool = True


@dataclass(frozen=True, slots=True)
class Block:
    """`count` equal decoder layers."""

    count: int
    mixer: MixerKind
    linears: tuple[Linear, ...]
    other_parameters: int  # norms, router biases, sinks, state-space vectors: everything that is no matrix above
    attention: AttentionShape | None = None
    mlp: MlpShape | None = None
    moe: MoeShape | None = None
    norms_per_layer: int = 2  # norms of full hidden width
    state_size: int = 0  # state-space or linear-attention state per token-independent channel, for hybrids
    residual_dropout: bool = False  # the outputs of both halves are dropped out before they are added

    @property
    def parameters(self) -> int:
        """Parameters of all `count` layers."""
        return self.count * (sum(linear.parameters for linear in self.linears) + self.other_parameters)


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """A decoder, exact to the parameter for recognised model types."""

    id: str
    name: str
    hf_id: str
    family: str
    licence: str  # empty: not recorded
    model_type: str
    recognised: bool  # False: computed from its dimensions, and marked as such wherever shown
    hidden_size: int
    vocab_size: int
    max_position: int | None
    tied_embeddings: bool
    embedding_parameters: int
    head_parameters: int  # 0 when tied
    final_parameters: int  # final norm, learned positions, head bias
    blocks: tuple[Block, ...]
    logit_softcap: bool = False
    vision_parameters: int = 0  # counted and reported, not trained
    vision_counted: bool = True  # False: there is a vision or audio part that could not be counted
    defaulted: tuple[str, ...] = ()  # config fields that were absent and taken from the library's class defaults
    peft_module_names: tuple[tuple[str, str], ...] = ()  # old module name -> tensor PEFT adapts
    peft_refused: tuple[str, ...] = ()  # modules PEFT refuses to adapt; "all-linear" then has to leave them out
    licence_seen: bool = False  # False: from memory or not recorded, and marked so wherever shown
    size_label: str = ""  # as the maker names the size: 8B, 30B-A3B
    grade: Grade = Grade.C  # of the architecture's figures
    basis: Basis = Basis.PUBLISHED
    adaptable_extras: tuple[Linear, ...] = ()  # linear layers outside the blocks, counted in `final_parameters`
    checkpoint_format: CheckpointFormat = CheckpointFormat.NONE
    sources: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def layers(self) -> int:
        """Number of decoder layers."""
        return sum(block.count for block in self.blocks)

    @property
    def parameters(self) -> int:
        """All parameters of the language model, vision tower left out."""
        return (
            self.embedding_parameters
            + self.head_parameters
            + self.final_parameters
            + sum(block.parameters for block in self.blocks)
        )

    def divides_over(self, ranks: int) -> bool:
        """Whether tensor parallelism can cut the attention over so many cards.

        Megatron-LM gives every card whole heads (Shoeybi et al. 2019, section 3); key-value heads are divided as well,
        or copied to several cards where there are fewer of them than cards.
        """
        shapes = [block.attention for block in self.blocks if block.attention is not None]
        return all(
            shape.heads % ranks == 0 and (shape.kv_heads % ranks == 0 or ranks % shape.kv_heads == 0)
            for shape in shapes
        )

    @property
    def is_moe(self) -> bool:
        """Whether any block has experts."""
        return any(block.moe is not None for block in self.blocks)

    @property
    def active_parameters(self) -> int:
        """Parameters that touch one token: of the routed experts only those chosen per token."""
        idle = 0
        for block in self.blocks:
            if block.moe is None:
                continue
            experts = sum(linear.parameters for linear in block.linears if linear.role is Role.EXPERT)
            idle += block.count * experts * (block.moe.experts - block.moe.experts_per_token) // block.moe.experts
        return self.parameters - idle
