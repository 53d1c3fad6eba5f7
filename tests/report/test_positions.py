"""The table of positions over pages: nothing torn, nothing lost, sums carried."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.quote.draft import DocumentKind, DraftLine, DraftSection, LineKind, QuoteDraft, SectionRole
from engine.quote.release import release
from engine.wording import numbers
from engine.wording.translator import Language

FIXED = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def _numbers(page: str) -> list[str]:
    return re.findall(r"^(\d+\.\d+[a-z]?) Artikel", page, re.MULTILINE)


@pytest.mark.parametrize("count", [1, 5, 11, 12, 13, 14, 40, 41, 42, 43, 200, 300])
def test_that_every_position_is_printed_once_with_its_total_beside_it(
    make_draft: Any, make_line: Any, draw_quote: Any, count: int
) -> None:
    lines = [make_line(f"{i}", f"{100 + i}.00") for i in range(1, count + 1)]
    drawn = draw_quote(release(make_draft(lines)))
    pages = [page.replace("\r\n", "\n") for page in drawn.pages]
    printed = [number for page in pages for number in _numbers(page)]
    assert printed == [f"1.{i}" for i in range(1, count + 1)]
    for i in range(1, count + 1):
        (page,) = [page for page in pages if re.search(rf"^1\.{i} Artikel {i}$", page, re.MULTILINE)]
        block = page.split(f"1.{i} Artikel {i}\n", 1)[1].split("Artikel", 1)[0]
        assert f"{100 + i},00 EUR {100 + i},00 EUR" in block


@pytest.mark.parametrize("count", [13, 41, 120])
def test_that_sums_are_carried_from_page_to_page(make_draft: Any, make_line: Any, draw_quote: Any, count: int) -> None:
    drawn = draw_quote(release(make_draft([make_line(f"{i}") for i in range(count)])))
    carried = [re.findall(r"Übertrag ([\d.,]+) EUR", page) for page in drawn.pages]
    holding = [index for index, page in enumerate(drawn.pages) if _numbers(page.replace("\r\n", "\n"))]
    for before, after in pairwise(holding):
        printed = sum(len(_numbers(page.replace("\r\n", "\n"))) for page in drawn.pages[: before + 1])
        expected = f"{printed * 100:,}.00".replace(",", "X").replace(".", ",").replace("X", ".")
        assert carried[before][-1] == expected
        assert carried[after][0] == expected


@pytest.mark.parametrize("count", [12, 13, 14, 40, 41, 42, 43, 44])
def test_that_the_totals_stay_with_the_last_position(
    make_draft: Any, make_line: Any, draw_quote: Any, count: int
) -> None:
    drawn = draw_quote(release(make_draft([make_line(f"{i}") for i in range(1, count + 1)])))
    (last,) = [page for page in drawn.pages if f"Artikel {count}\r\n" in page]
    assert "Summe netto" in last
    assert "Summe brutto" in last


def test_that_the_head_is_repeated_on_every_page(make_draft: Any, make_line: Any, draw_quote: Any) -> None:
    drawn = draw_quote(release(make_draft([make_line(f"{i}") for i in range(100)])))
    for page in drawn.pages:
        if _numbers(page.replace("\r\n", "\n")):
            assert "Pos. Bezeichnung Menge Einzelpreis Gesamt" in " ".join(page.split())


def test_that_sections_have_titles_subtotals_and_page_breaks(make_draft: Any, make_line: Any, draw_quote: Any) -> None:
    sections = (
        DraftSection(SectionRole.SYSTEM, (make_line("a"), make_line("b"))),
        DraftSection(SectionRole.SERVICES, (make_line("c"),), page_break_before=True),
    )
    drawn = draw_quote(release(make_draft(sections=sections)))
    assert "Zwischensumme 1 GPU-System 200,00 EUR" in drawn.text
    assert "Zwischensumme 2 Dienstleistungen 100,00 EUR" in drawn.text
    first = next(index for index, page in enumerate(drawn.pages) if "1.1 Artikel a" in page)
    second = next(index for index, page in enumerate(drawn.pages) if "2.1 Artikel c" in page)
    assert second == first + 1
    assert "Übertrag 200,00 EUR" in drawn.pages[second]


def test_that_a_long_description_is_printed_whole(make_draft: Any, make_line: Any, draw_quote: Any) -> None:
    words = [f"Wort{i:04d}" for i in range(1500)]
    lines = [make_line("a"), make_line("b", description=" ".join(words)), make_line("c")]
    drawn = draw_quote(release(make_draft(lines)))
    joined = "".join(drawn.text.split())
    for word in words:
        assert word in joined
    assert "1.3 Artikel c" in drawn.text
    assert "Summe brutto" in drawn.text


def test_that_unit_prices_keep_their_decimals(make_draft: Any, make_line: Any, draw_quote: Any) -> None:
    text = draw_quote(release(make_draft([make_line("a", "0.0375", quantity=Decimal(1000))]))).text
    assert "0,0375 EUR 37,50 EUR" in text


nasty = st.text(alphabet=st.characters(codec="utf-8"), max_size=400) | st.sampled_from(
    [
        "<b>x",
        "A & B <GmbH> < 5",
        '<img src="file:///etc/passwd"/>',
        "\u202eabc\u202c",
        "x" * 3000,
        "漢字" * 50,
        "🚀🇩🇪👩‍🔬",
        "&#0;&nbsp;",
        "{0} {name} %s",
        "\x00\x07\x1b[31m",
        "ä\u0308" * 200,
        "\n" * 60,
        " " * 500,
        "=cmd|' /C calc'!A0",
    ]
)
money = st.decimals(min_value=-(10**9), max_value=10**9, places=4, allow_nan=False, allow_infinity=False)


@FIXED
@given(
    data=st.data(),
    texts=st.lists(st.tuples(nasty, nasty, money | st.none(), st.sampled_from(LineKind)), min_size=1, max_size=12),
    head=st.tuples(nasty, nasty, nasty, nasty),
)
def test_that_any_text_and_number_gives_a_paper(
    make_draft: Callable[..., QuoteDraft],
    make_line: Callable[..., DraftLine],
    draw_quote: Any,
    data: st.DataObject,
    texts: list[tuple[str, str, Decimal | None, LineKind]],
    head: tuple[str, str, str, str],
) -> None:
    lines = [make_line("base")]
    for index, (title, description, price, kind) in enumerate(texts):
        made = make_line(f"{index}", None, title=title, description=description, kind=kind, base_id="base")
        lines.append(replace(made, unit_price=price))
    base = make_draft(lines)
    customer = replace(base.customer, company=head[0], lines=(head[1], head[2]), reference=head[3])
    seller = replace(base.seller, name=head[1], directors=(head[0],), web=head[2])
    drawn = draw_quote(release(replace(base, customer=customer, seller=seller, subject=head[3], closing=head[0])))
    assert drawn.report.pages == len(drawn.pages)
    assert "1.1 Artikel base" in drawn.text


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("price", ["1.00", "99999999999.99", "100000000000.00", "9999999999999.99"])
def test_that_no_amount_is_broken_over_two_lines(
    make_draft: Callable[..., QuoteDraft],
    make_line: Callable[..., DraftLine],
    draw_quote: Callable[..., Any],
    language: str,
    price: str,
) -> None:
    """Every printed amount stands with its currency on one line of the page, up to ten trillion."""
    line = make_line("1", price, quantity=Decimal(1), discount=Decimal("0.05"))
    drawn = draw_quote(release(make_draft((line,), document_discount=Decimal("0.01"))), language)
    lines = [" ".join(text.split()) for page in drawn.pages for text in page.splitlines()]
    quote = release(make_draft((line,), document_discount=Decimal("0.01")))
    amounts = [quote.lines[0].unit_price, quote.lines[0].total, quote.totals.net, quote.totals.gross]
    for amount in amounts:
        assert amount is not None
        text = numbers.money(amount, Language(language)).replace("\u00a0", " ")
        assert any(text in shown for shown in lines), text


def test_that_the_acceptance_offers_a_box_for_every_option_and_alternative(
    make_draft: Callable[..., QuoteDraft], make_line: Callable[..., DraftLine], draw_quote: Callable[..., Any]
) -> None:
    lines = (
        make_line("1"),
        make_line("2", kind=LineKind.ALTERNATIVE, base_id="1"),
        make_line("3", kind=LineKind.OPTIONAL),
        make_line("4", None, kind=LineKind.OPTIONAL),
    )
    text = draw_quote(release(make_draft(lines, kind=DocumentKind.OFFER))).text
    accepted = text[text.index("Wir bestellen nach dem Angebot") :]
    assert "□ 1.1a Artikel 2, anstelle von 1.1" in accepted
    assert "□ 1.2 Artikel 3, zusätzlich" in accepted
    assert "Artikel 4" not in accepted  # nobody orders what has no price
