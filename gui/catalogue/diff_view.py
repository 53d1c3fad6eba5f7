"""The differences between two catalogues as a table one can search."""

from __future__ import annotations

from PySide6.QtCore import QObject, QSortFilterProxyModel, Qt, Slot
from PySide6.QtWidgets import QLineEdit, QTableView, QWidget

from catalog.diff import Change, Kind
from catalog.diff_words import entry_words, field_words, said
from catalog.listing import Table
from engine.pictures.palette import Ink
from gui.column_table import Column, ColumnTable, dress_table, set_widths
from gui.context import Context
from gui.theme import STEP
from gui.widgets import column, label

SIGNS = {Kind.ADDED: "+", Kind.REMOVED: "−", Kind.CHANGED: "~"}
INKS = {Kind.ADDED: Ink.FITS, Kind.REMOVED: Ink.NO, Kind.CHANGED: Ink.TEXT}
ROW_HEIGHT = 28


class DiffModel(ColumnTable[Change]):
    """One row per difference."""

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        texts = context.texts
        _, tr, names = texts.gettext, texts.tr, texts.names
        columns: list[Column[Change]] = [
            Column("±", lambda one: SIGNS[one.kind], 40, ink=lambda one: INKS[one.kind]),
            Column(_("Entry"), lambda one: entry_words(one, tr, names), 200),
            Column(_("Field"), lambda one: field_words(one, tr, names), 190),
            Column(_("Before"), lambda one: said(one.before, tr, texts.language)),
            Column(_("After"), lambda one: said(one.after, tr, texts.language)),
        ]
        super().__init__(context, columns, parent)

    def as_table(self) -> Table:
        """The differences for an export."""
        cells = (tuple(column.shown(row) for column in self.columns) for row in self.rows)
        return Table(tuple(column.title for column in self.columns), tuple(cells))


class DiffView(QWidget):
    """Search, table, and how many there are."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        _ = context.texts.gettext
        body = column(self, spacing=2 * STEP)
        self.summary = label("", "muted", wrap=True)
        self.search = QLineEdit()
        self.search.setPlaceholderText(_("Search the differences"))
        self.search.setAccessibleName(_("Search the differences"))
        self.search.setClearButtonEnabled(True)
        self.model = DiffModel(context, self)
        self._proxy = QSortFilterProxyModel(self)
        self._proxy.setSourceModel(self.model)
        self._proxy.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._proxy.setFilterKeyColumn(-1)
        self.search.textChanged.connect(self._proxy.setFilterFixedString)
        self.table = QTableView()
        self.table.setModel(self._proxy)
        dress_table(self.table, _("Differences"), ROW_HEIGHT)
        set_widths(self.table, [one.width for one in self.model.columns])
        body.addWidget(self.summary)
        body.addWidget(self.search)
        body.addWidget(self.table, 1)
        self.say("")

    def show_changes(self, changes: tuple[Change, ...]) -> None:
        """Show the differences."""
        self.model.show_rows(changes)
        texts = self._context.texts
        counted = texts.ngettext("{count} difference.", "{count} differences.", len(changes))
        self.say(counted.format(count=len(changes)), shown=bool(changes))

    @Slot(str)
    def say(self, text: str, *, shown: bool = False) -> None:
        """Say something instead of differences, or above them when they are shown."""
        self.summary.setText(text)
        self.summary.setVisible(bool(text))
        self.search.setVisible(shown)
        self.table.setVisible(shown)

    def as_table(self) -> Table:
        """The differences for an export."""
        return self.model.as_table()
