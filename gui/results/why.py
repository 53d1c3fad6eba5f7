"""Why: the grounds of the recommendation, what alternatives cost, and why every other candidate is out."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QLineEdit, QTreeWidget, QTreeWidgetItem, QWidget

from engine.plan.types import Plan, Recommendation, Rejection
from gui.context import Context
from gui.plan_words import plan_title
from gui.results.fit_detail import FitDetail
from gui.results.headroom_detail import HeadroomDetail
from gui.theme import STEP
from gui.widgets import column, label

TREE_HEIGHT, CANDIDATE_WIDTH = 360, 420
MOST_PLANS = 6


class WhyView(QWidget):
    """Sentences with numbers, in the order a buyer asks for them."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._shown: Recommendation | None = None
        self._waiting: dict[int, list[Rejection]] = {}
        _ = context.texts.gettext
        body = column(self, spacing=2 * STEP)
        self._grounds = QWidget()
        self._grounds_body = column(self._grounds, spacing=2 * STEP)
        body.addWidget(self._grounds)
        self.headroom = HeadroomDetail(context)
        body.addWidget(self.headroom)
        body.addWidget(label(_("Why the others are out"), "section"))
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(_("Filter by card, machine or reason"))
        self.filter.setAccessibleName(_("Filter the rejected candidates"))
        self.filter.setClearButtonEnabled(True)
        self.filter.setAcceptDrops(False)  # a file is the window's to take
        self.filter.textChanged.connect(self._on_filter)
        body.addWidget(self.filter)
        self.tree = QTreeWidget()
        self.tree.setAccessibleName(_("Rejected candidates"))
        self.tree.setHeaderLabels([_("Candidate"), _("Reason")])
        self.tree.setColumnWidth(0, CANDIDATE_WIDTH)
        self.tree.setFixedHeight(TREE_HEIGHT)
        self.tree.setUniformRowHeights(True)
        self.tree.itemExpanded.connect(self._on_expanded)
        self.tree.currentItemChanged.connect(self._on_item)
        body.addWidget(self.tree)
        self.hint = label(_("Select a candidate to see every reason and what would make it fit."), "small", wrap=True)
        body.addWidget(self.hint)
        self.detail = FitDetail(context)
        body.addWidget(self.detail)

    @property
    def busy_now(self) -> bool:
        """Whether something is being computed."""
        return self.detail.busy_now or self.headroom.busy_now

    def close_runner(self) -> None:
        """Stop computing for good."""
        self.detail.close_runner()
        self.headroom.close_runner()

    def show_recommendation(self, recommendation: Recommendation) -> None:
        """Show the grounds and rejections of a recommendation."""
        if recommendation is self._shown:
            return
        self._shown = recommendation
        while (item := self._grounds_body.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        plans = [*([recommendation.chosen] if recommendation.chosen else []), *recommendation.alternatives]
        for plan in plans[:MOST_PLANS]:
            self._add_plan(plan)
        self.headroom.show_plans(plans, recommendation.scenario.headroom)
        self._group(recommendation)

    def _add_plan(self, plan: Plan) -> None:
        texts = self._context.texts
        self._grounds_body.addWidget(label(plan_title(plan, texts), "section", wrap=True))
        tasks = (*plan.placements, *plan.serving)
        told = {reason for placed in tasks for reason in placed.reasons}
        sentences = [texts.reason(reason) for reason in plan.reasons if reason not in told]
        for placed in tasks:
            sentences += [texts.task_reason(reason, placed.workload.name) for reason in placed.reasons]
        text = "\n".join(f"•  {sentence}" for sentence in dict.fromkeys(sentences))
        line = label(text, wrap=True)
        line.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._grounds_body.addWidget(line)

    def _group(self, recommendation: Recommendation) -> None:
        """One line per card; its candidates are worded when it is opened or searched."""
        texts = self._context.texts
        groups: dict[str, list[Rejection]] = {}
        for rejection in recommendation.rejected:
            groups.setdefault(rejection.card.name, []).append(rejection)
        self._waiting = {}
        self.tree.clear()
        for name, rejections in groups.items():
            count = texts.ngettext("{count} candidate", "{count} candidates", len(rejections))
            top = QTreeWidgetItem([name, count.format(count=len(rejections))])
            top.setChildIndicatorPolicy(QTreeWidgetItem.ChildIndicatorPolicy.ShowIndicator)
            self.tree.addTopLevelItem(top)
            self._waiting[self.tree.topLevelItemCount() - 1] = rejections
        if self.filter.text():
            self._on_filter(self.filter.text())

    def fill_all(self) -> None:
        """Word every candidate."""
        for number in list(self._waiting):
            self._fill(self.tree.topLevelItem(number), number)

    def _fill(self, top: QTreeWidgetItem, number: int) -> None:
        texts = self._context.texts
        for rejection in self._waiting.pop(number, []):
            machine = texts.name(rejection.system.id) if rejection.system else ""
            sentences = [texts.reason(reason) for reason in rejection.reasons]
            child = QTreeWidgetItem([f"{rejection.cards} ×  {machine}".strip(), " ".join(sentences)])
            child.setToolTip(1, "\n".join(sentences))
            child.setData(0, Qt.ItemDataRole.UserRole, rejection)
            top.addChild(child)

    @Slot(QTreeWidgetItem, QTreeWidgetItem)
    def _on_item(self, current: QTreeWidgetItem | None, _previous: QTreeWidgetItem | None) -> None:
        rejection = None if current is None else current.data(0, Qt.ItemDataRole.UserRole)
        shown = rejection if isinstance(rejection, Rejection) and self._shown is not None else None
        headroom = 0.0 if self._shown is None else self._shown.scenario.headroom
        self.hint.setVisible(shown is None)
        self.detail.show_rejection(shown, headroom)

    @Slot(QTreeWidgetItem)
    def _on_expanded(self, top: QTreeWidgetItem) -> None:
        self._fill(top, self.tree.indexOfTopLevelItem(top))

    @Slot(str)
    def _on_filter(self, text: str) -> None:
        wanted = text.casefold().strip()
        if wanted:
            self.fill_all()
        for number in range(self.tree.topLevelItemCount()):
            top = self.tree.topLevelItem(number)
            whole = wanted in top.text(0).casefold()
            shown = int(whole)
            for index in range(top.childCount()):
                child = top.child(index)
                hit = whole or wanted in f"{child.text(0)} {child.text(1)}".casefold()
                child.setHidden(not hit)
                shown += hit
            top.setHidden(shown == 0)
            top.setExpanded(bool(wanted) and not whole)
