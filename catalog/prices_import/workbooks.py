"""XLSX files: checked as an archive first, then read cell by cell; formulas are never computed."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import PurePosixPath
from typing import Any

from catalog.prices_import.cells import EMPTY, Cell, Line, Sheet
from catalog.prices_import.columns import find_columns
from catalog.prices_import.limits import (
    MAX_CELL,
    MAX_COLUMNS,
    MAX_PART_RATIO,
    MAX_PARTS,
    MAX_ROWS,
    MAX_TAGS,
    MAX_UNPACKED_BYTES,
    CellBudget,
    PriceListError,
)

CHUNK = 1 << 16
LARGEST = 1e15
SMALL_PART = 100_000  # below this the ratio of a part says nothing
_DECLARATIONS = (b"<!DOCTYPE", b"<!ENTITY", "<!DOCTYPE".encode("utf-16-le"), "<!DOCTYPE".encode("utf-16-be"))
_FORMAT_CURRENCY = re.compile(r"\[\$([^\]-]+)|([€$£]|EUR|USD|CHF|GBP)")
_SYMBOLS = {"€": "EUR", "$": "USD", "£": "GBP", "Fr.": "CHF", "SFr.": "CHF"}


def read_workbook(content: bytes, name: str, wanted: str = "") -> Sheet:
    """Rows of the wanted sheet, or of the visible one that is most of a price list. Raises `PriceListError`."""
    _check_archive(content)
    from openpyxl import load_workbook  # noqa: PLC0415 - only when a workbook is read

    try:
        book = load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
        budget = CellBudget()
        shown = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
        hidden = tuple(sheet.title for sheet in book.worksheets if sheet.sheet_state != "visible")
        sheets = [(sheet.title, list(_lines(sheet, budget))) for sheet in shown]
        book.close()
    except PriceListError:
        raise
    except Exception as error:  # openpyxl raises whatever it stumbles over in a damaged file
        raise PriceListError("The workbook is damaged: {problem}.", problem=type(error).__name__) from error
    if not sheets:
        raise PriceListError("The workbook has no sheet.")
    title, lines = max(sheets, key=lambda sheet: (sheet[0] == wanted, *_worth(sheet[1])))
    lines = _with_formulas(content, title, lines)
    others = tuple(other for other, rows in sheets if other != title and _worth(rows)[0])
    titles = tuple(one for one, _rows in sheets)
    return Sheet(f"{name} / {title}", tuple(lines), (), title, titles, others, hidden)


def _worth(lines: list[Line]) -> tuple[bool, int]:
    """A sheet with columns of names and prices before any other, then the one with more rows."""
    return find_columns(Sheet("", tuple(lines))) is not None, sum(not line.is_blank for line in lines)


def _check_archive(content: bytes) -> None:
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise PriceListError("The workbook is damaged: it cannot be unpacked.") from error
    with archive:
        parts = archive.infolist()
        if len(parts) > MAX_PARTS:
            raise PriceListError("The workbook has {count} parts; this is no price list.", count=len(parts))
        total = 0
        for part in parts:
            _check_part(part)
            total += part.file_size
            if total > MAX_UNPACKED_BYTES:
                raise PriceListError("The workbook unpacks to more than {limit} bytes.", limit=MAX_UNPACKED_BYTES)
        tags = 0
        for part in parts:
            if part.filename.endswith((".xml", ".rels")):
                tags = _check_xml(archive, part, tags)


def _check_part(part: zipfile.ZipInfo) -> None:
    path = PurePosixPath(part.filename.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or ":" in part.filename:
        raise PriceListError("The workbook names a part outside itself: {part}.", part=part.filename[:80])
    if part.flag_bits & 1:
        raise PriceListError("The workbook is protected by a password; please save it without one.")
    lowered = part.filename.lower()
    if "vbaproject" in lowered or lowered.startswith(("xl/macrosheets", "xl/activex")):
        raise PriceListError("The workbook contains macros; please save it as .xlsx without macros.")
    if part.file_size > SMALL_PART and part.file_size > MAX_PART_RATIO * max(part.compress_size, 1):
        raise PriceListError("The workbook is packed far too tightly; this looks like a zip bomb.")


def _check_xml(archive: zipfile.ZipFile, part: zipfile.ZipInfo, tags: int) -> int:
    """Refuse document types and entities, wherever in the part they stand, and more tags than a list has.

    Returns the tags seen so far, of which every element takes memory however short it is.
    """
    for window, start in _windows(archive, part):
        if _declares(window):
            raise PriceListError("The workbook declares XML entities; this is no price list.")
        tags += window.count(b"<", start)
        if tags > MAX_TAGS:
            raise PriceListError("The workbook holds more elements than a price list has; please split it.")
    return tags


def _windows(archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> Iterator[tuple[bytes, int]]:
    """The part piece by piece, each with the end of the one before, and where what is new begins."""
    tail = b""
    try:
        with archive.open(part) as stream:
            while chunk := stream.read(CHUNK):
                yield tail + chunk, len(tail)
                tail = chunk[-32:]
    except (
        *(zipfile.BadZipFile, zlib.error, EOFError, OSError),
        *(NotImplementedError, RuntimeError, ValueError),  # ValueError: a part said to lie before the file's start
    ) as error:
        raise PriceListError("The workbook is damaged: it cannot be unpacked.") from error


def _declares(window: bytes) -> bool:
    return any(declaration in window for declaration in _DECLARATIONS)


def _lines(sheet: Any, budget: CellBudget) -> Iterator[Line]:  # noqa: ANN401 - openpyxl carries no types
    sheet.reset_dimensions()
    for number, row in enumerate(sheet.iter_rows(max_row=MAX_ROWS + 1), start=1):
        if number > MAX_ROWS:
            raise PriceListError("The list has more than {limit} rows; please split it.", limit=MAX_ROWS)
        cells = tuple(_cell(cell) for cell in row[:MAX_COLUMNS])
        budget.spend(sum(cell is not EMPTY for cell in cells))
        yield Line(number, cells)


def _cell(cell: Any) -> Cell:  # noqa: ANN401 - openpyxl carries no types
    value = cell.value
    if value is None:
        return EMPTY
    if isinstance(value, bool):
        return Cell("yes" if value else "no")
    if isinstance(value, int | float):
        number = Decimal(repr(value)) if abs(value) < LARGEST else None  # NaN is not smaller either
        if number is not None and "%" in (cell.number_format or ""):
            return Cell(f"{(number * 100).normalize():f} %")  # a share is no amount
        return Cell(number, _currency(cell.number_format))
    if isinstance(value, datetime):
        return Cell(value.date())
    if isinstance(value, date):
        return Cell(value)
    if isinstance(value, time):
        return Cell(value.isoformat())
    text = str(value)
    if len(text) > MAX_CELL:
        raise PriceListError("A cell has more than {limit} characters; this is no price list.", limit=MAX_CELL)
    return Cell(text)


def _currency(number_format: str | None) -> str:
    found = _FORMAT_CURRENCY.search(number_format or "")
    if found is None:
        return ""
    sign = (found.group(1) or found.group(2)).strip()
    return _SYMBOLS.get(sign, sign if re.fullmatch(r"[A-Z]{3}", sign) else "")


def _with_formulas(content: bytes, title: str, lines: list[Line]) -> list[Line]:
    """Mark computed cells, so that one without a saved value is reported and not taken for empty."""
    from openpyxl import load_workbook  # noqa: PLC0415 - only when a workbook is read

    if b"<f" not in _sheet_xml(content):
        return lines
    book = load_workbook(io.BytesIO(content), read_only=True, data_only=False, keep_links=False)
    sheet = book[title]
    sheet.reset_dimensions()
    marked = []
    for line, row in zip(lines, sheet.iter_rows(max_row=MAX_ROWS + 1), strict=False):
        cells = tuple(
            Cell(known.value, known.currency, formula=True) if cell.data_type == "f" else known
            for known, cell in zip(line.cells, row, strict=False)
        )
        marked.append(Line(line.number, cells + line.cells[len(cells) :]))
    book.close()
    return marked + lines[len(marked) :]


def _sheet_xml(content: bytes) -> bytes:
    """All sheets one after another; their size was checked before."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = [name for name in archive.namelist() if name.startswith("xl/worksheets/") and name.endswith(".xml")]
        return b"".join(archive.read(name) for name in names)
