"""Tabs that are as high as the page that is shown, not as the highest one."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QSizePolicy, QTabWidget, QWidget


class Tabs(QTabWidget):
    """Lets hidden pages take no room."""

    def __init__(self) -> None:
        super().__init__()
        self.setDocumentMode(True)
        self.currentChanged.connect(self._on_changed)

    def addTab(self, page: QWidget, name: str) -> int:  # type: ignore[override]  # noqa: N802  # Qt's name, no icons here
        """Add a page."""
        index = super().addTab(page, name)
        self._on_changed(self.currentIndex())
        return index

    @Slot(int)
    def _on_changed(self, current: int) -> None:
        for index in range(self.count()):
            shown = index == current
            policy = QSizePolicy.Policy.Preferred if shown else QSizePolicy.Policy.Ignored
            self.widget(index).setSizePolicy(QSizePolicy.Policy.Preferred, policy)
            if shown:
                self.widget(index).adjustSize()
        self.adjustSize()
        self.updateGeometry()
