"""The third page: what decides, how much there is to spend, and the prices it is computed with."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from PySide6.QtCore import QSortFilterProxyModel, Qt, Slot
from PySide6.QtWidgets import QButtonGroup, QHeaderView, QLineEdit, QRadioButton, QTableView, QWidget

from engine.workload import Priority
from gui.context import Context
from gui.draft import amended
from gui.pages.page import Page
from gui.pages.price_table import BASIS, GUIDE, NAME, OWN, PriceTable
from gui.theme import STEP
from gui.widgets import Choice, Form, NumberField, Panel, label

CURRENCIES = ("EUR", "USD", "CHF", "GBP")
TABLE_HEIGHT = 320


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
        self.body.addWidget(label(_("Prices"), "title"))
        remark = _("Guide prices are dated and marked. An own price overrides them in this consultation only.")
        self.body.addWidget(label(remark, "muted", wrap=True))
        self._build_prices(today)
        self.body.addStretch(1)
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
        for field, title, why, commit in (
            (self.budget, _("Budget, net"), _("Empty: no limit"), self._on_budget),
            (self.horizon, _("Horizon in years"), _("Default: 3. Over it purchase is spread"), self._on_horizon),
            (
                self.headroom,
                _("Headroom in percent"),
                _("Default: 15. Added to the expected need of memory; 15 to 30 is usual"),
                self._on_headroom,
            ),
        ):
            self.watch(field)
            form.add(title, field, why)
            field.committed.connect(commit)

    def _build_prices(self, today: date) -> None:
        _ = self.context.texts.gettext
        panel = Panel()
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(_("Filter by name"))
        self.filter.setAccessibleName(_("Filter the prices"))
        self.filter.setClearButtonEnabled(True)
        self.error = label("", "error", wrap=True)
        self.error.hide()
        self.table = QTableView()
        self.prices = PriceTable(self.context, today, self.table)
        self.prices.refused.connect(self._show_error)
        proxy = QSortFilterProxyModel(self.table)
        proxy.setSourceModel(self.prices)
        proxy.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        proxy.setFilterKeyColumn(NAME)
        self.filter.textChanged.connect(proxy.setFilterFixedString)
        self.table.setModel(proxy)
        self.table.setAccessibleName(_("Prices"))
        self.table.setShowGrid(False)
        self.table.setTabKeyNavigation(False)
        self.table.setWordWrap(False)
        self.table.verticalHeader().hide()
        self.table.setFixedHeight(TABLE_HEIGHT)
        header = self.table.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        for column, width in ((GUIDE, 124), (BASIS, 200), (OWN, 150)):
            self.table.setColumnWidth(column, width)
        for widget in (self.filter, self.error, self.table):
            panel.body.addWidget(widget)
        self.body.addWidget(panel)

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
    def _show_error(self, text: str) -> None:
        self.error.setText(text)
        self.error.setVisible(bool(text))
