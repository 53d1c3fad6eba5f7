"""Parameter counts against those the library itself gave (tests/data/parameter_counts.json), to the parameter."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from catalog.huggingface import model_from_config
from catalog.huggingface.families import FAMILIES
from engine.adapters import adapter_parameters
from engine.errors import InvalidInputError
from engine.models import ModelSpec

COUNTS = json.loads((Path(__file__).parent.parent / "data" / "parameter_counts.json").read_text(encoding="utf-8"))
TYPES: dict[str, Any] = COUNTS["types"]
# Named differently by its maker, built by the library as deepseek_v3.
SAME_AS_ANOTHER = {"kimi_k2"}


def count(config: dict[str, Any]) -> ModelSpec:
    return model_from_config(config, id="test", name="Test")


def test_that_every_recognised_type_was_counted_by_the_library() -> None:
    assert set(FAMILIES) - SAME_AS_ANOTHER == set(TYPES)


@pytest.mark.parametrize("model_type", sorted(TYPES))
def test_that_parameters_equal_the_librarys_own(model_type: str) -> None:
    entry = TYPES[model_type]
    assert entry["cases"]
    for case in entry["cases"]:
        model = count({**entry["config"], **case["changed"]})
        assert model.recognised
        assert model.embedding_parameters == case["embedding"], case["changed"]
        if case.get("headless"):
            assert model.parameters - model.head_parameters == case["parameters"], case["changed"]
        else:
            assert (model.parameters, model.head_parameters) == (case["parameters"], case["head"]), case["changed"]


@pytest.mark.parametrize("model_type", sorted(TYPES))
def test_that_adapters_equal_pefts_own(model_type: str) -> None:
    entry = TYPES[model_type]
    for case in entry["cases"]:
        model = count({**entry["config"], **case["changed"]})
        for key, targets in (("all_linear", ("all-linear",)), ("q_v", ("q_proj", "v_proj"))):
            if key not in case:
                continue
            if case[key] is None:
                with pytest.raises(InvalidInputError):
                    adapter_parameters(model, 16, targets)
            else:
                assert adapter_parameters(model, 16, targets) == case[key], (key, case["changed"])


@pytest.mark.parametrize("index", range(len(COUNTS["composites"])))
def test_that_text_and_vision_parts_are_told_apart(index: int) -> None:
    entry = COUNTS["composites"][index]
    model = count(entry["config"])
    assert (model.parameters, model.vision_parameters) == (entry["text"], entry["vision"])
    assert model.vision_counted


def test_that_dora_adds_one_magnitude_for_each_output() -> None:
    for entry in COUNTS["dora"]:
        adapter = adapter_parameters(count(entry["config"]), entry["rank"], dora=entry["dora"])
        assert adapter == entry["adapter"]
