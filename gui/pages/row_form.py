"""The settings of one row of the document in two columns, in one where there is no room for two."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from gui.context import Context
from gui.pages.page import Page
from gui.theme import STEP
from gui.widgets import Form, NumberField

TWO_COLUMNS = 600


class RowForm(QWidget):
    """Two forms side by side; subclasses fill them and say which row they show."""

    def __init__(self, context: Context, page: Page, head: QWidget | None = None) -> None:
        super().__init__()
        self._context = context
        self._page = page
        self._index = 0
        self._wide: bool | None = None
        self._layout = QGridLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setHorizontalSpacing(8 * STEP)
        self._layout.setColumnStretch(0, 1)
        self._top = 0 if head is None else 1
        if head is not None:
            self._layout.setVerticalSpacing(3 * STEP)
            self._layout.addWidget(head, 0, 0, 1, 2)
        self._left, self._right = Form(stacked=True), Form(stacked=True)
        self._arrange(wide=True)

    @property
    def index(self) -> int:
        """The row that is edited."""
        return self._index

    def _turn_to(self, index: int) -> None:
        """Edit this row from now on; a text that was refused in another one is not its own."""
        if index != self._index:
            self._index = index
            for field in self.findChildren(NumberField):
                field.forget()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802  # Qt's name
        super().resizeEvent(event)
        self._arrange(wide=event.size().width() >= TWO_COLUMNS)

    def _arrange(self, *, wide: bool) -> None:
        if wide is self._wide:
            return
        self._wide = wide
        self._layout.setColumnStretch(1, 1 if wide else 0)
        self._layout.addWidget(self._left, self._top, 0, Qt.AlignmentFlag.AlignTop)
        right = (self._top, 1) if wide else (self._top + 1, 0)
        self._layout.addWidget(self._right, *right, Qt.AlignmentFlag.AlignTop)
