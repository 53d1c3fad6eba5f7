"""The lock and the memory of the file a window works on, and the questions that come with them."""

from __future__ import annotations

from enum import Enum, auto
from pathlib import Path

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QMessageBox, QWidget

from catalog.consultation.holding import ChangedOutsideError, LockedError, OpenFile, TakenOverError
from catalog.consultation.locks import this_window
from engine.errors import PassformError
from gui.context import Context


class Opening(Enum):
    """How a file is opened."""

    AS_ITSELF = auto()
    AS_COPY = auto()
    NOT_AT_ALL = auto()


class FileGuard(QObject):
    """Holds the file of one window."""

    def __init__(self, context: Context, window: QWidget) -> None:
        super().__init__(window)
        self._context = context
        self._window = window
        self._me = this_window()
        self._held: OpenFile | None = None
        context.document.file_changed.connect(self._on_file_changed)

    def take(self, path: Path) -> Opening:
        """Lock a file before it is opened or first written; asks when somebody else works on it."""
        before = self._held
        try:
            self._hold(OpenFile(path, self._me), before)
        except LockedError as error:
            answer = self._ask_whose(error)
            if answer is Opening.AS_ITSELF:
                self._hold(OpenFile(path, self._me, over=True), before)
            return answer
        return Opening.AS_ITSELF

    def may_write(self, path: Path) -> bool:
        """Whether the file may be written now; asks when that would replace somebody's work."""
        if self._held is None or self._held.path != path:
            return self.take(path) is Opening.AS_ITSELF
        try:
            self._held.check()
        except ChangedOutsideError as error:
            return self._ask_to_replace(error)
        except TakenOverError as error:
            return self._ask_to_replace(error) and self.take(path) is Opening.AS_ITSELF
        return True

    def wrote(self) -> None:
        """The document's file holds the document now."""
        if self._held is not None:
            self._held.wrote()

    def close(self) -> None:
        """Give the lock back."""
        if self._held is not None:
            self._held.close()
            self._held = None

    def _hold(self, taken: OpenFile, before: OpenFile | None) -> None:
        self._held = taken
        if before is not None and before.path != taken.path:
            before.close()

    @Slot()
    def _on_file_changed(self) -> None:
        if self._held is not None and self._held.path != self._context.document.path:
            self.close()

    def _ask_whose(self, error: LockedError) -> Opening:
        _ = self._context.texts.gettext
        box = self._question(error)
        day, time = error.owner.since[:10], error.owner.since[11:16]
        since = f"{self._context.texts.recorded_date(day)} {time}"
        box.setText(_(error.template).format(**{**error.values, "since": since}))
        box.setInformativeText(
            _("Take it over only when nobody works on it any more: the other window is then told to save elsewhere.")
        )
        over = box.addButton(_("Take over"), QMessageBox.ButtonRole.DestructiveRole)
        copy = box.addButton(_("Open a copy"), QMessageBox.ButtonRole.AcceptRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(copy)
        box.exec()
        chosen = box.clickedButton()
        box.deleteLater()
        if chosen is over:
            return Opening.AS_ITSELF
        return Opening.AS_COPY if chosen is copy else Opening.NOT_AT_ALL

    def _ask_to_replace(self, error: PassformError) -> bool:
        _ = self._context.texts.gettext
        box = self._question(error)
        replace = box.addButton(_("Replace"), QMessageBox.ButtonRole.DestructiveRole)
        cancel = box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(cancel)
        box.exec()
        chosen = box.clickedButton()
        box.deleteLater()
        return chosen is replace

    def _question(self, error: PassformError) -> QMessageBox:
        box = QMessageBox(self._window)
        box.setIcon(QMessageBox.Icon.Warning)
        box.setWindowTitle("Passform")
        box.setText(self._context.texts.error(error))
        return box
