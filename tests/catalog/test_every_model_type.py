"""Every decoder type the library knows can be estimated by every method."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from catalog.huggingface import model_from_config
from engine.memory.estimate import estimate
from engine.memory.types import TrainingSetup
from engine.methods import Attention, Checkpointing, Method, Recipe

COUNTS = json.loads((Path(__file__).parents[1] / "data" / "parameter_counts.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("model_type", sorted(COUNTS["types"]))
def test_that_the_type_is_estimated_and_activations_grow_with_the_length(model_type: str) -> None:
    entry: Mapping[str, Any] = COUNTS["types"][model_type]
    model = model_from_config(entry["config"], id=model_type, name=model_type)
    for method in Method:
        for attention in (Attention.FLASH, Attention.EAGER):
            recipe = Recipe(method, attention=attention, checkpointing=Checkpointing.OFF)
            short, long = (estimate(TrainingSetup(model, recipe, length)) for length in (64, 128))
            assert short.allocated_peak >= short.states.weights
            assert short.phases.loss < long.phases.loss
            assert min(getattr(short.card, name) for name in short.card.__slots__) >= 0
