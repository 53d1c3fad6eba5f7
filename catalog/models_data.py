"""The catalogue's base models: data file in, `ModelSpec` by id out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from catalog.huggingface import ConfigError, model_from_config
from catalog.yaml_nodes import FileFormatError, parse
from engine.errors import PassformError
from engine.figures import Basis, Grade
from engine.models import ModelSpec

MODELS_FILE = Path(__file__).parent / "data" / "models.yaml"
SCHEMA = 1


class ModelsDataError(PassformError):
    """The models file is not what it should be; the message names the entry and the field."""


class _Row(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class SourceRow(_Row):
    """Where the figures of a model were read."""

    title: str = Field(min_length=1)
    document_date: str = Field(min_length=1)  # "not recorded" where it is unknown
    url: str = ""


class LicenceRow(_Row):
    """A licence and how far its name can be trusted."""

    name: str = Field(min_length=1)
    grade: Literal["A", "B", "C", "M"]
    note: str = ""


class LoraCountsRow(_Row):
    """Adapter parameters at rank 16 as PEFT counts them."""

    all_linear: int | None = None
    q_v: int | None = None
    all_linear_plus_experts: int | None = None


class ModelRow(_Row):
    """One base model. `config` stays as it is: the architecture's own reader checks every field it uses."""

    id: str = Field(min_length=1)
    name: str = Field(min_length=1)
    hf_id: str = Field(min_length=1)
    family: str = Field(min_length=1)
    size: str = Field(min_length=1)
    grade: Literal["A", "B", "C", "D", "M"]
    basis: Literal["published", "assumed"] = "published"
    published: str = ""  # what the maker says of the size, beyond the name
    licence: LicenceRow | None = None
    exact_parameters: int = Field(gt=0)
    linear_weights: int | None = None  # of plain linear layers without the head: what 4-bit loading reaches
    lora_r16: LoraCountsRow | None = None
    lora_refused: str = ""  # what PEFT says where it refuses "all-linear"
    sources: tuple[SourceRow, ...] = Field(min_length=1, strict=False)
    notes: tuple[str, ...] = Field(default=(), strict=False)
    config: object


class UnsourcedRow(_Row):
    """A model that is asked for and cannot be offered, and why: its absence is no riddle to whoever keeps the file."""

    id: str = Field(min_length=1)
    hf_id: str
    seen: str
    why: str


class ModelsFile(_Row):
    """The whole file."""

    schema_: Literal[1] = Field(alias="schema")
    read: str
    counted_with: dict[str, str]
    models: tuple[ModelRow, ...] = Field(strict=False)
    without_a_source: tuple[UnsourcedRow, ...] = Field(default=(), strict=False)


def load_models(source: Path | Mapping[str, object] = MODELS_FILE) -> Mapping[str, ModelSpec]:
    """Every model of the file, in its order. ModelsDataError names the entry and the field that are wrong."""
    document = read_models(source)
    models: dict[str, ModelSpec] = {}
    for row in document.models:
        if row.id in models:
            raise ModelsDataError("Model {id}: the id occurs twice.", id=row.id)
        models[row.id] = _spec(row)
    return MappingProxyType(models)


def read_models(source: Path | Mapping[str, object] = MODELS_FILE) -> ModelsFile:
    """The validated rows of the file."""
    raw = source if isinstance(source, Mapping) else _parsed(source)
    try:
        return ModelsFile.model_validate(raw)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise ModelsDataError(
            "Models file, {place}: {problem}.",
            place=".".join(str(step) for step in first["loc"]) or "top level",
            problem=first["msg"],
        ) from error


def _parsed(path: Path) -> object:
    try:
        return parse(path.read_text(encoding="utf-8"), path.name).data
    except (OSError, UnicodeDecodeError, FileFormatError) as error:
        raise ModelsDataError("{file} cannot be read: {problem}", file=path.name, problem=error) from error


def _spec(row: ModelRow) -> ModelSpec:
    if not isinstance(row.config, Mapping):
        raise ModelsDataError("Model {id}: {problem}", id=row.id, problem="config must be an object.")
    try:
        spec = model_from_config(
            row.config,
            id=row.id,
            name=row.name,
            hf_id=row.hf_id,
            family=row.family,
            licence=row.licence.name if row.licence else "",
            sources=[_source_line(source) for source in row.sources],
            notes=row.notes,
        )
    except ConfigError as error:
        raise ModelsDataError("Model {id}: {problem}", id=row.id, problem=error) from error
    return replace(
        spec,
        licence_seen=row.licence is not None and row.licence.grade != "M",
        size_label=row.size,
        grade=Grade(row.grade),
        basis=Basis(row.basis),
    )


def _source_line(source: SourceRow) -> str:
    place = f"{source.title}, {source.url}" if source.url else source.title
    return place if source.document_date == "not recorded" else f"{place} ({source.document_date})"
