"""Agreement with exact traces, model by model, that was reached once must not be lost again.

The traces count every operator of one training step on fake tensors. `trace_accuracy.json` says for each traced model
how many of its traces the estimate meets within each of the steps of `WITHIN`: the peak of the whole step, and the
peak while the layers run backwards, which a large vocabulary hides in the first figure. A model that agrees better than
written there passes; its new figures are then to be written down, so that they hold from there on.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from catalog.evidence_models import EvidenceModels
from catalog.evidence_oracle import OracleRow, oracle_setup
from catalog.models_data import load_models
from engine.memory.estimate import estimate

DATA = Path(__file__).parents[1] / "data"
WITHIN = (0.00001, 0.00003, 0.0001, 0.0003, 0.001, 0.002, 0.003, 0.005, 0.007, 0.01, 0.015, 0.02, 0.03, 0.05, 0.1)
REACHED: dict[str, dict[str, list[int]]] = json.loads((DATA / "trace_accuracy.json").read_text(encoding="utf-8"))


def _read() -> dict[str, list[dict[str, Any]]]:
    own = json.loads((DATA / "traces_own.json").read_text(encoding="utf-8"))
    records = json.loads((DATA / "traces_open.json").read_text(encoding="utf-8"))["records"]
    records += [{**record, "config": own["configs"][record["model"]]} for record in own["records"]]
    found: dict[str, list[dict[str, Any]]] = {}
    for record in records:
        if record.get("peak"):
            found.setdefault(record["model"], []).append(record)
    return found


TRACES = _read()


@pytest.fixture(scope="module")
def models() -> EvidenceModels:
    return EvidenceModels(load_models(), {})


def reached(records: list[dict[str, Any]], models: EvidenceModels) -> dict[str, list[int]]:
    """How many traces are met within each step."""
    errors: Mapping[str, list[float]] = {"peak": [], "layers": []}
    for record in records:
        result = estimate(oracle_setup(OracleRow.model_validate(record), models))
        errors["peak"].append(abs(result.allocated_peak / record["peak"] - 1))
        layers = record.get("phase_peaks", {}).get("backward_layers")
        if layers:
            errors["layers"].append(abs(result.phases.backward / layers - 1))
    return {name: [sum(error <= step for error in found) for step in WITHIN] for name, found in errors.items()}


def test_that_every_traced_model_is_watched() -> None:
    assert set(REACHED) == set(TRACES)
    assert sum(len(records) for records in TRACES.values()) > 500
    assert sum(figures["peak"][WITHIN.index(0.001)] for figures in REACHED.values()) >= 400


@pytest.mark.parametrize("model", sorted(TRACES))
def test_that_agreement_with_the_traces_is_not_lost(model: str, models: EvidenceModels) -> None:
    found = reached(TRACES[model], models)
    for name, counts in REACHED[model].items():
        assert all(now >= once for now, once in zip(found[name], counts, strict=True)), (name, found[name], counts)
