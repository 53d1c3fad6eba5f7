"""The composition root: QApplication, language, theme, catalogue, document, window."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType

from PySide6.QtCore import QLibraryInfo, QLocale, QObject, QTranslator, Slot
from PySide6.QtGui import QIcon, QPalette
from PySide6.QtWidgets import QApplication, QMessageBox

from catalog.catalog import Catalog
from catalog.clock import today
from catalog.consultation.document import Consultation
from catalog.consultation.journal import LeftBehind
from catalog.load import load_catalog
from catalog.user_folder import user_folder
from engine.errors import PassformError
from engine.wording.translator import Language
from gui.autosave import Autosave
from gui.collector import Collector
from gui.context import Context
from gui.crash import CrashReporter
from gui.document import Document
from gui.planning import Planner
from gui.settings import Settings, ThemeChoice, load_settings, settings_path
from gui.texts import Texts, texts_for
from gui.theme import Theme, apply, load_family, wants_dark
from gui.window import MainWindow
from resources import ICONS


class App(QObject):
    """Owns everything that lives as long as the window."""

    def __init__(self, application: QApplication, catalog: Catalog, settings: Settings, folder: Path) -> None:
        super().__init__()
        self._application = application
        self._collector = Collector(self)
        self._system_palette = QPalette(application.palette())
        self._family = load_family()
        self._names = _names(catalog)
        self._translator = QTranslator(self)
        language = settings.language or _system_language()
        self.document = Document(Consultation(language=language.value), self)
        self.planner = Planner(self.document, catalog.facts, today, self)
        self.autosave = Autosave(self.document, folder, self)
        theme = Theme(wants_dark(settings.theme, self._system_palette), self._family)
        self.context = Context(catalog, settings, self.document, self.planner, self._texts(language), theme)
        apply(application, theme)
        self.window = MainWindow(self.context, self.autosave, today)
        self._crashes = CrashReporter(self.context, self.autosave, self.window, folder)
        self.window.theme_wanted.connect(self.set_theme)
        self.window.language_wanted.connect(self.set_language)
        self.window.catalogue_wanted.connect(self.use_catalogue)
        self.planner.crashed.connect(self.report_crash)

    def start(self, file: Path | None) -> None:
        """Show the window; offer what a crash left behind, or open the file that was asked for."""
        self.window.restore()
        self.window.show()
        left = self.autosave.left_behind()
        recovered = any(self._wants_back(work) for work in left)  # others stay for the next window
        if file is not None and not recovered:
            self.window.open_path(file)
        if not left and file is None and not self.context.settings.tour_seen:
            self.window.start_tour()

    @Slot(object)
    def set_theme(self, choice: ThemeChoice) -> None:
        """Switch the theme at once."""
        self.context.settings.theme = choice
        self.context.settings.save()
        self.context.theme = Theme(wants_dark(choice, self._system_palette), self._family)
        self.window.take_down()  # restyling what is about to be replaced would take most of the time
        apply(self._application, self.context.theme)
        self.window.build()

    @Slot(object)
    def set_language(self, language: Language) -> None:
        """Switch the window's language at once; the document keeps its own."""
        self.context.settings.language = language
        self.context.settings.save()
        self.context.texts = self._texts(language)
        self.window.build()

    @Slot(object)
    def use_catalogue(self, catalog: Catalog) -> None:
        """Work with another catalogue at once: after own entries, a price list or an update."""
        self._names = _names(catalog)
        self.context.catalog = catalog
        self.context.texts = replace(self.context.texts, names=self._names)
        self.planner.use(catalog.facts)
        self.window.build()

    @Slot(object)
    def report_crash(self, error: BaseException) -> None:
        """Handle an error that is a defect; the work stays and is kept."""
        self._crashes.report(error)

    def report(self, error: BaseException) -> None:
        """What reaches the exception hook: a message for the person, or a defect."""
        if isinstance(error, PassformError):
            self.window.files.show_error(error)
        else:
            self.report_crash(error)

    def _texts(self, language: Language) -> Texts:
        self._application.removeTranslator(self._translator)
        QLocale.setDefault(QLocale(QLocale.Language.German if language is Language.DE else QLocale.Language.English))
        if language is Language.DE:
            folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
            if self._translator.load("qtbase_de", folder):
                self._application.installTranslator(self._translator)
        return texts_for(language, self._names)

    def _wants_back(self, left: LeftBehind) -> bool:
        """Ask whether left work is wanted; take it in, or forget it on purpose."""
        _ = self.context.texts.gettext
        box = QMessageBox(self.window)
        box.setIcon(QMessageBox.Icon.Question)
        box.setWindowTitle("Passform")
        when = self.context.texts.day(left.when.date()) + left.when.strftime(" %H:%M")
        box.setText(_("Unsaved work of {when} was found. Take it back?").format(when=when))
        box.setInformativeText(self._about(left))
        buttons = QMessageBox.StandardButton
        box.setStandardButtons(buttons.Yes | buttons.No)
        answer = buttons(box.exec())
        box.deleteLater()
        if answer is buttons.Yes:
            self.autosave.adopt(left, self.window.files.path_for(left))
            return True
        self.autosave.give_up(left)
        return False

    def _about(self, left: LeftBehind) -> str:
        _ = self.context.texts.gettext
        if left.path is None:
            return _("It was never saved to a file.")
        if left.saved_since:
            return _("{name} was changed after this work began; the work opens beside it.").format(name=left.path.name)
        return _("It belongs to {name}.").format(name=left.path.name)


def run(file: Path | None = None, argv: Sequence[str] = ("passform",)) -> int:
    """Open the window, with a consultation or a model's `config.json` when one is given; returns the exit code."""
    application = make_application(argv)
    folder = user_folder()
    try:
        app = App(application, load_catalog(folder), load_settings(settings_path()), folder)
    except PassformError as error:
        _tell_that_nothing_works(error)
        raise
    _install_hook(app)
    app.start(file)
    return application.exec()


def _tell_that_nothing_works(error: PassformError) -> None:
    """There is no window yet to show it in, and whoever clicked on an icon sees no console."""
    box = QMessageBox(QMessageBox.Icon.Critical, "Passform", texts_for(_system_language(), {}).error(error))
    box.exec()


def selftest() -> bool:
    """Show the window with the real catalogue, let it paint once, and close it again."""
    application = make_application(("passform",))
    with TemporaryDirectory() as folder:
        app = App(application, load_catalog(), Settings(tour_seen=True), Path(folder))
        app.window.show()
        application.processEvents()
        painted = not app.window.grab().isNull()
        app.window.close()
    return painted


def make_application(argv: Sequence[str]) -> QApplication:
    """The one QApplication, in the style whose colours we set."""
    existing = QApplication.instance()
    application = existing if isinstance(existing, QApplication) else QApplication(list(argv))
    application.setApplicationName("Passform")
    application.setDesktopFileName("passform")
    application.setStyle("Fusion")
    application.setWindowIcon(QIcon(str(ICONS / "passform.svg")))
    return application


def _install_hook(app: App) -> None:
    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            QApplication.quit()
            return
        if not isinstance(error, PassformError):
            sys.__excepthook__(kind, error, trace)
        app.report(error)

    sys.excepthook = hook


def _names(catalog: Catalog) -> dict[str, str]:
    facts = catalog.facts
    tables = (facts.items, facts.models, facts.systems, facts.cards)
    return {key: entry.name for table in tables for key, entry in table.items()}


def _system_language() -> Language:
    return Language.DE if QLocale.system().language() is QLocale.Language.German else Language.EN
