"""The user's own prices, one at a time: written into his own price file with date and source, older ones kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

from catalog.catalog import shown
from catalog.exclusive import alone
from catalog.load import OWN_PRICE_LIST
from catalog.own_files import OwnEntryError, Step, read_own, write_own
from catalog.own_sources import new_source_id

PRICES, SOURCES = "prices.yaml", "sources.yaml"


@dataclass(frozen=True, slots=True)
class OwnPrice:
    """One price as the seller enters it."""

    item_id: str
    amount: Decimal
    currency: str
    as_of: date
    gross: bool = False
    vat_country: str = "DE"
    valid_until: date | None = None
    source_title: str = ""  # where the price stands, for example a distributor's offer; empty: the own price list
    note: str = ""


def own_prices(folder: Path) -> tuple[tuple[str, str, str], ...]:
    """Item, date and source of every own price. Raises `FileFormatError` when the own file is damaged."""
    return tuple(
        (str(row.get("item")), str(row.get("as_of")), str(row.get("source")))
        for row in read_own(folder, PRICES)["prices"]
    )


def save_price(folder: Path, price: OwnPrice) -> Step:
    """Write a price; older own prices of the item stay as history.

    Raises `OwnEntryError` when a field is not valid, and for an amount of zero: what has no price is left out.
    """
    if price.amount <= 0:
        raise OwnEntryError("The price must be above zero; what has no price is left out.")
    return _add(folder, price)


@alone
def _add(folder: Path, price: OwnPrice) -> Step:
    prices, sources = read_own(folder, PRICES), read_own(folder, SOURCES)
    changed: dict[str, Mapping[str, Any]] = {}
    source_id = OWN_PRICE_LIST
    if price.source_title:
        day = price.as_of.isoformat()
        source_id = new_source_id(price.source_title, sources["sources"])
        entry = {"title": price.source_title, "document_date": day, "read_date": day}
        changed[SOURCES] = {**sources, "sources": {**sources["sources"], source_id: entry}}
    older = [
        {**row, "superseded": True} if row["item"] == price.item_id and row["kind"] == "seller" else row
        for row in prices["prices"]
    ]
    changed[PRICES] = {**prices, "prices": [_row(price, source_id), *older]}
    return write_own(folder, changed)


@alone
def remove_price(folder: Path, item_id: str, as_of: str, source_id: str) -> Step:
    """Take an own price away. An older own price stays history, so the next one in line is a published price."""
    prices = read_own(folder, PRICES)
    key = (item_id, as_of, source_id)
    kept = [row for row in prices["prices"] if (row["item"], str(row["as_of"]), row["source"]) != key]
    if len(kept) == len(prices["prices"]):
        raise OwnEntryError("{id} has no own price of this date.", id=item_id)
    return write_own(folder, {PRICES: {**prices, "prices": kept}})


def _row(price: OwnPrice, source_id: str) -> dict[str, Any]:
    row: dict[str, Any] = {
        "item": price.item_id,
        "amount": shown(price.amount),
        "currency": price.currency,
        "kind": "seller",
        "includes_vat": price.gross,
        "as_of": price.as_of.isoformat(),
        "source": source_id,
        "grade": "A",
    }
    if price.gross:
        row["vat_country"] = price.vat_country
    if price.valid_until is not None:
        row["valid_until"] = price.valid_until.isoformat()
    if price.note:
        row["note"] = price.note
    return row
