"""Tabs whose hidden pages take no room: QTabWidget is always as high as its highest page."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QTabBar, QWidget

from gui.theme import STEP
from gui.widgets import column


class Tabs(QWidget):
    """A bar of names over the one page that is shown."""

    changed = Signal(int)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.bar = QTabBar()
        self.bar.setAccessibleName(name)
        self.bar.setDrawBase(False)
        self.bar.setExpanding(False)
        self.bar.setUsesScrollButtons(True)
        self._pages: list[QWidget] = []
        self._body = column(self, spacing=3 * STEP)
        self._body.addWidget(self.bar)
        self.bar.currentChanged.connect(self._on_changed)

    def add(self, page: QWidget, name: str) -> None:
        """Add a page."""
        self._pages.append(page)
        self._body.addWidget(page)
        page.setVisible(len(self._pages) == 1)  # after it has a parent: before, it would flash up as a window
        self.bar.addTab(name)

    @property
    def current(self) -> int:
        """The number of the page that is shown."""
        return self.bar.currentIndex()

    @property
    def current_page(self) -> QWidget:
        """The page that is shown."""
        return self._pages[self.current]

    @property
    def count(self) -> int:
        """How many pages there are."""
        return len(self._pages)

    def show_page(self, page: QWidget) -> None:
        """Bring a page to the front."""
        self.bar.setCurrentIndex(self._pages.index(page))

    @Slot(int)
    def _on_changed(self, current: int) -> None:
        for number, page in enumerate(self._pages):
            page.setVisible(number == current)
        self.changed.emit(current)
