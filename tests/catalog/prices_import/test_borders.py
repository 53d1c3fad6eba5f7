"""Price lists at the borders of what is read: formats of cells, limits, damaged and unreachable files."""

from __future__ import annotations

import datetime
import io
import zipfile
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest
from openpyxl import Workbook

from catalog.prices_import import files, workbooks
from catalog.prices_import.amounts import HIGHEST, Style, amount_of, style_of
from catalog.prices_import.cells import Cell
from catalog.prices_import.files import read_content, read_file
from catalog.prices_import.limits import MAX_CELL, PriceListError


def _workbook(*rows: tuple[object, ...]) -> bytes:
    book = Workbook()
    for row in rows:
        book.active.append(row)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def test_that_every_kind_of_a_cell_is_read_as_what_it_is() -> None:
    content = _workbook(
        ("Item", "Price", "Stock", "Date", "Time"),
        ("H200", 27500.5, True, datetime.date(2026, 11, 20), datetime.time(8, 30)),
        ("L40S", 6100, False, datetime.datetime(2026, 11, 21, 9, 0), None),  # noqa: DTZ001  # a workbook knows no zone
    )
    sheet = read_content(content, "list.xlsx")
    first, second = sheet.lines[1], sheet.lines[2]
    assert [cell.value for cell in first.cells] == [
        "H200",
        Decimal("27500.5"),
        "yes",
        datetime.date(2026, 11, 20),
        "08:30:00",
    ]
    assert [cell.value for cell in second.cells][:4] == ["L40S", 6100, "no", datetime.date(2026, 11, 21)]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("list.xlsx", lambda: _workbook(("Item", "Price"), ("x" * (MAX_CELL + 1), 1)), "A cell has more than"),
        ("list.xlsx", lambda: _workbook(("Item", "Price"))[:-200], "damaged"),
        ("list.yaml", lambda: b"prices:\n- {item: " + b"x" * (MAX_CELL + 1) + b"}\n", "A cell has more than"),
        ("list.yaml", lambda: b"prices: []\n", "a list of entries with fields is needed"),
        ("list.yaml", lambda: b"just text\n", "a list of entries with fields is needed"),
        ("list.yaml", lambda: b"- 5\n", "a list of entries with fields is needed"),
    ],
)
def test_that_a_list_that_is_none_is_refused_in_words(name: str, content: Callable[[], bytes], message: str) -> None:
    with pytest.raises(PriceListError, match=message):
        read_content(content(), name)


def test_that_a_yaml_list_may_stand_alone_and_knows_yes_and_no() -> None:
    sheet = read_content(
        b"- {item: h200_nvl, price: 27500, stock: true, notes: [1]}\n- {item: l40s, stock: false}\n", "a.yaml"
    )
    assert [cell.value for cell in sheet.lines[1].cells] == ["h200_nvl", 27500, "yes", None]
    assert sheet.lines[2].cells[2].value == "no"


def test_that_too_many_rows_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_ROWS", 2)
    with pytest.raises(PriceListError, match="more than 2 rows; please split it"):
        read_content(b"- {a: 1}\n- {a: 1}\n- {a: 1}\n", "a.yaml")


def test_that_a_workbook_that_unpacks_to_too_much_is_refused_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbooks, "MAX_UNPACKED_BYTES", 100)
    with pytest.raises(PriceListError, match="unpacks to more than 100 bytes"):
        read_content(_workbook(("Item", "Price"), ("H200", 1)), "list.xlsx")


def test_that_a_workbook_with_a_broken_part_is_damaged() -> None:
    whole = _workbook(("Item", "Price"), ("H200", 1))
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(whole)) as source, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as target:
        for part in source.namelist():
            target.writestr(part, source.read(part))
    spoilt = bytearray(stream.getvalue())
    place = spoilt.find(b"xl/workbook.xml") + 60
    spoilt[place : place + 40] = b"\xff" * 40
    with pytest.raises(PriceListError, match="damaged"):
        read_content(bytes(spoilt), "list.xlsx")


def test_that_an_unreachable_list_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "liste.csv"
    path.write_text("Item;Price\nH200;1\n", encoding="utf-8")

    def fail(*_arguments: object) -> bytes:
        raise OSError(116, "Stale file handle")

    monkeypatch.setattr(Path, "read_bytes", fail)
    with pytest.raises(PriceListError, match=r"liste\.csv: cannot be read: Stale file handle"):
        read_file(path)


# 1.234.567 and 1,234,567: a sign that stands twice parts thousands, so the other one is the decimal sign.
@pytest.mark.parametrize(("text", "style"), [("1.234.567", Style.COMMA), ("1,234,567", Style.POINT)])
def test_that_a_sign_that_stands_twice_parts_thousands(text: str, style: Style) -> None:
    assert style_of([text]) is style
    assert amount_of(Cell(text), style).value == 1_234_567


def test_that_dates_and_more_than_the_highest_amount_are_no_prices() -> None:
    assert amount_of(Cell(datetime.date(2026, 11, 30)), Style.COMMA).problem == "date"
    assert amount_of(Cell(HIGHEST), Style.COMMA).value == HIGHEST
    assert amount_of(Cell(HIGHEST + 1), Style.COMMA).problem == "too-large"
    assert amount_of(Cell(Decimal(0)), Style.COMMA).problem == "not-positive"
    assert amount_of(Cell("EUR 12,50 €"), Style.COMMA).value == Decimal("12.5")
