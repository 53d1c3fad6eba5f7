"""Reads `data/serving.yaml` and the anchors beside it: constants, engine defaults, measurements to scale from."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated

from pydantic import Field, model_validator

from catalog.fitted_data import (
    FittedFile,
    Positive,
    Row,
    Share,
    SourcedRow,
    Sourcing,
    ValueRow,
    read_fitted,
)
from catalog.yaml_nodes import FileFormatError, parse
from engine.figures import Source
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

Factor = Annotated[float, Field(ge=1, le=10)]


class _Memory(SourcedRow):
    hidden_from_engine_gib: Positive
    activation_floor_gib: Positive
    non_torch_one_card_gib: Positive
    non_torch_many_gib: Positive
    graphs_gib: Positive


class _Engine(SourcedRow):
    memory_share: Annotated[float, Field(gt=0, le=1)]
    max_sequences: tuple[int, int]
    batched_tokens: tuple[int, int]


class WidthsRow(Row):
    """The printed ranges as the data file holds them."""

    dense: Factor
    experts: Factor
    hybrid: Factor
    measured: Factor


class CoefficientsRow(Row):
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


class _ServingFile(FittedFile):
    memory: _Memory
    engines: dict[ServingEngine, _Engine]
    assumptions: dict[str, ValueRow]
    widths: WidthsRow
    coefficients: CoefficientsRow


def load_serving_facts(text: str | None = None, anchors: str | None = None) -> ServingFacts:
    """The serving facts of the bundled files, or of the texts given.

    Raises `FileFormatError` with file, line and field when a file is not what it claims to be.
    """
    name = SERVING_FILE.name
    located = parse(SERVING_FILE.read_text(encoding="utf-8") if text is None else text, name)
    file = read_fitted(_ServingFile, located)
    sourcing = Sourcing(file, name)
    table = ANCHORS_FILE.read_text(encoding="utf-8") if anchors is None else anchors
    by_card: dict[str, list[Anchor]] = {}
    for anchor in _anchors(table, sourcing.sources):
        by_card.setdefault(anchor.card_id, []).append(anchor)
    return ServingFacts(
        coefficients=file.coefficients.coefficients(),
        widths=Widths(**file.widths.model_dump()),
        memory=_memory(file.memory, sourcing),
        engines={key: _engine(row, sourcing) for key, row in file.engines.items()},
        anchors={card: tuple(entries) for card, entries in by_card.items()},
        sources=sourcing.sources,
        assumptions=sourcing.values(file.assumptions),
    )


def _memory(row: _Memory, sourcing: Sourcing) -> MemoryConstants:
    return MemoryConstants(
        hidden_from_engine=round(row.hidden_from_engine_gib * GIB),
        activation_floor=round(row.activation_floor_gib * GIB),
        non_torch_one_card=round(row.non_torch_one_card_gib * GIB),
        non_torch_many=round(row.non_torch_many_gib * GIB),
        graphs=round(row.graphs_gib * GIB),
        figure=sourcing.words(row),
    )


def _engine(row: _Engine, sourcing: Sourcing) -> EngineDefaults:
    return EngineDefaults(row.memory_share, *row.max_sequences, *row.batched_tokens, sourcing.words(row))


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
                software=row["software"].strip(),
            )
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise FileFormatError("{file}:{line}: not a whole measurement.", file=name, line=number) from error


ANCHOR_COLUMNS = (
    *("record", "source", "card", "model", "parameters", "active", "experts", "weights", "compute", "engine"),
    *("prompt", "output", "offline", "users", "tensor", "pipeline", "tokens_per_s", "ratio", "software"),
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
        anchor.software,
    )
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(values)
    return line.getvalue()
