"""Behind a memory bar: the formula, the phases, the remarks, and what would save memory."""

from __future__ import annotations

from PySide6.QtCore import Slot

from engine.memory.remedies import Remedy, RemedyKind, remedies
from engine.memory.types import MemoryEstimate, Phase
from engine.plan.types import Placement
from engine.progress import Progress
from engine.wording.formulas import sharding_formula, state_formula
from gui.context import Context
from gui.results.computed_view import ComputedView, selectable
from gui.texts import Texts
from gui.theme import STEP
from gui.widgets import column, label


class MemoryDetail(ComputedView):
    """Explains one placement; the savings are computed off the GUI thread."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._shown: Placement | None = None
        _ = context.texts.gettext
        body = column(self, spacing=STEP)
        self.title = label("", "section", wrap=True)
        self.reckoning = selectable()
        self.savings_title = label(_("What would save memory"), "section")
        self.savings = selectable()
        for widget in (self.title, self.reckoning, self.savings_title, self.savings):
            body.addWidget(widget)
        self._runner.finished.connect(self._on_remedies)

    def show_placement(self, title: str, placement: Placement | None, headroom: float) -> None:
        """Explain a placement; None explains nothing."""
        self.setVisible(placement is not None)
        if placement is None or placement is self._shown:
            return
        self._shown = placement
        self.title.setText(title)
        self.reckoning.setText("\n".join(f"•  {line}" for line in reckoning(placement, self._context.texts)))
        self._show_savings(())
        setup, usable = placement.estimate.setup, placement.capacity_bytes

        def job(progress: Progress) -> tuple[Remedy, ...]:
            progress(0, 1)
            return remedies(setup, usable, headroom)

        self._runner.start(job)

    @Slot(object)
    def _on_remedies(self, found: tuple[Remedy, ...]) -> None:
        self._show_savings(found)

    def _show_savings(self, found: tuple[Remedy, ...]) -> None:
        texts = self._context.texts
        lines = [
            texts.gettext("{change}: saves {size} per card, then {verdict}").format(
                change=remedy_name(remedy.kind, texts),
                size=texts.size(remedy.saved_bytes),
                verdict=texts.label(remedy.verdict),
            )
            for remedy in found
        ]
        self.savings.setText("\n".join(f"•  {line}" for line in lines))
        self.savings_title.setVisible(bool(found))
        self.savings.setVisible(bool(found))


def reckoning(placement: Placement, texts: Texts) -> list[str]:
    """How the need comes about, from the rule per parameter to the remarks."""
    estimate = placement.estimate
    required = estimate.required
    lines = [
        texts.gettext("Needs {expected} ({low} to {high}) of {capacity} usable per card").format(
            expected=texts.size(required.expected),
            low=texts.size(required.low),
            high=texts.size(required.high),
            capacity=texts.size(placement.capacity_bytes),
        ),
        state_formula(estimate, texts.tr, texts.language),
        sharding_formula(estimate, texts.tr),
        _phases(estimate, texts),
        texts.gettext("CUDA context {context}, allocator reserve {reserve}").format(
            context=texts.size(estimate.runtime_context), reserve=texts.size(estimate.allocator_reserve)
        ),
    ]
    if estimate.host:
        host = texts.gettext("Host memory: at least {low}, better {high}")
        lines.append(host.format(low=texts.size(estimate.host), high=texts.size(estimate.host_high)))
    return [line for line in (*lines, *(texts.note(note) for note in estimate.notes)) if line]


def _phases(estimate: MemoryEstimate, texts: Texts) -> str:
    peaks = ", ".join(f"{texts.label(phase)} {texts.size(getattr(estimate.phases, phase.value))}" for phase in Phase)
    limiting = texts.label(estimate.phases.limiting)
    return texts.gettext("Peak in: {phase}. By phase: {peaks}").format(phase=limiting, peaks=peaks)


def remedy_name(kind: RemedyKind, texts: Texts) -> str:
    """What a change is called."""
    _ = texts.gettext
    names = {
        RemedyKind.FUSED_LOSS: _("Fused loss"),
        RemedyKind.FLASH_ATTENTION: _("FlashAttention"),
        RemedyKind.CHECKPOINTING: _("Activation checkpointing"),
        RemedyKind.EIGHT_BIT_OPTIMIZER: _("8-bit optimiser"),
        RemedyKind.NO_UPCAST: _("No upcast of embeddings and head"),
        RemedyKind.SMALLER_MICRO_BATCH: _("Half the micro-batch"),
        RemedyKind.ONE_MORE_CARD: _("One more card"),
        RemedyKind.OFFLOADED_CHECKPOINTS: _("Activation checkpoints in host memory"),
        RemedyKind.SHORTER_SEQUENCE: _("Half the sequence length"),
        RemedyKind.OFFLOADED_OPTIMIZER: _("Optimiser in host memory"),
        RemedyKind.QLORA: _("QLoRA instead"),
        RemedyKind.LORA: _("LoRA instead"),
    }
    return names[kind]
