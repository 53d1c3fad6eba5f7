"""What the person decides about a list, and lists that leave out what others have."""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from openpyxl import Workbook

from catalog.catalog import Catalog
from catalog.load import load_catalog
from catalog.own_files import read_own, write_own
from catalog.prices_import import apply as applying
from catalog.prices_import import workbooks
from catalog.prices_import.columns import Role, find_columns
from catalog.prices_import.files import read_content
from catalog.prices_import.limits import PriceListError
from catalog.prices_import.matching import Matcher
from catalog.prices_import.preview import Preview, Settings, Status, preview
from engine.prices import Price

TODAY = date(2026, 11, 30)
HEADINGS = "item;low;high;currency;kind;includes_vat;vat_country;as_of;valid_until;grade;superseded;source;note"


def read(bundled: Catalog, text: str | bytes, name: str = "list.csv", wanted: Settings | None = None) -> Preview:
    content = text.encode() if isinstance(text, str) else text
    return preview(read_content(content, name), name, bundled.facts, TODAY, wanted)


def test_that_naming_the_product_makes_no_price_where_the_list_has_none(bundled: Catalog) -> None:
    found = read(bundled, "Bezeichnung;Netto EUR\nKarte X;auf Anfrage\n").with_choice(2, "l40s")
    (row,) = found.rows
    assert (row.item_id, row.amount, row.status) == ("l40s", None, Status.ON_REQUEST)
    assert found.ready == ()
    assert found.confirmed == {}


def test_that_a_row_known_by_its_number_alone_is_taken_without_remembering_a_name(
    bundled: Catalog, tmp_path: Path
) -> None:
    found = read(bundled, "Artikelnummer;Netto EUR\nQQ-12345;5.000,00\n").with_choice(2, "l40s")
    assert [row.item_id for row in found.ready] == ["l40s"]
    applying.apply(found, tmp_path)
    assert applying.remembered(tmp_path) == {}
    (price,) = [price for price in load_catalog(tmp_path).facts.prices["l40s"] if price.kind.value == "seller"]
    assert (price.low, price.note) == (Decimal(5000), "QQ-12345")


def test_that_a_column_can_be_taken_away_and_without_prices_nothing_is_read(bundled: Catalog) -> None:
    sheet = read_content(b"Bezeichnung;Netto EUR\nL40S;6.100,00\n", "list.csv")
    columns = find_columns(sheet)
    assert columns is not None
    without = columns.with_column(Role.NET, None)
    assert Role.NET not in without.columns
    with pytest.raises(PriceListError, match=r"list\.csv: no column with prices"):
        preview(sheet, "list.csv", bundled.facts, TODAY, Settings(columns=without))


def test_that_a_price_column_without_a_heading_takes_the_currency_named_above(bundled: Catalog) -> None:
    """The person says that the second column holds net prices; the heading row ends before it."""
    sheet = read_content(b"Preise in CHF\nBezeichnung\nL40S;6100\n", "list.csv")
    columns = find_columns(read_content(b"Bezeichnung;Netto\nL40S;6100\n", "l.csv"))
    assert columns is not None
    chosen = Settings(
        columns=type(columns)({Role.NAME: 0, Role.NET: 1}, ("Bezeichnung",), first_row=2, header_rows=(1,))
    )
    (row,) = preview(sheet, "list.csv", bundled.facts, TODAY, chosen).ready
    assert (row.item_id, row.amount, row.currency) == ("l40s", Decimal(6100), "CHF")


def test_that_a_price_for_half_a_piece_is_no_price(bundled: Catalog) -> None:
    found = read(bundled, "Bezeichnung;Preiseinheit;Netto EUR\nL40S;0,5;6.100,00\nH200 NVL;2;60.000,00\n")
    assert (found.rows[0].status, found.rows[0].detail) == (Status.BAD_AMOUNT, "pieces")
    assert [(row.item_id, row.amount) for row in found.ready] == [("h200_nvl", Decimal(30000))]


def test_that_a_column_of_nothing_but_currencies_is_found_under_any_heading(bundled: Catalog) -> None:
    found = read(bundled, "Bezeichnung;Netto;X\nL40S;6100;CHF\nH200 NVL;27500;EUR\n")
    assert [(row.item_id, row.currency) for row in found.ready] == [("l40s", "CHF"), ("h200_nvl", "EUR")]


def test_that_a_short_number_names_no_product(bundled: Catalog) -> None:
    """Four signs stand in too many texts to tell one product from all others."""
    item = replace(next(iter(bundled.facts.items.values())), id="own", part_numbers=(("us", "AB-12"), ("us", "AB-123")))
    matcher = Matcher(replace(bundled.facts, items={"own": item}))
    assert matcher.match("", ["AB-12"], "") is None
    found = matcher.match("", ["ab 123"], "")
    assert found is not None
    assert (found.item_id, found.by_part_number) == ("own", True)


def test_that_a_heading_spread_over_two_rows_is_read_as_one(bundled: Catalog) -> None:
    found = read(bundled, ";Preis;Preis\nBezeichnung;netto EUR;brutto EUR\nL40S;6100;7259\n")
    assert found.columns.headings == ("Bezeichnung", "Preis netto EUR", "Preis brutto EUR")
    assert [(row.item_id, row.amount) for row in found.ready] == [("l40s", Decimal(6100))]


def test_that_a_list_of_catalogue_ids_is_taken_over_with_its_last_day(bundled: Catalog, tmp_path: Path) -> None:
    applying.apply(read(bundled, "id;Netto EUR;Gültig bis\nl40s;6100;31.12.2026\n"), tmp_path)
    (row,) = read_own(tmp_path, "prices.yaml")["prices"]
    assert (row["item"], row["valid_until"], row["note"]) == ("l40s", "2026-12-31", "l40s")


def test_that_a_sheet_can_be_asked_for_and_an_unknown_one_falls_back_to_the_best() -> None:
    book = Workbook()
    book.active.title = "Karten"
    for line in (("Bezeichnung", "Netto EUR"), ("L40S", 6100), ("H200 NVL", 29990)):
        book.active.append(line)
    book.create_sheet("Notizen").append(("Nur Worte",))
    stream = io.BytesIO()
    book.save(stream)
    for wanted, title in (("", "Karten"), ("Notizen", "Notizen"), ("Gestern", "Karten")):
        sheet = read_content(stream.getvalue(), "list.xlsx", wanted)
        assert (sheet.title, sheet.name) == (title, f"list.xlsx / {title}")
        assert sheet.sheets == ("Karten", "Notizen")
    assert read_content(b"Bezeichnung;Netto EUR\nL40S;6100\n", "list.csv", "Karten").sheets == ()


def test_that_a_workbook_of_hidden_sheets_alone_is_refused(bundled: Catalog) -> None:
    book = Workbook()
    book.active.append(("Bezeichnung", "Netto EUR"))
    book.create_sheet("Zweites").append(("L40S", 6100))
    stream = io.BytesIO()
    book.save(stream)
    hidden = io.BytesIO()
    with zipfile.ZipFile(stream) as packed, zipfile.ZipFile(hidden, "w") as repacked:
        for part in packed.namelist():
            content = packed.read(part)
            if part == "xl/workbook.xml":
                assert b'state="visible"' in content
                content = content.replace(b'state="visible"', b'state="hidden"')
            repacked.writestr(part, content)
    with pytest.raises(PriceListError, match="has no sheet"):
        read(bundled, hidden.getvalue(), "list.xlsx")


def test_that_a_workbook_may_carry_a_picture_and_days_written_as_text(bundled: Catalog) -> None:
    book = Workbook()
    book.iso_dates = True
    for row in (("Bezeichnung", "Netto EUR", "Gültig bis"), ("L40S", 6100, date(2026, 12, 31))):
        book.active.append(row)
    stream = io.BytesIO()
    book.save(stream)
    with zipfile.ZipFile(stream, "a") as packed:
        assert b't="d"' in packed.read("xl/worksheets/sheet1.xml")
        packed.writestr("docProps/thumbnail.png", b"\x89PNG")
    (row,) = read(bundled, stream.getvalue(), "list.xlsx").ready
    assert (row.item_id, row.valid_until) == ("l40s", date(2026, 12, 31))


def test_that_a_workbook_of_too_many_elements_is_refused_unread(
    bundled: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = Workbook()
    book.active.append(("Bezeichnung", "Netto EUR"))
    stream = io.BytesIO()
    book.save(stream)
    monkeypatch.setattr(workbooks, "MAX_TAGS", 20)
    with pytest.raises(PriceListError, match="more elements than a price list has"):
        read(bundled, stream.getvalue(), "list.xlsx")


def test_that_rows_of_the_own_export_share_a_new_source_and_keep_what_they_say(
    bundled: Catalog, tmp_path: Path
) -> None:
    known = bundled.facts.prices["l40s"][0]
    assert known.source.id
    lines = (
        HEADINGS,
        "l40s;6100;7200;EUR;offer;false;;2026-11-20;;A;true;Angebot Köln;",
        "h200_nvl;27000;28000;EUR;offer;false;;2026-11-20;;A;false;Angebot Köln;",
        f"l40s;6000;6000;EUR;offer;false;;2026-11-21;;A;false;{known.source.title};",
        "l40s;6000;6000;EUR;offer;false;;2026-11-21;;A;false;;",
    )
    found = read(bundled, "\n".join(lines))
    assert (found.rows[3].status, found.rows[3].detail) == (Status.BAD_FIELD, "source")
    assert applying.apply(found, tmp_path).prices == 3
    assert len(read_own(tmp_path, "sources.yaml")["sources"]) == 1
    own = {(price.low, price.superseded, price.source.title) for price in _offers(tmp_path)}
    assert own == {
        (Decimal(6100), True, "Angebot Köln"),
        (Decimal(27000), False, "Angebot Köln"),
        (Decimal(6000), False, known.source.title),
    }


def test_that_rows_of_known_sources_write_no_source(bundled: Catalog, tmp_path: Path) -> None:
    title = bundled.facts.prices["l40s"][0].source.title
    found = read(bundled, f"{HEADINGS}\nl40s;6000;6000;EUR;offer;false;;2026-11-21;;A;false;{title};\n")
    applying.apply(found, tmp_path)
    assert [path.name for path in tmp_path.glob("*.yaml")] == ["prices.yaml"]


def test_that_an_applied_list_leaves_own_prices_of_other_kinds_and_items_as_they_are(
    bundled: Catalog, tmp_path: Path
) -> None:
    price = {
        "amount": "5",
        "currency": "EUR",
        "includes_vat": False,
        "as_of": "2026-11-01",
        "source": "own_price_list",
        "grade": "A",
    }
    rows = [{"item": "l40s", "kind": "offer", **price}, {"item": "h200_nvl", "kind": "seller", **price}]
    write_own(tmp_path, {"prices.yaml": {"schema": 1, "prices": rows}})
    applied = applying.apply(read(bundled, "Bezeichnung;Netto EUR\nL40S;6.100,00\n"), tmp_path)
    assert (applied.prices, applied.replaced) == (1, 0)
    assert read_own(tmp_path, "prices.yaml")["prices"][1:] == rows


def _offers(folder: Path) -> list[Price]:
    facts = load_catalog(folder).facts
    return [
        price
        for item in ("l40s", "h200_nvl")
        for price in facts.prices[item]
        if price.kind.value == "offer" and price not in load_catalog().facts.prices[item]
    ]
