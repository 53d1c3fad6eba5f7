"""Background work: one runner that keeps only the latest job, reports progress and can be cancelled.

Results cross threads through one QObject of the main thread, by queued signals; everything wider than 32 bits
travels as an object.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from PySide6.QtCore import QObject, Signal, Slot

from engine.errors import CancelledError, PassformError
from engine.progress import Progress

Job = Callable[[Progress], object]

REPORT_EVERY_S = 0.05  # more often than anybody sees costs the GUI thread time


class _Relay(QObject):
    """Carries what a worker says into the thread it lives in."""

    progressed = Signal(object, object, object)  # token, done, total
    succeeded = Signal(object, object)  # token, result
    failed = Signal(object, object)  # token, exception


class _Work:
    """One job on the worker thread."""

    def __init__(self, token: int, job: Job, relay: _Relay, cancelled: threading.Event) -> None:
        self._token = token
        self._job = job
        self._relay = relay
        self._cancelled = cancelled
        self._reported_s = time.monotonic()

    def __call__(self) -> None:
        """Run the job and report how it went."""
        try:
            self._stop_if_cancelled()
            result = self._job(self._progress)
        except Exception as error:  # noqa: BLE001  # a worker must report whatever went wrong; it is shown there
            self._relay.failed.emit(self._token, error)
        else:
            self._relay.succeeded.emit(self._token, result)

    def _progress(self, done: int, total: int) -> None:
        self._stop_if_cancelled()
        now_s = time.monotonic()
        if now_s - self._reported_s >= REPORT_EVERY_S:
            self._reported_s = now_s
            self._relay.progressed.emit(self._token, done, total)

    def _stop_if_cancelled(self) -> None:
        if self._cancelled.is_set():
            raise CancelledError


class Runner(QObject):
    """Runs one kind of job; starting another cancels the one before, whose result is then never reported."""

    progressed = Signal(object, object)  # done, total
    finished = Signal(object)  # the job's result
    failed = Signal(object)  # PassformError
    crashed = Signal(object)  # any other exception: a defect, for the crash report
    idle = Signal()  # nothing runs any more

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._relay = _Relay(self)
        self._relay.progressed.connect(self._on_progressed)
        self._relay.succeeded.connect(self._on_succeeded)
        self._relay.failed.connect(self._on_failed)
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="passform")
        self._token = 0
        self._cancelled = threading.Event()
        self._busy = False
        self._closed = False

    @property
    def busy(self) -> bool:
        """Whether a job runs whose result is still wanted."""
        return self._busy

    def start(self, job: Job) -> None:
        """Run a job; its result arrives by signal. A closed runner runs nothing."""
        if self._closed:
            return
        self._cancelled.set()
        self._cancelled = threading.Event()
        self._token += 1
        self._busy = True
        self._pool.submit(_Work(self._token, job, self._relay, self._cancelled))

    def cancel(self) -> None:
        """Stop at the job's next report of progress and forget its result."""
        self._cancelled.set()
        self._token += 1
        if self._busy:
            self._busy = False
            self.idle.emit()

    def close(self) -> None:
        """Cancel and wait for the thread to end; nothing is reported afterwards."""
        self._closed = True
        self.cancel()
        self._pool.shutdown(wait=True, cancel_futures=True)

    @Slot(object, object, object)
    def _on_progressed(self, token: int, done: int, total: int) -> None:
        if token == self._token:
            self.progressed.emit(done, total)

    @Slot(object, object)
    def _on_succeeded(self, token: int, result: object) -> None:
        if token == self._token:
            self._busy = False
            self.finished.emit(result)
            self.idle.emit()

    @Slot(object, object)
    def _on_failed(self, token: int, error: Exception) -> None:
        if token != self._token:
            return
        self._busy = False
        if isinstance(error, CancelledError):
            pass
        elif isinstance(error, PassformError):
            self.failed.emit(error)
        else:
            self.crashed.emit(error)
        self.idle.emit()
