"""Files of a newer Passform: shown as far as this one understands them, and never written over."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from catalog.consultation.document import SCHEMA, Consultation
from catalog.consultation.files import MOST_VALUES, ConsultationError, stated_schema, text_of
from catalog.yaml_nodes import parse

_ROUNDS = 20  # each takes out what the last one found; nesting is bounded by the reader
Place = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class NewerConsultation:
    """What this Passform understands of a newer file. The file itself stays as it is."""

    consultation: Consultation
    schema_number: int
    unknown: Mapping[str, object]  # by place, for example `workloads.0.curriculum`; in the file's own values
    text: str  # the whole file, so that nothing of it is lost


def is_newer(path: Path) -> bool:
    """Whether the file states a schema this Passform does not know."""
    return stated_schema(path) > SCHEMA


def read_newer(path: Path) -> NewerConsultation:
    """Read a newer file as far as it is understood.

    Parts that are unknown, or that hold values unknown here, are left out of the consultation and named in `unknown`.
    Raises `ConsultationError` when too little is left, or when the file is not a newer one.
    """
    text = text_of(path)
    raw = parse(text, path.name, MOST_VALUES).data
    number = raw.get("schema") if isinstance(raw, dict) else None
    if not isinstance(raw, dict) or not isinstance(number, int) or isinstance(number, bool) or number <= SCHEMA:
        raise ConsultationError("{file} was not written by a newer Passform.", file=path.name)
    unknown: dict[str, object] = {}
    known = {**copy.deepcopy(raw), "schema": SCHEMA}
    for _ in range(_ROUNDS):
        try:
            return NewerConsultation(Consultation.model_validate(known), number, unknown, text)
        except ValidationError as error:
            places = {tuple(problem["loc"]) for problem in error.errors(include_url=False)}
            if not all(_take_out(known, place, unknown) for place in sorted(places, key=_order, reverse=True)):
                break
        if not known.keys() - {"schema"}:
            break  # an empty consultation would say nothing
    raise ConsultationError(
        "{file} was written by a newer Passform (schema {found}) and cannot be shown here. Please update the program.",
        file=path.name,
        found=number,
    )


def _order(place: Place) -> list[tuple[int, str]]:
    """Later rows of a list sort after earlier ones, so that taking them out first moves no other."""
    return [(step, "") if isinstance(step, int) else (-1, step) for step in place]


def _take_out(known: dict[str, Any], place: Place, unknown: dict[str, object]) -> bool:
    """Move the value at `place`, or the nearest part around it that exists, from `known` to `unknown`."""
    steps: list[tuple[Any, str | int]] = []
    part: Any = known
    for step in place:
        in_list = isinstance(part, list) and isinstance(step, int) and step < len(part)
        if not in_list and not (isinstance(part, dict) and step in part):
            break
        steps.append((part, step))
        part = part[step]
    if not steps:
        return not place or place[0] in unknown
    holder, step = steps[-1]
    unknown[".".join(str(name) for _, name in steps)] = holder[step]
    del holder[step]
    return True
