"""The rows of a price list as a table: what each would do, filtered by what still needs a look."""

from __future__ import annotations

from collections.abc import Collection
from decimal import Decimal

from PySide6.QtCore import QObject

from catalog.prices_import.preview import Preview, Row, Status
from catalog.prices_import.words import status_words
from engine.pictures.palette import Ink
from engine.units import Money
from gui.column_table import Column, ColumnTable
from gui.context import Context
from gui.texts import Texts

INKS = {Status.READY: Ink.FITS, Status.CONFIRM: Ink.TIGHT, Status.ON_REQUEST: Ink.MUTED, Status.LEFT_OUT: Ink.MUTED}
TO_SEE = frozenset(
    {
        Status.CONFIRM,
        Status.UNKNOWN,
        Status.BAD_AMOUNT,
        Status.BAD_FIELD,
        Status.NO_CURRENCY,
        Status.DUPLICATE,
        Status.ON_REQUEST,
    }
)


class ImportModel(ColumnTable[Row]):
    """Rows of the chosen kinds; blank ones never show."""

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        texts = context.texts
        _ = texts.gettext
        columns: list[Column[Row]] = [
            Column(_("Line"), lambda row: texts.integer(row.line), 56, number=True),
            Column(_("Name in the list"), _name),
            Column(_("Amount"), lambda row: _amount(row, texts), 130, number=True),
            Column(_("Entry of the catalogue"), lambda row: texts.name(row.item_id) if row.item_id else "", 220),
            Column(
                _("What becomes of it"),
                lambda row: status_words(row, texts.tr),
                ink=lambda row: INKS.get(row.status, Ink.NO),
            ),
        ]
        super().__init__(context, columns, parent)

    def show_preview(self, preview: Preview | None, wanted: Collection[Status]) -> None:
        """Show the rows of these kinds."""
        rows = () if preview is None else preview.rows
        self.show_rows([row for row in rows if row.status in wanted and row.status is not Status.BLANK])


def _name(row: Row) -> str:
    return " · ".join(part for part in (row.name, row.part_number) if part)


def _amount(row: Row, texts: Texts) -> str:
    if row.amount is None:
        return row.amount_text
    return texts.exact_money(Money(row.amount, row.currency)) if row.currency else texts.plain(Decimal(row.amount))
