"""The first-run tour: three bubbles beside the things they speak of."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from gui.context import Context
from gui.theme import STEP
from gui.widgets import button, column, label

WIDTH = 320


class Tour(QFrame):
    """A bubble that walks through its three stops; Escape ends it."""

    ended = Signal()

    def __init__(self, context: Context, window: QWidget, stops: Sequence[QWidget]) -> None:
        super().__init__(window)
        self._context = context
        self._window = window
        self._stops = stops
        self.stop = 0  # the number of the stop that is shown
        _ = context.texts.gettext
        self._words = (
            (_("Begin with a model"), _("Type a name or a size. Every row is one training task of the customer.")),
            (_("The answer stands here"), _("It follows every change: card, machine, free memory, time and price.")),
            (_("The way"), _("Five steps in any order. Results explain the answer, the offer prints it.")),
        )
        self.setProperty("role", "bubble")
        self.setFixedWidth(WIDTH)
        self.setAccessibleName(_("Tour"))
        body = column(self, margin=4 * STEP, spacing=2 * STEP)
        self.title = label("", "section")
        self.text = label("", wrap=True)
        self.count = label("", "small")
        self.next = button("", "primary")
        self.next.clicked.connect(self.go_on)
        self.skip = button(_("End tour"), "link")
        self.skip.clicked.connect(self.end)
        line = QHBoxLayout()
        line.addWidget(self.count, 1)
        line.addWidget(self.skip)
        line.addWidget(self.next)
        body.addWidget(self.title)
        body.addWidget(self.text)
        body.addLayout(line)
        escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), self)
        escape.activated.connect(self.end)

    def start(self, stop: int = 0) -> None:
        """Show a stop, usually the first."""
        self.stop = stop
        self._show()

    @Slot()
    def go_on(self) -> None:
        """Next stop, or the end."""
        if self.stop + 1 < len(self._stops):
            self.stop += 1
            self._show()
        else:
            self.end()

    @Slot()
    def end(self) -> None:
        """Close for good and remember that it was seen."""
        self.drop()
        self.ended.emit()
        self._context.settings.tour_seen = True
        self._context.settings.save()

    def drop(self) -> None:
        """Close without having been seen to the end."""
        self.hide()
        self.deleteLater()

    def _show(self) -> None:
        _ = self._context.texts.gettext
        anchor, (title, text) = self._stops[self.stop], self._words[self.stop]
        self.title.setText(title)
        self.text.setText(text)
        self.count.setText(f"{self.stop + 1} / {len(self._stops)}")
        self.next.setText(_("Done") if self.stop == len(self._stops) - 1 else _("Next"))
        self.adjustSize()
        below = anchor.mapTo(self._window, QPoint(0, min(anchor.height(), 60) + 2 * STEP))
        x = min(max(below.x(), 2 * STEP), self._window.width() - self.width() - 2 * STEP)
        y = min(below.y(), self._window.height() - self.height() - 2 * STEP)
        self.move(x, y)
        self.show()
        self.raise_()
        self.next.setFocus()
