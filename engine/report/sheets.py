"""The list of the data sheets that follow after the last page."""

from __future__ import annotations

from collections.abc import Iterator

from reportlab.lib.units import mm
from reportlab.platypus import Flowable

from engine.report.assets import SheetNote
from engine.report.context import Paper, chapter
from engine.report.style import TEXT_WIDTH
from engine.report.tables import table
from engine.report.text import Piece
from engine.wording import numbers

PAGES_WIDTH = 30 * mm


def sheets_chapter(paper: Paper, sheets: tuple[SheetNote, ...]) -> Iterator[Flowable]:
    """One row per sheet with its pages; nothing without sheets."""
    if not sheets:
        return
    _, styles = paper.tr.gettext, paper.styles
    yield from chapter(paper, _("Annex: data sheets"), "data-sheets")
    text = _("They follow after the last page of this document, in this order and with page numbers of their own.")
    yield paper.small(text, "data-sheets")
    rows: list[list[Flowable | list[Flowable]]] = [
        [
            paper.paragraph(Piece(sheet.title, bold=True), styles.cell_small, "data-sheets"),
            paper.paragraph(_pages(paper, sheet.pages), styles.cell_small_right, "data-sheets"),
        ]
        for sheet in sheets
    ]
    yield table(None, rows, [TEXT_WIDTH - PAGES_WIDTH, PAGES_WIDTH])


def _pages(paper: Paper, count: int) -> str:
    text = paper.tr.ngettext("{count} page", "{count} pages", count)
    return text.format(count=numbers.integer(count, paper.language))
