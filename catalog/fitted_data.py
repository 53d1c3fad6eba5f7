"""Parts that `data/speed.yaml` and `data/serving.yaml` share: sourced rows, and reading the file with places."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from catalog.validated import validated
from catalog.yaml_nodes import FileFormatError, LocatedYaml
from engine.figures import Basis, Figure, Grade, Source

SCHEMA = 1

Text = Annotated[str, BeforeValidator(str)]  # YAML reads dates and years as such
Share = Annotated[float, Field(gt=0, le=2)]
Positive = Annotated[float, Field(gt=0)]
Value = TypeVar("Value")


class Row(BaseModel):
    """Base of every part: nothing unknown, nothing changed later."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class SourceRow(Row):
    """Where figures were read."""

    title: str
    url: str
    date: Text


class SourcedRow(Row):
    """What stands behind a figure."""

    source: str
    grade: Grade
    basis: Basis
    note: str = ""
    contradicts: tuple[str, ...] = ()


class ValueRow(SourcedRow):
    """A sourced number."""

    value: Positive
    unit: str = ""


class FittedFile(Row):
    """What every file of fitted constants begins with."""

    schema_number: int = Field(alias="schema")
    as_of: Text
    sources: dict[str, SourceRow]


File = TypeVar("File", bound=FittedFile)


def read_fitted(shape: type[File], located: LocatedYaml) -> File:
    """The file in its shape. Raises `FileFormatError` with file, line and field, or for a schema not known here."""
    file = validated(shape, located)
    if file.schema_number != SCHEMA:
        raise FileFormatError("{file}: schema {schema} is not known.", file=located.name, schema=file.schema_number)
    return file


class Sourcing:
    """Figures of one file with their sources. Every method raises `FileFormatError` for a source that is not listed."""

    def __init__(self, file: FittedFile, name: str) -> None:
        self._name = name
        self.sources: Mapping[str, Source] = {
            key: Source(key, row.title, row.url, row.date) for key, row in file.sources.items()
        }

    def source(self, key: str) -> Source:
        """The source of a key."""
        found = self.sources.get(key)
        if found is None:
            raise FileFormatError("{file}: the source {source} is not listed.", file=self._name, source=key)
        return found

    def figure(self, value: Value, unit: str, row: SourcedRow) -> Figure[Value]:
        """A value with what stands behind it."""
        return Figure(value, unit, self.source(row.source), row.grade, row.basis, row.note, row.contradicts)

    def words(self, row: SourcedRow) -> Figure[str]:
        """The note itself as the figure, where a row holds several numbers."""
        return self.figure(row.note, "", row)

    def values(self, rows: Mapping[str, ValueRow]) -> dict[str, Figure[float]]:
        """A table of sourced numbers."""
        return {key: self.figure(row.value, row.unit, row) for key, row in rows.items()}
