"""The window without a screen: one QApplication, test-mode paths, the real catalogue and the real engine."""

from __future__ import annotations

import os
import shutil

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")  # with a screen of its own, where one is configured

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, QStandardPaths
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from catalog.catalog import Catalog
from catalog.load import load_catalog
from engine.wording.translator import Language
from gui.app import App, make_application
from gui.settings import Settings, ThemeChoice

QStandardPaths.setTestModeEnabled(True)

EXAMPLES = Path(__file__).parents[2] / "examples"
PATIENCE_MS = 20_000
LAYOUT_PASSES = 4  # a picture that grows moves scroll bars, which move widths, which move heights

OpenApp = Callable[..., App]


TOLERATED = (
    # The offscreen platform has no window manager; the real platforms do these.
    "This plugin does not support propagateSizeHints",
    "This plugin does not support raise",
    "This plugin does not support grabbing the keyboard",
)


def pytest_configure(config: pytest.Config) -> None:
    for message in TOLERATED:
        config.addinivalue_line("qt_log_ignore", message)


@pytest.fixture(scope="session")
def qapp() -> QApplication:
    return make_application(["passform-tests"])


@pytest.fixture(scope="session")
def catalogue() -> Catalog:
    return load_catalog()


@pytest.fixture
def open_app(
    qapp: QApplication, qtbot: QtBot, catalogue: Catalog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[OpenApp]:
    """Opens the window over the bundled catalogue; closes it without questions afterwards."""
    monkeypatch.setenv("PASSFORM_DATA", str(tmp_path / "user"))
    # The last window's place is nothing to a test, and the tests' places are nothing to whoever runs them.
    QSettings.setPath(QSettings.Format.NativeFormat, QSettings.Scope.UserScope, str(tmp_path / "qt"))
    opened: list[App] = []

    def start(
        file: Path | None = None,
        *,
        language: Language = Language.EN,
        theme: ThemeChoice = ThemeChoice.LIGHT,
        size: tuple[int, int] = (1280, 800),
    ) -> App:
        settings = Settings(language=language, theme=theme, tour_seen=True, path=tmp_path / "user" / "settings.json")
        app = App(qapp, catalogue, settings, tmp_path / "user")
        opened.append(app)
        app.window.resize(*size)
        app.start(own_copy(file, tmp_path))
        app.window.activateWindow()
        qtbot.waitExposed(app.window)
        wait_idle(qtbot, app)
        return app

    yield start
    for app in opened:
        app.document.replace(app.document.consultation, None)
        app.window.close()
        app.window.deleteLater()
        app.deleteLater()
    qapp.processEvents()


def own_copy(file: Path | None, folder: Path) -> Path | None:
    """A copy of a bundled example: opening a file locks it, and several test processes may run at once."""
    if file is None or file.parent != EXAMPLES:
        return file
    return Path(shutil.copy(file, folder / file.name))


def wait_idle(qtbot: QtBot, app: App) -> None:
    """Wait until nothing is computed or rendered any more."""

    qtbot.waitUntil(lambda: not app.window.busy, timeout=PATIENCE_MS)
    for _ in range(LAYOUT_PASSES):
        QApplication.processEvents()
