"""Estimates against exact traces and published measurements, with the thresholds they must keep."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from catalog.evidence import Evidence, as_json, load_measured, load_oracle
from catalog.models_data import load_models
from catalog.yaml_nodes import FileFormatError
from engine.memory.evidence import Measurement, Outcome, Reading
from engine.memory.trace.style import APPROXIMATE
from engine.models import MixerKind, ModelSpec

DATA = Path(__file__).parents[1] / "data"
RECURRENT = (MixerKind.LINEAR_ATTENTION, MixerKind.STATE_SPACE)


@pytest.fixture(scope="module")
def models() -> Mapping[str, ModelSpec]:
    return load_models()


@pytest.fixture(scope="module")
def measured(models: Mapping[str, ModelSpec]) -> Evidence:
    return load_measured(models)


@pytest.fixture(scope="module")
def traced(models: Mapping[str, ModelSpec], tmp_path_factory: pytest.TempPathFactory) -> tuple[Measurement, ...]:
    """The open traces and our own, whose configurations stand in a table."""
    own = json.loads((DATA / "traces_own.json").read_text(encoding="utf-8"))
    for record in own["records"]:
        record["config"] = own["configs"][record["model"]]
    inline = tmp_path_factory.mktemp("traces") / "own.json"
    inline.write_text(json.dumps(own), encoding="utf-8")
    sets = (load_oracle(models, DATA / "traces_open.json"), load_oracle(models, inline))
    assert not [one.reason for one_set in sets for one in one_set.unmapped]
    return tuple(one for one_set in sets for one in one_set.measurements)


def _model(one: Measurement) -> ModelSpec:
    return one.estimate.setup.model


def _is_sparse_or_hybrid(one: Measurement) -> bool:
    model = _model(one)
    return model.is_moe or any(block.mixer in RECURRENT or block.state_size for block in model.blocks)


def _is_built_as_traced(one: Measurement) -> bool:
    return _model(one).recognised and _model(one).model_type not in APPROXIMATE


def test_that_dense_models_agree_with_exact_traces(traced: tuple[Measurement, ...]) -> None:
    errors = [abs(one.error) for one in traced if _is_built_as_traced(one) and not _is_sparse_or_hybrid(one)]
    assert len(errors) > 300
    assert median(errors) <= 0.01
    assert max(errors) <= 0.05


def test_that_sparse_and_hybrid_models_agree_with_exact_traces(traced: tuple[Measurement, ...]) -> None:
    errors = [abs(one.error) for one in traced if _is_built_as_traced(one) and _is_sparse_or_hybrid(one)]
    assert len(errors) > 100
    assert median(errors) <= 0.03
    assert max(errors) <= 0.10


def test_that_families_taken_as_alike_say_so(traced: tuple[Measurement, ...]) -> None:
    alike = [one for one in traced if not _is_built_as_traced(one)]
    assert alike
    for one in alike:
        codes = {note.code for note in one.estimate.notes}
        assert codes & {"activations-approximate", "model-computed-from-dimensions"}


def test_that_the_traces_cover_every_setting(traced: tuple[Measurement, ...]) -> None:
    recipes = [one.estimate.setup.recipe for one in traced]
    for setting in (
        "method",
        "states",
        "checkpointing",
        "attention",
        "loss",
        "adapter_dtype",
        "kbit_upcast",
        "optimizer",
    ):
        assert len({getattr(recipe, setting) for recipe in recipes}) > 1, setting
    lengths = [one.estimate.setup.sequence_length for one in traced]
    assert (min(lengths), max(lengths)) == (512, 32768)
    assert len({_model(one).model_type for one in traced}) > 50


GROUPS = [f"{method}, {cards}" for method in ("full", "lora", "qlora") for cards in ("one card", "several cards")]


@pytest.mark.parametrize("group", GROUPS)
def test_that_measurements_are_met_with_every_source_weighted_alike(measured: Evidence, group: str) -> None:
    score = next(score for score in measured.scores if score.group == group)
    assert score.records >= 16
    assert score.median_error <= 0.08
    assert score.within_20_percent >= 0.90


def test_that_no_run_that_ran_out_of_memory_is_said_to_fit(measured: Evidence) -> None:
    assert measured.fits.out_of_memory >= 30
    assert measured.fits.false_fits == ()


def test_that_few_runs_that_ran_are_refused(measured: Evidence) -> None:
    assert measured.fits.ran >= 10
    assert len(measured.fits.false_refusals) <= 0.10 * measured.fits.ran


def _without(evidence: Evidence, source: str) -> Iterator[Measurement]:
    return (
        one
        for one in evidence.measurements
        if one.source_id != source and one.scored and one.outcome is Outcome.PEAK and one.reading is Reading.ALLOCATED
    )


@pytest.mark.parametrize("source", ["fms-acceleration", "litgpt-hub", "litgpt-tables"])
def test_that_allocated_peaks_hold_without_any_one_source(measured: Evidence, source: str) -> None:
    # No coefficient of the allocated peak comes from a fit, so leaving a source out must not matter.
    errors = [abs(one.error) for one in _without(measured, source)]
    assert median(errors) <= 0.12


def test_that_every_record_is_estimated_or_has_a_reason(measured: Evidence) -> None:
    assert len(measured.measurements) + len(measured.unmapped) == 436
    assert all(one.reason for one in measured.unmapped)


def test_that_the_json_lists_every_record_with_its_error(measured: Evidence) -> None:
    form = json.loads(json.dumps(as_json(measured)))
    assert len(form["records"]) == len(measured.measurements)
    assert {entry["group"] for entry in form["summary"]} >= {*GROUPS, "all"}
    peak = next(entry for entry in form["records"] if entry["outcome"] == "peak")
    assert peak["error"] == pytest.approx(peak["estimated_bytes"] / peak["measured_bytes"] - 1)


def _file(tmp_path: Path, records: list[dict[str, Any]], name: str = "measured.yaml") -> Path:
    path = tmp_path / name
    path.write_text(json.dumps({"records": records}), encoding="utf-8")
    return path


RECORD: dict[str, Any] = {
    "id": "x-1",
    "kind": "peak",
    "source_id": "x",
    "confidence": "high",
    "model": "llama-3.1-8b",
    "method": "lora",
    "sequence_length": 2048,
    "micro_batch": 1,
    "measured_gb_per_gpu": 20.3,
    "unit": "GB",
    "measured_what": "max_allocated",
}


def test_that_another_file_is_scored(models: Mapping[str, ModelSpec], tmp_path: Path) -> None:
    (one,) = load_measured(models, _file(tmp_path, [RECORD])).measurements
    # an exact trace of this run has a peak of 20.288 GB
    assert one.error == pytest.approx(20.288 / 20.3 - 1, abs=1e-3)


def test_that_a_record_may_carry_its_model(models: Mapping[str, ModelSpec], tmp_path: Path) -> None:
    config = {
        "model_type": "llama",
        "hidden_size": 512,
        "intermediate_size": 1024,
        "num_hidden_layers": 2,
        "num_attention_heads": 8,
        "vocab_size": 1000,
    }
    (one,) = load_measured(models, _file(tmp_path, [{**RECORD, "model": "mine", "config": config}])).measurements
    assert one.estimate.parameters == 2 * (4 * 512 * 512 + 3 * 512 * 1024 + 1024) + 2 * 512_000 + 512


def test_that_an_unknown_model_is_listed_with_its_reason(models: Mapping[str, ModelSpec], tmp_path: Path) -> None:
    evidence = load_measured(models, _file(tmp_path, [{**RECORD, "model": "nobody-knows"}]))
    assert evidence.measurements == ()
    assert "nobody-knows" in evidence.unmapped[0].reason


@pytest.mark.parametrize(
    "change",
    [
        {"method": "prefix-tuning"},
        {"sequence_length": None},
        {"sequence_length": -5},
        {"micro_batch": 2**63},
        {"lora_rank": -1},
        {"lora_targets": "wings"},
        {"measured_gb_per_gpu": None},
    ],
)
def test_that_a_record_that_cannot_be_mapped_is_not_dropped(
    models: Mapping[str, ModelSpec], tmp_path: Path, change: dict[str, Any]
) -> None:
    evidence = load_measured(models, _file(tmp_path, [{**RECORD, **change}]))
    assert [one.id for one in evidence.unmapped] == ["x-1"]
    assert evidence.unmapped[0].reason


@pytest.mark.parametrize(
    "text", ["", "records: 5", "records: [{id: a}]", "records: [{id: a, kind: peak, gpus: many}]", "a: [", "\x00"]
)
def test_that_a_file_of_another_shape_is_refused_with_its_place(
    models: Mapping[str, ModelSpec], tmp_path: Path, text: str
) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FileFormatError, match=r"bad\.yaml"):
        load_measured(models, path)


@pytest.mark.parametrize("text", ["", "{}", "5", '{"records": 3}', "[", "[" * 100_000])
def test_that_a_trace_file_of_another_shape_is_refused(
    models: Mapping[str, ModelSpec], tmp_path: Path, text: str
) -> None:
    path = tmp_path / "bad.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FileFormatError, match=r"bad\.json"):
        load_oracle(models, path)


def test_that_a_trace_that_failed_is_listed(models: Mapping[str, ModelSpec], tmp_path: Path) -> None:
    path = _file(
        tmp_path,
        [
            {"id": "a", "model": "llama-3.1-8b", "options": {"method": "lora", "seq": 64}, "error": "no kernel"},
            {"id": "b", "model": "llama-3.1-8b", "options": {"method": "lora", "seq": 0}, "peak": 1},
            {"id": "c", "model": "nobody", "options": {"method": "lora", "seq": 64}, "peak": 1},
        ],
        "traces.json",
    )
    evidence = load_oracle(models, path)
    assert [one.id for one in evidence.unmapped] == ["a", "b", "c"]
    assert evidence.unmapped[0].reason == "no kernel"


def test_that_a_missing_file_is_named(models: Mapping[str, ModelSpec], tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="nothing"):
        load_measured(models, tmp_path / "nothing.yaml")
