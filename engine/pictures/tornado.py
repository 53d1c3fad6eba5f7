"""What moves the answer most: savings of buying over the horizon at both ends of each input, widest first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from engine.cost.sensitivity import Swing
from engine.pictures.axes import Scale, round_ticks
from engine.pictures.palette import Ink
from engine.pictures.shapes import Anchor, Label, Line, Picture, Rect, Shape, Spot, Style, fitted

NAME_SHARE, WIDEST_NAMES = 0.28, 0.45  # of the picture's width; names that need more may take up to the latter
ROW_GAP = 10.0
MOST_ROWS = 10
POSITIVE, NEGATIVE = Ink.SERIES_1, Ink.SERIES_2


@dataclass(frozen=True, slots=True)
class TornadoWords:
    """The words and formats of one language."""

    name: Callable[[Swing], str]
    money: Callable[[Decimal], str]
    tip: Callable[[Swing], str]
    title: str  # "Saving by buying, over 3 years"
    description: str


def tornado_chart(swings: Sequence[Swing], words: TornadoWords, style: Style) -> Picture:
    """Bars from the saving at the low end to that at the high end; right of zero buying is cheaper."""
    shown = sorted(swings, key=lambda swing: swing.width, reverse=True)[:MOST_ROWS]
    ends = [float(end.amount) for swing in shown for end in (swing.saving_at_low, swing.saving_at_high)]
    names = [style.extent(words.name(swing), style.text, bold=swing.flips) + 12 for swing in shown]
    left = min(max(style.width * NAME_SHARE, *names, 0), style.width * WIDEST_NAMES)
    right = style.width - 12
    spread = max(max(ends, default=1), 0) - min(min(ends, default=0), 0) or 1
    scale = Scale(min(*ends, 0) - spread * 0.04, max(*ends, 0) + spread * 0.04, left, right)
    top = style.small * 2.6
    bottom = top + len(shown) * (style.bar + ROW_GAP)
    shapes: list[Shape] = [Label(right, style.small, words.title, style.small, Ink.MUTED, Anchor.END)]
    free_from = left - 100
    for tick in round_ticks(scale.low, scale.high, 6):
        x, text = scale.at(tick), words.money(Decimal(round(tick)))
        half = style.extent(text, style.small) / 2
        shapes.append(Line(x, top, x, bottom, Ink.LINE))
        if x - half > free_from and x + half < style.width:
            shapes.append(Label(x, top - 6, text, style.small, Ink.MUTED, Anchor.MIDDLE))
            free_from = x + half + 8
    spots: list[Spot] = []
    y = top + ROW_GAP / 2
    for swing in shown:
        shapes += _bar(swing, y, scale, left, words, style)
        spots.append(Spot(0, y, style.width, style.bar, words.tip(swing)))
        y += style.bar + ROW_GAP
    zero = scale.at(0)
    shapes.append(Line(zero, top, zero, bottom, Ink.TEXT, 1.5))
    return Picture(style.width, bottom + 4, tuple(shapes), tuple(spots), words.description)


def _bar(swing: Swing, y: float, scale: Scale, left: float, words: TornadoWords, style: Style) -> list[Shape]:
    zero = scale.at(0)
    start, end = sorted((scale.at(float(swing.saving_at_low.amount)), scale.at(float(swing.saving_at_high.amount))))
    name = fitted(words.name(swing), left - 12, style.text, style, bold=swing.flips)
    baseline = y + style.bar / 2 + style.text * 0.36
    shapes: list[Shape] = [Label(0, baseline, name, style.text, bold=swing.flips)]
    if start < zero:
        shapes.append(Rect(start, y, max(min(end, zero) - start, 1), style.bar, NEGATIVE))
    if end > zero:
        begin = max(start, zero)
        shapes.append(Rect(begin, y, max(end - begin, 1), style.bar, POSITIVE))
    return shapes
