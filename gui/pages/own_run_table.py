"""The customer's own test runs as a table: what ran where, measured against estimated, and the effect."""

from __future__ import annotations

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from catalog.consultation.document import CalibrationRow, Consultation
from gui.context import Context
from gui.own_runs import rate_text, row_effect, what_text, where_text

Index = QModelIndex | QPersistentModelIndex
TOP = QModelIndex()
NAME, WHAT, WHERE, MEASURED, ESTIMATED, EFFECT = range(6)
RIGHT = frozenset({MEASURED, ESTIMATED})


class OwnRunTable(QAbstractTableModel):
    """Shows the document's rows; they are edited in a dialog."""

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._rows: tuple[CalibrationRow, ...] = ()
        self._shown: list[tuple[str, ...]] = []
        _ = context.texts.gettext
        self._titles = (_("Name"), _("What ran"), _("Where"), _("Measured"), _("Estimated"), _("Effect"))

    def refresh(self, document: Consultation) -> None:
        """Show the document's rows anew: what they mean also hangs on the workloads they name."""
        if not document.calibrations and not self._rows:
            return
        self.beginResetModel()
        self._rows = document.calibrations
        self._shown = [self._words(row) for row in self._rows]
        self.endResetModel()

    def rowCount(self, parent: Index = TOP) -> int:  # noqa: N802  # Qt's name
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = TOP) -> int:  # noqa: N802  # Qt's name
        return 0 if parent.isValid() else len(self._titles)

    def headerData(  # noqa: N802  # Qt's name
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self._titles[section]
        return _side(section) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(index.column())
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._shown[index.row()][index.column()]
        if role == Qt.ItemDataRole.ToolTipRole:
            words = self._shown[index.row()]
            return "\n".join(f"{title}: {text}" for title, text in zip(self._titles, words, strict=True))
        return None

    def _words(self, row: CalibrationRow) -> tuple[str, ...]:
        estimated, effect = row_effect(row, self._context)
        measured = rate_text(row.tokens_per_second, self._context.texts)
        name = row.name or self._context.texts.gettext("without a name")
        return name, what_text(row, self._context), where_text(row, self._context), measured, estimated, effect


def _side(column: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if column in RIGHT else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
