"""A table of the catalogue for Qt: sorts by value, filters by text, maker and mark."""

from __future__ import annotations

from decimal import Decimal
from functools import partial

from PySide6.QtCore import QObject, QSortFilterProxyModel, Qt

from engine.pictures.palette import Ink
from gui.catalogue.rows import Listing, Row, RowMark
from gui.column_table import Column, ColumnTable, Index
from gui.context import Context

WARNED = frozenset({RowMark.EXPIRED, RowMark.MEMORY})


class ListingModel(ColumnTable[Row]):
    """Shows a listing, every row in the catalogue's order."""

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(context, (), parent)

    def show_listing(self, listing: Listing) -> None:
        """Show another listing."""
        self.beginResetModel()
        self.columns = [
            Column(head.title, partial(_text, place), head.width, number=head.number, ink=partial(_ink, place))
            for place, head in enumerate(listing.columns)
        ]
        self.rows = listing.rows
        self.endResetModel()

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role == Qt.ItemDataRole.FontRole and index.column() == 0:
            return self._context.theme.font(bold=RowMark.OWN in self.rows[index.row()].marks)
        return super().data(index, role)


def _text(place: int, row: Row) -> str:
    return row.cells[place].text


def _ink(place: int, row: Row) -> Ink | None:
    last = place == len(row.cells) - 1
    if last and row.marks & WARNED:
        return Ink.NO
    if last and RowMark.OLD in row.marks:
        return Ink.TIGHT
    return Ink.MUTED if last or RowMark.UNUSED in row.marks else None


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
