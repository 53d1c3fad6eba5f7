"""Keeps Python's garbage collection in the GUI thread.

Collection runs in whatever thread allocates. In a worker it can free what wraps a widget, and Qt must only destroy
widgets in the GUI thread: the program then dies. So automatic collection is off while the window lives, and a timer
collects by Python's own thresholds. What survives the first collection, soon after the start, is the catalogue and the
window: it stays for good, and no later collection looks at it again, which would hold up a repaint for some fifty
milliseconds.
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
        self._settled = False
        self.destroyed.connect(_as_before)
        self._timer = QTimer(self)
        self._timer.setInterval(INTERVAL_MS)
        self._timer.timeout.connect(self.collect)
        self._timer.start()

    @Slot()
    def collect(self) -> None:
        """Collect everything once; from then on the oldest generation whose threshold is passed."""
        if not self._settled:
            self._settled = True
            gc.collect()
            gc.freeze()
            return
        due = [
            number
            for number, (count, limit) in enumerate(zip(gc.get_count(), gc.get_threshold(), strict=True))
            if count > limit
        ]
        if due:
            gc.collect(due[-1])


def _as_before() -> None:
    """Automatic collection of everything."""
    gc.unfreeze()
    gc.enable()
