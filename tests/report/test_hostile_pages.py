"""Pages full of hostile texts in every place at once: inside the page, nothing over anything, no word lost."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from random import Random
from typing import Any

import pytest

from engine.quote.document import Quote
from engine.quote.draft import DocumentKind, DraftLine, DraftSection, LineKind, SectionRole, Terms
from engine.quote.release import release
from engine.report.fonts import family
from engine.report.text import TextGuard
from tests.report.conftest import CUSTOMER, assets, draft, glyphs_of, line, overlaps_of

WORDS = (
    *(
        "Üñïcödé",
        "שלום",
        "مرحبا",
        "漢字仮名",
        "👩‍🔬🚀",
        "ﬁﬂ",
        "o\u0308\u0323",
        "q\u0308",
        "ก็",
        "A\u00adB\u00adC",
        "\u202ertl",
    ),
    *("W" * 90, "i" * 200, "www.sehr-langer-name.example.org/pfad/der/nicht/endet?x=1&y=2", "㎡", "½", "<b>", "&amp;"),
)
PAGE_EDGES_MM = (10, 10, 200, 287)
COUNTS = (1, 2, 9, 26)


class Made:
    """A quote with hostile texts everywhere, and the texts."""

    def __init__(self, seed: int, kind: DocumentKind, count: int) -> None:
        self._random, self.texts = Random(seed), list[str]()
        self._offer = kind is DocumentKind.OFFER
        lines = [line("base"), *(self._line(index) for index in range(1, count))]
        half = len(lines) // 2
        sections = tuple(
            DraftSection(role, tuple(part), self._text(8), page_break_before=broken)
            for role, part, broken in (
                (SectionRole.SYSTEM, lines[: half + 1], False),
                (SectionRole.FREE, lines[half + 1 :], True),
            )
        )
        customer = replace(CUSTOMER, company=self._text(5), contact=self._text(2), lines=(self._text(4), "70173 Ort"))
        terms = Terms(payment=self._text(90), warranty=self._text(30), full_text=self._text(500))
        made = draft(sections=sections, customer=customer, terms=terms, kind=kind, introduction=self._text(120))
        self.quote: Quote = release(replace(made, subject=self._text(12), closing=self._text(60)))

    def _line(self, index: int) -> DraftLine:
        pick = self._random.choice
        price = pick(["0", "0.0375", "1234567.89", "999999999.99"] + ([] if self._offer else [None]))
        return line(
            f"p{index}",
            price,
            title=self._text(6),
            description=self._text(pick([3, 25, 200])),
            kind=pick(list(LineKind)),
            base_id="base",
            quantity=Decimal(pick(["1", "0.001", "999999"])),
            discount=Decimal(pick(["0", "0.125", "1"])),
        )

    def _text(self, most: int) -> str:
        words = [self._random.choice(WORDS) for _ in range(self._random.randint(1, most))]
        self.texts.append(" ".join(words))
        return self.texts[-1]


@pytest.mark.parametrize("kind", DocumentKind)
@pytest.mark.parametrize("count", COUNTS)
def test_that_pages_of_hostile_texts_are_clean_and_complete(
    draw_quote: Callable[..., Any], kind: DocumentKind, count: int
) -> None:
    made = Made(count, kind, count)
    drawn = draw_quote(made.quote, "de")
    left, top, right, bottom = PAGE_EDGES_MM
    for page in range(len(drawn.pages)):
        found = glyphs_of(drawn.pdf, page)
        assert found, f"page {page + 1} is empty"
        outside = [
            glyph
            for glyph in found
            if glyph.left < left or glyph.top < top or glyph.right > right or glyph.bottom > bottom
        ]
        assert outside == []
        assert overlaps_of(found) == []
    used = assets("de")
    guard = TextGuard(family(used.regular, used.bold).characters)
    printed = "".join(drawn.text.split())
    words = {"".join(guard.clean(word, "x").split()) for text in made.texts for word in text.split()}
    assert [word for word in words if word not in printed] == []


@pytest.mark.parametrize("rows", range(8, 34))
def test_that_a_section_begins_and_ends_beside_its_positions(draw_quote: Callable[..., Any], rows: int) -> None:
    """At every length around the ends of pages: no title alone below, no subtotal without a position above it."""
    sections = tuple(
        DraftSection(SectionRole.FREE, tuple(line(f"{part}-{row}") for row in range(rows)), f"Abschnitt {part}")
        for part in range(3)
    )
    drawn = draw_quote(release(draft(sections=sections)))
    titles, subtotals = [], []
    for page in drawn.pages:
        lines = [text.strip() for text in page.splitlines() if text.strip()]
        titles += [lines[at + 1] for at, text in enumerate(lines) if re.fullmatch(r"\d Abschnitt \d", text)]
        subtotals += [lines[at - 1] for at, text in enumerate(lines) if text.startswith("Zwischensumme")]
    assert [title[:12] for title in titles] == [f"{part}.1 Artikel "[:12] for part in (1, 2, 3)]
    assert len(subtotals) == 3
    assert [above for above in subtotals if "bertrag" in above] == []
