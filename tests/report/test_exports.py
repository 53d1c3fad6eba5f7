"""One calculation: paper, data, spreadsheet and text agree to the cent."""

from __future__ import annotations

import csv
import random
import re
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

from engine.quote.document import Quote
from engine.quote.draft import DraftLine, DraftSection, LineKind, QuoteDraft, SectionRole
from engine.quote.form import quote_form
from engine.quote.release import release
from engine.quote.vat import Supply, VatCase, VatTreatment
from engine.report.spreadsheet import csv_text, write_xlsx
from engine.wording import numbers
from engine.wording.translator import Language
from resources import translations

RANDOM_QUOTES = 10_000
READ_BACK = 25  # of them as PDF and spreadsheet, which take longer


def _random_quote(chance: random.Random, make_draft: Any, make_line: Any) -> Quote:
    lines: list[DraftLine] = []
    for index in range(chance.randint(1, 9)):
        kind = chance.choice([LineKind.BASE] * 5 + [LineKind.OPTIONAL, LineKind.INCLUDED])
        lines.append(
            make_line(
                f"{index}",
                str(Decimal(chance.randint(-5_000_000, 9_000_000)) / 1000),
                kind=kind,
                quantity=Decimal(chance.randint(1, 4000)) / chance.choice([1, 1, 1, 10, 100]),
                discount=Decimal(chance.choice([0, 0, 0, 5, 15, 33])) / 100,
                supply=chance.choice(list(Supply)),
            )
        )
    cut = chance.randint(0, len(lines))
    sections = tuple(
        DraftSection(SectionRole.FREE, tuple(part), f"Teil {i}") for i, part in enumerate((lines[:cut], lines[cut:]))
    )
    cases = chance.choice(
        [
            (VatCase.DOMESTIC, VatCase.DOMESTIC),
            (VatCase.INTRA_COMMUNITY, VatCase.REVERSE_CHARGE),
            (VatCase.EXPORT, VatCase.EXPORT),
        ]
    )
    treatment = VatTreatment(*cases, domestic_rate=Decimal("0.19"), confirmed=True)
    discount = Decimal(chance.choice([0, 0, 2, 7])) / 100
    return release(make_draft(sections=sections, vat=treatment, document_discount=discount))


@pytest.fixture(scope="module")
def random_quotes(make_draft: Callable[..., QuoteDraft], make_line: Callable[..., DraftLine]) -> list[Quote]:
    chance = random.Random(20261130)
    return [_random_quote(chance, make_draft, make_line) for _ in range(RANDOM_QUOTES)]


def test_that_the_data_state_the_sums_of_ten_thousand_quotes(random_quotes: list[Quote]) -> None:
    for quote in random_quotes:
        data = quote_form(quote)["totals"]
        vat = sum((Decimal(item["vat"]) for item in data["vat"]), Decimal(0))
        assert Decimal(data["net"]) == quote.totals.net.amount
        assert Decimal(data["net"]) + vat == Decimal(data["gross"])
        assert quote.totals.gross is not None
        assert Decimal(data["gross"]) == quote.totals.gross.amount


@pytest.mark.parametrize("language", ["de", "en"])
def test_that_paper_spreadsheet_and_text_print_the_same_sums(
    random_quotes: list[Quote], draw_quote: Any, language: str
) -> None:
    tr = translations(language)
    for quote in random_quotes[:READ_BACK]:
        assert quote.totals.gross is not None
        paper = draw_quote(quote, language).text
        stream = BytesIO()
        write_xlsx(quote, language, tr, stream)
        sheet = load_workbook(BytesIO(stream.getvalue())).active
        cells = [Decimal(str(row[8])) for row in sheet.values if isinstance(row[8], int | float)]
        rows = list(csv.reader(StringIO(csv_text(quote, language, tr)), delimiter=";" if language == "de" else ","))
        texts = {row[-1].replace(",", ".") for row in rows}
        sums = [quote.totals.net, quote.totals.gross, *(item.vat for item in quote.totals.vat or ())]
        for amount in sums:
            assert numbers.money(amount, Language(language)).replace("\u00a0", " ") in paper
            assert amount.amount in cells
            assert f"{amount.amount:f}" in texts


def test_that_an_export_has_no_gross_sum_while_vat_is_not_settled(make_draft: Any) -> None:
    """For a customer abroad whose status is open the law gives several answers; a guess would be a wrong sum."""
    quote = release(make_draft(vat=VatTreatment(None, None, None)))
    assert quote.totals.gross is None
    text = csv_text(quote, "en", translations("en"))
    assert "Sum, net" in text
    assert "gross" not in text


def test_that_a_spreadsheet_never_takes_a_text_for_a_formula(make_draft: Any, make_line: Any) -> None:
    hostile = '=HYPERLINK("http://x";"y")'
    quote = release(make_draft([make_line("1", title=hostile, description="+1+1\x07")]))
    stream = BytesIO()
    write_xlsx(quote, "de", translations("de"), stream)
    sheet = load_workbook(BytesIO(stream.getvalue())).active
    (cell,) = [cell for row in sheet.iter_rows() for cell in row if cell.value == hostile]
    assert cell.data_type == "s"
    text = csv_text(quote, "de", translations("de"))
    assert re.search(r"(^|;)\"?=", text) is None


def test_that_the_text_uses_the_decimals_of_its_language(make_draft: Any, make_line: Any) -> None:
    quote = release(make_draft([make_line("1", "1234.50")]))
    assert ";1234,50;1234,50" in csv_text(quote, "de", translations("de"))
    assert ",1234.50,1234.50" in csv_text(quote, "en", translations("en"))


def test_that_what_is_on_request_is_words_in_every_export(make_draft: Any, make_line: Any) -> None:
    quote = release(make_draft([make_line("1", None)]))
    assert quote_form(quote)["totals"]["net"] is None
    assert quote_form(quote)["totals"]["on_request"] == ["1.1"]
    text = csv_text(quote, "de", translations("de"))
    assert text.count("auf Anfrage") == 3
    assert "0,00" not in text


def test_that_hidden_line_prices_are_hidden_in_every_export(make_draft: Any, make_line: Any) -> None:
    quote = release(make_draft([make_line("1", "123.45"), make_line("2", "1.00")]))
    hidden = replace(quote, show_line_prices=False)
    assert "123.45" not in repr(quote_form(hidden))
    assert "123,45" not in csv_text(hidden, "de", translations("de"))


def test_that_the_documented_schema_names_every_field(make_draft: Any, make_line: Any) -> None:
    text = (Path(__file__).parents[2] / "docs" / "quote_schema.md").read_text(encoding="utf-8")
    form = quote_form(release(make_draft([make_line("1")])))
    named = set(re.findall(r"`([a-z_]+)(?:\[\])?`", text)) | set(re.findall(r"\.([a-z_]+)\[\]`", text))
    fields = {*form, *form["totals"], *form["totals"]["vat"][0], *form["sections"][0]["lines"][0], *form["customer"]}
    assert sorted(fields - named) == []
