"""Reads the catalogue's files: YAML with places, validated by row, wrong rows left out and reported."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import yaml
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from catalog.compiled import Store
from catalog.findings import Finding, Level
from catalog.schema import SCHEMA
from catalog.text_files import read_text
from catalog.validation_words import problem_words
from catalog.yaml_nodes import FileFormatError, LocatedYaml, parse

if not hasattr(yaml, "CSafeLoader"):  # pragma: no cover - the wheels for all supported platforms carry it
    raise RuntimeError("PyYAML was built without libyaml; the catalogue needs its fast loader")

MAX_BYTES = 4_000_000
MOST_FINDINGS = 500  # of one file that are named: each is looked up in it, and nobody reads more
Shape = TypeVar("Shape", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Document(Generic[Shape]):
    """A validated file. `own` files come from the user's data folder."""

    path: Path
    content: Shape
    own: bool
    dropped: tuple[tuple[str, int], ...] = ()  # rows left out: list name and index in the file

    def line(self, place: Sequence[str | int]) -> int:
        """Line of a value; the file is read again, so this is for messages and questions only."""
        return line_in(self.path, place)


def read_document(
    path: Path, shape: type[Shape], store: Store, *, own: bool
) -> tuple[Document[Shape] | None, list[Finding]]:
    """Read one file. A file that cannot be read gives None and an error; a wrong row is left out with an error."""
    try:
        fields = read_fields(path, store)
    except FileFormatError as error:
        return None, [Finding(Level.ERROR, "unreadable", path.name, 0, "", error.template, dict(error.values))]
    try:
        return Document(path, shape.model_validate(fields), own), []
    except ValidationError as error:
        return _without_wrong_rows(path, fields, shape, error, own=own)


def read_fields(path: Path, store: Store) -> dict[str, Any]:
    """The plain fields of a file. Raises `FileFormatError` with file and line."""
    return _fields(store.data(read_text(path, MAX_BYTES), path.name), path)


def line_in(path: Path, place: Sequence[str | int]) -> int:
    """Line of a value in a file. Raises `FileFormatError` when the file went away meanwhile."""
    return parse(read_text(path, MAX_BYTES), path.name).line(tuple(place))


def _fields(data: object, path: Path) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise FileFormatError("{file}:1: fields with values are needed here.", file=path.name)
    number = data.get("schema")
    if isinstance(number, int) and not isinstance(number, bool) and number > SCHEMA:
        raise FileFormatError(
            "{file}: schema: {found} was written by a newer Passform; this one reads up to {newest}. "
            "Please update the program.",
            file=path.name,
            found=number,
            newest=SCHEMA,
        )
    return data


def _without_wrong_rows(
    path: Path, data: dict[str, Any], shape: type[Shape], error: ValidationError, *, own: bool
) -> tuple[Document[Shape] | None, list[Finding]]:
    located = parse(read_text(path, MAX_BYTES), path.name)
    problems = error.errors(include_url=False)
    findings = [_finding(path, located, problem) for problem in problems[:MOST_FINDINGS]]
    rows = {(str(problem["loc"][0]), problem["loc"][1]) for problem in problems if len(problem["loc"]) > 1}
    if any(len(problem["loc"]) < 2 for problem in problems):
        return None, findings
    kept = dict(data)
    for name in {name for name, _ in rows}:
        wrong = {index for list_name, index in rows if list_name == name}
        part = kept[name]
        if isinstance(part, list):
            kept[name] = [row for index, row in enumerate(part) if index not in wrong]
        elif isinstance(part, dict):
            kept[name] = {key: row for key, row in part.items() if key not in wrong}
    try:
        content = shape.model_validate(kept)
    except ValidationError:
        return None, findings
    dropped = tuple((name, index) for name, index in rows if isinstance(index, int))
    return Document(path, content, own, dropped), findings


def _finding(path: Path, located: LocatedYaml, problem: ErrorDetails) -> Finding:
    place = tuple(problem["loc"])
    return Finding(
        Level.ERROR,
        "wrong-field",
        path.name,
        located.line(place),
        ".".join(str(step) for step in place),
        "{problem}",
        {"problem": problem_words(problem)},
    )
