"""YAML files checked against their shape, problems named with file, line and field."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from catalog.text_files import read_text
from catalog.validation_words import problem_words
from catalog.yaml_nodes import FileFormatError, LocatedYaml, parse

MAX_BYTES = 20_000_000
Shape = TypeVar("Shape", bound=BaseModel)


def read_located(path: Path) -> LocatedYaml:
    """Read a file with the places of its fields. Raises `FileFormatError`."""
    return parse(read_text(path, MAX_BYTES), path.name)


def validated(shape: type[Shape], located: LocatedYaml) -> Shape:
    """The file's content in its shape. Raises `FileFormatError` with the first problem's line and field."""
    try:
        return shape.model_validate(located.data)
    except ValidationError as error:
        raise wrong_field(error, located.name, located.line) from error


def wrong_field(error: ValidationError, file: str, line_of: Callable[[tuple[str | int, ...]], int]) -> FileFormatError:
    """The first problem of a file, with the line and the field it stands in."""
    first = error.errors(include_url=False)[0]
    place = tuple(step for step in first["loc"] if isinstance(step, str | int))
    return FileFormatError(
        "{file}:{line}: {field}: {problem}",
        file=file,
        line=line_of(place),
        field=".".join(map(str, place)),
        problem=problem_words(first),
    )
