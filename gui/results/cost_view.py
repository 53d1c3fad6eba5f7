"""Buying against renting: the decision in words, cost over time, and what moves the answer."""

from __future__ import annotations

from decimal import Decimal

from PySide6.QtCore import Slot

from engine.cost.compare import RentOrBuyReport, compare
from engine.cost.sensitivity import CaseInput, CostOverTime, Swing, TimePoint
from engine.cost.types import EconomicsKey
from engine.errors import PassformError
from engine.pictures.cost_over_time import TimeWords, cost_over_time_chart
from engine.pictures.shapes import Picture, Style
from engine.pictures.tornado import TornadoWords, tornado_chart
from engine.plan.types import Recommendation
from engine.progress import Progress
from engine.units import Money
from engine.wording.decisions import decision_sentence, verdict_sentence
from engine.wording.renting import renting_label
from gui.context import Context
from gui.picture_view import PictureView
from gui.results.computed_view import ComputedView
from gui.results.origins import renting_origin, swing_origin, swing_value
from gui.theme import STEP
from gui.widgets import column, label, set_role


class CostView(ComputedView):
    """Computes the comparison off the GUI thread when it is looked at."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._asked: Recommendation | None = None  # what is shown, or being computed
        _ = context.texts.gettext
        body = column(self, spacing=2 * STEP)
        self.verdict = label("", "section", wrap=True)
        self.grounds = label("", "muted", wrap=True)
        self.time_title = label(_("Cost over time"), "section")
        self.over_time = PictureView(context, _("Cost over time"))
        self.tornado_title = label(_("What moves the answer"), "section")
        self.tornado = PictureView(context, _("What moves the answer"))
        for widget in (
            self.verdict,
            self.grounds,
            self.time_title,
            self.over_time,
            self.tornado_title,
            self.tornado,
        ):
            body.addWidget(widget)
        self._runner.finished.connect(self._on_report)
        self._runner.failed.connect(self._on_failed)

    def show_recommendation(self, recommendation: Recommendation) -> None:
        """Compare for another recommendation."""
        if recommendation is self._asked:
            return
        self._asked, facts = recommendation, self._context.catalog.facts

        def job(progress: Progress) -> RentOrBuyReport:
            progress(0, 1)
            return compare(recommendation, facts)

        self._runner.start(job)

    @Slot(object)
    def _on_report(self, report: RentOrBuyReport) -> None:
        texts = self._context.texts
        set_role(self.verdict, "section")
        self.verdict.setText(verdict_sentence(report.decision.verdict, texts.tr))
        sentences = [
            decision_sentence(ground, report.currency, texts.tr, texts.language) for ground in report.decision.reasons
        ]
        if report.price_uses_stand_ins:
            sentences.append(texts.gettext("Prices of related items stand in for those on request."))
        self.grounds.setText("\n".join(f"•  {sentence}" for sentence in sentences))
        self._show_time(report)
        self._show_tornado(report)

    @Slot(object)
    def _on_failed(self, error: PassformError) -> None:
        self._asked = None
        set_role(self.verdict, "error")
        self.verdict.setText(self._context.texts.error(error))
        self.grounds.setText("")

    def _show_time(self, report: RentOrBuyReport) -> None:
        series = report.over_time
        self.time_title.setVisible(series is not None)
        self.over_time.setVisible(series is not None)
        if series is None:
            self.over_time.show_picture(None)
            return
        words = time_words(self._context, report, series)

        def build(style: Style) -> Picture:
            return cost_over_time_chart(series, words, style)

        self.over_time.show_picture(build)

    def _show_tornado(self, report: RentOrBuyReport) -> None:
        swings = report.tornado
        self.tornado_title.setVisible(bool(swings))
        self.tornado.setVisible(bool(swings))
        if not swings:
            self.tornado.show_picture(None)
            return
        words = tornado_words(self._context, report)

        def build(style: Style) -> Picture:
            return tornado_chart(swings, words, style)

        self.tornado.show_picture(build)


def time_words(context: Context, report: RentOrBuyReport, series: CostOverTime) -> TimeWords:
    """What cost over time says."""
    texts, currency = context.texts, report.currency
    origin = renting_origin(report, texts)
    _ = texts.gettext

    def tip(point: TimePoint) -> str:
        return _("Month {month}: owning {owning}, renting {renting}").format(
            month=texts.integer(point.month), owning=texts.money(point.owning), renting=texts.money(point.renting)
        )

    def crossing(month: int) -> str:
        return _("owning is cheaper from month {month}").format(month=texts.integer(month))

    last = series.points[-1]
    return TimeWords(
        money=lambda amount: texts.money(Money(amount, currency)),
        month=texts.integer,
        owning=_("owning"),
        renting=_("renting"),
        month_title=_("Months"),
        tip=lambda point: f"{tip(point)}\n{origin}",
        crossing=crossing,
        description=tip(last) if series.crossing_month is None else f"{crossing(series.crossing_month)}. {tip(last)}",
    )


def tornado_words(context: Context, report: RentOrBuyReport) -> TornadoWords:
    """What the tornado says."""
    texts = context.texts
    _ = texts.gettext

    def name(swing: Swing) -> str:
        if isinstance(swing.key, CaseInput):
            return renting_label(swing.key, texts.tr)
        return texts.label(swing.key)

    def end(key: EconomicsKey | CaseInput, number: Decimal) -> str:
        return swing_value(key, float(number), report.currency, texts)

    def tip(swing: Swing) -> str:
        lines = [
            name(swing),
            _("at {value}: buying saves {amount}").format(
                value=end(swing.key, swing.low_value), amount=texts.money(swing.saving_at_low)
            ),
            _("at {value}: buying saves {amount}").format(
                value=end(swing.key, swing.high_value), amount=texts.money(swing.saving_at_high)
            ),
        ]
        if swing.flips:
            lines.append(_("This input alone can turn the answer."))
        origin = swing_origin(swing.key, report, context)
        return "\n".join([*lines, *([origin] if origin else [])])

    title = texts.ngettext(
        "Saving by buying over {count} year", "Saving by buying over {count} years", report.assumptions.years
    )
    return TornadoWords(
        name=name,
        money=lambda amount: texts.money(Money(amount, report.currency)),
        tip=tip,
        title=title.format(count=report.assumptions.years),
        description="\n".join(tip(swing) for swing in report.tornado),
    )
