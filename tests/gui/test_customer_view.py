"""In the customer view nothing internal is shown, spoken, named or handed out, wherever one looks."""

from __future__ import annotations

from decimal import Decimal
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from catalog.own_prices import OwnPrice, save_price
from engine.wording.translator import Language
from gui.app import App
from gui.catalogue.rows import Tab
from gui.draft import amended
from gui.flow import Step
from tests.gui.canaries import texts_on_screen
from tests.gui.conftest import EXAMPLES, OpenApp, wait_idle

MIXED = EXAMPLES / "mixed-portfolio.passform.yaml"
CANARIES = {
    "notes": "KANARIENOTIZ",
    "title": "KANARIETITEL",
    "file": "kanariedatei",
    "other": "kanarieanderer",  # another customer's file among the recent ones
    "supplier": "KANARIELIEFERANT",
    "supplier_number": "KANARIENUMMER",
    "deal_registration": "KANARIEPROJEKT",
    "note": "KANARIEZEILE",
    "price_source": "KANARIEQUELLE",
    "price_note": "KANARIEPREIS",
    "purchase_price": "7654321",
}


@pytest.fixture(params=list(Language), ids=lambda item: item.value)
def app(request: pytest.FixtureRequest, open_app: OpenApp, qtbot: QtBot, tmp_path: Path) -> App:
    path = tmp_path / f"{CANARIES['file']}.passform.yaml"
    path.write_bytes(MIXED.read_bytes())
    made = open_app(path, language=request.param)
    made.context.settings.remember(tmp_path / f"{CANARIES['other']}.passform.yaml")
    price = OwnPrice(
        "rtx_pro_6000_blackwell_se", Decimal(8123), "EUR", made.window.tools.desk.today,
        source_title=CANARIES["price_source"], note=CANARIES["price_note"],
    )  # fmt: skip
    made.window.tools.desk.make(partial(save_price, price=price))
    document = made.document
    document.edit("", amended(document.consultation, notes=CANARIES["notes"], title=CANARIES["title"]))
    wait_idle(qtbot, made)
    made.window.tools.show_positions()
    editor = made.window.tools.positions
    editor.choose((0, 0))
    for name in ("supplier", "supplier_number", "deal_registration", "note"):
        editor._on_internal(name, CANARIES[name])
    editor._on_internal("purchase_price", Decimal(CANARIES["purchase_price"]))
    wait_idle(qtbot, made)
    return made


def show_everything(app: App, qtbot: QtBot) -> list[tuple[str, str]]:
    """Visit every page, view and window, and keep all the texts that were there to be read."""
    found: list[tuple[str, str]] = []
    window = app.window
    for step in Step:
        window.show_step(step)
        wait_idle(qtbot, app)
        found += texts_on_screen()
        if step is Step.RESULTS:
            for number in range(window.results.tabs.count):
                window.results.tabs.bar.setCurrentIndex(number)
                wait_idle(qtbot, app)
                found += texts_on_screen()
            window.results.compare.copy()
            found.append(("clipboard", QGuiApplication.clipboard().text()))
    window.tools.show_positions()
    editor = window.tools.positions
    for section, one in enumerate(editor.model.sections):
        for line in range(len(one.lines)):
            editor.choose((section, line))
            found += texts_on_screen()
    window.tools.show_catalogue()
    catalogue = window.tools.catalogue
    for tab in Tab:
        catalogue.show_tab(tab)
        for row in range(min(catalogue.filter.rowCount(), 200)):
            catalogue.table.selectRow(row)
            found += [("sheet", text) for _place, text in texts_of_sheet(catalogue)]
        found += texts_on_screen()
    window.tools.show_evidence()
    QApplication.processEvents()
    found += texts_on_screen()
    return found


def texts_of_sheet(catalogue: object) -> list[tuple[str, str]]:
    return [
        ("", getattr(made, "text", str)()) for made in catalogue.sheet.findChildren(object) if hasattr(made, "text")
    ]


def leaks(found: list[tuple[str, str]]) -> list[str]:
    """What of the canaries can be read, with the place; separators of thousands do not hide a number."""
    seen = []
    for place, text in found:
        bare = text.translate({ord(mark): None for mark in ".,' \u00a0\u202f"}).casefold()
        seen += [f"{name} in {place}: {text[:120]}" for name, mark in CANARIES.items() if mark.casefold() in bare]
    return sorted(set(seen))


def test_that_the_canaries_sing_in_the_sellers_view(app: App, qtbot: QtBot) -> None:
    """The proof that the walk sees what is there to be seen."""
    found = {text.split(" ")[0] for text in leaks(show_everything(app, qtbot))}
    assert found == set(CANARIES)


def test_that_no_canary_sings_in_the_customers_view(app: App, qtbot: QtBot) -> None:
    app.window.set_customer_view(True)
    wait_idle(qtbot, app)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # what was built for the seller goes
    sung = leaks(show_everything(app, qtbot))
    assert sung == [], "\n".join(sung)


def test_that_undo_names_nothing_internal_and_still_works(app: App, qtbot: QtBot) -> None:
    before = app.document.consultation
    app.document.edit("Change notes", amended(before, notes="other notes"))
    assert app.window.menus.undo.text().endswith("Change notes")
    app.window.set_customer_view(True)
    wait_idle(qtbot, app)
    undo, redo = app.window.menus.undo, app.window.menus.redo
    assert undo.text() in ("Undo", "Rückgängig")
    undo.trigger()
    assert app.document.consultation == before
    assert redo.isEnabled()
    redo.trigger()
    assert app.document.consultation.notes == "other notes"
    app.window.set_customer_view(False)
    assert app.window.menus.undo.text().endswith("Change notes")
    wait_idle(qtbot, app)


def test_that_no_price_list_is_imported_while_a_customer_looks_on(app: App, qtbot: QtBot) -> None:
    app.window.set_customer_view(True)
    wait_idle(qtbot, app)
    app.window.tools.import_prices()  # would wait for an answer if it opened
    assert QApplication.activeModalWidget() is None
    entries = [action for menu in app.window.menuBar().actions() for action in menu.menu().actions()]
    prices = next(action for action in entries if action.shortcut().toString() == "Ctrl+I")
    assert not prices.isEnabled()
