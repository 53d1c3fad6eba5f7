"""The composition root: QApplication, language, theme, window; then, behind it, catalogue, document and planner.

The window is painted before the second half is imported, so that half's imports stand inside functions. See `loading`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import TYPE_CHECKING

from PySide6.QtCore import QLibraryInfo, QLocale, QObject, QTimer, QTranslator, Signal, Slot
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication, QWidget

from catalog.user_folder import user_folder
from engine.errors import PassformError
from engine.wording.translator import Language
from gui.collector import Collector
from gui.crash import CrashReporter
from gui.loading import Loader, first_steps, later_steps
from gui.look import Look
from gui.settings import Settings, ThemeChoice, load_settings, settings_path
from gui.theme import Theme, apply, load_family, wants_dark
from gui.window import MainWindow
from gui.words import Words, words_for
from resources import ICONS

if TYPE_CHECKING:
    from catalog.catalog import Catalog
    from catalog.consultation.journal import LeftBehind
    from gui.autosave import Autosave
    from gui.context import Context
    from gui.document import Document
    from gui.planning import Planner

SELFTEST_MS = 120_000
UNSEEN_MS = 500  # a window that is started minimised is never painted; loading begins without it


class App(QObject):
    """Owns everything that lives as long as the window.

    With a catalogue the window is whole at once; with None it is painted first and `start` loads the rest behind it.
    """

    ready = Signal()  # an empty consultation can be edited
    ended = Signal()  # loading failed and the person was told; `failure` says why

    context: Context  # this and what follows: from `_furnish` on
    document: Document
    planner: Planner
    autosave: Autosave

    def __init__(self, application: QApplication, catalog: Catalog | None, settings: Settings, folder: Path) -> None:
        super().__init__()
        self._application = application
        self._folder = folder
        self._collector = Collector(self)
        self._system_palette = application.palette()
        self._family = load_family()
        self._translator = QTranslator(self)
        self._file: Path | None = None
        self.failure: BaseException | None = None
        language = settings.language or _system_language()
        self._speak(language)
        theme = Theme(wants_dark(settings.theme, self._system_palette), self._family)
        self.look = Look(settings, words_for(language), theme)
        apply(application, theme)
        self.window = MainWindow(self.look)
        self._crashes = CrashReporter(self.look, self.window, folder)
        self.window.theme_wanted.connect(self.set_theme)
        self.window.language_wanted.connect(self.set_language)
        self.window.catalogue_wanted.connect(self.use_catalogue)
        self._loader = Loader(first_steps(self._load), self)
        self._loader.loaded.connect(self._on_loaded)
        self._loader.failed.connect(self._on_failed)
        self._later = Loader(later_steps(), self)
        self._later.failed.connect(self.report_crash)
        self.window.closed.connect(self._loader.stop)
        self.window.closed.connect(self._later.stop)
        if catalog is not None:
            self._furnish(catalog)
            self.window.wishes.fulfil()

    def start(self, file: Path | None) -> None:
        """Show the window; offer what a crash left behind, or open the file that was asked for."""
        self._file = file
        self.window.painted.connect(self._set_icon)
        self.window.restore()
        self.window.show()
        if self.window.furnished:
            self._welcome()
        else:
            self.window.painted.connect(self._loader.start)
            QTimer.singleShot(UNSEEN_MS, self._loader.start)

    @Slot()
    def _set_icon(self) -> None:
        """After the first paint, since drawing it at every size takes its time."""
        self._application.setWindowIcon(QIcon(str(ICONS / "passform.svg")))

    @Slot(object)
    def set_theme(self, choice: ThemeChoice) -> None:
        """Switch the theme at once, also where the choice cannot be kept: that is said at the end."""
        self.look.settings.theme = choice
        self.look.theme = Theme(wants_dark(choice, self._system_palette), self._family)
        self.window.take_down()  # restyling what is about to be replaced would take most of the time
        apply(self._application, self.look.theme)
        self.window.build()
        self.look.settings.save()

    @Slot(object)
    def set_language(self, language: Language) -> None:
        """Switch the window's language at once, as `set_theme` does; the document keeps its own."""
        self.look.settings.language = language
        self._speak(language)
        self.look.texts = words_for(language)
        if self.window.furnished:
            self._word(self.context.catalog)
        self.window.build()
        self.look.settings.save()

    @Slot(object)
    def use_catalogue(self, catalog: Catalog) -> None:
        """Work with another catalogue at once: after own entries, a price list or an update."""
        self.context.catalog = catalog
        self._word(catalog)
        self.planner.use(catalog.facts)
        self.window.build()

    @Slot(object)
    def report_crash(self, error: BaseException) -> None:
        """Handle an error that is a defect; the work stays and is kept."""
        self._crashes.report(error)

    def report(self, error: BaseException) -> None:
        """What reaches the exception hook: a message for the person, or a defect."""
        if isinstance(error, PassformError):
            _tell(self.window, self.look.texts.error(error), critical=False)
        else:
            self.report_crash(error)

    def _furnish(self, catalog: Catalog) -> None:
        """Make what the catalogue was needed for, and bring it into the window."""
        from catalog.clock import today  # noqa: PLC0415  # see above
        from catalog.consultation.document import Consultation  # noqa: PLC0415
        from gui.autosave import Autosave  # noqa: PLC0415
        from gui.context import Context  # noqa: PLC0415
        from gui.document import Document  # noqa: PLC0415
        from gui.planning import Planner  # noqa: PLC0415
        from gui.texts import texts_for  # noqa: PLC0415

        language = self.look.texts.language
        self.document = Document(Consultation(language=language.value), self)
        self.planner = Planner(self.document, catalog.facts, today, self)
        self.autosave = Autosave(self.document, self._folder, self)
        texts = texts_for(language, _names(catalog))
        self.context = Context(catalog, self.document, self.planner, texts, self.look)
        self.planner.crashed.connect(self.report_crash)
        self._crashes.follow(self.context, self.autosave)
        self.window.furnish(self.context, self.autosave, today)

    def _load(self) -> Catalog:
        from catalog.load import load_catalog  # noqa: PLC0415

        return load_catalog(self._folder)

    @Slot(object)
    def _on_loaded(self, catalog: Catalog) -> None:
        if self._loader.stopped:  # the window was closed while this message was under way
            return
        self._furnish(catalog)
        self._welcome()
        self.ready.emit()
        self._later.start()

    @Slot(object)
    def _on_failed(self, error: BaseException) -> None:
        """Nothing works without the rest: tell the person, and end."""
        if self._loader.stopped:
            return
        self.failure = error
        self.window.wishes.drop()
        if isinstance(error, PassformError):
            _tell_that_nothing_works(error, self.look.texts, self.window)
        else:
            self.report_crash(error)
        self.window.close()
        self.ended.emit()

    def _welcome(self) -> None:
        """What comes before and after the wishes of an impatient person: left work, the file, the tour."""
        left = self.autosave.left_behind()
        recovered = any(self._wants_back(work) for work in left)  # others stay for the next window
        if self._file is not None and not recovered:
            self.window.open_path(self._file)
        self.window.wishes.fulfil()
        if not left and self._file is None and not self.look.settings.tour_seen:
            self.window.start_tour()

    def _speak(self, language: Language) -> None:
        """Qt's own words and number formats in a language."""
        self._application.removeTranslator(self._translator)
        QLocale.setDefault(QLocale(QLocale.Language.German if language is Language.DE else QLocale.Language.English))
        if language is Language.DE:
            folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
            if self._translator.load("qtbase_de", folder):
                self._application.installTranslator(self._translator)

    def _word(self, catalog: Catalog) -> None:
        """The words for a catalogue in the window's language."""
        from gui.texts import texts_for  # noqa: PLC0415

        self.context.texts = texts_for(self.look.texts.language, _names(catalog))

    def _wants_back(self, left: LeftBehind) -> bool:
        """Ask whether left work is wanted; take it in, or forget it on purpose."""
        from PySide6.QtWidgets import QMessageBox  # noqa: PLC0415

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
    """Open the window, with a consultation or a model's `config.json` when one is given; returns the exit code.

    Raises the `PassformError` that kept the catalogue from being loaded, after the person was told.
    """
    app = open_window(make_application(argv), file)
    code = QApplication.exec()
    if app.failure is not None:
        raise app.failure
    return code


def open_window(application: QApplication, file: Path | None = None) -> App:
    """The window as a person gets it: painted first, then loaded."""
    app = App(application, None, load_settings(settings_path()), user_folder())
    _install_hook(app)
    app.start(file)
    return app


def _tell_that_nothing_works(error: PassformError, words: Words, window: QWidget) -> None:
    """Whoever clicked on an icon sees no console."""
    _tell(window, words.error(error), critical=True)


def _tell(window: QWidget, text: str, *, critical: bool) -> None:
    from PySide6.QtWidgets import QMessageBox  # noqa: PLC0415

    icon = QMessageBox.Icon.Critical if critical else QMessageBox.Icon.Warning
    box = QMessageBox(icon, "Passform", text, parent=window)
    box.exec()
    box.deleteLater()


def selftest() -> bool:
    """Import all that is imported behind the window, then start as a person does, wait until it is whole, and close."""
    from catalog.load import load_catalog  # noqa: PLC0415

    for step in (*first_steps(load_catalog), *later_steps()):
        step()
    application = make_application(("passform",))
    with TemporaryDirectory() as folder:
        app = App(application, None, Settings(tour_seen=True), Path(folder))
        app.ready.connect(application.quit)
        app.ended.connect(application.quit)
        QTimer.singleShot(SELFTEST_MS, application.quit)  # nobody sits there to close a message
        app.start(None)
        application.exec()
        painted = app.window.furnished and not app.window.grab().isNull()
        app.window.close()
    return painted


def make_application(argv: Sequence[str]) -> QApplication:
    """The one QApplication, in the style whose colours we set."""
    existing = QApplication.instance()
    # As words of the command line: `setStyle` returns the style, and PySide would build its class with all names.
    application = existing if isinstance(existing, QApplication) else QApplication([*argv, "-style", "Fusion"])
    application.setApplicationName("Passform")
    application.setOrganizationName("Passform")  # the folder in which Qt keeps the window's place
    application.setDesktopFileName("passform")
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
