"""Axes with round ticks, linear or by powers of two, and the frame charts are drawn in."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.pictures.palette import Ink
from engine.pictures.shapes import Anchor, Label, Line, Shape, Style

NICE = (1.0, 2.0, 2.5, 5.0, 10.0)
ENDS = (1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)


@dataclass(frozen=True, slots=True)
class Scale:
    """Maps values to positions. `logarithmic` needs positive ends."""

    low: float
    high: float
    start: float  # position of `low`
    end: float  # position of `high`
    logarithmic: bool = False

    def at(self, value: float) -> float:
        """The position of a value; values outside stand at the nearer end."""
        bounded = min(max(value, self.low), self.high)
        share = self._share(bounded)
        return self.start + share * (self.end - self.start)

    def _share(self, value: float) -> float:
        if self.high == self.low:
            return 0.0
        if self.logarithmic:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)


def round_ticks(low: float, high: float, most: int = 6) -> list[float]:
    """At most about `most` round values between the ends, steps of 1, 2, 2.5 or 5 times a power of ten."""
    if high <= low:
        return [low]
    raw = (high - low) / max(1, most - 1)
    power = math.pow(10, math.floor(math.log10(raw)))
    step = next(nice * power for nice in NICE if nice * power >= raw * (1 - 1e-9))
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [index * step for index in range(first, last + 1)]


def round_up(value: float) -> float:
    """The next round number, for the end of an axis."""
    if value <= 0:
        return 1.0
    power = math.pow(10, math.floor(math.log10(value)))
    return next(end * power for end in ENDS if end * power >= value * (1 - 1e-9))


def doubling_ticks(low: int, high: int, most: int = 9) -> list[int]:
    """Powers of two between the ends, thinned to at most `most`."""
    first, last = math.ceil(math.log2(max(1, low))), math.floor(math.log2(max(1, high)))
    every = max(1, math.ceil((last - first + 1) / most))
    return [2**exponent for exponent in range(first, last + 1, every)]


@dataclass(frozen=True, slots=True)
class Plot:
    """The area between the axes, top left and bottom right."""

    left: float
    top: float
    right: float
    bottom: float


def left_room(ticks: Sequence[float], word: Callable[[float], str], style: Style) -> float:
    """The room the values of the left axis take, with the gap to the plot."""
    return max(style.extent(word(tick), style.small) for tick in ticks) + 8


def draw_left_axis(
    plot: Plot, scale: Scale, ticks: Sequence[float], word: Callable[[float], str], style: Style
) -> list[Shape]:
    """Quiet horizontal lines with their values to the left."""
    shapes: list[Shape] = []
    for tick in ticks:
        y = scale.at(tick)
        shapes.append(Line(plot.left, y, plot.right, y, Ink.LINE))
        shapes.append(Label(plot.left - 6, y + style.small * 0.36, word(tick), style.small, Ink.MUTED, Anchor.END))
    return shapes


def draw_bottom_axis(
    plot: Plot, scale: Scale, ticks: Sequence[float], word: Callable[[float], str], style: Style, title: str
) -> list[Shape]:
    """Values below the plot; those that would collide with the one before are left out."""
    shapes: list[Shape] = [Line(plot.left, plot.bottom, plot.right, plot.bottom, Ink.MUTED)]
    free_from = -math.inf
    for tick in ticks:
        x, text = scale.at(tick), word(tick)
        half = style.extent(text, style.small) / 2
        shapes.append(Line(x, plot.bottom, x, plot.bottom + 4, Ink.MUTED))
        if x - half < free_from or x + half > style.width:
            continue
        baseline = plot.bottom + 6 + style.small
        shapes.append(Label(x, baseline, text, style.small, Ink.MUTED, Anchor.MIDDLE))
        free_from = x + half + 8
    baseline = plot.bottom + 8 + style.small * 2.3
    shapes.append(Label(plot.right, baseline, title, style.small, Ink.MUTED, Anchor.END))
    return shapes
