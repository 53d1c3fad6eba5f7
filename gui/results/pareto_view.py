"""Cost per run against hours per run for the selected workload, one point per plan."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from engine.frontier import PlanPoint, plan_points
from engine.pictures.pareto import ParetoWords, pareto_chart
from engine.pictures.shapes import Picture, Style
from engine.plan.types import Recommendation
from engine.units import Money
from gui.context import Context
from gui.picture_view import PictureView
from gui.results.origins import plan_origin
from gui.serving_words import task_names
from gui.theme import STEP
from gui.widgets import column, label


class ParetoView(QWidget):
    """Plans nothing beats in both stand out and are named."""

    plan_chosen = Signal(str)

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        _ = context.texts.gettext
        body = column(self, spacing=2 * STEP)
        self.title = label("", "section")
        self.remark = label("", "small", wrap=True)
        self.chart = PictureView(context, _("Cost per run against hours per run"))
        for widget in (self.title, self.remark, self.chart):
            body.addWidget(widget)
        self.chart.activated.connect(self.plan_chosen)

    def show_recommendation(self, recommendation: Recommendation, workload: int) -> None:
        """Show a workload of a recommendation; what is served has no runs."""
        texts = self._context.texts
        trained = recommendation.scenario.workloads
        if workload >= len(trained):
            self.title.setText(task_names(recommendation)[workload])
            self.remark.setText(texts.gettext("What is served has no runs; its cost stands under Serving."))
            self.chart.hide()
            return
        task = trained[workload]
        points = plan_points(recommendation, task)
        self.title.setText(task.name)
        self.chart.setVisible(bool(points))
        if not points:
            self.remark.setText(texts.gettext("No plan states both time and cost for this workload."))
            self.chart.show_picture(None)
            return
        self.remark.setText(
            texts.gettext("Left and low is better. The line joins the plans that nothing beats in both.")
        )
        words = pareto_words(self._context, points)
        chosen = recommendation.chosen.id if recommendation.chosen else ""

        def build(style: Style) -> Picture:
            return pareto_chart(points, chosen, words, style)

        self.chart.show_picture(build)


def pareto_words(context: Context, points: tuple[PlanPoint, ...]) -> ParetoWords:
    """What the chart says."""
    texts = context.texts
    _ = texts.gettext
    currency = points[0].cost.expected.currency

    def name(point: PlanPoint) -> str:
        return f"{point.plan.cards} × {point.plan.card.short_name}"

    def tip(point: PlanPoint) -> str:
        return "\n".join(
            (
                f"{name(point)} · {texts.name(point.plan.system.id)}",
                _("{hours} per run ({band})").format(
                    hours=texts.hours(point.hours.expected), band=texts.hours_band(point.hours)
                ),
                _("{amount} per run ({band})").format(
                    amount=texts.money(point.cost.expected), band=texts.money_band(point.cost)
                ),
                plan_origin(point.plan, texts),
            )
        )

    return ParetoWords(
        hours=lambda value: texts.plain(round(value, 2)),
        money=lambda amount: texts.money(Money(amount, currency)),
        name=name,
        tip=tip,
        hours_title=_("Hours per run"),
        money_title=_("Cost per run"),
        description="\n".join(tip(point).replace("\n", ", ") for point in points if point.on_front),
    )
