"""Reading a bundled YAML data file into a pydantic shape, with located errors."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from catalog.compiled import Store, Uncached
from catalog.documents import line_in, read_fields
from catalog.validated import wrong_field

Shape = TypeVar("Shape", bound=BaseModel)


def read_data(path: Path, shape: type[Shape], store: Store | None = None) -> Shape:
    """Read one file. Raises `FileFormatError` naming file, line and field of the first problem."""
    fields = read_fields(path, store or Uncached())
    try:
        return shape.model_validate(fields)
    except ValidationError as error:
        raise wrong_field(error, path.name, partial(line_in, path)) from error
