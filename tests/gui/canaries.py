"""Walks everything a window shows, says or hands out, and collects its texts."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QAbstractItemModel, QModelIndex, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QWidget,
)

from gui.picture_view import PictureView

ROLES = (
    Qt.ItemDataRole.DisplayRole,
    Qt.ItemDataRole.EditRole,
    Qt.ItemDataRole.ToolTipRole,
    Qt.ItemDataRole.StatusTipRole,
    Qt.ItemDataRole.WhatsThisRole,
    Qt.ItemDataRole.AccessibleTextRole,
    Qt.ItemDataRole.AccessibleDescriptionRole,
)
WORDS = (
    "toolTip",
    "statusTip",
    "whatsThis",
    "accessibleName",
    "accessibleDescription",
    "windowTitle",
    "windowFilePath",
)


def texts_on_screen() -> list[tuple[str, str]]:
    """Every text of every window that is open, also of pages that are not at the front, with where it stands."""
    found: list[tuple[str, str]] = []
    for top in QApplication.topLevelWidgets():
        if not top.isVisible():
            continue
        for widget in (top, *top.findChildren(QWidget)):
            if reachable(widget):
                found.extend(
                    (f"{type(top).__name__}/{type(widget).__name__}", text) for text in texts_of(widget) if text
                )
    return found


def reachable(widget: QWidget) -> bool:
    """Whether a person can get to see it without changing the view: not hidden for good."""
    return widget.isVisibleTo(widget.window()) or isinstance(widget, QMenu) or in_hidden_page(widget)


def in_hidden_page(widget: QWidget) -> bool:
    """Whether it is only hidden because another page of its tabs or stack is at the front."""
    parent: QWidget | None = widget
    while parent is not None and not parent.isWindow():
        if parent.isHidden() and not hasattr(parent, "show_recommendation"):
            return False
        parent = parent.parentWidget()
    return True


def texts_of(widget: QWidget) -> Iterator[str]:
    """The texts of one widget, its actions and its model."""
    for name in WORDS:
        yield str(widget.property(name) or "")
    for name in ("text", "placeholderText", "title", "plainText"):
        value = widget.property(name)
        if isinstance(value, str):
            yield value
    if isinstance(widget, QLabel | QLineEdit):
        yield widget.text()
    if isinstance(widget, QPlainTextEdit):
        yield widget.toPlainText()
    if isinstance(widget, QComboBox):
        yield from (widget.itemText(number) for number in range(widget.count()))
    if isinstance(widget, PictureView) and widget.picture is not None:
        yield widget.picture.description
        yield from (spot.tip for spot in widget.picture.spots)
    if isinstance(widget, QAbstractItemView) and widget.model() is not None:
        yield from texts_in(widget.model())
    for action in widget.actions():
        yield from texts_in_action(action)


def texts_in_action(action: QAction) -> Iterator[str]:
    """Name, tool tip and status tip."""
    yield from (action.text(), action.toolTip(), action.statusTip(), action.whatsThis())


def texts_in(model: QAbstractItemModel, parent: QModelIndex | None = None) -> Iterator[str]:
    """Every cell in every role that is shown or spoken, and the heads."""
    above = QModelIndex() if parent is None else parent
    for column in range(model.columnCount(above)):
        for role in ROLES:
            yield str(model.headerData(column, Qt.Orientation.Horizontal, role) or "")
    for row in range(model.rowCount(above)):
        for column in range(model.columnCount(above)):
            index = model.index(row, column, above)
            for role in ROLES:
                value = index.data(role)
                if isinstance(value, str | int | float):
                    yield str(value)
        yield from texts_in(model, model.index(row, 0, above))
