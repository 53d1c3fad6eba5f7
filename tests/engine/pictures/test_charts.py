"""Axes, heat map, length curve, cost over time, tornado, Pareto: true places, round ticks, nothing clipped."""

from __future__ import annotations

import itertools
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cost.sensitivity import CaseInput, CostOverTime, Swing, TimePoint
from engine.fit import Verdict
from engine.length_curve import CurvePoint, Limit
from engine.pictures.axes import Scale, doubling_ticks, round_ticks, round_up
from engine.pictures.cost_over_time import TimeWords, cost_over_time_chart
from engine.pictures.heat_map import HeatCell, HeatRow, heat_map
from engine.pictures.length_curve import CurveWords, length_curve
from engine.pictures.palette import Ink
from engine.pictures.shapes import Label, Line, Mark, Path, Picture, Rect, fitted
from engine.pictures.tornado import TornadoWords, tornado_chart
from engine.units import GB, ByteBand, Money
from tests.engine.pictures.boxes import clipped, colliding, style


def euro(amount: int) -> Money:
    return Money(Decimal(amount), "EUR")


@given(st.floats(-20, 20), st.floats(0.01, 1e9), st.integers(2, 12))
def test_that_ticks_are_round_few_evenly_spaced_and_inside(offset: float, spread: float, most: int) -> None:
    low = offset * spread
    ticks = round_ticks(low, low + spread, most)
    assert len(ticks) <= most * 2.6 + 1
    assert all(low - spread * 1e-6 <= tick <= low + spread * (1 + 1e-6) for tick in ticks)
    steps = [second - first for first, second in itertools.pairwise(ticks)]
    assert all(step == pytest.approx(steps[0]) for step in steps)


def test_that_axis_ends_and_doublings_are_round() -> None:
    assert [round_up(value) for value in (7.0, 631.0, 0.3, 100.0)] == pytest.approx([8, 800, 0.3, 100])
    assert round_ticks(0, 200) == [0, 50, 100, 150, 200]
    assert doubling_ticks(512, 131_072) == [512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072]


def test_that_a_logarithmic_scale_gives_doublings_equal_room() -> None:
    scale = Scale(512, 8192, 0, 400, logarithmic=True)
    assert [scale.at(value) for value in (512, 1024, 2048, 4096, 8192)] == pytest.approx([0, 100, 200, 300, 400])
    assert scale.at(1) == 0
    assert scale.at(10**9) == 400


@given(st.text(max_size=40), st.floats(0, 300))
def test_that_a_fitted_text_has_room_and_keeps_its_beginning(text: str, room: float) -> None:
    made = fitted(text, room, 11, style())
    assert style().extent(made, 11) <= room or made == ""
    assert text.startswith(made.removesuffix("…").rstrip()) or made == text


def heat(cards: int, workloads: int, width: float) -> Picture:
    verdicts = list(Verdict)
    rows = [
        HeatRow(
            f"{card} × RTX PRO 6000 Blackwell Server Edition",
            "Needs 736 GB per card, 100 GB are usable: 636 GB short.",
            tuple(
                HeatCell(verdicts[(card + number) % 4], "+53.3 GB", f"tip {card} {number}", f"{card}|{number}")
                for number in range(workloads)
            ),
            strong=card == 0,
        )
        for card in range(cards)
    ]
    return heat_map([f"Workload number {n} with a long name" for n in range(workloads)], rows, style(width), "words")


@given(st.integers(1, 20), st.integers(1, 10), st.integers(420, 1600))
def test_that_the_heat_map_fits_any_number_of_cards_and_workloads(cards: int, workloads: int, width: int) -> None:
    picture = heat(cards, workloads, width)
    assert clipped(picture) == []
    assert colliding(picture) == []


def test_that_a_cell_answers_with_its_tip_and_target_and_signs_its_verdict() -> None:
    picture = heat(2, 2, 900)
    cells = [shape for shape in picture.shapes if isinstance(shape, Rect) and not shape.outlined]
    spot = picture.spot_at(cells[3].x + 5, cells[3].y + 5)
    assert spot is not None
    assert (spot.tip, spot.target) == ("tip 1 1", "1|1")
    assert sum(isinstance(shape, Mark) for shape in picture.shapes) == 4


CURVE_WORDS = CurveWords(
    length=lambda value: f"{value:,}",
    size=lambda value: f"{value / GB:.0f} GB",
    length_title="Sequence length in tokens",
    limit_tip=lambda limit: limit.name,
    point_tip=lambda point: str(point.length),
    description="curve",
)


def curve(limits: list[int], width: float = 900) -> Picture:
    points = [
        CurvePoint(512 * 2**n, ByteBand(19 * GB + 2**n * GB, 20 * GB + 2**n * GB, 21 * GB + 2**n * GB))
        for n in range(9)
    ]
    named = [Limit(f"Card {number}", limit, 4096) for number, limit in enumerate(limits)]
    return length_curve(points, named, 4096, CURVE_WORDS, style(width))


def test_that_the_curve_rises_and_marks_the_chosen_length() -> None:
    picture = curve([96 * GB, 141 * GB])
    line = next(shape for shape in picture.shapes if isinstance(shape, Path) and not shape.filled)
    ys = [y for _, y in line.points]
    assert ys == sorted(ys, reverse=True)
    mark = next(shape for shape in picture.shapes if isinstance(shape, Mark))
    assert (mark.x, mark.y) in [(pytest.approx(x), pytest.approx(y)) for x, y in line.points]


@given(st.lists(st.integers(24 * GB, 300 * GB), min_size=1, max_size=6), st.integers(600, 1500))
def test_that_names_of_close_limits_never_collide(limits: list[int], width: int) -> None:
    picture = curve(limits, width)
    names = [shape.text for shape in picture.shapes if isinstance(shape, Label) and shape.text.startswith("Card")]
    assert len(names) == len(limits)
    assert not [pair for pair in colliding(picture) if any(text.startswith("Card") for text in pair)]


TIME_WORDS = TimeWords(
    money=lambda amount: f"EUR {amount:,}",
    month=str,
    owning="owning",
    renting="renting",
    month_title="Months",
    tip=lambda point: str(point.month),
    crossing=lambda month: f"owning is cheaper from month {month}",
    description="words",
)


@given(st.integers(1, 500_000), st.integers(0, 20_000), st.integers(1, 50_000), st.integers(1, 10))
def test_that_cost_over_time_is_drawn_whole(purchase: int, running: int, rent: int, years: int) -> None:
    points = tuple(
        TimePoint(month, euro(purchase + running * month), euro(rent * month)) for month in range(years * 12 + 1)
    )
    crossing = next(
        (point.month for point in points if all(p.owning.amount <= p.renting.amount for p in points[point.month :])),
        None,
    )
    picture = cost_over_time_chart(CostOverTime(points, crossing), TIME_WORDS, style())
    assert clipped(picture) == []
    shown = [shape.text for shape in picture.shapes if isinstance(shape, Label)]
    assert ("owning is cheaper from month" in " ".join(shown)) == (crossing is not None and crossing > 0)
    assert {"owning", "renting"} <= set(shown)


TORNADO_WORDS = TornadoWords(
    name=lambda swing: swing.key.value,
    money=lambda amount: f"EUR {amount:,}",
    tip=lambda swing: swing.key.value,
    title="Saving by buying over 3 years",
    description="words",
)


def test_that_the_widest_swing_comes_first_and_crosses_zero_in_two_colours() -> None:
    narrow = Swing(CaseInput.RENT, Decimal(1), Decimal(2), euro(1000), euro(3000), flips=False)
    wide = Swing(CaseInput.PURCHASE_PRICE, Decimal(1), Decimal(2), euro(9000), euro(-4000), flips=True)
    picture = tornado_chart([narrow, wide], TORNADO_WORDS, style())
    names = [shape.text for shape in picture.shapes if isinstance(shape, Label) and shape.text in set(CaseInput)]
    assert names == ["purchase_price", "rent"]
    bars = [shape for shape in picture.shapes if isinstance(shape, Rect)]
    assert [bar.ink for bar in bars] == [Ink.SERIES_2, Ink.SERIES_1, Ink.SERIES_1]
    # 13,000 of saving in all against 2,000: the wide bar is six and a half times as long.
    assert (bars[0].width + bars[1].width) / bars[2].width == pytest.approx(6.5, rel=1e-6)
    assert clipped(picture) == []


def test_that_a_swing_that_never_pays_is_drawn_on_the_losing_side_alone() -> None:
    losing = Swing(CaseInput.RENT, Decimal(1), Decimal(2), euro(-9000), euro(-1000), flips=False)
    picture = tornado_chart([losing], TORNADO_WORDS, style())
    (bar,) = [shape for shape in picture.shapes if isinstance(shape, Rect)]
    zero = next(shape.x1 for shape in picture.shapes if isinstance(shape, Line) and shape.ink is Ink.TEXT)
    assert bar.ink is Ink.SERIES_2
    assert bar.x + bar.width < zero


def test_that_amounts_without_room_lose_their_words_and_keep_their_lines() -> None:
    wide = Swing(CaseInput.PURCHASE_PRICE, Decimal(1), Decimal(2), euro(900_000), euro(-400_000), flips=True)
    picture = tornado_chart([wide], TORNADO_WORDS, style(260))
    lines = [shape for shape in picture.shapes if isinstance(shape, Line) and shape.ink is Ink.LINE]
    amounts = [shape for shape in picture.shapes if isinstance(shape, Label) and shape.text.startswith("EUR")]
    assert 0 < len(amounts) < len(lines)
    assert colliding(picture) == []


def test_that_the_signs_of_dozens_of_workloads_stay_in_their_cells() -> None:
    """Sixty columns of some eleven pixels: a sign each, no wider than its cell."""
    picture = heat(8, 60, 980)
    cells = [shape for shape in picture.shapes if isinstance(shape, Rect) and not shape.outlined]
    marks = [shape for shape in picture.shapes if isinstance(shape, Mark)]
    assert len(marks) == len(cells) == 480
    for mark, cell in zip(marks, cells, strict=True):
        assert cell.x <= mark.x - mark.radius
        assert mark.x + mark.radius <= cell.x + cell.width


def test_that_a_card_that_was_not_sized_has_words_and_no_verdict_and_the_chosen_cell_a_frame() -> None:
    cells = (HeatCell(None, "not examined", "tip", "a|1"), HeatCell(Verdict.FITS, "+5 GB", "tip", "a|2"))
    picture = heat_map(["one", "two"], [HeatRow("L40S", "", cells)], style(900), "words", selected="a|2")
    marks = [shape for shape in picture.shapes if isinstance(shape, Mark)]
    assert len(marks) == 1
    quiet = next(shape for shape in picture.shapes if isinstance(shape, Label) and shape.text == "not examined")
    assert quiet.ink is Ink.MUTED
    (frame,) = [shape for shape in picture.shapes if isinstance(shape, Rect) and shape.outlined]
    assert frame.x < marks[0].x < frame.x + frame.width
