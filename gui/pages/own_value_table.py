"""A table whose last column takes the person's own value beside what the catalogue says."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from PySide6.QtCore import Qt, Signal

from catalog.consultation.document import Consultation
from engine.errors import PassformError
from gui.column_table import ColumnTable, Index, Row
from gui.entry import parse_decimal


class OwnValueTable(ColumnTable[Row]):
    """The last column alone can be edited; subclasses say how a value looks in its editor and what it changes."""

    refused = Signal(str)

    @property
    def own_column(self) -> int:
        """The column that can be edited."""
        return len(self.columns) - 1

    def show_own(self) -> None:
        """Show the document's own values anew."""
        self.renew(self.own_column, self.own_column)

    def typed(self, row: Row) -> str:
        """The own value of a row as its editor starts with it, empty where there is none."""
        raise NotImplementedError

    def change(self, row: Row, text: str) -> bool:
        """Take what was typed for a row over into the document."""
        raise NotImplementedError

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return flags | Qt.ItemFlag.ItemIsEditable if index.column() == self.own_column else flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role == Qt.ItemDataRole.EditRole and index.column() == self.own_column:
            return self.typed(self.rows[index.row()])
        return super().data(index, role)

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:  # noqa: N802  # Qt
        if role != Qt.ItemDataRole.EditRole or index.column() != self.own_column:
            return False
        return self.change(self.rows[index.row()], str(value).strip())

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
