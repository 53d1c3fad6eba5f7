"""A spreadsheet file (XLSX) of one sheet, written so that the same cells give the same bytes.

Office Open XML as in ECMA-376 part 1: a zip archive of six parts. General-purpose writers stamp the clock into it and
take texts that begin with an equals sign for formulas; here a text is always an inline string.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import IntEnum
from typing import BinaryIO
from xml.sax.saxutils import escape, quoteattr
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

Value = str | Decimal | None

MAX_TEXT = 32_767
"""Characters a cell can hold; what is longer continues in the rows below."""
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'


class Look(IntEnum):
    """Cell formats, by their place in the styles part."""

    PLAIN = 0
    BOLD = 1
    MONEY = 2
    PERCENT = 3


@dataclass(frozen=True, slots=True)
class Cell:
    """A value and its look."""

    value: Value
    look: Look = Look.PLAIN


STYLES = (
    f'{HEAD}<styleSheet xmlns="{MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="0.0#%"/></numFmts>'
    '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>'
    '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>'
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>'
    '</fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4">'
    '<xf xfId="0"/><xf fontId="1" xfId="0" applyFont="1"/><xf numFmtId="4" xfId="0" applyNumberFormat="1"/>'
    '<xf numFmtId="164" xfId="0" applyNumberFormat="1"/></cellXfs>'
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
)
CONTENT_TYPES = (
    f'{HEAD}<Types xmlns="{PACKAGE}/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    + "".join(
        f'<Override PartName="/{part}" ContentType="application/vnd.openxmlformats-{kind}+xml"/>'
        for part, kind in (
            ("xl/workbook.xml", "officedocument.spreadsheetml.sheet.main"),
            ("xl/worksheets/sheet1.xml", "officedocument.spreadsheetml.worksheet"),
            ("xl/styles.xml", "officedocument.spreadsheetml.styles"),
            ("docProps/core.xml", "package.core-properties"),
        )
    )
    + "</Types>"
)
ROOT_RELATIONS = (
    f'{HEAD}<Relationships xmlns="{PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/>'
    f'<Relationship Id="rId2" Type="{PACKAGE}/relationships/metadata/core-properties" Target="docProps/core.xml"/>'
    "</Relationships>"
)
BOOK_RELATIONS = (
    f'{HEAD}<Relationships xmlns="{PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
    f'<Relationship Id="rId2" Type="{OFFICE}/styles" Target="styles.xml"/></Relationships>'
)


def write_workbook(
    rows: Iterable[Sequence[Cell]], title: str, widths: Sequence[int], creator: str, day: date, stream: BinaryIO
) -> None:
    """Write the rows with the first one as a fixed head. `widths` in characters; dates in the file are `day`."""
    stamp = (max(day.year, 1980), day.month, day.day, 0, 0, 0)
    parts = {
        "[Content_Types].xml": CONTENT_TYPES,
        "_rels/.rels": ROOT_RELATIONS,
        "docProps/core.xml": _properties(creator, day),
        "xl/workbook.xml": _book(title),
        "xl/_rels/workbook.xml.rels": BOOK_RELATIONS,
        "xl/styles.xml": STYLES,
        "xl/worksheets/sheet1.xml": _sheet(rows, widths),
    }
    with ZipFile(stream, "w") as archive:
        for name, content in parts.items():
            entry = ZipInfo(name, stamp)
            entry.compress_type = ZIP_DEFLATED
            entry.create_system = 0  # else the file would tell which system it was made on
            archive.writestr(entry, content.encode("utf-8", "replace"))


def _sheet(rows: Iterable[Sequence[Cell]], widths: Sequence[int]) -> str:
    columns = "".join(
        f'<col min="{index}" max="{index}" width="{width}" customWidth="1"/>'
        for index, width in enumerate(widths, start=1)
    )
    body = "".join(f'<row r="{number}">{_row(row, number)}</row>' for number, row in enumerate(_fitting(rows), start=1))
    view = (
        '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" state="frozen"/></sheetView>'
        "</sheetViews>"
    )
    return f'{HEAD}<worksheet xmlns="{MAIN}">{view}<cols>{columns}</cols><sheetData>{body}</sheetData></worksheet>'


def _row(row: Sequence[Cell], number: int) -> str:
    return "".join(
        _cell(cell, f"{chr(ord('A') + index)}{number}")
        for index, cell in enumerate(row)
        if cell.value not in {None, ""}
    )


def _cell(cell: Cell, place: str) -> str:
    look = f' s="{int(cell.look)}"' if cell.look else ""
    if isinstance(cell.value, Decimal):
        return f'<c r="{place}"{look}><v>{cell.value:f}</v></c>'
    text = escape(printable(cell.value or ""))
    return f'<c r="{place}"{look} t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'


def _fitting(rows: Iterable[Sequence[Cell]]) -> Iterable[Sequence[Cell]]:
    """Rows whose texts fit into cells: the rest of a longer text stands in the same column of the next row."""
    for row in rows:
        rest: Sequence[Cell] = row
        while any(isinstance(cell.value, str) and len(cell.value) > MAX_TEXT for cell in rest):
            yield [Cell(_upto(cell.value), cell.look) for cell in rest]
            rest = [Cell(cell.value[MAX_TEXT:] if isinstance(cell.value, str) else None, cell.look) for cell in rest]
        yield rest


def _upto(value: Value) -> Value:
    return value[:MAX_TEXT] if isinstance(value, str) else value


def _book(title: str) -> str:
    name = "".join(sign for sign in printable(title) if sign not in "[]:*?/\\")[:31] or "Passform"
    return (
        f'{HEAD}<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets><sheet name={quoteattr(name)} sheetId="1" '
        'r:id="rId1"/></sheets></workbook>'
    )


def _properties(creator: str, day: date) -> str:
    moment = f"{day.isoformat()}T00:00:00Z"
    dates = "".join(
        f'<dcterms:{name} xsi:type="dcterms:W3CDTF">{moment}</dcterms:{name}>' for name in ("created", "modified")
    )
    return (
        f'{HEAD}<cp:coreProperties xmlns:cp="{PACKAGE}/metadata/core-properties" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" '
        'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
        f"<dc:creator>{escape(printable(creator))}</dc:creator>{dates}</cp:coreProperties>"
    )


def printable(text: str) -> str:
    """Without the characters XML cannot hold."""
    return "".join(
        sign
        for sign in text
        if sign in "\n\t"
        or (ord(sign) >= 32 and not 0xD800 <= ord(sign) <= 0xDFFF and ord(sign) not in {0xFFFE, 0xFFFF})
    )
