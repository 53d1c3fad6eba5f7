"""Reads `data/serving.yaml` and the anchors beside it: constants, engine defaults, measurements to scale from."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from catalog.validated import validated
from catalog.yaml_nodes import FileFormatError, LocatedYaml, parse
from engine.figures import Basis, Figure, Grade, Source
from engine.serving.facts import (
    Anchor,
    EngineDefaults,
    MemoryConstants,
    ServingCoefficients,
    ServingFacts,
    Widths,
)
from engine.serving.formats import ComputeClass
from engine.serving.types import ServingEngine, WeightFormat
from engine.units import GIB

SERVING_FILE = Path(__file__).with_name("data") / "serving.yaml"
ANCHORS_FILE = SERVING_FILE.with_name("serving_anchors.csv")
SCHEMA = 1

Text = Annotated[str, BeforeValidator(str)]  # YAML reads dates and years as such
Share = Annotated[float, Field(gt=0, le=2)]
Positive = Annotated[float, Field(gt=0)]
Factor = Annotated[float, Field(ge=1, le=10)]


class _Row(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _Source(_Row):
    title: str
    url: str
    date: Text


class _Sourced(_Row):
    source: str
    grade: Grade
    basis: Basis
    note: str = ""


class _Memory(_Sourced):
    hidden_from_engine_gib: Positive
    activation_floor_gib: Positive
    non_torch_one_card_gib: Positive
    non_torch_many_gib: Positive
    graphs_gib: Positive


class _Engine(_Sourced):
    memory_share: Annotated[float, Field(gt=0, le=1)]
    max_sequences: tuple[int, int]
    batched_tokens: tuple[int, int]


class _Value(_Sourced):
    value: Positive
    unit: str


class WidthsRow(_Row):
    """The printed ranges as the data file holds them."""

    dense: Factor
    experts: Factor
    hybrid: Factor
    measured: Factor


class CoefficientsRow(_Row):
    """The fitted constants as data files hold them."""

    bandwidth_share: Share
    compute_share: dict[ComputeClass, Share]
    prefill_gain: Positive
    prefill_gain_weight_only: Positive
    start_s: dict[ServingEngine, Positive]
    layer_s: Positive
    expert_layer_s: Positive
    recurrent_layer_s: Positive
    sequence_s: Positive
    exchange_nvlink_s: Positive
    exchange_pcie_s: Positive
    pcie_share: Share
    expert_compute: Share
    expert_bandwidth: Share
    offline_sequences: Positive
    offline_growth: Share

    @model_validator(mode="after")
    def _complete(self) -> CoefficientsRow:
        missing = [
            str(key) for key in (*ComputeClass, *ServingEngine) if key not in {*self.compute_share, *self.start_s}
        ]
        if missing:
            raise ValueError(f"no coefficients for {', '.join(sorted(missing))}")
        return self

    def coefficients(self) -> ServingCoefficients:
        """The engine's constants."""
        return ServingCoefficients(**self.model_dump())


class _ServingFile(_Row):
    schema_number: int = Field(alias="schema")
    as_of: Text
    sources: dict[str, _Source]
    memory: _Memory
    engines: dict[ServingEngine, _Engine]
    assumptions: dict[str, _Value]
    widths: WidthsRow
    coefficients: CoefficientsRow


def load_serving_facts(text: str | None = None, anchors: str | None = None) -> ServingFacts:
    """The serving facts of the bundled files, or of the texts given.

    Raises `FileFormatError` with file, line and field when a file is not what it claims to be.
    """
    name = SERVING_FILE.name
    located = parse(SERVING_FILE.read_text(encoding="utf-8") if text is None else text, name)
    file = _validated(located, name)
    sources = {key: Source(key, row.title, row.url, row.date) for key, row in file.sources.items()}
    table = ANCHORS_FILE.read_text(encoding="utf-8") if anchors is None else anchors
    by_card: dict[str, list[Anchor]] = {}
    for anchor in _anchors(table, sources):
        by_card.setdefault(anchor.card_id, []).append(anchor)
    return ServingFacts(
        coefficients=file.coefficients.coefficients(),
        widths=Widths(**file.widths.model_dump()),
        memory=_memory(file.memory, sources),
        engines={key: _engine(row, sources) for key, row in file.engines.items()},
        anchors={card: tuple(entries) for card, entries in by_card.items()},
        sources=sources,
        assumptions={
            key: Figure(row.value, row.unit, _source(row, sources), row.grade, row.basis, row.note)
            for key, row in file.assumptions.items()
        },
    )


def _validated(located: LocatedYaml, name: str) -> _ServingFile:
    file = validated(_ServingFile, located)
    if file.schema_number != SCHEMA:
        raise FileFormatError("{file}: schema {schema} is not known.", file=name, schema=file.schema_number)
    return file


def _source(row: _Sourced, sources: Mapping[str, Source]) -> Source:
    found = sources.get(row.source)
    if found is None:
        raise FileFormatError("{file}: the source {source} is not listed.", file=SERVING_FILE.name, source=row.source)
    return found


def _words(row: _Sourced, sources: Mapping[str, Source]) -> Figure[str]:
    return Figure(row.note, "", _source(row, sources), row.grade, row.basis, row.note)


def _memory(row: _Memory, sources: Mapping[str, Source]) -> MemoryConstants:
    return MemoryConstants(
        hidden_from_engine=round(row.hidden_from_engine_gib * GIB),
        activation_floor=round(row.activation_floor_gib * GIB),
        non_torch_one_card=round(row.non_torch_one_card_gib * GIB),
        non_torch_many=round(row.non_torch_many_gib * GIB),
        graphs=round(row.graphs_gib * GIB),
        figure=_words(row, sources),
    )


def _engine(row: _Engine, sources: Mapping[str, Source]) -> EngineDefaults:
    return EngineDefaults(row.memory_share, *row.max_sequences, *row.batched_tokens, _words(row, sources))


def _anchors(table: str, sources: Mapping[str, Source]) -> Iterator[Anchor]:
    """One measurement per line. A line that is not whole is an error, never skipped."""
    name = ANCHORS_FILE.name
    for number, row in enumerate(csv.DictReader(table.splitlines()), start=2):
        try:
            yield Anchor(
                record_id=row["record"],
                source=sources[row["source"]],
                card_id=row["card"],
                model=row["model"],
                parameters=int(row["parameters"]),
                active_parameters=int(row["active"]),
                experts=row["experts"] == "1",
                weights=WeightFormat(row["weights"]),
                compute=ComputeClass(row["compute"]),
                engine=ServingEngine(row["engine"]),
                prompt=int(row["prompt"]),
                output=int(row["output"]),
                offline=row["offline"] == "1",
                users=float(row["users"]),
                tensor=int(row["tensor"]),
                pipeline=int(row["pipeline"]),
                tokens_per_s=float(row["tokens_per_s"]),
                ratio=float(row["ratio"]),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise FileFormatError("{file}:{line}: not a whole measurement.", file=name, line=number) from error


ANCHOR_COLUMNS = (
    *("record", "source", "card", "model", "parameters", "active", "experts", "weights", "compute", "engine"),
    *("prompt", "output", "offline", "users", "tensor", "pipeline", "tokens_per_s", "ratio"),
)


def anchor_line(anchor: Anchor) -> str:
    """A measurement as the table holds it."""
    values = (
        anchor.record_id,
        anchor.source.id,
        anchor.card_id,
        anchor.model,
        anchor.parameters,
        anchor.active_parameters,
        int(anchor.experts),
        anchor.weights.value,
        anchor.compute.value,
        anchor.engine.value,
        anchor.prompt,
        anchor.output,
        int(anchor.offline),
        f"{anchor.users:.6g}",
        anchor.tensor,
        anchor.pipeline,
        f"{anchor.tokens_per_s:.8g}",
        f"{anchor.ratio:.4f}",
    )
    return ",".join(map(str, values))
