"""Guide prices of the catalogue with their marks, and the seller's own prices beside them."""

from __future__ import annotations

from datetime import date
from enum import StrEnum

from PySide6.QtCore import QObject, Qt

from catalog.consultation.document import Consultation
from engine.figures import Basis
from engine.prices import GuidePrice, PriceAge, PriceBasis
from engine.pricing import guide_price
from engine.units import Money
from engine.wording.items import item_name
from gui.context import Context
from gui.draft import with_price
from gui.pages.own_value_table import TOP, Index, OwnValueTable
from gui.sources import price_lines

NAME, GUIDE, BASIS, OWN = range(4)
WORDS: dict[PriceBasis, StrEnum] = {
    PriceBasis.SELLER: PriceBasis.SELLER,
    PriceBasis.PUBLISHED: Basis.PUBLISHED,
    PriceBasis.ESTIMATED: Basis.ESTIMATED,
}


class PriceTable(OwnValueTable):
    """One row per card, machine and item; only the own price can be edited."""

    right = frozenset({GUIDE, OWN})

    def __init__(self, context: Context, today: date, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self._today = today
        facts = context.catalog.facts
        self._ids = [*facts.cards, *facts.systems, *facts.items]
        self._guides: dict[str, GuidePrice] = {}
        self._currency = ""
        self._day: date | None = None
        _ = context.texts.gettext
        self._titles = (_("Item"), _("Guide price, net"), _("What it rests on"), _("Own price, net"))
        self.refresh(context.document.consultation)

    def refresh(self, document: Consultation) -> None:
        """Show the document's prices; guide prices are looked up again when currency or day change."""
        day = document.date or self._today
        if (document.currency, day) != (self._currency, self._day):
            self.beginResetModel()
            self._currency, self._day = document.currency, day
            facts = self._context.catalog.facts
            self._guides = {item: guide_price(item, facts, self._currency, day) for item in self._ids}
            self.endResetModel()
        else:
            self.show_own()

    def item_id(self, row: int) -> str:
        """The item of a row."""
        return self._ids[row]

    def rowCount(self, parent: Index = TOP) -> int:  # noqa: N802  # Qt's name
        return 0 if parent.isValid() else len(self._ids)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        item = self._ids[index.row()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self.alignment(index.column())
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return self._shown(item, index.column(), editing=role == Qt.ItemDataRole.EditRole)
        if role == Qt.ItemDataRole.ToolTipRole:
            texts = self._context.texts
            return "\n".join([item_name(texts.name(item), texts.tr), *price_lines(self._guides[item], texts)])
        return None

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:  # noqa: N802  # Qt
        if role != Qt.ItemDataRole.EditRole or index.column() != OWN:
            return False
        item, document = self._ids[index.row()], self._context.document
        return self.take(
            str(value).strip(),
            lambda amount: with_price(document.consultation, item, amount),
            self._context.texts.gettext("Change own price"),
        )

    def _shown(self, item: str, column: int, *, editing: bool) -> str:
        texts, guide = self._context.texts, self._guides[item]
        if column == NAME:
            return item_name(texts.name(item), texts.tr)
        if column == GUIDE:
            return texts.gettext("on request") if guide.net is None else texts.money(guide.net)
        if column == BASIS:
            return _basis(guide, self._context)
        own = self._context.document.consultation.prices.get(item)
        if own is None:
            return ""
        return texts.plain(own) if editing else texts.exact_money(Money(own, self._currency))


def _basis(guide: GuidePrice, context: Context) -> str:
    texts = context.texts
    if guide.basis is PriceBasis.ON_REQUEST:
        return ""
    parts = [texts.label(WORDS[guide.basis])]
    if guide.price is not None:
        parts.append(texts.recorded_date(guide.price.as_of))
    if guide.age in (PriceAge.OLD, PriceAge.EXPIRED):
        parts.append(texts.label(guide.age))
    return " · ".join(parts)
