"""The assumptions of the cost side with their defaults and ranges, and the customer's own values beside them."""

from __future__ import annotations

from decimal import Decimal

from PySide6.QtCore import QObject, Qt

from catalog.consultation.document import Consultation
from engine.cost.types import MONEY_KEYS, Assumption, EconomicsKey
from engine.units import Money
from engine.wording import numbers
from gui.context import Context
from gui.draft import with_assumption
from gui.pages.own_value_table import TOP, Index, OwnValueTable
from gui.sources import figure_lines

NAME, DEFAULT, RANGE, OWN = range(4)
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


class AssumptionTable(OwnValueTable):
    """One row per assumption; only the own value can be edited. Shares are shown and typed in percent."""

    right = frozenset({DEFAULT, RANGE, OWN})

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        economics = context.catalog.facts.economics
        self._defaults = dict(economics.assumptions) if economics else {}
        self._currency = economics.currency if economics else ""
        self._keys = list(EconomicsKey) if economics else []
        _ = context.texts.gettext
        self._titles = (_("Assumption"), _("Default"), _("Usual range"), _("Own value"))

    def refresh(self, _document: Consultation) -> None:
        """Show the document's values."""
        self.show_own()

    def key(self, row: int) -> EconomicsKey:
        """The assumption of a row."""
        return self._keys[row]

    def rowCount(self, parent: Index = TOP) -> int:  # noqa: N802  # Qt's name
        return 0 if parent.isValid() else len(self._keys)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        key = self._keys[index.row()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self.alignment(index.column())
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return self._shown(key, index.column(), editing=role == Qt.ItemDataRole.EditRole)
        default = self._defaults.get(key)
        if role == Qt.ItemDataRole.ToolTipRole and default is not None:
            return "\n".join([self._context.texts.label(key), *figure_lines(default.figure, self._context.texts)])
        return None

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:  # noqa: N802  # Qt
        if role != Qt.ItemDataRole.EditRole or index.column() != OWN:
            return False
        texts, document = self._context.texts, self._context.document
        key = self._keys[index.row()]

        def change(amount: Decimal | None) -> Consultation:
            typed = amount / 100 if amount is not None and key in SHARES else amount
            return with_assumption(document.consultation, key, typed)

        title = texts.gettext("Change {field}").format(field=texts.label(key))
        return self.take(str(value).replace("%", "").strip(), change, title)

    def _shown(self, key: EconomicsKey, column: int, *, editing: bool) -> str:
        texts = self._context.texts
        default = self._defaults.get(key)
        if column == NAME:
            return texts.label(key)
        if column == DEFAULT:
            return (
                texts.gettext("from the planned load") if default is None else self._worded(key, default.figure.value)
            )
        if column == RANGE:
            return "" if default is None else self._range(key, default)
        own = self._context.document.consultation.ownership.assumptions.get(key)
        if own is None:
            return ""
        if editing:
            return texts.plain(own * 100 if key in SHARES else own)
        return self._worded(key, own, self._context.document.consultation.currency)

    def _range(self, key: EconomicsKey, default: Assumption) -> str:
        if default.low == default.high:
            return ""
        return f"{self._worded(key, default.low)} – {self._worded(key, default.high)}"

    def _worded(self, key: EconomicsKey, value: Decimal, currency: str = "") -> str:
        texts = self._context.texts
        if key in SHARES:
            return texts.percent(float(value))
        if key in MONEY_KEYS:
            return numbers.money(Money(value, currency or self._currency), texts.language)
        return texts.plain(value)
