"""Which families differ from Llama, property by property, as the modelling code of transformers 5.24.0 has it."""

from __future__ import annotations

import pytest

from engine.memory.trace.style import LLAMA, STYLES, Style

GRANITES = {"granite", "granitemoe", "granitemoehybrid", "granitemoeshared"}
COHERES = {"cohere", "cohere2", "cohere2_moe"}
QWEN_HYBRIDS = {"qwen3_next", "qwen3_5", "qwen3_5_text", "qwen3_5_moe", "qwen3_5_moe_text"}


# residual_multiplier; logits_scaling and logit_scale; swiglu_limit; norms of num_heads x head_dim; v_norm; relu2; a
# softmax without a cast; gelu_new; xielu; router scores on the experts' input; a query projection of twice the width.
@pytest.mark.parametrize(
    ("name", "families"),
    [
        ("scales_residual", GRANITES),
        ("scales_logits", GRANITES | COHERES),
        ("clamped_gate", {"gpt_oss"}),
        ("widest_head_norm", {"olmo2", "olmo3", "flex_olmo", "olmoe", "minimax_m2"}),
        ("value_norm", {"gemma3n_text", "gemma4", "gemma4_text"}),
        ("squared_relu", {"jais2", "nemotron", "nemotron_h"}),
        ("half_softmax", {"falcon"}),
        ("composed_gelu", {"gpt2", "phi"}),
        ("exponential_unit", {"apertus"}),
        ("every_expert", {"llama4_text"}),
        ("gated_query", QWEN_HYBRIDS),
    ],
)
def test_that_only_these_families_have_a_peculiarity(name: str, families: set[str]) -> None:
    assert {family for family, style in STYLES.items() if getattr(style, name)} == families
    assert getattr(LLAMA, name) is False


# partial_rotary_factor, rotary_pct of GPT-NeoX, rotary_dim over head_dim of MiniMax M2.
def test_that_these_families_turn_a_part_of_each_head() -> None:
    shares = {family: style.rotary_share for family, style in STYLES.items() if style.rotary_share != 1.0}
    halves = {"bamba", "glm", "glm4", "glm4_moe", "mimo_v2_flash", "minimax_m2", "nemotron", "phi"}
    quarters = {"gpt_neox", "stablelm", *QWEN_HYBRIDS}
    assert shares == dict.fromkeys(halves, 0.5) | dict.fromkeys(quarters, 0.25)
    assert LLAMA.rotary_share == 1.0


# chunk_size of the Mamba-2 configurations
def test_that_a_scan_runs_in_chunks_of_256_and_of_128_in_nemotron_h() -> None:
    assert {family: style.chunk for family, style in STYLES.items() if style.chunk != 256} == {"nemotron_h": 128}
    assert Style().chunk == 256
