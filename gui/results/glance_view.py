"""The recommendation in one glance: card, count, machine, bridge, verdict, free memory, price, power."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QWidget

from engine.plan.types import Plan, Recommendation
from engine.prices import GuidePrice
from gui.context import Context
from gui.sources import figure_lines, shown_price_lines
from gui.theme import STEP
from gui.verdict import VerdictLabel
from gui.widgets import Panel, column, label

TILES = 5


class GlanceView(Panel):
    """What is advised, big; the numbers as tiles below, each with its source on hover."""

    def __init__(self, context: Context) -> None:
        super().__init__(margin=5 * STEP)
        self._context = context
        self._title = label("", "hero", wrap=True)
        self._subtitle = label("", "muted", wrap=True)
        self._verdict = VerdictLabel(context)
        self._ground = label("", wrap=True)
        self._tiles = QGridLayout()
        self._tiles.setHorizontalSpacing(5 * STEP)
        self._tiles.setVerticalSpacing(3 * STEP)
        head = QHBoxLayout()
        head.addWidget(self._title, 1)
        head.addWidget(self._verdict, 0, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignRight)
        self.body.addLayout(head)
        self.body.addWidget(self._subtitle)
        self.body.addWidget(self._ground)
        self.body.addLayout(self._tiles)

    @property
    def title(self) -> str:
        """What stands big on top."""
        return self._title.text()

    def show_recommendation(self, recommendation: Recommendation) -> None:
        """Show the chosen plan, or that there is none."""
        texts = self._context.texts
        plan = recommendation.chosen
        self._clear()
        self._verdict.setVisible(plan is not None)
        self._ground.setVisible(plan is not None)
        if plan is None:
            self._title.setText(texts.gettext("No system carries every workload"))
            self._subtitle.setText(
                texts.gettext("Below: what each card lacks. Another method, a shorter sequence or fewer limits help.")
            )
            self._ground.setText("\n".join(texts.reason(reason) for reason in recommendation.beyond))
            self._ground.setVisible(bool(recommendation.beyond))
            return
        self._title.setText(f"{plan.cards} × {plan.card.name}")
        self._subtitle.setText(self._machine(plan))
        self._verdict.show_verdict(plan.verdict)
        self._ground.setText(texts.reason(plan.reasons[0]) if plan.reasons else "")
        for number, (value, caption, tip) in enumerate(self._facts(plan, recommendation)):
            self._tiles.addWidget(_tile(value, caption, tip), number // TILES, number % TILES)
        for position in range(TILES):
            self._tiles.setColumnStretch(position, 1)

    def _machine(self, plan: Plan) -> str:
        texts = self._context.texts
        parts = [texts.gettext("in {system}").format(system=texts.name(plan.system.id))]
        if plan.bridging is not None:
            count = plan.bridging.count
            bridge = texts.ngettext("{count} NVLink bridge, {size}-way", "{count} NVLink bridges, {size}-way", count)
            parts.append(bridge.format(count=count, size=plan.bridging.size))
        if plan.power_cap_w is not None:
            parts.append(texts.gettext("cards limited to {power}").format(power=texts.watts(plan.power_cap_w)))
        return " · ".join(parts)

    def _facts(self, plan: Plan, recommendation: Recommendation) -> list[tuple[str, str, str]]:
        texts = self._context.texts
        _ = texts.gettext
        usable = plan.card.usable_bytes
        tip = "\n".join([_("Usable: {size}").format(size=texts.size(usable.value)), *figure_lines(usable, texts)])
        facts = [(texts.signed_size(plan.free_bytes), _("free per card, at least"), tip)]
        facts.append(self._price(plan))
        facts.append((texts.watts(plan.power_w), _("under load"), "\n".join(figure_lines(plan.card.power_w, texts))))
        if plan.monthly_utilisation is not None:
            facts.append((texts.percent(plan.monthly_utilisation.expected), _("of the month in use"), ""))
        if plan.cost_per_month is not None:
            years = recommendation.scenario.horizon_years
            caption = texts.ngettext("per month over {count} year", "per month over {count} years", years)
            facts.append((texts.money(plan.cost_per_month), caption.format(count=years), ""))
        return facts

    def _price(self, plan: Plan) -> tuple[str, str, str]:
        texts = self._context.texts
        _ = texts.gettext
        lines = []
        for position in plan.price.positions:
            lines.append(f"{position.quantity} × {position.name}: {_unit(position.unit, self._context)}")
            origin = shown_price_lines(position.unit, texts, customer=self._context.customer_view)
            lines.extend(f"    {text}" for text in origin)
        tip = "\n".join(lines)
        if plan.price.gaps:
            names = ", ".join(texts.name(item) for item in plan.price.gaps)
            if not plan.price.priced.amount:
                return _("on request"), names, tip
            caption = _("net, without: {names} (on request)").format(names=names)
            return texts.money(plan.price.priced), caption, tip
        return texts.money(plan.price.priced), _("net · {basis}").format(basis=texts.label(plan.price.basis)), tip

    def _clear(self) -> None:
        while (item := self._tiles.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()


def _unit(price: GuidePrice, context: Context) -> str:
    return context.texts.gettext("on request") if price.net is None else context.texts.money(price.net)


def _tile(value: str, caption: str, tip: str) -> QWidget:
    made = QWidget()
    body = column(made, spacing=0)
    number: QLabel = label(value, "title")
    number.setAccessibleDescription(caption)
    number.ensurePolished()
    number.setFixedHeight(number.sizeHint().height())
    body.addWidget(number)
    body.addWidget(label(caption, "small", wrap=True))
    body.addStretch(1)
    made.setToolTip(tip)
    return made
