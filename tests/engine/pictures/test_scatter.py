"""The scatter plot as numbers: points where they belong, the band round the line, nothing outside the picture."""

from __future__ import annotations

import pytest

from engine.pictures.scatter import Band, ScatterPoint, ScatterWords, log_ticks, scatter
from engine.pictures.shapes import Label, Line, Mark, Path, Picture, Style

WORDS = ScatterWords(str, "measured", "estimated", {"lora": "LoRA", "full": "Full"}, "band", "what is seen")
STYLE = Style(width=500, measure=lambda text, size, _bold: len(text) * size * 0.55)


def draw(*values: tuple[float, float], band: Band | None = None) -> Picture:
    points = [ScatterPoint(str(n), x, y, "lora", f"tip {n}") for n, (x, y) in enumerate(values)]
    return scatter(points, band, WORDS, STYLE)


def marks(picture: Picture) -> list[Mark]:
    """The points; the legend's two signs come last."""
    return [shape for shape in picture.shapes if isinstance(shape, Mark)][:-2]


def test_that_an_exact_estimate_lies_on_the_line_of_agreement() -> None:
    picture = draw((10, 10), (40, 40), (20, 30))
    line = next(shape for shape in picture.shapes if isinstance(shape, Line) and shape.dash)
    slope = (line.y2 - line.y1) / (line.x2 - line.x1)
    for mark in marks(picture)[:2]:
        assert mark.y == pytest.approx(line.y1 + slope * (mark.x - line.x1))
    above = marks(picture)[2]
    assert above.y < line.y1 + slope * (above.x - line.x1)  # estimated too high stands above


def test_that_equal_ratios_have_equal_distances() -> None:
    first, second, third = marks(draw((10, 10), (20, 20), (40, 40)))
    assert second.x - first.x == pytest.approx(third.x - second.x)


def test_that_every_point_answers_with_its_tip_and_id() -> None:
    picture = draw((10, 12), (100, 90))
    for spot, mark in zip(picture.spots, marks(picture), strict=True):
        assert picture.spot_at(mark.x, mark.y) == spot
    assert [(spot.tip, spot.target) for spot in picture.spots] == [("tip 0", "0"), ("tip 1", "1")]


def test_that_the_band_is_drawn_round_the_line() -> None:
    picture = draw((10, 10), (100, 100), band=Band(-0.2, 0.3))
    area = next(shape for shape in picture.shapes if isinstance(shape, Path) and shape.filled)
    xs, ys = [x for x, _ in area.points], [y for _, y in area.points]
    for x, y in area.points:
        assert 0 <= x <= picture.width
        assert 0 <= y <= picture.height
    assert max(xs) - min(xs) > 300
    assert max(ys) - min(ys) > 150
    assert any(isinstance(shape, Label) and shape.text == "band" for shape in picture.shapes)


def test_that_nothing_stands_outside_the_picture() -> None:
    picture = draw((0.5, 700), (900, 0.6))
    for shape in picture.shapes:
        if isinstance(shape, Mark):
            assert 0 <= shape.x <= picture.width
            assert 0 <= shape.y <= picture.height
        if isinstance(shape, Label):
            assert 0 <= shape.y <= picture.height


def test_that_ticks_are_one_two_and_five_times_powers_of_ten() -> None:
    assert log_ticks(3.5, 120) == [5, 10, 20, 50, 100]


def test_that_one_single_point_can_be_drawn() -> None:
    assert marks(draw((24.0, 23.0)))
