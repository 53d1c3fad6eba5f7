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
from gui.context import Context

if TYPE_CHECKING:
    from gui.catalogue.desk import Desk
    from gui.catalogue.window import CatalogueWindow
    from gui.dialogs.help import HelpWindow
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
        self._appearance = context.appearance
        self._desk: Desk | None = None
        self.catalogue: CatalogueWindow | None = None
        self.positions: QuoteEditor | None = None
        self.evidence: EvidenceWindow | None = None
        self.help: HelpWindow | None = None

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
            self.catalogue.closed.connect(self._on_closed)
        _to_front(self.catalogue)

    @Slot()
    def show_positions(self) -> None:
        """Open the positions of the proposal, or bring them to the front."""
        from gui.quote_editor.editor import QuoteEditor  # noqa: PLC0415  # keeps the start fast

        if self.positions is None:
            self.positions = QuoteEditor(self._context, user_folder(), self._today())
            self.positions.closed.connect(self._on_closed)
        _to_front(self.positions)

    @Slot()
    def show_evidence(self) -> None:
        """Open what the estimates are worth, or bring it to the front."""
        from gui.evidence.window import EvidenceWindow  # noqa: PLC0415  # keeps the start fast

        if self.evidence is None:
            self.evidence = EvidenceWindow(self._context)
            self.evidence.closed.connect(self._on_closed)
        _to_front(self.evidence)

    def show_help(self, topic: str) -> None:
        """Open the handbook at a topic, or bring it to the front there."""
        from gui.dialogs.help import HelpWindow  # noqa: PLC0415  # keeps the start fast

        if self.help is None:
            self.help = HelpWindow(self._context)
            self.help.closed.connect(self._on_closed)
        self.help.show_topic(topic)

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

    @Slot()
    def show_findings(self) -> None:
        """Show the catalogue's state and what is wrong in own entries."""
        from gui.dialogs.findings import show_findings  # noqa: PLC0415  # keeps the start fast

        show_findings(self._context, self._window)

    @Slot()
    def show_about(self) -> None:
        """Show version and licences."""
        from gui.dialogs.about import show_about  # noqa: PLC0415  # keeps the start fast

        show_about(self._context, self._window)

    def follow(self) -> None:
        """Build what is open anew when language, theme or view have changed."""
        if self._context.appearance == self._appearance:
            return
        self._appearance = self._context.appearance
        topic = None if self.help is None else self.help.topic
        windows = (
            (self.catalogue, self.show_catalogue),
            (self.positions, self.show_positions),
            (self.evidence, self.show_evidence),
        )
        again = [show for window, show in windows if window is not None]
        self._drop()
        for show in again:
            show()
        if topic is not None:
            self.show_help(topic)

    def close(self) -> None:
        """Close everything and end the background work."""
        self._drop()
        if self._desk is not None:
            self._desk.close()
            self._desk = None

    def _drop(self) -> None:
        for window in (self.catalogue, self.positions, self.evidence, self.help):
            if window is not None:
                window.close()

    @Slot()
    def _on_closed(self) -> None:
        """A closed window follows the consultation no more, so the next one is a new one."""
        closed = self.sender()
        if not isinstance(closed, QWidget):
            return
        closed.deleteLater()
        self.catalogue = None if closed is self.catalogue else self.catalogue
        self.positions = None if closed is self.positions else self.positions
        self.evidence = None if closed is self.evidence else self.evidence
        self.help = None if closed is self.help else self.help

    def _run(self, dialog: QDialog) -> None:
        dialog.exec()
        dialog.deleteLater()


def _to_front(window: QWidget) -> None:
    window.show()
    window.raise_()
    window.activateWindow()
