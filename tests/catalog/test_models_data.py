"""The catalogue's base models: every entry equals what the library counted for it."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import pytest
import yaml

from catalog.models_data import MODELS_FILE, ModelsDataError, load_models, read_models
from engine.adapters import adapter_parameters
from engine.figures import Basis, Grade

RAW: dict[str, Any] = yaml.load(MODELS_FILE.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
MODELS = load_models(RAW)
ROWS = {row.id: row for row in read_models(RAW).models}
TARGETS = {
    "all_linear": ("all-linear",),
    "q_v": ("q_proj", "v_proj"),
    "all_linear_plus_experts": ("all-linear", "experts.gate_up_proj", "experts.down_proj"),
}


def edited(**changes: object) -> Mapping[str, Any]:
    """The file with only its first model, some of whose fields are changed."""
    raw = copy.deepcopy({**RAW, "models": RAW["models"][:1]})
    raw["models"][0].update(changes)
    return raw


def test_that_there_are_85_models_and_all_are_recognised() -> None:
    assert len(MODELS) == 85
    assert [model.id for model in MODELS.values() if not model.recognised] == []


@pytest.mark.parametrize("model_id", list(ROWS))
def test_that_a_catalogue_model_has_exactly_the_librarys_parameters(model_id: str) -> None:
    assert MODELS[model_id].parameters == ROWS[model_id].exact_parameters


@pytest.mark.parametrize("model_id", [key for key, row in ROWS.items() if row.lora_r16])
def test_that_a_catalogue_models_adapters_have_exactly_pefts_parameters(model_id: str) -> None:
    published = ROWS[model_id].lora_r16
    assert published is not None
    for key, targets in TARGETS.items():
        expected = getattr(published, key)
        if expected is not None:
            assert adapter_parameters(MODELS[model_id], 16, targets) == expected, key


@pytest.mark.parametrize("model_id", [key for key, row in ROWS.items() if row.linear_weights is not None])
def test_that_four_bit_loading_reaches_exactly_the_librarys_linear_layers(model_id: str) -> None:
    model = MODELS[model_id]
    inside = sum(b.count * line.weights for b in model.blocks for line in b.linears if not line.fused_parameter)
    assert inside + sum(line.weights for line in model.adaptable_extras) == ROWS[model_id].linear_weights


def test_the_published_figures_of_teuken_and_llama() -> None:
    # Teuken-7B: model.safetensors.index.json says 14,905,450,496 bytes in bf16, 2 bytes each.
    assert MODELS["teuken-7b"].parameters * 2 == 14_905_450_496
    # Llama 3.1 8B by hand: embedding and head 128,256 x 4,096 each; 32 layers of q and o 4,096^2, k and v
    # 4,096 x 1,024, three times 4,096 x 14,336, two norms of 4,096; one last norm.
    layer = 2 * 4096**2 + 2 * 4096 * 1024 + 3 * 4096 * 14336 + 2 * 4096
    assert MODELS["llama-3.1-8b"].parameters == 2 * 128_256 * 4096 + 32 * layer + 4096


def test_that_one_token_meets_the_experts_it_is_sent_to() -> None:
    # Qwen3-30B-A3B: 128 experts of 3 x 2,048 x 768, 8 of them per token, in 48 layers.
    model = MODELS["qwen3-30b-a3b"]
    assert model.parameters - model.active_parameters == 48 * 120 * 3 * 2048 * 768


def test_that_what_rests_on_memory_or_class_defaults_says_so() -> None:
    assert {key for key, model in MODELS.items() if model.grade is Grade.M} == {
        "qwen2.5-0.5b",
        "qwen2.5-1.5b",
        "phi-4-mini",
        "glm-4-32b-0414",
    }
    assert {key for key, model in MODELS.items() if model.basis is Basis.ASSUMED} == {
        "mistral-large-4-1t",
        "smollm3-3b",
    }
    assert not MODELS["llama-3.1-8b"].licence
    assert (MODELS["mistral-7b-v0.3"].licence, MODELS["eurollm-9b"].licence) == ("", "Apache-2.0")
    assert {model.licence for model in MODELS.values() if model.licence and not model.licence_seen} == {
        "Apache-2.0",
        "CC-BY-NC-4.0",
    }


def test_that_models_without_a_source_are_named_with_the_reason() -> None:
    missing = {model.id: model for model in read_models().without_a_source}
    assert len(missing) == 9
    assert "configuration" in missing["mistral-large-3-675b"].why
    assert not set(missing) & set(MODELS)


def test_that_the_shipped_file_is_what_loads_by_default() -> None:
    assert dict(load_models()) == dict(MODELS)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"exact_parameters": "many"}, "models.0.exact_parameters"),
        ({"colour": "blue"}, "models.0.colour"),
        ({"sources": []}, "models.0.sources"),
        ({"grade": "Z"}, "models.0.grade"),
        ({"config": {"model_type": "llama", "hidden_size": 64}}, "llama-3.1-8b"),
        ({"config": [1]}, "llama-3.1-8b"),
    ],
)
def test_that_a_wrong_entry_is_refused_with_its_place(changes: dict[str, object], words: str) -> None:
    with pytest.raises(ModelsDataError, match=words):
        load_models(edited(**changes))


def test_that_an_id_may_not_occur_twice() -> None:
    with pytest.raises(ModelsDataError, match="twice"):
        load_models({**RAW, "models": RAW["models"][:1] * 2})


def test_that_a_file_that_is_no_yaml_is_refused(tmp_path: Any) -> None:
    broken = tmp_path / "models.yaml"
    broken.write_text("models: [", encoding="utf-8")
    with pytest.raises(ModelsDataError, match=r"models\.yaml"):
        load_models(broken)
    with pytest.raises(ModelsDataError, match=r"none\.yaml"):
        load_models(tmp_path / "none.yaml")
