"""What has changed since the catalogue an opened consultation records: figures, prices, and the recommendation."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QDialog, QHBoxLayout, QScrollArea, QWidget

from catalog.config_model import model_from_file
from catalog.consultation.scenario import to_scenario
from catalog.diff import Change, about, diff
from catalog.recompute import older_catalog, used_ids
from engine.errors import PassformError
from engine.plan.recommend import recommend
from engine.progress import Progress
from gui.catalogue.diff_view import DiffView
from gui.catalogue.effect import EffectRow, Tried, effect_rows
from gui.catalogue.effect_table import EffectTable
from gui.context import Context
from gui.tasks import Runner
from gui.theme import STEP
from gui.widgets import button, column, foot, label

SIZE = (1000, 680)


@dataclass(frozen=True, slots=True)
class Since:
    """What a comparison found. `rows` None: the older recommendation cannot be made, `why` says why."""

    changes: tuple[Change, ...]
    used: frozenset[str]
    rows: tuple[EffectRow, ...] | None
    why: PassformError | None = None


class SinceDialog(QDialog):
    """Recommendation then and now, and the differences of the facts; taking over records the version in use."""

    taken_over = Signal()

    def __init__(self, context: Context, folder: Path, today: date, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context, self._folder, self._today = context, folder, today
        self._found: Since | None = None
        texts = context.texts
        _ = texts.gettext
        then, now = self._versions()
        self.setWindowTitle(_("Changed since the recorded catalogue"))
        self.resize(*SIZE)
        body = column(self, margin=5 * STEP, spacing=3 * STEP)
        body.addWidget(label(_("From the catalogue of {then} to that of {now}").format(then=then, now=now), "title"))
        body.addWidget(label(_("Recommendation"), "section"))
        self.state = label(_("Calculating …"), "muted", wrap=True)
        body.addWidget(self.state)
        self.effect = EffectTable()
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setAccessibleName(_("The recommendation then and now"))
        holder = QWidget()
        inner = column(holder)
        inner.addWidget(self.effect)
        inner.addStretch(1)
        self.area.setWidget(holder)
        self.area.hide()
        body.addWidget(self.area, 1)
        line = QHBoxLayout()
        self.facts_title = label(_("Facts and prices"), "section")
        line.addWidget(self.facts_title)
        line.addStretch(1)
        self.every = QCheckBox(_("Also what this consultation does not use"))
        self.every.clicked.connect(self._show_changes)
        line.addWidget(self.every)
        body.addLayout(line)
        self.diff = DiffView(context)
        body.addWidget(self.diff, 1)
        body.addStretch(0)
        body.addLayout(self._foot())
        self._runner = Runner(self)
        self._runner.finished.connect(self._on_found)
        self._runner.failed.connect(self._on_failed)
        self._runner.crashed.connect(context.planner.crashed)
        self.finished.connect(self._stop)
        self._start()

    @property
    def busy(self) -> bool:
        """Whether the older recommendation is being made."""
        return self._runner.busy

    def _versions(self) -> tuple[str, str]:
        texts = self._context.texts
        then = self._context.document.consultation.catalogue
        return texts.recorded_date(then), texts.recorded_date(self._context.catalog.version)

    def _foot(self) -> QHBoxLayout:
        _ = self._context.texts.gettext
        self.close_button = button(_("Close"))
        self.close_button.clicked.connect(self.reject)
        self.take_button = button(_("Take over"), "primary")
        self.take_button.clicked.connect(self._take_over)
        return foot(self.close_button, self.take_button)

    def _start(self) -> None:
        context, folder, today = self._context, self._folder, self._today
        document, place = context.document.consultation, context.document.folder
        current, shown, texts = context.catalog, context.planner.recommendation, context.texts

        def job(progress: Progress) -> Since:
            older = older_catalog(document.catalogue, folder)
            if older is None:
                version = texts.recorded_date(document.catalogue)
                raise PassformError("The catalogue of {version} is not kept here any more.", version=version)
            changes = diff(older, current)
            if not document.workloads and not document.serving:
                return Since(changes, frozenset(), ())
            try:
                scenario = to_scenario(document, older.facts, today, model_from_file, place)
                before = recommend(scenario, older.facts, progress)
            except PassformError as error:  # for example a model the older catalogue did not have
                return Since(changes, used_ids(shown), None, error)
            rows = effect_rows(Tried(older, before), Tried(current, shown), texts)
            return Since(changes, used_ids(before, shown), tuple(row for row in rows if row.differs))

        self._runner.start(job)

    @Slot(object)
    def _on_found(self, found: Since) -> None:
        _ = self._context.texts.gettext
        self._found = found
        if found.rows is None:
            why = "" if found.why is None else self._context.texts.error(found.why)
            self.state.setText(_("The recommendation of then cannot be made again: {why}").format(why=why))
        elif found.rows:
            self.state.setText(_("The recommendation differs:"))
            self.effect.show_rows(found.rows, _("then"), _("now"))
            self.area.show()
        else:
            self.state.setText(_("The recommendation stays as it is, with the same price."))
        self._show_changes()

    @Slot()
    def _show_changes(self) -> None:
        found = self._found
        if found is None:
            return
        everything = self.every.isChecked() or not found.used
        self.diff.show_changes(found.changes if everything else about(found.changes, found.used))

    @Slot(object)
    def _on_failed(self, error: PassformError) -> None:
        self.state.setText(self._context.texts.error(error))
        self.facts_title.hide()
        self.every.hide()
        self.diff.hide()

    @Slot()
    def _take_over(self) -> None:
        self.taken_over.emit()
        self.accept()

    @Slot()
    def _stop(self) -> None:
        self._runner.close()
