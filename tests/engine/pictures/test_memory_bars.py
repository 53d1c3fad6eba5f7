"""The memory bar: fixed order, true lengths, capacity as a line, nothing clipped."""

from __future__ import annotations

import gettext
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.fit import Verdict
from engine.memory.types import CardBytes
from engine.pictures.memory_bars import RESULT_SHARE, SPARE, TITLE_SHARE, memory_bars
from engine.pictures.palette import Ink
from engine.pictures.parts import PART_INKS, MemoryBar, MemoryPart, PartBytes, stacked
from engine.pictures.shapes import Label, Line, Mark, MarkShape, Rect
from engine.pictures.slim_bar import slim_bar
from engine.units import GB
from engine.wording import numbers
from engine.wording.pictures import memory_words
from engine.wording.translator import Language
from tests.engine.pictures.boxes import clipped, colliding, style


def size(value: int) -> str:
    return numbers.gigabytes(value, Language.EN)


WORDS = memory_words(gettext.NullTranslations(), size, size)


def bar(expected: int, capacity: int, verdict: Verdict, name: str = "1 × H200 NVL") -> MemoryBar:
    half = expected // 2
    parts = (PartBytes(MemoryPart.WEIGHTS, half), PartBytes(MemoryPart.ACTIVATIONS, expected - half))
    return MemoryBar(
        name, name, "in a server", parts, expected - 5 * GB, expected, expected + 5 * GB, 10 * GB, capacity, verdict
    )


BYTES = st.integers(min_value=0, max_value=10**13)


@given(st.lists(BYTES, min_size=9, max_size=9), BYTES)
def test_that_the_parts_sum_to_the_expected_need(sizes: list[int], reserve: int) -> None:
    expected = sum(sizes) + reserve
    parts = stacked(CardBytes(*sizes), expected)
    assert sum(part.size_bytes for part in parts) == expected
    order = list(MemoryPart)
    assert [part.part for part in parts] == sorted((part.part for part in parts), key=order.index)
    assert all(part.size_bytes > 0 for part in parts)


def test_that_master_weights_belong_to_the_optimiser_and_buffers_to_the_workspace() -> None:
    # 8B full fine-tuning with AdamW: 16 GB weights, 16 gradients, 32 master weights, 64 moments, 3 + 2 buffers.
    card = CardBytes(16 * GB, 0, 16 * GB, 32 * GB, 64 * GB, 0, 0, 3 * GB, 2 * GB)
    sizes = {part.part: part.size_bytes for part in stacked(card, 133 * GB)}
    assert sizes[MemoryPart.OPTIMISER] == 96 * GB
    assert sizes[MemoryPart.WORKSPACE] == 5 * GB


def test_that_segments_are_as_long_as_their_bytes() -> None:
    picture = memory_bars([bar(80 * GB, 100 * GB, Verdict.TIGHT)], WORDS, style(1000))
    scale = 1000 * (1 - TITLE_SHARE - RESULT_SHARE) / (100 * GB * SPARE)
    weights = next(s for s in picture.shapes if isinstance(s, Rect) and s.ink is PART_INKS[MemoryPart.WEIGHTS])
    assert weights.width == pytest.approx(40 * GB * scale - 1, abs=0.5)  # one unit of gap to the next part
    capacity = next(s for s in picture.shapes if isinstance(s, Line) and s.ink is Ink.CAPACITY)
    assert capacity.x1 == pytest.approx(1000 * TITLE_SHARE + 100 * GB * scale, abs=0.5)


def test_that_each_verdict_has_its_own_sign() -> None:
    signs = set()
    for verdict in Verdict:
        picture = memory_bars([bar(80 * GB, 100 * GB, verdict)], WORDS, style())
        signs |= {shape.shape for shape in picture.shapes if isinstance(shape, Mark)}
    assert signs == {MarkShape.FILLED, MarkShape.HALF, MarkShape.RING, MarkShape.CROSS}


@given(
    st.lists(
        st.tuples(st.integers(6 * GB, 2000 * GB), st.integers(8 * GB, 300 * GB), st.sampled_from(list(Verdict))),
        min_size=1,
        max_size=6,
    ),
    st.integers(420, 1400),
)
def test_that_no_label_is_clipped_or_collides(rows: list[tuple[int, int, Verdict]], width: int) -> None:
    bars = [bar(*row, name=f"{number} × RTX PRO 6000 Blackwell Server Edition") for number, row in enumerate(rows, 1)]
    picture = memory_bars(bars, WORDS, style(width))
    assert clipped(picture) == []
    assert colliding(picture) == []


def test_that_every_part_answers_with_its_name_and_size() -> None:
    picture = memory_bars([bar(80 * GB, 100 * GB, Verdict.FITS)], WORDS, style())
    weights = next(s for s in picture.shapes if isinstance(s, Rect) and s.ink is PART_INKS[MemoryPart.WEIGHTS])
    spot = picture.spot_at(weights.x + 3, weights.y + 3)
    assert spot is not None
    assert spot.tip == "Weights: 40.0\u00a0GB"
    assert spot.target == "1 × H200 NVL"


def test_that_the_description_says_what_the_bar_shows() -> None:
    words = memory_bars([bar(80 * GB, 100 * GB, Verdict.FITS)], WORDS, style()).description
    assert "H200 NVL" in words
    assert "fits" in words
    assert "80.0\u00a0GB" in words
    assert "100\u00a0GB" in words


def test_that_the_slim_bar_has_the_same_proportions() -> None:
    picture = slim_bar(bar(80 * GB, 100 * GB, Verdict.FITS), WORDS, style(206))
    capacity = next(s for s in picture.shapes if isinstance(s, Line) and s.ink is Ink.CAPACITY)
    assert capacity.x1 == pytest.approx(200, abs=0.5)
    weights = next(s for s in picture.shapes if isinstance(s, Rect) and s.ink is PART_INKS[MemoryPart.WEIGHTS])
    assert weights.width == pytest.approx(79, abs=0.5)


def test_that_an_exact_need_without_headroom_has_neither_hatching_nor_band() -> None:
    known = replace(bar(80 * GB, 100 * GB, Verdict.FITS), low_bytes=80 * GB, high_bytes=80 * GB, headroom_bytes=0)
    picture = slim_bar(known, WORDS, style(206))
    assert not [shape for shape in picture.shapes if isinstance(shape, Rect) and shape.hatched]
    assert not [shape for shape in picture.shapes if isinstance(shape, Line) and shape.ink is Ink.TEXT]


def test_that_a_legend_without_room_goes_on_in_the_next_row() -> None:
    sizes = tuple(PartBytes(part, 10 * GB) for part in MemoryPart if part is not MemoryPart.HEADROOM)
    full = replace(bar(80 * GB, 100 * GB, Verdict.FITS), parts=sizes)
    picture = memory_bars([full], WORDS, style(420))
    names = set(WORDS.parts.values())
    rows = {shape.y for shape in picture.shapes if isinstance(shape, Label) and shape.text in names}
    assert len(rows) > 1
    assert clipped(picture) == []
    assert colliding(picture) == []
