"""The rows that serve a model: their table and what can be done with them. The form below belongs to the page."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Signal, Slot
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout

from catalog.consultation.document import Consultation
from catalog.consultation.serving import ServingRow
from engine.errors import PassformError
from gui.context import Context
from gui.pages.row_actions import row_actions, select_whole_row, selected_row, selected_rows
from gui.pages.rows_table import RowsTable
from gui.pages.serving_table import ServingTable
from gui.serving_draft import moved_serving, with_serving, without_serving
from gui.theme import STEP
from gui.widgets import Panel

ROW_HEIGHT = 52
SHOWN_ROWS = 4


class ServingSection(Panel):
    """Edits the served rows of the document through undoable steps."""

    row_selected = Signal(int)
    edit_wanted = Signal()
    refused = Signal(str)

    def __init__(self, context: Context) -> None:
        super().__init__(margin=2 * STEP)
        self._context = context
        self.table = self._build_table()
        self.body.addLayout(self._head())
        self.body.addWidget(self.table)

    def refresh(self, document: Consultation) -> None:
        """Show the rows; the selection stays where it was."""
        selected = self.current_row()
        self.model.refresh(document)
        self.setVisible(bool(document.serving))
        if selected >= 0 and document.serving:
            self.select_row(min(selected, len(document.serving) - 1))
        self.table.fit()

    def current_row(self) -> int:
        """The selected row, -1 when there is none."""
        return selected_row(self.table)

    def select_row(self, row: int) -> None:
        """Select a row as a whole."""
        if row != self.current_row() or not self.table.selectionModel().hasSelection():
            select_whole_row(self.table, row)

    def select_none(self) -> None:
        """Leave no row selected: another table has the selection."""
        self.table.selectionModel().clear()

    def add(self, row: ServingRow, name: str) -> None:
        """Add a row for a model that is called `name`."""
        count = len(self._context.document.consultation.serving)
        text = self._context.texts.gettext("Serve {model}").format(model=name)
        if self._insert(text, [row], count):
            self.select_row(count)

    @Slot()
    def duplicate(self) -> None:
        """Insert a copy of the selected row below it."""
        row = self.current_row()
        if row >= 0:
            copied = [self._context.document.consultation.serving[row]]
            if self._insert(self._context.texts.gettext("Duplicate served model"), copied, row + 1):
                self.select_row(row + 1)

    @Slot()
    def remove(self) -> None:
        """Remove the selected rows."""
        rows = selected_rows(self.table)
        if rows:
            document = self._context.document
            text = self._context.texts.gettext("Remove served model")
            document.edit(text, without_serving(document.consultation, rows))

    @Slot()
    def move_up(self) -> None:
        """Move the selected row up."""
        self._move(-1)

    @Slot()
    def move_down(self) -> None:
        """Move the selected row down."""
        self._move(1)

    def _move(self, step: int) -> None:
        row, document = self.current_row(), self._context.document
        target = row + step
        if row >= 0 and 0 <= target < len(document.consultation.serving):
            text = self._context.texts.gettext("Move served model")
            document.edit(text, moved_serving(document.consultation, row, target))
            self.select_row(target)

    def _insert(self, text: str, rows: Sequence[ServingRow], index: int) -> bool:
        document = self._context.document
        try:
            after = with_serving(document.consultation, rows, index)
        except PassformError as error:
            self.refused.emit(self._context.texts.error(error))
            return False
        self.refused.emit("")
        document.edit(text, after)
        return True

    def _build_table(self) -> RowsTable:
        table = RowsTable(self._context.texts.gettext("Served models"), ROW_HEIGHT, SHOWN_ROWS)
        self.model = ServingTable(self._context, table)
        table.show_model(self.model)
        table.setAccessibleDescription(self._context.texts.gettext("Enter leads to the settings of the row"))
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.selectionModel().currentRowChanged.connect(self._on_row_changed)
        table.activated.connect(self._on_activated)
        return table

    def _head(self) -> QHBoxLayout:
        _ = self._context.texts.gettext
        line, self.actions_by_name = row_actions(
            self.table,
            self._context.theme,
            _("Serving"),
            (
                ("copy", "copy", _("Duplicate served model"), "Ctrl+D", self.duplicate),
                ("up", "up", _("Move served model up"), "Alt+Up", self.move_up),
                ("down", "down", _("Move served model down"), "Alt+Down", self.move_down),
                ("remove", "remove", _("Remove served model"), QKeySequence.StandardKey.Delete, self.remove),
            ),
        )
        return line

    @Slot(QModelIndex)
    def _on_activated(self, _index: QModelIndex) -> None:
        self.edit_wanted.emit()

    @Slot(QModelIndex, QModelIndex)
    def _on_row_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        self._context.document.settle()
        if current.isValid():
            self.row_selected.emit(current.row())
