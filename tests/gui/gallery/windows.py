"""What can be seen beside the main window: the catalogue, positions, evidence, the register, the handbook."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

from openpyxl import Workbook
from PySide6.QtCore import QPoint

from catalog.register.numbering import NumberPattern
from engine.errors import PassformError
from engine.quote.draft import DocumentKind
from gui.catalogue.entry_dialog import EntryDialog
from gui.catalogue.import_dialog import ImportDialog
from gui.catalogue.model_dialog import ModelDialog
from gui.catalogue.price_dialog import PriceDialog
from gui.catalogue.rows import Tab
from gui.catalogue.update_dialog import UpdateDialog
from gui.catalogue.versions_dialog import VersionsDialog
from gui.dialogs.help import TOPICS
from gui.flow import Step
from gui.quote_editor.new_lines import set_up_line
from gui.register.issue_dialog import IssueDialog
from gui.register.work import Wish, opened
from tests.catalog.register.samples import CUSTOMER, maker
from tests.gui.gallery.stage import Stage
from tests.gui.price_lists import HEADLESS, PRICE_LIST
from tests.gui.register_cases import price_everything, with_seller

SHEETS = ("Karten", "Aktionen im Herbst 2026")
OFFERS = NumberPattern("AN-{year}-{counter:04d}")


def catalogue(stage: Stage) -> None:
    """The catalogue's window, each part of it, and its menus."""
    tools = stage.window.tools
    tools.show_catalogue()
    window = tools.catalogue
    assert window is not None
    for tab in Tab:
        window.show_tab(tab)
        window.table.selectRow(2)
        stage.look(f"catalogue-{tab.value}", window)
    window.show_tab(Tab.CARDS)
    window.choose("rtx_pro_6000_blackwell_ws")
    stage.look("catalogue-contradicted", window)
    stage.ask("menu-entry", lambda: window._on_menu(QPoint(5, 5)))
    stage.ask("menu-lists", lambda: window.more.menu().exec(window.mapToGlobal(QPoint(5, 5))))
    stage.ask("box-catalogue", lambda: window._show_error(PassformError("There is no recommendation yet.")))
    stage.ask("dialog-price-of-row", window._price)
    window.close()


def catalogue_dialogs(stage: Stage) -> None:
    """The dialogs of the catalogue, empty and filled."""
    desk, window = stage.window.tools.desk, stage.window
    price = PriceDialog(desk, "h200_nvl", window)
    stage.show("dialog-price", price)
    price = PriceDialog(desk, "h200_nvl", window)
    price.amount.setText("12x")
    price.as_of.setText("30.02.2026")
    price.show()
    price.store()
    stage.show("dialog-price-refused", price)
    price = PriceDialog(desk, "h200_nvl", window)
    price.amount.setText("12000")
    price.show()
    price.attempt()
    stage.show("dialog-price-effect", price)
    for item, word in (("h200_nvl", "card"), (next(iter(desk.catalog.facts.systems)), "system")):
        stage.show(f"dialog-entry-{word}", EntryDialog(desk, item, copy=False, parent=window))
    stage.show("dialog-entry-copy", EntryDialog(desk, "h200_nvl", copy=True, parent=window))
    stage.show("dialog-model", ModelDialog(desk, window))
    stage.show("dialog-import", ImportDialog(desk, window))
    for name, text in (("list", PRICE_LIST), ("headless", HEADLESS)):
        path = stage.folder / f"{name}.csv"
        path.write_text(text, encoding="cp1252")
        stage.customers_words = frozenset(text.replace("\n", ";").split(";"))
        _show_import(stage, name, path)
    stage.customers_words = frozenset({*HEADLESS.replace("\n", ";").split(";"), *SHEETS})
    _show_import(stage, "workbook", _workbook(stage.folder / "workbook.xlsx"))
    stage.customers_words = frozenset()
    stage.ask("dialog-versions", stage.window.tools.compare_versions)
    versions = VersionsDialog(desk, window)
    stage.settle(versions)
    with stage.chosen(stage.folder / "list.csv" / "differences.xlsx"):  # beneath a file, so nothing can be written
        stage.ask("box-export", versions._export)
    stage.drop(versions)
    update = UpdateDialog(desk, window)
    update.show()
    stage.look("dialog-update", update)
    broken = stage.folder / "broken.passform-catalogue"
    broken.write_bytes(b"nothing")
    stage.ask("dialog-keys", update.show_keys)
    update.take(broken)
    stage.show("dialog-update-refused", update)


def _show_import(stage: Stage, name: str, path: Path) -> None:
    dialog = ImportDialog(stage.window.tools.desk, stage.window)
    dialog.show()
    dialog.take(path)
    stage.show(f"dialog-import-{name}", dialog)


def _workbook(path: Path) -> Path:
    """A list on the first of two sheets."""
    book = Workbook()
    book.active.title, other = SHEETS
    for line in HEADLESS.splitlines():
        book.active.append(line.split(";"))
    book.create_sheet(other)
    book.save(path)
    return path


def positions(stage: Stage) -> None:
    """The editor of the proposal's positions, its menus and its dialogs."""
    tools = stage.window.tools
    before = stage.app.document.consultation
    stage.window.show_step(Step.OFFER)
    stage.settle(stage.window)
    stage.ask("dialog-print", stage.window.offer.ask_and_print)
    tools.show_positions()
    editor = tools.positions
    assert editor is not None
    stage.look("positions-untouched", editor)
    editor.add_made(set_up_line)
    stage.look("positions-line", editor)
    editor.choose((0, -1))
    stage.look("positions-section", editor)
    editor.side.bar.setCurrentIndex(1)
    stage.look("positions-terms", editor)
    side = editor.side.parentWidget()
    assert side is not None
    stage.look("positions-terms-whole", side)
    stage.ask("dialog-item", editor.add_item, lambda dialog: dialog.search.setText("h200"))
    editor.add_from_catalogue("l40s")
    editor._on_line("price", Decimal(4000))
    stage.ask("dialog-prices", editor.prices.ask, lambda dialog: dialog.tick(0))
    editor.templates_menu.keep("Aufbau")
    here = editor.mapToGlobal(QPoint(5, 5))
    stage.ask("menu-add", lambda: editor.add_button.menu().exec(here))
    stage.ask("menu-templates", lambda: editor.templates_menu.exec(here))
    stage.ask("dialog-template", editor.templates_menu._ask)
    editor.close()
    stage.app.document.replace(before, None)


def evidence(stage: Stage) -> None:
    """What the estimates are worth."""
    tools = stage.window.tools
    tools.show_evidence()
    window = tools.evidence
    assert window is not None
    for number, name in enumerate(("memory", "speed")):
        window.tabs.bar.setCurrentIndex(number)
        stage.settle(window)
        window.table.selectRow(0)
        stage.look(f"evidence-{name}", window)
    window.close()


def register(stage: Stage) -> None:
    """The register, empty and with documents, and what is asked before customer data goes."""
    today = stage.window._today()
    with opened() as found:
        held = len(found.customers("Nordwerft AG"))
    if not held:
        stage.window.register.show()
        window = stage.window.register.shown
        assert window is not None
        stage.look("register-empty", window)
        window.close()
        with opened() as found:
            for company in ("Nordwerft AG", "Mühle KG"):
                made = maker(as_of=today, customer=type(CUSTOMER)(company=company, lines=("Hafen 1",)))
                found.store(DocumentKind.OFFER, today.year, OFFERS, made, today=today)
    stage.window.register.show()
    window = stage.window.register.shown
    assert window is not None
    stage.settle(window)
    stage.look("register-unchosen", window)
    window.table.selectRow(0)
    stage.look("register", window)
    from PySide6.QtWidgets import QCheckBox

    words = stage.app.context.texts.gettext("keep accepted documents, for which a duty to keep records may hold")
    numbers = ["AN-2026-0001", "AN-2026-0002"]
    stage.ask("box-erase", lambda: window._confirmed("Nordwerft AG", numbers, QCheckBox(words)))
    window.search.setText("nobody at all")
    stage.look("register-nothing-found", window)
    window.close()


def issuing(stage: Stage) -> None:
    """Issuing a document: refused, possible, done."""
    with_seller(stage.folder)
    stage.window.show_step(Step.OFFER)
    stage.settle(stage.window)
    stage.ask("dialog-issue-refused", stage.window.register.issue)
    price_everything(stage.app)
    stage.settle(stage.window)
    proposal = stage.window.register._proposal()
    dialog = IssueDialog(stage.app.context, proposal, stage.window._today(), stage.window)
    dialog.show()
    stage.settle(dialog)
    stage.look("dialog-issue", dialog)
    dialog.vat.setChecked(True)
    dialog.choices[Wish.OFFER].setChecked(True)
    dialog.issue()
    stage.settle(dialog)
    stage.show("dialog-issued", dialog)
    assert dialog.issued is not None
    stage.window.offer.show_issued(dialog.issued.entry)
    stage.look("page-offer-issued", stage.window)
    (stage.folder / "seller.yaml").unlink()


def handbook(stage: Stage) -> None:
    """Every page of the handbook."""
    stage.window.tools.show_help(TOPICS[0])
    window = stage.window.tools.help
    assert window is not None
    for topic in TOPICS:
        window.show_topic(topic)
        stage.look(f"help-{topic}", window)
    stage.drop(window)
