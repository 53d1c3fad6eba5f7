"""Looks for what is clipped, elided, nameless or out of the keyboard's reach in a window."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QFontMetrics
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QCheckBox,
    QComboBox,
    QHeaderView,
    QLabel,
    QRadioButton,
    QScrollBar,
    QTabBar,
    QTableView,
    QWidget,
)

SLACK = 1  # rounding of fractional text widths
COMBO_FRAME = 40  # border, padding and arrow of a choice
HEADER_PADDING = 16


def unfit(root: QWidget) -> list[str]:
    """What does not show its whole text, as `kind: text`."""
    found = []
    for widget in root.findChildren(QWidget):
        if not widget.isVisible():
            continue
        if isinstance(widget, QLabel) and not label_fits(widget):
            found.append(f"label: {widget.text()}")
        elif isinstance(widget, QComboBox) and not combo_fits(widget):
            found.append(f"choice: {widget.currentText()}")
        elif isinstance(widget, QAbstractButton) and not button_fits(widget):
            found.append(f"button: {widget.text()}")
        elif isinstance(widget, QTableView):
            found.extend(f"head: {text}" for text in unfit_heads(widget))
        elif isinstance(widget, QTabBar):
            found.extend(f"tab: {text}" for text in unfit_tabs(widget))
    return found


def label_fits(label: QLabel) -> bool:
    if not label.text():
        return True
    if label.wordWrap():
        return label.heightForWidth(label.width()) <= label.height() + SLACK
    hint = label.sizeHint()
    return hint.width() <= label.width() + SLACK and hint.height() <= label.height() + SLACK


def button_fits(button: QAbstractButton) -> bool:
    if not button.text():
        return True
    room = button.sizeHint().width()
    indicator = isinstance(button, QCheckBox | QRadioButton)
    return room <= button.width() + (2 if indicator else SLACK)


def combo_fits(combo: QComboBox) -> bool:
    if combo.currentText() == combo.toolTip():
        return True
    width = QFontMetrics(combo.font()).horizontalAdvance(combo.currentText())
    return width <= combo.width() - COMBO_FRAME


def unfit_heads(table: QTableView) -> list[str]:
    header = table.horizontalHeader()
    if not header.isVisible():
        return []
    metrics = QFontMetrics(header.font())
    model = table.model()
    texts = [
        (section, str(model.headerData(section, Qt.Orientation.Horizontal) or "")) for section in range(header.count())
    ]
    return [
        text
        for section, text in texts
        if metrics.horizontalAdvance(text) + HEADER_PADDING > header.sectionSize(section) + SLACK
    ]


def unfit_tabs(bar: QTabBar) -> list[str]:
    metrics = QFontMetrics(bar.font())
    return [
        bar.tabText(number)
        for number in range(bar.count())
        if metrics.horizontalAdvance(bar.tabText(number)) > bar.tabRect(number).width()
    ]


def nameless(root: QWidget) -> list[str]:
    """Widgets that take the focus but have no accessible name, as class and object path."""
    found = []
    for widget in [root, *root.findChildren(QWidget)]:
        if not widget.isVisible() or widget.focusPolicy() is Qt.FocusPolicy.NoFocus or inner(widget):
            continue
        interface = QAccessible.queryAccessibleInterface(widget)
        if interface is None or not interface.text(QAccessible.Text.Name).strip():
            found.append(f"{type(widget).__name__} in {type(widget.parentWidget()).__name__}")
    return found


def unreachable(root: QWidget) -> list[str]:
    """Widgets that take the focus by Tab but are not met when walking the window's focus chain."""
    window = root.window()
    met = set()
    widget = window.nextInFocusChain()
    while widget is not window and id(widget) not in met:
        met.add(id(widget))
        widget = widget.nextInFocusChain()
    return [
        type(widget).__name__
        for widget in root.findChildren(QWidget)
        if widget.isVisible() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus and id(widget) not in met
    ]


def inner(widget: QWidget) -> bool:
    """Parts of a composed widget that have no life of their own."""
    parent = widget.parentWidget()
    return isinstance(widget, QScrollBar | QHeaderView) or (
        isinstance(parent, QAbstractItemView | QComboBox) or widget.objectName().startswith("qt_")
    )


def left_over(application: QApplication) -> list[str]:
    """Windows and dialogs still on screen."""
    return [type(widget).__name__ for widget in application.topLevelWidgets() if widget.isVisible()]
