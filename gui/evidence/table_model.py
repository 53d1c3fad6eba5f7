"""The records as a table, sorted by value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from engine.pictures.palette import Ink
from gui.context import Context
from gui.evidence.records import Record

Index = QModelIndex | QPersistentModelIndex
TOP = QModelIndex()
SORT = Qt.ItemDataRole.UserRole
CLOSE, FAR = 0.10, 0.20


@dataclass(frozen=True, slots=True)
class Column:
    """A head, what it shows, what it sorts by."""

    title: str
    shown: Callable[[Record], str]
    key: Callable[[Record], object]
    width: int
    number: bool = False


class RecordModel(QAbstractTableModel):
    """Shows records."""

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.records: tuple[Record, ...] = ()
        self.columns = _columns(context)

    def show_records(self, records: tuple[Record, ...]) -> None:
        """Show other records."""
        self.beginResetModel()
        self.records = records
        self.endResetModel()

    def rowCount(self, parent: Index = TOP) -> int:  # noqa: N802  # Qt's name
        return 0 if parent.isValid() else len(self.records)

    def columnCount(self, parent: Index = TOP) -> int:  # noqa: N802  # Qt's name
        return 0 if parent.isValid() else len(self.columns)

    def headerData(  # noqa: N802  # Qt's name
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self.columns[section].title
        return _side(self.columns[section]) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        record, column = self.records[index.row()], self.columns[index.column()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return column.shown(record)
        if role == SORT:
            return column.key(record)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(column)
        if role == Qt.ItemDataRole.ForegroundRole:
            if not record.counts:
                return self._context.theme.colour(Ink.MUTED)
            if column is self.columns[-2]:
                off = abs(record.error)
                ink = Ink.FITS if off <= CLOSE else Ink.TIGHT if off <= FAR else Ink.NO
                return self._context.theme.colour(ink)
        return None


def _columns(context: Context) -> list[Column]:
    texts = context.texts
    _, digits = texts.gettext, texts.significant
    return [
        Column(_("Model"), lambda one: one.model, lambda one: one.model.casefold(), 0),
        Column(_("Method"), lambda one: texts.label(one.run.method), lambda one: one.run.method.value, 92),
        Column(_("Cards"), lambda one: texts.integer(one.run.cards), lambda one: one.run.cards, 64, number=True),
        Column(
            _("Sequence"),
            lambda one: texts.integer(one.run.sequence_length),
            lambda one: one.run.sequence_length,
            84,
            number=True,
        ),
        Column(_("Measured"), lambda one: digits(one.measured), lambda one: one.measured, 92, number=True),
        Column(_("Estimated"), lambda one: digits(one.estimated), lambda one: one.estimated, 88, number=True),
        Column(_("Error"), lambda one: signed_percent(one.error, context), lambda one: one.error, 68, number=True),
        Column(_("Source"), lambda one: one.source, lambda one: one.source.casefold(), 100),
    ]


def signed_percent(share: float, context: Context) -> str:
    """A relative error with its sign."""
    text = context.texts.percent(share)
    return f"+{text}" if round(share, 2) > 0 else text


def _side(column: Column) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if column.number else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
