"""Cumulative cost of owning and renting month by month, with the month from which owning stays cheaper."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from engine.cost.sensitivity import CostOverTime, TimePoint
from engine.pictures.axes import Plot, Scale, draw_bottom_axis, draw_left_axis, left_room, round_ticks, round_up
from engine.pictures.palette import Ink
from engine.pictures.shapes import Anchor, Label, Line, Mark, MarkShape, Path, Picture, Shape, Spot, Style

BOTTOM, HEIGHT = 44.0, 280.0
NAME_ROOM = 110.0
OWN, RENT = Ink.SERIES_1, Ink.SERIES_2
RENT_DASH = (7.0, 4.0)
MONTHS_PER_TICK = 6


@dataclass(frozen=True, slots=True)
class TimeWords:
    """The words and formats of one language."""

    money: Callable[[Decimal], str]
    month: Callable[[int], str]
    owning: str
    renting: str
    month_title: str
    tip: Callable[[TimePoint], str]
    crossing: Callable[[int], str]  # "from month 14"
    description: str


def cost_over_time_chart(series: CostOverTime, words: TimeWords, style: Style) -> Picture:
    """Two lines from the purchase to the end of the horizon."""
    last = series.points[-1]
    top = round_up(max(float(max(point.owning.amount, point.renting.amount)) for point in series.points))
    values = round_ticks(0, top)

    def amount(value: float) -> str:
        return words.money(Decimal(round(value)))

    plot = Plot(left_room(values, amount, style), 22, style.width - NAME_ROOM, HEIGHT - BOTTOM)
    vertical = Scale(0, top, plot.bottom, plot.top)
    horizontal = Scale(0, max(1, last.month), plot.left, plot.right)
    shapes = draw_left_axis(plot, vertical, values, amount, style)
    ticks = [float(month) for month in range(0, last.month + 1, MONTHS_PER_TICK)]
    shapes += draw_bottom_axis(
        plot, horizontal, ticks, lambda month: words.month(round(month)), style, words.month_title
    )
    own = tuple((horizontal.at(p.month), vertical.at(float(p.owning.amount))) for p in series.points)
    rent = tuple((horizontal.at(p.month), vertical.at(float(p.renting.amount))) for p in series.points)
    shapes += [Path(own, OWN, 2.5), Path(rent, RENT, 2.5, RENT_DASH)]
    shapes += _names(own[-1][1], rent[-1][1], plot, words, style)
    shapes += _crossing(series, plot, horizontal, vertical, words, style)
    width = max(4.0, (plot.right - plot.left) / max(1, last.month))
    spots = tuple(
        Spot(horizontal.at(p.month) - width / 2, plot.top, width, plot.bottom - plot.top, words.tip(p))
        for p in series.points
    )
    return Picture(style.width, HEIGHT, tuple(shapes), spots, words.description)


def _names(own_y: float, rent_y: float, plot: Plot, words: TimeWords, style: Style) -> list[Shape]:
    """Each line's name at its end; moved apart where the ends meet."""
    gap = style.small * 1.4
    if abs(own_y - rent_y) < gap:
        middle = (own_y + rent_y) / 2
        shift = gap / 2 if own_y <= rent_y else -gap / 2
        own_y, rent_y = middle - shift, middle + shift
    return [
        Label(plot.right + 8, own_y + 4, words.owning, style.small, OWN, bold=True),
        Label(plot.right + 8, rent_y + 4, words.renting, style.small, RENT, bold=True),
    ]


def _crossing(
    series: CostOverTime, plot: Plot, horizontal: Scale, vertical: Scale, words: TimeWords, style: Style
) -> list[Shape]:
    if series.crossing_month is None or series.crossing_month == 0:
        return []
    point = next(p for p in series.points if p.month == series.crossing_month)
    x = horizontal.at(point.month)
    text = words.crossing(point.month)
    half = style.extent(text, style.small) / 2
    centre = min(max(x, plot.left + half), plot.right - half)
    return [
        Line(x, plot.top, x, plot.bottom, Ink.MUTED, 1.0, (3, 3)),
        Mark(x, vertical.at(float(point.owning.amount)), 5, MarkShape.DOT, OWN),
        Label(centre, plot.top - 6, text, style.small, Ink.TEXT, Anchor.MIDDLE, bold=True),
    ]
