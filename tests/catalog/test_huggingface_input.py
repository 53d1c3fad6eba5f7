"""What the reader of configurations refuses, and what it makes of types it does not know."""

from __future__ import annotations

import json
import math
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from catalog.huggingface import ConfigError, MissingFieldsError, model_from_config, read_config
from catalog.huggingface.families import FAMILIES
from catalog.huggingface.files import parse_config
from engine.models import CheckpointFormat, MixerKind, ModelSpec

LLAMA: dict[str, Any] = {
    "model_type": "llama",
    "hidden_size": 64,
    "intermediate_size": 96,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "vocab_size": 100,
}
MOE: dict[str, Any] = {
    **LLAMA,
    "model_type": "qwen3_moe",
    "num_experts": 4,
    "num_experts_per_tok": 2,
    "moe_intermediate_size": 32,
}


def count(config: Any) -> ModelSpec:
    return model_from_config(config, id="test", name="Test")


def without(config: dict[str, Any], *names: str) -> dict[str, Any]:
    return {key: value for key, value in config.items() if key not in names}


def test_that_all_missing_fields_are_named_at_once() -> None:
    with pytest.raises(MissingFieldsError) as error:
        count({"model_type": "llama", "hidden_size": 64})
    assert set(error.value.fields) == {
        "num_hidden_layers",
        "vocab_size",
        "num_attention_heads",
        "intermediate_size",
    }
    assert "intermediate_size" in str(error.value)


@pytest.mark.parametrize(
    "name", ["num_experts", "moe_intermediate_size", "num_experts_per_tok", "hidden_size", "num_hidden_layers"]
)
def test_that_a_mixture_needs_its_own_fields(name: str) -> None:
    with pytest.raises(MissingFieldsError, match=name):
        count(without(MOE, name))


@pytest.mark.parametrize("empty", [{}, {"model_type": "nothing-known"}, {"model_type": None}])
def test_that_an_empty_configuration_names_what_it_lacks(empty: dict[str, Any]) -> None:
    with pytest.raises(MissingFieldsError, match="hidden_size"):
        count(empty)


@pytest.mark.parametrize("name", [key for key in LLAMA if key != "model_type"])
@pytest.mark.parametrize(
    "value", [0, -1, 2**63, 10**30, math.nan, math.inf, "64", True, False, 6.5, [64], {"a": 1}, "x" * 10_000]
)
def test_that_a_hostile_size_is_refused_with_the_fields_name(name: str, value: Any) -> None:
    with pytest.raises(ConfigError, match=name):
        count({**LLAMA, name: value})


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"tie_word_embeddings": 1}, "tie_word_embeddings"),
        ({"attention_bias": "yes"}, "attention_bias"),
        ({"num_key_value_heads": 3}, "num_key_value_heads"),
        ({"num_attention_heads": 128, "num_key_value_heads": 128}, "hidden_size"),
        ({"head_dim": -8}, "head_dim"),
        ({"model_type": 7}, "model_type"),
        ({"model_type": ["llama"]}, "model_type"),
        ({"text_config": "none"}, "text_config"),
        ({"text_config": dict(LLAMA), "vision_config": 3}, "vision_config"),
        ({"quantization_config": "fp8"}, "quantization_config"),
        ({"num_hidden_layers": 2_001}, "num_hidden_layers"),
    ],
)
def test_that_a_contradictory_configuration_is_refused(changes: dict[str, Any], name: str) -> None:
    with pytest.raises(ConfigError, match=name):
        count({**LLAMA, **changes})


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"num_experts_per_tok": 5}, "num_experts_per_tok"),
        ({"mlp_only_layers": 3}, "mlp_only_layers"),
        ({"mlp_only_layers": ["a"]}, "mlp_only_layers"),
        ({"decoder_sparse_step": 0}, "decoder_sparse_step"),
    ],
)
def test_that_a_contradictory_mixture_is_refused(changes: dict[str, Any], name: str) -> None:
    with pytest.raises(ConfigError, match=name):
        count({**MOE, **changes})


def test_that_a_list_of_layers_must_fit_their_number() -> None:
    olmo = {**LLAMA, "model_type": "olmo3"}
    with pytest.raises(ConfigError, match="layer_types"):
        count({**olmo, "layer_types": ["full_attention"]})
    with pytest.raises(ConfigError, match="layer_types"):
        count({**olmo, "layer_types": ["full_attention"] * 3_000})
    with pytest.raises(ConfigError, match="triangular"):
        count({**olmo, "layer_types": ["full_attention", "triangular"]})


def test_that_a_model_larger_than_any_is_refused() -> None:
    huge = {"hidden_size": 2**24, "intermediate_size": 2**24, "num_hidden_layers": 2_000, "vocab_size": 2**24}
    with pytest.raises(ConfigError, match="parameters"):
        count({**LLAMA, **huge})


def test_that_an_unknown_type_is_computed_from_its_dimensions_and_marked() -> None:
    known, unknown = count(LLAMA), count({**LLAMA, "model_type": "of-next-year"})
    assert known.recognised
    assert not unknown.recognised
    assert unknown.parameters == known.parameters
    old_names = {"model_type": "older", "n_embd": 64, "n_layer": 2, "n_head": 4, "n_inner": 96, "vocab_size": 100}
    # four heads for keys and values instead of two: 2 layers x 2 matrices x 64 x 32 more
    assert count(old_names).parameters == known.parameters + 2 * 2 * 64 * 32


def test_that_an_unknown_mixture_has_its_experts_counted() -> None:
    unknown = count({**without(MOE, "model_type"), "n_shared_experts": 1})
    # by hand, for one layer: q and o 64 x 64, k and v 64 x 32, router 4 x 64, 4 experts and a shared one of
    # 3 x 64 x 32, two norms
    layer = 2 * 64 * 64 + 2 * 64 * 32 + 4 * 64 + 5 * 3 * 64 * 32 + 2 * 64
    assert unknown.parameters == 2 * 100 * 64 + 2 * layer + 64
    assert not unknown.recognised


def test_that_an_unknown_latent_attention_is_recognised_by_its_fields() -> None:
    latent = {"kv_lora_rank": 8, "qk_nope_head_dim": 12, "qk_rope_head_dim": 4, "v_head_dim": 16}
    model = count({**LLAMA, "model_type": "of-next-year", **latent})
    assert {block.mixer for block in model.blocks} == {MixerKind.LATENT_ATTENTION}


def test_that_fields_taken_from_class_defaults_are_named() -> None:
    gemma = {"model_type": "gemma3", "text_config": {"hidden_size": 256, "num_hidden_layers": 2}}
    assert set(count(gemma).defaulted) >= {"num_attention_heads", "vocab_size", "head_dim", "intermediate_size"}
    assert count({**LLAMA, "max_position_embeddings": 128}).defaulted == ()


def test_that_a_text_part_without_size_is_refused() -> None:
    with pytest.raises(MissingFieldsError, match="hidden_size"):
        count({"model_type": "gemma3", "text_config": {}})


def test_that_layers_with_a_window_are_told_apart() -> None:
    gemma = {**LLAMA, "model_type": "gemma3_text", "num_hidden_layers": 6, "head_dim": 16, "sliding_window": 32}
    blocks = {block.mixer: block for block in count(gemma).blocks}
    sliding, full = blocks[MixerKind.SLIDING_ATTENTION], blocks[MixerKind.ATTENTION]
    assert (sliding.count, full.count) == (5, 1)
    assert sliding.attention is not None
    assert sliding.attention.window == 32


def test_that_a_tower_that_cannot_be_counted_is_reported_as_such() -> None:
    model = count({"model_type": "internvl", "text_config": {**LLAMA, "model_type": "qwen2"}, "vision_config": {}})
    assert model.vision_parameters == 0
    assert not model.vision_counted


def test_that_a_decoder_nested_too_deep_is_refused() -> None:
    nested: dict[str, Any] = dict(LLAMA)
    for _ in range(8):
        nested = {"model_type": "qwen3_vl", "text_config": nested}
    with pytest.raises(ConfigError, match="deeper"):
        count(nested)


@pytest.mark.parametrize(
    ("section", "expected"),
    [
        ({"quant_method": "fp8", "weight_block_size": [128, 128]}, CheckpointFormat.FP8),
        ({"quant_method": "mxfp4"}, CheckpointFormat.MXFP4),
        ({"quant_method": "gptq", "bits": 4}, CheckpointFormat.GPTQ),
        ({"quant_method": "awq", "bits": 4}, CheckpointFormat.AWQ),
        ({"quant_method": "bitsandbytes", "load_in_4bit": True}, CheckpointFormat.BITSANDBYTES),
        ({"load_in_4bit": True}, CheckpointFormat.BITSANDBYTES),
        ({"quant_method": "compressed-tensors", "format": "float-quantized"}, CheckpointFormat.FP8),
        ({"quant_method": "compressed-tensors", "format": "nvfp4-pack-quantized"}, CheckpointFormat.NVFP4),
        (
            {"quant_method": "compressed-tensors", "config_groups": {"g": {"weights": {"type": "int", "num_bits": 4}}}},
            CheckpointFormat.COMPRESSED_TENSORS,
        ),
        ({"quant_method": "modelopt", "quant_algo": "NVFP4"}, CheckpointFormat.NVFP4),
        ({"quant_method": "of-next-year"}, CheckpointFormat.OTHER),
        (None, CheckpointFormat.NONE),
    ],
)
def test_that_a_quantised_checkpoint_is_recognised(section: Any, expected: CheckpointFormat) -> None:
    model = count({**LLAMA, "quantization_config": section})
    assert model.checkpoint_format is expected
    assert model.parameters == count(LLAMA).parameters


def written(tmp_path: Path, content: bytes | str) -> Path:
    path = tmp_path / "config.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_that_a_file_is_read_with_or_without_a_byte_order_mark(tmp_path: Path) -> None:
    text = json.dumps(LLAMA)
    assert read_config(written(tmp_path, text)) == LLAMA
    assert read_config(written(tmp_path, b"\xef\xbb\xbf" + text.encode())) == LLAMA


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b" " * 10_000_000, "larger"),
        ("[" * 100_000, "nested deeper"),
        ('{"a":' * 50 + "1" + "}" * 50, "nested deeper"),
        ("{", "not valid JSON"),
        ("", "not valid JSON"),
        ("[1]", "one JSON object"),
        ('"text"', "one JSON object"),
        ('{"hidden_size": NaN}', "NaN"),
        ('{"hidden_size": -Infinity}', "-Infinity"),
        ('{"hidden_size": ' + "9" * 5_000 + "}", "5000"),
        (b"\xff\xfe\x00", "UTF-8"),
    ],
)
def test_that_a_file_that_is_no_configuration_is_refused(tmp_path: Path, content: bytes | str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        read_config(written(tmp_path, content))


def test_that_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"config\.json"):
        read_config(tmp_path / "config.json")


def test_that_brackets_inside_texts_do_not_count_as_nesting() -> None:
    assert parse_config(json.dumps({"template": '\\"[{' * 100}), "config.json")["template"] == '\\"[{' * 100


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=8,
)
FIELDS = (
    *LLAMA,
    "head_dim",
    "num_experts",
    "num_local_experts",
    "n_routed_experts",
    "moe_intermediate_size",
    "num_experts_per_tok",
    "layer_types",
    "mlp_layer_types",
    "sliding_window",
    "tie_word_embeddings",
    "kv_lora_rank",
    "text_config",
    "vision_config",
    "quantization_config",
    "linear_attn_config",
    "hybrid_override_pattern",
    "mamba_d_state",
    "intermediate_size",
    "num_kv_shared_layers",
    "expand",
    "time_step_rank",
    "index_topk_pattern",
    "block_types",
)


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.sampled_from(sorted(FAMILIES)),
    st.dictionaries(st.sampled_from(FIELDS), ANYTHING, max_size=6),
)
def test_that_no_configuration_whatever_crashes_the_reader(model_type: str, changes: dict[str, Any]) -> None:
    refusal = ""
    try:
        model = count({**LLAMA, "model_type": model_type, **changes})
    except ConfigError as error:
        refusal = str(error)
    if refusal:
        assert len(refusal) < 1_000
    else:
        assert 0 < model.parameters <= 10**15
        assert model.layers > 0
        assert model.active_parameters <= model.parameters


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_that_no_file_whatever_crashes_the_reader(content: bytes) -> None:
    refusal = ""
    try:
        parsed = parse_config(content, "config.json")
    except ConfigError as error:
        refusal = str(error)
    assert refusal or isinstance(parsed, dict)


@settings(max_examples=100, deadline=None)
@given(
    hidden=st.integers(1, 64),
    layers=st.integers(1, 40),
    inner=st.integers(1, 500),
    kv_heads=st.sampled_from([1, 2, 4, 8]),
    vocabulary=st.integers(1, 5_000),
    tied=st.booleans(),
)
def test_that_llama_follows_the_textbook_formula(
    hidden: int, layers: int, inner: int, kv_heads: int, vocabulary: int, tied: bool
) -> None:
    width = 8 * hidden  # eight heads
    model = count(
        {
            "model_type": "llama",
            "hidden_size": width,
            "num_attention_heads": 8,
            "num_key_value_heads": kv_heads,
            "num_hidden_layers": layers,
            "intermediate_size": inner,
            "vocab_size": vocabulary,
            "tie_word_embeddings": tied,
        }
    )
    layer = 2 * width**2 + 2 * width * kv_heads * hidden + 3 * width * inner + 2 * width
    assert model.parameters == (1 if tied else 2) * vocabulary * width + layers * layer + width


@pytest.mark.parametrize("piece", ['"\\', '\\"', '"', '"\\\\', '"\\\n', "\\"])
def test_that_texts_without_an_end_are_refused_in_one_pass(piece: str) -> None:
    """Twice the length must not take four times as long; 1 MB of these took hours."""
    took = []
    for length in (50_000, 400_000):
        text = '{"a": "' + piece * (length // len(piece))
        started = time.process_time()
        with pytest.raises(ConfigError, match="not valid JSON"):
            parse_config(text, "config.json")
        took.append(time.process_time() - started)
    assert took[1] < 24 * took[0] + 0.2  # 8 times the text; 64 times as long if every quote began anew


def test_that_brackets_inside_texts_are_no_depth() -> None:
    text = '{"a": "' + "[" * 200 + '\\"' + "{" * 200 + '", "b": "\\\\", "c": [1]}'
    assert parse_config(text, "config.json")["c"] == [1]
