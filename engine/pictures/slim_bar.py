"""One memory bar without names, for narrow places: parts, headroom, band and capacity line."""

from __future__ import annotations

from engine.pictures.memory_bars import MemoryWords
from engine.pictures.palette import Ink
from engine.pictures.parts import PART_INKS, MemoryBar, MemoryPart
from engine.pictures.shapes import Line, Picture, Rect, Shape, Spot, Style

SPARE = 1.03


def slim_bar(bar: MemoryBar, words: MemoryWords, style: Style) -> Picture:
    """The bar over the whole width; the scale ends a little beyond capacity or need."""
    longest = max(bar.capacity_bytes, bar.high_bytes, bar.expected_bytes, 1) * SPARE
    scale = style.width / longest
    height, top = style.bar * 0.7, 4.0
    shapes: list[Shape] = [Rect(0, top, bar.capacity_bytes * scale, height, Ink.SUNKEN)]
    spots = [Spot(0, top, style.width, height, words.tip(bar, None))]
    x = 0.0
    for part in bar.parts:
        width = part.size_bytes * scale
        shapes.append(Rect(x, top, max(width - 1, width * 0.6), height, PART_INKS[part.part]))
        spots.append(Spot(x, top, max(width, 4), height, words.tip(bar, part.part)))
        x += width
    end = min((bar.expected_bytes + bar.headroom_bytes) * scale, style.width)
    if end > x:
        shapes.append(Rect(x, top, end - x, height, Ink.HEADROOM, hatched=True))
        spots.append(Spot(x, top, end - x, height, words.tip(bar, MemoryPart.HEADROOM)))
    line = bar.capacity_bytes * scale
    shapes.append(Line(line, top, line, top + height, Ink.SURFACE, width=5))
    shapes.append(Line(line, 0, line, top + height + 4, Ink.CAPACITY, width=2))
    if bar.high_bytes > bar.low_bytes:
        level = top + height + 3
        shapes.append(Line(bar.low_bytes * scale, level, bar.high_bytes * scale, level, Ink.TEXT))
        for size in (bar.low_bytes, bar.high_bytes):
            shapes.append(Line(size * scale, level - 2, size * scale, level + 2, Ink.TEXT))
    return Picture(style.width, top + height + 6, tuple(shapes), tuple(spots), words.description([bar]))
