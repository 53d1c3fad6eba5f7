"""The table of workloads: columns declared as data over the document's rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QIcon, QPainter, QPixmap

from catalog.consultation.document import Consultation, WorkloadRow
from engine.errors import PassformError
from engine.methods import Method
from engine.pictures.parts import VERDICT_INKS, VERDICT_MARKS
from engine.pictures.shapes import Mark, Picture
from engine.plan.types import Placement, Verdict
from gui.context import Context
from gui.draft import amended_row
from gui.entry import parse_decimal, parse_integer
from gui.painter import paint

Index = QModelIndex | QPersistentModelIndex
TOP = QModelIndex()
SIGN = 16


@dataclass(frozen=True, slots=True)
class TableColumn:
    """One column: its head, what it shows of a row, and the field it edits."""

    title: str
    shown: Callable[[WorkloadRow], str]
    field: str = ""
    number: bool = False
    width: int = 100


class WorkloadTable(QAbstractTableModel):
    """Rows of the document; edits go through the document and can be undone."""

    refused = Signal(str)

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._rows = context.document.consultation.workloads
        self.columns = _columns(context)
        self._signs = {verdict: verdict_sign(context, verdict) for verdict in Verdict}

    def refresh(self, document: Consultation) -> None:
        """Show the document's rows, telling the view exactly what changed."""
        old, new = self._rows, document.workloads
        if len(old) != len(new):
            self.beginResetModel()
            self._rows = new
            self.endResetModel()
            return
        self._rows = new
        if new:
            self.dataChanged.emit(self.index(0, 0), self.index(len(new) - 1, len(self.columns) - 1))

    def refresh_verdicts(self) -> None:
        """Show the verdicts of the latest recommendation."""
        if self._rows:
            last = len(self.columns) - 1
            self.dataChanged.emit(self.index(0, last), self.index(len(self._rows) - 1, last))

    def rowCount(self, parent: Index = TOP) -> int:  # noqa: N802  # Qt's name
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = TOP) -> int:  # noqa: N802  # Qt's name
        return 0 if parent.isValid() else len(self.columns)

    def headerData(  # noqa: N802  # Qt's name
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation is Qt.Orientation.Vertical:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.columns[section].title
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(self.columns[section])
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return flags | Qt.ItemFlag.ItemIsEditable if self.columns[index.column()].field else flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        column, row = self.columns[index.column()], self._rows[index.row()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(column)
        if index.column() == len(self.columns) - 1:
            return self._verdict(index.row(), role)
        if role == Qt.ItemDataRole.DisplayRole:
            return column.shown(row)
        if role == Qt.ItemDataRole.EditRole and column.field:
            value = getattr(row, column.field)
            return value.value if isinstance(value, Method) else self._context.texts.plain(value)
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return f"{column.title}: {column.shown(row)}"
        return None

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:  # noqa: N802  # Qt
        column = self.columns[index.column()]
        if role != Qt.ItemDataRole.EditRole or not column.field:
            return False
        read = self._read(column, str(value))
        _ = self._context.texts.gettext
        if read is None:
            self.refused.emit(_("{text} is not a number.").format(text=value))
            return False
        try:
            after = amended_row(self._context.document.consultation, index.row(), **{column.field: read})
        except PassformError as error:
            self.refused.emit(self._context.texts.error(error))
            return False
        self.refused.emit("")
        self._context.document.edit(_("Change {field}").format(field=column.title), after)
        return True

    def _read(self, column: TableColumn, text: str) -> object | None:
        language = self._context.texts.language
        if column.field in ("method", "name"):
            return text
        return parse_decimal(text, language) if column.field == "runs_per_month" else parse_integer(text, language)

    def _verdict(self, row: int, role: int) -> object:
        placement = self._placement(row)
        texts = self._context.texts
        if placement is None:
            return "–" if role == Qt.ItemDataRole.DisplayRole else None
        if role == Qt.ItemDataRole.DecorationRole:
            return self._signs[placement.verdict]
        word = texts.label(placement.verdict)
        free = texts.signed_size(placement.free_bytes)
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{word}  {free}"
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return texts.gettext("{verdict} on the recommended card, {free} free").format(verdict=word, free=free)
        return None

    def _placement(self, row: int) -> Placement | None:
        recommendation = self._context.planner.recommendation
        if recommendation is None or recommendation.chosen is None:
            return None
        placements = recommendation.chosen.placements
        return placements[row] if row < len(placements) and len(placements) == len(self._rows) else None


def _columns(context: Context) -> list[TableColumn]:
    texts = context.texts
    _ = texts.gettext

    def model_name(row: WorkloadRow) -> str:
        model = context.planner.model_of(row)
        name = model.name if model else row.config or row.model or ""
        return f"{row.name} · {name}" if row.name and row.name not in name else name

    short = {Method.FULL: _("Full"), Method.LORA: texts.label(Method.LORA), Method.QLORA: texts.label(Method.QLORA)}
    number = partial(TableColumn, number=True)
    return [
        TableColumn(_("Model"), model_name, width=190),
        TableColumn(_("Method"), lambda row: short[row.method], "method", width=80),
        number(_("Sequence"), lambda row: texts.integer(row.sequence_length), "sequence_length", width=82),
        number(_("Tokens per run"), lambda row: texts.parameters(row.tokens_per_run), "tokens_per_run", width=112),
        number(_("Runs a month"), lambda row: texts.plain(row.runs_per_month), "runs_per_month", width=106),
        TableColumn(_("Verdict"), lambda _row: "", width=148),
    ]


def _alignment(column: TableColumn) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if column.number else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter


def verdict_sign(context: Context, verdict: Verdict) -> QIcon:
    """The sign of a verdict in the theme's colours."""
    pixmap = QPixmap(SIGN * 2, SIGN * 2)
    pixmap.setDevicePixelRatio(2)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    mark = Mark(SIGN / 2, SIGN / 2, SIGN / 2 - 2, VERDICT_MARKS[verdict], VERDICT_INKS[verdict])
    paint(painter, Picture(SIGN, SIGN, (mark,)), context.theme)
    painter.end()
    return QIcon(pixmap)
