"""Finds a text in what a page shows: labels, tables, trees, pictures. The bar that asks for it is `gui.find_bar`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, QPoint, QRect, Qt
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QLabel, QLineEdit, QPlainTextEdit, QTreeView, QWidget

from gui.picture_view import PictureView

TOP = QModelIndex()


@dataclass(frozen=True, slots=True)
class Match:
    """A place that holds the text: a widget, and inside it a cell or an area."""

    widget: QWidget
    cell: QPersistentModelIndex | None = None
    area: QRect | None = None  # in the widget's coordinates


def matches(root: QWidget, text: str) -> list[Match]:
    """Every place below `root` that is shown and holds the text, from top to bottom."""
    wanted = text.casefold().strip()
    if not wanted:
        return []
    found = [match for widget in _shown(root) for match in _in_widget(widget, wanted)]
    return sorted(found, key=lambda match: _place(match, root))


def reveal(match: Match) -> QRect:
    """Select the place and scroll inside its widget; gives its area in the widget's coordinates."""
    widget = match.widget
    if isinstance(widget, QAbstractItemView) and match.cell is not None:
        index = QModelIndex(match.cell)
        if isinstance(widget, QTreeView) and index.parent().isValid():
            widget.expand(index.parent())
        widget.setCurrentIndex(index)
        widget.scrollTo(index)
        corner = widget.viewport().mapTo(widget, QPoint(0, 0))
        return widget.visualRect(index).translated(corner)
    return match.area or widget.rect()


def _shown(root: QWidget) -> Iterator[QWidget]:
    for widget in root.findChildren(QWidget):
        if widget.isVisible() and not _inside_view(widget, root):
            yield widget


def _inside_view(widget: QWidget, root: QWidget) -> bool:
    """Whether it is a part of a table; tables are read by their model."""
    parent = widget.parentWidget()
    while parent is not None and parent is not root:
        if isinstance(parent, QAbstractItemView):
            return True
        parent = parent.parentWidget()
    return False


def _in_widget(widget: QWidget, wanted: str) -> Iterator[Match]:
    if isinstance(widget, QAbstractItemView):
        model = widget.model()
        if model is not None:
            yield from _in_model(widget, model, TOP, wanted)
    elif isinstance(widget, PictureView):
        yield from _in_picture(widget, wanted)
    elif wanted in _text_of(widget).casefold():
        yield Match(widget)


def _text_of(widget: QWidget) -> str:
    if isinstance(widget, QLabel | QAbstractButton | QLineEdit):
        return widget.text()
    return widget.toPlainText() if isinstance(widget, QPlainTextEdit) else ""


def _in_model(view: QAbstractItemView, model: QAbstractItemModel, parent: QModelIndex, wanted: str) -> Iterator[Match]:
    for row in range(model.rowCount(parent)):
        if isinstance(view, QTreeView) and view.isRowHidden(row, parent):
            continue
        for column in range(model.columnCount(parent)):
            index = model.index(row, column, parent)
            if wanted in str(index.data(Qt.ItemDataRole.DisplayRole) or "").casefold():
                yield Match(view, QPersistentModelIndex(index))
        yield from _in_model(view, model, model.index(row, 0, parent), wanted)


def _in_picture(view: PictureView, wanted: str) -> Iterator[Match]:
    picture = view.picture
    if picture is None:
        return
    for spot in picture.spots:
        if wanted in spot.tip.casefold():
            yield Match(view, area=view.area_of(spot))


def _place(match: Match, root: QWidget) -> tuple[int, int, tuple[int, ...]]:
    corner = match.widget.mapTo(root, QPoint(0, 0))
    if match.area is not None:
        corner += match.area.topLeft()
    rows: list[int] = []
    index = None if match.cell is None else QModelIndex(match.cell)
    while index is not None and index.isValid():
        rows[:0] = [index.row(), index.column()]
        index = index.parent()
    return corner.y(), corner.x(), tuple(rows)
