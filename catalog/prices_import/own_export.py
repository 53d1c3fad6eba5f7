"""The program's own export of prices, read back field by field: every row is a full price record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from pydantic import ValidationError

from catalog.catalog import shown
from catalog.convert import price_record
from catalog.exporting import DANGEROUS, PRICE_FIELDS
from catalog.prices_import.amounts import Style, amount_of, currency_in, style_of
from catalog.prices_import.cells import Cell, Line
from catalog.prices_import.dates import date_in
from catalog.schema import PriceRow
from engine.facts import Facts
from engine.figures import Source
from engine.prices import Price

TELLING = frozenset({"item", "low", "high", "currency", "kind", "includes_vat", "as_of", "source"})
"""Headings that only the export has together; the others may be missing where no row fills them."""

NEW_SOURCE = "new"
_AMOUNTS = ("low", "high")
_DAYS = ("as_of", "valid_until")
_FLAGS = ("includes_vat", "superseded")
_YES = frozenset({"true", "yes", "wahr", "ja", "1"})
_NO = frozenset({"false", "no", "falsch", "nein", "0", ""})


@dataclass(frozen=True, slots=True)
class Exported:
    """One exported price: the record, or the field that is wrong. The source of an unknown title has no id."""

    line: Line
    item_id: str
    amount_text: str
    record: Price | None = None
    problem: str = ""
    known: bool = False  # the catalogue holds exactly this record


def is_own_export(headings: Iterable[str]) -> bool:
    """Whether a list has the headings of the program's own export."""
    return set(headings) >= TELLING


def exported(lines: Iterable[Line], headings: tuple[str, ...], facts: Facts) -> Iterator[Exported]:
    """Every row that is not blank, with the record it holds."""
    places = {name: headings.index(name) for name in PRICE_FIELDS if name in headings}
    rows = [(line, {name: line.at(place) for name, place in places.items()}) for line in lines if not line.is_blank]
    style = style_of(cells[name].text for _, cells in rows for name in _AMOUNTS)
    sources = {price.source.title: price.source for prices in facts.prices.values() for price in prices}
    for line, cells in rows:
        yield _row(line, cells, style, sources, facts)


def _row(line: Line, cells: Mapping[str, Cell], style: Style, sources: Mapping[str, Source], facts: Facts) -> Exported:
    texts = {name: _without_guard(cell.text) for name, cell in cells.items()}
    item_id = texts["item"]
    amounts = " – ".join(dict.fromkeys(texts[name] for name in _AMOUNTS if texts[name]))
    title = texts["source"]
    if not title:
        return Exported(line, item_id, amounts, problem="source")
    fields: dict[str, object] = {**{name: text for name, text in texts.items() if text}, "source": NEW_SOURCE}
    fields["currency"] = currency_in(texts["currency"]) or texts["currency"]
    fields |= {name: _amount(cells[name], style) for name in _AMOUNTS}
    fields |= {name: _day(cells[name]) for name in _DAYS if texts.get(name)}
    fields |= {name: _flag(texts.get(name, "")) for name in _FLAGS}
    try:
        row = PriceRow.model_validate(fields)
    except ValidationError as error:
        place = error.errors(include_url=False)[0]["loc"]
        return Exported(line, item_id, amounts, problem=str(place[0]) if place else "low")
    source = sources.get(title) or Source("", title, "", row.as_of)
    record = price_record(row, source)
    return Exported(line, item_id, amounts, record, known=record in facts.prices.get(item_id, ()))


def _amount(cell: Cell, style: Style) -> str:
    """The amount as the price file writes it; what cannot be read stays as it is, and the schema refuses it."""
    found = amount_of(cell, style)
    return cell.text if found.value is None or found.ambiguous else shown(found.value)


def _day(cell: Cell) -> str:
    """An ISO date; a month or a year alone stays as it is."""
    found = date_in(cell)
    return cell.text if found is None else found.isoformat()


def _flag(text: str) -> object:
    word = text.lower()
    return True if word in _YES else False if word in _NO else text


def _without_guard(text: str) -> str:
    """Text without the apostrophe that the export puts before what a spreadsheet would compute."""
    return text[1:] if text.startswith("'") and text[1:].startswith(DANGEROUS) else text
