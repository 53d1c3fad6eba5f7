"""The third page: what decides, how much there is to spend, and the prices it is computed with."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QButtonGroup, QCheckBox, QRadioButton, QWidget

from catalog.consultation.document import Consultation, OwnershipRow
from engine.speed.types import StackClass
from engine.workload import Priority
from gui.context import Context
from gui.draft import amended
from gui.pages.assumption_table import AssumptionTable
from gui.pages.filtered_table import FilteredTable
from gui.pages.own_run_section import OwnRunSection
from gui.pages.page import Page
from gui.pages.price_table import PriceTable
from gui.theme import STEP
from gui.widgets import Choice, DayField, Form, NumberField, Panel, label

CURRENCIES = ("EUR", "USD", "CHF", "GBP")
NOT_ASKED = "not-asked"


class GoalsPage(Page):
    """Edits priority, budget, horizon, headroom and prices."""

    def __init__(self, context: Context, today: date) -> None:
        _ = context.texts.gettext
        super().__init__(context, _("Goals and prices"))
        self.body.addWidget(label(_("What decides between systems that fit?"), "title", wrap=True))
        self.body.addWidget(self._priorities())
        panel = Panel()
        form = Form()
        self._build_fields(form)
        panel.body.addWidget(form)
        self.body.addWidget(panel)
        self.error = label("", "error", wrap=True)
        self.error.hide()
        self.body.addWidget(self.error)
        self._build_prices(today)
        self._build_running()
        if context.customer_view:
            for widget in (self.prices_title, self.prices_remark, self.price_panel):
                widget.hide()
        self.body.addStretch(1)
        context.document.replaced.connect(self._forget_error)
        self.refresh()

    def initial_focus(self) -> QWidget:
        """The chosen priority."""
        return self.radios[self.context.document.consultation.priority]

    def refresh(self) -> None:
        """Show the document."""
        document = self.context.document.consultation
        self.radios[document.priority].setChecked(True)
        self.budget.show_value(document.budget)
        self.horizon.show_value(document.horizon_years)
        self.headroom.show_value(document.headroom_percent)
        if self.currency.findData(document.currency) < 0:
            self.currency.addItem(document.currency, document.currency)
        self.currency.show_value(document.currency)
        self.prices.refresh(document)
        self.stack.show_value(document.stack.value if document.stack else NOT_ASKED)
        answers = {None: NOT_ASKED, True: "yes", False: "no"}
        self.weights.show_value(answers[document.ownership.needs_own_weights])
        self.leaves.show_value(answers[document.ownership.data_may_leave])
        self.spot.setChecked(document.ownership.allow_spot)
        self.lease.show_value(document.ownership.lease_per_month)
        self.worth.show_value(document.ownership.checkpoint_value)
        self.day.show_day(document.date)
        self.own_runs.refresh(document)
        self.assumptions.refresh(document)

    def _priorities(self) -> QWidget:
        texts = self.context.texts
        _ = texts.gettext
        remarks = {
            Priority.PURCHASE_PRICE: _("The cheapest system that carries every workload"),
            Priority.COST_PER_RUN: _("Purchase, power and operation over the horizon, per finished run"),
            Priority.TIME: _("The shortest month of computing, within the budget when there is one"),
        }
        panel = Panel(spacing=0)
        self.radios: dict[Priority, QRadioButton] = {}
        self._group = QButtonGroup(self)
        for priority in Priority:
            word = texts.label(priority)
            made = QRadioButton(word[:1].upper() + word[1:])
            made.setAccessibleDescription(remarks[priority])
            self.radios[priority] = made
            self._group.addButton(made)
            remark = label(remarks[priority], "small", wrap=True)
            remark.setContentsMargins(7 * STEP, 0, 0, 2 * STEP)
            panel.body.addWidget(made)
            panel.body.addWidget(remark)
        self._group.buttonClicked.connect(self._on_priority)
        return panel

    def _build_fields(self, form: Form) -> None:
        _ = self.context.texts.gettext
        self.budget = NumberField(self.context.texts, whole=False, optional=True)
        self.horizon = NumberField(self.context.texts)
        self.headroom = NumberField(self.context.texts)
        self.currency = Choice()
        self.currency.offer((code, code) for code in CURRENCIES)
        self.currency.chosen.connect(self._on_currency)
        form.add(_("Currency"), self.currency, _("Prices in other currencies are converted at dated rates and marked"))
        self.day = DayField(self.context.texts)
        self.day.setPlaceholderText(_("today"))
        self.watch(self.day)
        self.day.committed.connect(self._on_day)
        form.add(_("Day of the prices"), self.day, _("Empty: today. Ages of prices and rates are counted from it"))
        for field, title, why, commit in (
            (self.budget, _("Budget, net"), _("Empty: no limit"), self._on_budget),
            (self.horizon, _("Horizon in years"), _("Default: 3. Over it purchase is spread"), self._on_horizon),
            (
                self.headroom,
                _("Headroom in percent"),
                _("Default: 15. Added to the live memory of the peak; 15 to 30 is usual"),
                self._on_headroom,
            ),
        ):
            self.watch(field)
            form.add(title, field, why)
            field.committed.connect(commit)

    def _build_prices(self, today: date) -> None:
        _ = self.context.texts.gettext
        self.prices_title = label(_("Prices"), "title")
        remark = _("Guide prices are dated and marked. An own price overrides them in this consultation only.")
        self.prices_remark = label(remark, "muted", wrap=True)
        self.body.addWidget(self.prices_title)
        self.body.addWidget(self.prices_remark)
        self.prices = PriceTable(self.context, today, self)
        self.prices.refused.connect(self._show_error)
        self.price_panel = FilteredTable(self.context, self.prices, _("Prices"))
        self.filter = self.price_panel.filter
        self.body.addWidget(self.price_panel)

    def _build_running(self) -> None:
        texts = self.context.texts
        _ = texts.gettext
        self.body.addWidget(label(_("Operation and running cost"), "title"))
        panel = Panel()
        form = Form()
        self.stack = Choice()
        named = [(item.value, texts.label(item)) for item in StackClass]
        self.stack.offer([(NOT_ASKED, _("not known (tuned is assumed)")), *named])
        self.stack.chosen.connect(self._on_stack)
        form.add(_("Training software"), self.stack, _("Decides about time more than the card does"))
        self.weights = Choice()
        self.weights.offer(((NOT_ASKED, _("not asked")), ("yes", _("yes")), ("no", _("no"))))
        self.weights.chosen.connect(self._on_weights)
        form.add(_("Needs own weights"), self.weights, _("No: a service with its own model would do as well"))
        self.leaves = Choice()
        self.leaves.offer(((NOT_ASKED, _("not asked")), ("yes", _("yes")), ("no", _("no"))))
        self.leaves.chosen.connect(self._on_leaves)
        form.add(_("Data may leave the house"), self.leaves, _("No: renting and services are ruled out"))
        self.spot = QCheckBox(_("Runs may be interrupted"))
        self.spot.setToolTip(_("Then spot offers count when renting"))
        self.spot.setAccessibleDescription(self.spot.toolTip())
        self.spot.clicked.connect(self._on_spot)
        form.add_wide(self.spot)
        self.worth = NumberField(texts, whole=False, optional=True)
        self.watch(self.worth)
        self.worth.committed.connect(self._on_worth)
        form.add(
            _("Worth of a trained model"),
            self.worth,
            _("What one accepted result is worth to the customer, net. Below its cost the answer is not to train"),
        )
        self.lease = NumberField(texts, whole=False, optional=True)
        self.watch(self.lease)
        self.lease.committed.connect(self._on_lease)
        form.add(_("Leasing rate per month"), self.lease, _("Of an offer at hand, net. Empty: purchase"))
        panel.body.addWidget(form)
        self.body.addWidget(panel)
        self.body.addWidget(label(_("Own test runs"), "title"))
        self.own_runs = OwnRunSection(self.context)
        self.body.addWidget(self.own_runs)
        self.body.addWidget(label(_("Assumptions about cost"), "title"))
        self.assumptions = AssumptionTable(self.context, self)
        self.assumptions.refused.connect(self._show_error)
        self.body.addWidget(FilteredTable(self.context, self.assumptions, _("Assumptions about cost")))

    @Slot()
    def _on_priority(self) -> None:
        wanted = next(priority for priority, made in self.radios.items() if made.isChecked())
        self.edit(self.context.texts.gettext("Change priority"), lambda document: amended(document, priority=wanted))

    @Slot(str)
    def _on_currency(self, code: str) -> None:
        self.edit(self.context.texts.gettext("Change currency"), lambda document: amended(document, currency=code))

    @Slot(object)
    def _on_budget(self, value: Decimal | None) -> None:
        text = self.context.texts.gettext("Change budget")
        self.edit(text, lambda document: amended(document, budget=value), self.budget)

    @Slot(object)
    def _on_horizon(self, value: int) -> None:
        text = self.context.texts.gettext("Change horizon")
        self.edit(text, lambda document: amended(document, horizon_years=value), self.horizon)

    @Slot(object)
    def _on_headroom(self, value: int) -> None:
        text = self.context.texts.gettext("Change headroom")
        self.edit(text, lambda document: amended(document, headroom_percent=value), self.headroom)

    @Slot(str)
    def _on_stack(self, value: str) -> None:
        text = self.context.texts.gettext("Change training software")
        chosen = None if value == NOT_ASKED else StackClass(value)
        self.edit(text, lambda document: amended(document, stack=chosen))

    @Slot(str)
    def _on_weights(self, value: str) -> None:
        text = self.context.texts.gettext("Change the need of own weights")
        answer = {"yes": True, "no": False}.get(value)
        self.edit(text, lambda document: _with_ownership(document, needs_own_weights=answer))

    @Slot(str)
    def _on_leaves(self, value: str) -> None:
        text = self.context.texts.gettext("Change where data may go")
        answer = {"yes": True, "no": False}.get(value)
        self.edit(text, lambda document: _with_ownership(document, data_may_leave=answer))

    @Slot(bool)
    def _on_spot(self, allowed: bool) -> None:  # noqa: FBT001  # a Qt signal's argument
        text = self.context.texts.gettext("Change whether runs may be interrupted")
        self.edit(text, lambda document: _with_ownership(document, allow_spot=allowed))

    @Slot(object)
    def _on_worth(self, value: Decimal | None) -> None:
        text = self.context.texts.gettext("Change the worth of a trained model")
        self.edit(text, lambda document: _with_ownership(document, checkpoint_value=value), self.worth)

    @Slot(object)
    def _on_day(self, value: date | None) -> None:
        text = self.context.texts.gettext("Change the day of the prices")
        self.edit(text, lambda document: amended(document, date=value), self.day)

    @Slot(object)
    def _on_lease(self, value: Decimal | None) -> None:
        text = self.context.texts.gettext("Change leasing rate")
        self.edit(text, lambda document: _with_ownership(document, lease_per_month=value), self.lease)

    @Slot()
    def _forget_error(self) -> None:
        self._show_error("")

    @Slot(str)
    def _show_error(self, text: str) -> None:
        self.error.setText(text)
        self.error.setVisible(bool(text))


def _with_ownership(document: Consultation, **changes: object) -> Consultation:
    ownership: OwnershipRow = amended(document.ownership, **changes)
    return amended(document, ownership=ownership)
