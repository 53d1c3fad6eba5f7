"""Published measurements and exact traces beside the estimates: reads files, maps records, scores.

`load_measured` reads the bundled set or any file of its schema, `load_oracle` a file of exact traces. Nothing is
dropped: a record that cannot be mapped is listed with the reason.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from catalog.evidence_mapping import measured_bytes, outcome_of, reading_of, setup_of
from catalog.evidence_models import EvidenceModels, UnmappableError
from catalog.evidence_oracle import OracleRow, oracle_setup
from catalog.evidence_rows import MeasuredFile, MeasuredRow
from catalog.text_files import read_text
from catalog.validated import validated
from catalog.yaml_nodes import FileFormatError, parse
from engine.errors import InvalidInputError, PassformError
from engine.fit import Verdict, judge
from engine.memory.estimate import estimate
from engine.memory.evidence import (
    FitScore,
    Measurement,
    Outcome,
    Reading,
    Score,
    Unmapped,
    score,
    score_fits,
)
from engine.memory.types import TrainingSetup
from engine.models import ModelSpec

BUNDLED = Path(__file__).with_name("data") / "evidence_memory.yaml"
MAX_BYTES = 50_000_000
HEADROOM = 0.0  # a measured run needed no headroom


@dataclass(frozen=True, slots=True)
class Evidence:
    """A set of measurements with their estimates and scores."""

    measurements: tuple[Measurement, ...]
    unmapped: tuple[Unmapped, ...]
    scores: tuple[Score, ...]
    fits: FitScore


def load_measured(models: Mapping[str, ModelSpec], path: Path | None = None) -> Evidence:
    """Read a file of published measurements, the bundled one by default. `models` is the catalogue.

    FileFormatError names file, record and field when the file is not of this schema.
    """
    source = path or BUNDLED
    document = _measured_file(source)
    # Another file's records may name the models the bundled set names.
    known = dict(document.models) if path is None else {**_measured_file(BUNDLED).models, **document.models}
    return _measured(document.records, EvidenceModels(models, known))


def load_oracle(models: Mapping[str, ModelSpec], path: Path) -> Evidence:
    """Read a file of exact traces (JSON: a list of records, or an object with `records`)."""
    raw = _json(path)
    records = raw.get("records") if isinstance(raw, dict) else raw
    if not isinstance(records, list):
        raise FileFormatError("{file}: a list of records was expected.", file=path.name)
    bundled = EvidenceModels(models, {})
    measurements: list[Measurement] = []
    unmapped: list[Unmapped] = []
    for index, record in enumerate(records):
        name = str(record.get("id", index)) if isinstance(record, dict) else str(index)
        try:
            row = OracleRow.model_validate(record)
            if row.peak is None:
                unmapped.append(Unmapped(name, "oracle", row.error or "the record has no peak"))
                continue
            setup = oracle_setup(row, bundled)
            measurements.append(
                Measurement(
                    name,
                    "oracle",
                    row.model,
                    setup.recipe.method,
                    setup.layout.cards,
                    high_confidence=True,
                    offloaded=False,
                    outcome=Outcome.PEAK,
                    reading=Reading.ALLOCATED,
                    measured_bytes=row.peak,
                    estimate=estimate(setup),
                )
            )
        except ValidationError as error:
            unmapped.append(Unmapped(name, "oracle", _problem(error)))
        except PassformError as error:
            unmapped.append(Unmapped(name, "oracle", str(error)))
    return _scored(measurements, unmapped)


def as_json(evidence: Evidence) -> dict[str, Any]:
    """The public JSON form: every record with its estimate and error, the summary, and what could not be mapped."""
    return {
        "schema": 1,
        "records": [_record(one) for one in evidence.measurements],
        "unmapped": [{"id": one.id, "source": one.source_id, "reason": one.reason} for one in evidence.unmapped],
        "summary": [
            {
                "group": one.group,
                "records": one.records,
                "sources": one.sources,
                "median_error": one.median_error,
                "within_10_percent": one.within_10_percent,
                "within_20_percent": one.within_20_percent,
                "bias": one.bias,
            }
            for one in evidence.scores
        ],
        "fits": {
            "out_of_memory": evidence.fits.out_of_memory,
            "false_fits": list(evidence.fits.false_fits),
            "ran": evidence.fits.ran,
            "false_refusals": list(evidence.fits.false_refusals),
        },
    }


def fits(one: Measurement) -> bool | None:
    """The verdict on the card of a yes-no record: True fits, False does not, None is uncertain."""
    verdict = judge(one.estimate, one.measured_bytes, HEADROOM)
    if verdict is Verdict.UNCERTAIN:
        return None
    return verdict is not Verdict.NO


def _measured(records: Sequence[MeasuredRow], models: EvidenceModels) -> Evidence:
    measurements: list[Measurement] = []
    unmapped: list[Unmapped] = []
    for row in records:
        try:
            setup = setup_of(row, models)
            measurements.append(_measurement(row, setup))
        except UnmappableError as error:
            unmapped.append(Unmapped(row.id, row.source_id, str(error)))
        except InvalidInputError as error:
            unmapped.append(Unmapped(row.id, row.source_id, str(error)))
    return _scored(measurements, unmapped)


def _measurement(row: MeasuredRow, setup: TrainingSetup) -> Measurement:
    return Measurement(
        row.id,
        row.source_id,
        row.model,
        setup.recipe.method,
        setup.layout.cards,
        row.confidence == "high",
        row.is_offloaded,
        outcome_of(row),
        reading_of(row),
        measured_bytes(row),
        estimate(setup),
    )


def _scored(measurements: list[Measurement], unmapped: list[Unmapped]) -> Evidence:
    return Evidence(tuple(measurements), tuple(unmapped), score(measurements), score_fits(measurements, fits))


def _record(one: Measurement) -> dict[str, Any]:
    return {
        "id": one.id,
        "source": one.source_id,
        "model": one.model,
        "method": one.method.value,
        "cards": one.cards,
        "outcome": one.outcome.value,
        "reading": one.reading.value,
        "scored": one.scored,
        "measured_bytes": one.measured_bytes,
        "estimated_bytes": one.estimated_bytes,
        "error": one.error if one.outcome is Outcome.PEAK else None,
        "allocated_peak_bytes": one.estimate.allocated_peak,
        "required_bytes": {
            "low": one.estimate.required.low,
            "expected": one.estimate.required.expected,
            "high": one.estimate.required.high,
        },
        "limiting_phase": one.estimate.phases.limiting.value,
    }


def _measured_file(path: Path) -> MeasuredFile:
    return validated(MeasuredFile, parse(read_text(path, MAX_BYTES), path.name))


def _json(path: Path) -> object:
    try:
        document: object = json.loads(read_text(path, MAX_BYTES))
    except (json.JSONDecodeError, RecursionError) as error:
        raise FileFormatError("{file} is not valid JSON: {problem}", file=path.name, problem=str(error)) from error
    return document


def _problem(error: ValidationError) -> str:
    first = error.errors()[0]
    return f"{'.'.join(str(step) for step in first['loc'])}: {first['msg']}"
