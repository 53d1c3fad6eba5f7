"""Every shape of a picture arrives on the paper where and as it was described: seen in the rendered page."""

from __future__ import annotations

from io import BytesIO

import pypdfium2
import pytest
from reportlab.pdfgen.canvas import Canvas

from engine.pictures.palette import Ink
from engine.pictures.shapes import Anchor, Label, Line, Mark, MarkShape, Path, Picture, Rect, Shape
from engine.report.fonts import Family
from engine.report.picture import PictureFlowable
from engine.report.text import TextGuard

SIZE = 100
FONTS = Family("Helvetica", "Helvetica-Bold", frozenset(range(32, 127)))


def _seen(*shapes: Shape, scale: int = 1) -> list[list[bool]]:
    """Dark points of the page, rows from the top, `scale` to a unit of the picture."""
    stream = BytesIO()
    canvas = Canvas(stream, pagesize=(SIZE, SIZE))
    picture = PictureFlowable(Picture(SIZE, SIZE, shapes, (), ""), FONTS, TextGuard(FONTS.characters), "test")
    assert picture.wrap(0, 0) == (SIZE, SIZE)
    picture.canv = canvas
    picture.draw()
    canvas.save()
    document = pypdfium2.PdfDocument(stream.getvalue())
    bitmap = document[0].render(scale=scale, grayscale=True).to_numpy()
    document.close()
    return [[bool(bitmap[y][x].min() < 200) for x in range(SIZE * scale)] for y in range(SIZE * scale)]


def _share(seen: list[list[bool]], left: int, top: int, right: int, bottom: int) -> float:
    """Dark part of an area."""
    area = [seen[y][x] for y in range(top, bottom) for x in range(left, right)]
    return sum(area) / len(area)


@pytest.mark.parametrize("radius", [0.0, 4.0])
def test_that_a_filled_rectangle_fills_its_place_and_an_outline_only_its_edge(radius: float) -> None:
    filled = _seen(Rect(10, 20, 30, 40, Ink.TEXT, radius=radius))
    assert _share(filled, 15, 25, 35, 55) == 1
    assert _share(filled, 45, 0, 100, 100) == _share(filled, 0, 65, 100, 100) == 0
    outlined = _seen(Rect(10, 20, 30, 40, Ink.TEXT, radius=radius, outlined=True))
    assert _share(outlined, 15, 25, 35, 55) == 0
    assert 0 < _share(outlined, 8, 18, 42, 62) < 0.3


def test_that_a_hatched_rectangle_is_neither_full_nor_empty_and_stays_in_its_place() -> None:
    seen = _seen(Rect(10, 20, 30, 40, Ink.TEXT, hatched=True), Rect(60, 20, 30, 40, Ink.TEXT), scale=4)
    assert 0.1 < _share(seen, 48, 88, 152, 232) < 0.9
    assert _share(seen, 168, 0, 232, 400) == 0
    assert _share(seen, 248, 88, 352, 232) == 1, "the clip of the first does not hold for the second"


def test_that_lines_run_between_their_ends_and_dashes_leave_gaps() -> None:
    solid = _seen(Line(10, 30, 90, 30, Ink.TEXT, width=4))
    assert all(solid[30][x] or solid[29][x] for x in range(12, 88))
    assert _share(solid, 0, 40, 100, 100) == 0
    dashed = _seen(Line(10, 30, 90, 30, Ink.TEXT, width=4, dash=(10, 10)), Line(10, 70, 90, 70, Ink.TEXT, width=4))
    assert 0.3 < sum(dashed[30][x] for x in range(10, 90)) / 80 < 0.7
    assert all(dashed[70][x] or dashed[69][x] for x in range(12, 88)), "the next line is whole again"


def test_that_a_path_is_a_line_or_an_area() -> None:
    corners = ((10.0, 10.0), (90.0, 10.0), (90.0, 90.0))
    assert _share(_seen(Path(corners, Ink.TEXT, filled=True)), 60, 15, 85, 40) == 1
    assert _share(_seen(Path(corners, Ink.TEXT)), 60, 15, 85, 40) == 0
    assert (
        0
        < _share(_seen(Path(corners, Ink.TEXT, dash=(4, 4))), 5, 5, 95, 15)
        < _share(_seen(Path(corners, Ink.TEXT)), 5, 5, 95, 15)
    )
    assert _share(_seen(Path(corners, Ink.TEXT, filled=True, opacity=0.1)), 60, 15, 85, 40) == 0, "a faint area"
    assert _share(_seen(Path((), Ink.TEXT)), 0, 0, 100, 100) == 0


@pytest.mark.parametrize(
    ("anchor", "left", "right"), [(Anchor.START, 50, 80), (Anchor.MIDDLE, 35, 65), (Anchor.END, 20, 50)]
)
def test_that_a_label_stands_at_its_anchor(anchor: Anchor, left: int, right: int) -> None:
    seen = _seen(Label(50, 50, "HHHH", 10, anchor=anchor, bold=True))
    columns = [x for x in range(SIZE) if any(seen[y][x] for y in range(SIZE))]
    assert left <= min(columns)
    assert max(columns) <= right
    rows = [y for y in range(SIZE) if any(seen[y])]
    assert 40 <= min(rows) < max(rows) <= 50


def test_that_a_label_on_a_dark_ground_is_light() -> None:
    seen = _seen(Rect(0, 0, 100, 100, Ink.TEXT), Label(50, 60, "HHHH", 30, on=Ink.WEIGHTS, anchor=Anchor.MIDDLE))
    assert _share(seen, 0, 0, 100, 100) < 1


def test_that_the_signs_of_the_verdicts_differ() -> None:
    def sign(shape: MarkShape) -> list[list[bool]]:
        return _seen(Mark(50, 50, 30, shape, Ink.TEXT))

    assert _share(sign(MarkShape.FILLED), 40, 40, 60, 60) == _share(sign(MarkShape.DOT), 40, 40, 60, 60) == 1
    half = sign(MarkShape.HALF)
    assert _share(half, 30, 40, 45, 60) == 1
    assert _share(half, 55, 40, 70, 60) == 0
    ring = sign(MarkShape.RING)
    assert 0 < _share(ring, 40, 30, 60, 70) < 0.6, "a question mark"
    cross = sign(MarkShape.CROSS)
    assert _share(cross, 45, 20, 55, 35) == 0
    assert any(cross[50][x] for x in range(48, 53))
