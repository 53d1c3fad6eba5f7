"""Sections of a proposal kept for the next one: `quote_templates.yaml` in the user's folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import yaml
from pydantic import Field

from catalog.consultation.parts import Part
from catalog.consultation.quote_rows import SectionRow
from catalog.disk import write_atomically
from catalog.exclusive import alone
from catalog.text_files import is_given, read_text
from catalog.validated import validated
from catalog.yaml_nodes import parse

FILE_NAME = "quote_templates.yaml"
MAX_BYTES = 4_000_000


class Template(Part):
    """A named section."""

    name: Annotated[str, Field(min_length=1, max_length=120)]
    section: SectionRow


class TemplatesFile(Part):
    """`quote_templates.yaml`: the sections a user keeps for further proposals."""

    schema_number: Annotated[Literal[1], Field(alias="schema")] = 1
    templates: tuple[Template, ...] = ()


def templates(folder: Path) -> tuple[Template, ...]:
    """The user's templates by name. Raises `FileFormatError` with file, line and field when the file is damaged."""
    path = folder / FILE_NAME
    if not is_given(path):
        return ()
    return validated(TemplatesFile, parse(read_text(path, MAX_BYTES), path.name)).templates


@alone
def keep_template(folder: Path, name: str, section: SectionRow) -> None:
    """Keep a section under a name, replacing the one of that name. Lines no longer follow a recommendation.

    Raises `FileFormatError` when the file is damaged, `DiskError` when the disk refuses.
    """
    lines = tuple(line.model_copy(update={"planned": False}) for line in section.lines)
    kept = [template for template in templates(folder) if template.name != name]
    made = Template(name=name, section=section.model_copy(update={"lines": lines}))
    _write(folder, (*kept, made))


@alone
def drop_template(folder: Path, name: str) -> None:
    """Forget a template; nothing happens when there is none of this name. Raises as `keep_template` does."""
    _write(folder, tuple(template for template in templates(folder) if template.name != name))


def _write(folder: Path, kept: tuple[Template, ...]) -> None:
    ordered = sorted(kept, key=lambda template: template.name.casefold())
    raw = {"schema": 1, "templates": [template.model_dump(mode="json", exclude_defaults=True) for template in ordered]}
    text = yaml.dump(raw, Dumper=yaml.CSafeDumper, allow_unicode=True, sort_keys=False, width=100)
    write_atomically(text.encode("utf-8"), folder / FILE_NAME)
