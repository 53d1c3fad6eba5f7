"""What would restore the headroom of the plans that hold their tasks only tightly."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Slot

from engine.fit import Verdict
from engine.plan.nearly import headroom_remedies
from engine.plan.types import Plan
from engine.progress import Progress
from engine.reasons import Reason
from gui.context import Context
from gui.plan_words import plan_title
from gui.results.computed_view import ComputedView, selectable
from gui.theme import STEP
from gui.widgets import column, label

Found = tuple[tuple[Plan, tuple[Reason, ...]], ...]


class HeadroomDetail(ComputedView):
    """Hidden while no plan is tight; the changes are computed off the GUI thread."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        body = column(self, spacing=STEP)
        body.addWidget(label(context.texts.gettext("What would restore the headroom"), "section"))
        self.changes = selectable()
        body.addWidget(self.changes)
        self._runner.finished.connect(self._on_changes)
        self.hide()

    def show_plans(self, plans: Sequence[Plan], headroom: float) -> None:
        """Explain the tight ones among the plans."""
        tight = [plan for plan in plans if plan.verdict is Verdict.TIGHT]
        self.hide()
        if not tight:
            self._runner.cancel()
            return

        def job(progress: Progress) -> Found:
            found = []
            for done, plan in enumerate(tight):
                progress(done, len(tight))
                found.append((plan, headroom_remedies(plan, headroom)))
            return tuple(found)

        self._runner.start(job)

    @Slot(object)
    def _on_changes(self, found: Found) -> None:
        texts = self._context.texts
        blocks = []
        for plan, reasons in found:
            lines = dict.fromkeys(f"•  {texts.reason(item)}" for item in reasons)
            blocks.append("\n".join([plan_title(plan, texts), *lines]))
        self.changes.setText("\n\n".join(blocks))
        self.show()
