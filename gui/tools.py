"""The windows beside the consultation: opened once, closed with it, built anew when language, theme or view change."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QDialog, QWidget

from catalog.catalog import Catalog
from catalog.user_folder import user_folder
from engine.wording.translator import Language
from gui.context import Context

if TYPE_CHECKING:
    from gui.catalogue.desk import Desk
    from gui.catalogue.window import CatalogueWindow
    from gui.evidence.window import EvidenceWindow
    from gui.quote_editor.editor import QuoteEditor


class Tools(QObject):
    """Opens them and keeps them."""

    def __init__(
        self, context: Context, today: Callable[[], date], use: Callable[[Catalog], None], window: QWidget
    ) -> None:
        super().__init__(window)
        self._context = context
        self._today = today
        self._use = use
        self._window = window
        self._look = self._current_look()
        self._desk: Desk | None = None
        self.catalogue: CatalogueWindow | None = None
        self.positions: QuoteEditor | None = None
        self.evidence: EvidenceWindow | None = None

    @property
    def desk(self) -> Desk:
        """The workplace of the catalogue's dialogs."""
        if self._desk is None:
            from gui.catalogue.desk import Desk  # noqa: PLC0415  # keeps the start fast

            self._desk = Desk(self._context, user_folder(), self._today(), self._use, self)
        return self._desk

    @Slot()
    def show_catalogue(self) -> None:
        """Open the catalogue, or bring it to the front."""
        from gui.catalogue.window import CatalogueWindow  # noqa: PLC0415  # keeps the start fast

        if self.catalogue is None:
            self.catalogue = CatalogueWindow(self.desk)
        _to_front(self.catalogue)

    @Slot()
    def show_positions(self) -> None:
        """Open the positions of the proposal, or bring them to the front."""
        from gui.quote_editor.editor import QuoteEditor  # noqa: PLC0415  # keeps the start fast

        if self.positions is None:
            self.positions = QuoteEditor(self._context, user_folder(), self._today())
        _to_front(self.positions)

    @Slot()
    def show_evidence(self) -> None:
        """Open what the estimates are worth, or bring it to the front."""
        from gui.evidence.window import EvidenceWindow  # noqa: PLC0415  # keeps the start fast

        if self.evidence is None:
            self.evidence = EvidenceWindow(self._context)
            self.evidence.closed.connect(self._on_evidence_closed)
        _to_front(self.evidence)

    @Slot()
    def import_prices(self, path: Path | None = None) -> None:
        """Import a price list, at once the one at `path`; never while a customer looks on."""
        from gui.catalogue.import_dialog import ImportDialog  # noqa: PLC0415  # keeps the start fast

        if self._context.customer_view:
            return
        dialog = ImportDialog(self.desk, self._window)
        if path is not None:
            dialog.take(path)
        self._run(dialog)

    @Slot()
    def update_catalogue(self) -> None:
        """Check and apply an update package."""
        from gui.catalogue.update_dialog import UpdateDialog  # noqa: PLC0415  # keeps the start fast

        self._run(UpdateDialog(self.desk, self._window))

    @Slot()
    def compare_versions(self) -> None:
        """Compare two versions of the catalogue."""
        from gui.catalogue.versions_dialog import VersionsDialog  # noqa: PLC0415  # keeps the start fast

        self._run(VersionsDialog(self.desk, self._window))

    @Slot()
    def show_settings(self) -> None:
        """Open the settings."""
        from gui.dialogs.settings import SettingsDialog  # noqa: PLC0415  # keeps the start fast

        self._run(SettingsDialog(self.desk, self._window))

    def follow(self) -> None:
        """Build what is open anew when language, theme or view have changed."""
        look = self._current_look()
        if look == self._look:
            return
        self._look = look
        windows = (
            (self.catalogue, self.show_catalogue),
            (self.positions, self.show_positions),
            (self.evidence, self.show_evidence),
        )
        again = [show for window, show in windows if window is not None and window.isVisible()]
        self._drop()
        for show in again:
            show()

    def close(self) -> None:
        """Close everything and end the background work."""
        self._drop()
        if self._desk is not None:
            self._desk.close()
            self._desk = None

    def _current_look(self) -> tuple[Language, bool, bool]:
        return self._context.texts.language, self._context.theme.dark, self._context.customer_view

    def _drop(self) -> None:
        for window in (self.catalogue, self.positions, self.evidence):
            if window is not None:
                window.close()
                window.deleteLater()
        self.catalogue = self.positions = self.evidence = None

    @Slot()
    def _on_evidence_closed(self) -> None:
        """A closed window computes no more, so the next one is a new one."""
        if self.evidence is not None:
            self.evidence.deleteLater()
            self.evidence = None

    def _run(self, dialog: QDialog) -> None:
        dialog.exec()
        dialog.deleteLater()


def _to_front(window: QWidget) -> None:
    window.show()
    window.raise_()
    window.activateWindow()
