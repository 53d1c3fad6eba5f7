"""Loads what the painted window still lacks, in a thread of its own, so that the window answers meanwhile.

Here and in the functions that furnish the window, imports stand inside functions on purpose: what they name takes ten
times as long to import as the window takes to paint. The thread imports and reads, and makes no Qt object; those are
made in the GUI thread, by whoever hears that all is there.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

if TYPE_CHECKING:
    from catalog.catalog import Catalog

SWITCH_S = 0.0005  # Python's own 5 ms, once for every call from Qt, would let the window stutter


class Loader(QObject):
    """Runs steps one after another off the GUI thread; the result of the last one is what was wanted."""

    loaded = Signal(object)
    failed = Signal(object)  # BaseException

    def __init__(self, steps: Sequence[Callable[[], object]], parent: QObject) -> None:
        super().__init__(parent)
        self._steps = steps
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="loading")

    @property
    def busy(self) -> bool:
        """Whether the thread runs."""
        return self._thread.is_alive()

    @property
    def stopped(self) -> bool:
        """Whether nobody waits for the result any more."""
        return self._stopped.is_set()

    @Slot()
    def start(self) -> None:
        """Begin, once."""
        if self._thread.ident is None and not self._stopped.is_set():
            self._thread.start()

    @Slot()
    def stop(self) -> None:
        """Begin no further step, and wait for the one that runs."""
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        usual = sys.getswitchinterval()
        sys.setswitchinterval(SWITCH_S)
        result: object = None
        try:
            for step in self._steps:
                if self._stopped.is_set():
                    return
                result = step()
        except BaseException as error:  # noqa: BLE001  # handed to the GUI thread, which tells the person
            self._tell(self.failed.emit, error)
        else:
            self._tell(self.loaded.emit, result)
        finally:
            sys.setswitchinterval(usual)

    def _tell(self, tell: Callable[[object], None], result: object) -> None:
        if not self._stopped.is_set():
            tell(result)


def first_steps(load: Callable[[], Catalog]) -> list[Callable[[], object]]:
    """What a first consultation needs; the last step gives the catalogue."""
    return [_document, _planner, _first_page, load]


def later_steps() -> list[Callable[[], object]]:
    """What the other pages need: loaded while the person fills in the first, so that no page has to be waited for."""
    return [_calculation, _middle_pages, _results, _offer]


def _document() -> None:
    import gui.document  # noqa: PLC0415, F401


def _planner() -> None:
    import gui.planning  # noqa: PLC0415, F401


def _first_page() -> None:
    import gui.furniture  # noqa: PLC0415
    import gui.pages.workloads  # noqa: PLC0415, F401


def _calculation() -> None:
    import catalog.attachments  # noqa: PLC0415
    import catalog.consultation.scenario  # noqa: PLC0415, F401
    import engine.plan.recommend  # noqa: PLC0415, F401


def _middle_pages() -> None:
    import gui.pages.goals  # noqa: PLC0415
    import gui.pages.site  # noqa: PLC0415, F401


def _results() -> None:
    import gui.pages.results  # noqa: PLC0415, F401


def _offer() -> None:
    import gui.pages.offer  # noqa: PLC0415, F401
