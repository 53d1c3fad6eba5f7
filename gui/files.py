"""Opening, saving and closing consultations: asks what needs a decision, says what went wrong, remembers files."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from catalog.consultation.document import Consultation
from catalog.consultation.files import SUFFIX, read
from catalog.consultation.journal import LeftBehind
from catalog.consultation.newer import is_newer, read_newer
from engine.errors import PassformError
from gui.ask_file import ask_where
from gui.context import Context
from gui.file_guard import FileGuard, Opening
from gui.focus import take_typed

LISTED = 12  # unknown parts of a newer file named in the message


class Files(QObject):
    """The file side of the window."""

    opened = Signal()  # another document is shown
    recent_changed = Signal()

    def __init__(self, context: Context, window: QWidget) -> None:
        super().__init__(window)
        self._context = context
        self._window = window
        self._guard = FileGuard(context, window)
        self._told = False  # that the list of recent files cannot be kept

    @Slot()
    def new(self) -> None:
        """Begin an empty consultation."""
        if self.may_leave():
            language = self._context.texts.language.value
            self._context.document.replace(Consultation(language=language), None)
            self.opened.emit()

    @Slot()
    def ask_and_open(self) -> None:
        """Ask for a file and open it."""
        _ = self._context.texts.gettext
        kinds = _("Consultations and their papers (*.passform.yaml *.yaml *.yml *.pdf)")
        name, _filter = QFileDialog.getOpenFileName(
            self._window, _("Open consultation"), str(self._context.document.folder), kinds
        )
        if name:
            self.open(Path(name))

    def open(self, path: Path) -> bool:
        """Open a file, after asking about unsaved changes; what is wrong with it is shown."""
        if not self.may_leave():
            return False
        try:
            opened = self._read(path)
        except PassformError as error:
            self.show_error(error)
            if _is_gone(path):
                self._note(partial(self._context.settings.forget, str(path.resolve())))
            return False
        if opened:
            self.opened.emit()
            self._note(partial(self._context.settings.remember, path))
        return opened

    def open_sample(self, path: Path) -> None:
        """Open a sample as a new consultation, so that the sample itself stays as it is."""
        if not self.may_leave():
            return
        try:
            sample = read(path)
        except PassformError as error:
            self.show_error(error)
            return
        self._context.document.replace(sample, None)
        self.opened.emit()

    @Slot()
    def save(self) -> bool:
        """Save to the document's file, or ask for one."""
        take_typed()
        path = self._context.document.path
        return self.ask_and_save() if path is None else self._save(path)

    @Slot()
    def ask_and_save(self) -> bool:
        """Ask for a file and save there."""
        take_typed()
        _ = self._context.texts.gettext
        start = self._context.document.path or Path(_("Consultation") + SUFFIX)
        path = ask_where(self._window, _("Save consultation"), start, self._kinds(), self._context.texts)
        return path is not None and self._save(path)

    def may_leave(self) -> bool:
        """Whether the document may be left: saved, discarded on purpose, or nothing to lose."""
        take_typed()
        if not self._context.document.modified:
            return True
        answer = self._ask_about_changes()
        if answer is QMessageBox.StandardButton.Save:
            return self.save()
        return answer is QMessageBox.StandardButton.Discard

    def path_for(self, left: LeftBehind) -> Path | None:
        """The file that recovered work belongs to, locked; None when it changed meanwhile or is somebody else's."""
        if left.path is None or left.saved_since or self._guard.take(left.path) is not Opening.AS_ITSELF:
            return None
        return None if left.saved_since else left.path  # saved by others while the question was on the screen

    def release(self) -> None:
        """Let go of the file: the window closes."""
        self._guard.close()

    def show_error(self, error: PassformError) -> None:
        """Say what is wrong and what would be right."""
        _ = self._context.texts.gettext
        box = QMessageBox(self._window)
        box.setIcon(QMessageBox.Icon.Warning)
        box.setWindowTitle(_("Passform"))
        box.setText(self._context.texts.error(error))
        box.exec()
        box.deleteLater()

    def _read(self, path: Path) -> bool:
        """Put a file into the document; False when the person thought better of it. Raises `PassformError`."""
        document = self._context.document
        if path.suffix.lower() == ".pdf":
            from catalog.attachments import consultation_from_pdf  # noqa: PLC0415  # only opening a paper should cost it

            # A new consultation: saving it must not overwrite the paper.
            document.replace(consultation_from_pdf(path), None)
            return True
        if is_newer(path):
            self._open_newer(path)
            return True
        read(path)  # what cannot be read needs no lock
        opening = self._guard.take(path)
        if opening is not Opening.NOT_AT_ALL:
            # Read under the lock: whoever had the file may have saved it while the question was on the screen.
            document.replace(read(path), path if opening is Opening.AS_ITSELF else None)
        return opening is not Opening.NOT_AT_ALL

    def _open_newer(self, path: Path) -> None:
        """Show what is understood of a newer file as a new consultation, and say what is not."""
        newer = read_newer(path)
        self._context.document.replace(newer.consultation, None)
        _ = self._context.texts.gettext
        text = _("{name} was written by a newer Passform. It is shown as a copy; the file itself stays as it is.")
        box = QMessageBox(self._window)
        box.setIcon(QMessageBox.Icon.Information)
        box.setWindowTitle("Passform")
        box.setText(text.format(name=path.name))
        if newer.unknown:
            places = ", ".join(list(newer.unknown)[:LISTED])
            box.setInformativeText(_("Unknown here and therefore left out of the copy: {places}").format(places=places))
        box.exec()
        box.deleteLater()

    def _save(self, path: Path) -> bool:
        if not self._guard.may_write(path):
            return False
        try:
            self._context.document.save(path, self._context.catalog.version)
        except PassformError as error:
            self.show_error(error)
            return False
        self._guard.wrote()
        self._note(partial(self._context.settings.remember, path))
        return True

    def _note(self, change: Callable[[], None]) -> None:
        """Change the list of recent files. That it cannot be kept is said once, and stops nobody."""
        try:
            change()
        except PassformError as error:
            if not self._told:
                self._told = True
                self.show_error(error)
        self.recent_changed.emit()

    def _ask_about_changes(self) -> QMessageBox.StandardButton:
        _ = self._context.texts.gettext
        path = self._context.document.path
        box = QMessageBox(self._window)
        box.setIcon(QMessageBox.Icon.Question)
        box.setWindowTitle(_("Unsaved changes"))
        name = path.name if path else _("the new consultation")
        box.setText(_("Save the changes to {name}?").format(name=name))
        buttons = QMessageBox.StandardButton
        box.setStandardButtons(buttons.Save | buttons.Discard | buttons.Cancel)
        box.setDefaultButton(buttons.Save)
        answer = buttons(box.exec())
        box.deleteLater()
        return answer

    def _kinds(self) -> str:
        _ = self._context.texts.gettext
        return _("Consultations (*.passform.yaml *.yaml *.yml)")


def _is_gone(path: Path) -> bool:
    """Whether there is certainly no such file; one behind a closed door or a network that is down may come back."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError, ValueError):  # the last: a name with a zero character
        return True
    except OSError:
        return False
    return False
