"""Behind a rejection: the whole chain of reasons, and the changes that would make the candidate fit."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Slot

from engine.fit import Verdict
from engine.plan.nearly import would_fit
from engine.plan.types import Rejection
from engine.progress import Progress
from engine.reasons import Reason
from gui.context import Context
from gui.results.computed_view import ComputedView, selectable
from gui.theme import STEP
from gui.widgets import column, label

SHORT = (Verdict.NO, Verdict.UNCERTAIN)


class FitDetail(ComputedView):
    """Explains the selected candidate; the changes are computed off the GUI thread."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._shown: Rejection | None = None
        _ = context.texts.gettext
        body = column(self, spacing=STEP)
        self.title = label("", "section", wrap=True)
        self.reasons = selectable()
        self.changes_title = label(_("What would make it fit"), "section")
        self.changes = selectable()
        for widget in (self.title, self.reasons, self.changes_title, self.changes):
            body.addWidget(widget)
        self._runner.finished.connect(self._on_changes)
        self.hide()

    def show_rejection(self, rejection: Rejection | None, headroom: float) -> None:
        """Explain a rejection; None explains nothing."""
        self.setVisible(rejection is not None)
        if rejection is None or rejection is self._shown:
            self._shown = rejection
            return
        self._shown = rejection
        texts = self._context.texts
        machine = f" · {texts.name(rejection.system.id)}" if rejection.system else ""
        self.title.setText(f"{rejection.cards} × {rejection.card.name}{machine}")
        entries = (*rejection.placements, *rejection.serving)
        lines = [texts.reason(item) for item in rejection.reasons]
        for entry in entries:
            if entry.verdict in SHORT:
                lines += [texts.task_reason(item, entry.workload.name) for item in entry.reasons]
        self.reasons.setText(_bullets(lines))
        self._show_changes(())
        card, short = rejection.card, [item for item in rejection.placements if item.verdict in SHORT]
        if not short:
            self._runner.cancel()
            return

        def job(progress: Progress) -> tuple[Reason, ...]:
            found: list[Reason] = []
            for done, placement in enumerate(short):
                progress(done, len(short))
                found.extend(would_fit(placement, card, headroom))
            return tuple(found)

        self._runner.start(job)

    @Slot(object)
    def _on_changes(self, found: tuple[Reason, ...]) -> None:
        self._show_changes(found)

    def _show_changes(self, found: tuple[Reason, ...]) -> None:
        texts = self._context.texts
        self.changes.setText(_bullets(texts.reason(item) for item in found))
        for widget in (self.changes_title, self.changes):
            widget.setVisible(bool(found))


def _bullets(lines: Iterable[str]) -> str:
    """Each line once, in its order."""
    return "\n".join(f"•  {line}" for line in dict.fromkeys(lines))
