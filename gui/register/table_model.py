"""The register's documents as a table, newest number first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from catalog.register.states import OPEN
from catalog.register.types import Entry, State
from catalog.register.words import state_word, sum_text
from engine.pictures.palette import Ink
from engine.wording.quotes import word
from gui.catalogue.dates import day_text
from gui.context import Context

Index = QModelIndex | QPersistentModelIndex
TOP = QModelIndex()
INKS = {State.ACCEPTED: Ink.FITS, State.EXPIRED: Ink.TIGHT, State.DECLINED: Ink.MUTED, State.SUPERSEDED: Ink.MUTED}


@dataclass(frozen=True, slots=True)
class Column:
    """A head, what it shows, its width; 0 takes what is left."""

    title: str
    shown: Callable[[Entry], str]
    width: int
    right: bool = False


class EntryModel(QAbstractTableModel):
    """Shows documents."""

    def __init__(self, context: Context, today: date, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._today = today
        self.entries: tuple[Entry, ...] = ()
        self.columns = _columns(context)

    def show_entries(self, entries: tuple[Entry, ...]) -> None:
        """Show other documents."""
        self.beginResetModel()
        self.entries = entries
        self.endResetModel()

    def rowCount(self, parent: Index = TOP) -> int:  # noqa: N802  # Qt's name
        return 0 if parent.isValid() else len(self.entries)

    def columnCount(self, parent: Index = TOP) -> int:  # noqa: N802  # Qt's name
        return 0 if parent.isValid() else len(self.columns)

    def headerData(  # noqa: N802  # Qt's name
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self.columns[section].title
        return _side(self.columns[section]) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        entry, column = self.entries[index.row()], self.columns[index.column()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return column.shown(entry)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(column)
        if role == Qt.ItemDataRole.ForegroundRole:
            due = entry.follow_up is not None and entry.follow_up <= self._today and entry.state in OPEN
            ink = Ink.TIGHT if due and column is self.columns[-2] else INKS.get(entry.state)
            return None if ink is None else self._context.theme.colour(ink)
        return None


def customer_of(entry: Entry, context: Context) -> str:
    """The customer of a document, or that his data were erased."""
    return entry.company or (context.texts.gettext("customer data erased") if entry.erased_on else "–")


def _columns(context: Context) -> list[Column]:
    texts = context.texts
    _, language = texts.gettext, texts.language

    def amount(entry: Entry) -> str:
        return sum_text(entry.latest.gross, entry.latest, texts.tr, language)

    return [
        Column(_("Number"), lambda one: one.number, 130),
        Column(_("Rev."), lambda one: texts.integer(one.latest.revision), 54, right=True),
        Column(_("Kind"), lambda one: word(one.kind, texts.tr), 190),
        Column(_("Customer"), lambda one: customer_of(one, context), 0),
        Column(_("State"), lambda one: state_word(one.state, texts.tr), 120),
        Column(_("Issued on"), lambda one: day_text(one.latest.issued_on, language), 110),
        Column(_("Valid until"), lambda one: day_text(one.latest.valid_until, language), 110),
        Column(_("Follow-up"), lambda one: day_text(one.follow_up, language) or "–", 120),
        Column(_("Gross"), amount, 210, right=True),
    ]


def _side(column: Column) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if column.right else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
