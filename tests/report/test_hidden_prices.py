"""A section can state its sum alone: no price of its positions leaves the seller, on paper or in a file."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest

from catalog.consultation.customer_side import _sections
from catalog.consultation.quote_rows import LineRow, SectionRow
from engine.quote.draft import DraftSection, LineKind, QuoteDraft, SectionRole
from engine.quote.form import quote_json
from engine.quote.offered import offered_prices
from engine.quote.release import release
from engine.report.spreadsheet import csv_text, write_xlsx
from engine.units import Money
from resources import translations

# 2 * 1111.11 + 777.77 = 2999.99; only this sum may be read.
SECRET = ("1111.11", "1.111,11", "1111,11", "777.77", "777,77", "2222.22", "2.222,22", "2222,22", "5555.55", "5.555,55")


@pytest.fixture
def hiding(make_draft: Any, make_line: Any) -> QuoteDraft:
    system = DraftSection(
        SectionRole.SYSTEM,
        (
            make_line("a", "1111.11", quantity=Decimal(2), item_id="card"),
            make_line("b", "777.77"),
            make_line("c", None, kind=LineKind.BASE),
            make_line("d", "5555.55", kind=LineKind.OPTIONAL),
            make_line("f", "0", kind=LineKind.INCLUDED),
        ),
        title="Gerät",
        show_prices=False,
    )
    services = DraftSection(SectionRole.SERVICES, (make_line("e", "400.00", item_id="setup"),))
    made: QuoteDraft = make_draft(sections=(system, services))
    return made


def test_that_the_paper_states_the_sum_of_the_section_and_no_price_in_it(hiding: QuoteDraft, draw_quote: Any) -> None:
    text = draw_quote(release(hiding)).text
    assert "2.999,99" in text
    assert "400,00" in text  # of a section that hides nothing
    assert not [amount for amount in SECRET if amount in text]
    assert "auf Anfrage" in text
    assert "nicht in der Summe" in text
    assert "enthalten" in text


@pytest.mark.parametrize("count", [40, 90])
def test_that_the_sum_carried_over_a_page_tells_no_price(
    make_draft: Any, make_line: Any, draw_quote: Any, count: int
) -> None:
    lines = tuple(make_line(str(number), "10.00") for number in range(count))
    hidden = DraftSection(SectionRole.SYSTEM, lines, show_prices=False)
    shown = DraftSection(SectionRole.SERVICES, (make_line("s", "400.00"),))
    text = draw_quote(release(make_draft(sections=(hidden, shown)))).text
    assert "Übertrag" not in text.split("Zwischensumme")[0]
    assert f"{count * 10},00" in text
    shown_text = draw_quote(release(make_draft(sections=(replace(hidden, show_prices=True), shown)))).text
    assert "Übertrag" in shown_text.split("Zwischensumme")[0]


def test_that_no_file_tells_one(hiding: QuoteDraft) -> None:
    quote, tr = release(hiding), translations("de")
    stream = BytesIO()
    write_xlsx(quote, "de", tr, stream)
    sheet = ZipFile(stream).read("xl/worksheets/sheet1.xml").decode()
    for text in (quote_json(quote).decode(), csv_text(quote, "de", tr), sheet):
        assert not [amount for amount in SECRET if amount in text]
        assert "400" in text


def test_that_the_spreadsheet_states_the_sum_of_a_section_without_prices(hiding: QuoteDraft) -> None:
    text = csv_text(release(hiding), "de", translations("de"))
    assert "Zwischensumme 1 Gerät;2999,99" in text
    assert "Zwischensumme 2" not in text  # its positions add up before the reader's eyes


def test_that_the_technical_part_knows_only_the_prices_that_are_shown(hiding: QuoteDraft) -> None:
    assert set(offered_prices(hiding)) == {"card", "setup"}
    assert set(offered_prices(hiding, shown_only=True)) == {"setup"}
    assert offered_prices(replace(hiding, show_line_prices=False), shown_only=True) == {}


def test_that_the_carried_consultation_holds_none() -> None:
    line = LineRow(id="a", title="Karte", price=Decimal("1111.11"), discount_percent=Decimal(3))
    hidden, shown = _sections((SectionRow(lines=(line,), show_prices=False), SectionRow(lines=(line,))), shown=True)
    assert (hidden.lines[0].price, hidden.lines[0].discount_percent, hidden.show_prices) == (None, 0, False)
    assert shown.lines[0].price == Decimal("1111.11")


def test_that_no_sum_tells_the_price_of_a_hidden_option(hiding: QuoteDraft) -> None:
    shown = replace(hiding, sections=tuple(replace(section, show_prices=True) for section in hiding.sections))
    assert release(hiding).options_net is None  # 8,955.54 less 3,399.99 would be the option's 5,555.55
    assert release(shown).options_net == Money(Decimal("8955.54"), "EUR")


def test_that_sums_are_the_same_whether_prices_are_shown_or_not(hiding: QuoteDraft) -> None:
    shown = replace(hiding, sections=tuple(replace(section, show_prices=True) for section in hiding.sections))
    assert release(shown).totals == release(hiding).totals


def test_that_a_paper_that_hides_every_section_has_no_empty_columns(hiding: QuoteDraft, draw_quote: Any) -> None:
    sections = tuple(replace(section, show_prices=False) for section in hiding.sections)
    text = draw_quote(release(replace(hiding, sections=sections))).text
    assert "Einzelpreis" not in text
    assert "2.999,99" in text
