"""The fourth page: the recommendation at a glance, the heat map, and the views behind it."""

from __future__ import annotations

from datetime import date

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QWidget

from catalog.user_folder import user_folder
from engine.glance import CardGlance, glances
from engine.pictures.heat_map import heat_map
from engine.pictures.shapes import Picture, Style
from engine.plan.types import Placement, Recommendation
from gui.context import Context
from gui.draft import amended_row
from gui.pages.page import Page
from gui.picture_view import PictureView
from gui.plan_words import explanation
from gui.planning import PlanState
from gui.results.compare_view import CompareView
from gui.results.cost_view import CostView
from gui.results.glance_view import GlanceView
from gui.results.heat import description, heat_rows, read_target, target_of
from gui.results.length_view import LengthView
from gui.results.memory_view import MemoryView
from gui.results.origins import of_cards, with_origins
from gui.results.pareto_view import ParetoView
from gui.results.serving_view import ServingView
from gui.results.version_notice import VersionNotice
from gui.results.why import WhyView
from gui.serving_words import task_names
from gui.tabs import Tabs
from gui.theme import STEP
from gui.widgets import Panel, column, label, set_role

FEW_CARDS = 8


class ResultsPage(Page):
    """Shows the planner's answer; a click in the heat map selects card and workload for all views."""

    workload_selected = Signal(int)

    def __init__(self, context: Context, today: date) -> None:
        _ = context.texts.gettext
        super().__init__(context, _("Results"))
        self._glances: list[CardGlance] = []
        self._shown: Recommendation | None = None
        self._card_id = ""
        self._workload = 0
        self._today = today
        self.notice = VersionNotice(context)
        self.notice.wanted.connect(self.show_since)
        self.body.addWidget(self.notice)
        self.notice.refresh()
        self.state = label("", "muted", wrap=True)
        self.body.addWidget(self.state)
        self._content = QWidget()
        body = column(self._content, spacing=3 * STEP)
        self.glance = GlanceView(context)
        body.addWidget(self.glance)
        body.addWidget(self._heat_panel())
        self.tabs = Tabs(_("Views"))
        self.memory = MemoryView(context)
        self.serving = ServingView(context)
        self.length = LengthView(context)
        self.compare = CompareView(context, today)
        self.cost = CostView(context)
        self.pareto = ParetoView(context)
        self.why = WhyView(context)
        for view, name in (
            (self.memory, _("Memory")),
            (self.serving, _("Serving")),
            (self.length, _("Sequence length")),
            (self.compare, _("Side by side")),
            (self.cost, _("Buy or rent")),
            (self.pareto, _("Cost and time")),
            (self.why, _("Why")),
        ):
            self.tabs.add(view, name)
        views = Panel()
        views.body.addWidget(self.tabs)
        body.addWidget(views)
        self.tabs.changed.connect(self._on_tab)
        self.body.addWidget(self._content)
        self.body.addStretch(1)
        self.memory.bars.activated.connect(self._on_target)
        self.length.length_chosen.connect(self._on_length)
        self._content.hide()
        context.planner.changed.connect(self.refresh)

    @property
    def busy_now(self) -> bool:
        """Whether a view still computes."""
        return any(view.busy_now for view in (self.length, self.cost, self.memory, self.why))

    def close_views(self) -> None:
        """Stop what computes in the background."""
        self.context.planner.changed.disconnect(self.refresh)
        self.notice.close_notice()
        self.memory.close_runner()
        self.length.close_runner()
        self.cost.close_runner()
        self.why.close_runner()

    def initial_focus(self) -> QWidget:
        """The heat map."""
        return self.heat

    def show_why(self) -> None:
        """Bring the reasons to the front."""
        self.tabs.show_page(self.why)

    def show_alternatives(self) -> None:
        """Bring the plans side by side to the front."""
        self.tabs.show_page(self.compare)
        self.compare.show_plans()

    def prepare_find(self) -> None:
        """Word the candidates when the reasons are shown: they are worded only when they are opened."""
        if self.tabs.current_page is self.why:
            self.why.fill_all()

    @Slot()
    def show_since(self) -> None:
        """Show what has changed since the catalogue the consultation records."""
        from gui.catalogue.since_dialog import SinceDialog  # noqa: PLC0415  # keeps the start fast

        dialog = SinceDialog(self.context, user_folder(), self._today, self)
        dialog.taken_over.connect(self.notice.take_over)
        dialog.exec()
        dialog.deleteLater()

    def select_workload(self, index: int) -> None:
        """Select a workload in every view."""
        if index != self._workload:
            self._workload = index
            self._show_selection()

    @Slot()
    def refresh(self) -> None:
        """Show the planner's latest recommendation, at once when the page is visible, else when it is shown."""
        recommendation = self.context.planner.recommendation
        if not self.isVisible():
            return
        self._show_state()
        if recommendation is self._shown:
            return
        self._shown = recommendation
        self._content.setVisible(recommendation is not None)
        if recommendation is None:
            return
        self._glances = list(glances(recommendation))
        if self._card_id not in {item.card.id for item in self._glances}:
            self._card_id = ""
        self.glance.show_recommendation(recommendation)
        self.all_cards.setVisible(len(self._glances) > len(_worth_a_look(self._glances)))
        self._show_selection()

    def _show_state(self) -> None:
        """Say why there are no results, or why those below are not current."""
        state = self.context.planner.state
        text = "" if state is PlanState.READY else explanation(self.context)
        set_role(self.state, "error" if state is PlanState.FAILED else "muted")
        self.state.setText(text)
        self.state.setVisible(bool(text))

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802  # Qt's name
        super().showEvent(event)
        self.refresh()

    def _heat_panel(self) -> QWidget:
        _ = self.context.texts.gettext
        panel = Panel()
        head = QHBoxLayout()
        head.addWidget(label(_("Which card carries which workload"), "section"))
        head.addStretch(1)
        self.all_cards = QCheckBox(_("All cards"))
        self.all_cards.clicked.connect(self._show_heat)
        head.addWidget(self.all_cards)
        panel.body.addLayout(head)
        self.heat = PictureView(self.context, _("Heat map of workloads and cards"))
        self.heat.activated.connect(self._on_target)
        panel.body.addWidget(self.heat)
        return panel

    def _show_selection(self) -> None:
        recommendation = self._shown
        if recommendation is None:
            return
        # The document may already have more or fewer rows than the recommendation that is still shown.
        self._workload = min(max(self._workload, 0), len(task_names(recommendation)) - 1)
        self._show_heat()
        self._show_view()

    def _show_view(self) -> None:
        """Bring the view that is looked at up to date; the others follow when they are chosen."""
        recommendation = self._shown
        if recommendation is None:
            return
        view = self.tabs.current_page
        if view is self.memory:
            self.memory.show_recommendation(recommendation, self._glances, self._selected_card(), self._workload)
        elif view is self.serving:
            self.serving.show_recommendation(recommendation)
        elif view is self.length:
            placement = self._placement(recommendation)
            self.length.show_placement(placement, self._glances, self._workload, recommendation.scenario.headroom)
        elif view is self.compare:
            self.compare.show_recommendation(recommendation)
        elif view is self.cost:
            self.cost.show_recommendation(recommendation)
        elif view is self.pareto:
            self.pareto.show_recommendation(recommendation, self._workload)
        else:
            self.why.show_recommendation(recommendation)

    @Slot()
    def _show_heat(self) -> None:
        recommendation = self._shown
        if recommendation is None:
            return
        texts = self.context.texts
        shown = self._glances if self.all_cards.isChecked() else _worth_a_look(self._glances)
        rows = heat_rows(recommendation, shown, texts)
        names = task_names(recommendation)
        words = description(recommendation, shown, texts)
        selected = target_of(self._selected_card(), self._workload)

        def build(style: Style) -> Picture:
            return with_origins(heat_map(names, rows, style, words, selected), of_cards(self.context))

        self.heat.show_picture(build)

    def _selected_card(self) -> str:
        return self._card_id or (self._glances[0].card.id if self._glances else "")

    def _placement(self, recommendation: Recommendation) -> Placement | None:
        workloads = recommendation.scenario.workloads
        if self._workload >= len(workloads):
            return None
        workload = workloads[self._workload]
        for item in self._glances:
            if item.card.id == self._selected_card():
                return item.placement(workload)
        return None

    @Slot(int)
    def _on_tab(self, _number: int) -> None:
        self._show_view()

    @Slot(str)
    def _on_target(self, target: str) -> None:
        self._card_id, self._workload = read_target(target)
        self._show_selection()
        self.workload_selected.emit(self._workload)

    @Slot(int, int)
    def _on_length(self, workload: int, length: int) -> None:
        text = self.context.texts.gettext("Change sequence length")
        self.edit(text, lambda document: amended_row(document, workload, sequence_length=length))


def _worth_a_look(glances_: list[CardGlance]) -> list[CardGlance]:
    """The cards that were sized; all when none was."""
    sized = [item for item in glances_ if item.placements or item.plan is not None]
    return sized[:FEW_CARDS] if sized else glances_[:FEW_CARDS]
