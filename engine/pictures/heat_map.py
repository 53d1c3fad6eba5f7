"""Workloads against cards: one cell each, coloured, signed and worded by the verdict, with the free memory in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.fit import Verdict
from engine.pictures.palette import Ink
from engine.pictures.parts import VERDICT_GROUNDS, VERDICT_INKS, VERDICT_MARKS
from engine.pictures.shapes import Anchor, Label, Mark, Picture, Rect, Shape, Spot, Style, fitted

TITLE_SHARE = 0.30
MOST_TITLE = 300.0
WIDEST_CELL = 220.0


@dataclass(frozen=True, slots=True)
class HeatCell:
    """What one workload needs on one card. `verdict` None: not sized, `text` says so."""

    verdict: Verdict | None
    text: str
    tip: str
    target: str


@dataclass(frozen=True, slots=True)
class HeatRow:
    """One card and its cells, one per workload."""

    title: str
    subtitle: str
    cells: tuple[HeatCell, ...]
    strong: bool = False  # the recommended card


def heat_map(
    columns: Sequence[str], rows: Sequence[HeatRow], style: Style, description: str, selected: str = ""
) -> Picture:
    """Cards downwards, workloads across. `selected` is the target whose cell gets a frame."""
    left = min(style.width * TITLE_SHARE, MOST_TITLE)
    cell_width = min((style.width - left) / max(1, len(columns)), WIDEST_CELL)
    height = style.text + style.small + 14
    shapes: list[Shape] = []
    spots: list[Spot] = []
    head = style.small * 1.4 + 4
    for number, name in enumerate(columns):
        x = left + number * cell_width
        text = fitted(name, cell_width - 8, style.small, style)
        shapes.append(Label(x + 4, style.small, text, style.small, Ink.MUTED))
        spots.append(Spot(x, 0, cell_width, head, name))
    y = head
    for row in rows:
        _draw_title(row, y, height, left, style, shapes)
        for number, cell in enumerate(row.cells):
            area = Rect(left + number * cell_width, y, cell_width - 2, height - 2, _ground(cell), radius=3)
            _draw_cell(cell, area, style, shapes)
            spots.append(Spot(area.x, y, area.width, area.height, cell.tip, cell.target))
            if cell.target and cell.target == selected:
                frame = Rect(area.x + 1, y + 1, area.width - 2, area.height - 2, Ink.ACCENT, radius=3, outlined=True)
                shapes.append(frame)
        y += height
    return Picture(style.width, y, tuple(shapes), tuple(spots), description)


def _ground(cell: HeatCell) -> Ink:
    return Ink.SUNKEN if cell.verdict is None else VERDICT_GROUNDS[cell.verdict]


def _draw_title(row: HeatRow, y: float, height: float, left: float, style: Style, shapes: list[Shape]) -> None:
    room = left - 12
    title = fitted(row.title, room, style.text, style, bold=row.strong)
    baseline = y + style.text + 3 if row.subtitle else y + height / 2 + style.text * 0.36
    shapes.append(Label(0, baseline, title, style.text, bold=row.strong))
    if row.subtitle:
        subtitle = fitted(row.subtitle, room, style.small, style)
        shapes.append(Label(0, baseline + style.small * 1.35, subtitle, style.small, Ink.MUTED))


def _draw_cell(cell: HeatCell, area: Rect, style: Style, shapes: list[Shape]) -> None:
    shapes.append(area)
    middle = area.y + area.height / 2
    radius = style.small * 0.45
    if cell.verdict is None:
        text = fitted(cell.text, area.width - 8, style.small, style)
        shapes.append(Label(area.x + area.width / 2, middle + 4, text, style.small, Ink.MUTED, Anchor.MIDDLE))
        return
    sign, ink = VERDICT_MARKS[cell.verdict], VERDICT_INKS[cell.verdict]
    left = area.x + 8 + radius * 2 + 6
    room = area.x + area.width - left - 4
    if room <= 0:  # dozens of workloads: the sign alone, no wider than its cell
        radius = min(radius, area.width / 2 - 1)
        shapes.append(Mark(area.x + area.width / 2, middle, radius, sign, ink))
        return
    shapes.append(Mark(area.x + 8 + radius, middle, radius, sign, ink))
    text = fitted(cell.text, room, style.small, style)
    shapes.append(Label(left, middle + style.small * 0.36, text, style.small))
