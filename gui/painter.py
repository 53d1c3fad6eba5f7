"""Draws the engine's pictures with QPainter; nothing is decided here but how a shape becomes pixels."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from engine.pictures.palette import text_on
from engine.pictures.shapes import (
    Anchor,
    Label,
    Line,
    Mark,
    MarkShape,
    Measure,
    Path,
    Picture,
    Rect,
    Shape,
)
from gui.theme import Theme

HATCH_STEP = 6.0


def measure_with(theme: Theme) -> Measure:
    """The width of a text in the theme's family, for laying pictures out."""

    metrics: dict[tuple[int, bool], QFontMetricsF] = {}
    widths: dict[tuple[str, int, bool], float] = {}

    def measure(text: str, size: float, bold: bool) -> float:  # noqa: FBT001  # the shape of `Measure`
        key = (text, round(size), bold)
        known = widths.get(key)
        if known is None:
            font = metrics.setdefault(key[1:], QFontMetricsF(theme.font(key[1], bold=bold)))
            known = widths[key] = font.horizontalAdvance(text)
        return known

    return measure


def paint(painter: QPainter, picture: Picture, theme: Theme) -> None:
    """Draw every shape in order."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
    for shape in picture.shapes:
        _draw(painter, shape, theme)


def _draw(painter: QPainter, shape: Shape, theme: Theme) -> None:
    match shape:
        case Rect():
            _rect(painter, shape, theme)
        case Line():
            painter.setPen(_pen(theme.colour(shape.ink), shape.width, shape.dash))
            painter.drawLine(QPointF(shape.x1, shape.y1), QPointF(shape.x2, shape.y2))
        case Path():
            _path(painter, shape, theme)
        case Label():
            _label(painter, shape, theme)
        case Mark():
            _mark(painter, shape, theme)


def _rect(painter: QPainter, shape: Rect, theme: Theme) -> None:
    area = QRectF(shape.x, shape.y, shape.width, shape.height)
    colour = theme.colour(shape.ink)
    if shape.hatched:
        _hatch(painter, area, colour)
        return
    painter.setPen(QPen(colour, 1.0) if shape.outlined else Qt.PenStyle.NoPen)
    painter.setBrush(Qt.BrushStyle.NoBrush if shape.outlined else QBrush(colour))
    if shape.radius:
        painter.drawRoundedRect(area, shape.radius, shape.radius)
    else:
        painter.drawRect(area)


def _hatch(painter: QPainter, area: QRectF, colour: QColor) -> None:
    painter.save()
    painter.setClipRect(area)
    painter.setPen(QPen(colour, 1.0))
    start = area.left() - area.height()
    while start < area.right():
        painter.drawLine(QPointF(start, area.bottom()), QPointF(start + area.height(), area.top()))
        start += HATCH_STEP
    painter.restore()
    painter.setPen(QPen(colour, 1.0))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(area)


def _path(painter: QPainter, shape: Path, theme: Theme) -> None:
    colour = theme.colour(shape.ink)
    points = QPolygonF([QPointF(x, y) for x, y in shape.points])
    if shape.filled:
        colour.setAlphaF(shape.opacity)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QBrush(colour))
        painter.drawPolygon(points)
        return
    pen = _pen(colour, shape.width, shape.dash)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolyline(points)


def _label(painter: QPainter, shape: Label, theme: Theme) -> None:
    font = theme.font(round(shape.size), bold=shape.bold)
    ink = shape.ink if shape.on is None else text_on(shape.on, dark=theme.dark)
    painter.setFont(font)
    painter.setPen(theme.colour(ink))
    width = QFontMetricsF(font).horizontalAdvance(shape.text)
    shift = {Anchor.START: 0.0, Anchor.MIDDLE: width / 2, Anchor.END: width}[shape.anchor]
    painter.drawText(QPointF(shape.x - shift, shape.y), shape.text)


def _mark(painter: QPainter, shape: Mark, theme: Theme) -> None:
    colour = theme.colour(shape.ink)
    centre, radius = QPointF(shape.x, shape.y), shape.radius
    area = QRectF(shape.x - radius, shape.y - radius, radius * 2, radius * 2)
    pen = QPen(colour, max(1.5, radius * 0.3))
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    filled = shape.shape in (MarkShape.FILLED, MarkShape.DOT)
    painter.setPen(pen)
    painter.setBrush(QBrush(colour) if filled else Qt.BrushStyle.NoBrush)
    if shape.shape is MarkShape.CROSS:
        painter.drawLine(area.topLeft(), area.bottomRight())
        painter.drawLine(area.bottomLeft(), area.topRight())
        return
    painter.drawEllipse(centre, radius, radius)
    if shape.shape is MarkShape.HALF:
        painter.setBrush(QBrush(colour))
        painter.drawPie(area, 90 * 16, 180 * 16)
    elif shape.shape is MarkShape.RING:
        sign = Label(shape.x, shape.y + radius * 0.65, "?", radius * 1.8, shape.ink, Anchor.MIDDLE, bold=True)
        _label(painter, sign, theme)


def _pen(colour: QColor, width: float, dash: tuple[float, ...]) -> QPen:
    pen = QPen(colour, width)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    if dash:
        pen.setDashPattern([length / max(width, 1.0) for length in dash])
    return pen
