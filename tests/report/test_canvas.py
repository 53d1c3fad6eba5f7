"""What the paper does in reportlab's place gives what reportlab gives."""

from __future__ import annotations

import re
from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reportlab.lib.rl_accel import escapePDF
from reportlab.pdfbase.ttfonts import TTFont

from engine.quote.document import Quote
from engine.report import fonts
from engine.report.canvas import canvas_maker
from resources import FONTS

REGULAR = (FONTS / "Inter-Regular.ttf").read_bytes()
FAMILY = fonts.family(REGULAR, (FONTS / "Inter-Bold.ttf").read_bytes())
STOCK = TTFont("Stock", BytesIO(REGULAR))


def test_that_every_byte_is_escaped_as_reportlab_does() -> None:
    canvas = canvas_maker(FAMILY, "de-DE")(BytesIO())
    every = bytes(range(256))
    assert canvas._escape(every) == escapePDF(every)


@given(st.text(max_size=40), st.sampled_from([6.6, 7.6, 9, 9.0, 16.0]))
def test_that_remembered_widths_are_reportlabs(text: str, size: float) -> None:
    assert FAMILY.width(text, size) == FAMILY.width(text, size) == STOCK.stringWidth(text, size)


def test_that_the_memory_for_widths_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fonts, "_MOST_WIDTHS", 10)
    font = fonts._MeasuredFont("Measured", REGULAR)
    widths = [font.stringWidth(f"Wort {index}", 9.0) for index in range(100)]
    assert len(font._widths) <= 10
    assert widths == [STOCK.stringWidth(f"Wort {index}", 9.0) for index in range(100)]


def test_that_streams_are_binary_and_end_on_a_line_of_their_own(offer: Quote, draw_quote: Callable[..., Any]) -> None:
    pdf = draw_quote(offer).pdf
    assert b"ASCII85Decode" not in pdf
    starts = list(re.finditer(rb"/Length (\d+)[^>]*?>>\nstream\n", pdf))
    assert len(starts) > 5
    for start in starts:
        assert pdf[start.end() + int(start[1]) :].startswith(b"\nendstream")
