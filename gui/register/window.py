"""The register: every issued document, found, opened, exported, answered, followed up, erased."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from PySide6.QtCore import QModelIndex, QStandardPaths, Qt, QTimer, QUrl, Signal, Slot
from PySide6.QtGui import QCloseEvent, QDesktopServices, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLineEdit,
    QMessageBox,
    QTableView,
    QWidget,
)

from catalog.disk import write_atomically
from catalog.register.comparing import Difference, compare
from catalog.register.register import Register
from catalog.register.types import Entry, Event, Search, State
from catalog.register.words import state_word
from catalog.seller import load_seller
from engine.errors import PassformError
from engine.progress import Progress
from gui.ask_file import ask_where
from gui.column_table import dress_table, set_widths
from gui.context import Context
from gui.register.actions import Actions
from gui.register.names import file_name
from gui.register.revisions import Revisions
from gui.register.table_model import EntryModel, customer_of
from gui.register.work import opened
from gui.tasks import Runner
from gui.theme import STEP
from gui.widgets import Choice, Panel, button, column, label, set_role

SIZE = (1240, 760)
SMALLEST = (1180, 680)
ROW_HEIGHT = 28
QUIET_MS = 250
ALL = ""
LIMIT = 500
FOUND = tuple(state for state in State if state is not State.SUPERSEDED)  # the latest revision never is

Found = tuple[tuple[Entry, ...], dict[str, tuple[Event, ...]]]
Change = Callable[[Register], str]  # answers what it did


@dataclass(frozen=True, slots=True)
class Done:
    """What was done off the GUI thread: a change, with what takes it back, or something read, with what comes next."""

    text: str
    changed: bool = True
    undo: Change | None = None
    then: Callable[[], object] | None = None


class RegisterWindow(QWidget):
    """Not modal; reads and writes off the GUI thread."""

    closed = Signal()

    def __init__(self, context: Context, today: date) -> None:
        super().__init__()
        self.context = context
        self._today = today
        self._undo: Change | None = None
        self._waiting: list[Callable[[Register], Done]] = []  # what is done when the work before it has ended
        self._histories: dict[str, tuple[Event, ...]] = {}
        _ = context.texts.gettext
        self.setWindowTitle(_("Register of documents"))
        self.resize(*SIZE)
        self.setMinimumSize(*SMALLEST)
        outer = column(self, margin=4 * STEP, spacing=3 * STEP)
        outer.addLayout(self._filters())
        self.model = EntryModel(context, today, self)
        self.table = self._table()
        outer.addWidget(self.table, 1)
        self.state = label("", "muted", wrap=True)
        outer.addWidget(self.state)
        panel = Panel()
        self.details = label("", "small", wrap=True)
        self.controls = Actions(context, today)
        self.revisions = Revisions(context)
        panel.body.addWidget(self.details)
        panel.body.addWidget(self.revisions)
        panel.body.addWidget(self.controls)
        outer.addWidget(panel)
        self._connect()
        self._reader, self._writer = self._runner(self._on_found), self._runner(self._on_done)
        self._comparer = self._runner(self.revisions.show_difference)
        self._writer.idle.connect(self._go_on)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(QUIET_MS)
        self._timer.timeout.connect(self.reload)
        QShortcut(QKeySequence(Qt.Key.Key_Escape), self).activated.connect(self.close)
        self.reload()

    @property
    def busy(self) -> bool:
        """Whether the register is being read or written, or about to be."""
        return self._timer.isActive() or self._reader.busy or self._writer.busy or self._comparer.busy

    @property
    def chosen(self) -> Entry | None:
        """The document of the selected row."""
        row = self.table.currentIndex().row()
        return self.model.rows[row] if 0 <= row < len(self.model.rows) else None

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802  # Qt's name
        """End the background work."""
        super().closeEvent(event)
        self._timer.stop()
        for runner in (self._reader, self._writer, self._comparer):
            runner.close()
        self.closed.emit()

    @Slot()
    def reload(self) -> None:
        """Read what the search finds."""
        state = str(self.which.currentData() or ALL)
        search = Search(
            text=self.search.text(),
            states=frozenset({State(state)}) if state else frozenset(),
            follow_up_by=self._today if self.due.isChecked() else None,
            limit=LIMIT,
        )
        today = self._today

        def job(_progress: Progress) -> Found:
            with opened() as register:
                found = register.entries(search, today)
                return found, {entry.number: register.history(entry.number) for entry in found}

        self._reader.start(job)

    def _filters(self) -> QHBoxLayout:
        _ = self.context.texts.gettext
        line = QHBoxLayout()
        line.setSpacing(3 * STEP)
        self.search = QLineEdit()
        self.search.setPlaceholderText(_("Number, customer, reference or subject"))
        self.search.setAccessibleName(_("Search the register"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._search_soon)
        self.which = Choice()
        self.which.setAccessibleName(_("State"))
        self.which.setMinimumWidth(200)
        words = ((state.value, state_word(state, self.context.texts.tr)) for state in FOUND)
        self.which.offer([(ALL, _("every state")), *words])
        self.which.show_value(ALL)
        self.which.chosen.connect(self.reload)
        self.due = QCheckBox(_("only with a follow-up that is due"))
        self.due.toggled.connect(self.reload)
        line.addWidget(self.search, 1)
        line.addWidget(self.which)
        line.addWidget(self.due)
        self.undo_button = button(_("Take back"))
        self.undo_button.setToolTip(_("Takes the last change of this window back"))
        self.undo_button.setEnabled(False)
        self.undo_button.clicked.connect(self.undo)
        line.addWidget(self.undo_button)
        return line

    def _table(self) -> QTableView:
        table = QTableView()
        table.setModel(self.model)
        dress_table(table, self.context.texts.gettext("Register of documents"), ROW_HEIGHT)
        set_widths(table, [one.width for one in self.model.columns])
        table.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        table.setEditTriggers(QTableView.EditTrigger.NoEditTriggers)
        table.selectionModel().currentRowChanged.connect(self._on_row)
        table.doubleClicked.connect(self.open_pdf)
        return table

    def _connect(self) -> None:
        controls = self.controls
        self.revisions.compare_wanted.connect(self.compare)
        self.revisions.open_wanted.connect(self.open_pdf)
        controls.open_wanted.connect(self.open_pdf)
        controls.export_wanted.connect(self.ask_and_export)
        controls.state_wanted.connect(self.set_state)
        controls.follow_up_wanted.connect(self.set_follow_up)
        controls.erase_wanted.connect(self.ask_and_erase)
        controls.refused.connect(lambda text: self._say(text, "error"))

    def _runner(
        self, finished: Callable[[Found], None] | Callable[[Done], None] | Callable[[Difference], None]
    ) -> Runner:
        made = Runner(self)
        made.finished.connect(finished)
        made.failed.connect(self._on_failed)
        made.crashed.connect(self.context.planner.crashed)
        return made

    @Slot()
    def _search_soon(self) -> None:
        self._timer.start()

    @Slot(object)
    def _on_found(self, found: Found) -> None:
        before = self.chosen.number if self.chosen else ""
        entries, self._histories = found
        self.model.show_rows(entries)
        place = next((place for place, entry in enumerate(entries) if entry.number == before), 0)
        if entries:
            self.table.selectRow(place)
        self._on_row(QModelIndex(), QModelIndex())
        if not entries:
            self._say(self.context.texts.gettext("The register holds no such document."), "muted")
        elif self.state.property("empty"):
            self._say("", "muted")
        self.state.setProperty("empty", not entries)

    @Slot(QModelIndex, QModelIndex)
    def _on_row(self, _now: QModelIndex, _before: QModelIndex) -> None:
        entry = self.chosen
        self.controls.show_entry(entry)
        self.revisions.show_entry(entry)
        self.details.setText("" if entry is None else self._about(entry))

    def _about(self, entry: Entry) -> str:
        texts = self.context.texts
        parts = (customer_of(entry, self.context), entry.contact, entry.reference, entry.subject, entry.remark)
        lines = [" · ".join(part for part in parts if part)]
        for event in self._histories.get(entry.number, ()):
            revision = texts.gettext("Rev. {revision}").format(revision=event.revision)
            author = f" ({event.author})" if event.author else ""
            lines.append(f"{texts.day(event.on)}: {revision} {state_word(event.what, texts.tr)}{author}")
        return "\n".join(lines[:1] + lines[-4:] if len(lines) > 5 else lines)

    def write(self, change: Change, undo: Change | None = None) -> None:
        """Make a change; `undo` would take it back."""
        self._run(lambda register: Done(change(register), undo=undo))

    def _run(self, work: Callable[[Register], Done]) -> None:
        """Work with the register off the GUI thread, one thing after the other."""
        self._waiting.append(work)
        self._go_on()

    @Slot()
    def _go_on(self) -> None:
        if self._writer.busy or not self._waiting:
            return
        work = self._waiting.pop(0)

        def job(_progress: Progress) -> Done:
            with opened() as register:
                return work(register)

        self._writer.start(job)

    @Slot()
    def undo(self) -> None:
        """Take the last change back."""
        if self._undo is not None:
            self.write(self._undo)

    @Slot(object)
    def _on_done(self, done: Done) -> None:
        self._say(done.text, "muted")
        if done.changed:
            self._undo = done.undo
            self.undo_button.setEnabled(self._undo is not None)
            self.reload()
        if done.then is not None:
            done.then()

    @Slot(object)
    def _on_failed(self, error: PassformError) -> None:
        self._say(self.context.texts.error(error), "error")

    def _say(self, text: str, role: str) -> None:
        set_role(self.state, role)
        self.state.setText(text)

    @Slot(int, int)
    def compare(self, earlier: int, later: int) -> None:
        """Read what changed between two revisions of the chosen document."""
        entry = self.chosen
        if entry is None:
            return
        old, new = (next(one for one in entry.revisions if one.revision == number) for number in (earlier, later))

        def job(_progress: Progress) -> Difference:
            if entry.erased_on is not None:
                return compare(old, new)
            with opened() as register:
                quotes = [register.quote_data(entry.number, revision) for revision in (earlier, later)]
            return compare(old, new, *quotes)

        self._comparer.start(job)

    @Slot()
    def open_pdf(self) -> None:
        """Hand the stored PDF of the chosen revision to the system's viewer."""
        entry = self.chosen
        if entry is not None:
            folder = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.TempLocation))
            path = folder / file_name(entry.number, self._revision(entry))
            self.export(entry, path, lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))))

    @Slot()
    def ask_and_export(self) -> None:
        """Ask for a file and write the stored PDF of the chosen revision, or its data."""
        _ = self.context.texts.gettext
        entry = self.chosen
        if entry is None:
            return
        start = self.context.document.folder / file_name(entry.number, self._revision(entry))
        kinds = ";;".join((_("PDF document (*.pdf)"), _("The quote as data (*.json)"), _("Consultation (*.yaml)")))
        path = ask_where(self, _("Export the document"), start, kinds, self.context.texts)
        if path is not None:
            self.export(entry, path)

    def export(self, entry: Entry, path: Path, then: Callable[[], object] | None = None) -> None:
        """Write what the file's ending asks for of the chosen revision, as it was stored."""
        revision = self._revision(entry)
        written = self.context.texts.gettext("Written: {file}").format(file=path)

        def work(register: Register) -> Done:
            match path.suffix.lower():
                case ".json":
                    content = register.quote_data(entry.number, revision).encode()
                case ".yaml" | ".yml":
                    content = register.consultation(entry.number, revision).encode()
                case _:
                    content = register.pdf(entry.number, revision)
            write_atomically(content, path)
            return Done(written, changed=False, then=then)

        self._run(work)

    def _revision(self, entry: Entry) -> int:
        chosen = self.revisions.chosen
        return entry.latest.revision if chosen is None else chosen.revision

    @Slot(object, object)
    def set_state(self, state: State, day: date) -> None:
        """Record what became of the chosen document on a day."""
        entry, texts = self.chosen, self.context.texts
        if entry is None:
            return

        def to(wanted: State) -> Change:
            def change(register: Register) -> str:
                register.set_state(entry.number, wanted, on=day, author=load_seller().contact.name)
                words = texts.gettext("{number} is now: {state}")
                return words.format(number=entry.number, state=state_word(wanted, texts.tr))

            return change

        answered = entry.state is State.SENT and state in (State.ACCEPTED, State.DECLINED)
        self.write(to(state), to(State.SENT) if answered else None)

    @Slot(object, str)
    def set_follow_up(self, day: date | None, remark: str) -> None:
        """When to ask the customer of the chosen document again."""
        entry, texts = self.chosen, self.context.texts
        if entry is None:
            return

        def to(wanted: date | None, about: str) -> Change:
            def change(register: Register) -> str:
                register.set_follow_up(entry.number, wanted, about)
                if wanted is None:
                    return texts.gettext("{number}: no follow-up").format(number=entry.number)
                words = texts.gettext("{number}: follow up on {date}")
                return words.format(number=entry.number, date=texts.day(wanted))

            return change

        self.write(to(day, remark), to(entry.follow_up, entry.remark))

    @Slot()
    def ask_and_erase(self) -> None:
        """Name the documents whose customer data would go, and erase them when the person confirms."""
        entry = self.chosen
        name = "" if entry is None else entry.company or entry.customer_number
        if not name:
            return

        def work(register: Register) -> Done:
            numbers = [one.number for one in register.customers(name)]
            return Done("", changed=False, then=lambda: self._ask(name, numbers))

        self._run(work)

    def _ask(self, name: str, numbers: list[str]) -> None:
        words = self.context.texts.gettext("keep accepted documents, for which a duty to keep records may hold")
        keep = QCheckBox(words)
        if self._confirmed(name, numbers, keep):
            self.erase(name, keep_accepted=keep.isChecked())

    def erase(self, name: str, *, keep_accepted: bool) -> None:
        """Erase the data of a customer; nothing takes that back."""
        texts, today = self.context.texts, self._today

        def change(register: Register) -> str:
            author = load_seller().contact.name
            erased = register.erase_customer(name, today=today, author=author, keep_accepted=keep_accepted)
            text = texts.gettext("{number}: customer data erased")
            lines = [text.format(number=", ".join(erased) or "–")]
            lines.append(texts.gettext("Files saved elsewhere, backups and e-mails are yours to delete."))
            return "\n".join(lines)

        self.write(change)

    def _confirmed(self, name: str, numbers: list[str], keep: QCheckBox) -> bool:
        _ = self.context.texts.gettext
        box = QMessageBox(self)
        box.setIcon(QMessageBox.Icon.Warning)
        box.setWindowTitle(_("Delete customer data"))
        text = _("Delete the customer data and PDFs of {name} for good? Concerned: {numbers}")
        box.setText(text.format(name=name, numbers=", ".join(numbers)))
        box.setInformativeText(_("Numbers, dates, states and sums stay. This cannot be taken back."))
        box.setCheckBox(keep)
        yes = box.addButton(_("Delete for good"), QMessageBox.ButtonRole.DestructiveRole)
        box.setDefaultButton(box.addButton(_("Cancel"), QMessageBox.ButtonRole.RejectRole))
        box.exec()
        confirmed = box.clickedButton() == yes
        box.deleteLater()
        return confirmed
