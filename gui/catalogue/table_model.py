"""A table of the catalogue for Qt: sorts by value, filters by text, maker and mark."""

from __future__ import annotations

from decimal import Decimal

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QSortFilterProxyModel, Qt

from engine.pictures.palette import Ink
from gui.catalogue.rows import Listing, Row, RowMark
from gui.context import Context

Index = QModelIndex | QPersistentModelIndex
TOP = QModelIndex()
WARNED = frozenset({RowMark.EXPIRED, RowMark.MEMORY})


class ListingModel(QAbstractTableModel):
    """Shows a listing."""

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._listing: Listing | None = None

    @property
    def rows(self) -> tuple[Row, ...]:
        """Every row, in the catalogue's order."""
        return () if self._listing is None else self._listing.rows

    @property
    def widths(self) -> list[int]:
        """The widths of the columns; 0 takes what is left."""
        return [] if self._listing is None else [column.width for column in self._listing.columns]

    def show_listing(self, listing: Listing) -> None:
        """Show another listing."""
        self.beginResetModel()
        self._listing = listing
        self.endResetModel()

    def rowCount(self, parent: Index = TOP) -> int:  # noqa: N802  # Qt's name
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = TOP) -> int:  # noqa: N802  # Qt's name
        return 0 if parent.isValid() or self._listing is None else len(self._listing.columns)

    def headerData(  # noqa: N802  # Qt's name
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation is not Qt.Orientation.Horizontal or self._listing is None:
            return None
        column = self._listing.columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.title
        return _side(number=column.number) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if self._listing is None:
            return None
        row, column = self.rows[index.row()], self._listing.columns[index.column()]
        cell = row.cells[index.column()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return cell.text
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(number=column.number)
        if role == Qt.ItemDataRole.ForegroundRole:
            return self._ink(row, index.column())
        if role == Qt.ItemDataRole.FontRole and index.column() == 0:
            return self._context.theme.font(bold=RowMark.OWN in row.marks)
        return None

    def _ink(self, row: Row, column: int) -> object:
        last = column == len(row.cells) - 1
        if last and row.marks & WARNED:
            return self._context.theme.colour(Ink.NO)
        if last and RowMark.OLD in row.marks:
            return self._context.theme.colour(Ink.TIGHT)
        quiet = last or RowMark.UNUSED in row.marks
        return self._context.theme.colour(Ink.MUTED) if quiet else None


class ListingFilter(QSortFilterProxyModel):
    """Keeps the rows that hold every word, belong to the maker and carry the mark."""

    def __init__(self, source: ListingModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._source = source
        self._words: list[str] = []
        self._maker = ""
        self._mark: RowMark | None = None
        self.setSourceModel(source)

    def search(self, text: str) -> None:
        """Look for words, in any order."""
        self._words = text.casefold().split()
        self.invalidate()

    def only(self, maker: str, mark: RowMark | None) -> None:
        """Keep one maker's rows, and those with a mark; empty and None keep all."""
        self._maker, self._mark = maker, mark
        self.invalidate()

    def row_at(self, index: Index) -> Row | None:
        """The row behind a place of the filtered table."""
        if not index.isValid():
            return None
        return self._source.rows[self.mapToSource(self.index(index.row(), 0)).row()]

    @property
    def shown(self) -> tuple[Row, ...]:
        """The rows that are shown, in their order."""
        found = (self.row_at(self.index(number, 0)) for number in range(self.rowCount()))
        return tuple(row for row in found if row is not None)

    def filterAcceptsRow(self, number: int, parent: Index) -> bool:  # noqa: ARG002, N802  # Qt's name and arguments
        row = self._source.rows[number]
        return (
            all(word in row.search for word in self._words)
            and (not self._maker or row.maker == self._maker)
            and (self._mark is None or self._mark in row.marks)
        )

    def lessThan(self, left: Index, right: Index) -> bool:  # noqa: N802  # Qt's name
        first = self._source.rows[left.row()].cells[left.column()].key
        second = self._source.rows[right.row()].cells[right.column()].key
        if first is None or second is None:
            # What has no value stands last in either order.
            ascending = self.sortOrder() is Qt.SortOrder.AscendingOrder
            return (second is None and first is not None) is ascending
        if isinstance(first, Decimal) and isinstance(second, Decimal):
            return first < second
        return str(first) < str(second)


def _side(*, number: bool) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if number else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
