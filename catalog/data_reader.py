"""Reading a bundled YAML data file into a pydantic shape, with located errors."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from catalog.compiled import Store, Uncached
from catalog.documents import line_in, read_fields
from catalog.validation_words import problem_words
from catalog.yaml_nodes import FileFormatError

Shape = TypeVar("Shape", bound=BaseModel)


def read_data(path: Path, shape: type[Shape], store: Store | None = None) -> Shape:
    """Read one file. Raises `FileFormatError` naming file, line and field of the first problem."""
    fields = read_fields(path, store or Uncached())
    try:
        return shape.model_validate(fields)
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        place = tuple(step for step in problem["loc"] if isinstance(step, str | int))
        raise FileFormatError(
            "{file}:{line}: {field}: {problem}.",
            file=path.name,
            line=line_in(path, place),
            field=".".join(str(step) for step in place),
            problem=problem_words(problem),
        ) from error
