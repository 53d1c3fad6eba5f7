"""A reseller's price list, from file to own prices: columns, matches and rows are seen before anything is applied."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import Slot
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QProgressBar, QTableView, QWidget

from catalog.prices_import.apply import apply, remembered
from catalog.prices_import.cells import Sheet
from catalog.prices_import.columns import Mapped
from catalog.prices_import.files import read_file
from catalog.prices_import.preview import Preview, Row, Status, Vat, preview
from catalog.prices_import.words import remark_words
from catalog.trial import Change
from engine.errors import CancelledError, PassformError
from engine.progress import Progress
from gui.catalogue.desk import Desk
from gui.catalogue.dialog import ChangeDialog
from gui.catalogue.import_columns import ColumnsPanel, first_columns
from gui.catalogue.import_model import TO_SEE, ImportModel
from gui.column_table import dress_table, set_widths
from gui.tasks import Runner
from gui.theme import STEP
from gui.widgets import Choice, button, label, set_role

SIZE = (1220, 760)
ROW_HEIGHT = 28
ALL, SEE, READY = "all", "see", "ready"
MATCH_WIDTH = 300
Read = tuple[Sheet, Mapped, Preview | PassformError]


class ImportDialog(ChangeDialog):
    """Reads in the background with progress and cancel; nothing is changed until "Apply"."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        _ = desk.context.texts.gettext
        super().__init__(desk, _("Import a price list"), parent)
        self.resize(*SIZE)
        self.setAcceptDrops(True)
        self._path: Path | None = None
        self._sheet_title = ""  # of the workbook; empty: the one that is most of a price list
        self._sheet: Sheet | None = None
        self._preview: Preview | None = None
        self._applied = False
        self.save.setText(_("Apply"))
        self.save.setEnabled(False)
        self.cancel.setText(_("Close"))
        self.effect.say(_("Choose a list to see what its prices change."))
        self.body.addLayout(self._head())
        self.columns = ColumnsPanel(desk.context)
        self.columns.changed.connect(self._read)
        self.columns.sheet_wanted.connect(self._take_sheet)
        self.body.addWidget(self.columns)
        self.body.addLayout(self._row_head())
        self.body.addWidget(self._row_table(), 1)
        self.body.addLayout(self._match_line())
        self._runner = Runner(self)
        self._runner.progressed.connect(self._on_progress)
        self._runner.finished.connect(self._on_read)
        self._runner.failed.connect(self._on_failed)
        self._runner.crashed.connect(desk.context.planner.crashed)
        self._runner.idle.connect(self._on_idle)
        self.finished.connect(self._stop)
        self._show()

    @property
    def busy(self) -> bool:
        """Whether a list is being read, or its effect tried."""
        return self._runner.busy or super().busy

    @property
    def preview(self) -> Preview | None:
        """The list as it was understood."""
        return self._preview

    def take(self, path: Path) -> None:
        """Read a list."""
        self._path = path
        self._take_sheet("")

    def change(self) -> Change | None:
        """Taking over the rows that are ready."""
        found = self._preview
        if found is None or not found.ready or found.vat is Vat.UNSTATED:
            return None
        return partial(_applied, found)

    def confirm(self, line: int, item_id: str | None) -> None:
        """The user's word on one row: the entry that is meant, or None to leave the row out."""
        if self._preview is not None:
            self._preview = self._preview.with_choice(line, item_id)
            self._show(keep=line)
            self.edited()

    @Slot()
    def store(self) -> None:
        """Apply the ready rows; the dialog stays open and says what was done."""
        texts = self.desk.context.texts
        found = self._preview
        if found is None or self._runner.busy:
            return
        try:
            done = apply(found, self.desk.folder)
            self.desk.reload()
        except PassformError as error:
            self.complain(texts.error(error))
            return
        self.complain("")
        self._applied = True
        self._say(
            texts.gettext("{prices} prices taken over, {replaced} older ones kept as history.").format(
                prices=done.prices, replaced=done.replaced
            )
        )
        self.save.setEnabled(False)
        self.undo_button.setEnabled(True)

    @Slot()
    def take_back(self) -> None:
        """Take the last change of the own entries back."""
        texts = self.desk.context.texts
        try:
            restored = self.desk.undo()
        except PassformError as error:
            self.complain(texts.error(error))
            return
        self._applied = False
        self._say(
            texts.gettext("Taken back: {files}").format(files=", ".join(restored))
            if restored
            else texts.gettext("There is nothing to take back.")
        )
        self.undo_button.setEnabled(False)
        self.save.setEnabled(self.change() is not None)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802  # Qt's name
        """Accept one file."""
        urls = event.mimeData().urls()
        if len(urls) == 1 and urls[0].isLocalFile():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802  # Qt's name
        """Read what was dropped."""
        event.acceptProposedAction()
        self.take(Path(event.mimeData().urls()[0].toLocalFile()))

    def _head(self) -> QHBoxLayout:
        _ = self.desk.context.texts.gettext
        line = QHBoxLayout()
        line.setSpacing(2 * STEP)
        self.choose = button(_("Choose price list …"))
        self.choose.clicked.connect(self._ask)
        self.state = label(
            _("CSV, Excel or YAML, as resellers send them. You can also drag the file here."), "muted", wrap=True
        )
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(120)
        self.bar.setAccessibleName(_("Progress of reading"))
        self.stop_button = button(_("Stop reading"))
        self.stop_button.clicked.connect(self._cancel_reading)
        for widget in (self.bar, self.stop_button):
            widget.hide()
        line.addWidget(self.choose)
        line.addWidget(self.state, 1)
        line.addWidget(self.bar)
        line.addWidget(self.stop_button)
        return line

    def _row_head(self) -> QHBoxLayout:
        _ = self.desk.context.texts.gettext
        line = QHBoxLayout()
        line.setSpacing(2 * STEP)
        self.summary = label("", "section", wrap=True)
        self.shown = Choice()
        self.shown.setAccessibleName(_("Rows to show"))
        self.shown.offer(((ALL, _("all rows")), (SEE, _("rows to look at")), (READY, _("ready rows"))))
        self.shown.show_value(ALL)
        self.shown.chosen.connect(self._show)
        line.addWidget(self.summary, 1)
        line.addWidget(self.shown)
        return line

    def _row_table(self) -> QTableView:
        self.model = ImportModel(self.desk.context, self)
        self.table = QTableView()
        self.table.setModel(self.model)
        dress_table(self.table, self.desk.context.texts.gettext("Rows of the price list"), ROW_HEIGHT)
        set_widths(self.table, [one.width for one in self.model.columns])
        self.table.setAlternatingRowColors(True)
        self.table.selectionModel().selectionChanged.connect(self._on_selection)
        return self.table

    def _match_line(self) -> QHBoxLayout:
        _ = self.desk.context.texts.gettext
        line = QHBoxLayout()
        line.setSpacing(2 * STEP)
        self.meant = Choice()
        self.meant.setAccessibleName(_("Entry that is meant"))
        self.meant.setMinimumWidth(MATCH_WIDTH)
        self.confirm_button = button(_("Confirm"))
        self.confirm_button.clicked.connect(self._confirm)
        self.leave_button = button(_("Leave out"))
        self.leave_button.clicked.connect(self._leave_out)
        self.undo_button = button(_("Take back"))
        self.undo_button.clicked.connect(self.take_back)
        self.undo_button.setEnabled(False)
        line.addWidget(label(_("Chosen row means"), "muted"))
        line.addWidget(self.meant)
        line.addWidget(self.confirm_button)
        line.addWidget(self.leave_button)
        line.addStretch(1)
        line.addWidget(self.undo_button)
        return line

    @Slot()
    def _ask(self) -> None:
        _ = self.desk.context.texts.gettext
        kinds = _("Price lists (*.csv *.txt *.tsv *.xlsx *.xlsm *.yaml *.yml);;All files (*)")
        name, _kind = QFileDialog.getOpenFileName(self, _("Choose price list"), "", kinds)
        if name:
            self.take(Path(name))

    @Slot(str)
    def _take_sheet(self, title: str) -> None:
        """Read the list anew, another sheet of it when one is named; nothing of the one before can be applied."""
        self._sheet_title, self._sheet, self._preview, self._applied = title, None, None, False
        self.columns.reset()
        self._show()
        self._read()

    @Slot()
    def _read(self) -> None:
        if self._path is None:
            return
        path, title, known, facts = self._path, self._sheet_title, self._sheet, self.desk.catalog.facts
        settings, today = self.columns.settings, self.desk.today
        names = remembered(self.desk.folder)

        def job(progress: Progress) -> Read:
            sheet = known or read_file(path, title)
            columns = settings.columns or first_columns(sheet)
            wanted = replace(settings, columns=columns)
            try:
                return sheet, columns, preview(sheet, path.name, facts, today, wanted, names, progress)
            except CancelledError:
                raise
            except PassformError as error:  # the columns are not all known yet: the user can say which they are
                return sheet, columns, error

        self._say(self.desk.context.texts.gettext("Reading {file} …").format(file=path.name))
        self.bar.setRange(0, 0)
        self.bar.show()
        self.stop_button.show()
        self.save.setEnabled(False)
        self._runner.start(job)

    @Slot(object, object)
    def _on_progress(self, done: int, total: int) -> None:
        self.bar.setRange(0, int(total))
        self.bar.setValue(int(done))

    @Slot()
    def _on_idle(self) -> None:
        self.bar.hide()
        self.stop_button.hide()

    @Slot()
    def _cancel_reading(self) -> None:
        self._runner.cancel()
        self._preview = None
        self._show()
        self._say(self.desk.context.texts.gettext("Stopped; nothing was changed."))

    @Slot(object)
    def _on_read(self, read: Read) -> None:
        texts = self.desk.context.texts
        self._sheet, columns, outcome = read
        self.complain("")
        found = None if isinstance(outcome, PassformError) else outcome
        self._preview = found
        self.columns.show_sheet(self._sheet, columns, found)
        if isinstance(outcome, PassformError):
            self._say(texts.gettext("Please say which column holds what."), "hint")
        else:
            remarks = remark_words(outcome, texts.tr)
            self._say(" · ".join([outcome.file, self._sheet.name, *self._sheet.notes, *remarks]))
        self._show()
        self.attempt()

    @Slot(object)
    def _on_failed(self, error: PassformError) -> None:
        self._preview = None
        self._say(self.desk.context.texts.error(error), "error")
        self._show()

    def _say(self, text: str, role: str = "muted") -> None:
        set_role(self.state, role)
        self.state.setText(text)

    @Slot()
    def _show(self, _value: str = "", *, keep: int = 0) -> None:
        wanted = {SEE: TO_SEE, READY: {Status.READY}}.get(str(self.shown.currentData()), set(Status))
        self.model.show_preview(self._preview, wanted)
        self.summary.setText(self._counted())
        self.save.setEnabled(self.change() is not None and not self._applied)
        found = self._preview
        if found is not None and found.vat is Vat.UNSTATED:
            self.complain(
                self.desk.context.texts.gettext("The list does not say whether its prices include VAT; please choose.")
            )
        place = next((number for number, row in enumerate(self.model.rows) if row.line == keep), -1)
        if place >= 0:
            self.table.selectRow(place)
        self._on_selection()

    def _counted(self) -> str:
        found, texts = self._preview, self.desk.context.texts
        if found is None:
            return texts.gettext("Rows")
        every = found.count(*(status for status in Status if status is not Status.BLANK))
        ready, confirm = found.count(Status.READY), found.count(Status.CONFIRM)
        return texts.gettext("{rows} rows, {ready} ready, {confirm} to confirm, {rest} reported.").format(
            rows=texts.integer(every), ready=ready, confirm=confirm, rest=every - ready - confirm
        )

    def _selected(self) -> list[Row]:
        places = sorted({index.row() for index in self.table.selectionModel().selectedRows()})
        return [self.model.rows[place] for place in places if place < len(self.model.rows)]

    @Slot()
    def _on_selection(self, *_changed: object) -> None:
        rows = self._selected()
        self.meant.setEnabled(len(rows) == 1)
        self.meant.offer(self._candidates(rows[0]) if len(rows) == 1 else ())
        if len(rows) == 1 and rows[0].item_id:
            self.meant.show_value(rows[0].item_id)
        proposals = [row for row in rows if row.item_id]
        self.confirm_button.setEnabled(bool(proposals) or len(rows) == 1)
        self.leave_button.setEnabled(bool(rows))

    def _candidates(self, row: Row) -> Iterable[tuple[str, str]]:
        texts, facts = self.desk.context.texts, self.desk.catalog.facts
        near = [] if row.match is None else [row.match.item_id, *row.match.others]
        every = sorted(
            {*facts.cards, *facts.systems, *facts.items} - set(near), key=lambda key: texts.name(key).casefold()
        )
        return [(key, texts.name(key)) for key in (*near, *every)]

    @Slot()
    def _confirm(self) -> None:
        rows = self._selected()
        if len(rows) == 1:
            item = self.meant.currentData()
            if item:
                self.confirm(rows[0].line, str(item))
            return
        for row in rows:
            if row.item_id:
                self.confirm(row.line, row.item_id)

    @Slot()
    def _leave_out(self) -> None:
        for row in self._selected():
            self.confirm(row.line, None)

    @Slot()
    def _stop(self) -> None:
        self._runner.close()


def _applied(found: Preview, folder: Path) -> None:
    apply(found, folder)
