"""Where things stand on the page: the norm's windows, margins, and no text over other text."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium
import pytest

from engine.quote.draft import Terms
from engine.quote.parties import Customer
from engine.quote.release import release
from engine.wording.findings import FindingKind

MM = 72 / 25.4
PAGE_WIDTH, PAGE_HEIGHT, EDGE = 210.0, 297.0, 10.0


def _line_containing(found: list[Any], text: str) -> list[Any]:
    """The glyphs of the first occurrence of a text without spaces."""
    signs = "".join(glyph.sign for glyph in found)
    start = signs.index(text.replace(" ", ""))
    return found[start : start + len(text.replace(" ", ""))]


def test_that_the_address_stands_in_the_window(make_draft: Any, draw_quote: Any, glyphs: Any) -> None:
    # DIN 5008 form B: recipient zone from 62.7 to 90 mm, text from 25 mm, field 85 mm wide from 20 mm.
    found = glyphs(draw_quote(release(make_draft())).pdf, 0)
    for text in ("Beispiel Maschinenbau AG", "70173 Stuttgart"):
        box = _line_containing(found, text)
        assert min(glyph.left for glyph in box) == pytest.approx(25, abs=0.6)
        assert max(glyph.right for glyph in box) < 105
        assert min(glyph.top for glyph in box) > 62.7
        assert max(glyph.bottom for glyph in box) < 90


def test_that_the_return_address_stands_above_the_recipient(make_draft: Any, draw_quote: Any, glyphs: Any) -> None:
    found = glyphs(draw_quote(release(make_draft())).pdf, 0)
    box = _line_containing(found, "Muster Systemhaus GmbH · Industriestraße")
    assert min(glyph.top for glyph in box) > 45
    assert max(glyph.bottom for glyph in box) < 50


def test_that_the_information_block_stands_at_its_place(make_draft: Any, draw_quote: Any, glyphs: Any) -> None:
    box = _line_containing(glyphs(draw_quote(release(make_draft())).pdf, 0), "Kundennummer")
    assert min(glyph.left for glyph in box) == pytest.approx(125, abs=0.6)
    assert min(glyph.top for glyph in box) > 50


def test_that_fold_and_hole_marks_are_drawn(make_draft: Any, draw_quote: Any) -> None:
    document = pypdfium2.PdfDocument(draw_quote(release(make_draft())).pdf)
    page = document[0]
    heights = set()
    for item in page.get_objects():
        if item.type == pdfium.FPDF_PAGEOBJ_PATH:
            left, bottom, right, _top = item.get_bounds()
            if right < 15 * MM:
                assert left >= 4 * MM
                heights.add(round(PAGE_HEIGHT - bottom / MM, 0))
    document.close()
    assert {105.0, 210.0} <= heights
    assert heights & {148.0, 149.0}


def test_that_a_long_address_is_reported_and_printed_in_full(make_draft: Any, draw_quote: Any) -> None:
    lines = tuple(f"Zeile {i} der Anschrift" for i in range(1, 9))
    drawn = draw_quote(release(make_draft(customer=Customer(company="Kunde AG", lines=lines))))
    assert FindingKind.ADDRESS_TOO_LONG in {finding.kind for finding in drawn.report.findings}
    for text in lines:
        assert text in drawn.text


def _large(make_draft: Any, make_line: Any) -> Any:
    lines = [make_line(f"{i}", description="Beschreibung " * (i % 40)) for i in range(60)]
    base = make_draft(lines, terms=Terms(full_text="\n\n".join(f"§ {i} " + "Wort " * 120 for i in range(30))))
    seller = replace(
        base.seller,
        name="Außerordentlich langer Firmenname " * 4,
        directors=tuple(f"Vorname{i} Nachname{i}" for i in range(14)),
    )
    return release(replace(base, seller=seller, subject="Sehr langer Betreff " * 12))


@pytest.mark.parametrize("size", ["small", "large"])
def test_that_nothing_leaves_the_printable_page(
    make_draft: Any, make_line: Any, draw_quote: Any, glyphs: Any, size: str
) -> None:
    quote = release(make_draft()) if size == "small" else _large(make_draft, make_line)
    drawn = draw_quote(quote)
    for page in range(len(drawn.pages)):
        for glyph in glyphs(drawn.pdf, page):
            assert glyph.left >= EDGE, glyph
            assert glyph.right <= PAGE_WIDTH - EDGE, glyph
            assert glyph.top >= EDGE, glyph
            assert glyph.bottom <= PAGE_HEIGHT - EDGE, glyph


@pytest.mark.parametrize("size", ["small", "large"])
def test_that_no_text_lies_over_other_text(
    make_draft: Any, make_line: Any, draw_quote: Any, glyphs: Any, overlaps: Any, size: str
) -> None:
    quote = release(make_draft()) if size == "small" else _large(make_draft, make_line)
    drawn = draw_quote(quote)
    for page in range(len(drawn.pages)):
        assert overlaps(glyphs(drawn.pdf, page)) == []


def test_that_the_overlap_check_sees_an_overlap(make_draft: Any, draw_quote: Any, glyphs: Any, overlaps: Any) -> None:
    found = glyphs(draw_quote(release(make_draft())).pdf, 0)
    shifted = replace(found[5], left=found[5].left + 0.1, right=found[5].right + 0.1)
    assert overlaps([*found, shifted])
