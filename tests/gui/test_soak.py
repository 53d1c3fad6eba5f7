"""Two thousand random clicks and keys with fixed seeds: no exception, no Qt warning, no window left over."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
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
    QLineEdit,
    QMenu,
    QMessageBox,
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
SEEDS = (1, 2, 3, 4)
TEXTS = ("7", "8k", "abc", "", "1,5 Mio.", "99999999999999999999", "qwen", "ÄÖÜ €", "-3", "0")
KEYS = (Qt.Key.Key_Tab, Qt.Key.Key_Return, Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Escape, Qt.Key.Key_F2)


@pytest.mark.parametrize("seed", SEEDS)
def test_that_random_use_breaks_nothing(
    open_app: OpenApp, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, seed: int
) -> None:
    keep_dialogs_away(monkeypatch)
    dice = random.Random(seed)
    app = open_app(EXAMPLES / "mixed-portfolio.passform.yaml", language=Language.DE)
    for number in range(STEPS):
        step(app, dice)
        if number % 10 == 9:
            QApplication.processEvents()
            QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)  # as the real event loop does
        popup = QApplication.activePopupWidget()
        if popup is not None:
            popup.close()
    wait_idle(qtbot, app)
    assert app.window.isVisible()
    app.document.replace(app.document.consultation, None)
    app.window.close()
    QApplication.processEvents()
    assert [type(w).__name__ for w in QApplication.topLevelWidgets() if w.isVisible()] == []


def keep_dialogs_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dialogs that wait for an answer are cancelled at once."""
    cancel = QMessageBox.StandardButton.Cancel.value
    monkeypatch.setattr(QMessageBox, "exec", lambda _box: cancel)
    monkeypatch.setattr(QDialog, "exec", lambda _dialog: QDialog.DialogCode.Rejected.value)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args: ("", ""))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: ("", ""))
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _url: True)
    monkeypatch.setattr(QMenu, "exec", lambda *_args: None)


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
        actions = widget.menu().actions()
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
