"""Two versions of the catalogue side by side: kept ones, the bundled one, a package or a folder."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QDialog, QFileDialog, QHBoxLayout, QMessageBox, QWidget

from catalog import updates
from catalog.catalog import Catalog
from catalog.diff import Change, diff
from catalog.exporting import export
from catalog.keys import trusted_keys
from catalog.load import load_catalog
from catalog.versions import DATA_FOLDER, applied_versions, find_version, version_in
from engine.errors import PassformError
from engine.progress import Progress
from gui.ask_file import ask_where
from gui.catalogue.desk import Desk
from gui.catalogue.diff_view import DiffView
from gui.tasks import Runner
from gui.theme import STEP
from gui.widgets import Choice, button, column, label

SIZE = (1000, 620)
IN_USE = "in-use"
CHOICE_WIDTH = 290


class VersionsDialog(QDialog):
    """What changed from the left version to the right one."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        _ = desk.context.texts.gettext
        self.setWindowTitle(_("Compare two versions"))
        self.resize(*SIZE)
        self._files: dict[str, Path] = {}
        body = column(self, margin=5 * STEP, spacing=3 * STEP)
        body.addWidget(label(_("Compare two versions"), "title"))
        head = QHBoxLayout()
        head.setSpacing(2 * STEP)
        self.old, self.new = Choice(), Choice()
        for name, choice in ((_("from"), self.old), (_("to"), self.new)):
            choice.setAccessibleName(name)
            choice.setFixedWidth(CHOICE_WIDTH)
            choice.chosen.connect(self.compare)
            head.addWidget(label(name, "muted"))
            head.addWidget(choice)
        self.file = button(_("Add a package …"))
        self.file.clicked.connect(self._ask)
        head.addStretch(1)
        head.addWidget(self.file)
        body.addLayout(head)
        self.diff = DiffView(desk.context)
        body.addWidget(self.diff, 1)
        body.addStretch(0)
        foot = QHBoxLayout()
        self.export_button = button(_("Export …"))
        self.export_button.clicked.connect(self._export)
        self.close_button = button(_("Close"))
        self.close_button.clicked.connect(self.reject)
        foot.addWidget(self.export_button)
        foot.addStretch(1)
        foot.addWidget(self.close_button)
        body.addLayout(foot)
        self._runner = Runner(self)
        self._runner.finished.connect(self._on_compared)
        self._runner.failed.connect(self._on_failed)
        self._runner.crashed.connect(desk.context.planner.crashed)
        self.finished.connect(self._stop)
        self._offer()
        versions = self._versions()
        self.old.show_value(next((key for key in versions if key != IN_USE), IN_USE))
        self.new.show_value(IN_USE)
        self.compare()

    @property
    def busy(self) -> bool:
        """Whether versions are being compared."""
        return self._runner.busy

    @Slot()
    def compare(self) -> None:
        """Compare the chosen versions in the background."""
        old, new = str(self.old.currentData()), str(self.new.currentData())
        desk, files = self._desk, dict(self._files)

        def job(progress: Progress) -> tuple[Change, ...]:
            progress(0, 2)
            left = _loaded(old, desk, files)
            progress(1, 2)
            return diff(left, _loaded(new, desk, files))

        self.export_button.setEnabled(False)
        self.diff.say(self._desk.context.texts.gettext("Calculating …"))
        self._runner.start(job)

    def add_package(self, path: Path) -> None:
        """Offer an update package as a version and compare with it."""
        self._files[path.name] = path
        kept = str(self.old.currentData())
        self._offer()
        self.old.show_value(kept)
        self.new.show_value(path.name)
        self.compare()

    def save(self, path: Path) -> None:
        """Write the differences. Raises `PassformError`."""
        export(self.diff.as_table(), path)

    def _versions(self) -> dict[str, str]:
        texts = self._desk.context.texts
        bundled = version_in(DATA_FOLDER)
        words = {IN_USE: texts.gettext("in use, with own entries")}
        words[bundled] = texts.gettext("{date} (bundled)").format(date=texts.recorded_date(bundled))
        for version in applied_versions(self._desk.folder):
            words[version] = texts.gettext("{date} (update)").format(date=texts.recorded_date(version))
        return {**words, **{name: name for name in self._files}}

    def _offer(self) -> None:
        entries = list(self._versions().items())
        self.old.offer(entries)
        self.new.offer(entries)

    @Slot()
    def _ask(self) -> None:
        _ = self._desk.context.texts.gettext
        kinds = _("Update packages (*{suffix})").format(suffix=updates.SUFFIX)
        name, _kind = QFileDialog.getOpenFileName(self, _("Add a package"), "", kinds)
        if name:
            self.add_package(Path(name))

    @Slot()
    def _export(self) -> None:
        _ = self._desk.context.texts.gettext
        kinds = _("Excel workbook (*.xlsx);;CSV table (*.csv);;YAML (*.yaml)")
        path = ask_where(self, _("Export"), "passform-differences.xlsx", kinds, self._desk.context.texts)
        if path is None:
            return
        try:
            self.save(path)
        except PassformError as error:
            box = QMessageBox(self)
            box.setText(self._desk.context.texts.error(error))
            box.exec()
            box.deleteLater()

    @Slot(object)
    def _on_compared(self, changes: tuple[Change, ...]) -> None:
        self.diff.show_changes(changes)
        self.export_button.setEnabled(bool(changes))

    @Slot(object)
    def _on_failed(self, error: PassformError) -> None:
        self.diff.say(self._desk.context.texts.error(error))

    @Slot()
    def _stop(self) -> None:
        self._runner.close()


def _loaded(version: str, desk: Desk, files: dict[str, Path]) -> Catalog:
    if version == IN_USE:
        return desk.catalog
    if version in files:
        package = updates.verify(files[version], trusted_keys(DATA_FOLDER, desk.folder))
        return updates.preview(package, desk.catalog, desk.folder, allow_older=True).catalog
    folder = find_version(version, desk.folder)
    if folder is None:
        version = desk.context.texts.recorded_date(version)
        raise PassformError("The catalogue of {version} is not kept here any more.", version=version)
    return load_catalog(data_folder=folder)
