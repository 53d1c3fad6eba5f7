"""Sections and their lines as a tree: edited in place, moved by dragging."""

from __future__ import annotations

import json
from collections.abc import Sequence
from decimal import Decimal

from PySide6.QtCore import QAbstractItemModel, QMimeData, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from catalog.consultation.quote_rows import LineRow, SectionRow
from engine.pictures.palette import Ink
from engine.quote.draft import LineKind
from gui.context import Context
from gui.quote_editor.edits import Spot
from gui.quote_editor.view import LineView, ProposalView

Index = QModelIndex | QPersistentModelIndex
TOP = QModelIndex()
MIME = "application/x-passform-position"
NUMBER, TITLE, KIND, QUANTITY, UNIT_PRICE, DISCOUNT, TOTAL, PURCHASE, MARGIN = range(9)
INTERNAL = (PURCHASE, MARGIN)
FIELDS = {
    TITLE: "title",
    QUANTITY: "quantity",
    UNIT_PRICE: "price",
    DISCOUNT: "discount_percent",
    PURCHASE: "purchase_price",
}
NUMBERS = frozenset({QUANTITY, UNIT_PRICE, DISCOUNT, TOTAL, PURCHASE, MARGIN})
SECTION_ID = 0  # internal id of a section; lines carry their section's number plus one


class PositionsModel(QAbstractItemModel):
    """Shows a proposal; wishes for changes leave by signals."""

    edited = Signal(object, str, str)  # spot or section number, field, text
    dragged = Signal(object, object)  # from and to: (section, line), a line of -1 means the section itself

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.view: ProposalView | None = None
        _ = context.texts.gettext
        self._titles = [_("No."), _("Title"), _("Kind"), _("Quantity"), _("Unit price"), _("Discount"), _("Total")]
        if not context.customer_view:
            self._titles += [_("Purchase"), _("Margin")]

    @property
    def sections(self) -> tuple[SectionRow, ...]:
        """The sections that are shown."""
        return () if self.view is None else self.view.quote.sections or ()

    def show_view(self, view: ProposalView | None) -> None:
        """Show a proposal."""
        self.beginResetModel()
        self.view = view
        self.endResetModel()

    def spot(self, index: Index) -> Spot | None:
        """Section and line of a place; a line of -1 is the section itself."""
        if not index.isValid():
            return None
        owner = index.internalId()
        return (index.row(), -1) if owner == SECTION_ID else (int(owner) - 1, index.row())

    def place(self, spot: Spot, column: int = 0) -> QModelIndex:
        """The place of a section or line."""
        section = self.index(spot[0], column)
        return section if spot[1] < 0 else self.index(spot[1], column, self.index(spot[0], 0))

    def line(self, spot: Spot) -> LineRow | None:
        """The line of a spot."""
        if spot[1] < 0 or spot[0] >= len(self.sections) or spot[1] >= len(self.sections[spot[0]].lines):
            return None
        return self.sections[spot[0]].lines[spot[1]]

    def index(self, row: int, column: int, parent: Index = TOP) -> QModelIndex:
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        owner = SECTION_ID if not parent.isValid() else parent.row() + 1
        return self.createIndex(row, column, owner)

    def parent(self, index: Index = TOP) -> QModelIndex:  # type: ignore[override]  # Qt has a second parent()
        if not index.isValid() or index.internalId() == SECTION_ID:
            return QModelIndex()
        return self.createIndex(int(index.internalId()) - 1, 0, SECTION_ID)

    def rowCount(self, parent: Index = TOP) -> int:  # noqa: N802  # Qt's name
        if not parent.isValid():
            return len(self.sections)
        if parent.internalId() != SECTION_ID or parent.column() > 0:
            return 0
        return len(self.sections[parent.row()].lines)

    def columnCount(self, _parent: Index = TOP) -> int:  # noqa: N802  # Qt's name
        return len(self._titles)

    def headerData(  # noqa: N802  # Qt's name
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self._titles[section]
        return _side(section) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        base = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsDropEnabled
        spot = self.spot(index)
        if spot is None:
            return base
        flags = base | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsDragEnabled
        editable = index.column() == TITLE if spot[1] < 0 else self._editable(spot, index.column())
        return flags | Qt.ItemFlag.ItemIsEditable if editable else flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        spot = self.spot(index)
        if spot is None or self.view is None:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(index.column())
        if spot[1] < 0:
            return self._section(spot[0], index.column(), role)
        line = self.line(spot)
        return None if line is None else self._line(line, self.view.lines[line.id], index.column(), role)

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:  # noqa: N802  # Qt
        spot = self.spot(index)
        if role != Qt.ItemDataRole.EditRole or spot is None or index.column() not in FIELDS:
            return False
        self.edited.emit(spot, FIELDS[index.column()], str(value))
        return True

    def supportedDropActions(self) -> Qt.DropAction:  # noqa: N802  # Qt's name
        return Qt.DropAction.MoveAction

    def mimeTypes(self) -> list[str]:  # noqa: N802  # Qt's name
        return [MIME]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:  # noqa: N802  # Qt's name
        made = QMimeData()
        spot = self.spot(indexes[0]) if indexes else None
        if spot is not None:
            made.setData(MIME, json.dumps(spot).encode("ascii"))
        return made

    def dropMimeData(  # noqa: N802  # Qt's name
        self, data: QMimeData, _action: Qt.DropAction, row: int, _column: int, parent: Index
    ) -> bool:
        if not data.hasFormat(MIME):
            return False
        section, line = json.loads(bytes(data.data(MIME).data()))
        target = self._target(row, parent)
        self.dragged.emit((section, line), target)
        return False  # the document made the move; the view has nothing to remove

    def _target(self, row: int, parent: Index) -> Spot:
        """Where a drop lands: between lines, on a line (before it), on a section (at its end), or below all."""
        spot = self.spot(parent)
        if spot is None:
            return (len(self.sections) if row < 0 else row, -1)
        if spot[1] >= 0:
            return spot
        return (spot[0], len(self.sections[spot[0]].lines) if row < 0 else row)

    def _editable(self, spot: Spot, column: int) -> bool:
        line = self.line(spot)
        if line is None or column not in FIELDS:
            return False
        priced = line.kind not in (LineKind.TEXT, LineKind.INCLUDED)
        return column == TITLE or (column == QUANTITY and line.kind is not LineKind.TEXT) or priced

    def _section(self, number: int, column: int, role: int) -> object:
        view = self.view.sections[number] if self.view is not None else None
        if view is None:
            return None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return {NUMBER: view.number, TITLE: view.title, TOTAL: view.subtotal}.get(column, "")
        if role == Qt.ItemDataRole.EditRole:
            return self.sections[number].title
        if role == Qt.ItemDataRole.FontRole:
            return self._context.theme.font(bold=True)
        if role == Qt.ItemDataRole.ForegroundRole and self.sections[number].struck:
            return self._context.theme.colour(Ink.MUTED)
        return None

    def _line(self, line: LineRow, view: LineView, column: int, role: int) -> object:
        if role == Qt.ItemDataRole.DisplayRole:
            return self._shown(view)[column]
        if role == Qt.ItemDataRole.EditRole:
            return self._entered(line, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return "\n".join(part for part in (view.title, line.description, view.origin) if part)
        if role == Qt.ItemDataRole.ForegroundRole:
            quiet = line.kind is not LineKind.BASE or column in INTERNAL
            return self._context.theme.colour(Ink.MUTED) if quiet else None
        return None

    def _shown(self, view: LineView) -> tuple[str, ...]:
        plain = (view.number, view.title, view.kind, view.quantity, view.unit_price, view.discount, view.total)
        return (*plain, view.purchase, view.margin)

    def _entered(self, line: LineRow, column: int) -> str:
        values: dict[int, Decimal | None] = {
            QUANTITY: line.quantity,
            UNIT_PRICE: line.price,
            DISCOUNT: line.discount_percent,
            PURCHASE: line.internal.purchase_price,
        }
        if column == TITLE:
            return line.title
        value = values.get(column)
        return "" if value is None else self._context.texts.plain(value)


def _side(column: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if column in NUMBERS else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
