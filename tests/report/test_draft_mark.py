"""A draft of an offer shows the whole paper, bears no number and cannot be taken for the offer."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from io import BytesIO
from typing import Any

import pypdf
import pytest

from engine.quote.document import Obstacle, Quote
from engine.quote.draft import DocumentKind, DraftLine, QuoteDraft
from engine.quote.parties import Customer
from engine.quote.release import QuoteNotReadyError, release

Draw = Callable[..., Any]
MakeDraft = Callable[..., QuoteDraft]


def _preview(make_draft: MakeDraft, **changes: object) -> Quote:
    return release(make_draft(kind=DocumentKind.OFFER, **changes), preview=True)


@pytest.mark.parametrize(("language", "mark"), [("de", "ENTWURF"), ("en", "DRAFT")])
def test_that_every_page_is_marked_and_no_number_is_printed(
    make_draft: MakeDraft, make_line: Callable[..., DraftLine], draw_quote: Draw, language: str, mark: str
) -> None:
    lines = [make_line(str(index)) for index in range(60)]
    drawn = draw_quote(_preview(make_draft, lines=lines, language=language), language)
    assert len(drawn.pages) > 2
    assert all(mark in page for page in drawn.pages)
    assert "AN-2026-0042" not in drawn.text
    metadata = pypdf.PdfReader(BytesIO(drawn.pdf)).metadata
    assert metadata is not None
    assert mark.lower() in str(metadata.title).lower()


def test_that_an_issued_offer_is_not_marked(offer: Quote, draw_quote: Draw) -> None:
    assert not offer.preview
    assert "entwurf" not in draw_quote(offer).text.lower()


def test_that_a_draft_stands_line_by_line_as_the_offer_will(make_draft: MakeDraft, draw_quote: Draw) -> None:
    """But for its mark, its note, its number and what is accepted, the paper is the one that will be issued."""
    draft = make_draft(kind=DocumentKind.OFFER)
    shown = draw_quote(release(draft, preview=True)).pages
    final = draw_quote(release(draft)).pages
    marks = ("ENTWURF", "Entwurf", "AN-2026-0042", "(Nummer folgt)")

    def lines(page: str) -> list[str]:
        return [line for line in page.splitlines() if line.strip() and not any(mark in line for mark in marks)]

    assert [lines(page) for page in shown] == [lines(page) for page in final]


def test_that_what_is_missing_does_not_stop_a_draft_but_still_stops_the_offer(
    make_draft: MakeDraft, make_line: Callable[..., DraftLine], draw_quote: Draw
) -> None:
    changes: dict[str, Any] = {"customer": Customer(), "lines": (make_line("1", None), make_line("2"))}
    quote = _preview(make_draft, **changes)
    assert {Obstacle.CUSTOMER_INCOMPLETE, Obstacle.PRICE_ON_REQUEST} <= set(quote.obstacles)
    assert quote.totals.net.amount == Decimal("100.00")
    assert "(Nummer folgt)" in draw_quote(quote).text
    with pytest.raises(QuoteNotReadyError):
        release(make_draft(kind=DocumentKind.OFFER, **changes))
