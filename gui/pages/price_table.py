"""Guide prices of the catalogue with their marks, and the seller's own prices beside them."""

from __future__ import annotations

from datetime import date
from enum import StrEnum

from PySide6.QtCore import QObject

from catalog.consultation.document import Consultation
from engine.figures import Basis
from engine.prices import GuidePrice, PriceAge, PriceBasis
from engine.pricing import guide_price
from engine.units import Money
from engine.wording.catalogue_texts import item_name
from gui.column_table import Column
from gui.context import Context
from gui.draft import with_price
from gui.pages.own_value_table import OwnValueTable
from gui.sources import price_lines

WORDS: dict[PriceBasis, StrEnum] = {
    PriceBasis.SELLER: PriceBasis.SELLER,
    PriceBasis.PUBLISHED: Basis.PUBLISHED,
    PriceBasis.ESTIMATED: Basis.ESTIMATED,
}


class PriceTable(OwnValueTable[str]):
    """One row per card, machine and item; only the own price can be edited."""

    def __init__(self, context: Context, today: date, parent: QObject | None = None) -> None:
        _ = context.texts.gettext
        columns: list[Column[str]] = [
            Column(_("Item"), self._name),
            Column(_("Guide price, net"), self._guide, 124, number=True),
            Column(_("What it rests on"), lambda item: _basis(self._guides[item], context), 190),
            Column(_("Own price, net"), self._own, 150, number=True),
        ]
        super().__init__(context, columns, parent)
        self._today = today
        facts = context.catalog.facts
        self.rows = (*facts.cards, *facts.systems, *facts.items)
        self._guides: dict[str, GuidePrice] = {}
        self._currency = ""
        self._day: date | None = None
        self.refresh(context.document.consultation)

    def refresh(self, document: Consultation) -> None:
        """Show the document's prices; guide prices are looked up again when currency or day change."""
        day = document.date or self._today
        if (document.currency, day) != (self._currency, self._day):
            self._currency, self._day = document.currency, day
            facts = self._context.catalog.facts
            self._guides = {item: guide_price(item, facts, self._currency, day) for item in self.rows}
            self.show_rows(self.rows)
        else:
            self.show_own()

    def tip(self, row: str, _column: Column[str]) -> str:
        """What the guide price rests on."""
        return "\n".join([self._name(row), *price_lines(self._guides[row], self._context.texts)])

    def typed(self, row: str) -> str:
        own = self._context.document.consultation.prices.get(row)
        return "" if own is None else self._context.texts.plain(own)

    def change(self, row: str, text: str) -> bool:
        document = self._context.document
        return self.take(
            text,
            lambda amount: with_price(document.consultation, row, amount),
            self._context.texts.gettext("Change own price"),
        )

    def _name(self, item: str) -> str:
        texts = self._context.texts
        return item_name(texts.name(item), texts.tr)

    def _guide(self, item: str) -> str:
        texts, net = self._context.texts, self._guides[item].net
        return texts.gettext("on request") if net is None else texts.money(net)

    def _own(self, item: str) -> str:
        own = self._context.document.consultation.prices.get(item)
        return "" if own is None else self._context.texts.exact_money(Money(own, self._currency))


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
