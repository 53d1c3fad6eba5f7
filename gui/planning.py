"""Keeps the recommendation in step with the document: computes off the GUI thread, latest change wins.

What only a calculation needs is imported by the calculation: an empty consultation is edited without it.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from enum import StrEnum
from pathlib import Path

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal, Slot

from catalog.config_model import model_from_file
from catalog.consultation.document import Consultation, WorkloadRow
from catalog.consultation.serving import ServingRow
from engine.errors import CancelledError, PassformError
from engine.facts import Facts
from engine.models import ModelSpec
from engine.plan.types import Recommendation
from engine.progress import Progress
from engine.wording.translator import mark
from gui.document import Document
from gui.draft import Problem, Severity, problems
from gui.tasks import Runner

PATIENCE_MS = 250  # a job younger than this is let finish: during a gesture its answer is better than none


class PlanState(StrEnum):
    """How the recommendation stands."""

    EMPTY = "empty"  # nothing to compute yet
    WORKING = "working"
    READY = "ready"
    FAILED = "failed"


class Planner(QObject):
    """Owns the latest recommendation and says why there is none."""

    changed = Signal()  # state, recommendation or error
    progressed = Signal(object, object)  # done, total
    crashed = Signal(object)  # an exception that is a defect

    def __init__(
        self, document: Document, facts: Facts, today: Callable[[], date], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._facts = facts
        self._today = today
        self._configs: dict[Path, ModelSpec | None] = {}
        self.state = PlanState.EMPTY
        self.recommendation: Recommendation | None = None
        self.error: PassformError | None = None
        self._runner = Runner(self)
        self._runner.progressed.connect(self.progressed)
        self._runner.finished.connect(self._on_finished)
        self._runner.failed.connect(self._on_failed)
        self._runner.crashed.connect(self._on_crashed)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(0)  # all changes of one event are computed once
        self._timer.timeout.connect(self._compute)
        self._age = QElapsedTimer()
        self._again = False
        document.replaced.connect(self._on_replaced)
        document.changed.connect(self._on_document_changed)

    @property
    def busy(self) -> bool:
        """Whether a calculation runs or is about to."""
        return self._timer.isActive() or self._runner.busy

    def model_of(self, row: WorkloadRow | ServingRow) -> ModelSpec | None:
        """The model of a row, None when it is not known or its file cannot be read."""
        if row.config is None:
            return self._facts.models.get(row.model or "")
        path = self._document.folder / row.config
        if path not in self._configs:
            try:
                from catalog.consultation.scenario import find_model  # noqa: PLC0415  # see above

                self._configs[path] = find_model(row, self._facts, model_from_file, self._document.folder)
            except PassformError:
                self._configs[path] = None
        return self._configs[path]

    def problems(self) -> list[Problem]:
        """What keeps the document from being computed, and what is odd about it."""
        document = self._document.consultation
        trained, served = ([self.model_of(row) for row in rows] for rows in (document.workloads, document.serving))
        return problems(document, trained, served)

    def refresh(self) -> None:
        """Compute anew, for example after the files a document refers to have changed."""
        self._configs.clear()
        self._on_document_changed(self._document.consultation)

    def use(self, facts: Facts) -> None:
        """Compute with another catalogue from now on."""
        self._facts = facts
        self.refresh()

    def cancel(self) -> None:
        """Stop computing; the last recommendation stays, marked as not current."""
        self._timer.stop()
        self._again = False
        self._runner.cancel()
        self._set(PlanState.FAILED, CancelledError())

    def close(self) -> None:
        """Stop for good and wait for the worker."""
        self._timer.stop()
        self._runner.close()

    @Slot()
    def _on_replaced(self) -> None:
        """What was recommended to one customer must not stand beside another's name."""
        self._again = False
        self._runner.cancel()
        self.recommendation = None

    @Slot(object)
    def _on_document_changed(self, document: Consultation) -> None:
        if any(problem.severity is Severity.ERROR for problem in self.problems()):
            self._timer.stop()
            self._again = False
            self._runner.cancel()
            if not document.workloads and not document.serving:
                self.recommendation = None
            self._set(PlanState.EMPTY)
            return
        if self._runner.busy and self._age.elapsed() < PATIENCE_MS:
            self._again = True
        else:
            self._timer.start()
        self._set(PlanState.WORKING)

    @Slot()
    def _compute(self) -> None:
        self._again = False
        self._age.start()
        document, folder, facts, today = self._document.consultation, self._document.folder, self._facts, self._today()

        def job(progress: Progress) -> Recommendation:
            from catalog.consultation.scenario import to_scenario  # noqa: PLC0415  # see above
            from engine.plan.recommend import recommend  # noqa: PLC0415

            return recommend(to_scenario(document, facts, today, model_from_file, folder), facts, progress)

        self._runner.start(job)

    @Slot(object)
    def _on_finished(self, recommendation: Recommendation) -> None:
        self.recommendation = recommendation
        self._end(PlanState.READY)

    @Slot(object)
    def _on_failed(self, error: PassformError) -> None:
        self._end(PlanState.FAILED, error)

    @Slot(object)
    def _on_crashed(self, error: Exception) -> None:
        self._end(PlanState.FAILED, PassformError(mark("The calculation failed; please report this.")))
        self.crashed.emit(error)

    def _end(self, state: PlanState, error: PassformError | None = None) -> None:
        """Show how a job ended, and begin with what changed meanwhile."""
        if self._again:
            self._timer.start()
            self._set(PlanState.WORKING)
        else:
            self._set(state, error)

    def _set(self, state: PlanState, error: PassformError | None = None) -> None:
        self.state = state
        self.error = error
        self.changed.emit()
