"""The comparison as a table: grouped rows, differences strong, the best value marked by weight and sign."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from engine.compare import Cell, Comparison, Row
from engine.pictures.palette import Ink
from engine.wording.comparison import cell_text, group_name, row_name
from gui.context import Context
from gui.sources import figure_lines

Index = QModelIndex | QPersistentModelIndex
TOP = QModelIndex()
BEST = "▲"


@dataclass(frozen=True, slots=True)
class Shown:
    """A line of the table: a group's head when `row` is None."""

    group: str
    row: Row | None


class CompareModel(QAbstractTableModel):
    """Shows a comparison; equal rows can be folded away."""

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._comparison = Comparison((), ())
        self._only_differences = False
        self._lines: list[Shown] = []

    @property
    def comparison(self) -> Comparison:
        """What is shown."""
        return self._comparison

    def show_comparison(self, comparison: Comparison, *, only_differences: bool) -> None:
        """Show a comparison."""
        self.beginResetModel()
        self._comparison = comparison
        self._only_differences = only_differences
        self._lines = []
        for group in comparison.groups:
            rows = [row for row in comparison.rows if row.group == group and (row.differs or not only_differences)]
            if rows:
                self._lines.append(Shown(group, None))
                self._lines.extend(Shown(group, row) for row in rows)
        self.endResetModel()

    def cell(self, index: Index) -> tuple[Row, Cell] | None:
        """Row and cell behind a place of the table; None for heads and names."""
        row = self._lines[index.row()].row
        if row is None or index.column() == 0:
            return None
        return row, row.cells[index.column() - 1]

    def is_head(self, line: int) -> bool:
        """Whether a line is a group's head."""
        return self._lines[line].row is None

    def rowCount(self, parent: Index = TOP) -> int:  # noqa: N802  # Qt's name
        return 0 if parent.isValid() else len(self._lines)

    def columnCount(self, parent: Index = TOP) -> int:  # noqa: N802  # Qt's name
        return 0 if parent.isValid() else len(self._comparison.columns) + 1

    def headerData(  # noqa: N802  # Qt's name
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if section == 0:
            return "" if role == Qt.ItemDataRole.DisplayRole else None
        column = self._comparison.columns[section - 1]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.short_name
        if role == Qt.ItemDataRole.ToolTipRole:
            return column.name
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if self.is_head(index.row()):
            return Qt.ItemFlag.ItemIsEnabled
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        line = self._lines[index.row()]
        if line.row is None:
            return self._head(line.group, index.column(), role)
        if index.column() == 0:
            return self._name(line.row, role)
        return self._value(line.row, line.row.cells[index.column() - 1], role)

    def _head(self, group: str, column: int, role: int) -> object:
        if role == Qt.ItemDataRole.DisplayRole:
            return group_name(group, self._context.texts.tr) if column == 0 else ""
        if role == Qt.ItemDataRole.FontRole:
            return self._context.theme.font(bold=True)
        return None

    def _name(self, row: Row, role: int) -> object:
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return row_name(row, self._context.texts.tr)
        if role == Qt.ItemDataRole.ForegroundRole:
            return self._context.theme.colour(Ink.TEXT if row.differs else Ink.MUTED)
        return None

    def _value(self, row: Row, cell: Cell, role: int) -> object:
        texts, theme = self._context.texts, self._context.theme
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            text = cell_text(row, cell, texts.tr, texts.language)
            if role == Qt.ItemDataRole.AccessibleTextRole and cell.best:
                return texts.gettext("{value}, best value").format(value=text)
            return f"{BEST} {text}" if cell.best else text
        if role == Qt.ItemDataRole.FontRole:
            return theme.font(bold=cell.best)
        if role == Qt.ItemDataRole.ForegroundRole:
            quiet = cell.value is None or not row.differs
            return theme.colour(Ink.MUTED if quiet else Ink.TEXT)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.ToolTipRole:
            lines = [text for figure in cell.figures for text in figure_lines(figure, texts)]
            return "\n".join([cell_text(row, cell, texts.tr, texts.language), *lines])
        return None
