"""What changed from one revision of a document to another: its sums, and the positions behind them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from catalog.register.types import Revision
from engine.units import Money

COUNTED = ("kind", "quantity", "unit", "unit_price", "discount", "total")
"""What makes a position another offer; its words do not."""

Line = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Difference:
    """From `earlier` to `later`. None: one has no sum, leaves out more, or has another currency."""

    earlier: int
    later: int
    net: Money | None
    gross: Money | None
    added: tuple[str, ...] = ()  # titles
    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()


def compare(earlier: Revision, later: Revision, earlier_quote: str = "", later_quote: str = "") -> Difference:
    """The difference of two revisions; of their positions too where both quotes are at hand as JSON."""
    net = gross = None
    if earlier.on_request == later.on_request:
        net, gross = _difference(earlier.net, later.net), _difference(earlier.gross, later.gross)
    if not (earlier_quote and later_quote):
        return Difference(earlier.revision, later.revision, net, gross)
    old, new = _lines(earlier_quote), _lines(later_quote)
    return Difference(
        earlier.revision,
        later.revision,
        net,
        gross,
        added=tuple(new[key]["title"] for key in new if key not in old),
        removed=tuple(old[key]["title"] for key in old if key not in new),
        changed=tuple(new[key]["title"] for key in new if key in old and _counted(new[key]) != _counted(old[key])),
    )


def _difference(earlier: Money | None, later: Money | None) -> Money | None:
    if earlier is None or later is None or earlier.currency != later.currency:
        return None
    return Money(later.amount - earlier.amount, later.currency)


def _lines(quote: str) -> dict[tuple[str, int], Line]:
    """Positions by catalogue item or title; equal ones are told apart by their order."""
    found: dict[tuple[str, int], Line] = {}
    for line in (line for section in json.loads(quote)["sections"] for line in section["lines"] if line["number"]):
        name = line["item"] or line["title"]
        place = 0
        while (name, place) in found:
            place += 1
        found[name, place] = line
    return found


def _counted(line: Line) -> tuple[Any, ...]:
    return tuple(line[key] for key in COUNTED)
