"""Rows of a recommendation before and after, side by side."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtWidgets import QGridLayout, QWidget

from gui.catalogue.effect import EffectRow
from gui.theme import STEP
from gui.widgets import label


class EffectTable(QWidget):
    """Hidden while there is nothing to show."""

    def __init__(self) -> None:
        super().__init__()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(4 * STEP)
        self._grid.setVerticalSpacing(STEP)
        for place in (1, 2):
            self._grid.setColumnStretch(place, 1)
        self.hide()

    def show_rows(self, rows: Iterable[EffectRow], before: str, after: str) -> None:
        """Show rows under these two headings."""
        self.clear()
        for place, head in enumerate(("", before, after)):
            self._grid.addWidget(label(head, "small"), 0, place)
        for line, row in enumerate(rows, start=1):
            self._grid.addWidget(label(row.name, "muted", wrap=True), line, 0)
            self._grid.addWidget(label(row.before, wrap=True), line, 1)
            self._grid.addWidget(label(row.after, "section", wrap=True), line, 2)
        self.show()

    @property
    def lines(self) -> tuple[str, ...]:
        """Every text that is shown."""
        if self.isHidden():
            return ()
        widgets = (self._grid.itemAt(place).widget() for place in range(self._grid.count()))
        return tuple(widget.text() for widget in widgets if widget is not None)

    def clear(self) -> None:
        """Show nothing."""
        self.hide()
        while (item := self._grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
