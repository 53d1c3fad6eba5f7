"""Widgets are never destroyed by a worker's garbage collection."""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from gui.collector import Collector
from tests.gui.conftest import OpenApp


class Knot:
    """Garbage that only a collection finds."""

    def __init__(self) -> None:
        self.itself = self


def test_that_collection_is_left_to_the_gui_thread_while_its_owner_lives(qtbot: QtBot) -> None:
    owner = QObject()
    collector = Collector(owner)
    assert not gc.isenabled()
    collector.collect()
    knots = [Knot() for _ in range(5000)]
    knots.clear()
    before = gc.get_count()[0]
    collector.collect()
    assert gc.get_count()[0] < before
    with qtbot.waitSignal(owner.destroyed):
        owner.deleteLater()
    assert gc.isenabled()


def test_that_what_outlives_the_first_collection_is_never_examined_again(qtbot: QtBot) -> None:
    owner = QObject()
    collector = Collector(owner)
    lasting = Knot()
    collector.collect()
    assert all(item is not lasting for item in gc.get_objects())
    fresh = Knot()
    assert any(item is fresh for item in gc.get_objects())
    with qtbot.waitSignal(owner.destroyed):
        owner.deleteLater()
    assert gc.get_freeze_count() == 0
    assert any(item is lasting for item in gc.get_objects())


def test_that_the_window_has_such_a_collector(open_app: OpenApp) -> None:
    app = open_app()
    assert app.findChildren(Collector)
    assert not gc.isenabled()
