"""The settings files name only what the frameworks' published releases know, and say what was sized."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml

from catalog.load import load_catalog
from engine.memory.estimate import estimate
from engine.memory.types import TrainingSetup
from engine.methods import (
    Attention,
    Checkpointing,
    Layout,
    Loss,
    Method,
    Objective,
    Offload,
    Optimizer,
    Recipe,
    Sharding,
    StateRecipe,
)
from engine.plan.recommend import recommend
from engine.plan.types import Placement
from engine.training_files import TO_FILL, Framework, to_yaml, training_files
from engine.workload import Place, Priority, Scenario, Site, Workload

PUBLISHED = json.loads((Path(__file__).parents[1] / "data" / "training_fields.json").read_text())["fields"]
FIELDS = {
    Framework.TRL: set(PUBLISHED["trl"]),
    Framework.LLAMA_FACTORY: set(PUBLISHED["llamafactory"]),
    Framework.AXOLOTL: set(PUBLISHED["axolotl"]),
    Framework.ACCELERATE: set(PUBLISHED["accelerate"]),
}
FACTS = load_catalog().facts
MODEL = FACTS.models["llama-3.1-8b"]
TWO = Layout(2, Sharding.FSDP)


@pytest.fixture(scope="module")
def sample() -> Placement:
    workload = Workload("Müller & Söhne: Chat", MODEL, Recipe(Method.LORA), 4096)
    scenario = Scenario((workload,), Site(Place.RACK), frozenset(), Priority.PURCHASE_PRICE, "EUR", date(2026, 11, 30))
    chosen = recommend(scenario, FACTS).chosen
    assert chosen is not None
    return chosen.placements[0]


def _placed(sample: Placement, recipe: Recipe, layout: Layout, micro_batch: int = 2) -> Placement:
    sized = estimate(TrainingSetup(MODEL, recipe, 4096, micro_batch, layout))
    return replace(sample, estimate=sized, layout=layout, micro_batch=micro_batch)


def _settings(sample: Placement, recipe: Recipe, layout: Layout = Layout()) -> dict[Framework, Any]:  # noqa: B008  # frozen
    files = training_files(_placed(sample, recipe, layout))
    return {file.framework: yaml.safe_load(file.content) for file in files}


RECIPES = [
    Recipe(Method.LORA),
    Recipe(Method.LORA, dora=True, targets=("q_proj", "v_proj"), loss=Loss.CHUNKED),
    Recipe(Method.LORA, targets=("attention",), attention=Attention.SDPA, packing=False),
    Recipe(Method.QLORA, loss=Loss.FUSED, optimizer=Optimizer.PAGED_ADAMW_8BIT),
    Recipe(Method.QLORA, double_quantisation=False, checkpointing=Checkpointing.OFF),
    Recipe(Method.FULL, states=StateRecipe.BF16),
    Recipe(Method.FULL, states=StateRecipe.AMP, attention=Attention.EAGER),
    Recipe(Method.FULL, offload=Offload.OPTIMIZER),
    Recipe(Method.FULL, objective=Objective.CONTINUED_PRETRAINING, optimizer=Optimizer.ADAFACTOR),
    Recipe(Method.LORA, objective=Objective.DPO, checkpointing=Checkpointing.OFFLOADED),
]


@pytest.mark.parametrize("recipe", RECIPES, ids=range(len(RECIPES)))
@pytest.mark.parametrize("layout", [Layout(), Layout(2, Sharding.DDP), TWO], ids=["one", "ddp", "fsdp"])
def test_that_every_key_is_published(sample: Placement, recipe: Recipe, layout: Layout) -> None:
    for framework, settings in _settings(sample, recipe, layout).items():
        if framework is Framework.DEEPSPEED:
            continue
        assert set(settings) <= FIELDS[framework], framework
        if framework is Framework.ACCELERATE and "fsdp_config" in settings:
            assert set(settings["fsdp_config"]) <= set(PUBLISHED["accelerate_fsdp"])
        if framework is Framework.AXOLOTL and "fsdp_config" in settings:
            assert set(settings["fsdp_config"]) <= set(PUBLISHED["axolotl_fsdp"])


def test_that_the_files_set_what_was_sized(sample: Placement) -> None:
    files = _settings(sample, replace(Recipe(Method.QLORA), rank=32, gradient_accumulation=8), TWO)
    trl, axolotl, llama = files[Framework.TRL], files[Framework.AXOLOTL], files[Framework.LLAMA_FACTORY]
    for settings, length in ((trl, "max_length"), (llama, "cutoff_len"), (axolotl, "sequence_len")):
        assert settings[length] == 4096
        assert settings["gradient_accumulation_steps"] == 8
    assert (trl["per_device_train_batch_size"], axolotl["micro_batch_size"]) == (2, 2)
    assert (trl["lora_r"], axolotl["lora_r"], llama["lora_rank"]) == (32, 32, 32)
    assert trl["load_in_4bit"] is axolotl["load_in_4bit"] is True
    assert llama["quantization_bit"] == 4
    # bitsandbytes shards 4-bit weights only when they are stored in the data type of the other layers.
    assert trl["bnb_4bit_quant_storage"] == "bfloat16"
    assert files[Framework.ACCELERATE]["num_processes"] == 2
    assert files[Framework.ACCELERATE]["fsdp_config"]["fsdp_reshard_after_forward"] is True


def test_that_the_optimiser_in_host_memory_is_deepspeeds(sample: Placement) -> None:
    files = _settings(sample, Recipe(Method.FULL, offload=Offload.OPTIMIZER), TWO)
    assert files[Framework.DEEPSPEED]["zero_optimization"]["stage"] == 3
    assert files[Framework.DEEPSPEED]["zero_optimization"]["offload_optimizer"]["device"] == "cpu"
    assert Framework.ACCELERATE not in files
    assert files[Framework.TRL]["deepspeed"].endswith(".deepspeed.json")


def test_that_the_attention_target_names_the_models_own_layers(sample: Placement) -> None:
    trl = _settings(sample, Recipe(Method.LORA, targets=("attention",)))[Framework.TRL]
    assert trl["lora_target_modules"] == ["q_proj", "k_proj", "v_proj", "o_proj"]


def test_that_an_optimiser_a_framework_lacks_gives_no_file(sample: Placement) -> None:
    assert set(_settings(sample, Recipe(Method.FULL, optimizer=Optimizer.MUON))) == {Framework.AXOLOTL}


def test_that_file_names_are_plain_and_numbered(sample: Placement) -> None:
    names = [file.name for file in training_files(sample, 3)]
    assert names
    assert all(name.startswith("3-mueller-soehne-chat.") for name in names)


def test_that_what_the_user_must_fill_in_is_marked(sample: Placement) -> None:
    for file in training_files(sample):
        if file.framework in {Framework.TRL, Framework.AXOLOTL, Framework.LLAMA_FACTORY}:
            assert TO_FILL in file.content
            assert MODEL.hf_id in file.content


def test_that_hostile_texts_stay_texts_in_yaml() -> None:
    hostile = {"a": "yes: [no]\n- x # y", "b": ["'", '"', "\u2028"], "c": [{"d": "off"}]}
    assert yaml.safe_load(to_yaml(hostile)) == hostile
