"""PySide6 6.12.0 loses references to None and True on CPython 3.10 and 3.11 until the interpreter dies."""

from __future__ import annotations

import os
import subprocess
import sys

PROGRAM = """
import sys
from PySide6.QtCore import QCoreApplication, QObject, Signal

class Sender(QObject):
    sent = Signal(object)

application = QCoreApplication([])
sender = Sender()
sender.sent.connect(lambda value: None)
before = sys.getrefcount(None), sys.getrefcount(True)
for _ in range(2000):
    sender.sent.emit(True)
    application.processEvents()
after = sys.getrefcount(None), sys.getrefcount(True)
print(after[0] - before[0], after[1] - before[1])
"""
TOLERANCE = 50  # references that objects made meanwhile hold or gave back


def test_that_emitting_and_processing_events_loses_no_reference_to_none_and_true() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )
    assert ran.returncode == 0, ran.stderr
    drift_none, drift_true = (int(word) for word in ran.stdout.split())
    assert abs(drift_none) < TOLERANCE
    assert abs(drift_true) < TOLERANCE
