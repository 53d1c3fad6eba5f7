"""The stage on which everything is shown: one program over the bundled catalogue, in any theme and language."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from PySide6.QtCore import QEvent, QTimer
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QMenu, QMessageBox, QWidget

from catalog.consultation.document import Consultation
from catalog.consultation.files import read
from catalog.load import load_catalog
from engine.pictures.palette import Ink
from engine.wording.translator import Language
from gui.app import App, make_application
from gui.settings import Settings, ThemeChoice
from gui.window import MainWindow
from tests.gui.gallery import examine
from tests.gui.gallery.language import foreign
from tests.gui.gallery.recall import Recall
from tests.gui.gallery.tabs import tab_faults
from tests.gui.layout import nameless, unfit

EXAMPLES = Path(__file__).parents[3] / "examples"
ROOT = EXAMPLES.parent
PATIENCE_S = 30.0
WAIT_S = 0.01
LAYOUT_PASSES = 8
SIZE = (1280, 720)  # a projector


@dataclass(slots=True)
class Seen:
    """What was shown, and what was wrong with it."""

    names: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    classes: set[str] = field(default_factory=set)
    modal: set[str] = field(default_factory=set)  # functions that waited for an answer while something was shown


class Stage:
    """Shows and examines. `pictures` keeps what was seen as PNG."""

    def __init__(self, folder: Path, pictures: Path | None) -> None:
        self.folder = folder
        self.pictures = pictures
        self.seen = Seen()
        self._faintness = examine.Faintness()
        Recall().install()
        self.application = make_application(["passform-gallery"])
        settings = Settings(
            language=Language.EN, theme=ThemeChoice.LIGHT, tour_seen=True, path=folder / "settings.json"
        )
        self.app = App(self.application, load_catalog(), settings, folder)
        self.window = self.app.window
        self.language, self.theme = Language.EN, ThemeChoice.LIGHT
        self.customers_words: frozenset[str] = frozenset()  # shown as they came, in any language
        self.by_keyboard = False  # whether Tab is pressed through every window
        self._gone_through: set[tuple[object, ...]] = set()
        self._answer("")
        self.window.resize(*SIZE)
        self.app.start(None)
        self.window.resize(*SIZE)  # the start restores the last size
        gc.freeze()  # what stays until the end need not be looked through at every collection

    def dress(self, theme: ThemeChoice, language: Language) -> None:
        """Switch theme and language, live, where they differ from those that are shown."""
        if theme is not self.theme:
            self.app.set_theme(theme)
        if language is not self.language:
            self.app.set_language(language)
        self.theme, self.language = theme, language
        self.settle(self.window)

    def open(self, example: str = "") -> None:
        """Show a bundled example as a new consultation; an empty one without a name."""
        consultation = read(EXAMPLES / f"{example}.passform.yaml") if example else Consultation()
        self.app.document.replace(consultation.model_copy(update={"language": self.language.value}), None)
        self.settle(self.window)

    def settle(self, widget: QWidget) -> None:
        """Wait until nothing is computed any more, and everything has its place."""
        end = time.monotonic() + PATIENCE_S
        self.application.processEvents()
        loads = isinstance(widget, MainWindow) and not widget.furnished
        while not loads and (self.window.busy or getattr(widget, "busy", False) is True):
            if time.monotonic() > end:
                raise TimeoutError(type(widget).__name__)
            self.application.processEvents()
            time.sleep(WAIT_S)
        self.application.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)  # as the real event loop does
        for _ in range(LAYOUT_PASSES):
            self.application.processEvents()

    def look(self, name: str, widget: QWidget) -> None:
        """Examine a widget that is shown."""
        self.settle(widget)
        key = f"{name}-{self.language.value}-{self.theme.value}"
        image = self.photograph(widget)
        if self.pictures is not None:
            image.save(str(self.pictures / f"{key}-{round(image.devicePixelRatio() * 100)}.png"))
        parts = examine.shown_parts(widget)
        self.seen.names.append(key)
        self.seen.classes |= {_full_name(type(part)) for part in parts}
        self.seen.faults += [f"{key}: {fault}" for fault in self._faults(parts, image)]

    def photograph(self, widget: QWidget) -> QImage:
        """A picture of the widget on the window's ground, since pages are transparent."""
        scale = widget.devicePixelRatio()
        image = QImage(widget.size() * scale, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(scale)
        image.fill(self.app.context.theme.colour(Ink.WINDOW))
        widget.render(image)
        return image

    def _faults(self, parts: list[QWidget], image: QImage) -> Iterator[str]:
        """What is wrong with a widget: the first of its parts."""
        widget = parts[0]
        pixels = examine.pixels_of(image)
        if examine.blank(pixels):
            yield "blank"
        if not isinstance(widget, QMenu):
            yield from examine.colours_of_another_theme(pixels, self.app.context.theme)
        yield from unfit(widget)
        yield from examine.overlapping(parts)
        yield from examine.sideways(parts)
        yield from examine.cut_cells(parts)
        yield from examine.picture_faults(parts)
        yield from self._faintness.faint(parts, pixels, self.app.context.theme)
        yield from (f"without a name: {one}" for one in nameless(widget))
        if self.theme is ThemeChoice.LIGHT and image.devicePixelRatio() == 1:  # the same words stand in every look
            yield from foreign(parts, self.language, self.customers_words)
        if self.by_keyboard:
            kind = type(widget), widget.step if isinstance(widget, MainWindow) else len(parts)
            if kind not in self._gone_through:
                self._gone_through.add(kind)
                yield from tab_faults(widget, lambda: self.settle(widget))

    def show(self, name: str, widget: QWidget) -> None:
        """Show a window or dialog, examine it, and close it for good."""
        widget.show()
        self.look(name, widget)
        self.drop(widget)

    def drop(self, widget: QWidget) -> None:
        """Close for good."""
        widget.close()
        widget.deleteLater()
        self.application.processEvents()
        self.application.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)

    def ask(self, name: str, question: Callable[[], object], then: Callable[[QWidget], None] | None = None) -> None:
        """Call what waits for an answer; while it waits, examine what is shown, and refuse."""
        failures: list[BaseException] = []

        def visit() -> None:
            shown = QApplication.activeModalWidget() or QApplication.activePopupWidget()
            try:
                assert shown is not None, f"{name}: nothing is shown"
                self.seen.modal.add(_who_waits(sys._getframe()))
                if then is not None:
                    then(shown)
                self.look(name, shown)
            except BaseException as error:  # noqa: BLE001  # raised again below, out of Qt's loop
                failures.append(error)
            finally:
                if isinstance(shown, QMessageBox):
                    shown.done(QMessageBox.StandardButton.Cancel.value)
                elif isinstance(shown, QDialog):
                    shown.reject()
                elif shown is not None:
                    shown.close()

        QTimer.singleShot(0, visit)
        question()
        self.application.processEvents()
        if failures:
            raise failures[0]

    @contextmanager
    def chosen(self, path: Path) -> Iterator[None]:
        """Answers with a path where a file is asked for."""
        self._answer(str(path))
        yield
        self._answer("")

    @staticmethod
    def _answer(path: str) -> None:
        """File dialogs are the system's own and not looked at."""
        for ask in ("getOpenFileName", "getSaveFileName"):
            setattr(QFileDialog, ask, lambda *_arguments: (path, ""))

    def close(self) -> None:
        """Leave without questions."""
        self.app.document.replace(self.app.document.consultation, None)
        self.window.close()


def _who_waits(frame: FrameType | None) -> str:
    """The function of the program that called `exec`."""
    while frame is not None:
        module = str(frame.f_globals.get("__name__", ""))
        if module.startswith("gui."):
            return f"{module}.{frame.f_code.co_qualname}"
        frame = frame.f_back
    return ""


def _full_name(kind: type) -> str:
    return f"{kind.__module__}.{kind.__name__}"
