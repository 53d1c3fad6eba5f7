"""The catalogue's window: found, sorted, sourced; own prices and entries change the open consultation."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from decimal import Decimal
from functools import partial
from pathlib import Path

import pytest
from openpyxl import load_workbook
from pytestqt.qtbot import QtBot

from catalog import updates
from catalog.keys import create_key, read_private, read_public, trust
from catalog.own_files import read_own
from catalog.own_prices import OwnPrice, save_price
from catalog.versions import DATA_FOLDER
from engine.prices import PriceBasis
from engine.wording.translator import Language
from gui.app import App
from gui.catalogue.dates import day_text, parse_day, recorded
from gui.catalogue.entry_dialog import EntryDialog
from gui.catalogue.model_dialog import ModelDialog
from gui.catalogue.price_dialog import PriceDialog
from gui.catalogue.rows import RowMark, Tab
from gui.catalogue.update_dialog import UpdateDialog
from gui.catalogue.versions_dialog import VersionsDialog
from gui.catalogue.window import CatalogueWindow
from tests.gui.conftest import EXAMPLES, PATIENCE_MS, OpenApp, wait_idle

EXAMPLE = EXAMPLES / "lora-department-rack.passform.yaml"


def shown(app: App) -> CatalogueWindow:
    app.window.tools.show_catalogue()
    window = app.window.tools.catalogue
    assert window is not None
    return window


def ids(window: CatalogueWindow) -> list[str]:
    return [row.id for row in window.filter.shown]


def test_that_every_part_shows_every_entry(open_app: OpenApp) -> None:
    app = open_app()
    window, facts = shown(app), app.context.catalog.facts
    counts = {
        Tab.CARDS: len(facts.cards),
        Tab.SYSTEMS: len(facts.systems),
        Tab.ITEMS: len(facts.items),
        Tab.MODELS: len(facts.models),
        Tab.PRICES: sum(len(prices) for prices in facts.prices.values()),
        Tab.RENTAL: len(facts.rental_offers),
    }
    for tab, count in counts.items():
        window.show_tab(tab)
        assert window.filter.rowCount() == count


def test_that_search_finds_words_in_any_order_and_filters_narrow_it(open_app: OpenApp) -> None:
    window = shown(open_app())
    window.search.setText("nvl h200")
    assert ids(window) == ["h200_nvl"]
    window.search.setText("")
    window.maker.show_value("AMD")
    window.maker.chosen.emit("AMD")
    assert ids(window)
    assert all(row.maker == "AMD" for row in window.filter.shown)
    window.mark.show_value(RowMark.MEMORY.value)
    window.mark.chosen.emit(RowMark.MEMORY.value)
    assert all(RowMark.MEMORY in row.marks for row in window.filter.shown)


@pytest.mark.parametrize("descending", [False, True])
def test_that_numbers_sort_by_value_and_missing_ones_stand_last(open_app: OpenApp, descending: bool) -> None:
    from PySide6.QtCore import Qt

    window = shown(open_app())
    order = Qt.SortOrder.DescendingOrder if descending else Qt.SortOrder.AscendingOrder
    window.table.sortByColumn(3, order)
    keys = [row.cells[3].key for row in window.filter.shown]
    known = [key for key in keys if key is not None]
    assert keys[: len(known)] == known
    assert known == sorted(known, reverse=descending)
    assert None in keys


def test_that_every_figure_of_an_entry_names_source_date_and_grade(open_app: OpenApp) -> None:
    app = open_app()
    window = shown(app)
    assert window.choose("rtx_pro_6000_blackwell_ws")
    figures = window.sheet._model.rows
    provenance = app.context.catalog.all_provenance("rtx_pro_6000_blackwell_ws")
    assert len(figures) == len(provenance)
    for figure, row in zip(figures, provenance, strict=True):
        assert any(row.source.title in line for line in figure.behind)
        assert figure.grade is row.grade
    contradicted = next(figure for figure in figures if figure.contradicted)
    assert any("Other published values" in line for line in contradicted.behind)


def test_that_a_new_price_changes_the_open_consultation_only_when_saved(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(EXAMPLE)
    card = app.planner.recommendation.chosen.card.id
    before = app.planner.recommendation.chosen.price.priced
    dialog = PriceDialog(app.window.tools.desk, card, app.window)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.amount.setText("1234.50")
    dialog.edited()
    qtbot.waitUntil(lambda: not dialog.busy, timeout=PATIENCE_MS)
    assert any("1,235" in line or "1,234" in line for line in dialog.effect.lines)
    assert app.planner.recommendation.chosen.price.priced == before
    dialog.source.setText("Distributor's offer 17")
    dialog.store()
    wait_idle(qtbot, app)
    position = next(one for one in app.planner.recommendation.chosen.price.positions if one.item_id == card)
    assert position.unit.net.amount == Decimal("1234.50")
    assert position.unit.basis is PriceBasis.SELLER
    assert position.unit.price.source.title == "Distributor's offer 17"
    shown(app).undo()
    wait_idle(qtbot, app)
    assert app.planner.recommendation.chosen.price.priced == before


@pytest.mark.parametrize(("amount", "day"), [("abc", "2026-11-30"), ("12", "yesterday"), ("-5", "2026-11-30")])
def test_that_a_wrong_price_is_refused_beside_its_field(
    open_app: OpenApp, qtbot: QtBot, tmp_path: Path, amount: str, day: str
) -> None:
    app = open_app()
    dialog = PriceDialog(app.window.tools.desk, "h200_nvl", app.window)
    qtbot.addWidget(dialog)
    dialog.amount.setText(amount)
    dialog.as_of.setText(day)
    dialog.store()
    assert dialog.problem.text()
    assert any(line.property("role") == "error" for line in dialog._lines.values())
    assert not (tmp_path / "user" / "prices.yaml").exists()


def test_that_an_own_card_is_made_from_another_and_can_be_removed(
    open_app: OpenApp, qtbot: QtBot, tmp_path: Path
) -> None:
    app = open_app()
    desk = app.window.tools.desk
    dialog = EntryDialog(desk, "h200_nvl", copy=True, parent=app.window)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.show_part(("power_w",))
    dialog.form.set(("power_w", "value"), "450")
    title, day, _address = dialog.source_fields
    title.setText("Letter of the maker")
    day.setText("29.11.2026")
    dialog.use_source()
    dialog.store()
    own = dialog.form.raw["id"]
    card = app.context.catalog.facts.cards[own]
    assert (card.power_w.value, card.power_w.source.title) == (450, "Letter of the maker")
    assert card.power_w.source.document_date == "2026-11-29"
    window = shown(app)
    assert window.choose(own)
    assert RowMark.OWN in window.chosen.marks
    window.remove_button.click()
    assert own not in app.context.catalog.facts.cards
    assert read_own(tmp_path / "user", "cards.yaml")["cards"] == []


def test_that_a_wrong_figure_brings_its_part_to_the_front(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app()
    dialog = EntryDialog(app.window.tools.desk, "h200_nvl", copy=True, parent=app.window)
    qtbot.addWidget(dialog)
    dialog.form.set(("memory_gb", "value"), "much")
    dialog.store()
    assert dialog.problem.text().startswith("Memory by datasheet")
    assert dialog.parts.currentItem().text().startswith("Memory by datasheet")


def test_that_an_own_model_can_be_chosen_afterwards(open_app: OpenApp, qtbot: QtBot, tmp_path: Path) -> None:
    app = open_app()
    path = tmp_path / "config.json"
    raw = {"model_type": "llama", "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2}
    raw |= {"num_attention_heads": 4, "vocab_size": 100, "max_position_embeddings": 2048, "tie_word_embeddings": False}
    path.write_text(json.dumps(raw))
    dialog = ModelDialog(app.window.tools.desk, app.window)
    qtbot.addWidget(dialog)
    dialog.take(path)
    dialog.name.setText("House model")
    dialog.store()
    assert dialog.problem.text()  # a source is missing
    dialog.source.setText("In house")
    dialog.store()
    assert any(model.name == "House model" for model in app.context.catalog.facts.models.values())


def test_that_a_signed_package_is_shown_applied_and_taken_back(open_app: OpenApp, qtbot: QtBot, tmp_path: Path) -> None:
    app = open_app()
    user, newer = tmp_path / "user", tmp_path / "newer"
    newer.mkdir()
    for file in DATA_FOLDER.glob("*.yaml"):
        text = file.read_text(encoding="utf-8")
        if file.name == "rules.yaml":
            text = text.replace(f'version: "{app.context.catalog.version}"', 'version: "2026-12-24"')
        (newer / file.name).write_text(text, encoding="utf-8")
    publisher, public = create_key(tmp_path / "house.pem", "House", date(2026, 11, 30))
    package = tmp_path / f"new{updates.SUFFIX}"
    package.write_bytes(updates.build(newer, read_private(tmp_path / "house.pem")))
    dialog = UpdateDialog(app.window.tools.desk, app.window)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.take(package)
    qtbot.waitUntil(lambda: not dialog.busy, timeout=PATIENCE_MS)
    assert "not trusted" in dialog.state.text()
    assert not dialog.apply_button.isEnabled()
    trust(user, read_public(public), publisher.fingerprint, date(2026, 11, 30), DATA_FOLDER)
    dialog.take(package)
    qtbot.waitUntil(lambda: not dialog.busy, timeout=PATIENCE_MS)
    assert "House" in dialog.state.text()
    dialog.apply_button.click()
    assert app.context.catalog.version == "2026-12-24"
    versions = VersionsDialog(app.window.tools.desk, app.window)
    qtbot.addWidget(versions)
    qtbot.waitUntil(lambda: not versions.busy, timeout=PATIENCE_MS)
    dialog.revert_button.click()
    assert app.context.catalog.version != "2026-12-24"


def test_that_two_versions_differ_by_the_own_price(open_app: OpenApp, qtbot: QtBot, tmp_path: Path) -> None:
    app = open_app()
    desk = app.window.tools.desk
    price = PriceDialog(desk, "h200_nvl", app.window)
    qtbot.addWidget(price)
    price.amount.setText("30000")
    price.store()
    dialog = VersionsDialog(desk, app.window)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: not dialog.busy, timeout=PATIENCE_MS)
    assert [change.item_id for change in dialog.diff.model.rows] == ["h200_nvl"]
    dialog.save(tmp_path / "changes.csv")
    assert "EUR\u00a030,000.00 net" in (tmp_path / "changes.csv").read_text(encoding="utf-8-sig")


def test_that_an_export_holds_exactly_the_rows_shown(open_app: OpenApp, tmp_path: Path) -> None:
    window = shown(open_app())
    window.search.setText("h200")
    window.save_export(tmp_path / "cards.xlsx")
    rows = list(load_workbook(tmp_path / "cards.xlsx").active.values)
    assert [row[0] for row in rows[1:]] == ids(window)


def test_that_the_customer_sees_neither_own_prices_nor_the_buttons_for_them(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app()
    dialog = PriceDialog(app.window.tools.desk, "h200_nvl", app.window)
    qtbot.addWidget(dialog)
    dialog.amount.setText("29876")
    dialog.store()
    window = shown(app)
    window.show_tab(Tab.PRICES)
    assert any("29,876" in cell.text for row in window.filter.shown for cell in row.cells)
    app.context.customer_view = True
    app.window.build()
    window = app.window.tools.catalogue
    window.show_tab(Tab.PRICES)
    assert not any("29,876" in cell.text for row in window.filter.shown for cell in row.cells)
    assert not window.price_button.isVisible()
    window.show_tab(Tab.CARDS)
    window.choose("h200_nvl")
    assert not any("29,876" in figure.value for figure in window.sheet._model.rows)


def test_that_the_window_names_the_catalogue_in_use(open_app: OpenApp) -> None:
    app = open_app()
    window = shown(app)
    catalog = app.context.catalog
    newer = replace(catalog, facts=replace(catalog.facts, version="2027-02-03"))
    app.use_catalogue(newer)
    window.desk.replaced.emit()
    assert window.version.text().endswith(app.context.texts.recorded_date("2027-02-03"))


def test_that_own_entries_are_not_taken_back_while_a_customer_looks_on(open_app: OpenApp, tmp_path: Path) -> None:
    app = open_app()
    price = OwnPrice("h200_nvl", Decimal(26000), "EUR", date(2026, 11, 20))
    app.window.tools.desk.make(partial(save_price, price=price))
    app.window.set_customer_view(True)
    shown(app).undo()
    assert len(read_own(tmp_path / "user", "prices.yaml")["prices"]) == 1
    app.window.set_customer_view(False)
    shown(app).undo()
    assert not read_own(tmp_path / "user", "prices.yaml").get("prices")


def test_that_a_dialog_does_not_show_what_the_one_before_it_tried(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(EXAMPLE)
    desk = app.window.tools.desk
    first = PriceDialog(desk, "rtx_pro_6000_blackwell_se", app.window)
    qtbot.addWidget(first)
    first.amount.setText("1")
    first.attempt()
    assert desk.busy
    first.reject()
    assert not desk.busy
    second = PriceDialog(desk, "l40s", app.window)
    qtbot.addWidget(second)
    before = second.effect.state.text()
    qtbot.wait(300)
    assert second.effect.lines == ()
    assert second.effect.state.text() == before


def test_that_days_are_read_as_people_write_them() -> None:
    assert parse_day("30.11.2026") == parse_day("2026-11-30") == parse_day("30. 11. 2026")
    assert parse_day("31.11.2026") is None
    assert parse_day("soon") is None
    assert day_text(parse_day("2026-11-30"), Language.DE) == "30.11.2026"
    assert recorded("1.2.2026") == "2026-02-01"
    assert recorded(" spring 2026 ") == "spring 2026"
