"""Keeps unsaved work in the user's folder a moment after each change, and offers what a crash left behind."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from catalog.consultation import journal
from catalog.consultation.document import Consultation
from catalog.consultation.holding import digest_of
from catalog.consultation.journal import Journal, LeftBehind
from catalog.consultation.locks import this_window
from engine.errors import PassformError
from gui.document import Document

DELAY_MS = 2_000


class Autosave(QObject):
    """Writes the copy a moment after each change; removes it when the work is saved or discarded."""

    saved = Signal(object)  # datetime
    failed = Signal(object)  # PassformError

    def __init__(self, document: Document, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._folder = folder
        self._journal = Journal(folder, this_window())
        self._digest = ""  # of the document's file when it was last read or written
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DELAY_MS)
        self._timer.timeout.connect(self.save_now)
        document.changed.connect(self._on_changed)
        document.file_changed.connect(self._on_file_changed)

    def left_behind(self) -> list[LeftBehind]:
        """What windows that ended without saving left, the newest first."""
        return journal.left_behind(self._folder)

    def adopt(self, left: LeftBehind, path: Path | None) -> None:
        """Take left work into the document of `path`; its entry goes only when this window's copy is on the disk."""
        self._digest = "" if path is None else digest_of(path)
        self._document.replace(left.consultation, path, recovered=True)
        if self.save_now():
            journal.forget(left)

    def give_up(self, left: LeftBehind) -> None:
        """Forget left work on purpose."""
        journal.forget(left)

    def discard(self) -> None:
        """Forget the copy: the work is saved, or given up on purpose."""
        self._timer.stop()
        self._journal.discard()

    @Slot()
    def save_now(self) -> bool:
        """Write the copy; whether it is on the disk."""
        if not self._document.modified:
            return False
        try:
            self._journal.write(self._document.consultation, self._document.path, self._digest)
        except PassformError as error:
            self.failed.emit(error)
            return False
        self.saved.emit(datetime.now().astimezone())
        return True

    @Slot(object)
    def _on_changed(self, _consultation: Consultation) -> None:
        self._timer.start()

    @Slot()
    def _on_file_changed(self) -> None:
        if not self._document.modified:
            path = self._document.path
            self._digest = "" if path is None else digest_of(path)
            self.discard()
