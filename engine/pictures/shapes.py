"""The few shapes every picture is made of, and the picture itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from engine.pictures.palette import Ink

Measure = Callable[[str, float, bool], float]
"""Width of a text at a font size, regular or bold; the painter's own measure, so that labels never collide."""


class Anchor(StrEnum):
    """Which end of a label stands at its x."""

    START = "start"
    MIDDLE = "middle"
    END = "end"


class MarkShape(StrEnum):
    """The small signs that tell verdicts apart without colour."""

    FILLED = "filled"  # fits
    HALF = "half"  # tight
    RING = "ring"  # uncertain, with a question mark inside
    CROSS = "cross"  # does not fit
    DOT = "dot"  # a point of a chart


@dataclass(frozen=True, slots=True)
class Rect:
    """A filled rectangle; `hatched` draws diagonal lines on the bare ground instead of a fill."""

    x: float
    y: float
    width: float
    height: float
    ink: Ink
    hatched: bool = False
    radius: float = 0.0
    outlined: bool = False  # outline only


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line; `dash` alternates drawn and open lengths, empty is solid."""

    x1: float
    y1: float
    x2: float
    y2: float
    ink: Ink
    width: float = 1.0
    dash: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Path:
    """An open line through points, or a filled area when `filled`."""

    points: tuple[tuple[float, float], ...]
    ink: Ink
    width: float = 1.5
    dash: tuple[float, ...] = ()
    filled: bool = False
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Label:
    """Text with its baseline at y. Whoever places it has cut it to the room it has."""

    x: float
    y: float
    text: str
    size: float
    ink: Ink = Ink.TEXT
    anchor: Anchor = Anchor.START
    bold: bool = False
    on: Ink | None = None  # the filled ground it stands on: the painter picks the readable text colour


@dataclass(frozen=True, slots=True)
class Mark:
    """A small sign round a centre."""

    x: float
    y: float
    radius: float
    shape: MarkShape
    ink: Ink


Shape = Rect | Line | Path | Label | Mark


@dataclass(frozen=True, slots=True)
class Spot:
    """A place that answers: the text shown on hover, and a target the owner understands when it is clicked."""

    x: float
    y: float
    width: float
    height: float
    tip: str
    target: str = ""

    def holds(self, x: float, y: float) -> bool:
        """Whether a point lies inside."""
        return self.x <= x <= self.x + self.width and self.y <= y <= self.y + self.height


@dataclass(frozen=True, slots=True)
class Picture:
    """Shapes in drawing order, with the text that says the same to those who do not see it."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    spots: tuple[Spot, ...] = ()
    description: str = ""

    def spot_at(self, x: float, y: float) -> Spot | None:
        """The topmost place under a point."""
        return next((spot for spot in reversed(self.spots) if spot.holds(x, y)), None)


@dataclass(frozen=True, slots=True)
class Style:
    """Sizes of one medium. Lengths in the picture's unit; `measure` belongs to the medium's font."""

    width: float
    measure: Measure
    text: float = 13.0
    small: float = 11.0
    bar: float = 22.0
    gap: float = 12.0
    dark: bool = False

    def extent(self, text: str, size: float, *, bold: bool = False) -> float:
        """Width of a text in the picture's unit."""
        return self.measure(text, size, bold)


def fitted(text: str, room: float, size: float, style: Style, *, bold: bool = False) -> str:
    """The text, or its longest beginning with an ellipsis that has room; empty when not even that has."""
    if style.extent(text, size, bold=bold) <= room:
        return text
    for end in range(len(text) - 1, 0, -1):
        shortened = text[:end].rstrip() + "…"
        if style.extent(shortened, size, bold=bold) <= room:
            return shortened
    return ""
