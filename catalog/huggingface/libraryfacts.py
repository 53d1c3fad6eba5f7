"""Names and class defaults of the library's configuration classes, read once from the catalogue's data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType

import yaml

DATA = Path(__file__).parent.parent / "data" / "model_types.yaml"


@dataclass(frozen=True, slots=True)
class TypeFacts:
    """What the library's configuration class of one model type says."""

    defaults: Mapping[str, object] = field(default_factory=dict)
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # common name -> the type's own names
    whole: bool = False  # the class defaults are the type's only published description, and a configuration of its own
    own_names: bool = True  # whether messages use the type's own names


@cache
def type_facts() -> Mapping[str, TypeFacts]:
    """Facts by model type; the source and its version stand in the file."""
    with DATA.open(encoding="utf-8") as stream:
        document = yaml.load(stream, Loader=yaml.CSafeLoader)
    return MappingProxyType(
        {
            model_type: TypeFacts(
                row.get("defaults", {}),
                {name: tuple(own) for name, own in row.get("names", {}).items()},
                row.get("whole", False),
            )
            for model_type, row in document["types"].items()
        }
    )
