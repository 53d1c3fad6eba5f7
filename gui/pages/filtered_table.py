"""A table with a filter over its names."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractItemModel, QSortFilterProxyModel, Qt
from PySide6.QtWidgets import QHeaderView, QLineEdit, QTableView

from gui.context import Context
from gui.theme import STEP
from gui.widgets import Panel

HEIGHT = 360
ROW_HEIGHT = 48  # two lines: names differ at their end


class FilteredTable(Panel):
    """Shows a model; typing hides the rows whose first column does not hold the text."""

    def __init__(self, context: Context, model: QAbstractItemModel, name: str, widths: Sequence[int]) -> None:
        super().__init__(margin=3 * STEP)
        _ = context.texts.gettext
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(_("Filter by name"))
        self.filter.setAccessibleName(_("Filter: {table}").format(table=name))
        self.filter.setClearButtonEnabled(True)
        self.table = QTableView()
        proxy = QSortFilterProxyModel(self.table)
        proxy.setSourceModel(model)
        proxy.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        proxy.setFilterKeyColumn(0)
        self.filter.textChanged.connect(proxy.setFilterFixedString)
        self.table.setModel(proxy)
        self.table.setAccessibleName(name)
        self.table.setShowGrid(False)
        self.table.setTabKeyNavigation(False)
        self.table.setWordWrap(True)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        self.table.setFixedHeight(HEIGHT)
        header = self.table.horizontalHeader()
        header.setHighlightSections(False)
        for column, width in enumerate(widths):
            if width:
                self.table.setColumnWidth(column, width)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.body.addWidget(self.filter)
        self.body.addWidget(self.table)
