"""The window of the catalogue: tables with search, filters and sorting, and the sheet of the chosen entry."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal, Slot
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QMessageBox,
    QSplitter,
    QTabBar,
    QTableView,
    QWidget,
)

from catalog.exporting import export
from catalog.own_entries import remove_own
from catalog.own_prices import remove_price
from engine.errors import PassformError
from gui.ask_file import ask_where
from gui.catalogue.desk import Desk
from gui.catalogue.entry_dialog import EntryDialog
from gui.catalogue.figures import sheet_of
from gui.catalogue.import_dialog import ImportDialog
from gui.catalogue.model_dialog import ModelDialog
from gui.catalogue.price_dialog import PriceDialog
from gui.catalogue.rows import Row, RowMark, Tab, listing, mark_names, tab_names
from gui.catalogue.sheet_view import SheetView
from gui.catalogue.table_model import ListingFilter, ListingModel
from gui.catalogue.update_dialog import UpdateDialog
from gui.catalogue.versions_dialog import VersionsDialog
from gui.column_table import dress_table, set_widths
from gui.theme import STEP
from gui.widgets import Choice, Panel, button, column, label

SIZE = (1280, 740)
SMALLEST = (960, 600)
SHEET_WIDTH = 400
ROW_HEIGHT = 30
SEARCH_WIDTH = 150
ALL = ""
PRICED = (Tab.CARDS, Tab.SYSTEMS, Tab.ITEMS, Tab.PRICES)
SHAPED = (Tab.CARDS, Tab.SYSTEMS, Tab.ITEMS)


class CatalogueWindow(QWidget):
    """Not modal: it stands beside the consultation, which follows what is changed here."""

    closed = Signal()

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.desk = desk
        _ = desk.context.texts.gettext
        self.setWindowTitle(_("Catalogue"))
        self.resize(*SIZE)
        self.setMinimumSize(*SMALLEST)
        outer = column(self, margin=4 * STEP, spacing=3 * STEP)
        outer.addLayout(self._head())
        outer.addLayout(self._filters())
        outer.addWidget(self._middle(), 1)
        outer.addLayout(self._actions())
        self.state = label("", "small", wrap=True)
        outer.addWidget(self.state)
        desk.replaced.connect(self.refresh)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self).activated.connect(self.search.setFocus)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Undo), self).activated.connect(self.undo)
        QShortcut(QKeySequence(Qt.Key.Key_Escape), self).activated.connect(self.close)
        self._tab = Tab.CARDS
        self.refresh()

    @property
    def tab(self) -> Tab:
        """The part that is shown."""
        return self._tab

    @property
    def chosen(self) -> Row | None:
        """The chosen row."""
        return self.filter.row_at(self.table.currentIndex())

    def show_tab(self, tab: Tab) -> None:
        """Show a part of the catalogue."""
        self.tabs.setCurrentIndex(list(Tab).index(tab))

    def choose(self, item_id: str) -> bool:
        """Choose an entry of the shown part; False when it is not among the rows."""
        for number, row in enumerate(self.filter.shown):
            if row.id == item_id:
                self.table.selectRow(number)
                return True
        return False

    @Slot()
    def refresh(self) -> None:
        """Show the catalogue in use, keeping the chosen entry."""
        texts, before = self.desk.context.texts, self.chosen
        version = texts.recorded_date(self.desk.catalog.version)
        self.version.setText(texts.gettext("Catalogue {date}").format(date=version))
        made = listing(self._tab, self.desk.viewer())
        self.model.show_listing(made)
        self.maker.offer([(ALL, texts.gettext("all")), *((name, name) for name in made.makers)])
        self.maker.show_value(ALL)
        self._set_widths()
        self._filter()
        if before is None or not self.choose(before.id):
            self.sheet.show_sheet(None)
            self._show_actions()

    @Slot()
    def undo(self) -> None:
        """Take the last change of the own entries back; never while a customer looks on."""
        texts = self.desk.context.texts
        if self.desk.context.customer_view:
            return
        try:
            restored = self.desk.undo()
        except PassformError as error:
            self.say(texts.error(error))
            return
        if restored:
            self.say(texts.gettext("Taken back: {files}").format(files=", ".join(restored)))
        else:
            self.say(texts.gettext("There is nothing to take back."))

    def save_export(self, path: Path) -> None:
        """Write the rows that are shown. Raises `PassformError`."""
        export(listing(self._tab, self.desk.viewer()).table(self.filter.shown), path)
        self.say(self.desk.context.texts.gettext("Written: {file}").format(file=path))

    def say(self, text: str) -> None:
        """Say what was done, beneath the table."""
        self.state.setText(text)

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802  # Qt's name
        """Stop what is being tried."""
        super().closeEvent(event)
        self.closed.emit()

    def _head(self) -> QHBoxLayout:
        texts = self.desk.context.texts
        self.tabs = QTabBar()
        self.tabs.setAccessibleName(texts.gettext("Parts of the catalogue"))
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        for name in tab_names(texts).values():
            self.tabs.addTab(name)
        self.tabs.currentChanged.connect(self._on_tab)
        line = QHBoxLayout()
        line.addWidget(self.tabs, 1)
        self.version = label("", "small")
        line.addWidget(self.version)
        return line

    def _filters(self) -> QHBoxLayout:
        texts = self.desk.context.texts
        _ = texts.gettext
        self.search = QLineEdit()
        self.search.setPlaceholderText(_("Search names, ids, sources …"))
        self.search.setAccessibleName(_("Search the catalogue"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._on_search)
        self.maker, self.mark = Choice(), Choice()
        for choice, name in ((self.maker, _("Maker or kind")), (self.mark, _("Marks"))):
            choice.setAccessibleName(name)
            choice.setMinimumWidth(SEARCH_WIDTH)
            choice.chosen.connect(self._filter)
        self.mark.offer([(ALL, _("all marks")), *((mark.value, word) for mark, word in mark_names(texts).items())])
        self.mark.show_value(ALL)
        self.count = label("", "muted")
        line = QHBoxLayout()
        line.setSpacing(2 * STEP)
        line.addWidget(self.search, 1)
        for name, choice in ((_("Maker or kind"), self.maker), (_("Marks"), self.mark)):
            line.addWidget(label(name, "muted"))
            line.addWidget(choice)
        line.addWidget(self.count)
        return line

    def _middle(self) -> QSplitter:
        context = self.desk.context
        self.model = ListingModel(context, self)
        self.filter = ListingFilter(self.model, self)
        self.table = QTableView()
        self.table.setModel(self.filter)
        dress_table(self.table, context.texts.gettext("Entries of the catalogue"), ROW_HEIGHT)
        self.table.setSortingEnabled(True)
        self.table.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
        self.table.setAlternatingRowColors(True)
        self.table.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.table.selectionModel().currentRowChanged.connect(self._on_row)
        self.table.activated.connect(self._edit)
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.table.customContextMenuRequested.connect(self._on_menu)
        self.sheet = SheetView(context)
        panel = Panel()
        panel.body.addWidget(self.sheet)
        made = QSplitter(Qt.Orientation.Horizontal)
        made.setChildrenCollapsible(False)
        made.addWidget(self.table)
        made.addWidget(panel)
        made.setStretchFactor(0, 1)
        made.setSizes([SIZE[0] - SHEET_WIDTH, SHEET_WIDTH])
        return made

    def _actions(self) -> QHBoxLayout:
        _ = self.desk.context.texts.gettext
        line = QHBoxLayout()
        line.setSpacing(2 * STEP)
        self.price_button = button(_("Own price …"), "primary")
        self.edit_button = button(_("Own figures …"))
        self.copy_button = button(_("New like this …"))
        self.remove_button = button(_("Remove own"))
        self.undo_button = button(_("Take back"))
        for made, slot in (
            (self.price_button, self._price),
            (self.edit_button, self._edit),
            (self.copy_button, self._copy),
            (self.remove_button, self._remove),
            (self.undo_button, self.undo),
        ):
            made.clicked.connect(slot)
            made.setVisible(not self.desk.context.customer_view)
            line.addWidget(made)
        line.addStretch(1)
        self.more = button(_("Lists and versions"))
        menu = QMenu(self.more)
        for name, slot in (
            (_("Import a price list …"), self._import),
            (_("Update package …"), self._update),
            (_("Compare two versions …"), self._versions),
            (_("Export these rows …"), self._export),
        ):
            menu.addAction(name).triggered.connect(slot)
        self.more.setMenu(menu)
        self.more.setVisible(not self.desk.context.customer_view)
        line.addWidget(self.more)
        return line

    @Slot(int)
    def _on_tab(self, number: int) -> None:
        self._tab = list(Tab)[number]
        self.table.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
        self.mark.show_value(ALL)
        self.refresh()

    @Slot(str)
    def _on_search(self, text: str) -> None:
        self.filter.search(text)
        self._count()

    @Slot()
    def _filter(self) -> None:
        mark = str(self.mark.currentData() or ALL)
        self.filter.only(str(self.maker.currentData() or ALL), RowMark(mark) if mark else None)
        self._count()

    def _count(self) -> None:
        shown, every = self.filter.rowCount(), len(self.model.rows)
        self.count.setText(self.desk.context.texts.gettext("{shown} of {all}").format(shown=shown, all=every))

    def _set_widths(self) -> None:
        set_widths(self.table, [one.width for one in self.model.columns])
        self.table.horizontalHeader().setMinimumSectionSize(48)

    @Slot(QModelIndex)
    def _on_row(self, index: QModelIndex) -> None:
        row = self.filter.row_at(index)
        self.sheet.show_sheet(None if row is None else sheet_of(self._tab, row, self.desk.viewer()))
        self._show_actions()

    def _show_actions(self) -> None:
        row = self.chosen
        _ = self.desk.context.texts.gettext
        self.price_button.setEnabled(row is not None and self._tab in PRICED)
        self.edit_button.setEnabled(row is not None and self._tab in SHAPED)
        self.copy_button.setText(_("New model …") if self._tab is Tab.MODELS else _("New like this …"))
        self.copy_button.setEnabled(self._tab is Tab.MODELS or (row is not None and self._tab in SHAPED))
        self.remove_button.setEnabled(row is not None and RowMark.OWN in row.marks)

    @Slot(QPoint)
    def _on_menu(self, place: QPoint) -> None:
        if self.desk.context.customer_view:
            return
        menu = QMenu(self)
        for made in (self.price_button, self.edit_button, self.copy_button, self.remove_button):
            if made.isEnabled():
                menu.addAction(made.text()).triggered.connect(made.click)
        menu.exec(self.table.viewport().mapToGlobal(place))
        menu.deleteLater()

    @Slot()
    def _price(self) -> None:
        if self.chosen is not None and self._tab in PRICED:
            run_dialog(PriceDialog(self.desk, self.chosen.id, self))

    @Slot()
    def _edit(self) -> None:
        if self.chosen is None or self.desk.context.customer_view:
            return
        if self._tab in SHAPED:
            run_dialog(EntryDialog(self.desk, self.chosen.id, copy=False, parent=self))
        elif self._tab is Tab.PRICES:
            self._price()

    @Slot()
    def _copy(self) -> None:
        if self._tab is Tab.MODELS:
            run_dialog(ModelDialog(self.desk, self))
        elif self.chosen is not None and self._tab in SHAPED:
            run_dialog(EntryDialog(self.desk, self.chosen.id, copy=True, parent=self))

    @Slot()
    def _remove(self) -> None:
        row = self.chosen
        if row is None or RowMark.OWN not in row.marks:
            return
        texts = self.desk.context.texts
        catalog = self.desk.catalog
        try:
            if self._tab is Tab.PRICES:
                price = catalog.facts.prices[row.id][row.number]
                self.desk.make(partial(remove_price, item_id=row.id, as_of=price.as_of, source_id=price.source.id))
            else:
                self.desk.make(partial(remove_own, catalog=catalog, item_id=row.id))
        except PassformError as error:
            self._show_error(error)
            return
        self.say(texts.gettext("Removed: {name}. “Take back” brings it back.").format(name=row.cells[0].text))

    def _import(self) -> None:
        run_dialog(ImportDialog(self.desk, self))

    def _update(self) -> None:
        run_dialog(UpdateDialog(self.desk, self))

    def _versions(self) -> None:
        run_dialog(VersionsDialog(self.desk, self))

    def _export(self) -> None:
        _ = self.desk.context.texts.gettext
        kinds = _("Excel workbook (*.xlsx);;CSV table (*.csv);;YAML (*.yaml)")
        path = ask_where(self, _("Export"), f"{self._tab.value}.xlsx", kinds, self.desk.context.texts)
        if path is None:
            return
        try:
            self.save_export(path)
        except PassformError as error:
            self._show_error(error)

    def _show_error(self, error: PassformError) -> None:
        box = QMessageBox(self)
        box.setIcon(QMessageBox.Icon.Warning)
        box.setWindowTitle("Passform")
        box.setText(self.desk.context.texts.error(error))
        box.exec()
        box.deleteLater()


def run_dialog(dialog: QDialog) -> None:
    """Show a dialog until it is closed."""
    dialog.exec()
    dialog.deleteLater()
