"""A table whose columns are declared as data over typed rows, and the view all such tables share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QHeaderView, QTableView

from engine.pictures.palette import Ink
from gui.context import Context

Index = QModelIndex | QPersistentModelIndex
TOP = QModelIndex()
SORT = Qt.ItemDataRole.UserRole
Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Column(Generic[Row]):
    """A head and what it shows of a row, in what ink, sorted by what; a width of 0 takes what is left."""

    title: str
    shown: Callable[[Row], str]
    width: int = 0
    number: bool = False  # stands flush right
    key: Callable[[Row], object] | None = None
    ink: Callable[[Row], Ink | None] | None = None

    @property
    def alignment(self) -> Qt.AlignmentFlag:
        """Where head and cells stand."""
        side = Qt.AlignmentFlag.AlignRight if self.number else Qt.AlignmentFlag.AlignLeft
        return side | Qt.AlignmentFlag.AlignVCenter


class ColumnTable(QAbstractTableModel, Generic[Row]):
    """Shows rows by its columns; subclasses say what a tooltip holds, in what ink a row stands, what can be edited."""

    def __init__(self, context: Context, columns: Sequence[Column[Row]], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.columns: Sequence[Column[Row]] = columns
        self.rows: Sequence[Row] = ()

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Show other rows."""
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def renew_rows(self, rows: Sequence[Row]) -> None:
        """Show the same rows after a change; the view keeps its selection while their number stays."""
        if len(rows) != len(self.rows):
            self.show_rows(rows)
            return
        self.rows = rows
        self.renew(0, len(self.columns) - 1)

    def renew(self, first: int, last: int) -> None:
        """Show these columns anew."""
        if self.rows:
            self.dataChanged.emit(self.index(0, first), self.index(len(self.rows) - 1, last))

    def tip(self, row: Row, column: Column[Row]) -> str | None:
        """What a cell says when it is pointed at."""
        return column.shown(row)

    def ink(self, row: Row, column: Column[Row]) -> Ink | None:
        """The colour of a cell; None leaves it to the theme."""
        return None if column.ink is None else column.ink(row)

    def rowCount(self, parent: Index = TOP) -> int:  # noqa: N802  # Qt's name
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = TOP) -> int:  # noqa: N802  # Qt's name
        return 0 if parent.isValid() else len(self.columns)

    def headerData(  # noqa: N802  # Qt's name
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation is Qt.Orientation.Vertical:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.columns[section].title
        return self.columns[section].alignment if role == Qt.ItemDataRole.TextAlignmentRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row, column = self.rows[index.row()], self.columns[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.shown(row)
        if role == Qt.ItemDataRole.ToolTipRole:
            return self.tip(row, column)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return column.alignment
        if role == Qt.ItemDataRole.ForegroundRole:
            ink = self.ink(row, column)
            return None if ink is None else self._context.theme.colour(ink)
        if role == SORT and column.key is not None:
            return column.key(row)
        return None


def dress_table(table: QTableView, name: str, row_height: int) -> None:
    """A table of whole rows without grid or numbers; Tab leaves it."""
    table.setAccessibleName(name)
    table.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
    table.setShowGrid(False)
    table.setTabKeyNavigation(False)
    table.setWordWrap(False)
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(row_height)
    table.horizontalHeader().setHighlightSections(False)


def set_widths(table: QTableView, widths: Sequence[int]) -> None:
    """Give the columns their widths; those of width 0 share what is left."""
    for place, width in enumerate(widths):
        mode = QHeaderView.ResizeMode.Interactive if width else QHeaderView.ResizeMode.Stretch
        table.horizontalHeader().setSectionResizeMode(place, mode)
        if width:
            table.setColumnWidth(place, width)
