"""The tree of sections and positions as it is looked at: columns, dragging, what is chosen."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QTreeView

from gui.context import Context
from gui.quote_editor.edits import Spot
from gui.quote_editor.tree_model import (
    DISCOUNT,
    KIND,
    MARGIN,
    NUMBER,
    PURCHASE,
    QUANTITY,
    TITLE,
    TOTAL,
    UNIT_PRICE,
    PositionsModel,
)
from gui.quote_editor.view import ProposalView
from gui.theme import STEP

WIDTHS = {
    **dict.fromkeys((UNIT_PRICE, TOTAL), 132),
    **dict.fromkeys((PURCHASE, MARGIN), 104),
    NUMBER: 72,
    KIND: 88,
    QUANTITY: 84,
    DISCOUNT: 72,
}


class PositionsTree(QTreeView):
    """Always open; a position is moved by dragging it."""

    def __init__(self, context: Context, model: PositionsModel) -> None:
        super().__init__()
        self._positions = model
        self.setModel(model)
        self.setAccessibleName(context.texts.gettext("Positions"))
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setItemsExpandable(False)
        self.setIndentation(3 * STEP)
        header = self.header()
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(40)
        for place, width in WIDTHS.items():
            self.setColumnWidth(place, width)
        header.setSectionResizeMode(TITLE, header.ResizeMode.Stretch)

    @property
    def spot(self) -> Spot | None:
        """The chosen section or line."""
        return self._positions.spot(self.currentIndex())

    def choose(self, spot: Spot) -> None:
        """Choose a section or line."""
        self.setCurrentIndex(self._positions.place(spot))

    def show_view(self, view: ProposalView | None) -> None:
        """Show a proposal, keeping what is chosen."""
        spot = self.spot
        self._positions.show_view(view)
        self.expandAll()
        if view is not None and spot is not None and self._positions.place(spot).isValid():
            self.choose(spot)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802  # Qt's name
        """Lay the rows out: the style sheet's padding is known only now."""
        super().showEvent(event)
        self.doItemsLayout()
