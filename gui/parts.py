"""The building blocks that stand in the window from its first moment: labels by role, buttons, choices, panels.

Naming one of Qt's enumerations makes PySide build all of them, which takes as long as a tenth of the whole start. So
this module and all others that draw the start page write their numbers; a test compares them with the names.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QSize, Signal, Slot
from PySide6.QtGui import QPainter, QPainterPath, QPalette, QPen
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gui.theme import STEP, Theme

if TYPE_CHECKING:
    from PySide6.QtGui import QEnterEvent, QPaintEvent, QResizeEvent, QWheelEvent

ICON = QSize(18, 18)
ARROW = 4.0  # half the width of the arrow
PLAIN_TEXT = 0  # Qt.TextFormat.PlainText
STRONG_FOCUS = 11  # Qt.FocusPolicy.StrongFocus
TOOL_TIP_ROLE = 3  # Qt.ItemDataRole.ToolTipRole
TEXT_BESIDE_ICON = 2  # Qt.ToolButtonStyle.ToolButtonTextBesideIcon


class WrappedLabel(QLabel):
    """A text over several lines that always claims the height its width needs.

    Layouts inside scroll areas ask for a height before the width is known and then cut the last line off.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setWordWrap(True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)

    def sizeHint(self) -> QSize:  # noqa: N802  # Qt's name
        """The height of the present width: Qt's own hint guesses a width and is far too high for a wide label."""
        hint = super().sizeHint()
        height = self.heightForWidth(self.width())
        return QSize(hint.width(), height) if height > 0 else hint

    def setText(self, text: str) -> None:  # noqa: N802  # Qt's name
        super().setText(text)
        self._claim()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802  # Qt's name
        super().resizeEvent(event)
        self._claim()

    def _claim(self) -> None:
        before = self.minimumHeight()
        self.setMinimumHeight(0)  # Qt's answer is never below the present minimum
        height = max(self.heightForWidth(self.width()), 0) if self.text() else 0
        self.setMinimumHeight(height)
        if height != before:
            self.updateGeometry()


def literal(text: str) -> str:
    """A name as the text of an action: an ampersand in it is no mark of a shortcut."""
    return text.replace("&", "&&")


def label(text: str, role: str = "", *, wrap: bool = False) -> QLabel:
    """A text in one of the style sheet's roles."""
    made = WrappedLabel() if wrap else QLabel()
    made.setProperty("textFormat", PLAIN_TEXT)
    if role:
        made.setProperty("role", role)
    made.setText(text)
    return made


class Link(QPushButton):
    """A button that reads like a link: the pointer becomes a hand."""

    def enterEvent(self, event: QEnterEvent) -> None:  # noqa: N802  # Qt's name
        from PySide6.QtCore import Qt  # noqa: PLC0415  # see above

        self.setCursor(Qt.CursorShape.PointingHandCursor)
        super().enterEvent(event)


def button(text: str, role: str = "") -> QPushButton:
    """A push button in one of the style sheet's roles."""
    made = Link(text) if role == "link" else QPushButton(text)
    made.setAutoDefault(False)
    if role:
        made.setProperty("role", role)
    return made


def icon_button(theme: Theme, icon: str, name: str) -> QToolButton:
    """A button that shows an icon; its name is spoken and shown on hover."""
    made = QToolButton()
    made.setIcon(theme.icon(icon))
    made.setIconSize(ICON)
    made.setAccessibleName(name)
    made.setToolTip(name)
    made.setProperty("focusPolicy", STRONG_FOCUS)
    return made


def rule() -> QFrame:
    """A thin horizontal line."""
    made = QFrame()
    made.setProperty("role", "rule")
    return made


def column(parent: QWidget, *, margin: int = 0, spacing: int = 2 * STEP) -> QVBoxLayout:
    """A vertical layout in the house's spacing."""
    made = QVBoxLayout(parent)
    made.setContentsMargins(margin, margin, margin, margin)
    made.setSpacing(spacing)
    return made


def foot(*buttons: QPushButton) -> QHBoxLayout:
    """The line beneath a dialog, its buttons on the right."""
    made = QHBoxLayout()
    made.setContentsMargins(0, 0, 0, 0)
    made.setSpacing(2 * STEP)
    made.addStretch(1)
    for each in buttons:
        made.addWidget(each)
    return made


def page_foot(*buttons: QPushButton) -> QHBoxLayout:
    """The line beneath a page, which has no margin of its own."""
    made = foot(*buttons)
    made.setContentsMargins(6 * STEP, 2 * STEP, 6 * STEP, 2 * STEP)
    return made


def set_role(widget: QWidget, role: str) -> None:
    """Change a widget's role and restyle it."""
    if widget.property("role") != role:
        widget.setProperty("role", role)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


class Choice(QComboBox):
    """One member of a closed set; carries the member's value, never its position."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("focusPolicy", STRONG_FOCUS)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(12)
        self.activated.connect(self._activated)

    def offer(self, entries: Iterable[tuple[str, str]]) -> None:
        """Offer (value, word) pairs."""
        self.clear()
        for value, word in entries:
            self.addItem(word, value)
            self.setItemData(self.count() - 1, word, TOOL_TIP_ROLE)

    def show_value(self, value: str) -> None:
        """Show the document's value."""
        self.setCurrentIndex(self.findData(value))
        self.setToolTip(self.currentText())

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802  # Qt's name
        """Draw the arrow that the style sheet's border takes away."""
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen()
        pen.setColor(self.palette().color(QPalette.ColorRole.PlaceholderText))
        pen.setWidthF(1.6)
        middle = QPointF(self.width() - 14.0, self.height() / 2 + ARROW / 2)
        arrow = QPainterPath(middle + QPointF(-ARROW, -ARROW))
        arrow.lineTo(middle)
        arrow.lineTo(middle + QPointF(ARROW, -ARROW))
        painter.strokePath(arrow, pen)
        painter.end()

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802  # Qt's name
        """Leave the wheel to the page: scrolling must not change a setting."""
        event.ignore()

    @Slot(int)
    def _activated(self, index: int) -> None:
        self.setToolTip(self.currentText())
        self.chosen.emit(str(self.itemData(index)))


class Panel(QFrame):
    """A quiet raised area."""

    def __init__(self, margin: int = 4 * STEP, spacing: int = 2 * STEP) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.body = column(self, margin=margin, spacing=spacing)
