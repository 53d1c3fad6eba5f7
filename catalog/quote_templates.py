"""Sections of a proposal kept for the next one: `quote_templates.yaml` in the user's folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import yaml
from pydantic import Field

from catalog.consultation.parts import Part
from catalog.consultation.quote_rows import SectionRow
from catalog.disk import write_atomically
from catalog.validated import validated
from catalog.yaml_nodes import FileFormatError, parse

FILE_NAME = "quote_templates.yaml"
MAX_BYTES = 4_000_000


class Template(Part):
    """A named section."""

    name: Annotated[str, Field(min_length=1, max_length=120)]
    section: SectionRow


class _File(Part):
    schema_number: Annotated[Literal[1], Field(alias="schema")] = 1
    templates: tuple[Template, ...] = ()


def templates(folder: Path) -> tuple[Template, ...]:
    """The user's templates by name. Raises `FileFormatError` with file, line and field when the file is damaged."""
    path = folder / FILE_NAME
    if not path.is_file():
        return ()
    try:
        if path.stat().st_size > MAX_BYTES:
            raise FileFormatError("{file} is larger than {limit} MB.", file=path.name, limit=MAX_BYTES // 10**6)
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise FileFormatError("{file}: cannot be read: {problem}.", file=path.name, problem=str(error)) from error
    return validated(_File, parse(text, path.name)).templates


def keep_template(folder: Path, name: str, section: SectionRow) -> None:
    """Keep a section under a name, replacing the one of that name. Lines no longer follow a recommendation."""
    lines = tuple(line.model_copy(update={"planned": False}) for line in section.lines)
    kept = [template for template in templates(folder) if template.name != name]
    made = Template(name=name, section=section.model_copy(update={"lines": lines}))
    _write(folder, (*kept, made))


def drop_template(folder: Path, name: str) -> None:
    """Forget a template; nothing happens when there is none of this name."""
    _write(folder, tuple(template for template in templates(folder) if template.name != name))


def _write(folder: Path, kept: tuple[Template, ...]) -> None:
    ordered = sorted(kept, key=lambda template: template.name.casefold())
    raw = {"schema": 1, "templates": [template.model_dump(mode="json", exclude_defaults=True) for template in ordered]}
    folder.mkdir(parents=True, exist_ok=True)
    text = yaml.dump(raw, Dumper=yaml.CSafeDumper, allow_unicode=True, sort_keys=False, width=100)
    write_atomically(text.encode("utf-8"), folder / FILE_NAME)
