"""The differences between two catalogues as a table one can search."""

from __future__ import annotations

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
    Slot,
)
from PySide6.QtWidgets import QHeaderView, QLineEdit, QTableView, QWidget

from catalog.diff import Change, Kind
from catalog.diff_words import entry_words, field_words, said
from catalog.listing import Table
from engine.pictures.palette import Ink
from gui.context import Context
from gui.theme import STEP
from gui.widgets import column, label

Index = QModelIndex | QPersistentModelIndex
TOP = QModelIndex()
SIGN, ENTRY, FIELD, BEFORE, AFTER = range(5)
SIGNS = {Kind.ADDED: "+", Kind.REMOVED: "−", Kind.CHANGED: "~"}
INKS = {Kind.ADDED: Ink.FITS, Kind.REMOVED: Ink.NO, Kind.CHANGED: Ink.TEXT}
ROW_HEIGHT = 28
WIDTHS = {SIGN: 40, ENTRY: 200, FIELD: 190}


class DiffModel(QAbstractTableModel):
    """One row per difference."""

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.changes: tuple[Change, ...] = ()
        _ = context.texts.gettext
        self.titles = ("±", _("Entry"), _("Field"), _("Before"), _("After"))

    def show_changes(self, changes: tuple[Change, ...]) -> None:
        """Show other differences."""
        self.beginResetModel()
        self.changes = changes
        self.endResetModel()

    def cells(self, change: Change) -> tuple[str, ...]:
        """What a difference says, column by column."""
        texts = self._context.texts
        return (
            SIGNS[change.kind],
            entry_words(change, texts.tr, texts.names),
            field_words(change, texts.tr, texts.names),
            said(change.before, texts.tr, texts.language),
            said(change.after, texts.tr, texts.language),
        )

    def rowCount(self, parent: Index = TOP) -> int:  # noqa: N802  # Qt's name
        return 0 if parent.isValid() else len(self.changes)

    def columnCount(self, parent: Index = TOP) -> int:  # noqa: N802  # Qt's name
        return 0 if parent.isValid() else len(self.titles)

    def headerData(  # noqa: N802  # Qt's name
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self.titles[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        change = self.changes[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return self.cells(change)[index.column()]
        if role == Qt.ItemDataRole.ForegroundRole and index.column() == SIGN:
            return self._context.theme.colour(INKS[change.kind])
        return None


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
        self.table.setAccessibleName(_("Differences"))
        self.table.setShowGrid(False)
        self.table.setTabKeyNavigation(False)
        self.table.setWordWrap(False)
        self.table.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        header = self.table.horizontalHeader()
        header.setHighlightSections(False)
        for place, width in WIDTHS.items():
            self.table.setColumnWidth(place, width)
        for place in (BEFORE, AFTER):
            header.setSectionResizeMode(place, QHeaderView.ResizeMode.Stretch)
        body.addWidget(self.summary)
        body.addWidget(self.search)
        body.addWidget(self.table, 1)
        self.say("")

    def show_changes(self, changes: tuple[Change, ...]) -> None:
        """Show the differences."""
        self.model.show_changes(changes)
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
        return Table(self.model.titles, tuple(self.model.cells(change) for change in self.model.changes))
