"""The open consultation: its content, its file, undo and redo over whole snapshots."""

from __future__ import annotations

import zlib
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from catalog.consultation.document import Consultation
from catalog.consultation.files import read, write

NO_MERGE = -1


class _Snapshot(QUndoCommand):
    """One change as the document before and after it."""

    def __init__(self, document: Document, text: str, after: Consultation, key: str) -> None:
        super().__init__(text)
        self._document = document
        self.before = document.consultation
        self.after = after
        self._id = NO_MERGE if not key else zlib.crc32(key.encode()) & 0x7FFFFFFF

    def id(self) -> int:  # Qt's name
        return self._id

    def redo(self) -> None:
        self._document.adopt(self.after)

    def undo(self) -> None:
        self._document.adopt(self.before)

    def mergeWith(self, other: QUndoCommand) -> bool:  # noqa: N802  # Qt's name
        if not isinstance(other, _Snapshot) or other.id() != self._id:
            return False
        self.after = other.after
        self.setObsolete(self.after == self.before)
        return True


class Document(QObject):
    """Holds the consultation; every change goes through `edit` and can be undone."""

    replaced = Signal()  # another document takes its place; told before `changed`
    changed = Signal(object)  # the new Consultation
    file_changed = Signal()  # another path, or saved

    def __init__(self, consultation: Consultation, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._consultation = consultation
        self._path: Path | None = None
        self._moment = 0
        self._recovered = False
        self.stack = QUndoStack(self)
        self.stack.setUndoLimit(500)
        self.stack.cleanChanged.connect(self._clean_changed)

    @property
    def consultation(self) -> Consultation:
        """The document as it stands."""
        return self._consultation

    @property
    def path(self) -> Path | None:
        """The file it was read from or saved to; None for a new one."""
        return self._path

    @property
    def folder(self) -> Path:
        """Where relative paths in the document start."""
        return self._path.parent if self._path else Path()

    @property
    def modified(self) -> bool:
        """Whether there is anything to lose."""
        return self._recovered or not self.stack.isClean()

    def edit(self, text: str, after: Consultation, key: str = "") -> None:
        """Make a change that undo names by `text`; equal keys in a row become one step until `settle`."""
        if after == self._consultation:
            return
        self.stack.push(_Snapshot(self, text, after, f"{key}#{self._moment}" if key else ""))

    def settle(self) -> None:
        """End the current run of merged changes, for example when a field loses the focus."""
        self._moment += 1

    def adopt(self, consultation: Consultation) -> None:
        """Show another state of the document; used by undo and redo."""
        self._consultation = consultation
        self.changed.emit(consultation)

    def replace(self, consultation: Consultation, path: Path | None, *, recovered: bool = False) -> None:
        """Start over with another document; the undo history begins anew."""
        self._path = path
        self._recovered = recovered
        self.stack.clear()
        self.settle()
        self.replaced.emit()
        self.adopt(consultation)
        self.file_changed.emit()

    def open(self, path: Path) -> None:
        """Read a file. Raises `PassformError` and changes nothing when it cannot be read."""
        self.replace(read(path), path)

    def save(self, path: Path, catalogue: str = "") -> None:
        """Write to a file, which becomes the document's. Raises `PassformError`; the old file stays whole.

        `catalogue` is the version in use. It is recorded where none is: a version recorded earlier stays until the user
        takes the newer one over, so that what has changed since can be shown as long as nobody has seen it.
        """
        stamped = self._consultation.model_copy(update={"catalogue": self._consultation.catalogue or catalogue})
        write(stamped, path)
        self._consultation = stamped
        self._path = path
        self._recovered = False
        self.stack.setClean()
        self.file_changed.emit()

    def _clean_changed(self, _clean: bool) -> None:  # noqa: FBT001  # a Qt signal's argument
        self.file_changed.emit()
