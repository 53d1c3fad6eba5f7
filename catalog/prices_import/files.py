"""From a path to cells: looks at the content, not at the name, and refuses what is too large or no price list."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

from catalog.prices_import.cells import Cell, Line, Sheet
from catalog.prices_import.limits import MAX_CELL, MAX_FILE_BYTES, MAX_ROWS, PriceListError
from catalog.prices_import.text_tables import decode, read_text_table
from catalog.prices_import.workbooks import read_workbook
from catalog.yaml_nodes import FileFormatError, parse

_ZIP = b"PK\x03\x04"
_OLE = bytes.fromhex("d0cf11e0a1b11ae1")
_REFUSED = (
    (b"%PDF", "PDF"),
    (b"\x1f\x8b", "gzip"),
    (b"Rar!", "RAR"),
    (b"7z\xbc\xaf", "7-Zip"),
    (b"MZ", "Windows program"),
)


def read_file(path: Path, sheet: str = "") -> Sheet:
    """The cells of a price list, of a workbook those of `sheet` or else of the sheet that is most of one.

    Raises `PriceListError` with the reason and what would help.
    """
    try:
        if not path.is_file():
            raise PriceListError("{file} is not a file.", file=path.name)
        size = path.stat().st_size
        if size > MAX_FILE_BYTES:
            raise PriceListError(
                "{file} has {size} bytes; a price list has at most {limit}.",
                file=path.name,
                size=size,
                limit=MAX_FILE_BYTES,
            )
        content = path.read_bytes()
    except OSError as error:
        raise PriceListError(
            "{file}: cannot be read: {problem}.", file=path.name, problem=error.strerror or str(error)
        ) from error
    return read_content(content, path.name, sheet)


def read_content(content: bytes, name: str, sheet: str = "") -> Sheet:
    """The cells of a price list whose bytes are at hand; as `read_file`."""
    if not content.strip():
        raise PriceListError("{file}: the file is empty.", file=name)
    if content.startswith(_OLE):
        raise PriceListError("{file} is an old or protected Excel file; please save it as .xlsx.", file=name)
    for start, kind in _REFUSED:
        if content.startswith(start):
            raise PriceListError("{file} is a {kind} file, not a price list.", file=name, kind=kind)
    if content.lstrip()[:15].lower().startswith((b"<html", b"<!doctype", b"<table", b"<?xml")):
        raise PriceListError("{file} is a web page or XML, not a table; please save it as .xlsx or .csv.", file=name)
    if content.startswith(_ZIP):
        return read_workbook(content, name, sheet)
    if name.lower().endswith((".yaml", ".yml")):
        return _read_yaml(content, name)
    return read_text_table(content, name)


def _read_yaml(content: bytes, name: str) -> Sheet:
    """A list of entries with the same fields, bare or under one key such as `prices`."""
    text, _ = decode(content)
    try:
        located = parse(text, name)
    except FileFormatError as error:
        raise PriceListError(error.template, **error.values) from error
    rows = _entries(located.data, name)
    if len(rows) > MAX_ROWS:
        raise PriceListError("The list has more than {limit} rows; please split it.", limit=MAX_ROWS)
    columns = list(dict.fromkeys(key for row in rows for key in row))
    head = Line(0, tuple(Cell(column) for column in columns))
    base = _path_to_rows(located.data)
    lines = [
        Line(located.line((*base, number)), tuple(_plain(row.get(column)) for column in columns))
        for number, row in enumerate(rows)
    ]
    return Sheet(name, (head, *lines), notes=("yaml",))


def _entries(data: object, name: str) -> list[dict[str, object]]:
    if isinstance(data, dict):
        data = next((value for value in data.values() if isinstance(value, list)), None)
    if not isinstance(data, list) or not data or not all(isinstance(row, dict) for row in data):
        raise PriceListError("{file}: a list of entries with fields is needed, for example under prices:.", file=name)
    return [{str(key): value for key, value in row.items()} for row in data]


def _path_to_rows(data: object) -> tuple[str, ...]:
    if isinstance(data, dict):
        return (str(next(key for key, value in data.items() if isinstance(value, list))),)
    return ()


def _plain(value: object) -> Cell:
    if value is None or isinstance(value, dict | list):
        return Cell()
    if isinstance(value, bool):
        return Cell("yes" if value else "no")
    if isinstance(value, int | float):
        return Cell(Decimal(repr(value)) if abs(value) < 1e15 else None)
    text = value if isinstance(value, str) else str(value)
    if len(text) > MAX_CELL:
        raise PriceListError("A cell has more than {limit} characters; this is no price list.", limit=MAX_CELL)
    return Cell(text)
