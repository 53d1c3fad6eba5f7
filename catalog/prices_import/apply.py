"""Takes the ready rows of a preview over into the user's own prices, and remembers the names that were confirmed."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from catalog.catalog import shown
from catalog.disk import write_atomically
from catalog.exclusive import exclusive
from catalog.own_files import read_own, write_own
from catalog.own_files import undo as undo_own
from catalog.own_sources import new_source_id
from catalog.prices_import.limits import PriceListError
from catalog.prices_import.matching import normal
from catalog.prices_import.preview import Preview, Row, Vat
from engine.prices import Price

NAMES_FILE = "price_list_names.json"


@dataclass(frozen=True, slots=True)
class Applied:
    """What was taken over."""

    prices: int
    replaced: int  # own prices that are history now
    source_id: str


def apply(preview: Preview, folder: Path) -> Applied:
    """Write the ready rows as own prices; older own prices of the same items become history.

    Raises `PriceListError` when nothing is ready or the list does not say whether VAT is included.
    """
    if not preview.ready:
        raise PriceListError("No row of {file} is ready to be taken over.", file=preview.file)
    if preview.vat is Vat.UNSTATED:
        raise PriceListError("{file} does not say whether its prices include VAT; please choose.", file=preview.file)
    with exclusive(folder):
        return _apply(preview, folder)


def _apply(preview: Preview, folder: Path) -> Applied:
    sources, prices = read_own(folder, "sources.yaml"), read_own(folder, "prices.yaml")
    if preview.vat is Vat.BY_ROW:
        return _apply_records(preview, folder, sources, prices)
    source_id = new_source_id(
        Path(preview.file).stem, sources["sources"], prefix="list_", ending=f"_{preview.as_of:%Y%m%d}"
    )
    items = {row.item_id for row in preview.ready}
    kept, replaced = _older(prices["prices"], items)
    write_own(
        folder,
        {
            "sources.yaml": {**sources, "sources": {**sources["sources"], source_id: _source(preview)}},
            "prices.yaml": {**prices, "prices": [_price(row, preview, source_id) for row in preview.ready] + kept},
        },
    )
    remember(folder, preview.confirmed)
    return Applied(len(preview.ready), replaced, source_id)


def _apply_records(preview: Preview, folder: Path, sources: Mapping[str, Any], prices: Mapping[str, Any]) -> Applied:
    """Records of the program's own export as they are; what the catalogue holds already is not written again."""
    titles: dict[str, dict[str, str]] = {}
    ids: dict[str, str] = {}
    rows = []
    for row in preview.ready:
        record = row.record
        if record is None or row.detail == "known":
            continue
        title = record.source.title
        if record.source.id:
            ids[title] = record.source.id
        elif title not in ids:
            ids[title] = new_source_id(title, {**sources["sources"], **titles})
            day = preview.as_of.isoformat()
            titles[ids[title]] = {"title": title, "document_date": record.as_of, "read_date": day}
        rows.append(_record_fields(record, ids[title]))
    if rows:
        changed: dict[str, Mapping[str, Any]] = {"prices.yaml": {**prices, "prices": [*rows, *prices["prices"]]}}
        if titles:
            changed["sources.yaml"] = {**sources, "sources": {**sources["sources"], **titles}}
        write_own(folder, changed)
    return Applied(len(rows), 0, "")


def _record_fields(record: Price, source_id: str) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "item": record.item_id,
        "low": shown(record.low),
        "high": shown(record.high),
        "currency": record.currency,
        "kind": record.kind.value,
        "includes_vat": record.includes_vat,
        "as_of": record.as_of,
        "source": source_id,
        "grade": record.grade.value,
    }
    if record.valid_until is not None:
        fields["valid_until"] = record.valid_until.isoformat()
    if record.superseded:
        fields["superseded"] = True
    optional = {"vat_country": record.vat_country, "note": record.note}
    return fields | {name: text for name, text in optional.items() if text}


def undo(folder: Path) -> tuple[str, ...]:
    """Take the last change of the own files back; names the files."""
    return undo_own(folder)


def remembered(folder: Path) -> dict[str, str]:
    """Names the user confirmed before, normalised, with their id."""
    try:
        raw = json.loads((folder / NAMES_FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return {str(name): str(item_id) for name, item_id in raw.items()} if isinstance(raw, dict) else {}


def remember(folder: Path, confirmed: Mapping[str, str]) -> None:
    """Keep confirmed names for the next list."""
    if confirmed:
        known = remembered(folder) | {normal(name): item_id for name, item_id in confirmed.items()}
        text = json.dumps(known, ensure_ascii=False, indent=1, sort_keys=True)
        write_atomically(text.encode("utf-8"), folder / NAMES_FILE)


def _older(rows: list[dict[str, Any]], items: set[str]) -> tuple[list[dict[str, Any]], int]:
    kept, replaced = [], 0
    for row in rows:
        if row["item"] in items and row["kind"] == "seller" and not row.get("superseded", False):
            kept.append({**row, "superseded": True})
            replaced += 1
        else:
            kept.append(row)
    return kept, replaced


def _price(row: Row, preview: Preview, source_id: str) -> dict[str, Any]:
    gross = preview.vat is Vat.GROSS
    price: dict[str, Any] = {
        "item": row.item_id,
        "amount": shown(row.amount),
        "currency": row.currency,
        "kind": "seller",
        "includes_vat": gross,
        "as_of": (row.as_of or preview.as_of).isoformat(),
        "source": source_id,
        "grade": "A",
    }
    if gross:
        price["vat_country"] = preview.vat_country
    if row.valid_until is not None:
        price["valid_until"] = row.valid_until.isoformat()
    note = " / ".join(part for part in (row.part_number, row.name) if part)
    return price | {"note": _harmless(note)[:300]}


def _source(preview: Preview) -> dict[str, str]:
    day = preview.as_of.isoformat()
    return {"title": f"Price list {_harmless(preview.file)[:120]}", "document_date": day, "read_date": day}


def _harmless(text: str) -> str:
    """Text without control and direction signs."""
    return "".join(sign for sign in text if unicodedata.category(sign) not in {"Cc", "Cf", "Cs", "Co"})
