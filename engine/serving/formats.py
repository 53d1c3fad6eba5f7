"""Weight and cache formats: bytes, and which card and engine can use them.

Bytes per weight follow from the block layouts: NVFP4 4 bit and an 8-bit scale per 16 weights, MXFP4 4 bit and an 8-bit
scale per 32 (OCP Microscaling Formats 1.0), Q8_0 8 bit and a 16-bit scale per 32 (ggml). AWQ and GPTQ in groups of 128
load as 0.524 byte. Q4_K_M mixes block types; 0.606 is from memory (grade M) and shown as an assumption.
"""

from __future__ import annotations

from enum import StrEnum

from engine.hardware import Card
from engine.serving.shape import BF16_BYTES, ServingShape
from engine.serving.types import CacheFormat, ServingEngine, WeightFormat

BYTES_PER_WEIGHT = {
    WeightFormat.BF16: 2.0,
    WeightFormat.FP8: 1.0,
    WeightFormat.INT8: 1.0,
    WeightFormat.NVFP4: 0.5625,
    WeightFormat.MXFP4: 0.53125,
    WeightFormat.AWQ: 0.524,
    WeightFormat.GPTQ: 0.524,
    WeightFormat.Q8_0: 1.0625,
    WeightFormat.Q4_K_M: 0.606,
}
BYTES_PER_CACHED_VALUE = {CacheFormat.BF16: 2, CacheFormat.FP8: 1}

_GGUF = frozenset({WeightFormat.Q8_0, WeightFormat.Q4_K_M})
_FOUR_BIT = frozenset({WeightFormat.AWQ, WeightFormat.GPTQ, WeightFormat.MXFP4})
WEIGHT_ONLY_CAPABILITY = 8.0  # Marlin kernels (vLLM documentation, supported hardware of quantisation kernels)
WIDE_TENSOR_CORE_CAPABILITY = (10.0, 11.0)  # data-centre Blackwell multiplies MXFP4 with 8-bit activations


class ComputeClass(StrEnum):
    """What the matrix units work in; each has its own fitted efficiency."""

    BF16 = "bf16"
    WEIGHT_ONLY = "weight-only"  # 4-bit weights widened on the fly, 16-bit products
    FP8 = "fp8"
    FP4 = "fp4"


class FormatProblem(StrEnum):
    """Why a format cannot be used."""

    CARD = "format-card"  # the card's generation has no kernels for it
    ENGINE = "format-engine"  # the engine does not read it
    CACHE = "format-cache"  # no 8-bit cache on this card or in this engine


def capability(card: Card) -> float | None:
    """The CUDA compute capability as a number; None for other vendors and unpublished ones."""
    if card.compute_capability is None:
        return None
    try:
        return float(card.compute_capability.value)
    except ValueError:
        return None


def format_problem(
    weights: WeightFormat, cache: CacheFormat, engine: ServingEngine, card: Card
) -> FormatProblem | None:
    """The first reason why this card or engine cannot serve the formats; None when it can.

    The gates are the catalogue's format flags of the card (Transformer Engine's) and the capability of the weight-only
    kernels. A card whose flags are not stated is taken to lack the format.
    """
    if (weights in _GGUF) != (engine is ServingEngine.LLAMA_CPP) and weights is not WeightFormat.BF16:
        return FormatProblem.ENGINE
    generation = capability(card)
    if weights is WeightFormat.FP8 and not card.fp8:
        return FormatProblem.CARD
    if weights is WeightFormat.NVFP4 and not card.nvfp4:
        return FormatProblem.CARD
    if weights in _FOUR_BIT | {WeightFormat.INT8} and (generation is None or generation < WEIGHT_ONLY_CAPABILITY):
        return FormatProblem.CARD
    if cache is CacheFormat.FP8 and (not card.fp8 or engine is ServingEngine.LLAMA_CPP):
        return FormatProblem.CACHE
    return None


def compute_class(weights: WeightFormat, *, eight_bit: bool, wide_four_bit: bool) -> ComputeClass:
    """What the products run in. `eight_bit`: the card has an FP8 rate; `wide_four_bit`: it takes MXFP4 directly."""
    if weights is WeightFormat.NVFP4:
        return ComputeClass.FP4
    if weights is WeightFormat.MXFP4 and wide_four_bit:
        return ComputeClass.FP8
    if weights in _FOUR_BIT:
        return ComputeClass.WEIGHT_ONLY
    if weights in {WeightFormat.FP8, WeightFormat.INT8} and eight_bit:
        return ComputeClass.FP8
    return ComputeClass.BF16


def converted_parameters(shape: ServingShape, weights: WeightFormat) -> int:
    """Weights the format applies to: the blocks' matrices; MXFP4 checkpoints (gpt-oss) convert the experts alone.

    Embedding, output layer and norms stay in 16 bit: Llama 3.1 8B loads 14.99 GiB in BF16 and 8.49 GiB in FP8.
    """
    if weights is WeightFormat.BF16:
        return 0
    if weights is WeightFormat.MXFP4 and shape.is_moe:
        return shape.expert_parameters
    return shape.linear_parameters


def weight_bytes(shape: ServingShape, weights: WeightFormat) -> int:
    """Bytes of the whole model in memory. All experts count: every one of them can be chosen."""
    converted = converted_parameters(shape, weights)
    return round((shape.parameters - converted) * BF16_BYTES + converted * BYTES_PER_WEIGHT[weights])


def bytes_read(shape: ServingShape, weights: WeightFormat, batch: float) -> tuple[float, float]:
    """Bytes one decode step reads for a batch: (everything but routed experts, routed experts)."""
    per_weight = BYTES_PER_WEIGHT[weights]
    converted = converted_parameters(shape, weights)
    experts_converted = 0 if weights is WeightFormat.BF16 else shape.expert_parameters
    dense_converted = converted - experts_converted
    dense = dense_converted * per_weight + (shape.read_parameters - dense_converted) * BF16_BYTES
    expert_weight = BF16_BYTES if weights is WeightFormat.BF16 else per_weight
    return dense, shape.expert_parameters * expert_weight * shape.read_share(batch)


def cache_bytes(shape: ServingShape, cache: CacheFormat, tokens: float) -> float:
    """Bytes one sequence of `tokens` keeps: keys and values, and a hybrid model's fixed state."""
    return shape.cache_elements(tokens) * BYTES_PER_CACHED_VALUE[cache] + shape.state_bytes
