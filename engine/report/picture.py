"""Draws a picture of `engine.pictures` on the paper: the same shapes the window shows."""

from __future__ import annotations

from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.pathobject import PDFPathObject
from reportlab.platypus import Flowable

from engine.pictures.palette import text_on
from engine.pictures.shapes import Anchor, Label, Line, Mark, MarkShape, Path, Picture, Rect, Shape
from engine.report.fonts import Family
from engine.report.style import colour
from engine.report.text import TextGuard

HATCH_STEP = 3.0


class PictureFlowable(Flowable):  # type: ignore[misc]  # reportlab carries no types
    """A picture in points, flipped: its coordinates run downwards, the page's upwards."""

    def __init__(self, picture: Picture, fonts: Family, guard: TextGuard, where: str) -> None:
        super().__init__()
        self._picture, self._fonts, self._guard, self._where = picture, fonts, guard, where

    def wrap(self, _width: float, _height: float) -> tuple[float, float]:
        """The picture's own size."""
        return self._picture.width, self._picture.height

    def draw(self) -> None:
        """Draw every shape in order."""
        canvas: Canvas = self.canv
        canvas.saveState()
        for shape in self._picture.shapes:
            if _lasts(shape):
                canvas.saveState()
                self._shape(canvas, shape)
                canvas.restoreState()
            else:
                self._shape(canvas, shape)
        canvas.restoreState()

    def _shape(self, canvas: Canvas, shape: Shape) -> None:
        match shape:
            case Rect():
                self._rect(canvas, shape)
            case Line():
                self._line(canvas, shape)
            case Path():
                self._path(canvas, shape)
            case Label():
                self._label(canvas, shape)
            case Mark():
                self._mark(canvas, shape)

    def _up(self, y: float) -> float:
        return self._picture.height - y

    def _rect(self, canvas: Canvas, shape: Rect) -> None:
        bottom = self._up(shape.y + shape.height)
        if shape.hatched:
            self._hatch(canvas, shape, bottom)
            return
        if shape.outlined:
            canvas.setStrokeColor(colour(shape.ink))
            canvas.setLineWidth(0.5)
        else:
            canvas.setFillColor(colour(shape.ink))
        ways = {"stroke": int(shape.outlined), "fill": int(not shape.outlined)}
        if shape.radius:
            canvas.roundRect(shape.x, bottom, shape.width, shape.height, shape.radius, **ways)
        else:
            canvas.drawPath(_square(canvas, shape, bottom), **ways)

    def _hatch(self, canvas: Canvas, shape: Rect, bottom: float) -> None:
        clip = canvas.beginPath()
        clip.rect(shape.x, bottom, shape.width, shape.height)
        canvas.setStrokeColor(colour(shape.ink))
        canvas.setLineWidth(0.5)
        canvas.rect(shape.x, bottom, shape.width, shape.height, stroke=1, fill=0)
        canvas.clipPath(clip, stroke=0, fill=0)
        strokes = canvas.beginPath()
        start = shape.x - shape.height
        while start < shape.x + shape.width:
            strokes.moveTo(start, bottom)
            strokes.lineTo(start + shape.height, bottom + shape.height)
            start += HATCH_STEP
        canvas.drawPath(strokes, stroke=1, fill=0)

    def _line(self, canvas: Canvas, shape: Line) -> None:
        canvas.setStrokeColor(colour(shape.ink))
        canvas.setLineWidth(shape.width * 0.75)
        if shape.dash:
            canvas.setDash(list(shape.dash))
        canvas.line(shape.x1, self._up(shape.y1), shape.x2, self._up(shape.y2))

    def _path(self, canvas: Canvas, shape: Path) -> None:
        if not shape.points:
            return
        path = canvas.beginPath()
        path.moveTo(shape.points[0][0], self._up(shape.points[0][1]))
        for x, y in shape.points[1:]:
            path.lineTo(x, self._up(y))
        canvas.setFillColor(colour(shape.ink), alpha=shape.opacity)
        canvas.setStrokeColor(colour(shape.ink))
        canvas.setLineWidth(shape.width * 0.75)
        if shape.dash:
            canvas.setDash(list(shape.dash))
        canvas.drawPath(path, stroke=int(not shape.filled), fill=int(shape.filled))

    def _label(self, canvas: Canvas, shape: Label) -> None:
        ink = shape.ink if shape.on is None else text_on(shape.on, dark=False)
        canvas.setFillColor(colour(ink))
        canvas.setFont(self._fonts.bold if shape.bold else self._fonts.regular, shape.size)
        text = self._guard.line(shape.text, self._where)
        y = self._up(shape.y)
        match shape.anchor:
            case Anchor.START:
                canvas.drawString(shape.x, y, text)
            case Anchor.MIDDLE:
                canvas.drawCentredString(shape.x, y, text)
            case Anchor.END:
                canvas.drawRightString(shape.x, y, text)

    def _mark(self, canvas: Canvas, shape: Mark) -> None:
        """The verdict's sign: filled, half, ring with a question mark, or cross."""
        x, y, radius = shape.x, self._up(shape.y), shape.radius
        canvas.setStrokeColor(colour(shape.ink))
        canvas.setFillColor(colour(shape.ink))
        canvas.setLineWidth(1.0)
        match shape.shape:
            case MarkShape.FILLED | MarkShape.DOT:
                canvas.circle(x, y, radius, stroke=0, fill=1)
            case MarkShape.HALF:
                canvas.wedge(x - radius, y - radius, x + radius, y + radius, 90, 180, stroke=0, fill=1)
                canvas.circle(x, y, radius, stroke=1, fill=0)
            case MarkShape.RING:
                canvas.circle(x, y, radius, stroke=1, fill=0)
                canvas.setFont(self._fonts.bold, radius * 1.5)
                canvas.drawCentredString(x, y - radius * 0.53, "?")
            case MarkShape.CROSS:
                canvas.line(x - radius, y - radius, x + radius, y + radius)
                canvas.line(x - radius, y + radius, x + radius, y - radius)


def _square(canvas: Canvas, shape: Rect, bottom: float) -> PDFPathObject:
    """A rectangle whose last edge is drawn as a curve.

    Viewers move the edges of what they know for a rectangle to whole pixels, and the thin gaps between parts disappear.
    """
    right, top = shape.x + shape.width, bottom + shape.height
    path = canvas.beginPath()
    path.moveTo(shape.x, bottom)
    path.lineTo(right, bottom)
    path.lineTo(right, top)
    path.lineTo(shape.x, top)
    path.curveTo(shape.x, top, shape.x, bottom, shape.x, bottom)
    path.close()
    return path


def _lasts(shape: Shape) -> bool:
    """Whether a shape leaves a clip, a dash or an opacity behind; colours and widths are set by every shape anew."""
    match shape:
        case Rect():
            return shape.hatched
        case Line():
            return bool(shape.dash)
        case Path():
            return bool(shape.dash) or shape.opacity != 1
        case _:
            return False
