"""Measured against estimated: one point per run on logarithmic axes, the line of agreement and its error band."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from engine.pictures.axes import Plot, Scale, draw_bottom_axis, draw_left_axis, left_room
from engine.pictures.palette import Ink
from engine.pictures.shapes import Label, Line, Mark, MarkShape, Path, Picture, Shape, Spot, Style

RIGHT, TOP, BOTTOM, LEGEND = 16.0, 24.0, 44.0, 26.0
MOST_HEIGHT = 460.0
RADIUS = 4.0
REACH = 9.0  # half the side of the place that answers round a point
STEPS = (1.0, 2.0, 5.0)
ROOM = 1.15  # factor of free space beyond the outermost points


@dataclass(frozen=True, slots=True)
class ScatterPoint:
    """One run. `series` decides colour and sign."""

    id: str
    measured: float
    estimated: float
    series: str
    tip: str


@dataclass(frozen=True, slots=True)
class Band:
    """Relative errors between which four of five estimates lie: -0.1 is 10 % too low."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class ScatterWords:
    """The words and formats of one language."""

    value: Callable[[float], str]
    measured_title: str
    estimated_title: str
    series: Mapping[str, str]  # in the order of the legend
    band: str
    description: str


SIGNS = (MarkShape.DOT, MarkShape.HALF, MarkShape.CROSS)
INKS = (Ink.SERIES_1, Ink.SERIES_3, Ink.SERIES_2)


def scatter(
    points: Sequence[ScatterPoint], band: Band | None, words: ScatterWords, style: Style, chosen: str = ""
) -> Picture:
    """Lay the picture out. Needs at least one point with positive values."""
    values = [value for point in points for value in (point.measured, point.estimated)]
    low, high = min(values) / ROOM, max(values) * ROOM
    ticks = log_ticks(low, high)
    height = min(MOST_HEIGHT, style.width * 0.75)
    plot = Plot(left_room(ticks, words.value, style), TOP, style.width - RIGHT, height - BOTTOM - LEGEND)
    across = Scale(low, high, plot.left, plot.right, logarithmic=True)
    upward = Scale(low, high, plot.bottom, plot.top, logarithmic=True)
    shapes: list[Shape] = []
    if band is not None:
        shapes.append(_band(band, low, high, across, upward))
    shapes += draw_left_axis(plot, upward, ticks, words.value, style)
    shapes += draw_bottom_axis(plot, across, ticks, words.value, style, words.measured_title)
    shapes.append(Label(0, style.small, words.estimated_title, style.small, Ink.MUTED))
    shapes.append(Line(across.at(low), upward.at(low), across.at(high), upward.at(high), Ink.TEXT, 1.2, (5, 3)))
    order = list(words.series)
    spots = []
    for point in sorted(points, key=lambda point: point.id == chosen):
        x, y = across.at(point.measured), upward.at(point.estimated)
        shapes += _point(x, y, order.index(point.series), chosen=point.id == chosen)
        spots.append(Spot(x - REACH, y - REACH, 2 * REACH, 2 * REACH, point.tip, point.id))
    shapes += _legend(words, band is not None, height - style.small * 0.4, style)
    return Picture(style.width, height, tuple(shapes), tuple(spots), words.description)


def log_ticks(low: float, high: float) -> list[float]:
    """1, 2 and 5 times powers of ten between the ends."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    ticks = [step * 10.0**power for power in range(first, last + 1) for step in STEPS]
    return [tick for tick in ticks if low <= tick <= high]


def _band(band: Band, low: float, high: float, across: Scale, upward: Scale) -> Path:
    """The area between the two lines of equal relative error, cut off at the plot's edges."""
    edges = []
    for factor in (1 + band.low, 1 + band.high):
        start, end = max(low, low / factor), min(high, high / factor)
        edges.append([(across.at(start), upward.at(start * factor)), (across.at(end), upward.at(end * factor))])
    lower, upper = edges
    corners = [*lower, (across.at(high), upward.at(high)), *reversed(upper), (across.at(low), upward.at(low))]
    return Path(tuple(corners), Ink.ACCENT, filled=True, opacity=0.13)


def _point(x: float, y: float, series: int, *, chosen: bool) -> list[Shape]:
    mark = Mark(x, y, RADIUS, SIGNS[series % len(SIGNS)], INKS[series % len(INKS)])
    return [mark] if not chosen else [Mark(x, y, RADIUS * 2.2, MarkShape.DOT, Ink.SELECTION), mark]


def _legend(words: ScatterWords, with_band: bool, baseline: float, style: Style) -> list[Shape]:  # noqa: FBT001  # one flag of a private function
    shapes: list[Shape] = []
    x = RADIUS
    for number, name in enumerate(words.series.values()):
        shapes.append(Mark(x + RADIUS, baseline - RADIUS, RADIUS, SIGNS[number % len(SIGNS)], INKS[number % len(INKS)]))
        shapes.append(Label(x + 4 * RADIUS, baseline, name, style.small, Ink.MUTED))
        x += 4 * RADIUS + style.extent(name, style.small) + 18
    if with_band and x + 20 + style.extent(words.band, style.small) <= style.width:
        area = ((x, baseline - 9), (x + 14, baseline - 9), (x + 14, baseline), (x, baseline))
        shapes.append(Path(area, Ink.ACCENT, filled=True, opacity=0.13))
        shapes.append(Label(x + 20, baseline, words.band, style.small, Ink.MUTED))
    return shapes
