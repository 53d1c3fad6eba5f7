"""The window is painted before the catalogue is there. What a person does meanwhile is carried out, never lost."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QMimeData, QObject, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from catalog import load
from catalog.consultation.document import Consultation
from catalog.consultation.files import read
from catalog.consultation.journal import Journal
from catalog.consultation.locks import this_window
from engine.errors import PassformError
from engine.wording.translator import Language
from gui import loading
from gui.app import App
from gui.dialogs.tour import Tour
from gui.flow import Step
from gui.settings import Settings, ThemeChoice
from tests.gui.conftest import EXAMPLES, PATIENCE_MS, wait_idle

SAMPLE = EXAMPLES / "mixed-portfolio.passform.yaml"
Begin = Callable[..., App]


@pytest.fixture
def begin(qapp: QApplication, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Begin]:
    """Shows the window as it is painted first: what loads the rest is only started by `go_on`."""
    monkeypatch.setenv("PASSFORM_DATA", str(tmp_path / "user"))
    opened: list[App] = []

    def start(file: Path | None = None, *, tour_seen: bool = True, recent: tuple[Path, ...] = ()) -> App:
        settings = Settings(
            language=Language.EN,
            theme=ThemeChoice.LIGHT,
            tour_seen=tour_seen,
            recent=[str(path) for path in recent],
            path=tmp_path / "user" / "settings.json",
        )
        app = App(qapp, None, settings, tmp_path / "user")
        opened.append(app)
        app.window.resize(1280, 800)
        with monkeypatch.context() as held:
            held.setattr(loading.Loader, "start", lambda _loader: None)
            app.start(file)
            app.window.activateWindow()
            qtbot.waitExposed(app.window)
            qtbot.waitUntil(lambda: app.window._painted)
        return app

    yield start
    for app in opened:
        if app.window.furnished:
            app.document.replace(app.document.consultation, None)
        app.window.close()
        app.window.deleteLater()
        app.deleteLater()
    assert QApplication.overrideCursor() is None
    qapp.processEvents()


def go_on(qtbot: QtBot, app: App) -> None:
    """Load the rest and wait until it is there and idle."""
    with qtbot.waitSignal(app.ready, timeout=PATIENCE_MS):
        app._loader.start()
    wait_idle(qtbot, app)


def menu_action(app: App, text: str) -> None:
    """Trigger a menu's entry by its text."""
    found = [action for menu in app.window.menuBar().actions() for action in menu.menu().actions()]
    next(action for action in found if action.text() == text).trigger()


def drop(app: App, path: Path) -> None:
    """Let a file fall onto the window."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    app.window.dropEvent(QDropEvent(QPointF(9, 9), Qt.DropAction.CopyAction, data, buttons, keys))


def test_that_the_window_becomes_whole_behind_its_first_paint(begin: Begin, qtbot: QtBot) -> None:
    app = begin()
    assert not app.window.furnished
    assert "Loading" in app.window.status._text.text()
    go_on(qtbot, app)
    assert app.window.step is Step.WORKLOADS
    assert app.window.workloads.isVisible()
    assert "Catalogue" in app.window.status._text.text()
    assert app.window.focusWidget() is app.window.workloads.picker


def test_that_no_part_flashes_up_as_a_window_of_its_own(begin: Begin, qtbot: QtBot, qapp: QApplication) -> None:
    class Windows(QObject):
        def __init__(self) -> None:
            super().__init__()
            self.shown: list[QObject] = []

        def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802  # Qt's name
            if event.type() is QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
                self.shown.append(watched)
            return False

    app = begin()
    windows = Windows()
    qapp.installEventFilter(windows)
    go_on(qtbot, app)
    for step in Step:
        app.window.show_step(step)
        wait_idle(qtbot, app)
    qapp.removeEventFilter(windows)
    assert windows.shown == []


def test_that_a_sample_clicked_at_once_is_opened(begin: Begin, qtbot: QtBot) -> None:
    app = begin()
    links = [made for made in app.window.findChildren(QPushButton) if made.text() == "A mixed portfolio"]
    QTest.mouseClick(links[0], Qt.MouseButton.LeftButton)
    QTest.mouseClick(links[0], Qt.MouseButton.LeftButton)
    assert QApplication.overrideCursor() is not None
    assert "follows at once" in app.window.status._text.text()
    go_on(qtbot, app)
    assert app.document.consultation == read(SAMPLE)
    assert app.document.path is None
    assert QApplication.overrideCursor() is None


def test_that_a_recent_file_and_a_step_chosen_at_once_follow_in_order(
    begin: Begin, qtbot: QtBot, tmp_path: Path
) -> None:
    file = Path(shutil.copy(SAMPLE, tmp_path / "recent.passform.yaml"))
    app = begin(recent=(file,))
    app.window.menus.recent.actions()[0].trigger()
    QTest.mouseClick(app.window.way._buttons[Step.SITE], Qt.MouseButton.LeftButton)
    go_on(qtbot, app)
    assert app.document.path == file
    assert app.window.step is Step.SITE
    assert app.window.site.isVisible()


def test_that_next_clicked_twice_goes_two_steps(begin: Begin, qtbot: QtBot) -> None:
    app = begin()
    app.window._next.click()
    app.window._next.click()
    go_on(qtbot, app)
    assert app.window.step is Step.GOALS


def test_that_a_file_dropped_at_once_is_opened(begin: Begin, qtbot: QtBot, tmp_path: Path) -> None:
    file = Path(shutil.copy(SAMPLE, tmp_path / "dropped.passform.yaml"))
    app = begin()
    drop(app, file)
    go_on(qtbot, app)
    assert app.document.path == file


def test_that_new_after_a_dropped_file_ends_with_a_new_consultation(begin: Begin, qtbot: QtBot, tmp_path: Path) -> None:
    file = Path(shutil.copy(SAMPLE, tmp_path / "dropped.passform.yaml"))
    app = begin()
    drop(app, file)
    menu_action(app, "&New")
    go_on(qtbot, app)
    assert app.document.path is None
    assert not app.document.consultation.workloads


def test_that_a_model_typed_at_once_is_added_and_the_next_text_stays(begin: Begin, qtbot: QtBot) -> None:
    app = begin()
    field = app.window.focusWidget()
    QTest.keyClicks(field, "llama 3.3 70")
    QTest.keyClick(field, Qt.Key.Key_Return)
    QTest.keyClicks(field, "qwen")
    go_on(qtbot, app)
    assert [row.model for row in app.document.consultation.workloads] == ["llama-3.3-70b"]
    assert app.window.workloads.picker.text() == "qwen"


def test_that_open_asked_at_once_asks_for_a_file_when_it_can(
    begin: Begin, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = Path(shutil.copy(SAMPLE, tmp_path / "asked.passform.yaml"))
    monkeypatch.setattr("gui.files.QFileDialog.getOpenFileName", lambda *_: (str(file), ""))
    app = begin()
    menu_action(app, "&Open …")
    go_on(qtbot, app)
    assert app.document.path == file


def test_that_language_theme_and_view_switch_before_anything_is_loaded(begin: Begin, qtbot: QtBot) -> None:
    app = begin()
    QTest.keyClicks(app.window.focusWidget(), "llama")
    app.window.language_wanted.emit(Language.DE)
    app.window.theme_wanted.emit(ThemeChoice.DARK)
    app.window.menus.corner.customer.click()
    assert app.window.menuBar().actions()[0].text() == "&Datei"
    assert app.look.theme.dark
    assert not app.window.menus.register.isEnabled()
    go_on(qtbot, app)
    assert app.context.texts.language is Language.DE
    assert app.context.theme.dark
    assert app.context.customer_view
    assert app.window.workloads.picker.text() == "llama"
    assert app.document.consultation.language == "de"


def test_that_the_file_of_the_command_line_is_opened(begin: Begin, qtbot: QtBot, tmp_path: Path) -> None:
    file = Path(shutil.copy(SAMPLE, tmp_path / "asked.passform.yaml"))
    app = begin(file, tour_seen=False)
    go_on(qtbot, app)
    assert app.document.path == file
    assert not app.window.findChildren(Tour)


def test_that_the_first_run_is_shown_the_tour(begin: Begin, qtbot: QtBot) -> None:
    app = begin(tour_seen=False)
    go_on(qtbot, app)
    (tour,) = app.window.findChildren(Tour)
    assert tour.isVisible()


def test_that_left_work_is_offered_before_what_was_clicked(
    begin: Begin, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = replace(this_window(), token="0" * 32, process=2**22 + 7)  # above the largest process number of Linux
    Journal(tmp_path / "user", gone).write(Consultation(title="left"), None, "")
    order: list[str] = []

    def answer(box: QMessageBox) -> int:
        order.append(box.text())
        return (
            QMessageBox.StandardButton.Yes.value
            if "Take it back" in box.text()
            else QMessageBox.StandardButton.Cancel.value
        )

    monkeypatch.setattr(QMessageBox, "exec", answer)
    app = begin()
    menu_action(app, "&New")
    go_on(qtbot, app)
    assert ["Take it back" in order[0], "Save the changes" in order[1]] == [True, True]
    assert app.document.consultation.title == "left"


def test_that_a_broken_catalogue_is_told_in_words_and_ends_the_program(
    begin: Begin, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_folder: Path) -> None:
        raise PassformError("{file}: the file is damaged.", file="cards.yaml")

    shown: list[str] = []
    monkeypatch.setattr(load, "load_catalog", broken)
    monkeypatch.setattr(QMessageBox, "exec", lambda box: shown.append(box.text()) or 0)
    app = begin()
    menu_action(app, "&New")
    with qtbot.waitSignal(app.ended, timeout=PATIENCE_MS):
        app._loader.start()
    assert shown == ["cards.yaml: the file is damaged."]
    assert isinstance(app.failure, PassformError)
    assert not app.window.isVisible()


def test_that_a_defect_while_loading_writes_a_report_and_ends_the_program(
    begin: Begin, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def defect(_folder: Path) -> None:
        raise RuntimeError("no such thing")

    monkeypatch.setattr(load, "load_catalog", defect)
    monkeypatch.setattr(QMessageBox, "exec", lambda _box: 0)
    app = begin()
    with qtbot.waitSignal(app.ended, timeout=PATIENCE_MS):
        app._loader.start()
    (report,) = (tmp_path / "user" / "crash-reports").iterdir()
    assert "RuntimeError" in report.read_text(encoding="utf-8")
    assert isinstance(app.failure, RuntimeError)


def test_that_the_window_closes_cleanly_while_it_loads(begin: Begin, qtbot: QtBot) -> None:
    app = begin()
    menu_action(app, "&New")
    app._loader.start()
    app.window.close()
    assert not app._loader.busy
    qtbot.wait(50)
    assert not app.window.furnished
    assert not app.window.isVisible()


def test_that_a_window_closed_at_the_last_moment_stays_closed(begin: Begin, qtbot: QtBot) -> None:
    app = begin()
    app._loader.start()
    app._loader._thread.join()  # the message that all is there waits in the queue
    app.window.close()
    qtbot.wait(50)
    assert not app.window.furnished
    assert not app.window.isVisible()
