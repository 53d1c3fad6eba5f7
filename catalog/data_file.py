"""Reading a bundled YAML data file into a pydantic shape, with located errors."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from catalog.validation_words import problem_words
from catalog.yaml_nodes import FileFormatError, parse
from engine.figures import Source


def _quoted(value: object) -> object:
    """Take numbers as quoted strings or whole numbers; a binary float has already lost its digits."""
    if isinstance(value, float | bool):
        raise ValueError('write the number in quotes, for example "1234.50"')
    return value


Number = Annotated[Decimal, BeforeValidator(_quoted)]

Shape = TypeVar("Shape", bound=BaseModel)


class DataPart(BaseModel):
    """Base of every part of a data file: nothing unknown, nothing changed later."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_by_alias=True, validate_by_name=True)


class SourceRow(DataPart):
    """Where figures were read."""

    title: str
    url: str
    document_date: str
    read_date: str = ""
    read_via: str = ""

    def source(self, key: str) -> Source:
        """The engine's source, under the file's own key."""
        return Source(key, self.title, self.url, self.document_date, self.read_date, self.read_via)


def read_data(path: Path, shape: type[Shape]) -> Shape:
    """Read one file. Raises `FileFormatError` naming file, line and field of the first problem."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise FileFormatError(
            "{file}: cannot be read: {problem}.", file=path.name, problem=error.strerror or str(error)
        ) from error
    located = parse(text, path.name)
    try:
        return shape.model_validate(located.data)
    except ValidationError as error:
        problem = error.errors()[0]
        place = tuple(step for step in problem["loc"] if isinstance(step, str | int))
        raise FileFormatError(
            "{file}:{line}: {field}: {problem}.",
            file=path.name,
            line=located.line(place),
            field=".".join(str(step) for step in place),
            problem=problem_words(problem),
        ) from error
