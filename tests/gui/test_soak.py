"""Two thousand random clicks and keys with fixed seeds: no exception, no Qt warning, no window left over."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt, QTimer
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QFileDialog,
    QInputDialog,
    QLineEdit,
    QPushButton,
    QSlider,
    QTabBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from engine.wording.translator import Language
from gui.app import App
from gui.flow import Step
from gui.menus import Corner
from gui.picture_view import PictureView
from gui.settings import ThemeChoice
from gui.widgets import Choice
from tests.gui.conftest import EXAMPLES, OpenApp, wait_idle

STEPS = 500
PATIENCE_MS = 20
SEEDS = (1, 2, 3, 4)
TEXTS = ("7", "8k", "abc", "", "1,5 Mio.", "99999999999999999999", "qwen", "ÄÖÜ €", "-3", "0")
KEYS = (Qt.Key.Key_Tab, Qt.Key.Key_Return, Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Escape, Qt.Key.Key_F2)


@pytest.mark.parametrize("seed", SEEDS)
def test_that_random_use_breaks_nothing(
    open_app: OpenApp, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, seed: int
) -> None:
    keep_the_systems_dialogs_away(monkeypatch)
    dice = random.Random(seed)
    app = open_app(EXAMPLES / "mixed-portfolio.passform.yaml", language=Language.DE)
    with an_impatient_person():
        for number in range(STEPS):
            step(app, dice)
            if number % 10 == 9:
                QApplication.processEvents()
                QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)  # as the real event loop does
            put_away()
    wait_idle(qtbot, app)
    assert app.window.isVisible()
    app.document.replace(app.document.consultation, None)
    app.window.close()
    QApplication.processEvents()
    assert [type(w).__name__ for w in QApplication.topLevelWidgets() if w.isVisible()] == []


@pytest.mark.parametrize("kind", [QDialog, QInputDialog])
def test_that_the_impatient_person_ends_what_waits_for_an_answer(qtbot: QtBot, kind: type[QDialog]) -> None:
    outer, inner = kind(), kind(objectName="inner")
    for dialog in (outer, inner):
        qtbot.addWidget(dialog)
    QTimer.singleShot(0, inner.exec)
    with an_impatient_person() as refused:
        assert outer.exec() == QDialog.DialogCode.Rejected.value
    assert refused[kind.__name__] == 2


def keep_the_systems_dialogs_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """What belongs to the system and not to this program: its choice of files, its browser."""
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args: ("", ""))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: ("", ""))
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _url: True)


@contextmanager
def an_impatient_person() -> Iterator[Counter[str]]:
    """Refuses every dialog and menu that waits for an answer, also from inside its own event loop."""
    refused: Counter[str] = Counter()
    waiting = True

    def look() -> None:
        if waiting:
            QTimer.singleShot(PATIENCE_MS, look)  # before anything is closed: closing may ask a question of its own
            refused.update(put_away())

    QTimer.singleShot(PATIENCE_MS, look)
    try:
        yield refused
    finally:
        waiting = False


def put_away() -> list[str]:
    """Close the menu that stands open, else refuse the dialog in front."""
    popup = QApplication.activePopupWidget()
    if popup is not None:
        popup.close()
        return []
    dialog = QApplication.activeModalWidget()
    if dialog is None:
        return []
    name = type(dialog).__name__
    QTest.keyClick(dialog, Qt.Key.Key_Escape)  # as a person does: a question then takes its own way out
    if isinstance(dialog, QDialog) and dialog.isVisible():
        dialog.reject()
    return [name]


def step(app: App, dice: random.Random) -> None:
    roll = dice.random()
    if roll < 0.03:
        dice.choice((app.document.stack.undo, app.document.stack.redo))()
    elif roll < 0.06:
        app.window.show_step(dice.choice(list(Step)))
    elif roll < 0.07:
        app.set_theme(dice.choice(list(ThemeChoice)))
    elif roll < 0.08:
        app.set_language(dice.choice(list(Language)))
    elif roll < 0.16:
        target = QApplication.focusWidget() or app.window
        QTest.keyClick(target, dice.choice(KEYS))
    else:
        poke(dice.choice(candidates(app.window)), dice)


def candidates(window: QWidget) -> list[QWidget]:
    kinds = (QAbstractButton, QLineEdit, QComboBox, QSlider, QAbstractItemView, QTabBar, PictureView)
    # The corner's switches build the window anew; `step` throws dice for that, more rarely than one in three clicks.
    found = [
        w
        for w in window.findChildren(QWidget)
        if isinstance(w, kinds) and w.isVisible() and w.isEnabled() and not isinstance(w.parentWidget(), Corner)
    ]
    return found or [window]


def poke(widget: QWidget, dice: random.Random) -> None:
    if isinstance(widget, Choice) and widget.count():
        widget.setCurrentIndex(dice.randrange(widget.count()))
        widget.activated.emit(widget.currentIndex())
    elif isinstance(widget, QCheckBox):
        widget.click()
    elif isinstance(widget, QPushButton) and widget.menu() is not None:
        widget.menu().aboutToShow.emit()  # what is filled when it opens
        actions = widget.menu().actions()
        if actions:
            dice.choice(actions).trigger()
    elif isinstance(widget, QLineEdit):
        widget.setFocus()
        widget.selectAll()
        widget.insert(dice.choice(TEXTS))  # QTest types Latin-1 only
        QTest.keyClick(widget, dice.choice((Qt.Key.Key_Tab, Qt.Key.Key_Return)))
    elif isinstance(widget, QSlider):
        widget.setValue(dice.randint(widget.minimum(), widget.maximum()))
    else:
        place = QPoint(dice.randrange(max(1, widget.width())), dice.randrange(max(1, widget.height())))
        target = widget.viewport() if isinstance(widget, QAbstractItemView) else widget
        QTest.mouseClick(target, Qt.MouseButton.LeftButton, pos=place)
