"""The rows of a price list as a table: what each would do, filtered by what still needs a look."""

from __future__ import annotations

from collections.abc import Collection
from decimal import Decimal

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from catalog.prices_import.preview import Preview, Row, Status
from catalog.prices_import.words import status_words
from engine.pictures.palette import Ink
from engine.units import Money
from gui.context import Context

Index = QModelIndex | QPersistentModelIndex
TOP = QModelIndex()
LINE, NAME, AMOUNT, ITEM, STATUS = range(5)
INKS = {Status.READY: Ink.FITS, Status.CONFIRM: Ink.TIGHT, Status.ON_REQUEST: Ink.MUTED, Status.LEFT_OUT: Ink.MUTED}
QUIET = frozenset({Status.BLANK, Status.REPEATED})
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


class ImportModel(QAbstractTableModel):
    """Rows of the chosen kinds; blank ones never show."""

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.rows: list[Row] = []
        _ = context.texts.gettext
        self._titles = (
            _("Line"),
            _("Name in the list"),
            _("Amount"),
            _("Entry of the catalogue"),
            _("What becomes of it"),
        )

    def show_rows(self, preview: Preview | None, wanted: Collection[Status]) -> None:
        """Show the rows of these kinds."""
        self.beginResetModel()
        rows = () if preview is None else preview.rows
        self.rows = [row for row in rows if row.status in wanted and row.status is not Status.BLANK]
        self.endResetModel()

    def rowCount(self, parent: Index = TOP) -> int:  # noqa: N802  # Qt's name
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = TOP) -> int:  # noqa: N802  # Qt's name
        return 0 if parent.isValid() else len(self._titles)

    def headerData(  # noqa: N802  # Qt's name
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self._titles[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(section)
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.rows[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return self._shown(row, index.column())
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(index.column())
        if role == Qt.ItemDataRole.ForegroundRole and index.column() == STATUS:
            return self._context.theme.colour(INKS.get(row.status, Ink.NO))
        return None

    def _shown(self, row: Row, place: int) -> str:
        texts = self._context.texts
        if place == LINE:
            return texts.integer(row.line)
        if place == NAME:
            return " · ".join(part for part in (row.name, row.part_number) if part)
        if place == AMOUNT:
            if row.amount is None:
                return row.amount_text
            return (
                texts.exact_money(Money(row.amount, row.currency)) if row.currency else texts.plain(Decimal(row.amount))
            )
        if place == ITEM:
            return texts.name(row.item_id) if row.item_id else ""
        return status_words(row, texts.tr)


def _side(column: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if column in (LINE, AMOUNT) else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
