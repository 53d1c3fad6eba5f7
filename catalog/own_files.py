"""Own entries in the user's data folder: written atomically, with a way back. Bundled files are never touched."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from catalog.compiled import Uncached
from catalog.disk import worded, write_atomically
from catalog.documents import read_fields
from catalog.exclusive import exclusive
from catalog.load import FILES, OWN_FILES
from catalog.models_data import load_models
from catalog.schema import SCHEMA
from catalog.text_files import is_given
from catalog.validation_words import problem_words
from engine.errors import PassformError

HISTORY = "history"
KEPT = 30  # steps back
MODELS = "models.yaml"
WRITABLE = (*OWN_FILES, MODELS)


class OwnEntryError(PassformError):
    """An own entry is not valid; the message names the field and what would be right."""


@dataclass(frozen=True, slots=True)
class Step:
    """One change of the own files that can be taken back."""

    number: int
    folder: Path


def list_name(file: str) -> str:
    """The name of the list inside an own file: `prices` in prices.yaml, `rates` in exchange_rates.yaml."""
    return {"exchange_rates.yaml": "rates"}.get(file, file.removesuffix(".yaml"))


def read_own(folder: Path, file: str) -> dict[str, Any]:
    """The plain fields of an own file, or an empty one. Raises `FileFormatError` when it is damaged."""
    path = folder / _known(file)
    if not is_given(path):
        empty: dict[str, Any] = {"schema": SCHEMA, list_name(file): {} if file == "sources.yaml" else []}
        return empty | ({"read": "", "counted_with": {}} if file == MODELS else {})
    return read_fields(path, Uncached())


def write_own(folder: Path, changed: Mapping[str, Mapping[str, Any]]) -> Step:
    """Validate and replace own files together, keeping the old ones for `undo`.

    `changed` holds the new fields by file name. Raises `OwnEntryError`, `DiskError` when the disk refuses.
    """
    texts = {file: _validated(file, fields) for file, fields in changed.items()}
    with exclusive(folder):
        step = _keep(folder, texts)
        for file, text in texts.items():
            write_atomically(text.encode("utf-8"), folder / file)
    return step


def remove_entry(folder: Path, file: str, entry_id: str) -> Step:
    """Take an own entry away; a bundled one of the same id shows again."""
    with exclusive(folder):
        fields = read_own(folder, file)
        name = list_name(file)
        rows = [row for row in fields[name] if row.get("id") != entry_id]
        return write_own(folder, {file: {**fields, name: rows}})


def undo(folder: Path) -> tuple[str, ...]:
    """Take the last change back and name the files; nothing when there is none."""
    with worded(folder):
        if not _steps(folder):
            return ()
    with exclusive(folder):
        return _undo_last(folder)


def _undo_last(folder: Path) -> tuple[str, ...]:
    step = _steps(folder)[-1]
    restored = []
    for kept in sorted(step.folder.iterdir()):
        if kept.name.endswith(".absent"):
            (folder / _known(kept.name.removesuffix(".absent"))).unlink(missing_ok=True)
            restored.append(kept.name.removesuffix(".absent"))
        elif kept.name in WRITABLE:
            write_atomically(kept.read_bytes(), folder / kept.name)
            restored.append(kept.name)
    _forget(step)
    return tuple(restored)


def _known(file: str) -> str:
    if file not in WRITABLE:
        raise OwnEntryError("{file} is no file for own entries.", file=file)
    return file


def _validated(file: str, fields: Mapping[str, Any]) -> str:
    try:
        if _known(file) == MODELS:
            load_models(fields)
        else:
            FILES[file].model_validate(fields)
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        place = ".".join(str(step) for step in problem["loc"])
        raise OwnEntryError("{field}: {problem}", field=place, problem=problem_words(problem)) from error
    return yaml.dump(dict(fields), Dumper=yaml.CSafeDumper, allow_unicode=True, sort_keys=False, width=120)


def _keep(folder: Path, files: Mapping[str, str]) -> Step:
    steps = _steps(folder)
    number = steps[-1].number + 1 if steps else 1
    step = Step(number, folder / HISTORY / f"{number:06d}")
    step.folder.mkdir(parents=True, exist_ok=False)
    for file in files:
        old = folder / file
        if old.is_file():
            write_atomically(old.read_bytes(), step.folder / file)
        else:
            write_atomically(b"", step.folder / f"{file}.absent")
    for stale in steps[: max(0, len(steps) + 1 - KEPT)]:
        _forget(stale)
    return step


def _steps(folder: Path) -> list[Step]:
    history = folder / HISTORY
    if not history.is_dir():
        return []
    names = sorted(path for path in history.iterdir() if path.is_dir() and re.fullmatch(r"\d{6}", path.name))
    return [Step(int(path.name), path) for path in names]


def _forget(step: Step) -> None:
    for path in step.folder.iterdir():
        path.unlink()
    step.folder.rmdir()
