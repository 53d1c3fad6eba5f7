"""What a person sees of an unhandled error: one dialog that says what to do, with the report to send or not.

It stands ready before anything else is loaded, so the report's own parts are imported when there is one to write.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from gui.look import Look

if TYPE_CHECKING:
    from gui.autosave import Autosave
    from gui.context import Context


class CrashReporter:
    """Keeps the work, writes the report, tells the person; while its dialog is open, further errors only write."""

    def __init__(self, look: Look, window: QWidget, folder: Path) -> None:
        self._look = look
        self._context: Context | None = None
        self._autosave: Autosave | None = None
        self._window = window
        self._folder = folder
        self._showing = False

    def follow(self, context: Context, autosave: Autosave) -> None:
        """There is work to keep from now on."""
        self._context = context
        self._autosave = autosave

    def report(self, error: BaseException) -> None:
        """Handle one error that nothing else handled."""
        from PySide6.QtCore import qVersion  # noqa: PLC0415  # see above

        from catalog.crash_report import report_text, write_report  # noqa: PLC0415

        kept = self._keep()
        version = "" if self._context is None else self._context.catalog.version
        text = report_text(error, version, str(qVersion()))
        written = write_report(text, self._folder)
        if self._showing:
            return
        self._showing = True
        try:
            self._show(text, written, kept=kept)
        finally:
            self._showing = False

    def _keep(self) -> bool:
        """Whether nothing is lost. Before the catalogue is there, there is no work."""
        if self._context is None or self._autosave is None:
            return True
        return self._autosave.save_now() or not self._context.document.modified

    def _show(self, text: str, written: Path | None, *, kept: bool) -> None:
        from PySide6.QtCore import QUrl  # noqa: PLC0415
        from PySide6.QtGui import QDesktopServices  # noqa: PLC0415
        from PySide6.QtWidgets import QMessageBox  # noqa: PLC0415

        _ = self._look.texts.gettext
        box = QMessageBox(self._window)
        box.setIcon(QMessageBox.Icon.Critical)
        box.setWindowTitle("Passform")
        if kept:
            box.setText(_("Something went wrong that should not. Your work is kept; please save it and start again."))
        else:
            box.setText(
                _("Something went wrong that should not, and no copy could be kept. Please save your work now.")
            )
        box.setInformativeText(
            _("The report below names the place in the program and nothing of the customer. You may send it or not.")
        )
        box.setDetailedText(text)
        folder = None
        if written is not None:
            folder = box.addButton(_("Open report folder"), QMessageBox.ButtonRole.ActionRole)
        box.addButton(QMessageBox.StandardButton.Close)
        box.exec()
        chosen = box.clickedButton()
        box.deleteLater()
        if folder is not None and chosen is folder and written is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(written.parent)))
