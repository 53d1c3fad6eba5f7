"""How single fields of a configuration are read, and what is said when they are not what they should be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from catalog.huggingface import ConfigError, model_from_config
from catalog.huggingface.fields import Fields
from catalog.huggingface.latent import indexed
from catalog.huggingface.quantised import checkpoint_format
from catalog.huggingface.unknown import UNKNOWN_TYPE
from engine.models import CheckpointFormat, MixerKind, Role

SMALL: dict[str, Any] = {
    "hidden_size": 64,
    "intermediate_size": 96,
    "num_hidden_layers": 4,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "vocab_size": 100,
}


def _fields(**values: object) -> Fields:
    return Fields(values, UNKNOWN_TYPE, strict=True)


def test_that_a_factor_may_be_written_with_a_point() -> None:
    assert _fields(expand=2.0).factor("expand") == 2
    assert _fields(expand=3).factor("expand") == 3
    with pytest.raises(ConfigError, match="expand"):
        _fields(expand=2.5).factor("expand")


def test_that_numbers_words_and_parts_may_be_absent() -> None:
    empty = _fields()
    assert empty.number("x") is None
    assert empty.word("x") is None
    assert empty.words("x") is None
    assert empty.part("x") is None
    assert empty.integers("x") == ()
    assert _fields(x=[3, "a"]).integers("x") == (3, "a")
    assert _fields(x="abc").word("x") == "abc"
    assert _fields(x={"a": 1}).part("x") == {"a": 1}
    assert _fields(x=1.5).number("x") == 1.5


@pytest.mark.parametrize(
    ("read", "value", "message"),
    [
        (lambda fields: fields.number("x"), True, "x must be a positive number"),
        (lambda fields: fields.number("x"), 0, "x must be a positive number"),
        (lambda fields: fields.number("x"), "1", "x must be a positive number"),
        (lambda fields: fields.number("x"), float("nan"), "x must be a positive number"),
        (lambda fields: fields.word("x"), 5, "x must be a text"),
        (lambda fields: fields.words("x"), ["a", 5], "x must be a list of texts"),
        (lambda fields: fields.part("x"), [1], "x must be an object"),
        (lambda fields: fields.first("x"), [2, 3], "x must be a list of equal sizes"),
        (lambda fields: fields.first("x"), [], "x must be a list of equal sizes"),
        (lambda fields: fields.first("x"), [0, 0], "x must be a list of equal sizes"),
    ],
)
def test_that_a_field_of_another_kind_is_named(read: Callable[[Fields], object], value: object, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        read(_fields(x=value))


def test_that_equal_sides_are_one_size() -> None:
    assert _fields(x=[14, 14]).first("x") == 14
    assert _fields(x=14).first("x") == 14


@pytest.mark.parametrize(
    ("section", "kind"),
    [
        ({"load_in_4bit": True}, CheckpointFormat.BITSANDBYTES),
        ({"load_in_8bit": True}, CheckpointFormat.BITSANDBYTES),
        ({"load_in_4bit": False}, CheckpointFormat.OTHER),
        ({"bits": 4}, CheckpointFormat.OTHER),
        ({"quant_method": "compressed-tensors", "format": "mxfp4-pack-quantized"}, CheckpointFormat.MXFP4),
        ({"quant_method": "compressed-tensors", "format": "nvfp4-pack-quantized"}, CheckpointFormat.NVFP4),
        (
            {
                "quant_method": "compressed-tensors",
                "config_groups": {"g": {"weights": {"type": "float", "num_bits": 4}}},
            },
            CheckpointFormat.NVFP4,
        ),
        (
            {
                "quant_method": "compressed-tensors",
                "config_groups": {"g": {"weights": {"type": "float", "num_bits": 8}}},
            },
            CheckpointFormat.FP8,
        ),
        (
            {"quant_method": "compressed-tensors", "config_groups": {"g": {"weights": None}, "h": 5}},
            CheckpointFormat.COMPRESSED_TENSORS,
        ),
    ],
)
def test_that_the_format_of_a_checkpoint_is_recognised(section: dict[str, Any], kind: CheckpointFormat) -> None:
    assert checkpoint_format({**SMALL, "quantization_config": section}) is kind


def test_that_jamba_with_one_expert_is_dense() -> None:
    jamba = {
        **SMALL,
        "model_type": "jamba",
        "num_experts": 1,
        "num_experts_per_tok": 1,
        "attn_layer_period": 2,
        "attn_layer_offset": 1,
        "expert_layer_period": 2,
        "expert_layer_offset": 1,
        "mamba_dt_rank": 4,
    }
    one = model_from_config(jamba, id="m", name="m")
    assert not one.is_moe
    two = model_from_config({**jamba, "num_experts": 2}, id="m", name="m")
    assert two.is_moe
    assert {linear.name for block in one.blocks for linear in block.linears if linear.role is Role.MLP} == {
        "feed_forward.gate_proj",
        "feed_forward.up_proj",
        "feed_forward.down_proj",
    }


def test_that_an_unknown_letter_in_a_layer_pattern_is_named() -> None:
    nemotron = {**SMALL, "model_type": "nemotron_h", "hybrid_override_pattern": "M*X-"}
    with pytest.raises(ConfigError, match="'X' is no kind of layer of this model type; it knows M, E"):
        model_from_config(nemotron, id="m", name="m")


def test_that_kimi_numbers_its_attention_layers_from_one() -> None:
    kimi = {
        **SMALL,
        "model_type": "kimi_linear",
        "num_key_value_heads": 4,
        "kv_lora_rank": 16,
        "qk_nope_head_dim": 16,
        "qk_rope_head_dim": 8,
        "v_head_dim": 16,
        "num_experts": 4,
        "num_experts_per_token": 2,
        "moe_intermediate_size": 32,
        "num_shared_experts": 1,
        "first_k_dense_replace": 1,
        "linear_attn_config": {"full_attn_layers": [2], "num_heads": 4, "head_dim": 16, "short_conv_kernel_size": 4},
    }
    blocks = model_from_config(kimi, id="m", name="m").blocks
    kinds = [block.mixer for block in blocks for _ in range(block.count)]
    assert [kind is MixerKind.LINEAR_ATTENTION for kind in kinds] == [True, False, True, True]


def test_that_gemma_3n_wants_one_width_for_each_layer() -> None:
    gemma = {**SMALL, "model_type": "gemma3n_text", "intermediate_size": [96, 96, 96]}
    with pytest.raises(ConfigError, match="intermediate_size has 3 entries for 4 layers"):
        model_from_config(gemma, id="m", name="m")


def _kinds(**values: object) -> list[str]:
    return list(indexed(_fields(num_hidden_layers=4, **values)))


def test_that_the_layers_of_an_indexer_may_be_written_in_four_ways() -> None:
    assert _kinds(indexer_types=["full", "shared", "shared", "full"]) == ["full", "shared", "shared", "full"]
    assert _kinds(index_topk_pattern="FSSF") == ["full", "shared", "shared", "full"]
    assert _kinds(index_topk_pattern=["full", "shared"]) == ["full", "shared"]
    # every second layer, counted from the second one on
    assert _kinds(index_topk_freq=2) == ["full", "full", "shared", "full"]
    assert _kinds() == ["full"] * 4


GLM_5 = {"model_type": "glm_moe_dsa", "hidden_size": 64, "num_hidden_layers": 4, "vocab_size": 100}
DEEPSEEK_V4 = {
    **GLM_5,
    "model_type": "deepseek_v4",
    "num_attention_heads": 4,
    "moe_intermediate_size": 32,
    "n_routed_experts": 4,
    "num_experts_per_tok": 2,
}
HUNYUAN = {
    **DEEPSEEK_V4,
    "model_type": "hy_v4",
    "v_head_dim": 16,
    "qk_nope_head_dim": 16,
    "qk_rope_head_dim": 8,
    "kv_lora_rank": 16,
    "intermediate_size": 96,
}


@pytest.mark.parametrize(
    ("config", "field"),
    [
        ({**GLM_5, "indexer_types": ["full"]}, "indexer_types has 1 entries for 4 layers"),
        ({**HUNYUAN, "indexer_types": ["full"]}, "indexer_types has 1 entries for 4 layers"),
        ({**DEEPSEEK_V4, "compress_ratios": [0, 4, 128]}, "compress_ratios must be a list of 0, 4, 128"),
        ({**DEEPSEEK_V4, "compress_ratios": [0, 4, 128, 5]}, "one for each layer, not 5"),
    ],
)
def test_that_a_list_that_does_not_fit_the_layers_is_named(config: dict[str, Any], field: str) -> None:
    with pytest.raises(ConfigError, match=field):
        model_from_config(config, id="m", name="m")


def test_that_compressed_attention_follows_its_ratios_and_rates() -> None:
    def parameters(*ratios: int, **fields: object) -> int:
        config = {**DEEPSEEK_V4, "compress_ratios": list(ratios), **fields}
        return model_from_config(config, id="m", name="m").parameters

    heavy = parameters(0, 0, 0, 128)
    assert heavy > parameters(0, 0, 0, 0)
    halved = parameters(0, 0, 0, 128, compress_rates={"heavily_compressed_attention": 64})
    assert halved < heavy, "a position table of half the length"
    with pytest.raises(ConfigError, match="compress_rates"):
        parameters(0, 0, 0, 128, compress_rates={"heavily_compressed_attention": -1})


def test_that_layers_that_share_keys_may_have_networks_twice_as_wide() -> None:
    """Gemma 4: two of four layers reuse earlier keys and values; three matrices of 64 x 96 more in each of them."""
    gemma = {**SMALL, "model_type": "gemma4_text", "head_dim": 16, "num_kv_shared_layers": 2}
    narrow, wide = (
        model_from_config({**gemma, "use_double_wide_mlp": double}, id="m", name="m") for double in (False, True)
    )
    assert wide.parameters - narrow.parameters == 2 * 3 * 64 * 96


def test_that_an_adjusted_width_without_a_factor_is_two_thirds_of_the_stated_one() -> None:
    """LFM2: 96 becomes 64; with a factor of 1.5 it becomes 96 again, rounded up to the next multiple of 64."""
    lfm = {**SMALL, "model_type": "lfm2", "block_auto_adjust_ff_dim": True, "block_multiple_of": 64}

    def width(factor: float | None) -> set[int]:
        made = model_from_config({**lfm, "block_ffn_dim_multiplier": factor}, id="m", name="m")
        return {block.mlp.intermediate for block in made.blocks if block.mlp is not None}

    assert width(None) == {64}
    assert width(1.5) == {128}


def test_that_an_unknown_type_may_state_the_width_of_its_shared_expert() -> None:
    stated = {**SMALL, "model_type": "nobody", "num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 32}
    for more, shared in (({}, 0), ({"n_shared_experts": 2}, 64), ({"shared_expert_intermediate_size": 48}, 48)):
        made = model_from_config({**stated, **more}, id="m", name="m")
        assert {block.moe.shared_intermediate for block in made.blocks if block.moe is not None} == {shared}


def test_that_experts_in_a_narrower_space_have_a_way_in_and_out() -> None:
    """Nemotron-H: 64 to 16 and back, and experts of 16 x 32 instead of 64 x 32, two matrices each."""
    nemotron = {
        **SMALL,
        "model_type": "nemotron_h",
        "hybrid_override_pattern": "*E",
        "n_routed_experts": 4,
        "num_experts_per_tok": 2,
        "moe_intermediate_size": 32,
        "moe_shared_expert_intermediate_size": 32,
    }
    wide, narrow = (
        model_from_config({**nemotron, "moe_latent_size": latent}, id="m", name="m") for latent in (None, 16)
    )
    assert wide.parameters - narrow.parameters == 4 * 2 * (64 - 16) * 32 - 2 * 64 * 16


def test_that_heads_given_for_other_layers_than_there_are_are_counted_out() -> None:
    laguna = {**SMALL, "model_type": "laguna", "num_attention_heads_per_layer": [4, 4]}
    with pytest.raises(ConfigError, match="num_attention_heads_per_layer has 2 entries for 4 layers"):
        model_from_config(laguna, id="m", name="m")


def test_that_a_whole_ties_its_embedding_or_does_not() -> None:
    whole = {"model_type": "llava", "text_config": {**SMALL, "model_type": "llama"}, "tie_word_embeddings": "yes"}
    with pytest.raises(ConfigError, match="tie_word_embeddings must be true or false, not"):
        model_from_config(whole, id="m", name="m")
