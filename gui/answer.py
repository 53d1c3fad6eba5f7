"""The provisional recommendation on the right: card, machine, verdict, time, cost, price; never hidden on inputs."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QScrollArea, QVBoxLayout, QWidget

from engine.pictures.memory_bars import MemoryWords
from engine.pictures.parts import MemoryBar, memory_bar
from engine.pictures.serving_parts import serving_memory_bar
from engine.pictures.shapes import Picture, Style
from engine.pictures.slim_bar import slim_bar
from engine.plan.types import Placement, Plan, Recommendation, ServingPlacement
from engine.wording.pictures import memory_words
from engine.wording.serving import basis_text, rate_text
from engine.wording.serving_bar import serving_bar_words
from gui.context import Context
from gui.pages.start import ANSWER_WIDTH
from gui.picture_view import PictureView
from gui.plan_words import explanation
from gui.planning import PlanState
from gui.serving_words import at_once, main_point, point_name, short_basis, two_machines
from gui.theme import STEP
from gui.verdict import VerdictLabel
from gui.widgets import button, column, label, rule, set_role

Fact = tuple[str, str, str]  # figure, what it is, what it rests on


class FactLines(QWidget):
    """A figure over what it is."""

    def __init__(self) -> None:
        super().__init__()
        layout = column(self, spacing=0)
        self._figure = label("", "section", wrap=True)
        self._caption = label("", "small", wrap=True)
        layout.addWidget(self._figure)
        layout.addWidget(self._caption)

    def show_fact(self, fact: Fact) -> None:
        """Show another figure."""
        figure, caption, tip = fact
        if figure != self._figure.text():
            self._figure.setText(figure)
        if caption != self._caption.text():
            self._caption.setText(caption)
            self._figure.setAccessibleDescription(caption)
        self.setToolTip(tip)


class Answer(QScrollArea):
    """Shows the chosen plan in one glance; greyed with the reason while something is missing."""

    why_wanted = Signal()
    alternatives_wanted = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._selected = 0
        self._shown: tuple[Recommendation | None, int] = (None, 0)  # what the content says at present
        self._lines_shown: list[FactLines] = []
        _ = context.texts.gettext
        self.setFixedWidth(ANSWER_WIDTH)
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
        self._remark = label("", wrap=True)
        for widget in (self._card, self._system, self._verdict, self._bar, rule()):
            body.addWidget(widget)
        body.addLayout(self._facts)
        body.addWidget(self._remark)
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
        self._state.setText(explanation(self._context))
        self._state.setVisible(bool(self._state.text()))
        set_role(self._state, "error" if planner.state is PlanState.FAILED else "muted")
        plan = planner.recommendation.chosen if planner.recommendation else None
        self._content.setVisible(plan is not None)
        shown = (planner.recommendation, self._selected)
        if plan is not None and (shown[0] is not self._shown[0] or shown[1] != self._shown[1]):
            self._show(plan)
            self._shown = shown
        self._content.setEnabled(planner.state in (PlanState.READY, PlanState.WORKING))

    @Slot(object, object)
    def _on_progress(self, done: int, total: int) -> None:
        self._progress.setMaximum(int(total))
        self._progress.setValue(int(done))

    def _show(self, plan: Plan) -> None:
        texts = self._context.texts
        self._card.setText(f"{plan.cards} × {plan.card.name}")
        self._system.setText(self._context.texts.name(plan.system.id))
        self._verdict.show_verdict(plan.verdict)
        entry = self._entry(plan)
        self._show_bar(entry)
        remark = two_machines(plan)
        self._remark.setText("" if remark is None else texts.reason(remark))
        self._remark.setVisible(remark is not None)
        lines = self._lines(entry) if isinstance(entry, Placement) else self._serving_lines(entry)
        self._show_facts([*lines, (*self._price(plan), "")])
        recommendation = self._context.planner.recommendation
        count = len(recommendation.alternatives) if recommendation else 0
        self._alternatives.setText(
            texts.ngettext("{count} alternative", "{count} alternatives", count).format(count=count)
        )
        self._alternatives.setVisible(count > 0)

    def _show_facts(self, facts: list[Fact]) -> None:
        """Write into the lines there are: while a slider moves, making new ones would cost most of the repaint."""
        while len(self._lines_shown) < len(facts):
            self._lines_shown.append(FactLines())
            self._facts.addWidget(self._lines_shown[-1])
        for lines in self._lines_shown[len(facts) :]:
            lines.hide()
            lines.deleteLater()
        del self._lines_shown[len(facts) :]
        for lines, fact in zip(self._lines_shown, facts, strict=True):
            lines.show_fact(fact)

    def _entry(self, plan: Plan) -> Placement | ServingPlacement:
        """The selected row on the plan; what is served is counted after what is trained."""
        entries: tuple[Placement | ServingPlacement, ...] = (*plan.placements, *plan.serving)
        return entries[min(self._selected, len(entries) - 1)]

    def _show_bar(self, entry: Placement | ServingPlacement) -> None:
        recommendation, texts = self._context.planner.recommendation, self._context.texts
        if recommendation is None:
            return
        if isinstance(entry, Placement):
            bar = memory_bar("", entry.workload.name, "", entry, recommendation.scenario.headroom)
            words = memory_words(texts.tr, texts.size, texts.signed_size)
        else:
            bar = serving_memory_bar("", entry.workload.name, "", entry)
            words = serving_bar_words(texts.tr, texts.size, texts.signed_size)

        def build(style: Style, bar: MemoryBar = bar, words: MemoryWords = words) -> Picture:
            return slim_bar(bar, words, style)

        self._bar.show_picture(build)

    def _lines(self, placement: Placement) -> list[Fact]:
        texts = self._context.texts
        _ = texts.gettext
        free = _("free per card · {name}").format(name=placement.workload.name)
        lines = [(texts.signed_size(placement.free_bytes), free, "")]
        if placement.hours_per_run is not None:
            band = texts.hours_band(placement.hours_per_run)
            lines.append((texts.hours(placement.hours_per_run.expected), _("per run ({band})").format(band=band), ""))
        else:
            lines.append(("–", _("no published rate for this card: no time stated"), ""))
        if placement.cost_per_run is not None:
            band = texts.money_band(placement.cost_per_run)
            lines.append((texts.money(placement.cost_per_run.expected), _("per run ({band})").format(band=band), ""))
        return lines

    def _serving_lines(self, placement: ServingPlacement) -> list[Fact]:
        texts = self._context.texts
        _ = texts.gettext
        requests = _("requests at once, of mean length · {name}").format(name=placement.workload.name)
        lines = [(texts.integer(at_once(placement)), requests, "")]
        point = main_point(placement)
        if point is None:
            lines.append(("–", _("speed not stated"), ""))
        else:
            caption = f"{point_name(placement, texts)}: {short_basis(point, texts)}"
            rate = rate_text(point.tokens_per_s, texts.tr, texts.language)
            lines.append((rate, caption, basis_text(point, texts.tr, texts.language)))
        if placement.night_h is not None:
            lines.append((texts.hours_band(placement.night_h), _("per night"), ""))
        cost = placement.cost_per_million_tokens
        if cost is not None:
            caption = _("per million output tokens ({low} to {high})").format(
                low=texts.exact_money(cost.low), high=texts.exact_money(cost.high)
            )
            lines.append((texts.exact_money(cost.expected), caption, ""))
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
