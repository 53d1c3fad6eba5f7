"""The workplace behind the catalogue's dialogs: the user's folder, the catalogue in use, changes tried and made."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from catalog.catalog import Catalog
from catalog.config_model import model_from_file
from catalog.consultation.scenario import to_scenario
from catalog.load import load_catalog
from catalog.own_entries import own_model_ids
from catalog.own_files import undo
from catalog.own_prices import own_prices
from catalog.trial import Change, trial
from engine.errors import PassformError
from engine.plan.recommend import recommend
from engine.progress import Progress
from gui.catalogue.effect import Tried
from gui.catalogue.rows import Viewer
from gui.context import Context
from gui.tasks import Runner

Use = Callable[[Catalog], None]


class Desk(QObject):
    """Shared by the window of the catalogue and its dialogs."""

    replaced = Signal()  # another catalogue is in use
    tried = Signal(object)  # Tried
    refused = Signal(object)  # PassformError of a change that was tried

    def __init__(self, context: Context, folder: Path, today: date, use: Use, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self.folder = folder
        self.today = today
        self._use = use
        self._runner = Runner(self)
        self._runner.finished.connect(self._on_tried)
        self._runner.failed.connect(self.refused)
        self._runner.crashed.connect(context.planner.crashed)

    @property
    def busy(self) -> bool:
        """Whether a change is being tried."""
        return self._runner.busy

    @property
    def catalog(self) -> Catalog:
        """The catalogue in use."""
        return self.context.catalog

    def viewer(self) -> Viewer:
        """For whom tables are made: the catalogue in use, the consultation's currency, today."""
        try:
            models, prices = own_model_ids(self.folder), frozenset(own_prices(self.folder))
        except PassformError:  # a damaged own file is left out of the catalogue too, and stands among its findings
            models, prices = frozenset(), frozenset()
        currency = self.context.document.consultation.currency
        customer = self.context.customer_view
        return Viewer(self.catalog, self.context.texts, currency, self.today, models, prices, customer)

    def attempt(self, change: Change) -> None:
        """Try a change of the own files in the background; `tried` or `refused` tells how it went."""
        folder = self.folder
        self._start(lambda: trial(folder, change))

    def attempt_catalog(self, catalog: Catalog) -> None:
        """Try another catalogue in the background; `tried` or `refused` tells how it went."""
        self._start(lambda: catalog)

    def make(self, change: Change) -> None:
        """Make a change of the own files and use the catalogue anew. Raises `PassformError`; then nothing changed."""
        change(self.folder)
        self.reload()

    def undo(self) -> tuple[str, ...]:
        """Take the last change of the own files back; names the files, nothing when there is none."""
        restored = undo(self.folder)
        if restored:
            self.reload()
        return restored

    def reload(self) -> None:
        """Read the catalogue again and use it. Raises `PassformError` when it cannot be used."""
        self._use(load_catalog(self.folder))
        self.replaced.emit()

    def stop(self) -> None:
        """Try no further: the dialog that asked is closed, and the next one must not hear the answer."""
        self._runner.cancel()

    def close(self) -> None:
        """Stop trying, for good."""
        self._runner.close()

    def _start(self, load: Callable[[], Catalog]) -> None:
        document, folder, today = self.context.document.consultation, self.context.document.folder, self.today

        def job(progress: Progress) -> Tried:
            catalog = load()
            if not document.workloads and not document.serving:
                return Tried(catalog, None)
            scenario = to_scenario(document, catalog.facts, today, model_from_file, folder)
            return Tried(catalog, recommend(scenario, catalog.facts, progress))

        self._runner.start(job)

    @Slot(object)
    def _on_tried(self, tried: Tried) -> None:
        self.tried.emit(tried)
