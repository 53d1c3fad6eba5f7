"""The table of workloads: columns declared as data over the document's rows."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QIcon, QPainter, QPixmap

from catalog.consultation.document import Consultation, WorkloadRow
from engine.errors import PassformError
from engine.fit import Verdict
from engine.methods import Method
from engine.pictures.parts import VERDICT_INKS, VERDICT_MARKS
from engine.pictures.shapes import Mark, Picture
from engine.plan.types import Placement
from gui.column_table import Column, ColumnTable, Index
from gui.context import Context
from gui.draft import amended_row
from gui.entry import parse_decimal, parse_integer
from gui.painter import paint

SIGN = 16
FIELDS = {1: "method", 2: "sequence_length", 3: "tokens_per_run", 4: "runs_per_month"}  # what a column edits


class WorkloadTable(ColumnTable[WorkloadRow]):
    """Rows of the document; edits go through the document and can be undone."""

    refused = Signal(str)

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(context, _columns(context), parent)
        self.rows = context.document.consultation.workloads
        self._signs = {verdict: verdict_sign(context, verdict) for verdict in Verdict}

    def refresh(self, document: Consultation) -> None:
        """Show the document's rows, telling the view exactly what changed."""
        self.renew_rows(document.workloads)

    def refresh_verdicts(self) -> None:
        """Show the verdicts of the latest recommendation."""
        self.renew(len(self.columns) - 1, len(self.columns) - 1)

    def tip(self, row: WorkloadRow, column: Column[WorkloadRow]) -> str:
        return f"{column.title}: {column.shown(row)}"

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return flags | Qt.ItemFlag.ItemIsEditable if index.column() in FIELDS else flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row, place = self.rows[index.row()], index.column()
        if place == len(self.columns) - 1 and role != Qt.ItemDataRole.TextAlignmentRole:
            return self._verdict(index.row(), role)
        if role == Qt.ItemDataRole.EditRole and place in FIELDS:
            value = getattr(row, FIELDS[place])
            return value.value if isinstance(value, Method) else self._context.texts.plain(value)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self.tip(row, self.columns[place])
        return super().data(index, role)

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:  # noqa: N802  # Qt
        column, field = self.columns[index.column()], FIELDS.get(index.column())
        if role != Qt.ItemDataRole.EditRole or field is None:
            return False
        read = self._read(field, str(value))
        _ = self._context.texts.gettext
        if read is None:
            self.refused.emit(_("{text} is not a number.").format(text=value))
            return False
        try:
            after = amended_row(self._context.document.consultation, index.row(), **{field: read})
        except PassformError as error:
            self.refused.emit(self._context.texts.error(error))
            return False
        self.refused.emit("")
        self._context.document.edit(_("Change {field}").format(field=column.title), after)
        return True

    def _read(self, field: str, text: str) -> object | None:
        language = self._context.texts.language
        if field == "method":
            return text
        return parse_decimal(text, language) if field == "runs_per_month" else parse_integer(text, language)

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
        return placements[row] if row < len(placements) and len(placements) == len(self.rows) else None


def _columns(context: Context) -> list[Column[WorkloadRow]]:
    texts = context.texts
    _ = texts.gettext

    def model_name(row: WorkloadRow) -> str:
        model = context.planner.model_of(row)
        name = model.name if model else row.config or row.model or ""
        return f"{row.name} · {name}" if row.name and row.name not in name else name

    short = {Method.FULL: _("Full"), Method.LORA: texts.label(Method.LORA), Method.QLORA: texts.label(Method.QLORA)}
    return [
        Column(_("Model"), model_name, 190),
        Column(_("Method"), lambda row: short[row.method], 80),
        Column(_("Sequence"), lambda row: texts.integer(row.sequence_length), 82, number=True),
        Column(_("Tokens per run"), lambda row: texts.parameters(row.tokens_per_run), 112, number=True),
        Column(_("Runs a month"), lambda row: texts.plain(row.runs_per_month), 106, number=True),
        Column(_("Verdict"), lambda _row: "", 148),
    ]


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
