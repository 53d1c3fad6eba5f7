"""A table of rows whose names take the room that the other columns leave, as high as its first rows."""

from __future__ import annotations

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QTableView

from gui.column_table import ColumnTable, Row, dress_table, set_widths
from gui.pages.row_actions import set_up_rows

SMALLEST_NAME = 150
FRAME = 6


class RowsTable(QTableView):
    """Shows at most `shown_rows` rows; more are scrolled."""

    def __init__(self, name: str, row_height: int, shown_rows: int) -> None:
        super().__init__()
        self._row_height, self._shown_rows = row_height, shown_rows
        dress_table(self, name, row_height)
        set_up_rows(self)

    def show_model(self, model: ColumnTable[Row]) -> None:
        """Show rows by their columns."""
        self.setModel(model)
        set_widths(self, [one.width for one in model.columns])

    def fit(self) -> None:
        """Leave the names what the other columns do not need, and take the height of the rows.

        A horizontal scroll bar, where even the narrowest names do not fit, must not lie on the last row.
        """
        header = self.horizontalHeader()
        others = sum(header.sectionSize(place) for place in range(1, header.count()))
        self.setColumnWidth(0, max(SMALLEST_NAME, self.viewport().width() - others))
        scrolls = header.length() > self.viewport().width()
        bar = self.horizontalScrollBar().sizeHint().height() if scrolls else 0
        rows = min(self.model().rowCount(), self._shown_rows)
        self.setFixedHeight(self._row_height * rows + header.sizeHint().height() + bar + FRAME)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802  # Qt's name
        """Also when a scroll bar comes or goes."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.fit()
