"""How the families differ in what their layers keep: one row per model type, everything unnamed is built like Llama.

Read off the modelling code of transformers 5.24.0.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from engine.models import Block, ModelSpec


class NormKind(Enum):
    """How a norm computes, as far as its saved tensors differ."""

    RMS = "rms"  # normalised in fp32, cast, then multiplied by the weight
    RMS_FP32_WEIGHT = "rms-fp32-weight"  # multiplied by the weight in fp32, then cast
    RMS_PLUS_ONE = "rms-plus-one"  # multiplied by 1 + weight in fp32, then cast
    CENTRED = "centred"  # mean subtracted in fp32, then as above
    FUSED_LAYER_NORM = "fused-layer-norm"  # PyTorch's own operator
    FUSED_FP32 = "fused-fp32"  # the same on an fp32 copy


class Order(Enum):
    """Where the norms stand."""

    BEFORE = "before"
    AROUND = "around"  # before and after both halves
    AFTER = "after"  # after both halves, none before
    PARALLEL = "parallel"  # attention and feed-forward read the same normalised input
    SINGLE = "single"  # one mixer or one feed-forward part per layer


class Rotary(Enum):
    """Number format and extent of the rotary positions."""

    WHOLE = "whole"
    PARTIAL = "partial"  # a part of each head is turned and joined with the rest
    CASTING = "casting"  # queries and keys are cast to fp32 and back
    PROMOTING = "promoting"  # fp32 tables promote the products to fp32
    SLIDING_ONLY = "sliding-only"  # full-attention layers have none


class Routing(Enum):
    """How the experts' scores are made."""

    SOFTMAX = "softmax"
    SOFTMAX_FP32 = "softmax-fp32"  # the scores stay in fp32
    SIGMOID = "sigmoid"  # logits and scores in fp32, choice by groups
    CHOSEN_FIRST = "chosen-first"  # softmax over the chosen experts only


@dataclass(frozen=True, slots=True)
class Style:
    """A family's differences from Llama."""

    norm: NormKind = NormKind.RMS
    order: Order = Order.BEFORE
    rotary: Rotary = Rotary.WHOLE
    rotary_share: float = 1.0
    routing: Routing = Routing.SOFTMAX
    scales_residual: bool = False
    scales_logits: bool = False
    clamped_gate: bool = False
    widest_head_norm: bool = False  # query and key norms over all heads together
    value_norm: bool = False
    squared_relu: bool = False
    half_softmax: bool = False  # eager attention's softmax stays in the scores' precision
    composed_gelu: bool = False  # GELU's tanh form written out in Python ("gelu_new")
    exponential_unit: bool = False  # xIELU in its Python form
    every_expert: bool = False  # all experts see all tokens, weighted by their scores beforehand (Llama 4)
    chunk: int = 256  # of a Mamba-2 scan
    gated_query: bool = False  # half of the query projection gates the attention's output


GEMMA = Style(NormKind.RMS_PLUS_ONE, Order.AROUND)
GEMMA_4 = Style(NormKind.RMS_FP32_WEIGHT, Order.AROUND, value_norm=True)
COHERE = Style(NormKind.CENTRED, Order.PARALLEL, Rotary.CASTING, scales_logits=True)
GRANITE = Style(scales_residual=True, scales_logits=True, routing=Routing.CHOSEN_FIRST)
DEEPSEEK = Style(routing=Routing.SIGMOID)
QWEN_HYBRID = Style(NormKind.RMS_PLUS_ONE, rotary=Rotary.PARTIAL, rotary_share=0.25, gated_query=True)
OLMO = Style(NormKind.RMS_FP32_WEIGHT, Order.AFTER, Rotary.PROMOTING, widest_head_norm=True)
PHI = Style(NormKind.FUSED_LAYER_NORM, Order.PARALLEL, Rotary.PARTIAL, rotary_share=0.5, composed_gelu=True)

STYLES: dict[str, Style] = {
    "afmoe": Style(NormKind.RMS_FP32_WEIGHT, Order.AROUND, routing=Routing.SIGMOID),
    "apertus": Style(exponential_unit=True),
    "bamba": Style(rotary=Rotary.PARTIAL, rotary_share=0.5),
    "bloom": Style(NormKind.FUSED_LAYER_NORM),
    "cohere": COHERE,
    "cohere2": COHERE,
    "cohere2_moe": COHERE,
    "deepseek_v2": Style(routing=Routing.SOFTMAX_FP32),
    "deepseek_v3": DEEPSEEK,
    "deepseek_v32": DEEPSEEK,
    "dots1": DEEPSEEK,
    "ernie4_5": Style(rotary=Rotary.CASTING),
    "ernie4_5_moe": Style(rotary=Rotary.CASTING, routing=Routing.SOFTMAX_FP32),
    "exaone4": Style(order=Order.AFTER),
    "exaone_moe": DEEPSEEK,
    "falcon": Style(NormKind.FUSED_LAYER_NORM, Order.PARALLEL, half_softmax=True),
    "flex_olmo": OLMO,
    "gemma": Style(NormKind.RMS_PLUS_ONE),
    "gemma2": GEMMA,
    "gemma3": GEMMA,
    "gemma3_text": GEMMA,
    "gemma3n_text": GEMMA_4,
    "gemma4": GEMMA_4,
    "gemma4_text": GEMMA_4,
    "glm": Style(rotary=Rotary.PARTIAL, rotary_share=0.5),
    "glm4": Style(order=Order.AROUND, rotary=Rotary.PARTIAL, rotary_share=0.5),
    "glm4_moe": Style(rotary=Rotary.PARTIAL, rotary_share=0.5, routing=Routing.SIGMOID),
    "glm4_moe_lite": DEEPSEEK,
    "glm_moe_dsa": DEEPSEEK,
    "gpt2": Style(NormKind.FUSED_LAYER_NORM, composed_gelu=True),
    "gpt_bigcode": Style(NormKind.FUSED_LAYER_NORM),
    "gpt_neox": Style(NormKind.FUSED_LAYER_NORM, Order.PARALLEL, Rotary.PARTIAL, rotary_share=0.25),
    "gpt_oss": Style(NormKind.RMS_FP32_WEIGHT, routing=Routing.CHOSEN_FIRST, clamped_gate=True),
    "granite": GRANITE,
    "granitemoe": GRANITE,
    "granitemoehybrid": GRANITE,
    "granitemoeshared": GRANITE,
    "helium": Style(NormKind.RMS_FP32_WEIGHT),
    "jais2": Style(NormKind.FUSED_LAYER_NORM, squared_relu=True),
    "kimi_k2": DEEPSEEK,
    "kimi_linear": DEEPSEEK,
    "llama4_text": Style(rotary=Rotary.CASTING, every_expert=True),
    "mimo_v2_flash": Style(rotary=Rotary.PARTIAL, rotary_share=0.5, routing=Routing.SIGMOID),
    "minimax_m2": Style(rotary=Rotary.PARTIAL, rotary_share=0.5, routing=Routing.SIGMOID, widest_head_norm=True),
    "mixtral": Style(routing=Routing.SOFTMAX_FP32),
    "minimax": Style(routing=Routing.SOFTMAX_FP32),
    "nemotron": Style(NormKind.FUSED_LAYER_NORM, rotary=Rotary.PARTIAL, rotary_share=0.5, squared_relu=True),
    "nemotron_h": Style(NormKind.RMS_FP32_WEIGHT, Order.SINGLE, squared_relu=True, routing=Routing.SIGMOID, chunk=128),
    "olmo": Style(NormKind.FUSED_FP32, rotary=Rotary.PROMOTING),
    "olmo2": OLMO,
    "olmo3": OLMO,
    "olmoe": Style(widest_head_norm=True),
    "phi": PHI,
    "phimoe": Style(NormKind.FUSED_LAYER_NORM, routing=Routing.SOFTMAX_FP32),
    "qwen3_5": QWEN_HYBRID,
    "qwen3_5_moe": QWEN_HYBRID,
    "qwen3_5_moe_text": QWEN_HYBRID,
    "qwen3_5_text": QWEN_HYBRID,
    "qwen3_next": QWEN_HYBRID,
    "stablelm": Style(NormKind.FUSED_LAYER_NORM, rotary=Rotary.PARTIAL, rotary_share=0.25),
    "starcoder2": Style(NormKind.FUSED_LAYER_NORM),
}

LLAMA = Style()

# Families whose layers are only taken to be alike: dropout inside the layers, ALiBi, shared blocks, differential or
# ternary weights, attention of their own. Traces of small models differ by 5 to 50 %.
APPROXIMATE = frozenset(
    ("bitnet", "bloom", "diffllama", "falcon", "gpt2", "gpt_bigcode", "nanochat", "opt", "xglm", "zamba", "zamba2")
)


def style_of(model: ModelSpec) -> Style:
    """The family's row; of an unknown family the order is guessed from the number of norms."""
    known = STYLES.get(model.model_type)
    if known is not None:
        return known
    norms = max((block.norms_per_layer for block in model.blocks), default=2)
    if norms >= 4:
        return Style(order=Order.AROUND)
    return Style(order=Order.PARALLEL) if norms == 1 and _has_both_halves(model.blocks) else LLAMA


def _has_both_halves(blocks: tuple[Block, ...]) -> bool:
    return any(block.attention is not None and (block.mlp is not None or block.moe is not None) for block in blocks)
