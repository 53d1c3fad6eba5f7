"""What was clicked before its part of the program was there: kept, and carried out in order as soon as it is."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication

Wish = Callable[[], object]


class Wishes(QObject):
    """Carries a wish out at once, or keeps it while the rest is loaded and shows by the cursor that it is heard."""

    heard = Signal()  # a wish waits

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._ready = False
        self._waiting: list[tuple[tuple[object, ...], Wish]] = []

    @property
    def waiting(self) -> bool:
        """Whether a wish waits."""
        return bool(self._waiting)

    def ask(self, key: tuple[object, ...], wish: Wish) -> None:
        """Carry out or keep; the same `key` twice in a row is one impatient person with one wish."""
        if self._ready:
            wish()
            return
        if self._waiting and self._waiting[-1][0] == key:
            return
        if not self._waiting:
            from PySide6.QtCore import Qt  # noqa: PLC0415  # dear, see `gui.parts`; and nothing waits in most starts

            QApplication.setOverrideCursor(Qt.CursorShape.BusyCursor)
        self._waiting.append((key, wish))
        self.heard.emit()

    def fulfil(self) -> None:
        """Everything is there: carry out what waits, and from now on everything at once."""
        self._ready = True
        waiting = self._take()
        for _key, wish in waiting:
            wish()

    def drop(self) -> None:
        """Forget what waits: the window closes."""
        self._take()

    def _take(self) -> list[tuple[tuple[object, ...], Wish]]:
        waiting, self._waiting = self._waiting, []
        if waiting:
            QApplication.restoreOverrideCursor()
        return waiting
