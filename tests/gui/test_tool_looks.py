"""Catalogue, positions and evidence in both themes and languages: nothing clipped, all named and reachable."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from catalog.consultation.price_update import PriceChange
from engine.prices import PriceBasis
from engine.quote.draft import PriceOrigin
from engine.quote.parties import Seller
from engine.units import Money
from engine.wording.translator import Language
from gui.app import App
from gui.catalogue.entry_dialog import EntryDialog
from gui.catalogue.import_dialog import ImportDialog
from gui.catalogue.model_dialog import ModelDialog
from gui.catalogue.price_dialog import PriceDialog
from gui.catalogue.rows import Tab
from gui.catalogue.update_dialog import UpdateDialog
from gui.catalogue.versions_dialog import VersionsDialog
from gui.quote_editor.item_dialog import ItemDialog
from gui.quote_editor.new_lines import set_up_line
from gui.quote_editor.price_update import PriceUpdateDialog
from gui.settings import ThemeChoice
from tests.gui.conftest import EXAMPLES, PATIENCE_MS, OpenApp
from tests.gui.layout import nameless, unfit, unreachable
from tests.gui.test_import_dialog import LIST

EXAMPLE = EXAMPLES / "mixed-portfolio.passform.yaml"
COMBINATIONS = [(ThemeChoice.LIGHT, Language.DE), (ThemeChoice.DARK, Language.EN)]


def look(widget: QWidget) -> None:
    QApplication.processEvents()
    picture = widget.grab().toImage()
    assert len({picture.pixel(x, y) for x in range(0, picture.width(), 7) for y in range(0, picture.height(), 7)}) > 3
    assert unfit(widget) == []
    assert nameless(widget) == []
    assert unreachable(widget) == []


@pytest.fixture(params=COMBINATIONS, ids=["light-de", "dark-en"])
def app(request: pytest.FixtureRequest, open_app: OpenApp) -> App:
    theme, language = request.param
    return open_app(EXAMPLE, theme=theme, language=language)


def test_that_the_catalogue_cuts_nothing_off(app: App) -> None:
    app.window.tools.show_catalogue()
    window = app.window.tools.catalogue
    for tab in Tab:
        window.show_tab(tab)
        window.table.selectRow(2)
        look(window)


def test_that_the_catalogues_dialogs_cut_nothing_off(app: App, qtbot: QtBot, tmp_path: Path) -> None:
    desk, window = app.window.tools.desk, app.window
    path = tmp_path / "list.csv"
    path.write_text(LIST, encoding="cp1252")
    price, entry = PriceDialog(desk, "h200_nvl", window), EntryDialog(desk, "h200_nvl", copy=True, parent=window)
    lists, versions = ImportDialog(desk, window), VersionsDialog(desk, window)
    lists.take(path)
    price.amount.setText("12.000" if app.context.texts.language is Language.DE else "12,000")
    price.attempt()
    for dialog in (price, entry, lists, versions, ModelDialog(desk, window), UpdateDialog(desk, window)):
        qtbot.addWidget(dialog)
        dialog.show()
        qtbot.waitUntil(lambda dialog=dialog: not getattr(dialog, "busy", False), timeout=PATIENCE_MS)
        look(dialog)
        dialog.close()


def test_that_the_positions_and_the_evidence_cut_nothing_off(app: App, qtbot: QtBot) -> None:
    tools = app.window.tools
    tools.show_positions()
    tools.positions.add_made(set_up_line)
    look(tools.positions)
    tools.positions.choose((0, -1))
    look(tools.positions)
    tools.positions.side.bar.setCurrentIndex(1)
    look(tools.positions)
    item = ItemDialog(app.context, app.window._today(), tools.positions)
    qtbot.addWidget(item)
    item.show()
    item.search.setText("h200")
    look(item)
    item.close()
    card = app.planner.recommendation.chosen.card
    origin = PriceOrigin(PriceBasis.SELLER, as_of="2026-11-30")
    euros = [Money(Decimal(amount), "EUR") for amount in ("9999.99", "10500.00", "4001.00")]
    change = PriceChange("x", card.name, Decimal(8), *euros, origin, counts=True)
    document, found = app.document.consultation, app.planner.recommendation
    prices = PriceUpdateDialog(app.context, document, found, Seller(), [change], tools.positions)
    qtbot.addWidget(prices)
    prices.show()
    look(prices)
    prices.close()
    tools.show_evidence()
    qtbot.waitUntil(lambda: not tools.evidence.busy, timeout=PATIENCE_MS)
    look(tools.evidence)


def test_that_open_windows_follow_language_and_theme(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(EXAMPLE)
    tools = app.window.tools
    for show in (tools.show_catalogue, tools.show_positions, tools.show_evidence):
        show()
    app.set_language(Language.DE)
    assert tools.catalogue.windowTitle() == "Katalog"
    assert tools.positions.windowTitle() == "Positionen des Angebots"
    assert tools.evidence.windowTitle() == "Gemessen gegen geschätzt"
    app.set_theme(ThemeChoice.DARK)
    assert tools.catalogue.isVisible()
    qtbot.waitUntil(lambda: not tools.evidence.busy, timeout=PATIENCE_MS)
