"""Memory against sequence length: the expected need with its band, each card's usable capacity as a limit line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.length_curve import CurvePoint, Limit
from engine.pictures.axes import Plot, Scale, doubling_ticks, draw_bottom_axis, draw_left_axis, round_ticks, round_up
from engine.pictures.palette import SERIES, Ink
from engine.pictures.shapes import Anchor, Label, Line, Mark, MarkShape, Path, Picture, Shape, Spot, Style, fitted
from engine.units import GB

DASHES: tuple[tuple[float, ...], ...] = ((), (6, 3), (2, 3), (8, 3, 2, 3), (4, 2), (1, 2))
LIMIT_INKS = SERIES[1:]  # the first is the curve's
LEFT, BOTTOM, HEIGHT = 64.0, 44.0, 300.0
LIMIT_ROOM = 0.26  # of the width, for the limits' names


@dataclass(frozen=True, slots=True)
class CurveWords:
    """The words and formats of one language."""

    length: Callable[[int], str]
    size: Callable[[int], str]
    length_title: str  # "Sequence length in tokens"
    limit_tip: Callable[[Limit], str]
    point_tip: Callable[[CurvePoint], str]
    description: str


def length_curve(
    points: Sequence[CurvePoint], limits: Sequence[Limit], current: int, words: CurveWords, style: Style
) -> Picture:
    """The curve of one workload. `current` is the sequence length chosen, shown as a point."""
    plot = Plot(LEFT, 12, style.width * (1 - LIMIT_ROOM), HEIGHT - BOTTOM)
    top_bytes = max(
        [point.required.expected for point in points[:1]]
        + [round(limit.usable_bytes * 1.15) for limit in limits]
        + [point.required.high for point in points if point.length <= current]
    )
    vertical = Scale(0, round_up(top_bytes / GB), plot.bottom, plot.top)
    horizontal = Scale(points[0].length, points[-1].length, plot.left, plot.right, logarithmic=True)
    shapes = draw_left_axis(
        plot, vertical, round_ticks(0, vertical.high), lambda value: words.size(round(value * GB)), style
    )
    ticks = doubling_ticks(points[0].length, points[-1].length)
    shapes += draw_bottom_axis(
        plot, horizontal, ticks, lambda value: words.length(round(value)), style, words.length_title
    )
    spots: list[Spot] = []
    shapes += _curve(points, horizontal, vertical)
    shapes += _limits(limits, plot, vertical, words, style, spots)
    shapes += _points(points, current, plot, horizontal, vertical, words, spots)
    return Picture(style.width, HEIGHT, tuple(shapes), tuple(spots), words.description)


def _curve(points: Sequence[CurvePoint], horizontal: Scale, vertical: Scale) -> list[Shape]:
    ceiling = vertical.high * GB
    inside = [point for point in points if point.required.low <= ceiling]
    upper = [(horizontal.at(point.length), vertical.at(point.required.high / GB)) for point in inside]
    lower = [(horizontal.at(point.length), vertical.at(point.required.low / GB)) for point in inside]
    line = _cut([(horizontal.at(p.length), p.required.expected / GB) for p in points], vertical)
    return [
        Path((*upper, *reversed(lower)), Ink.ACCENT, filled=True, opacity=0.18),
        Path(tuple(line), Ink.ACCENT, width=2.5),
    ]


def _cut(points: list[tuple[float, float]], vertical: Scale) -> list[tuple[float, float]]:
    """The line up to where it leaves the plot, ending exactly at its upper edge. Its first point is always inside."""
    line: list[tuple[float, float]] = []
    for index, (x, value) in enumerate(points):
        if value > vertical.high:
            before_x, before = points[index - 1]
            share = (vertical.high - before) / (value - before)
            line.append((before_x + share * (x - before_x), vertical.end))
            break
        line.append((x, vertical.at(value)))
    return line


def _limits(
    limits: Sequence[Limit], plot: Plot, vertical: Scale, words: CurveWords, style: Style, spots: list[Spot]
) -> list[Shape]:
    shapes: list[Shape] = []
    free_below = plot.bottom
    ordered = sorted(enumerate(limits), key=lambda pair: pair[1].usable_bytes)
    for index, limit in ordered:
        ink, dash = LIMIT_INKS[index % len(LIMIT_INKS)], DASHES[index % len(DASHES)]
        y = vertical.at(limit.usable_bytes / GB)
        shapes.append(Line(plot.left, y, plot.right, y, ink, 1.5, dash))
        baseline = min(y + style.small * 0.36, free_below)
        free_below = baseline - style.small * 1.25
        room = style.width - plot.right - 10
        text = fitted(limit.name, room, style.small, style)
        shapes.append(Label(plot.right + 8, baseline, text, style.small, ink))
        tip = words.limit_tip(limit)
        spots.append(Spot(plot.right + 4, baseline - style.small, room, style.small * 1.25, tip))
        spots.append(Spot(plot.left, y - 3, plot.right - plot.left, 6, tip))
    return shapes


def _points(
    points: Sequence[CurvePoint],
    current: int,
    plot: Plot,
    horizontal: Scale,
    vertical: Scale,
    words: CurveWords,
    spots: list[Spot],
) -> list[Shape]:
    shapes: list[Shape] = []
    for point in points:
        x, y = horizontal.at(point.length), vertical.at(point.required.expected / GB)
        if point.required.expected <= vertical.high * GB:
            spots.append(Spot(x - 7, y - 7, 14, 14, words.point_tip(point), str(point.length)))
        if point.length == current:
            shapes.append(Line(x, plot.top, x, plot.bottom, Ink.MUTED, 1.0, (3, 3)))
            shapes.append(Mark(x, y, 5, MarkShape.DOT, Ink.ACCENT))
            shapes.append(Label(x + 8, plot.top + 10, words.length(current), 11.0, Ink.TEXT, Anchor.START, bold=True))
    return shapes
