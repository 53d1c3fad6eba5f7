"""An update package: verified first, then shown as differences, then applied; the way back stays open."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QDialog, QFileDialog, QHBoxLayout, QWidget

from catalog import updates
from catalog.keys import trusted_keys
from catalog.updates import UpdatePreview
from catalog.versions import DATA_FOLDER, applied_versions
from engine.errors import PassformError
from engine.progress import Progress
from gui.catalogue.desk import Desk
from gui.catalogue.diff_view import DiffView
from gui.catalogue.effect_view import EffectView
from gui.catalogue.keys_dialog import KeysDialog
from gui.tasks import Runner
from gui.theme import STEP
from gui.widgets import button, column, label, set_role

SIZE = (1000, 640)


class UpdateDialog(QDialog):
    """A package that is not signed by a trusted key, or older, is refused with the reason."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._preview: UpdatePreview | None = None
        self._path: Path | None = None
        texts = desk.context.texts
        _ = texts.gettext
        self.setWindowTitle(_("Update package"))
        self.resize(*SIZE)
        body = column(self, margin=5 * STEP, spacing=3 * STEP)
        body.addWidget(label(_("Update package"), "title"))
        why = _("A signed file with a newer catalogue. Nothing changes before you apply it; your own entries stay.")
        body.addWidget(label(why, "muted", wrap=True))
        head = QHBoxLayout()
        head.setSpacing(2 * STEP)
        self.choose = button(_("Choose package …"))
        self.choose.clicked.connect(self._ask)
        head.addWidget(self.choose)
        self.state = label("", "muted", wrap=True)
        head.addWidget(self.state, 1)
        body.addLayout(head)
        self.diff = DiffView(desk.context)
        body.addWidget(self.diff, 1)
        self.effect = EffectView(desk)
        self.effect.say(_("Choose a package to see what it changes."))
        body.addWidget(self.effect)
        body.addLayout(self._foot())
        self._runner = Runner(self)
        self._runner.finished.connect(self._on_verified)
        self._runner.failed.connect(self._on_refused)
        self._runner.crashed.connect(desk.context.planner.crashed)
        self.finished.connect(self._stop)
        self._show_versions()

    @property
    def busy(self) -> bool:
        """Whether a package is being checked or tried."""
        return self._runner.busy or self._desk.busy

    def take(self, path: Path) -> None:
        """Verify a package and show what it changes."""
        folder, current = self._desk.folder, self._desk.catalog
        self._path = path
        self._preview = None
        self.apply_button.setEnabled(False)

        def job(progress: Progress) -> UpdatePreview:
            progress(0, 2)
            package = updates.verify(path, trusted_keys(DATA_FOLDER, folder))
            progress(1, 2)
            return updates.preview(package, current, folder)

        set_role(self.state, "muted")
        self.state.setText(self._desk.context.texts.gettext("Checking {file} …").format(file=path.name))
        self._runner.start(job)

    @Slot()
    def apply(self) -> None:
        """Switch to the package's catalogue."""
        if self._preview is None:
            return
        if self._switched(partial(updates.apply, self._preview.package)):
            self.apply_button.setEnabled(False)
            self._path = None
            self._show_versions()

    @Slot()
    def revert(self) -> None:
        """Go back to the catalogue before the last update."""
        if self._switched(updates.revert):
            self.diff.say("")
            self._show_versions()

    def _switched(self, change: Callable[[Path], object]) -> bool:
        """Change the user's folder, use the catalogue it holds now and say which it is."""
        texts = self._desk.context.texts
        try:
            change(self._desk.folder)
            self._desk.reload()
        except PassformError as error:
            self._on_refused(error)
            return False
        version = texts.recorded_date(self._desk.catalog.version)
        set_role(self.state, "muted")
        self.state.setText(texts.gettext("The catalogue of {version} is in use now.").format(version=version))
        return True

    @Slot()
    def show_keys(self) -> None:
        """Show whose packages are accepted, then judge the chosen package anew."""
        dialog = KeysDialog(self._desk, self)
        dialog.exec()
        dialog.deleteLater()
        if self._path is not None:
            self.take(self._path)

    def _foot(self) -> QHBoxLayout:
        _ = self._desk.context.texts.gettext
        line = QHBoxLayout()
        line.setSpacing(2 * STEP)
        self.revert_button = button(_("Back to the version before"))
        self.revert_button.clicked.connect(self.revert)
        self.close_button = button(_("Close"))
        self.close_button.clicked.connect(self.reject)
        self.apply_button = button(_("Apply"), "primary")
        self.apply_button.clicked.connect(self.apply)
        self.apply_button.setEnabled(False)
        self.keys_button = button(_("Trusted publishers …"))
        self.keys_button.clicked.connect(self.show_keys)
        line.addWidget(self.revert_button)
        line.addWidget(self.keys_button)
        line.addStretch(1)
        line.addWidget(self.close_button)
        line.addWidget(self.apply_button)
        return line

    @Slot()
    def _ask(self) -> None:
        _ = self._desk.context.texts.gettext
        kinds = _("Update packages (*{suffix})").format(suffix=updates.SUFFIX)
        name, _kind = QFileDialog.getOpenFileName(self, _("Choose package"), "", kinds)
        if name:
            self.take(Path(name))

    @Slot(object)
    def _on_verified(self, preview: UpdatePreview) -> None:
        texts = self._desk.context.texts
        self._preview = preview
        signed = texts.gettext("Signed by {signer}, catalogue of {version}.").format(
            signer=preview.package.signer, version=texts.recorded_date(preview.package.version)
        )
        set_role(self.state, "muted")
        self.state.setText(signed)
        self.diff.show_changes(preview.changes)
        self.apply_button.setEnabled(True)
        self.effect.wait()
        self._desk.attempt_catalog(preview.catalog)

    @Slot(object)
    def _on_refused(self, error: PassformError) -> None:
        set_role(self.state, "error")
        self.state.setText(self._desk.context.texts.error(error))
        self.diff.say("")
        self.effect.say("")

    def _show_versions(self) -> None:
        self.revert_button.setEnabled(bool(applied_versions(self._desk.folder)))

    @Slot()
    def _stop(self) -> None:
        self._runner.close()
        self._desk.stop()
