"""Every model-state figure that the sizing rules of October 2026 print, through the command line's own path."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from catalog.commands.estimate import as_json
from catalog.consultation.scenario import default_states
from catalog.load import load_catalog
from engine.memory.estimate import estimate
from engine.memory.types import TrainingSetup
from engine.methods import Layout, Method, Offload, Optimizer, Recipe, Sharding

FIGURES = yaml.safe_load((Path(__file__).parents[1] / "data" / "published_figures.yaml").read_text(encoding="utf-8"))


def _form(row: dict[str, Any]) -> dict[str, Any]:
    method, optimizer = Method(row["method"]), Optimizer(row.get("optimizer", "adamw"))
    recipe = Recipe(
        method,
        states=default_states(method, optimizer),
        optimizer=optimizer,
        rank=row.get("rank", 16),
        offload=Offload.OPTIMIZER if row.get("offload") == "host" else Offload.NONE,
    )
    layout = Layout(row.get("cards", 1), Sharding(row.get("sharding", "none")))
    setup = TrainingSetup(load_catalog().facts.models[row["model"]], recipe, 2048, layout=layout)
    return as_json(estimate(setup), [])


def _rows() -> list[Any]:
    return [
        pytest.param(row, id=f"{row['model']}-{row['method']}-{row['value']}") for row in FIGURES["model_states_gb"]
    ]


@pytest.mark.parametrize("row", _rows())
def test_that_model_states_are_the_printed_ones(row: dict[str, Any]) -> None:
    form = _form(row)
    found = form["host_bytes"] if row.get("host_memory") else form["per_card"]["model_state_bytes"]
    # The rules round the 4-bit width up to 0.516 B per weight; the exact width is 4.127 bit.
    assert found / 1e9 == pytest.approx(row["exact"], rel=0.0002)
    digits = len(str(row["value"]).partition(".")[2])
    assert found / 1e9 == pytest.approx(row["value"], abs=10**-digits / 2 + 1e-9)


def test_that_parameters_and_adapters_are_the_printed_ones() -> None:
    models = load_catalog().facts.models
    for name, count in FIGURES["parameters"].items():
        assert models[name].parameters == count
    for name, count in FIGURES["adapter_parameters_rank16_all_linear"].items():
        assert estimate(TrainingSetup(models[name], Recipe(Method.LORA), 512)).trainable_parameters == count
