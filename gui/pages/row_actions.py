"""What can be done with the selected rows of a table: by key, by button and in the context menu."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from PySide6.QtCore import QItemSelectionModel, QPoint, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QMenu, QTableView

from gui.theme import STEP, Theme
from gui.widgets import icon_button, label

Entry = tuple[str, str, str, str | QKeySequence.StandardKey, Callable[[], None]]
"""Name, icon, words, keys and what it does."""


def row_actions(
    table: QTableView, theme: Theme, title: str, entries: Iterable[Entry]
) -> tuple[QHBoxLayout, dict[str, QAction]]:
    """The line above a table with its title and a button per action."""
    line = QHBoxLayout()
    line.setSpacing(STEP)
    line.addWidget(label(title, "section"))
    line.addStretch(1)
    actions: dict[str, QAction] = {}
    for name, icon, text, keys, slot in entries:
        actions[name] = add_row_action(table, text, keys, slot)
        actions[name].setIcon(theme.icon(icon))
        made = icon_button(theme, icon, text)
        made.clicked.connect(slot)
        line.addWidget(made)
    return line, actions


def add_row_action(
    table: QTableView, text: str, keys: str | QKeySequence.StandardKey, slot: Callable[[], None]
) -> QAction:
    """An action in the table's menu; its keys work while the table has the focus."""
    action = QAction(text, table)
    action.setShortcut(QKeySequence(keys))
    action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
    action.triggered.connect(slot)
    table.addAction(action)
    return action


def set_up_rows(table: QTableView) -> None:
    """Let several rows be selected, and show the actions in a menu where the pointer is."""
    table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
    table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
    table.customContextMenuRequested.connect(partial(show_row_menu, table))


def show_row_menu(table: QTableView, point: QPoint) -> None:
    """The actions of the table where the pointer is."""
    menu = QMenu(table)
    menu.addActions(table.actions())
    menu.exec(table.viewport().mapToGlobal(point))
    menu.deleteLater()


def select_whole_row(table: QTableView, row: int) -> None:
    """Select a row and nothing else; the cursor keeps its column."""
    column = max(0, table.currentIndex().column())
    flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
    table.selectionModel().setCurrentIndex(table.model().index(row, column), flags)


def selected_row(table: QTableView) -> int:
    """The row of the cursor, -1 when there is none."""
    index = table.currentIndex()
    return index.row() if index.isValid() else -1


def selected_rows(table: QTableView) -> list[int]:
    """Every selected row, from top to bottom."""
    return sorted({index.row() for index in table.selectionModel().selectedRows()})
