"""The bar that finds a text in the page that is shown: next, previous, how many, and an outline round the place."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRect, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from engine.pictures.palette import Ink
from gui.context import Context
from gui.find import Match, matches, reveal
from gui.pages.page import Page
from gui.theme import STEP
from gui.widgets import icon_button, label

FIELD_WIDTH = 260
ROOM = 60  # pixels kept free round a place that is scrolled to
PAD = 3
QUIET_MS = 120


class Spotlight(QWidget):
    """An outline over the place; lets every click through."""

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802  # Qt's name
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._context.theme.colour(Ink.ACCENT), 2))
        painter.drawRoundedRect(self.rect().adjusted(1, 1, -2, -2), 4, 4)
        painter.end()


class FindBar(QWidget):
    """Searches as one types; Enter and F3 go on, Shift goes back, Escape ends."""

    closed = Signal()

    def __init__(self, context: Context, page: Callable[[], Page]) -> None:
        super().__init__()
        self._context = context
        self._page = page
        self._found: list[Match] = []
        self._current = -1
        self._light: Spotlight | None = None
        _ = context.texts.gettext
        line = QHBoxLayout(self)
        line.setContentsMargins(6 * STEP, STEP, 6 * STEP, STEP)
        line.setSpacing(2 * STEP)
        self.field = QLineEdit()
        self.field.setPlaceholderText(_("Find in this page"))
        self.field.setAccessibleName(_("Find in this page"))
        self.field.setClearButtonEnabled(True)
        self.field.setAcceptDrops(False)  # a file is the window's to take
        self.field.setFixedWidth(FIELD_WIDTH)
        self.count = label("", "small")
        self.previous_button = icon_button(context.theme, "up", _("Previous place (Shift+F3)"))
        self.previous_button.clicked.connect(self.go_back)
        self.next_button = icon_button(context.theme, "down", _("Next place (F3)"))
        self.next_button.clicked.connect(self.go_on)
        self.close_button = icon_button(context.theme, "close", _("Close the search"))
        self.close_button.clicked.connect(self.end)
        for widget in (self.field, self.previous_button, self.next_button, self.count):
            line.addWidget(widget)
        line.addStretch(1)
        line.addWidget(self.close_button)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(QUIET_MS)
        self._timer.timeout.connect(self.search)
        self.field.textChanged.connect(self._on_text)

    @property
    def found(self) -> int:
        """How many places hold the text."""
        return len(self._found)

    @property
    def current(self) -> Match | None:
        """The place that is outlined."""
        return self._found[self._current] if 0 <= self._current < len(self._found) else None

    def begin(self) -> None:
        """Show the bar and wait for a text."""
        self.show()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    @Slot()
    def search(self) -> None:
        """Look through the page as it stands now and go to the first place."""
        self._timer.stop()
        page = self._page()
        page.prepare_find()
        self._found = matches(page, self.field.text())
        self._current = -1
        if self._found:
            self._go(1)
        else:
            self._hide_light()
            self._count()

    @Slot()
    def go_on(self) -> None:
        """Go to the next place, after the last to the first."""
        self._step(1)

    @Slot()
    def go_back(self) -> None:
        """Go to the place before, from the first to the last."""
        self._step(-1)

    @Slot()
    def end(self) -> None:
        """Put the bar away."""
        self._timer.stop()
        self.forget()
        self.hide()
        self.closed.emit()

    def forget(self) -> None:
        """Another page is shown: what was found does not count any more."""
        self._found = []
        self._current = -1
        self._hide_light()
        self._count()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802  # Qt's name
        super().showEvent(event)
        self._count()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802  # Qt's name
        """Enter goes on, Shift+Enter back, Escape ends."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._step(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        elif event.key() == Qt.Key.Key_Escape:
            self.end()
        else:
            super().keyPressEvent(event)

    @Slot(str)
    def _on_text(self, _text: str) -> None:
        self._timer.start()

    def _step(self, step: int) -> None:
        """The page may have changed since: it is looked through again, and the walk goes on from the same number."""
        if not self.field.text().strip():
            self.begin()
            return
        self.show()
        fresh = self._timer.isActive() or not self._found
        before = self._current
        page = self._page()
        page.prepare_find()
        self._timer.stop()
        self._found = matches(page, self.field.text())
        self._current = -1 if fresh and step > 0 else min(before, len(self._found))
        if self._found:
            self._go(step)
        else:
            self._hide_light()
            self._count()

    def _go(self, step: int) -> None:
        self._current = (self._current + step) % len(self._found) if self._current >= 0 or step > 0 else -1
        if self._current < 0:
            self._current = len(self._found) - 1
        match = self._found[self._current]
        area = reveal(match)
        page = self._page()
        centre = match.widget.mapTo(page.widget(), area.center())
        page.ensureVisible(centre.x(), centre.y(), ROOM, ROOM)
        self._show_light(match.widget, area)
        self._count()

    def _show_light(self, widget: QWidget, area: QRect) -> None:
        self._hide_light()
        ground = self._page().widget()
        self._light = Spotlight(self._context, ground)
        corner = widget.mapTo(ground, area.topLeft())
        self._light.setGeometry(QRect(corner, area.size()).adjusted(-PAD, -PAD, PAD, PAD))
        self._light.show()
        self._light.raise_()

    def _hide_light(self) -> None:
        if self._light is not None:
            self._light.hide()
            self._light.deleteLater()
            self._light = None

    def _count(self) -> None:
        texts = self._context.texts
        for made in (self.previous_button, self.next_button):
            made.setEnabled(bool(self._found))
        if not self.field.text().strip():
            self.count.setText("")
        elif self._found:
            words = texts.gettext("{number} of {count}")
            self.count.setText(words.format(number=self._current + 1, count=len(self._found)))
        else:
            self.count.setText(texts.gettext("not found here"))
