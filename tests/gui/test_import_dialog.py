"""A price list from file to own prices: seen first, confirmed, applied, taken back; progress and cancel."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from openpyxl import Workbook
from pytestqt.qtbot import QtBot

from catalog.own_files import read_own
from catalog.prices_import.columns import Role
from catalog.prices_import.preview import Status, Vat
from gui.catalogue.import_dialog import SEE, ImportDialog
from tests.gui.conftest import PATIENCE_MS, OpenApp
from tests.gui.price_lists import HEADLESS, PRICE_LIST

LIST = PRICE_LIST + "A5;L40S;=1+1\n"


@pytest.fixture
def dialog(open_app: OpenApp, qtbot: QtBot) -> ImportDialog:
    app = open_app()
    made = ImportDialog(app.window.tools.desk, app.window)
    qtbot.addWidget(made)
    made.show()
    return made


def read(dialog: ImportDialog, qtbot: QtBot, folder: Path, text: str) -> None:
    path = folder / "list.csv"
    path.write_text(text, encoding="cp1252")
    dialog.take(path)
    qtbot.waitUntil(lambda: not dialog.busy, timeout=PATIENCE_MS)


def test_that_every_row_is_reported_and_nothing_written_before_apply(
    dialog: ImportDialog, qtbot: QtBot, tmp_path: Path
) -> None:
    read(dialog, qtbot, tmp_path, LIST)
    statuses = {row.part_number: row.status for row in dialog.preview.rows if row.part_number}
    assert statuses == {
        "A1": Status.READY,
        "A2": Status.CONFIRM,
        "A3": Status.UNKNOWN,
        "A4": Status.ON_REQUEST,
        "A5": Status.BAD_AMOUNT,
    }
    assert dialog.columns.as_of.text() == "2026-11-20"
    dialog.shown.show_value(SEE)
    dialog.shown.chosen.emit(SEE)
    assert [row.part_number for row in dialog.model.rows] == ["A2", "A3", "A4", "A5"]
    assert not (tmp_path / "user" / "prices.yaml").exists()


def test_that_a_fuzzy_match_needs_the_users_word(dialog: ImportDialog, qtbot: QtBot, tmp_path: Path) -> None:
    read(dialog, qtbot, tmp_path, LIST)
    place = next(number for number, row in enumerate(dialog.model.rows) if row.part_number == "A2")
    dialog.table.selectRow(place)
    candidates = [dialog.meant.itemData(number) for number in range(dialog.meant.count())]
    assert candidates[0].startswith("h100")
    dialog.meant.show_value("h100_pcie")
    assert dialog.meant.currentData() == "h100_pcie"
    dialog.confirm_button.click()
    chosen = next(row for row in dialog.preview.rows if row.part_number == "A2")
    assert (chosen.status, chosen.item_id) == (Status.READY, "h100_pcie")


def test_that_apply_writes_the_ready_rows_and_take_back_removes_them(
    dialog: ImportDialog, qtbot: QtBot, tmp_path: Path
) -> None:
    read(dialog, qtbot, tmp_path, LIST)
    dialog.save.click()
    prices = read_own(tmp_path / "user", "prices.yaml")["prices"]
    assert [(row["item"], row["amount"]) for row in prices] == [("h200_nvl", "29990")]
    assert dialog.desk.catalog.facts.prices["h200_nvl"][0].low == Decimal(29990)
    assert not dialog.save.isEnabled()
    dialog.undo_button.click()
    assert not (tmp_path / "user" / "prices.yaml").exists()
    assert dialog.save.isEnabled()


def test_that_a_row_can_be_left_out(dialog: ImportDialog, qtbot: QtBot, tmp_path: Path) -> None:
    read(dialog, qtbot, tmp_path, LIST)
    dialog.table.selectRow(0)
    dialog.leave_button.click()
    assert dialog.preview.count(Status.LEFT_OUT) == 1
    assert not dialog.save.isEnabled()


def test_that_columns_without_known_headings_are_mapped_by_hand(
    dialog: ImportDialog, qtbot: QtBot, tmp_path: Path
) -> None:
    read(dialog, qtbot, tmp_path, HEADLESS)
    assert dialog.preview is None
    assert "column" in dialog.state.text()
    for role, place in ((Role.NAME, 0), (Role.NET, 1)):
        dialog.columns.set_column(role, place)
        qtbot.waitUntil(lambda: not dialog.busy, timeout=PATIENCE_MS)
    assert dialog.preview.count(Status.NO_CURRENCY) == 2
    dialog.columns._on_currency("EUR")
    qtbot.waitUntil(lambda: not dialog.busy, timeout=PATIENCE_MS)
    assert {row.item_id for row in dialog.preview.ready} == {"h200_nvl", "l40s"}


def test_that_prices_without_a_word_on_vat_wait_for_one(dialog: ImportDialog, qtbot: QtBot, tmp_path: Path) -> None:
    read(dialog, qtbot, tmp_path, "Bezeichnung;Preis EUR\nNVIDIA H200 NVL;29990\n")
    assert not dialog.save.isEnabled()
    assert "VAT" in dialog.problem.text()
    dialog.columns.set_vat(Vat.NET)
    qtbot.waitUntil(lambda: not dialog.busy, timeout=PATIENCE_MS)
    assert dialog.save.isEnabled()
    assert not dialog.problem.text()


def test_that_a_file_that_is_no_list_is_refused_with_the_reason(
    dialog: ImportDialog, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "list.xlsx"
    path.write_bytes(b"PK\x03\x04 not a workbook")
    dialog.take(path)
    qtbot.waitUntil(lambda: not dialog.busy, timeout=PATIENCE_MS)
    assert dialog.state.property("role") == "error"
    assert "damaged" in dialog.state.text()
    assert not dialog.save.isEnabled()


def test_that_reading_ten_thousand_rows_can_be_stopped(dialog: ImportDialog, qtbot: QtBot, tmp_path: Path) -> None:
    rows = "".join(f"X{number};Unbekannte Ware {number};{number},00\n" for number in range(1, 10_001))
    path = tmp_path / "long.csv"
    path.write_text("Artikelnummer;Bezeichnung;VK netto EUR\n" + rows)
    dialog.take(path)
    assert dialog.stop_button.isVisible()
    dialog.stop_button.click()
    assert not dialog.busy
    assert dialog.preview is None
    dialog.take(path)
    qtbot.waitUntil(lambda: not dialog.busy, timeout=PATIENCE_MS)
    assert dialog.preview.count(Status.UNKNOWN) == 10_000


def workbook(path: Path) -> Path:
    """Two sheets that both look like price lists, and one that does not."""
    book = Workbook()
    book.active.title = "Karten"
    for line in (("Bezeichnung", "Netto EUR"), ("NVIDIA H200 NVL 141GB", 29990), ("NVIDIA H100 NVL 94GB", 22000)):
        book.active.append(line)
    offers = book.create_sheet("Aktion")
    for line in (("Bezeichnung", "Netto EUR"), ("NVIDIA L40S 48GB", 6500)):
        offers.append(line)
    book.create_sheet("Deckblatt").append(("Preise des Hauses",))
    book.save(path)
    return path


def test_that_the_sheet_of_a_workbook_can_be_chosen(dialog: ImportDialog, qtbot: QtBot, tmp_path: Path) -> None:
    dialog.take(workbook(tmp_path / "list.xlsx"))
    qtbot.waitUntil(lambda: not dialog.busy, timeout=PATIENCE_MS)
    sheet = dialog.columns.sheet
    assert sheet.isVisible()
    assert [sheet.itemData(number) for number in range(sheet.count())] == ["Karten", "Aktion", "Deckblatt"]
    assert sheet.currentData() == "Karten"
    assert [row.item_id for row in dialog.preview.rows] == ["h200_nvl", "h100_nvl"]
    dialog.columns.set_vat(Vat.NET)
    sheet.show_value("Aktion")
    sheet.chosen.emit("Aktion")
    assert not dialog.save.isEnabled()
    qtbot.waitUntil(lambda: not dialog.busy, timeout=PATIENCE_MS)
    assert sheet.currentData() == "Aktion"
    assert [row.item_id for row in dialog.preview.rows] == ["l40s"]
    dialog.columns.set_vat(Vat.GROSS)  # is said of the sheet that is shown
    qtbot.waitUntil(lambda: not dialog.busy, timeout=PATIENCE_MS)
    assert [row.item_id for row in dialog.preview.rows] == ["l40s"]
    sheet.chosen.emit("Deckblatt")
    qtbot.waitUntil(lambda: not dialog.busy, timeout=PATIENCE_MS)
    assert dialog.preview is None
    read(dialog, qtbot, tmp_path, LIST)
    assert not sheet.isVisible()


def test_that_a_list_cannot_be_applied_while_another_is_read(
    dialog: ImportDialog, qtbot: QtBot, tmp_path: Path
) -> None:
    read(dialog, qtbot, tmp_path, LIST)
    assert dialog.save.isEnabled()
    second = tmp_path / "second.csv"
    second.write_text(HEADLESS, encoding="cp1252")
    dialog.take(second)
    assert not dialog.save.isEnabled()
    assert dialog.preview is None
    dialog.store()
    dialog.stop_button.click()
    assert not dialog.save.isEnabled()
    dialog.store()
    assert not (tmp_path / "user" / "prices.yaml").exists()
