"""Families of decoders with mixtures of experts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from catalog.huggingface.attention import Grouped, QueryKeyNorm
from catalog.huggingface.dense import GATED, LLAMA_ATTENTION
from catalog.huggingface.feedforward import Experts
from catalog.huggingface.parts import Family, Pattern, Rule, planned
from catalog.huggingface.patterns import (
    DENSE,
    FULL,
    SLIDING,
    SPARSE,
    always,
    sparse_steps,
    windowed,
    windowed_if_used,
)

# Module names of the library's fourth major version -> tensors of the fifth. PEFT 0.21.2 still accepts the old names
# and "all-linear" as if they were linear layers (peft/utils/transformers_weight_conversion.py).
MIXTRAL_NAMES: Mapping[str, str] = {"gate": "gate", "w1": "gate_up_proj", "w3": "gate_up_proj", "w2": "down_proj"}
QWEN_NAMES: Mapping[str, str] = {
    "gate": "gate",
    "gate_proj": "gate_up_proj",
    "up_proj": "gate_up_proj",
    "down_proj": "down_proj",
}


def sparse(
    attention: Grouped,
    experts: Experts,
    feed_forwards: Pattern,
    *,
    mixers: Pattern | None = None,
    dense: Rule = GATED,
    renamed: Mapping[str, str] | None = None,
) -> Family:
    """A family whose layers hold experts where `feed_forwards` says so."""
    return Family(
        {FULL: attention, SLIDING: attention.sliding()},
        {DENSE: dense, SPARSE: experts},
        planned(mixers or always(FULL), feed_forwards),
        renamed_targets=renamed or {},
    )


SPARSE_FAMILIES: Mapping[str, Family] = {
    "mixtral": sparse(
        Grouped(),
        Experts("num_local_experts", size="intermediate_size"),
        always(SPARSE),
        mixers=windowed(),
        renamed=MIXTRAL_NAMES,
    ),
    "qwen3_moe": sparse(
        replace(LLAMA_ATTENTION, norms=QueryKeyNorm.HEAD),
        Experts(),
        sparse_steps,
        mixers=windowed_if_used,
        renamed=QWEN_NAMES,
    ),
}
