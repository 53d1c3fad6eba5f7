"""The comparison as a table for spreadsheets. What looks like a formula is written as text."""

from __future__ import annotations

import csv
import io

from engine.compare import Comparison
from engine.wording.comparison import cell_text, group_name, row_name
from engine.wording.editions import edition_remarks
from engine.wording.filling import Reader
from gui.texts import Texts

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def comparison_table(comparison: Comparison, texts: Texts) -> list[list[str]]:
    """Head and rows as words: group, row, one cell per column; beneath them what was measured and who is out."""
    head = [texts.gettext("Group"), texts.gettext("Property"), *(column.name for column in comparison.columns)]
    rows = [
        [
            group_name(row.group, texts.tr),
            row_name(row, texts.tr),
            *(cell_text(row, cell, texts.tr, texts.language) for cell in row.cells),
        ]
        for row in comparison.rows
    ]
    remarks = edition_remarks(comparison, Reader(texts.tr, texts.language, texts.names))
    beneath = [["", "", text, *[""] * (len(comparison.columns) - 1)] for text in remarks]
    return [[harmless(text) for text in line] for line in (head, *rows, *beneath)]


def comparison_csv(comparison: Comparison, texts: Texts, separator: str = ";") -> str:
    """The table as CSV, semicolons between the cells as German spreadsheets expect."""
    stream = io.StringIO()
    csv.writer(stream, delimiter=separator, lineterminator="\r\n").writerows(comparison_table(comparison, texts))
    return stream.getvalue()


def comparison_xlsx(comparison: Comparison, texts: Texts) -> bytes:
    """The table as an Excel workbook."""
    from openpyxl import Workbook  # noqa: PLC0415  # 60 ms that only an export should cost
    from openpyxl.styles import Font  # noqa: PLC0415  # as above

    book = Workbook()
    sheet = book.active
    sheet.title = texts.gettext("Comparison")
    for line in comparison_table(comparison, texts):
        sheet.append(line)
    for cell in sheet[1]:
        cell.font = Font(bold=True)
    sheet.freeze_panes = "C2"
    for letter, width in (("A", 22), ("B", 34), *((chr(ord("C") + n), 26) for n in range(len(comparison.columns)))):
        sheet.column_dimensions[letter].width = width
    for row in sheet.iter_rows():
        for cell in row:
            cell.data_type = "s"
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def harmless(text: str) -> str:
    """Put an apostrophe before what a spreadsheet would run as a formula."""
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text
