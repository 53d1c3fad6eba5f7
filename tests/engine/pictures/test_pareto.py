"""Cost against hours: points at their figures, the front joined, whiskers as wide as the band, no colliding names."""

from __future__ import annotations

import itertools
from dataclasses import replace
from decimal import Decimal
from types import SimpleNamespace
from typing import Any, cast

import pytest

from engine.fit import Verdict
from engine.frontier import PlanPoint
from engine.pictures.axes import Scale, round_ticks, round_up
from engine.pictures.memory_bars import memory_bars
from engine.pictures.palette import Ink
from engine.pictures.pareto import RADIUS, SMALL_RADIUS, ParetoWords, pareto_chart
from engine.pictures.parts import MemoryBar, MemoryPart, PartBytes
from engine.pictures.serving_bar import serving_bar
from engine.pictures.shapes import Label, Line, Mark, MarkShape, Path, Picture, Rect
from engine.plan.types import Plan
from engine.units import FloatBand, Money, MoneyBand
from engine.wording.pictures import memory_words
from engine.wording.serving_bar import serving_bar_words
from resources import translations
from tests.engine.pictures.boxes import clipped, colliding, style

WORDS = ParetoWords(
    hours=lambda value: f"{value:g} h",
    money=lambda value: f"{value} EUR",
    name=lambda point: point.plan.id,
    tip=lambda point: f"tip of {point.plan.id}",
    hours_title="Hours",
    money_title="Cost",
    description="what is seen",
)


def _point(name: str, hours: float, cost: int, *, front: bool) -> PlanPoint:
    def euro(amount: int) -> Money:
        return Money(Decimal(amount), "EUR")

    plan = cast("Plan", SimpleNamespace(id=name))
    band = MoneyBand(euro(cost - 10), euro(cost), euro(cost + 20))
    return PlanPoint(plan, FloatBand(hours * 0.8, hours, hours * 1.5), band, front)


POINTS = (
    _point("fast", 2, 400, front=True),
    _point("middle", 5, 200, front=True),
    _point("cheap", 10, 100, front=True),
    _point("beaten", 12, 350, front=False),
)


def _marks(picture: Picture) -> dict[tuple[float, float], Mark]:
    return {(round(shape.x, 3), round(shape.y, 3)): shape for shape in picture.shapes if isinstance(shape, Mark)}


def test_that_the_front_is_joined_from_fast_to_cheap_and_beaten_plans_are_quiet() -> None:
    picture = pareto_chart(POINTS, "middle", WORDS, style())
    (front,) = [shape for shape in picture.shapes if isinstance(shape, Path)]
    assert [x for x, _ in front.points] == sorted(x for x, _ in front.points)
    assert [y for _, y in front.points] == sorted(y for _, y in front.points), "cheaper is lower, so further down"
    marks = list(_marks(picture).values())
    assert sorted(mark.shape.value for mark in marks) == ["cross", "dot", "dot", "dot"]
    assert sorted(round(mark.radius, 2) for mark in marks) == [round(SMALL_RADIUS * 0.7, 2), 4.0, 4.0, RADIUS]
    assert next(mark for mark in marks if mark.shape is MarkShape.CROSS).ink is Ink.MUTED
    assert {(spot.tip, spot.target) for spot in picture.spots} == {
        (f"tip of {point.plan.id}", point.plan.id) for point in POINTS
    }
    assert not clipped(picture)
    assert not colliding(picture)


# Ten hours of the axis' fifteen lie at two thirds of it; 12 h x 1.05 = 12.6 rounds up to 15.
def test_that_points_stand_at_their_figures() -> None:
    picture = pareto_chart(POINTS, "middle", WORDS, style())
    marks = sorted(_marks(picture).values(), key=lambda mark: mark.x)
    assert round_up(12 * 1.05) == 15
    steps = [second.x - first.x for first, second in itertools.pairwise(marks)]
    assert [step / steps[0] for step in steps] == pytest.approx([1, 5 / 3, 2 / 3])  # 2, 5, 10, 12 hours
    heights = [marks[0].y - mark.y for mark in marks]
    assert [height / heights[2] for height in heights[1:]] == pytest.approx([2 / 3, 1, 1 / 6])  # 400, 200, 100, 350


def test_that_the_chosen_plan_has_whiskers_as_wide_as_its_band_even_off_the_front() -> None:
    picture = pareto_chart(POINTS, "beaten", WORDS, style())
    chosen = next(mark for mark in _marks(picture).values() if mark.radius == RADIUS)
    assert chosen.shape is MarkShape.DOT
    whiskers = [line for line in picture.shapes if isinstance(line, Line) and line.ink is Ink.ACCENT]
    across = next(line for line in whiskers if line.y1 == line.y2)
    up = next(line for line in whiskers if line.x1 == line.x2)
    # 9.6 to 18 hours around 12, the upper end past the axis; 340 to 370 around 350
    assert chosen.x - across.x1 > 0
    assert (up.y1 - chosen.y) / (chosen.y - up.y2) == pytest.approx(10 / 20)
    names = {label.text: label.bold for label in picture.shapes if isinstance(label, Label)}
    assert names["beaten"] is True
    assert names["fast"] is False


def test_that_a_single_plan_has_no_line_and_crowded_names_are_left_out() -> None:
    alone = pareto_chart(POINTS[:1], "fast", WORDS, style())
    assert not [shape for shape in alone.shapes if isinstance(shape, Path)]
    crowd = [_point(f"a plan with a long name {n}", 5 + n / 1000, 200, front=True) for n in range(12)]
    picture = pareto_chart(crowd, crowd[0].plan.id, WORDS, style(420.0))
    named = [label.text for label in picture.shapes if isinstance(label, Label) and "long name" in label.text]
    assert crowd[0].plan.id in named
    assert len(named) < len(crowd)
    assert not colliding(picture)


NAMES = {"weights": "Weights", "cache": "Cache", "graphs": "Graphs", "reserve": "Left alone", "adapters": "Adapters"}


def test_that_a_serving_bar_shares_its_width_and_leaves_out_what_is_empty() -> None:
    parts = [("weights", 60), ("adapters", 0), ("cache", 30), ("graphs", 1), ("reserve", 9)]
    picture = serving_bar(parts, NAMES, lambda size: f"{size} GB", style(600.0))
    bars = [shape for shape in picture.shapes if isinstance(shape, Rect) and shape.y == 0][1:]
    assert [bar.x for bar in bars] == pytest.approx([0, 360, 540, 546])
    assert [bar.hatched for bar in bars] == [False, False, False, True]
    assert [spot.tip for spot in picture.spots] == [
        "Weights: 60 GB",
        "Cache: 30 GB",
        "Graphs: 1 GB",
        "Left alone: 9 GB",
    ]
    inside = [label.text for label in picture.shapes if isinstance(label, Label) and label.y < style().bar]
    assert inside == ["60 GB", "30 GB"], "neither where there is no room nor on the hatched part"
    assert picture.description == "; ".join(spot.tip for spot in picture.spots)
    assert not clipped(picture)


def test_that_the_legend_of_a_serving_bar_goes_on_in_the_next_line() -> None:
    parts = [("weights", 60), ("adapters", 5), ("cache", 30), ("graphs", 1), ("reserve", 9)]
    wide, narrow = (serving_bar(parts, NAMES, lambda size: f"{size} GB", style(width)) for width in (1200.0, 200.0))
    assert narrow.height > wide.height
    assert not clipped(narrow)
    assert serving_bar([], NAMES, str, style()).spots == ()


def _bar(**changes: Any) -> MemoryBar:
    parts = (PartBytes(MemoryPart.WEIGHTS, 60), PartBytes(MemoryPart.OPTIMISER, 30))
    plain = MemoryBar("a", "H200", "serves", parts, 90, 90, 90, 9, 141, Verdict.FITS)
    return replace(plain, **changes)


@pytest.mark.parametrize(("language", "cache"), [("en", "30 GB of it for keys"), ("de", "davon 30 GB")])
def test_that_the_words_of_a_served_card_name_its_cache(language: str, cache: str) -> None:
    words = serving_bar_words(translations(language), lambda size: f"{size} GB", str)
    assert cache in words.tip(_bar(), None)
    assert words.tip(_bar(), MemoryPart.HEADROOM).endswith(": 9 GB")
    assert words.tip(_bar(), MemoryPart.WEIGHTS).endswith(": 60 GB")
    assert words.description([_bar(), _bar()]).count("H200, serves") == 2


def test_that_a_bar_without_band_headroom_or_subtitle_draws_none_of_them() -> None:
    words = memory_words(translations("en"), str, str)
    full, bare = (
        memory_bars([bar], words, style())
        for bar in (_bar(low_bytes=80, high_bytes=120), _bar(subtitle="", headroom_bytes=0))
    )

    def hatched(picture: Picture) -> int:
        bars = (shape for shape in picture.shapes if isinstance(shape, Rect) and shape.height == style().bar)
        return sum(shape.hatched for shape in bars)

    assert (hatched(full), hatched(bare)) == (1, 0)
    assert len([shape for shape in full.shapes if isinstance(shape, Line)]) > len(
        [shape for shape in bare.shapes if isinstance(shape, Line)]
    )
    texts = [shape.text for shape in bare.shapes if isinstance(shape, Label)]
    assert "H200" in texts
    assert "serves" not in texts


def test_that_an_axis_of_nothing_is_still_an_axis() -> None:
    assert round_up(0) == round_up(-3) == 1.0
    assert round_ticks(5, 5) == [5]
    assert Scale(7, 7, 10, 110).at(7) == 10
