"""Names and class defaults of the library's configuration classes, read once from the catalogue's data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import yaml

DATA = Path(__file__).parent.parent / "data" / "model_types.yaml"


class TiedBy(StrEnum):
    """Which part of a composite configuration decides whether embedding and head are tied."""

    OUTER = "outer"
    TEXT = "text"
    EITHER = "either"


@dataclass(frozen=True, slots=True)
class TypeFacts:
    """What the library's configuration class of one model type says."""

    defaults: Mapping[str, object] = field(default_factory=dict)
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # a field's other names in this type
    whole: bool = False  # the class defaults are the type's only published description, and a configuration of its own


@dataclass(frozen=True, slots=True)
class CompositeFacts:
    """The parts of a composite type."""

    text: str
    vision: str
    tied_by: TiedBy


@cache
def type_facts() -> Mapping[str, TypeFacts]:
    """Facts by model type; the source and its version stand in the file."""
    return MappingProxyType(
        {
            model_type: TypeFacts(
                row.get("defaults", {}),
                {name: tuple(others) for name, others in row.get("names", {}).items()},
                row.get("whole", False),
            )
            for model_type, row in _document()["types"].items()
        }
    )


@cache
def composite_facts() -> Mapping[str, CompositeFacts]:
    """Parts by composite model type."""
    return MappingProxyType(
        {
            model_type: CompositeFacts(row["text"], row.get("vision", ""), TiedBy(row.get("tied_by", "outer")))
            for model_type, row in _document()["composites"].items()
        }
    )


@cache
def _document() -> Mapping[str, Any]:
    with DATA.open(encoding="utf-8") as stream:
        document: Mapping[str, Any] = yaml.load(stream, Loader=yaml.CSafeLoader)
    return document
