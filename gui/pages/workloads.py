"""The first page: what is to be trained and to be served. The search, two tables, the selected row's details."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFileDialog,
    QHBoxLayout,
    QWidget,
)

from catalog.config_model import model_from_file
from catalog.consultation.config_paths import keep_config
from engine.errors import PassformError
from engine.models import ModelSpec
from gui.context import Context
from gui.draft import moved_row, row_for, with_row, with_rows, without_rows
from gui.model_picker import ModelPicker
from gui.pages.details import Details
from gui.pages.method_delegate import MethodDelegate
from gui.pages.page import Page
from gui.pages.row_actions import row_actions, select_whole_row, selected_row, selected_rows
from gui.pages.rows_table import RowsTable
from gui.pages.samples import Samples
from gui.pages.search_row import SERVE, SearchRow
from gui.pages.serving_details import ServingDetails
from gui.pages.serving_section import ServingSection
from gui.pages.start import Begun
from gui.pages.workload_table import WorkloadTable
from gui.serving_draft import serving_row_for
from gui.theme import STEP
from gui.widgets import Panel, label

ROW_HEIGHT = 36
SHOWN_ROWS = 6


class WorkloadsPage(Page):
    """Edits the rows of the document."""

    row_selected = Signal(int)
    sample_wanted = Signal(object)  # Path

    def __init__(self, context: Context) -> None:
        _ = context.texts.gettext
        super().__init__(context, _("Workloads"))
        self.body.addWidget(label(_("Which models does the customer want to train or to serve?"), "title", wrap=True))
        self.body.addLayout(self._search_row())
        self.error = label("", "error", wrap=True)
        self.error.hide()
        self.body.addWidget(self.error)
        self.samples = Samples(context.look)
        self.samples.chosen.connect(self.sample_wanted)
        self.body.addWidget(self.samples)
        self._panel = Panel(margin=2 * STEP)
        self.table = self._build_table()
        self._panel.body.addLayout(self._tools())
        self._panel.body.addWidget(self.table)
        self.body.addWidget(self._panel)
        self.serving = ServingSection(context)
        self.serving.row_selected.connect(self._on_served_row)
        self.serving.edit_wanted.connect(self._on_edit_served)
        self.serving.refused.connect(self._show_error)
        self.body.addWidget(self.serving)
        self._serves = False  # the row whose details are shown is a served one
        self._announced = 0
        self._details_panel = Panel()
        self.details_title = label("", "section", wrap=True)
        self.details = Details(context, self)
        self.serving_details = ServingDetails(context, self)
        for widget in (self.details_title, self.details, self.serving_details):
            self._details_panel.body.addWidget(widget)
        self.body.addWidget(self._details_panel)
        self.body.addStretch(1)
        context.planner.changed.connect(self._on_planner)
        context.document.replaced.connect(self._forget_error)
        self.refresh()

    def close_views(self) -> None:
        """Stop following the planner."""
        self.context.planner.changed.disconnect(self._on_planner)

    def initial_focus(self) -> QWidget:
        """The search, where everything begins."""
        return self.picker

    def refresh(self) -> None:
        """Show the rows; the selection stays where it was."""
        document = self.context.document.consultation
        selected = self.current_row()
        self.model.refresh(document)
        trains, serves = bool(document.workloads), bool(document.serving)
        self._serves = serves and (self._serves or not trains)
        self.samples.setVisible(not trains and not serves)
        self._panel.setVisible(trains)
        self._details_panel.setVisible(trains or serves)
        self.serving.refresh(document)
        if self._serves:
            self.serving.select_row(min(max(self.serving.current_row(), 0), len(document.serving) - 1))
            self._show_served()
        elif trains:
            self.select_row(min(max(selected, 0), len(document.workloads) - 1))
            self._show_details()
        self._announce()
        self.table.fit()

    def current_row(self) -> int:
        """The selected row, -1 when there is none."""
        return selected_row(self.table)

    def select_row(self, row: int) -> None:
        """Select a row as a whole."""
        if row != self.current_row() or not self.table.selectionModel().hasSelection():
            select_whole_row(self.table, row)

    @Slot(int)
    def select_task(self, number: int) -> None:
        """Select a row by its number among all tasks; what is served is counted after what is trained."""
        document = self.context.document.consultation
        served = number - len(document.workloads)
        if served < 0:
            self.select_row(number)
        elif served < len(document.serving):  # the results may still be of a document with more rows
            self.serving.select_row(served)

    def add_config(self, path: Path) -> None:
        """Add a row for a `config.json`. A file that cannot be read is named beneath the search."""
        try:
            model = model_from_file(path)
            place = _place_of(path, self.context.document.folder)
        except PassformError as error:
            self._show_error(self.context.texts.error(error))
            return
        self._add(model, place)

    def _search_row(self) -> SearchRow:
        self.picker = ModelPicker(self.context)
        self.picker.picked.connect(self._on_picked)
        line = SearchRow(self.context.look, self.picker)
        self.purpose = line.purpose
        line.config.clicked.connect(self.ask_for_config)
        return line

    def resume(self, begun: Begun) -> None:
        """Go on with what was begun on the start page."""
        self.purpose.show_value(begun.purpose)
        self.picker.resume(begun.text, begun.cursor)

    def _build_table(self) -> RowsTable:
        table = RowsTable(self.context.texts.gettext("Workloads"), ROW_HEIGHT, SHOWN_ROWS)
        self.model = WorkloadTable(self.context, table)
        self.model.refused.connect(self._show_error)
        table.show_model(self.model)
        table.setItemDelegateForColumn(1, MethodDelegate(self.context.texts, table))
        table.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.EditKeyPressed
            | QAbstractItemView.EditTrigger.AnyKeyPressed
        )
        table.selectionModel().currentRowChanged.connect(self._on_row_changed)
        return table

    def _tools(self) -> QHBoxLayout:
        _ = self.context.texts.gettext
        line, self.actions_by_name = row_actions(
            self.table,
            self.context.theme,
            _("Training"),
            (
                ("serve", "serve", _("Serve this model"), "Ctrl+Shift+D", self.serve),
                ("copy", "copy", _("Duplicate workload"), "Ctrl+D", self.duplicate),
                ("up", "up", _("Move up"), "Alt+Up", self.move_up),
                ("down", "down", _("Move down"), "Alt+Down", self.move_down),
                ("remove", "remove", _("Remove workload"), QKeySequence.StandardKey.Delete, self.remove),
            ),
        )
        return line

    @Slot(object)
    def _on_picked(self, model: ModelSpec) -> None:
        self._add(model, None)

    def _add(self, model: ModelSpec, config: str | None) -> None:
        self._show_error("")
        document = self.context.document
        if self.purpose.currentData() == SERVE:
            self.serving.add(serving_row_for(model, config), model.name)
            return
        count = len(document.consultation.workloads)
        text = self.context.texts.gettext("Add {model}").format(model=model.name)
        document.edit(text, with_row(document.consultation, row_for(model, config)))
        self.select_row(count)

    @Slot()
    def ask_for_config(self) -> None:
        """Ask for a model's file and add a row for it."""
        _ = self.context.texts.gettext
        name, _filter = QFileDialog.getOpenFileName(
            self, _("Open a model's config.json"), "", _("Model configuration (*.json)")
        )
        if name:
            self.add_config(Path(name))

    @Slot()
    def serve(self) -> None:
        """Add a served row for the model of the selected workload."""
        rows, row = self.context.document.consultation.workloads, self.current_row()
        model = self.context.planner.model_of(rows[row]) if 0 <= row < len(rows) else None
        if model is not None:
            self.serving.add(serving_row_for(model, rows[row].config), model.name)

    @Slot()
    def duplicate(self) -> None:
        """Insert a copy of the selected row below it."""
        row, document = self.current_row(), self.context.document
        if row >= 0:
            copied = with_rows(document.consultation, [document.consultation.workloads[row]], row + 1)
            document.edit(self.context.texts.gettext("Duplicate workload"), copied)
            self.select_row(row + 1)

    @Slot()
    def remove(self) -> None:
        """Remove the selected rows."""
        rows = selected_rows(self.table)
        if rows:
            document = self.context.document
            document.edit(self.context.texts.gettext("Remove workload"), without_rows(document.consultation, rows))

    @Slot()
    def move_up(self) -> None:
        """Move the selected row up."""
        self._move(-1)

    @Slot()
    def move_down(self) -> None:
        """Move the selected row down."""
        self._move(1)

    def _move(self, step: int) -> None:
        row, document = self.current_row(), self.context.document
        target = row + step
        if row >= 0 and 0 <= target < len(document.consultation.workloads):
            document.edit(self.context.texts.gettext("Move workload"), moved_row(document.consultation, row, target))
            self.select_row(target)

    @Slot(QModelIndex, QModelIndex)
    def _on_row_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        self.context.document.settle()
        if current.isValid():
            self._serves = False
            self.serving.select_none()
            self._show_details()
            self._announce()

    @Slot(int)
    def _on_served_row(self, _row: int) -> None:
        self._serves = True
        self.table.selectionModel().clear()
        self._show_served()
        self._announce()

    def _announce(self) -> None:
        """Tell which row is selected; what is served is counted after what is trained."""
        trained = len(self.context.document.consultation.workloads)
        row = trained + self.serving.current_row() if self._serves else self.current_row()
        if row >= 0 and row != self._announced:
            self._announced = row
            self.row_selected.emit(row)

    @Slot()
    def _on_edit_served(self) -> None:
        self.serving_details.name.setFocus(Qt.FocusReason.OtherFocusReason)
        self.ensureWidgetVisible(self.serving_details.name)

    def _show_served(self) -> None:
        row, rows = self.serving.current_row(), self.context.document.consultation.serving
        if 0 <= row < len(rows):
            self._title(self.context.planner.model_of(rows[row]), rows[row].config or rows[row].model or "")
            self.details.hide()
            self.serving_details.show()
            self.serving_details.show_row(row)

    def _show_details(self) -> None:
        row = self.current_row()
        rows = self.context.document.consultation.workloads
        if not 0 <= row < len(rows):
            return
        self._title(self.context.planner.model_of(rows[row]), rows[row].config or rows[row].model or "")
        self.serving_details.hide()
        self.details.show()
        self.details.show_row(row)

    def _title(self, model: ModelSpec | None, otherwise: str) -> None:
        texts = self.context.texts
        if model is None:
            self.details_title.setText(otherwise)
        else:
            parts = [model.name, texts.gettext("{count} parameters").format(count=texts.parameters(model.parameters))]
            if model.licence:
                parts.append(model.licence)
            self.details_title.setText(" · ".join(parts))

    @Slot()
    def _on_planner(self) -> None:
        self.model.refresh_verdicts()
        self.serving.model.refresh_verdicts()

    @Slot()
    def _forget_error(self) -> None:
        self._show_error("")

    @Slot(str)
    def _show_error(self, text: str) -> None:
        self.error.setText(text)
        self.error.setVisible(bool(text))


def _place_of(path: Path, folder: Path) -> str:
    """The path as it is stored: inside the consultation's folder a relative one, so that the folder can be moved;
    from anywhere else the file is copied into the user's folder, since a consultation reads nothing outside."""
    if folder.parts and path.resolve().is_relative_to(folder.resolve()):
        return path.resolve().relative_to(folder.resolve()).as_posix()
    return str(keep_config(path))
