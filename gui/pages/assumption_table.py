"""The assumptions of the cost side with their defaults and ranges, and the customer's own values beside them."""

from __future__ import annotations

from decimal import Decimal

from PySide6.QtCore import QObject

from catalog.consultation.document import Consultation
from engine.cost.types import MONEY_KEYS, EconomicsKey
from engine.units import Money
from engine.wording import numbers
from gui.column_table import Column
from gui.context import Context
from gui.draft import with_assumption
from gui.pages.own_value_table import OwnValueTable
from gui.sources import figure_lines

SHARES = frozenset(
    {
        EconomicsKey.LOAD_POWER_SHARE,
        EconomicsKey.IDLE_POWER_SHARE,
        EconomicsKey.RESIDUAL_SHARE,
        EconomicsKey.MAINTENANCE_SHARE,
        EconomicsKey.INTEREST_PER_YEAR,
        EconomicsKey.UTILISATION,
        EconomicsKey.FAILED_RUN_SHARE,
        EconomicsKey.DECISION_MARGIN,
    }
)


class AssumptionTable(OwnValueTable[EconomicsKey]):
    """One row per assumption; only the own value can be edited. Shares are shown and typed in percent."""

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        _ = context.texts.gettext
        columns: list[Column[EconomicsKey]] = [
            Column(_("Assumption"), context.texts.label),
            Column(_("Default"), self._default, 160, number=True),
            Column(_("Usual range"), self._range, 180, number=True),
            Column(_("Own value"), self._own, 110, number=True),
        ]
        super().__init__(context, columns, parent)
        economics = context.catalog.facts.economics
        self._defaults = dict(economics.assumptions) if economics else {}
        self._currency = economics.currency if economics else ""
        self.rows = tuple(EconomicsKey) if economics else ()

    def refresh(self, _document: Consultation) -> None:
        """Show the document's values."""
        self.show_own()

    def tip(self, row: EconomicsKey, _column: Column[EconomicsKey]) -> str | None:
        """Where the default comes from."""
        default = self._defaults.get(row)
        if default is None:
            return None
        return "\n".join([self._context.texts.label(row), *figure_lines(default.figure, self._context.texts)])

    def typed(self, row: EconomicsKey) -> str:
        own = self._stored(row)
        return "" if own is None else self._context.texts.plain(own * 100 if row in SHARES else own)

    def change(self, row: EconomicsKey, text: str) -> bool:
        texts, document = self._context.texts, self._context.document

        def changed(amount: Decimal | None) -> Consultation:
            typed = amount / 100 if amount is not None and row in SHARES else amount
            return with_assumption(document.consultation, row, typed)

        title = texts.gettext("Change {field}").format(field=texts.label(row))
        return self.take(text.replace("%", "").strip(), changed, title)

    def _stored(self, key: EconomicsKey) -> Decimal | None:
        return self._context.document.consultation.ownership.assumptions.get(key)

    def _default(self, key: EconomicsKey) -> str:
        default = self._defaults.get(key)
        if default is None:
            return self._context.texts.gettext("from the planned load")
        return self._worded(key, default.figure.value)

    def _range(self, key: EconomicsKey) -> str:
        default = self._defaults.get(key)
        if default is None or default.low == default.high:
            return ""
        return f"{self._worded(key, default.low)} – {self._worded(key, default.high)}"

    def _own(self, key: EconomicsKey) -> str:
        own = self._stored(key)
        return "" if own is None else self._worded(key, own, self._context.document.consultation.currency)

    def _worded(self, key: EconomicsKey, value: Decimal, currency: str = "") -> str:
        texts = self._context.texts
        if key in SHARES:
            return texts.percent(float(value))
        if key in MONEY_KEYS:
            return numbers.money(Money(value, currency or self._currency), texts.language)
        return texts.plain(value)
