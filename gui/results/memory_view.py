"""Stacked memory bars: the selected workload on every candidate, or every workload on the recommended system."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox, QWidget

from engine.glance import CardGlance
from engine.pictures.memory_bars import memory_bars
from engine.pictures.parts import MemoryBar, memory_bar
from engine.pictures.serving_parts import serving_memory_bar
from engine.pictures.shapes import Picture, Style
from engine.plan.types import Recommendation
from engine.wording.pictures import memory_words
from engine.wording.serving_bar import serving_bar_words
from engine.workload import ServingWorkload
from gui.context import Context
from gui.picture_view import PictureView
from gui.results.heat import served_on, target_of
from gui.results.memory_detail import MemoryDetail
from gui.results.origins import of_cards, with_origins
from gui.serving_words import task_names
from gui.theme import STEP
from gui.widgets import column, label

MOST_BARS = 12


class MemoryView(QWidget):
    """The bars with a switch between both views."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._recommendation: Recommendation | None = None
        self._glances: list[CardGlance] = []
        self._workload = 0
        _ = context.texts.gettext
        body = column(self, spacing=2 * STEP)
        self.title = label("", "section")
        self.all_workloads = QCheckBox(_("All workloads on the recommended system"))
        self.all_workloads.clicked.connect(self._refresh)
        self.bars = PictureView(context, _("Memory per card"))
        self.detail = MemoryDetail(context)
        for widget in (self.title, self.all_workloads, self.bars, self.detail):
            body.addWidget(widget)

    @property
    def busy_now(self) -> bool:
        """Whether the details are being computed."""
        return self.detail.busy_now

    def close_runner(self) -> None:
        """Stop computing for good."""
        self.detail.close_runner()

    def show_recommendation(
        self, recommendation: Recommendation, glances: list[CardGlance], card_id: str, workload: int
    ) -> None:
        """Show a workload of a recommendation, explained for one card."""
        self._recommendation, self._glances, self._workload = recommendation, glances, workload
        self._explain(recommendation, card_id)
        self.all_workloads.setVisible(len(recommendation.scenario.workloads) > 1 and recommendation.chosen is not None)
        self._refresh()

    def _explain(self, recommendation: Recommendation, card_id: str) -> None:
        item = next((item for item in self._glances if item.card.id == card_id), None)
        trained = recommendation.scenario.workloads
        placement = None
        if item is not None and self._workload < len(trained):
            placement = item.placement(trained[self._workload])
        title = "" if item is None else f"{item.cards} × {item.card.name}"
        self.detail.show_placement(title, placement, recommendation.scenario.headroom)

    def _refresh(self) -> None:
        recommendation = self._recommendation
        if recommendation is None:
            return
        whole = self.all_workloads.isChecked() and self.all_workloads.isVisibleTo(self)
        texts = self._context.texts
        served = self._workload - len(recommendation.scenario.workloads)
        self.title.setText(texts.gettext("All workloads") if whole else task_names(recommendation)[self._workload])
        words = memory_words(texts.tr, texts.size, texts.signed_size)
        if whole:
            bars = self._workload_bars(recommendation)
        elif served < 0:
            bars = self._candidate_bars(recommendation)
        else:
            bars = self._serving_bars(recommendation.scenario.serving[served])
            words = serving_bar_words(texts.tr, texts.size, texts.signed_size)

        def build(style: Style) -> Picture:
            return with_origins(memory_bars(bars, words, style), of_cards(self._context))

        self.bars.show_picture(build if bars else None)

    def _candidate_bars(self, recommendation: Recommendation) -> list[MemoryBar]:
        bars = []
        workload = recommendation.scenario.workloads[self._workload]
        for item in self._glances:
            placement = item.placement(workload)
            if placement is not None:
                title = f"{item.cards} × {item.card.short_name}"
                system = self._context.texts.name(item.system.id) if item.system else ""
                target = target_of(item.card.id, self._workload)
                bars.append(memory_bar(target, title, system, placement, recommendation.scenario.headroom))
        return bars[:MOST_BARS]

    def _serving_bars(self, served: ServingWorkload) -> list[MemoryBar]:
        """A served model on every candidate, its engine's start-up memory and cache on the fullest card."""
        bars = []
        for item in self._glances:
            placement = served_on(item, served)
            if placement is not None:
                title = f"{item.cards} × {item.card.short_name}"
                system = self._context.texts.name(item.system.id) if item.system else ""
                target = target_of(item.card.id, self._workload)
                bars.append(serving_memory_bar(target, title, system, placement))
        return bars[:MOST_BARS]

    def _workload_bars(self, recommendation: Recommendation) -> list[MemoryBar]:
        plan = recommendation.chosen
        if plan is None:
            return []
        texts = self._context.texts
        bars = []
        for number, placement in enumerate(plan.placements):
            workload = placement.workload
            subtitle = f"{texts.label(workload.recipe.method)} · {texts.integer(workload.sequence_length)}"
            target = target_of(plan.card.id, number)
            bars.append(memory_bar(target, workload.name, subtitle, placement, recommendation.scenario.headroom))
        return bars
