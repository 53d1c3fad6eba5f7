"""The stacked memory bar per candidate: parts in fixed order, capacity line, hatched headroom, whisker of the band."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from engine.fit import Verdict
from engine.pictures.palette import Ink
from engine.pictures.parts import PART_INKS, VERDICT_INKS, VERDICT_MARKS, MemoryBar, MemoryPart
from engine.pictures.shapes import Anchor, Label, Line, Mark, Picture, Rect, Shape, Spot, Style, fitted

TITLE_SHARE = 0.26  # of the width, for the candidates' names
RESULT_SHARE = 0.16  # of the width, for verdict and free memory
SPARE = 1.03  # the axis ends a little beyond the longest bar


@dataclass(frozen=True, slots=True)
class MemoryWords:
    """The words and number formats of one language."""

    parts: Mapping[MemoryPart, str]
    verdicts: Mapping[Verdict, str]
    size: Callable[[int], str]  # bytes -> "72,2 GB"
    signed_size: Callable[[int], str]  # bytes -> "+31 GB"
    capacity: str  # e.g. "usable capacity"
    tip: Callable[[MemoryBar, MemoryPart | None], str]  # text on hover: a part, or the whole bar
    description: Callable[[Sequence[MemoryBar]], str]


@dataclass(frozen=True, slots=True)
class _Frame:
    """Where the columns of the picture are."""

    left: float
    width: float
    full_bytes: int

    def x(self, size_bytes: int) -> float:
        return self.left + self.width * min(size_bytes, self.full_bytes) / self.full_bytes

    def length(self, size_bytes: int) -> float:
        return self.width * size_bytes / self.full_bytes


def memory_bars(bars: Sequence[MemoryBar], words: MemoryWords, style: Style) -> Picture:
    """One row per bar on a common scale, then the legend of the parts that occur."""
    frame = _frame(bars, style)
    shapes: list[Shape] = []
    spots: list[Spot] = []
    y = style.small + style.gap
    row = max(style.bar, style.text + style.small * 1.4) + style.small * 1.4 + style.gap
    for bar in bars:
        _draw_bar(bar, y, frame, words, style, shapes, spots)
        y += row
    y = _draw_legend(bars, y, words, style, shapes)
    return Picture(style.width, y, tuple(shapes), tuple(spots), words.description(bars))


def _frame(bars: Sequence[MemoryBar], style: Style) -> _Frame:
    longest = max((max(bar.capacity_bytes, bar.high_bytes, bar.expected_bytes) for bar in bars), default=1)
    left = style.width * TITLE_SHARE
    return _Frame(left, style.width * (1 - TITLE_SHARE - RESULT_SHARE), max(1, round(longest * SPARE)))


def _draw_bar(
    bar: MemoryBar,
    y: float,
    frame: _Frame,
    words: MemoryWords,
    style: Style,
    shapes: list[Shape],
    spots: list[Spot],
) -> None:
    _draw_title(bar, y, frame, style, shapes)
    shapes.append(Rect(frame.left, y, frame.length(bar.capacity_bytes), style.bar, Ink.SUNKEN))
    spots.append(Spot(0, y, style.width, style.bar, words.tip(bar, None), bar.id))
    x = frame.left
    for part in bar.parts:
        width = frame.length(part.size_bytes)
        ink = PART_INKS[part.part]
        shapes.append(Rect(x, y, max(width - 1, width * 0.6), style.bar, ink))
        text = words.size(part.size_bytes)
        if style.extent(text, style.small) + 6 <= width:
            shapes.append(
                Label(
                    x + width / 2,
                    y + style.bar / 2 + style.small * 0.36,
                    text,
                    style.small,
                    on=ink,
                    anchor=Anchor.MIDDLE,
                )
            )
        spots.append(Spot(x, y, max(width, 4), style.bar, words.tip(bar, part.part), bar.id))
        x += width
    _draw_headroom(bar, x, y, frame, words, style, shapes, spots)
    _draw_whisker(bar, y, frame, style, shapes)
    _draw_capacity(bar, y, frame, words, style, shapes)
    _draw_result(bar, y, words, style, shapes)


def _draw_title(bar: MemoryBar, y: float, frame: _Frame, style: Style, shapes: list[Shape]) -> None:
    room = frame.left - style.gap
    if not bar.subtitle:
        baseline = y + style.bar / 2 + style.text * 0.36
        shapes.append(Label(0, baseline, fitted(bar.title, room, style.text, style), style.text))
        return
    first = y + style.bar / 2 - style.small * 0.25
    shapes.append(Label(0, first, fitted(bar.title, room, style.text, style), style.text))
    second = first + style.small * 1.35
    subtitle = fitted(bar.subtitle, room, style.small, style)
    shapes.append(Label(0, second, subtitle, style.small, Ink.MUTED))


def _draw_headroom(
    bar: MemoryBar,
    x: float,
    y: float,
    frame: _Frame,
    words: MemoryWords,
    style: Style,
    shapes: list[Shape],
    spots: list[Spot],
) -> None:
    end = frame.x(bar.expected_bytes + bar.headroom_bytes)
    if end - x < 1:
        return
    shapes.append(Rect(x, y, end - x, style.bar, Ink.HEADROOM, hatched=True))
    spots.append(Spot(x, y, end - x, style.bar, words.tip(bar, MemoryPart.HEADROOM), bar.id))


def _draw_whisker(bar: MemoryBar, y: float, frame: _Frame, style: Style, shapes: list[Shape]) -> None:
    """The band as a thin line under the bar, with a tick at the expected need."""
    if bar.high_bytes <= bar.low_bytes:
        return
    level = y + style.bar + 3
    shapes.append(Line(frame.x(bar.low_bytes), level, frame.x(bar.high_bytes), level, Ink.TEXT))
    for size in (bar.low_bytes, bar.high_bytes):
        shapes.append(Line(frame.x(size), level - 2, frame.x(size), level + 2, Ink.TEXT))


def _draw_capacity(
    bar: MemoryBar, y: float, frame: _Frame, words: MemoryWords, style: Style, shapes: list[Shape]
) -> None:
    x = frame.x(bar.capacity_bytes)
    shapes.append(Line(x, y, x, y + style.bar, Ink.SURFACE, width=5))  # a halo, for bars longer than the card
    shapes.append(Line(x, y - 3, x, y + style.bar + 3, Ink.CAPACITY, width=2))
    text = words.size(bar.capacity_bytes)
    half = style.extent(text, style.small) / 2
    middle = min(max(x, frame.left + half), frame.left + frame.width - half)
    shapes.append(Label(middle, y - 5, text, style.small, Ink.MUTED, Anchor.MIDDLE))


def _draw_result(bar: MemoryBar, y: float, words: MemoryWords, style: Style, shapes: list[Shape]) -> None:
    left = style.width * (1 - RESULT_SHARE) + style.gap / 2
    ink = VERDICT_INKS[bar.verdict]
    radius = style.small * 0.45
    middle = y + style.bar / 2
    first = middle - style.small * 0.25
    shapes.append(Mark(left + radius, first - style.text * 0.34, radius, VERDICT_MARKS[bar.verdict], ink))
    word_left = left + radius * 2 + 4
    room = style.width - word_left
    word = fitted(words.verdicts[bar.verdict], room, style.text, style)
    shapes.append(Label(word_left, first, word, style.text, ink))
    free = words.signed_size(bar.capacity_bytes - bar.expected_bytes)
    shapes.append(Label(left, first + style.small * 1.35, free, style.small, Ink.MUTED))


def _draw_legend(bars: Sequence[MemoryBar], y: float, words: MemoryWords, style: Style, shapes: list[Shape]) -> float:
    """The parts that occur, wrapped to the width; returns the bottom of the picture."""
    present = {part.part for bar in bars for part in bar.parts} | {MemoryPart.HEADROOM}
    x, baseline = 0.0, y + style.small
    box = style.small * 0.85
    entries = [(words.parts[part], part) for part in MemoryPart if part in present]
    for text, part in entries:
        width = box + 5 + style.extent(text, style.small) + style.gap
        if x + width - style.gap > style.width and x > 0:
            x, baseline = 0.0, baseline + style.small * 1.6
        shapes.append(Rect(x, baseline - box, box, box, PART_INKS[part], hatched=part is MemoryPart.HEADROOM))
        shapes.append(Label(x + box + 5, baseline, text, style.small, Ink.MUTED))
        x += width
    width = 8 + style.extent(words.capacity, style.small)
    if x + width > style.width:
        x, baseline = 0.0, baseline + style.small * 1.6
    shapes.append(Line(x + 2, baseline - box, x + 2, baseline + 1, Ink.CAPACITY, width=2))
    shapes.append(Label(x + 8, baseline, words.capacity, style.small, Ink.MUTED))
    return baseline + style.small * 0.6
