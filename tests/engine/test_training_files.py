"""The settings files name only what the frameworks' published releases know, and say what was sized."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import jsonschema
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
from engine.training_files import TO_FILL, missing_files, to_yaml, training_files
from engine.training_limits import Framework, Lack, Missing
from engine.workload import Place, Priority, Scenario, Site, Workload

SCHEMAS = json.loads((Path(__file__).parents[1] / "data" / "training_schemas.json").read_text())["schemas"]
VALIDATORS = {name: jsonschema.Draft202012Validator(schema) for name, schema in SCHEMAS.items()}
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


LAYOUTS = {
    "one": Layout(),
    "ddp": Layout(2, Sharding.DDP),
    "fsdp": TWO,
    "hsdp": Layout(8, Sharding.HYBRID, 4),
    "zero1": Layout(2, Sharding.ZERO1),
    "zero2": Layout(2, Sharding.ZERO2),
    "tensor": Layout(2, Sharding.TENSOR),
}


def _check(framework: Framework, settings: dict[str, Any]) -> None:
    """TRL has a command for each objective; only that of supervised fine-tuning packs."""
    name = framework.value
    if framework is Framework.TRL:
        name = "trl-sft" if "packing" in settings else "trl-dpo"
    VALIDATORS[name].validate(_filled_in(settings))


def _filled_in(settings: dict[str, Any]) -> dict[str, Any]:
    """As the user completes it: the learning rate is a number."""
    return {**settings, "learning_rate": 1e-4} if "learning_rate" in settings else settings


@pytest.mark.parametrize("recipe", RECIPES, ids=range(len(RECIPES)))
@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_that_every_file_is_valid_against_its_releases_schema(
    sample: Placement, recipe: Recipe, layout: Layout
) -> None:
    """Names, types and closed sets of values, nested sections included; the schemas know no other key."""
    if layout.sharding is Sharding.TENSOR and recipe.method is Method.QLORA:
        return  # no stack divides a 4-bit base
    for framework, settings in _settings(sample, recipe, layout).items():
        _check(framework, settings)


@pytest.mark.parametrize("optimiser", Optimizer)
def test_that_every_optimiser_is_known_to_every_framework_that_gets_it(sample: Placement, optimiser: Optimizer) -> None:
    for layout in LAYOUTS.values():
        for framework, settings in _settings(sample, Recipe(Method.FULL, optimizer=optimiser), layout).items():
            _check(framework, settings)


def test_that_the_schemas_refuse_what_the_releases_do_not_know() -> None:
    for framework, wrong in {
        Framework.AXOLOTL: {"base_model": "m", "learning_rate": 1, "fsdp_config": {"reshard": True}},
        Framework.ACCELERATE: {"parallelism_config": {"dp_shard_size": 4}},
        Framework.DEEPSPEED: {"zero_optimization": {"stage": 4}},
        Framework.LLAMA_FACTORY: {"optim": "adamw"},
        Framework.TRL: {"packing": True, "max_seq_length": 1},
    }.items():
        with pytest.raises(jsonschema.ValidationError):
            _check(framework, wrong)


def test_that_hybrid_sharding_names_its_groups_and_replicas(sample: Placement) -> None:
    files = _settings(sample, Recipe(Method.LORA), LAYOUTS["hsdp"])
    groups = files[Framework.ACCELERATE]["parallelism_config"]
    assert groups["parallelism_config_dp_replicate_size"] == 2
    assert groups["parallelism_config_dp_shard_size"] == 4
    assert files[Framework.ACCELERATE]["num_processes"] == 8
    assert files[Framework.ACCELERATE]["fsdp_config"]["fsdp_version"] == 2  # Accelerate takes the groups with no other
    assert (files[Framework.AXOLOTL]["dp_shard_size"], files[Framework.AXOLOTL]["dp_replicate_size"]) == (4, 2)
    assert {Framework.TRL, Framework.LLAMA_FACTORY} <= set(files)  # started by Accelerate's file


def test_that_divided_layers_are_axolotls_over_deepspeed(sample: Placement) -> None:
    layout = LAYOUTS["tensor"]
    files = _settings(sample, Recipe(Method.FULL), layout)
    assert set(files) == {Framework.DEEPSPEED, Framework.AXOLOTL}
    assert files[Framework.AXOLOTL]["tensor_parallel_size"] == 2
    assert files[Framework.DEEPSPEED]["tensor_parallel"]["autotp_size"] == 2
    assert missing_files(_placed(sample, Recipe(Method.FULL), layout)) == (
        Missing(Framework.TRL, Lack.TENSOR_PARALLEL),
        Missing(Framework.LLAMA_FACTORY, Lack.TENSOR_PARALLEL),
    )
    assert _settings(sample, Recipe(Method.LORA), layout) == {}
    assert {item.lack for item in missing_files(_placed(sample, Recipe(Method.LORA), layout))} == {
        Lack.TENSOR_PARALLEL,
        Lack.ADAPTERS_DIVIDED,
    }


# The key is what the release says.
REFUSED = {
    "FSDP2 not compatible with adamw_bnb_8bit": (
        *(Recipe(Method.FULL, optimizer=Optimizer.ADAMW_8BIT), "fsdp"),
        Missing(Framework.AXOLOTL, Lack.REFUSED),
    ),
    "FSDP2 does not support load_in_8bit or load_in_4bit with dpo": (
        *(Recipe(Method.QLORA, objective=Objective.DPO), "fsdp"),
        Missing(Framework.AXOLOTL, Lack.REFUSED),
    ),
    "Muon optimizer is currently incompatible with DeepSpeed": (
        *(Recipe(Method.FULL, optimizer=Optimizer.MUON), "zero2"),
        Missing(Framework.AXOLOTL, Lack.REFUSED),
    ),
    "Tensor parallelism is not compatible with liger losses.": (
        *(Recipe(Method.FULL, loss=Loss.FUSED), "tensor"),
        Missing(Framework.AXOLOTL, Lack.REFUSED),
    ),
    "GaLore and APOLLO are incompatible with DeepSpeed yet.": (
        *(Recipe(Method.FULL, optimizer=Optimizer.GALORE), "zero2"),
        Missing(Framework.LLAMA_FACTORY, Lack.REFUSED),
    ),
    "`pure_bf16` is incompatible with DeepSpeed ZeRO-3.": (
        *(Recipe(Method.FULL, states=StateRecipe.BF16, offload=Offload.OPTIMIZER), "fsdp"),
        Missing(Framework.LLAMA_FACTORY, Lack.REFUSED),
    ),
    "You are using ZeRO-Offload with a client provided optimizer": (
        *(Recipe(Method.FULL, optimizer=Optimizer.ADAFACTOR, offload=Offload.OPTIMIZER), "fsdp"),
        Missing(Framework.TRL, Lack.OPTIMISER_ON_HOST),
    ),
}


@pytest.mark.parametrize(("recipe", "layout", "missing"), REFUSED.values(), ids=REFUSED)
def test_that_what_a_release_refuses_gets_no_file_but_a_reason(
    sample: Placement, recipe: Recipe, layout: str, missing: Missing
) -> None:
    assert missing.framework not in _settings(sample, recipe, LAYOUTS[layout])
    assert missing in missing_files(_placed(sample, recipe, LAYOUTS[layout]))


def test_that_an_optimiser_on_the_host_is_deepspeeds_own(sample: Placement) -> None:
    """Without this section DeepSpeed 0.19.8 stops: "You are using ZeRO-Offload with a client provided optimizer"."""
    for optimiser, kind in ((Optimizer.ADAMW, "AdamW"), (Optimizer.LION, "Lion")):
        recipe = Recipe(Method.FULL, optimizer=optimiser, offload=Offload.OPTIMIZER)
        section = _settings(sample, recipe, TWO)[Framework.DEEPSPEED]["optimizer"]
        assert section["type"] == kind
        assert section["params"]["lr"] == "auto"
    assert "optimizer" not in _settings(sample, Recipe(Method.FULL), LAYOUTS["zero2"])[Framework.DEEPSPEED]


def test_that_a_4_bit_base_is_loaded_by_every_rank(sample: Placement) -> None:
    """Axolotl 0.19: rank-0-only quantisation deadlocks the state dict scatter under FSDP2."""
    files = _settings(sample, Recipe(Method.QLORA), TWO)
    assert files[Framework.AXOLOTL]["fsdp_config"]["cpu_ram_efficient_loading"] is False
    assert files[Framework.ACCELERATE]["fsdp_config"]["fsdp_cpu_ram_efficient_loading"] is False
    files = _settings(sample, Recipe(Method.LORA), TWO)
    assert files[Framework.AXOLOTL]["fsdp_config"]["cpu_ram_efficient_loading"] is True


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


def test_that_states_on_nvme_ask_for_the_place_they_lie_in(sample: Placement) -> None:
    zero = _settings(sample, Recipe(Method.FULL, offload=Offload.NVME), TWO)[Framework.DEEPSPEED]["zero_optimization"]
    assert zero["offload_optimizer"] == {"device": "nvme", "nvme_path": TO_FILL}


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
    hostile = {"a": "yes: [no]\n- x # y", "b": ["'", '"', "\u2028"], "c": [{"d": "off"}], "e": ["- f", {"g": ": h"}]}
    assert yaml.safe_load(to_yaml(hostile)) == hostile
