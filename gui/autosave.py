"""Keeps a copy of unsaved work in the user's folder, and finds the one a crash left behind."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from catalog.consultation.document import Consultation
from catalog.consultation.files import read, write
from engine.errors import PassformError
from gui.document import Document

NAME = "autosave.passform.yaml"
DELAY_MS = 2_000


@dataclass(frozen=True, slots=True)
class LeftBehind:
    """Unsaved work of a run that did not end in order."""

    consultation: Consultation
    when: datetime


class Autosave(QObject):
    """Writes the copy a moment after each change; removes it when the work is saved or discarded."""

    saved = Signal(object)  # datetime
    failed = Signal(object)  # PassformError

    def __init__(self, document: Document, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._path = folder / NAME
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DELAY_MS)
        self._timer.timeout.connect(self.save_now)
        document.changed.connect(self._on_changed)
        document.file_changed.connect(self._on_file_changed)

    def left_behind(self) -> LeftBehind | None:
        """What a crash left; a copy that cannot be read is set aside and never offered again."""
        if not self._path.is_file():
            return None
        try:
            consultation = read(self._path)
        except PassformError:
            self._path.replace(self._path.with_suffix(".unreadable"))
            return None
        when = datetime.fromtimestamp(self._path.stat().st_mtime).astimezone()
        return LeftBehind(consultation, when)

    def discard(self) -> None:
        """Forget the copy: the work is saved, or given up on purpose."""
        self._timer.stop()
        self._path.unlink(missing_ok=True)

    @Slot()
    def save_now(self) -> None:
        """Write the copy."""
        if not self._document.modified:
            return
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write(self._document.consultation, self._path)
        except (PassformError, OSError) as error:
            problem = error if isinstance(error, PassformError) else PassformError("{problem}", problem=str(error))
            self.failed.emit(problem)
            return
        self.saved.emit(datetime.now().astimezone())

    @Slot(object)
    def _on_changed(self, _consultation: Consultation) -> None:
        self._timer.start()

    @Slot()
    def _on_file_changed(self) -> None:
        if not self._document.modified:
            self.discard()
