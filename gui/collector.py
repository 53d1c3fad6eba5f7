"""Keeps Python's garbage collection in the GUI thread.

Collection runs in whatever thread allocates. In a worker it can free what wraps a widget, and Qt must only destroy
widgets in the GUI thread: the program then dies. So automatic collection is off while the window lives, and a timer
collects by Python's own thresholds.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer, Slot

INTERVAL_MS = 500


class Collector(QObject):
    """Collects while its owner lives; afterwards collection is automatic again."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        self.destroyed.connect(gc.enable)
        self._timer = QTimer(self)
        self._timer.setInterval(INTERVAL_MS)
        self._timer.timeout.connect(self.collect)
        self._timer.start()

    @Slot()
    def collect(self) -> None:
        """Collect the oldest generation whose threshold is passed."""
        due = [
            number
            for number, (count, limit) in enumerate(zip(gc.get_count(), gc.get_threshold(), strict=True))
            if count > limit
        ]
        if due:
            gc.collect(due[-1])
