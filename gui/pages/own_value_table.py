"""A table whose last column takes the person's own value beside what the catalogue says."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from catalog.consultation.document import Consultation
from engine.errors import PassformError
from gui.context import Context
from gui.entry import parse_decimal

Index = QModelIndex | QPersistentModelIndex
TOP = QModelIndex()


class OwnValueTable(QAbstractTableModel):
    """Subclasses say the rows; the last column alone can be edited, the `right` columns are set flush right."""

    refused = Signal(str)
    right: frozenset[int] = frozenset()

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._titles: tuple[str, ...] = ()

    @property
    def own_column(self) -> int:
        """The column that can be edited."""
        return len(self._titles) - 1

    def show_own(self) -> None:
        """Show the document's own values anew."""
        if self.rowCount():
            self.dataChanged.emit(self.index(0, self.own_column), self.index(self.rowCount() - 1, self.own_column))

    def columnCount(self, parent: Index = TOP) -> int:  # noqa: N802  # Qt's name
        return 0 if parent.isValid() else len(self._titles)

    def headerData(  # noqa: N802  # Qt's name
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self._titles[section]
        return self.alignment(section) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return flags | Qt.ItemFlag.ItemIsEditable if index.column() == self.own_column else flags

    def alignment(self, column: int) -> Qt.AlignmentFlag:
        """Where a column's text stands."""
        side = Qt.AlignmentFlag.AlignRight if column in self.right else Qt.AlignmentFlag.AlignLeft
        return side | Qt.AlignmentFlag.AlignVCenter

    def take(self, text: str, change: Callable[[Decimal | None], Consultation], title: str) -> bool:
        """Take a typed value over as one undoable change; `refused` says what is wrong, empty text removes it."""
        texts = self._context.texts
        amount = parse_decimal(text, texts.language) if text else None
        if text and amount is None:
            self.refused.emit(texts.gettext("{text} is not a number.").format(text=text))
            return False
        try:
            after = change(amount)
        except PassformError as error:
            self.refused.emit(texts.error(error))
            return False
        self.refused.emit("")
        self._context.document.edit(title, after)
        return True
