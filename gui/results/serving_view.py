"""What is served on the recommended system: per model the load, requests at once, speeds with their basis, cost."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from engine.plan.types import Recommendation
from engine.serving.summary import ServingSummary, summaries
from engine.wording.serving import note_text
from gui.context import Context
from gui.serving_words import summary_rows, two_machines
from gui.theme import STEP
from gui.widgets import column, label

NAME_WIDTH = 190


class ServingView(QWidget):
    """One section per served model."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._shown: Recommendation | None = None
        _ = context.texts.gettext
        body = column(self, spacing=2 * STEP)
        self.remark = label("", wrap=True)
        hint = label(
            _(
                "Throughputs are ranges with their basis. Output tokens are counted, prompts are not. "
                "Memory is that of the fullest card."
            ),
            "small",
            wrap=True,
        )
        self._sections = QWidget()
        self._sections_body = column(self._sections, spacing=2 * STEP)
        for widget in (self.remark, hint, self._sections):
            body.addWidget(widget)

    @property
    def text(self) -> str:
        """Everything that is said, as plain lines."""
        return "\n".join(made.text() for made in self.findChildren(QLabel) if made.isVisibleTo(self))

    def show_recommendation(self, recommendation: Recommendation) -> None:
        """Show what the recommended system serves."""
        if recommendation is self._shown:
            return
        self._shown = recommendation
        while (item := self._sections_body.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.setParent(None)
                widget.deleteLater()
        texts, plan = self._context.texts, recommendation.chosen
        remark = None if plan is None else two_machines(plan)
        self.remark.setText("" if remark is None else texts.reason(remark))
        self.remark.setVisible(remark is not None)
        if not recommendation.scenario.serving:
            self._sections_body.addWidget(label(texts.gettext("Nothing is served in this consultation."), "muted"))
        elif plan is None:
            self._sections_body.addWidget(label(texts.gettext("No system carries every workload"), "muted"))
        else:
            for summary in summaries(plan, recommendation.scenario, self._context.catalog.facts):
                self._add(summary)

    def _add(self, summary: ServingSummary) -> None:
        texts, placement = self._context.texts, summary.placement
        workload = placement.workload
        name = workload.setup.model.name
        title = workload.name if name in workload.name else f"{workload.name} · {name}"
        self._sections_body.addWidget(label(title, "section", wrap=True))
        holder = QWidget()
        grid = QGridLayout(holder)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(4 * STEP)
        grid.setVerticalSpacing(STEP)
        grid.setColumnMinimumWidth(0, NAME_WIDTH)
        grid.setColumnStretch(1, 1)
        for number, (key, text) in enumerate(summary_rows(summary, texts)):
            shown = label(text, wrap=True)
            shown.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            grid.addWidget(label(key, "muted"), number, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(shown, number, 1)
        self._sections_body.addWidget(holder)
        lines = [texts.reason(reason) for reason in placement.reasons]
        lines += [note_text(note, texts.tr) for note in summary.notes]
        self._sections_body.addWidget(label("\n".join(f"•  {line}" for line in lines), "small", wrap=True))
