"""The customer's own test runs on the page of goals: their table and what can be done with them."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QTableView

from catalog.consultation.document import CalibrationRow, Consultation
from gui.column_table import dress_table, set_widths
from gui.context import Context
from gui.own_runs import with_own_run, without_own_runs
from gui.pages.own_run_dialog import OwnRunDialog
from gui.pages.own_run_table import OwnRunTable
from gui.pages.row_actions import add_row_action, select_whole_row, selected_row, selected_rows, set_up_rows
from gui.theme import STEP
from gui.widgets import Panel, button, icon_button, label

ROW_HEIGHT = 34
SHOWN_ROWS = 5


class OwnRunSection(Panel):
    """Adds, changes and removes test runs through undoable steps."""

    def __init__(self, context: Context) -> None:
        super().__init__(margin=3 * STEP)
        self._context = context
        _ = context.texts.gettext
        remark = _("What the customer measured himself corrects the estimated times of runs with the same software.")
        self.body.addWidget(label(remark, "muted", wrap=True))
        self.table = self._build_table()
        self.body.addLayout(self._tools())
        self.body.addWidget(self.table)
        self.refresh(context.document.consultation)

    def refresh(self, document: Consultation) -> None:
        """Show the rows; the selection stays where it was."""
        selected = self.current_row()
        self.model.refresh(document)
        count = len(document.calibrations)
        self.table.setVisible(count > 0)
        for made in (self.edit_button, self.remove_button):
            made.setEnabled(count > 0)
        if count:
            self.select_row(min(max(selected, 0), count - 1))
            bar = self.table.horizontalScrollBar().sizeHint().height()
            head = self.table.horizontalHeader().sizeHint().height()
            self.table.setFixedHeight(ROW_HEIGHT * min(count, SHOWN_ROWS) + head + bar + 6)

    def current_row(self) -> int:
        """The selected row, -1 when there is none."""
        return selected_row(self.table)

    def select_row(self, row: int) -> None:
        """Select a row as a whole."""
        select_whole_row(self.table, row)

    @Slot()
    def add(self) -> None:
        """Ask for a test run and add it."""
        row = self._ask(None)
        if row is not None:
            self.store(row, None)

    @Slot()
    def edit(self) -> None:
        """Change the selected test run."""
        index, rows = self.current_row(), self._context.document.consultation.calibrations
        if not 0 <= index < len(rows):
            return
        row = self._ask(rows[index])
        if row is not None:
            self.store(row, index)

    def store(self, row: CalibrationRow, index: int | None) -> None:
        """Put a test run into the document, in the place of another or at the end."""
        document, _ = self._context.document, self._context.texts.gettext
        text = _("Add test run") if index is None else _("Change test run")
        document.edit(text, with_own_run(document.consultation, row, index))
        self.select_row(len(document.consultation.calibrations) - 1 if index is None else index)

    @Slot()
    def remove(self) -> None:
        """Remove the selected test runs."""
        indexes = selected_rows(self.table)
        if indexes:
            document = self._context.document
            text = self._context.texts.gettext("Remove test run")
            document.edit(text, without_own_runs(document.consultation, indexes))

    def _ask(self, row: CalibrationRow | None) -> CalibrationRow | None:
        dialog = OwnRunDialog(self._context, row, self)
        answer = dialog.row if dialog.exec() else None
        dialog.deleteLater()
        return answer

    def _tools(self) -> QHBoxLayout:
        _, theme = self._context.texts.gettext, self._context.theme
        line = QHBoxLayout()
        line.setSpacing(STEP)
        self.add_button = button(_("Add test run …"))
        self.add_button.clicked.connect(self.add)
        self.edit_button = button(_("Edit …"))
        self.edit_button.clicked.connect(self.edit)
        self.remove_button = icon_button(theme, "remove", _("Remove test run"))
        self.remove_button.clicked.connect(self.remove)
        for made in (self.add_button, self.edit_button, self.remove_button):
            line.addWidget(made)
        line.addStretch(1)
        return line

    def _build_table(self) -> QTableView:
        table = QTableView()
        self.model = OwnRunTable(self._context, table)
        table.setModel(self.model)
        dress_table(table, self._context.texts.gettext("Own test runs"), ROW_HEIGHT)
        set_widths(table, [one.width for one in self.model.columns])
        set_up_rows(table)
        table.doubleClicked.connect(self.edit)
        _ = self._context.texts.gettext
        add_row_action(table, _("Edit …"), "Return", self.edit)
        add_row_action(table, _("Remove test run"), QKeySequence.StandardKey.Delete, self.remove)
        return table
