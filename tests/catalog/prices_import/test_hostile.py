"""Hostile files are refused with a reason, in bounded memory; what a spreadsheet would compute is only text."""

from __future__ import annotations

import io
import subprocess
import sys
import time
import tracemalloc
import zipfile
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook, load_workbook

from catalog.catalog import Catalog
from catalog.exporting import as_csv, as_xlsx, harmless
from catalog.prices_import import limits
from catalog.prices_import.files import read_content, read_file
from catalog.prices_import.limits import MAX_FILE_BYTES, MAX_ROWS, PriceListError
from catalog.prices_import.preview import Status, preview
from tests.catalog.prices_import.awkward import workbook

TODAY = date(2026, 11, 30)
ROOT = Path(__file__).parents[3]
SHEET = (
    '<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
    '<row r="1"><c r="A1" t="inlineStr"><is><t>{text}</t></is></c></row></sheetData></worksheet>'
)


def plain() -> bytes:
    def fill(sheet: Any) -> None:
        sheet.append(["Name", "Netto EUR"])
        sheet.append(["L40S", 6500])

    return workbook(fill)


def repacked(change: dict[str, bytes], name_of: dict[str, str] | None = None) -> bytes:
    """The plain workbook with parts replaced, added or renamed."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(plain())) as old, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            if name not in change:
                new.writestr((name_of or {}).get(name, name), old.read(name))
        for name, content in change.items():
            new.writestr(name, content)
    return stream.getvalue()


ENTITY = (
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData/></worksheet>'
)
FAR = "xl/worksheets/sheet1.xml"
HOSTILE: dict[str, tuple[bytes, str]] = {
    "zip bomb": (repacked({"xl/media/bomb.bin": b"\0" * 60_000_000}), "zip bomb"),
    "entity expansion": (repacked({FAR: ENTITY.encode()}), "XML entities"),
    "entity expansion in UTF-16": (repacked({FAR: ENTITY.encode("utf-16-le")}), "XML entities"),
    "entity behind a long comment": (
        repacked({FAR: b'<?xml version="1.0"?><!--' + bytes(range(32, 127)) * 900 + b"-->" + ENTITY.encode()[21:]}),
        "XML entities",
    ),
    "macros": (repacked({"xl/vbaProject.bin": b"\xd0\xcf\x11\xe0"}), "macros"),
    "macro sheet": (repacked({"xl/macrosheets/sheet1.xml": b"<x/>"}), "macros"),
    "path out of the archive": (repacked({"../../etc/cron.d/job": b"x"}), "outside itself"),
    "absolute path": (repacked({"/etc/passwd": b"x"}), "outside itself"),
    "drive path": (repacked({"C:\\Windows\\x": b"x"}), "outside itself"),
    "too many parts": (repacked({f"xl/media/{number}": b"x" for number in range(2_100)}), "parts"),
    "truncated archive": (plain()[:-200], "damaged"),
    "not a workbook inside": (repacked({"xl/workbook.xml": b"<broken"}), "damaged"),
    "old Excel": (bytes.fromhex("d0cf11e0a1b11ae1") + b"\0" * 600, "save it as .xlsx"),
    "PDF": (b"%PDF-1.7 ...", "PDF"),
    "program": (b"MZ\x90\x00", "Windows program"),
    "binary": (bytes(range(256)) * 40, "not text"),
    "cell of megabytes": (b"Name;Netto EUR\nL40S;" + b"9" * 3_000_000, "A line has more"),
    "cell of a hundred kilobytes": (b"Name;Netto EUR\nL40S;" + b"9" * 150_000, "field larger"),
    "cell of kilobytes": (b"Name;Netto EUR\nL40S;" + b"9" * 3_000, "characters"),
    "empty": (b"  \n\n", "empty"),
    "YAML bomb": (b"a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n", "aliases"),
    "YAML object": (b"prices: !!python/object/apply:os.system ['true']\n", "YAML"),
}


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_that_a_hostile_file_is_refused_with_its_reason(name: str) -> None:
    content, reason = HOSTILE[name]
    file = "list.yaml" if name.startswith("YAML") else "list.xlsx"
    with pytest.raises(PriceListError, match=reason):
        read_content(content, file)


def test_that_memory_stays_bounded_for_bombs() -> None:
    for name in ("zip bomb", "entity expansion", "entity behind a long comment"):
        content, _ = HOSTILE[name]
        tracemalloc.start()
        with pytest.raises(PriceListError):
            read_content(content, "list.xlsx")
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < 40_000_000


def test_that_a_hundred_megabytes_are_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "big.csv"
    with path.open("wb") as stream:
        stream.truncate(100_000_000)
    tracemalloc.start()
    with pytest.raises(PriceListError, match=str(MAX_FILE_BYTES)):
        read_file(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1_000_000


def many_texts(count: int) -> bytes:
    """A small workbook with an enormous table of shared texts that no cell needs."""
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
    with zipfile.ZipFile(io.BytesIO(plain())) as archive:
        types = archive.read("[Content_Types].xml").decode()
    override = f'<Override PartName="/xl/sharedStrings.xml" ContentType="{kind}"/></Types>'
    texts = "".join(f"<si><t>{number:x}</t></si>" for number in range(count))
    table = f'<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">{texts}</sst>'
    changed = {"[Content_Types].xml": types.replace("</Types>", override).encode()}
    return repacked({**changed, "xl/sharedStrings.xml": table.encode()})


MEASURED = """
import sys
from pathlib import Path
import openpyxl
from catalog.prices_import import limits
from catalog.prices_import.files import read_file
from catalog.prices_import.limits import PriceListError
status, forget = Path("/proc/self/status"), Path("/proc/self/clear_refs")
def kilobytes(name):
    if not forget.exists():  # a system that does not tell a process its peak: refusing alone is proven there
        return 0
    return int(next(line for line in status.read_text().splitlines() if line.startswith(name)).split()[1])
for path in sorted(Path(sys.argv[1]).iterdir()):
    if forget.exists():
        forget.write_text("5")
    before = kilobytes("VmRSS")
    try:
        read_file(path)
        outcome = "read"
    except PriceListError:
        outcome = "refused"
    print(path.name, outcome, kilobytes("VmHWM") - before)
"""
HEAVY = {
    "zip-bomb.xlsx": HOSTILE["zip bomb"][0],
    "entities.xlsx": HOSTILE["entity expansion"][0],
    "yaml-bomb.yaml": HOSTILE["YAML bomb"][0],
    "megabyte-cell.csv": HOSTILE["cell of megabytes"][0],
    "semicolons.csv": b";" * 19_000_000,
    "full-rows.csv": (b"1;" * 79 + b"\n") * 59_000,
    "texts.xlsx": many_texts(1_600_000),
}


def test_that_the_process_itself_hardly_grows_by_hostile_files(tmp_path: Path) -> None:
    """What parsers written in C take shows only in the process; its peak is measured in one of its own."""
    for name, content in HEAVY.items():
        (tmp_path / name).write_bytes(content)
    with (tmp_path / "hundred-megabytes.csv").open("wb") as stream:
        stream.truncate(100_000_000)
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, str(tmp_path)], capture_output=True, text=True, check=True, cwd=ROOT
    )
    grown = {line.split()[0]: (line.split()[1], int(line.split()[2]) / 1024) for line in done.stdout.splitlines()}
    assert {name for name, (outcome, _) in grown.items() if outcome == "refused"} == {*HEAVY, "hundred-megabytes.csv"}
    largest = {name: megabytes for name, (_, megabytes) in grown.items()}
    assert max(largest.values()) < 250, largest
    assert largest["hundred-megabytes.csv"] < 5, largest
    assert largest["zip-bomb.xlsx"] < 20, largest
    assert largest["texts.xlsx"] < 20, largest


@pytest.mark.parametrize("file", ["list.csv", "list.xlsx"])
def test_that_the_filled_cells_of_a_list_are_counted(monkeypatch: pytest.MonkeyPatch, file: str) -> None:
    content = plain() if file.endswith("xlsx") else b"Name;Netto EUR;;;;\nL40S;6500;;;;\n"
    monkeypatch.setattr(limits, "MAX_CELLS", 4)
    assert len(read_content(content, file).lines) == 2
    monkeypatch.setattr(limits, "MAX_CELLS", 3)
    with pytest.raises(PriceListError, match="filled cells"):
        read_content(content, file)


def test_that_too_many_rows_are_refused() -> None:
    with pytest.raises(PriceListError, match="split"):
        read_content(b"a;b\n" * (MAX_ROWS + 1), "list.csv")


def test_that_a_sheet_that_claims_a_million_rows_and_columns_is_read_by_what_it_holds(bundled: Catalog) -> None:
    sheet = (
        '<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
        '<dimension ref="A1:XFD1048576"/><sheetData>'
        '<row r="1"><c r="A1" t="inlineStr"><is><t>Name</t></is></c>'
        '<c r="B1" t="inlineStr"><is><t>Netto EUR</t></is></c></row>'
        '<row r="2"><c r="A2" t="inlineStr"><is><t>L40S</t></is></c><c r="B2"><v>6500</v></c></row>'
        '<row r="5"><c r="XFD5"><v>1</v></c></row></sheetData></worksheet>'
    )
    found = preview(read_content(repacked({FAR: sheet.encode()}), "l.xlsx"), "l.xlsx", bundled.facts, TODAY)
    assert [row.item_id for row in found.ready] == ["l40s"]


def test_that_a_row_beyond_the_limit_is_refused_and_not_padded_to() -> None:
    sheet = SHEET.format(text="x").replace('r="1"', 'r="1048576"').replace('r="A1"', 'r="A1048576"')
    with pytest.raises(PriceListError, match="split"):
        read_content(repacked({FAR: sheet.encode()}), "l.xlsx")


def test_that_a_folder_or_a_missing_file_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.csv"):
        with pytest.raises(PriceListError, match="not a file"):
            read_file(path)


INJECTED = ["=1+1", "+49 30 1", "-2+3", "@SUM(A1)", "\t=1", '=HYPERLINK("http://evil.example")', "\r=cmd|' /C calc'!A0"]


def test_that_formulas_in_names_stay_text_and_are_never_matched(bundled: Catalog) -> None:
    text = "Bezeichnung;Netto EUR\n=HYPERLINK(1);5,00\n\"=cmd|'/C calc'!A0\";6,00\n@SUM(A1);7,00\n"
    found = preview(read_content(text.encode(), "l.csv"), "l.csv", bundled.facts, TODAY)
    assert [row.status for row in found.rows] == [Status.UNKNOWN] * 3


@pytest.mark.parametrize("text", INJECTED)
def test_that_exports_neutralise_what_a_spreadsheet_would_compute(text: str) -> None:
    assert harmless(text).startswith("'")
    assert ("'" + text).encode() in as_csv([[text]]).replace(b'""', b'"')
    sheet = load_workbook(io.BytesIO(as_xlsx([[text, "ok"]]))).active
    cells = [cell for row in sheet.iter_rows() for cell in row]
    assert all(cell.data_type == "s" for cell in cells)


def test_that_harmless_cells_stay_as_they_are() -> None:
    for text in ("12.5", "RTX PRO 6000", "–", "-", ""):
        assert harmless(text) == text


def test_that_a_workbook_password_is_explained() -> None:
    book = bytearray(plain())
    with zipfile.ZipFile(io.BytesIO(bytes(book))) as archive:
        offset = archive.start_dir
    book[offset + 8] |= 1
    with pytest.raises(PriceListError, match="password"):
        read_content(bytes(book), "l.xlsx")


def test_that_external_links_are_not_followed(bundled: Catalog) -> None:
    book = Workbook()
    book.active.append(["Name", "Netto EUR"])
    book.active.append(["L40S", "='[http://evil.example/x.xlsx]S'!A1"])
    stream = io.BytesIO()
    book.save(stream)
    found = preview(read_content(stream.getvalue(), "l.xlsx"), "l.xlsx", bundled.facts, TODAY)
    assert [(row.status, row.detail) for row in found.rows] == [(Status.BAD_AMOUNT, "formula")]


LONG_CELLS = {
    "blanks": lambda length: "1" + " " * length + "x",
    "digits": lambda length: "(" + "1" * length,
    "stars": lambda length: "1" + "*" * length + "x",
    "dashes": lambda length: "1" + "-" * length + "x",
    "points": lambda length: "1." * (length // 2) + "e",
    "currencies": lambda length: "EUR " * (length // 4),
}


@pytest.mark.parametrize("name", sorted(LONG_CELLS))
@pytest.mark.parametrize("row", ["L40S;{}\n", "{};5,00\n"], ids=["amount", "name"])
def test_that_a_long_cell_is_looked_through_once(bundled: Catalog, name: str, row: str) -> None:
    """A cell of 1,900 blanks took five seconds, and a list can have thousands of them."""
    took = []
    for length in (475, 1_900):
        text = "Name;Netto EUR\n" + row.format(LONG_CELLS[name](length)) * 5
        started = time.process_time()
        preview(read_content(text.encode(), "l.csv"), "l.csv", bundled.facts, TODAY)
        took.append(time.process_time() - started)
    assert took[1] < 8 * took[0] + 0.5  # four times the text: 16 times as long if every sign began anew
