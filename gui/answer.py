"""The provisional recommendation on the right: card, machine, verdict, time, cost, price; never hidden on inputs."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QScrollArea, QVBoxLayout, QWidget

from engine.pictures.parts import MemoryBar, memory_bar
from engine.pictures.shapes import Picture, Style
from engine.pictures.slim_bar import slim_bar
from engine.plan.types import Placement, Plan
from engine.wording.pictures import memory_words
from gui.context import Context
from gui.draft import Severity
from gui.picture_view import PictureView
from gui.planning import PlanState
from gui.theme import STEP
from gui.verdict import VerdictLabel
from gui.widgets import button, column, label, rule, set_role

WIDTH = 292


class Answer(QScrollArea):
    """Shows the chosen plan in one glance; greyed with the reason while something is missing."""

    why_wanted = Signal()
    alternatives_wanted = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._selected = 0
        _ = context.texts.gettext
        self.setFixedWidth(WIDTH)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(_("Recommendation"))
        inner = QWidget()
        self.setWidget(inner)
        self._body = column(inner, margin=4 * STEP, spacing=2 * STEP)
        self._body.addWidget(label(_("Recommendation"), "section"))
        self._progress = QProgressBar()
        self._progress.setTextVisible(False)
        self._progress.setAccessibleName(_("Progress of the calculation"))
        self._progress.hide()
        self._cancel = button(_("Cancel calculation"), "link")
        self._cancel.clicked.connect(context.planner.cancel)
        self._cancel.hide()
        self._state = label("", "muted", wrap=True)
        self._content = QWidget()
        self._build_content()
        for widget in (self._progress, self._cancel, self._state, self._content):
            self._body.addWidget(widget)
        self._body.addStretch(1)
        context.planner.changed.connect(self.refresh)
        context.planner.progressed.connect(self._on_progress)
        self.refresh()

    def close_view(self) -> None:
        """Stop following the planner; called before the panel is replaced."""
        self._context.planner.changed.disconnect(self.refresh)
        self._context.planner.progressed.disconnect(self._on_progress)

    @property
    def card_text(self) -> str:
        """The recommended card as it is shown; empty while there is none."""
        return self._card.text() if self._content.isVisibleTo(self) else ""

    def select_workload(self, index: int) -> None:
        """Show time and memory of another row."""
        self._selected = max(0, index)
        self.refresh()

    def _build_content(self) -> None:
        _ = self._context.texts.gettext
        body = column(self._content, spacing=2 * STEP)
        self._card = label("", "title", wrap=True)
        self._system = label("", "muted", wrap=True)
        self._verdict = VerdictLabel(self._context)
        self._bar = PictureView(self._context, _("Memory of the selected workload"), minimum_width=200, pad=0)
        self._facts = QVBoxLayout()
        self._facts.setSpacing(2 * STEP)
        self._why = button(_("Why this one?"), "link")
        self._why.clicked.connect(self.why_wanted)
        self._alternatives = button("", "link")
        self._alternatives.clicked.connect(self.alternatives_wanted)
        for widget in (self._card, self._system, self._verdict, self._bar, rule()):
            body.addWidget(widget)
        body.addLayout(self._facts)
        body.addWidget(rule())
        links = QHBoxLayout()
        links.addWidget(self._why)
        links.addWidget(self._alternatives)
        links.addStretch(1)
        body.addLayout(links)

    @Slot()
    def refresh(self) -> None:
        """Show the planner's state."""
        planner = self._context.planner
        working = planner.state is PlanState.WORKING
        self._progress.setVisible(working)
        self._cancel.setVisible(working and planner.recommendation is None)
        self._state.setText(self._explanation())
        self._state.setVisible(bool(self._state.text()))
        set_role(self._state, "error" if planner.state is PlanState.FAILED else "muted")
        plan = planner.recommendation.chosen if planner.recommendation else None
        self._content.setVisible(plan is not None)
        if plan is not None:
            self._show(plan)
        self._content.setEnabled(planner.state in (PlanState.READY, PlanState.WORKING))

    @Slot(object, object)
    def _on_progress(self, done: int, total: int) -> None:
        self._progress.setMaximum(int(total))
        self._progress.setValue(int(done))

    def _explanation(self) -> str:
        texts, planner = self._context.texts, self._context.planner
        if planner.state is PlanState.FAILED and planner.error is not None:
            return texts.error(planner.error)
        if planner.state is PlanState.EMPTY:
            errors = [problem for problem in planner.problems() if problem.severity is Severity.ERROR]
            return "\n".join(texts.gettext(item.template).format(**dict(item.values)) for item in errors)
        if planner.state is PlanState.WORKING and planner.recommendation is None:
            return texts.gettext("Calculating …")
        if planner.recommendation is not None and planner.recommendation.chosen is None:
            return texts.gettext("No system in the catalogue carries every workload. The results say what is missing.")
        return ""

    def _show(self, plan: Plan) -> None:
        texts = self._context.texts
        self._card.setText(f"{plan.cards} × {plan.card.name}")
        self._system.setText(plan.system.name)
        self._verdict.show_verdict(plan.verdict)
        placement = plan.placements[min(self._selected, len(plan.placements) - 1)]
        self._show_bar(placement)
        while (item := self._facts.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for value, caption in self._lines(plan, placement):
            self._facts.addWidget(self._fact(value, caption))
        recommendation = self._context.planner.recommendation
        count = len(recommendation.alternatives) if recommendation else 0
        self._alternatives.setText(
            texts.ngettext("{count} alternative", "{count} alternatives", count).format(count=count)
        )
        self._alternatives.setVisible(count > 0)

    def _show_bar(self, placement: Placement) -> None:
        recommendation = self._context.planner.recommendation
        if recommendation is None:
            return
        bar = memory_bar("", placement.workload.name, "", placement, recommendation.scenario.headroom)
        words = memory_words(self._context.texts.tr, self._context.texts.size, self._context.texts.signed_size)

        def build(style: Style, bar: MemoryBar = bar) -> Picture:
            return slim_bar(bar, words, style)

        self._bar.show_picture(build)

    def _lines(self, plan: Plan, placement: Placement) -> list[tuple[str, str]]:
        texts = self._context.texts
        _ = texts.gettext
        lines = [
            (texts.signed_size(placement.free_bytes), _("free per card · {name}").format(name=placement.workload.name))
        ]
        if placement.hours_per_run is not None:
            band = texts.hours_band(placement.hours_per_run)
            lines.append((texts.hours(placement.hours_per_run.expected), _("per run ({band})").format(band=band)))
        else:
            lines.append(("–", _("no published rate for this card: no time stated")))
        if placement.cost_per_run is not None:
            band = texts.money_band(placement.cost_per_run)
            lines.append((texts.money(placement.cost_per_run.expected), _("per run ({band})").format(band=band)))
        lines.append(self._price(plan))
        return lines

    def _price(self, plan: Plan) -> tuple[str, str]:
        texts = self._context.texts
        _ = texts.gettext
        if plan.price.gaps:
            names = ", ".join(texts.name(item) for item in plan.price.gaps)
            if plan.price.priced.amount == 0:
                return _("on request"), names
            return texts.money(plan.price.priced), _("net, without: {names} (on request)").format(names=names)
        word = texts.label(plan.price.basis)
        return texts.money(plan.price.priced), _("net · {basis}").format(basis=word)

    def _fact(self, value: str, caption: str) -> QWidget:
        made = QWidget()
        layout = column(made, spacing=0)
        number = label(value, "section")
        number.setAccessibleDescription(caption)
        layout.addWidget(number)
        layout.addWidget(label(caption, "small", wrap=True))
        return made
