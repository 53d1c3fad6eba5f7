"""Cost per run against hours per run: one point per plan, whiskers for the bands, the front joined by a line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from engine.frontier import PlanPoint
from engine.pictures.axes import Plot, Scale, draw_bottom_axis, draw_left_axis, left_room, round_ticks, round_up
from engine.pictures.palette import Ink
from engine.pictures.shapes import Label, Line, Mark, MarkShape, Path, Picture, Shape, Spot, Style

RIGHT, BOTTOM, HEIGHT = 24.0, 44.0, 320.0
RADIUS, SMALL_RADIUS = 6.0, 4.0


@dataclass(frozen=True, slots=True)
class ParetoWords:
    """The words and formats of one language."""

    hours: Callable[[float], str]
    money: Callable[[Decimal], str]
    name: Callable[[PlanPoint], str]
    tip: Callable[[PlanPoint], str]
    hours_title: str
    money_title: str
    description: str


def pareto_chart(points: Sequence[PlanPoint], chosen_id: str, words: ParetoWords, style: Style) -> Picture:
    """Left and low is better. Plans off the front are small and quiet."""
    top = round_up(max(float(p.cost.expected.amount) for p in points) * 1.05)
    values = round_ticks(0, top)

    def amount(value: float) -> str:
        return words.money(Decimal(round(value)))

    plot = Plot(left_room(values, amount, style), 24, style.width - RIGHT, HEIGHT - BOTTOM)
    horizontal = Scale(0, round_up(max(p.hours.expected for p in points) * 1.05), plot.left, plot.right)
    vertical = Scale(0, top, plot.bottom, plot.top)
    shapes: list[Shape] = draw_left_axis(plot, vertical, values, amount, style)
    shapes += draw_bottom_axis(
        plot, horizontal, round_ticks(0, horizontal.high, 8), words.hours, style, words.hours_title
    )
    shapes.append(Label(0, style.small, words.money_title, style.small, Ink.MUTED))
    front = sorted((p for p in points if p.on_front), key=lambda p: p.hours.expected)
    places = [_place(p, horizontal, vertical) for p in front]
    if len(places) > 1:
        shapes.append(Path(tuple(places), Ink.ACCENT, 1.5, (5, 3)))
    spots: list[Spot] = []
    taken = [_box(*_place(p, horizontal, vertical)) for p in points]
    for point in sorted(points, key=lambda p: (p.plan.id == chosen_id, p.on_front)):
        shapes += _point(point, chosen_id, horizontal, vertical, spots, words)
    named = [p for p in points if p.on_front or p.plan.id == chosen_id]
    for point in sorted(named, key=lambda p: p.plan.id != chosen_id):
        shapes += _name(point, chosen_id, _place(point, horizontal, vertical), taken, words, style)
    return Picture(style.width, HEIGHT, tuple(shapes), tuple(spots), words.description)


def _box(x: float, y: float) -> tuple[float, float, float, float]:
    return (x - SMALL_RADIUS, y - SMALL_RADIUS, x + SMALL_RADIUS, y + SMALL_RADIUS)


def _place(point: PlanPoint, horizontal: Scale, vertical: Scale) -> tuple[float, float]:
    return horizontal.at(point.hours.expected), vertical.at(float(point.cost.expected.amount))


def _point(
    point: PlanPoint, chosen_id: str, horizontal: Scale, vertical: Scale, spots: list[Spot], words: ParetoWords
) -> list[Shape]:
    x, y = _place(point, horizontal, vertical)
    chosen = point.plan.id == chosen_id
    ink = Ink.ACCENT if point.on_front or chosen else Ink.MUTED
    shapes: list[Shape] = []
    if point.on_front or chosen:
        whisker = Ink.ACCENT if chosen else Ink.MUTED
        shapes.append(Line(horizontal.at(point.hours.low), y, horizontal.at(point.hours.high), y, whisker))
        low, high = (vertical.at(float(end.amount)) for end in (point.cost.low, point.cost.high))
        shapes.append(Line(x, low, x, high, whisker))
    radius = RADIUS if chosen else SMALL_RADIUS
    shape = MarkShape.DOT if point.on_front or chosen else MarkShape.CROSS
    shapes.append(Mark(x, y, radius if shape is MarkShape.DOT else radius * 0.7, shape, ink))
    spots.append(Spot(x - 9, y - 9, 18, 18, words.tip(point), point.plan.id))
    return shapes


def _name(
    point: PlanPoint,
    chosen_id: str,
    place: tuple[float, float],
    taken: list[tuple[float, float, float, float]],
    words: ParetoWords,
    style: Style,
) -> list[Shape]:
    """The plan's name beside its point, on the first side where it collides with nothing; else left out."""
    bold = point.plan.id == chosen_id
    text = words.name(point)
    width, height = style.extent(text, style.small, bold=bold), style.small * 1.3
    x, y = place
    for left, baseline in (
        (x + 10, y - 6),
        (x + 10, y + style.small + 6),
        (x - 10 - width, y - 6),
        (x - 10 - width, y + style.small + 6),
    ):
        box = (left, baseline - style.small, left + width, baseline - style.small + height)
        inside = box[0] >= 0 and box[2] <= style.width and box[1] >= 0 and box[3] <= HEIGHT - BOTTOM
        if inside and not any(_overlap(box, other) for other in taken):
            taken.append(box)
            return [Label(left, baseline, text, style.small, Ink.TEXT, bold=bold)]
    return []


def _overlap(first: tuple[float, float, float, float], second: tuple[float, float, float, float]) -> bool:
    return first[0] < second[2] and second[0] < first[2] and first[1] < second[3] and second[1] < first[3]
