"""Keeps Python's garbage collection in the GUI thread.

Collection runs in whatever thread allocates. In a worker it can free what wraps a widget, and Qt must only destroy
widgets in the GUI thread: the program then dies. So automatic collection is off while the window lives, and a timer
collects by Python's own thresholds. What survives the first whole collection is the catalogue and the window: it stays
for good, and no later collection looks at it again, which would hold up every repaint for some thirty milliseconds.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer, Slot

INTERVAL_MS = 500
OLDEST = 2  # generation


class Collector(QObject):
    """Collects while its owner lives; afterwards collection is automatic again."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        self._settled = False
        self.destroyed.connect(_as_before)
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
        if not due:
            return
        gc.collect(due[-1])
        if due[-1] == OLDEST and not self._settled:
            self._settled = True
            gc.freeze()


def _as_before() -> None:
    """Automatic collection of everything."""
    gc.unfreeze()
    gc.enable()
