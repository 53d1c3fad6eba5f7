"""Reading and writing consultation files, with errors that name line and field."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from stat import S_ISREG
from typing import Any

import yaml
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from catalog.consultation.document import SCHEMA, Consultation
from catalog.consultation.migrations import migrate
from catalog.disk import write_atomically
from catalog.validation_words import problem_words
from catalog.yaml_nodes import FileFormatError, LocatedYaml, parse

SUFFIX = ".passform.yaml"
MAX_BYTES = 2_000_000
MOST_VALUES = 100_000  # a thousand workloads with every field have half as many
MOST_PROBLEMS = 200  # that are named: nobody reads more, and each is looked up in the file
_STATED_SCHEMA = re.compile(rb"^(?:\xef\xbb\xbf)?schema:[ \t]*(\d{1,9})[ \t]*(?:#.*)?\r?$", re.MULTILINE)


class ConsultationError(FileFormatError):
    """A consultation file cannot be read, or must not be written; the message says where and what would be right."""


class InvalidConsultationError(ConsultationError):
    """Fields of a consultation are wrong: one line for each, with file, line and field."""

    def __init__(self, problems: list[tuple[str, int, str, ErrorDetails]]) -> None:
        super().__init__("{problems}", problems=problems)
        self.problems = problems

    def text(self, translate: Callable[[str], str] = str) -> str:
        """One line per problem."""
        return "\n".join(
            f"{name}:{line}: {field}: {problem_words(problem, translate)}"
            for name, line, field, problem in self.problems
        )


def read(path: Path) -> Consultation:
    """Read a consultation file. Raises `ConsultationError` (file, line, field, what is wrong, what would be right)."""
    return parse_text(text_of(path), path.name)


def text_of(path: Path) -> str:
    """The text of a file that may be a consultation. Raises `ConsultationError`."""
    try:
        status = path.stat()
        if not S_ISREG(status.st_mode):
            raise ConsultationError("{file} is not a file.", file=path.name)
        if status.st_size > MAX_BYTES:
            raise ConsultationError(
                "{file}: the file has {size} bytes; a consultation has at most {limit}.",
                file=path.name,
                size=status.st_size,
                limit=MAX_BYTES,
            )
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConsultationError("{file}: the file is not UTF-8 text.", file=path.name) from error
    except (OSError, ValueError) as error:  # ValueError: a name with a zero character
        raise ConsultationError("{file}: cannot be read: {problem}.", file=path.name, problem=_words(error)) from error


def _words(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def parse_text(text: str, name: str) -> Consultation:
    """Read a consultation from text; `name` stands in messages."""
    located = parse(text, name, MOST_VALUES)
    raw = located.data
    if not isinstance(raw, dict):
        raise ConsultationError("{file}:1: a consultation is a list of fields, not a single value.", file=name)
    number = raw.get("schema")
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        raise ConsultationError(
            "{file}:{line}: schema: a whole number is needed; this Passform writes schema: {newest}.",
            file=name,
            line=located.line(("schema",)),
            newest=SCHEMA,
        )
    if number > SCHEMA:
        raise ConsultationError(
            "{file}:{line}: schema: {found} was written by a newer Passform; this one reads up to {newest}. "
            "Please update the program.",
            file=name,
            line=located.line(("schema",)),
            found=number,
            newest=SCHEMA,
        )
    try:
        return Consultation.model_validate(migrate(raw, number, SCHEMA))
    except ValidationError as error:
        raise _located(error, located) from error


def to_text(consultation: Consultation) -> str:
    """The consultation as YAML, fields in the document's order, defaults of the recipe left out."""
    raw: dict[str, Any] = consultation.model_dump(mode="json", by_alias=True, exclude_none=True)
    for row, workload in zip(raw["workloads"], consultation.workloads, strict=True):
        row["recipe"] = workload.recipe.model_dump(mode="json", exclude_defaults=True)
        if not row["recipe"]:
            del row["recipe"]
    if not raw["serving"]:
        del raw["serving"]
    raw["quote"] = consultation.quote.model_dump(mode="json", exclude_defaults=True)
    if not raw["quote"]:
        del raw["quote"]
    return yaml.dump(raw, Dumper=yaml.CSafeDumper, allow_unicode=True, sort_keys=False, width=100)


def write(consultation: Consultation, path: Path) -> None:
    """Replace `path` by the consultation, atomically: the old file stays whole until the new one is on the disk.

    Raises `DiskError` when the folder is missing, read-only or full, and `ConsultationError` when the file there was
    written by a newer Passform, whose parts this one would lose.
    """
    if stated_schema(path) > SCHEMA:
        raise ConsultationError(
            "{file} was written by a newer Passform and stays as it is. Save under another name.", file=path.name
        )
    write_atomically(to_text(consultation).encode("utf-8"), path)


def stated_schema(path: Path) -> int:
    """The schema number a file states, without reading it as a whole; 0 when there is none."""
    try:
        if not path.is_file():  # a pipe would never end
            return 0
        with path.open("rb") as stream:
            return schema_in(stream.read(MAX_BYTES))
    except OSError:
        return 0


def schema_in(content: bytes) -> int:
    """The schema number that the text of a consultation states; 0 when there is none."""
    found = _STATED_SCHEMA.search(content)
    return 0 if found is None else int(found.group(1))


def _located(error: ValidationError, located: LocatedYaml) -> InvalidConsultationError:
    return InvalidConsultationError(
        [
            (located.name, located.line(tuple(problem["loc"])), _field(problem), problem)
            for problem in error.errors(include_url=False)[:MOST_PROBLEMS]
        ]
    )


def _field(problem: ErrorDetails) -> str:
    return ".".join(str(step) for step in problem["loc"]) or "document"
