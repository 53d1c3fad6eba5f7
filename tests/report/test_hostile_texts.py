"""Extreme texts in every place of a quote: always a paper, never a lost word."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from engine.quote.draft import DraftSection, SectionRole, Terms
from engine.quote.release import release
from engine.wording.findings import FindingKind

TEXTS = {
    "long-word": "x" * 10_000,
    "long-text": "Wort " * 2_000,
    "lines": "Zeile\n" * 400,
    "blank-lines": "\n" * 300,
    "spaces": " " * 3_000,
    "markup": '</para><b>x <img src="file:///etc/passwd"/> &lt; <a href="javascript:1">y</a> &#0;',
    "cjk": "漢字かな" * 200,
    "emoji": "🚀👩‍🔬🇩🇪" * 60,
    "right-to-left": "\u202eשלום عليكم\u202c" * 50,
    "combining": "o\u0308" * 800,
    "zalgo": "Z" + "\u0335\u0321\u0353" * 400,
    "control": "a\x00b\x07c\x1b[31md\x85e",
    "braces": "{0} {name} %s {",
    "formula": "=1+1",
    "empty": "",
}
PLACES = (
    *("title", "description", "section", "company", "contact", "address", "reference", "number"),
    *("seller", "directors", "web", "subject", "introduction", "closing", "payment", "full_text"),
)


def _quote(make_draft: Any, make_line: Any, place: str, text: str) -> Any:
    line = make_line("1", **({place: text} if place in {"title", "description"} else {}))
    title = text if place == "section" else "Teil"
    base = make_draft(sections=(DraftSection(SectionRole.FREE, (make_line("0"), line, make_line("2")), title),))
    customer, seller, terms = base.customer, base.seller, Terms()
    match place:
        case "company" | "contact" | "reference" | "number":
            customer = replace(customer, **{place: text})
        case "address":
            customer = replace(customer, lines=(text, text))
        case "directors":
            seller = replace(seller, directors=(text, "Erika Mustermann"))
        case "seller":
            seller = replace(seller, name=text)
        case "web":
            seller = replace(seller, web=text)
        case "payment":
            terms = Terms(payment=text)
        case "full_text":
            terms = Terms(full_text=text)
        case "subject" | "introduction" | "closing":
            base = replace(base, **{place: text})
    return release(replace(base, customer=customer, seller=seller, terms=terms))


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("place", PLACES)
def test_that_any_text_in_any_place_gives_a_whole_paper(
    make_draft: Any, make_line: Any, draw_quote: Any, place: str, name: str
) -> None:
    drawn = draw_quote(_quote(make_draft, make_line, place, TEXTS[name]))
    assert drawn.report.pages == len(drawn.pages)
    assert "1.1 Artikel 0" in drawn.text
    assert "1.3 Artikel 2" in drawn.text
    assert "Summe brutto 357,00 EUR" in drawn.text  # 3 x 100.00 and 19 %


@pytest.mark.parametrize(
    "place", ["title", "description", "subject", "introduction", "closing", "payment", "full_text"]
)
def test_that_no_word_of_a_long_text_is_lost(make_draft: Any, make_line: Any, draw_quote: Any, place: str) -> None:
    words = [f"W{index:05d}" for index in range(1_500)]
    drawn = draw_quote(_quote(make_draft, make_line, place, " ".join(words)))
    joined = "".join(drawn.text.split())
    assert [word for word in words if word not in joined] == []


def test_that_unprintable_signs_are_named_with_their_place(make_draft: Any, make_line: Any, draw_quote: Any) -> None:
    drawn = draw_quote(_quote(make_draft, make_line, "company", "漢 GmbH 🚀"))
    findings = {finding.where: finding for finding in drawn.report.findings}
    assert findings["customer.address"].kind is FindingKind.MISSING_GLYPHS
    assert "U+6F22" in findings["customer.address"].detail
    assert "ROCKET" in findings["customer.address"].detail


@pytest.mark.parametrize("amount", ["0", "-0.01", "0.0001", "999999999999.99", "-999999999999.99"])
def test_that_extreme_amounts_stay_in_their_column(
    make_draft: Any, make_line: Any, draw_quote: Any, glyphs: Any, amount: str
) -> None:
    drawn = draw_quote(release(make_draft([make_line("1", amount, quantity=Decimal("999"))])))
    assert drawn.report.pages >= 1
    for page in range(len(drawn.pages)):
        assert all(glyph.right <= 200 for glyph in glyphs(drawn.pdf, page))
