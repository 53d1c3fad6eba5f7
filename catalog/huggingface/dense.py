"""Families of dense decoders: one feed-forward network in every layer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from catalog.huggingface.attention import FusedQkv, Grouped, QueryKeyNorm
from catalog.huggingface.feedforward import FusedGated, Gated
from catalog.huggingface.parts import Family, Pattern, Rule, planned
from catalog.huggingface.patterns import (
    DENSE,
    FULL,
    SLIDING,
    always,
    every,
    listed,
    windowed,
    windowed_from_the_middle,
)

GATED = Gated()


def dense(attention: Grouped | FusedQkv, feed_forward: Rule = GATED, pattern: Pattern | None = None) -> Family:
    """A family of equal layers, some of them with a sliding window where `pattern` says so."""
    mixers = {FULL: attention, SLIDING: attention.sliding()}
    return Family(mixers, {DENSE: feed_forward}, planned(pattern or always(FULL), always(DENSE)))


LLAMA_ATTENTION = Grouped(bias="attention_bias", out_bias="attention_bias")
LLAMA = dense(LLAMA_ATTENTION, Gated(bias="mlp_bias"))
QWEN2 = dense(Grouped(bias=True), pattern=listed("layer_types", windowed_from_the_middle))
QWEN3 = dense(
    Grouped(bias="attention_bias", out_bias="attention_bias", norms=QueryKeyNorm.HEAD),
    pattern=listed("layer_types", windowed_from_the_middle),
)
MISTRAL = dense(Grouped(), pattern=windowed())
GEMMA2 = replace(dense(LLAMA_ATTENTION, pattern=listed("layer_types", every(2, FULL, SLIDING))), layer_norms=4)
GEMMA3 = replace(
    dense(
        replace(LLAMA_ATTENTION, norms=QueryKeyNorm.HEAD),
        pattern=listed("layer_types", every("sliding_window_pattern", FULL, SLIDING)),
    ),
    layer_norms=4,
)

DENSE_FAMILIES: Mapping[str, Family] = {
    "llama": LLAMA,
    "qwen2": QWEN2,
    "qwen3": QWEN3,
    "mistral": MISTRAL,
    "ministral3": MISTRAL,
    "gemma": dense(LLAMA_ATTENTION),
    "gemma2": GEMMA2,
    "gemma3_text": GEMMA3,
    "phi3": dense(FusedQkv(), FusedGated(), windowed()),
}
