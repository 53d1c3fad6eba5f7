"""A table with a filter over its names."""

from __future__ import annotations

from PySide6.QtCore import QSortFilterProxyModel, Qt
from PySide6.QtWidgets import QLineEdit, QTableView

from gui.column_table import ColumnTable, Row, dress_table, set_widths
from gui.context import Context
from gui.theme import STEP
from gui.widgets import Panel

HEIGHT = 360
ROW_HEIGHT = 48  # two lines: names differ at their end


class FilteredTable(Panel):
    """Shows a model; typing hides the rows whose first column does not hold the text."""

    def __init__(self, context: Context, model: ColumnTable[Row], name: str) -> None:
        super().__init__(margin=3 * STEP)
        _ = context.texts.gettext
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(_("Filter by name"))
        self.filter.setAccessibleName(_("Filter: {table}").format(table=name))
        self.filter.setClearButtonEnabled(True)
        self.filter.setAcceptDrops(False)  # a file is the window's to take
        self.table = QTableView()
        proxy = QSortFilterProxyModel(self.table)
        proxy.setSourceModel(model)
        proxy.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        proxy.setFilterKeyColumn(0)
        self.filter.textChanged.connect(proxy.setFilterFixedString)
        self.table.setModel(proxy)
        dress_table(self.table, name, ROW_HEIGHT)
        set_widths(self.table, [one.width for one in model.columns])
        self.table.setSelectionBehavior(QTableView.SelectionBehavior.SelectItems)
        self.table.setWordWrap(True)
        self.table.setFixedHeight(HEIGHT)
        self.body.addWidget(self.filter)
        self.body.addWidget(self.table)
