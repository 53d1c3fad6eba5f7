"""One calculation: paper, data, spreadsheet, text and register state the same sums, to the cent."""

from __future__ import annotations

import csv
import hashlib
import json
import re
from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal
from io import BytesIO, StringIO
from pathlib import Path
from xml.etree import ElementTree
from zipfile import ZipFile

import jsonschema
import pypdfium2
import pytest
from openpyxl import load_workbook

from catalog.commands.quote_exports import BYTE_ORDER_MARK, exported
from catalog.consultation.document import Consultation
from catalog.paper import make_pdf
from catalog.quote_schema import QuoteDocument, json_schema
from catalog.register.snapshot import revision_row
from catalog.register.types import Made
from engine.quote.document import Quote
from engine.quote.draft import DocumentKind, DraftLine, DraftSection, LineKind, SectionRole
from engine.quote.form import quote_json
from engine.quote.release import release
from engine.units import Money
from engine.wording import numbers
from engine.wording.translator import Language
from tests.catalog.register.random_quotes import random_quotes
from tests.catalog.register.samples import draft

QUOTES = 10_000
PAPERS = 60
SEED = 20261130
CENT = Decimal("0.01")
SPREADSHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
PUBLISHED = Path(__file__).parents[3] / "docs" / "quote.schema.json"


def sums_of(quote: Quote) -> list[Decimal]:
    """Every sum the quote states, in order."""
    totals = quote.totals
    if totals.nothing_priced:
        return []
    assert totals.vat is not None
    assert totals.gross is not None
    taken_off = [totals.before_discount.amount, -totals.discount.amount] if totals.discount.amount else []
    return [*taken_off, totals.net.amount, *(item.vat.amount for item in totals.vat), totals.gross.amount]


def sums_by_hand(quote: Quote) -> tuple[Decimal, Decimal]:
    """Net and gross once more from the lines, by the rule and without the engine's functions."""
    by_case: dict[object, Decimal] = {}
    for line in quote.lines:
        if line.kind is LineKind.BASE and line.unit_price is not None:  # what else is shown never enters the sum
            exact = line.quantity * line.unit_price.amount * (1 - line.discount)
            by_case[line.vat_case] = by_case.get(line.vat_case, Decimal(0)) + exact.quantize(CENT, ROUND_HALF_UP)
    net = vat = Decimal(0)
    for case, amount in by_case.items():
        left = amount - (amount * quote.document_discount).quantize(CENT, ROUND_HALF_UP)
        net += left
        vat += (left * Decimal("0.19")).quantize(CENT, ROUND_HALF_UP) if case == "domestic" else Decimal(0)
    return net, net + vat


def sums_in_json(content: bytes) -> list[Decimal]:
    totals = json.loads(content)["totals"]
    if totals["net"] is None:
        return []
    taken_off = []
    if Decimal(totals["discount"] or 0):
        taken_off = [Decimal(totals["before_discount"]), -Decimal(totals["discount"])]
    vat = [Decimal(item["vat"]) for item in totals["vat"]]
    return [*taken_off, Decimal(totals["net"]), *vat, Decimal(totals["gross"])]


def sums_in_csv(content: bytes, language: str) -> list[Decimal]:
    text = content.decode().removeprefix(BYTE_ORDER_MARK)
    rows = list(csv.reader(StringIO(text), delimiter=";" if language == "de" else ","))
    shown = [row[8] for row in rows if len(row) == 9 and not any(row[:7]) and row[7]]
    return [Decimal(value.replace(",", ".")) for value in shown if _is_number(value.replace(",", "."))]


def sums_in_xlsx(content: bytes) -> list[Decimal]:
    """Read from the sheet's own XML: a reader that goes through binary fractions would hide a lost cent."""
    with ZipFile(BytesIO(content)) as archive:
        sheet = ElementTree.fromstring(archive.read("xl/worksheets/sheet1.xml"))
    found = []
    for row in sheet.iter(f"{SPREADSHEET}row"):
        cells = {str(cell.get("r"))[0]: cell for cell in row}
        if set(cells) == {"H", "I"} and cells["I"].get("t") is None:
            found.append(Decimal(str(cells["I"].findtext(f"{SPREADSHEET}v"))))
    return found


def _is_number(text: str) -> bool:
    return text.removeprefix("-").replace(".", "", 1).isdigit()


@pytest.fixture(scope="module")
def quotes() -> list[Quote]:
    return list(random_quotes(QUOTES, SEED))


def test_that_ten_thousand_quotes_state_the_same_sums_as_data_spreadsheet_and_text(quotes: list[Quote]) -> None:
    for quote in quotes:
        wanted = sums_of(quote)
        assert sums_in_json(exported(quote, "json")) == wanted
        assert sums_in_csv(exported(quote, "csv"), quote.language) == wanted
        assert sums_in_xlsx(exported(quote, "xlsx")) == wanted


def test_that_money_leaves_as_decimal_text_to_the_cent(quotes: list[Quote]) -> None:
    """ "100.00", never "100.0": a machine that compares texts would see another amount."""
    for quote in quotes[:1_000]:
        totals = json.loads(exported(quote, "json"))["totals"]
        texts = [totals[name] for name in ("before_discount", "discount", "net", "gross") if totals[name] is not None]
        texts += [item[name] for item in totals["vat"] or () for name in ("net", "vat")]
        assert all(re.fullmatch(r"-?\d+\.\d\d", text) for text in texts), texts


def test_that_no_cent_is_lost_where_a_binary_fraction_loses_one() -> None:
    """Sixteen digits: the nearest binary fraction to 99999999999999.99 reads 99999999999999.98."""
    amount = Decimal("99999999999999.99")
    assert Decimal(repr(float(amount))) != amount
    line = DraftLine("1", "Artikel", unit_price=amount)
    quote = release(draft(number="AN-1", kind=DocumentKind.RECOMMENDATION, sections=(_section(line),)))
    for sums in (
        sums_in_json(exported(quote, "json")),
        sums_in_csv(exported(quote, "csv"), quote.language),
        sums_in_xlsx(exported(quote, "xlsx")),
    ):
        assert sums[0] == amount


def _section(line: DraftLine) -> DraftSection:
    return DraftSection(SectionRole.FREE, (line,))


def test_that_the_sums_of_ten_thousand_quotes_follow_the_rule(quotes: list[Quote]) -> None:
    for quote in quotes:
        if not quote.totals.nothing_priced:
            assert sums_by_hand(quote) == (quote.totals.net.amount, quote.totals.gross and quote.totals.gross.amount)


def test_that_paper_and_register_state_them_too(quotes: list[Quote]) -> None:
    for quote in quotes[:PAPERS]:
        pdf = make_pdf(quote, Consultation(), Path()).pdf
        text = " ".join(" ".join(_pages(pdf)).split())
        for amount in sums_of(quote):
            shown = numbers.money(Money(amount, "EUR"), Language(quote.language)).replace("\u00a0", " ")
            assert shown in text, (quote, shown)
        row = revision_row(Made(quote, pdf, ""))
        if sums_of(quote):
            assert row["gross"] == str(sums_of(quote)[-1])
        assert row["pdf_sha256"] == hashlib.sha256(pdf).hexdigest()


def _pages(pdf: bytes) -> Iterator[str]:
    document = pypdfium2.PdfDocument(pdf)
    try:
        for page in document:
            yield page.get_textpage().get_text_bounded().replace("\u00a0", " ")
    finally:
        document.close()


def test_that_every_export_has_the_published_shape(quotes: list[Quote]) -> None:
    validator = jsonschema.Draft202012Validator(json.loads(PUBLISHED.read_text(encoding="utf-8")))
    for quote in quotes[:300]:
        validator.validate(json.loads(quote_json(quote)))
    for quote in quotes[:2_000]:
        QuoteDocument.model_validate_json(quote_json(quote))


def test_that_the_published_schema_is_the_one_of_the_program() -> None:
    """`python -m catalog.quote_schema > docs/quote.schema.json` brings it up to date."""
    assert PUBLISHED.read_text(encoding="utf-8") == json_schema()


def test_that_the_schema_refuses_what_is_not_in_it() -> None:
    data = json.loads(quote_json(release(draft(number="1"))))
    validator = jsonschema.Draft202012Validator(json.loads(PUBLISHED.read_text(encoding="utf-8")))
    assert validator.is_valid(data)
    for change in ({"margin": "12.00"}, {"schema": 2}, {"currency": "euro"}, {"valid_until": "30.12.2026"}):
        assert not validator.is_valid({**data, **change}), change


@pytest.mark.parametrize("file_format", ["xlsx", "csv", "json", "email"])
def test_that_the_same_quote_is_the_same_file(file_format: str) -> None:
    quote = next(random_quotes(1, 7))
    assert exported(quote, file_format) == exported(quote, file_format)


HOSTILE = (
    *("=1+1", "+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1", "＝1+1", "＋1", "|calc", "%0A=1"),
    *('=HYPERLINK("http://x";"y")', '"=1', ";=1;", ",=1,", "=cmd|' /C calc'!A0", "<b>&\x07\x00\uffff"),
)


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("language", ["de", "en"])
def test_that_no_text_becomes_a_formula_and_none_is_lost(text: str, language: str) -> None:
    lines = (DraftLine("1", text, description=text, unit_price=Decimal(1)),)
    quote = release(draft(number="1", language=language, sections=(DraftSection(SectionRole.FREE, lines, text),)))
    rows = csv.reader(
        StringIO(exported(quote, "csv").decode().removeprefix(BYTE_ORDER_MARK), newline=""),
        delimiter=";" if language == "de" else ",",
    )
    fields = [field for row in rows for field in row]
    assert any(text in field for field in fields)
    for field in fields:
        number = _is_number(field.replace(",", "."))
        assert number or not field.lstrip(" ").startswith(("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "|", "%"))
    sheet = load_workbook(BytesIO(exported(quote, "xlsx"))).active
    cells = [cell for row in sheet.iter_rows() for cell in row if isinstance(cell.value, str)]
    assert {cell.data_type for cell in cells} == {"s"}
    kept = "".join(sign for sign in text if sign not in "\x00\x07\uffff").replace("\r", "\n")
    assert any(kept.strip() in str(cell.value).replace("\r", "\n") for cell in cells)


def test_that_a_text_longer_than_a_cell_goes_on_in_the_next_row() -> None:
    text = "".join(chr(ord("a") + index % 26) for index in range(70_000))
    lines = (DraftLine("1", "Artikel", description=text, unit_price=Decimal(1)),)
    quote = release(draft(number="1", sections=(DraftSection(SectionRole.FREE, lines),)))
    sheet = load_workbook(BytesIO(exported(quote, "xlsx"))).active
    column = [str(row[3]) for row in sheet.values if row[3]]
    assert text in "".join(column)
    assert sums_in_xlsx(exported(quote, "xlsx")) == sums_of(quote)


def test_that_spreadsheets_open_with_money_as_numbers_and_percent_as_percent() -> None:
    lines = (DraftLine("1", "Artikel", unit_price=Decimal("1234.5"), discount=Decimal("0.15")),)
    quote = release(draft(number="1", sections=(DraftSection(SectionRole.FREE, lines),)))
    sheet = load_workbook(BytesIO(exported(quote, "xlsx"))).active
    row = next(row for row in sheet.iter_rows() if row[0].value == "1.1")
    assert [cell.value for cell in row[6:9]] == [0.15, 1234.5, 1049.33]  # 1234.5 x 0.85 = 1049.325, half up
    assert row[6].number_format == "0.0#%"
    assert row[8].number_format == "#,##0.00"
    assert sheet["A1"].font.b
    assert sheet.freeze_panes == "A2"


def test_that_the_email_names_the_document_and_its_file() -> None:
    text = exported(release(draft(number="AN-2026-0042")), "email").decode()
    assert text.startswith("Betreff: Angebot AN-2026-0042\nAnlage: Angebot_AN-2026-0042_Beispiel-Maschinenbau-AG.pdf\n")
