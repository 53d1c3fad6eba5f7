"""A verdict as sign and word."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from engine.fit import Verdict
from engine.pictures.parts import VERDICT_INKS, VERDICT_MARKS
from engine.pictures.shapes import Mark, Picture
from gui.context import Context
from gui.painter import paint
from gui.theme import STEP
from gui.widgets import label

SIGN = 16


class _Sign(QWidget):
    """The sign alone."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self.verdict: Verdict | None = None
        self.setFixedSize(QSize(SIGN, SIGN))

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802  # Qt's name
        if self.verdict is None:
            return
        painter = QPainter(self)
        mark = Mark(SIGN / 2, SIGN / 2, SIGN / 2 - 2, VERDICT_MARKS[self.verdict], VERDICT_INKS[self.verdict])
        paint(painter, Picture(SIGN, SIGN, (mark,)), self._context.theme)
        painter.end()


class VerdictLabel(QWidget):
    """Sign and word of a verdict, in its colour."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(STEP)
        self._sign = _Sign(context)
        self._word: QLabel = label("", "section")
        layout.addWidget(self._sign)
        layout.addWidget(self._word)
        layout.addStretch(1)

    def show_verdict(self, verdict: Verdict) -> None:
        """Show a verdict."""
        self._sign.verdict = verdict
        self._word.setText(self._context.texts.label(verdict))
        ink = self._context.theme.colour(VERDICT_INKS[verdict]).name()
        self._word.setStyleSheet(f"color: {ink};")
        self._sign.update()
