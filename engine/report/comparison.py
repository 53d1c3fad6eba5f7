"""The editions side by side, every figure with its source and basis."""

from __future__ import annotations

from collections.abc import Iterator

from reportlab.lib.units import mm
from reportlab.platypus import Flowable

from engine.compare import Cell, Comparison, Row
from engine.figures import Basis, Grade
from engine.pictures.palette import Ink
from engine.quote.document import Advice
from engine.report.context import Paper, chapter
from engine.report.style import TEXT_WIDTH, hex_colour
from engine.report.tables import table
from engine.report.text import Piece
from engine.wording import numbers
from engine.wording.comparison import cell_text, figure_name, group_name
from engine.wording.editions import edition_remarks

NAME_WIDTH = 37 * mm
BASIS_SIGNS = {Basis.DERIVED: "d", Basis.ESTIMATED: "e", Basis.ASSUMED: "a"}
WIDE_COLUMNS = 4  # more are too narrow for the longest figure on one line
BEST = "\N{CHECK MARK}\N{NO-BREAK SPACE}"


def comparison_chapter(paper: Paper, advice: Advice) -> Iterator[Flowable]:
    """The table of the three RTX PRO 6000 editions, H200 NVL and the recommended card."""
    _ = paper.tr.gettext
    if advice.comparison is None:
        return
    yield from chapter(paper, _("Editions side by side"), "comparison")
    yield _table(paper, advice.comparison, advice)
    yield paper.small(_legend(paper), "comparison")
    for text in edition_remarks(advice.comparison, paper.reader):
        yield paper.body(text, "editions")


def _legend(paper: Paper) -> str:
    _ = paper.tr.gettext
    return _(
        "{best}best value of the row. Raised numbers name the source; after them d: derived, e: estimated, a: assumed. "
        "M: from memory, unverified. Grey rows are equal in all columns."
    ).format(best=BEST)


def _table(paper: Paper, comparison: Comparison, advice: Advice) -> Flowable:
    styles = paper.styles
    head: list[Flowable] = [paper.paragraph("", styles.head, "head")]
    head += [
        paper.paragraph(Piece(column.short_name, bold=True), styles.head, column.id) for column in comparison.columns
    ]
    numbers_by_source = {citation.source.id: citation.number for citation in advice.citations}
    rows: list[list[Flowable | list[Flowable]]] = []
    bands = []
    for group in comparison.groups:
        bands.append(len(rows))
        title = paper.paragraph(Piece(group_name(group, paper.tr), bold=True), styles.cell_small, "group")
        rows.append([title, *[""] * len(comparison.columns)])
        subject = ""
        for row in (row for row in comparison.rows if row.group == group):
            if row.subject and row.subject != subject:
                subject = row.subject
                name = paper.paragraph(Piece(subject, colour=hex_colour(Ink.ACCENT)), styles.cell_small, "subject")
                bands.append(len(rows))
                rows.append([name, *[""] * len(comparison.columns)])
            rows.append(_row(paper, row, numbers_by_source, narrow=len(comparison.columns) > WIDE_COLUMNS))
    width = (TEXT_WIDTH - NAME_WIDTH) / len(comparison.columns)
    return table(head, rows, [NAME_WIDTH, *[width] * len(comparison.columns)], bands=bands)


def _row(paper: Paper, row: Row, cited: dict[str, int], *, narrow: bool) -> list[Flowable | list[Flowable]]:
    quiet = "" if row.differs else hex_colour(Ink.MUTED)
    name = paper.paragraph(
        Piece(figure_name(row.key, paper.tr), colour=hex_colour(Ink.MUTED)), paper.styles.cell_small, row.key
    )
    return [name, *(_cell(paper, row, cell, cited, quiet, narrow=narrow) for cell in row.cells)]


def _cell(paper: Paper, row: Row, cell: Cell, cited: dict[str, int], quiet: str, *, narrow: bool) -> Flowable:
    text = cell_text(row, cell, paper.tr, paper.language)
    if narrow:  # a line ends before a unit rather than within it
        text = text.replace(numbers.NO_BREAK_SPACE, " ")
    colour = hex_colour(Ink.MUTED) if cell.value is None else quiet
    pieces = [Piece((BEST if cell.best else "") + text, bold=cell.best, colour=colour)]
    marks = _marks(cell, cited)
    if marks:
        pieces.append(Piece("\N{NO-BREAK SPACE}" + marks, colour=hex_colour(Ink.MUTED), size=5.4, raised=True))
    return paper.paragraph(pieces, paper.styles.cell_small, row.key)


def _marks(cell: Cell, cited: dict[str, int]) -> str:
    """Source number, basis and the visible mark of what comes from memory."""
    marks = []
    for figure in cell.figures:
        number = str(cited.get(figure.source.id, ""))
        memory = "M" if figure.grade is Grade.M else ""
        marks.append(number + BASIS_SIGNS.get(figure.basis, "") + memory)
    return ",".join(dict.fromkeys(mark for mark in marks if mark))
