"""Awkward lists: every row right or reported."""

from __future__ import annotations

import io
from contextlib import suppress
from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import Workbook

from catalog.catalog import Catalog
from catalog.load import load_catalog
from catalog.prices_import.amounts import Style, amount_of, style_of
from catalog.prices_import.cells import Cell
from catalog.prices_import.columns import Role
from catalog.prices_import.files import read_content
from catalog.prices_import.limits import PriceListError
from catalog.prices_import.preview import Preview, Remark, Settings, Status, Vat, preview, read_list
from catalog.prices_import.usual import UsualPrices
from catalog.prices_import.words import report
from engine.errors import CancelledError
from engine.facts import Facts
from engine.pricing import guide_price
from resources import translations
from tests.catalog.prices_import.awkward import CASES, MAXQ, Case, decimal
from tests.catalog.prices_import.awkward_offices import OFFICES, REMARKS

TODAY = date(2026, 11, 30)
EVERY = (*CASES, *OFFICES)


def read(bundled: Catalog, content: bytes, file: str = "list.csv", wanted: Settings | None = None) -> Preview:
    return preview(read_content(content, file), file, bundled.facts, TODAY, wanted)


@pytest.mark.parametrize("case", EVERY, ids=lambda case: case.name)
def test_that_every_row_is_right_or_reported(bundled: Catalog, case: Case) -> None:
    found = read(bundled, case.content, case.file, case.settings)
    rows = [
        (row.line, row.status.value, row.item_id, row.amount, row.currency)
        for row in found.rows
        if row.status is not Status.BLANK
    ]
    assert rows == [(line, status, item, decimal(amount), money) for line, status, item, amount, money in case.rows]
    assert found.vat is case.vat
    assert found.as_of == (case.as_of or TODAY)


def test_that_there_are_at_least_twenty_lists() -> None:
    assert len(EVERY) >= 20
    assert len({case.name for case in EVERY}) == len(EVERY)


@pytest.mark.parametrize("file", sorted(REMARKS))
def test_that_what_is_not_used_of_a_list_is_said(bundled: Catalog, file: str) -> None:
    case = next(case for case in OFFICES if case.file == file)
    found = read(bundled, case.content, case.file)
    kind, used, names = REMARKS[file]
    assert Remark(kind, used, names) in found.remarks
    for language in ("de", "en"):
        said = "\n".join(report(found, translations(language)))
        assert all(name in said for name in (used, *names))


def test_that_a_doubt_is_named_and_the_users_word_settles_it(bundled: Catalog) -> None:
    case = next(case for case in OFFICES if case.file == "beiwerk.csv")
    found = read(bundled, case.content, case.file)
    assert [row.detail for row in found.rows] == ["several"] * 3 + ["part"] * 2 + ["used"] * 2 + ["far"]
    assert found.with_choice(9, found.rows[7].item_id).rows[7].status is Status.READY


def test_that_a_validity_stated_at_the_end_counts(bundled: Catalog) -> None:
    case = next(case for case in OFFICES if case.file == "summe.csv")
    assert read(bundled, case.content, case.file).rows[0].valid_until == date(2026, 12, 31)


def test_that_an_amount_without_a_known_price_is_not_doubted(bundled: Catalog) -> None:
    usual = UsualPrices(bundled.facts, TODAY)
    net = guide_price("l40s", bundled.facts, "EUR", TODAY).net
    assert net is not None
    assert not usual.is_far("l40s", net.amount * 4, "EUR")
    assert usual.is_far("l40s", net.amount * 4 + 1, "EUR")
    assert not usual.is_far("l40s", net.amount / 4, "EUR")
    assert usual.is_far("l40s", net.amount / 4 - 1, "EUR")
    assert not usual.is_far("nobody", Decimal(1), "EUR")
    assert not usual.is_far("l40s", Decimal(1), "XXX")


def test_that_validity_by_row_beats_the_title(bundled: Catalog) -> None:
    case = next(case for case in CASES if case.name.startswith("validity"))
    found = read(bundled, case.content, case.file)
    assert [row.valid_until for row in found.rows] == [date(2026, 12, 15), date(2026, 12, 31)]


def test_that_the_users_word_makes_a_row_ready_or_leaves_it_out(bundled: Catalog) -> None:
    found = read(bundled, b"Bezeichnung;Netto EUR\nRTX PRO 6000 Blackwell;12.000,50\nKabel;5,00\n")
    assert found.rows[0].status is Status.CONFIRM
    assert found.rows[0].match is not None
    assert MAXQ in found.rows[0].match.others
    chosen = found.with_choice(2, MAXQ).with_choice(3, None)
    assert [(row.status, row.item_id) for row in chosen.rows] == [(Status.READY, MAXQ), (Status.LEFT_OUT, "")]
    assert chosen.confirmed == {"RTX PRO 6000 Blackwell": MAXQ}
    assert found.rows[0].status is Status.CONFIRM


def test_that_a_confirmed_name_is_known_the_next_time(bundled: Catalog) -> None:
    sheet = read_content(b"Bezeichnung;Netto EUR\nRTX PRO 6000 Blackwell;12.000,50\n", "list.csv")
    again = preview(sheet, "list.csv", bundled.facts, TODAY, remembered={"rtx pro 6000": MAXQ})
    assert (again.rows[0].status, again.rows[0].item_id) == (Status.READY, MAXQ)


def test_that_a_column_can_be_given_another_role(bundled: Catalog) -> None:
    content = b"Produkt;Netto ab 1 EUR;Netto ab 10 EUR\nL40S;6.500,00;6.300,00\n"
    first = read(bundled, content)
    second = read(bundled, content, wanted=Settings(columns=first.columns.with_column(Role.NET, 2)))
    assert second.rows[0].amount == Decimal(6300)


def test_that_a_list_without_names_or_prices_says_so(bundled: Catalog) -> None:
    with pytest.raises(PriceListError, match="no column with names"):
        read(bundled, b"a;b\n1;2\n")


def test_that_a_lists_vat_can_be_decided(bundled: Catalog) -> None:
    assert read(bundled, b"Name;Preis EUR\nL40S;6.500,00\n", wanted=Settings(vat=Vat.NET)).vat is Vat.NET


def test_that_reading_can_be_cancelled_and_reports_progress(bundled: Catalog, tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text("Name;Netto EUR\n" + "L40S;6.500,00\n" * 900, encoding="utf-8")
    seen: list[tuple[int, int]] = []
    read_list(path, bundled.facts, TODAY, progress=lambda done, total: seen.append((done, total)))
    assert seen[0] == (0, 900)
    assert seen[-1] == (900, 900)
    assert len(seen) == 6

    def cancel(done: int, _total: int) -> None:
        if done:
            raise CancelledError

    with pytest.raises(CancelledError):
        read_list(path, bundled.facts, TODAY, progress=cancel)


def test_that_ten_thousand_rows_of_a_workbook_are_all_accounted_for(bundled: Catalog) -> None:
    book = Workbook(write_only=True)
    sheet = book.create_sheet("Liste")
    sheet.append(["Artikel-Nr.", "Bezeichnung", "Netto EUR"])
    for number in range(10_000):
        sheet.append([f"Z-{number}", f"Netzwerkkabel Typ {number}", 5 + number / 100])
    sheet.append(["Z-X", "H200 NVL 141GB", 29_900])
    stream = io.BytesIO()
    book.save(stream)
    found = read(bundled, stream.getvalue(), "list.xlsx")
    assert len(found.rows) == 10_001
    assert [row.item_id for row in found.ready] == ["h200_nvl"]


@pytest.mark.parametrize(
    ("text", "style", "value"),
    [
        ("1.234.567,89", Style.UNKNOWN, "1234567.89"),
        ("1,234,567.89", Style.UNKNOWN, "1234567.89"),
        ("1.234.567", Style.UNKNOWN, "1234567"),
        ("12,5", Style.UNKNOWN, "12.5"),
        ("12.345", Style.COMMA, "12345"),
        ("12.345", Style.POINT, "12.345"),
        ("12\u202f345,00\u00a0€", Style.UNKNOWN, "12345"),
        ("ab 1.499,00 EUR", Style.UNKNOWN, "1499"),
        ("1.499,-- €", Style.UNKNOWN, "1499"),
        ("1'234.50", Style.UNKNOWN, "1234.50"),
    ],
)
def test_that_amounts_are_read_as_written(text: str, style: Style, value: str) -> None:
    assert amount_of(Cell(text), style).value == Decimal(value)


@pytest.mark.parametrize(
    "text", ["1.23.4567", "1,2,3", "12 EUR 13", "=1+1", "+-5", "1e999", "0", "-1", "∞", "1.234,56.7"]
)
def test_that_what_is_no_amount_is_refused(text: str) -> None:
    amount = amount_of(Cell(text), Style.UNKNOWN)
    assert amount.value is None
    assert amount.problem


@given(st.decimals("0.01", "9999999", places=2), st.sampled_from(["de", "en", "ch"]))
def test_that_every_amount_survives_its_country(value: Decimal, country: str) -> None:
    english = f"{value:,.2f}"
    written = {
        "de": english.translate(str.maketrans(",.", ".,")),
        "en": english,
        "ch": english.replace(",", "'"),
    }[country]
    assert amount_of(Cell(written), style_of([written])).value == value


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=400))
def test_that_no_bytes_crash_the_reader(content: bytes) -> None:
    with suppress(PriceListError):
        read_content(content, "list.csv")


@cache
def bundled_facts() -> Facts:
    return load_catalog().facts


@settings(max_examples=200, deadline=None)
@given(st.lists(st.lists(st.text(max_size=20), max_size=5), max_size=8))
def test_that_no_text_crashes_the_preview(rows: list[list[str]]) -> None:
    text = "Bezeichnung;Netto EUR\n" + "\n".join(";".join(row) for row in rows)
    with suppress(PriceListError):
        found = preview(read_content(text.encode(), "list.csv"), "list.csv", bundled_facts(), TODAY)
        assert all(row.amount is None or row.amount > 0 for row in found.rows)


@pytest.mark.parametrize(
    ("heading", "cells"),
    [
        ("Preis inkl. MwSt. (ja/nein)", ("nein", "nein")),
        ("includes_vat", ("false", "true")),
        ("Brutto?", ("0", "1")),
        ("Letzte Preisänderung", ("01.10.2026", "2026-11-02")),
    ],
)
def test_that_flags_and_days_are_never_taken_for_amounts(
    bundled: Catalog, heading: str, cells: tuple[str, str]
) -> None:
    text = f"Bezeichnung;{heading};Preis EUR\nL40S;{cells[0]};6.500,00\nH200 NVL;{cells[1]};27.500,00\n"
    found = read(bundled, text.encode())
    assert [row.amount for row in found.rows] == [6500, 27500]
    assert found.vat is Vat.UNSTATED
    with pytest.raises(PriceListError, match="no column"):
        read(bundled, f"Bezeichnung;{heading}\nL40S;{cells[0]}\nH200 NVL;{cells[1]}\n".encode())
