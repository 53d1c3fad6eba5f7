"""Tables as CSV, XLSX or YAML. What a spreadsheet would take for a formula is written as text."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from pathlib import Path

import yaml

from catalog.catalog import Catalog, shown
from catalog.disk import write_atomically
from catalog.listing import Table
from engine.errors import PassformError
from engine.prices import Price

DANGEROUS = ("=", "+", "-", "@", "\t", "\r", "\n")
SUFFIXES = (".csv", ".xlsx", ".yaml")
PRICE_FIELDS = (
    "item",
    "low",
    "high",
    "currency",
    "kind",
    "includes_vat",
    "vat_country",
    "as_of",
    "valid_until",
    "grade",
    "superseded",
    "source",
    "note",
)


class ExportError(PassformError):
    """A table cannot be written; the message says why."""


def harmless(text: str) -> str:
    """A cell that no spreadsheet computes: an apostrophe before what would be a formula."""
    lone_dash = text in {"-", "–", "—"}
    return "'" + text if text.startswith(DANGEROUS) and not lone_dash else text


def export(table: Table, path: Path) -> None:
    """Write a table to `.csv`, `.xlsx` or `.yaml`, atomically. Raises `ExportError` or `DiskError`."""
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise ExportError("{file}: the name must end in .csv, .xlsx or .yaml.", file=path.name)
    rows = [table.headings, *table.rows]
    if suffix == ".csv":
        write_atomically(as_csv(rows), path)
    elif suffix == ".xlsx":
        write_atomically(as_xlsx(rows), path)
    else:
        write_atomically(_as_yaml(table), path)


def price_table(catalog: Catalog, item_ids: Iterable[str] = ()) -> Table:
    """Every price in the fields of the price file, so that the export can be imported again."""
    wanted = set(item_ids) or set(catalog.facts.prices)
    rows = tuple(
        _price_row(price) for item_id, prices in catalog.facts.prices.items() if item_id in wanted for price in prices
    )
    return Table(PRICE_FIELDS, rows)


def as_csv(rows: Iterable[Iterable[str]]) -> bytes:
    """CSV as German Excel opens it: semicolons, UTF-8 with a mark, dangerous cells neutralised."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, delimiter=";", lineterminator="\r\n")
    writer.writerows([harmless(cell) for cell in row] for row in rows)
    return stream.getvalue().encode("utf-8-sig")


def as_xlsx(rows: Iterable[Iterable[str]]) -> bytes:
    """A workbook in which every cell is text."""
    from openpyxl import Workbook  # noqa: PLC0415 - only when a workbook is written
    from openpyxl.cell import WriteOnlyCell  # noqa: PLC0415 - only when a workbook is written

    book = Workbook(write_only=True)
    sheet = book.create_sheet("Passform")
    for row in rows:
        cells = []
        for text in row:
            cell = WriteOnlyCell(sheet, value=_printable(harmless(text)))
            cell.data_type = "s"
            cells.append(cell)
        sheet.append(cells)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def _printable(text: str) -> str:
    """Text without the control signs that XML cannot hold."""
    return "".join(sign for sign in text if sign in "\t\n" or sign >= " ")


def _as_yaml(table: Table) -> bytes:
    rows = [{key: cell for key, cell in zip(table.headings, row, strict=True) if cell} for row in table.rows]
    text = yaml.dump({"rows": rows}, Dumper=yaml.CSafeDumper, allow_unicode=True, sort_keys=False, width=120)
    return text.encode("utf-8")


def _price_row(price: Price) -> tuple[str, ...]:
    return (
        price.item_id,
        shown(price.low),
        shown(price.high),
        price.currency,
        price.kind.value,
        "true" if price.includes_vat else "false",
        price.vat_country,
        price.as_of,
        "" if price.valid_until is None else price.valid_until.isoformat(),
        price.grade.value,
        "true" if price.superseded else "false",
        price.source.title,
        price.note,
    )
