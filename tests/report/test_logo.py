"""The seller's logo: printed in its place whatever its form, never a crash, never a burden."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from random import Random
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium
import pytest
from PIL import Image

from engine.quote.document import Quote
from engine.report.assets import Assets
from engine.wording.findings import FindingKind
from tests.report.conftest import MM, assets

Draw = Callable[..., Any]


def logo(mode: str, size: tuple[int, int], colour: Any = 0, file_format: str = "PNG") -> Assets:
    stream = BytesIO()
    Image.new(mode, size, colour).save(stream, file_format)
    return replace(assets("de"), logo_png=stream.getvalue())


def images(pdf: bytes) -> list[tuple[float, float, float, float]]:
    """Boxes of the pictures on the first page, in millimetres from the top left corner: left, top, right, bottom."""
    document = pypdfium2.PdfDocument(pdf)
    page = document[0]
    height = page.get_height()
    found = []
    for item in page.get_objects():
        if item.type == pdfium.FPDF_PAGEOBJ_IMAGE:
            left, bottom, right, top = item.get_bounds()
            found.append((left / MM, (height - top) / MM, right / MM, (height - bottom) / MM))
    document.close()
    return found


@pytest.mark.parametrize("size", [(1, 1), (3000, 1000), (4000, 20), (20, 4000), (3000, 3000)])
def test_that_a_logo_of_any_shape_stands_in_its_corner(offer: Quote, draw_quote: Draw, size: tuple[int, int]) -> None:
    drawn = draw_quote(offer, "de", logo("RGB", size))
    assert drawn.report.findings == ()
    ((left, top, right, bottom),) = images(drawn.pdf)
    assert right == pytest.approx(190, abs=0.2)  # the text's right edge
    assert top == pytest.approx(14, abs=0.2)
    assert left > 129
    assert bottom < 34.2  # above the return address
    assert len(drawn.pdf) < 150_000


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
def test_that_every_kind_of_png_is_printed(offer: Quote, draw_quote: Draw, mode: str) -> None:
    drawn = draw_quote(offer, "de", logo(mode, (60, 20)))
    assert drawn.report.findings == ()
    assert len(images(drawn.pdf)) == 1


def test_that_sixteen_bits_of_grey_stay_grey(offer: Quote, draw_quote: Draw) -> None:
    document = pypdfium2.PdfDocument(draw_quote(offer, "de", logo("I;16", (60, 20), 32768)).pdf)
    (left, top, _right, _bottom), *_ = images(draw_quote(offer, "de", logo("I;16", (60, 20), 32768)).pdf)
    page = document[0].render(scale=2).to_pil().convert("L")
    assert page.getpixel((int((left + 2) * MM * 2), int((top + 2) * MM * 2))) == pytest.approx(128, abs=3)
    document.close()


@pytest.mark.parametrize("size", [(9000, 9000), (14000, 14000)])
def test_that_a_logo_that_would_fill_the_memory_is_left_out(
    offer: Quote, draw_quote: Draw, size: tuple[int, int]
) -> None:
    """A file of 24 kB can ask for 600 MB. Pillow itself refuses the second one."""
    drawn = draw_quote(offer, "de", logo("1", size))
    (finding,) = drawn.report.findings
    assert finding.kind is FindingKind.UNREADABLE_LOGO
    assert finding.detail.endswith("px")
    assert images(drawn.pdf) == []


def test_that_a_damaged_logo_never_stops_the_paper(offer: Quote, draw_quote: Draw) -> None:
    stream = BytesIO()
    Image.effect_noise((60, 20), 50).convert("RGBA").save(stream, "PNG")
    whole, random = stream.getvalue(), Random(7)
    for content in (b"", b"x" * 100, whole[:8], *(damaged(whole, random) for _ in range(40))):
        drawn = draw_quote(offer, "de", replace(assets("de"), logo_png=content))
        details = [finding.detail for finding in drawn.report.findings]
        assert details == [] or details == [f"{len(content)} B"]  # nothing of the program's own inside


def damaged(content: bytes, random: Random) -> bytes:
    made = bytearray(content[: random.randrange(8, len(content))])
    for _ in range(4):
        made[random.randrange(len(made))] = random.randrange(256)
    return bytes(made)
