"""Tables of the paper: quiet lines, repeated heads, rows that are not torn."""

from __future__ import annotations

from collections.abc import Sequence

from reportlab.platypus import Flowable, Paragraph, Table, TableStyle

from engine.pictures.palette import Ink
from engine.report.style import colour

Cell = Flowable | Sequence[Flowable] | str
LINE = 0.4
PAD = 3.0
GAP = 5.0  # between columns
SHORT_TEXT, SHORT_RUNS, SHORT_PARTS = 160, 8, 4  # characters and runs (line breaks part runs); paragraphs of a cell
TOGETHER = 160.0  # points: two last rows that are taller may be parted
MAX_ROW = 420.0  # points; taller rows are cut into several before they reach the table


def table(
    head: Sequence[Flowable] | None,
    rows: Sequence[Sequence[Flowable | list[Flowable]]],
    widths: Sequence[float],
    *,
    bands: Sequence[int] = (),
    lines: bool = True,
) -> Table:
    """A table over the text width.

    `bands` are row indexes (without the head) that open a group; they stay with the row below them.
    """
    data = ([list(head)] if head is not None else []) + [list(row) for row in untorn(rows, widths)]
    shift = 0 if head is None else 1
    commands: list[tuple[object, ...]] = [
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("LEFTPADDING", (0, 0), (-1, -1), 0),
        ("RIGHTPADDING", (0, 0), (-1, -1), GAP),
        ("RIGHTPADDING", (-1, 0), (-1, -1), 0),
        ("TOPPADDING", (0, 0), (-1, -1), PAD),
        ("BOTTOMPADDING", (0, 0), (-1, -1), PAD),
    ]
    if lines:
        commands.append(("LINEBELOW", (0, 0), (-1, -1), LINE, colour(Ink.LINE)))
    if head is not None:
        commands += [
            ("VALIGN", (0, 0), (-1, 0), "BOTTOM"),
            ("LINEBELOW", (0, 0), (-1, 0), 0.8, colour(Ink.TEXT)),
        ]
    for index in bands:
        commands += [
            ("SPAN", (0, index + shift), (-1, index + shift)),
            ("TOPPADDING", (0, index + shift), (-1, index + shift), PAD + 4),
            ("NOSPLIT", (0, index + shift), (-1, min(index + shift + 1, len(data) - 1))),
        ]
    if len(data) > shift + 2 and sum(_height(row, widths) for row in data[-2:]) < TOGETHER:
        commands.append(("NOSPLIT", (0, -2), (-1, -1)))  # no last row alone on a page
    return Table(
        data,
        colWidths=list(widths),
        repeatRows=shift,
        splitInRow=0,
        style=TableStyle(commands),
        hAlign="LEFT",
        spaceBefore=2,
        spaceAfter=6,
    )


def untorn(
    rows: Sequence[Sequence[Flowable | list[Flowable]]], widths: Sequence[float], most: float = MAX_ROW
) -> list[list[Flowable | list[Flowable]]]:
    """Rows no taller than a page allows: an over-long text continues in rows of its own."""
    rooms = [*(width - GAP for width in widths[:-1]), widths[-1]]
    fitting: list[list[Flowable | list[Flowable]]] = []
    for row in rows:
        columns = [_chunks(cell, width, most) for cell, width in zip(row, rooms, strict=True)]
        for index in range(max(len(chunks) for chunks in columns)):
            fitting.append([chunks[index] if index < len(chunks) else "" for chunks in columns])
    return fitting


def _chunks(cell: Flowable | list[Flowable], width: float, most: float) -> list[Flowable | list[Flowable]]:
    parts = cell if isinstance(cell, list) else [cell]
    if not any(isinstance(part, Paragraph) for part in parts):
        return [cell]
    if len(parts) <= SHORT_PARTS and all(_is_short(part) for part in parts):
        return [cell]
    heights = [part.wrap(width, most)[1] for part in parts if isinstance(part, Flowable)]
    if sum(heights) <= most:
        return [cell]
    chunks: list[Flowable | list[Flowable]] = []
    page: list[Flowable] = []
    used = 0.0
    for part in parts:
        for piece in _pieces(part, width, most):
            height = piece.wrap(width, most)[1]
            if page and used + height > most:
                chunks.append(page)
                page, used = [], 0.0
            page.append(piece)
            used += height
    return [*chunks, page]


def _height(row: Sequence[Flowable | list[Flowable]], widths: Sequence[float]) -> float:
    """Of the row's tallest cell, in points."""
    heights = [0.0]
    for cell, width in zip(row, widths, strict=True):
        parts = [part for part in (cell if isinstance(cell, list) else [cell]) if isinstance(part, Flowable)]
        heights.append(sum(float(part.wrap(width - GAP, MAX_ROW)[1]) for part in parts))
    return max(heights)


def _is_short(part: Flowable) -> bool:
    """Whether a part is too short to fill a page in any column, so that it need not be measured."""
    if not isinstance(part, Paragraph):
        return False
    return len(part.frags) <= SHORT_RUNS and sum(len(getattr(run, "text", "")) for run in part.frags) <= SHORT_TEXT


def _pieces(part: Flowable, width: float, most: float) -> list[Flowable]:
    """A flowable cut into pieces that fit a row."""
    pieces: list[Flowable] = []
    rest: Flowable | None = part
    while rest is not None:
        if rest.wrap(width, most)[1] <= most:
            return [*pieces, rest]
        split = rest.split(width, most)
        if len(split) < 2:
            return [*pieces, rest]
        pieces.append(split[0])
        rest = split[1]
    return pieces
