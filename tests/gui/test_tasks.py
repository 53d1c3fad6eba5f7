"""Background work: latest wins, results arrive in the GUI thread, whole and wide."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import QObject, QThread, Slot
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine.errors import InvalidInputError
from engine.progress import Progress
from gui.tasks import Runner


class Listener(QObject):
    """Notes what arrives and in which thread."""

    def __init__(self, runner: Runner) -> None:
        super().__init__()
        self.results: list[object] = []
        self.errors: list[object] = []
        self.crashes: list[object] = []
        self.threads: list[QThread] = []
        runner.finished.connect(self.on_finished)
        runner.failed.connect(self.on_failed)
        runner.crashed.connect(self.on_crashed)

    @Slot(object)
    def on_finished(self, result: object) -> None:
        self.results.append(result)
        self.threads.append(QThread.currentThread())

    @Slot(object)
    def on_failed(self, error: object) -> None:
        self.errors.append(error)

    @Slot(object)
    def on_crashed(self, error: object) -> None:
        self.crashes.append(error)


@pytest.fixture
def runner(qapp: QApplication):
    made = Runner()
    yield made
    made.close()


def test_that_a_result_wider_than_32_bits_arrives_whole_in_the_gui_thread(runner: Runner, qtbot: QtBot) -> None:
    listener = Listener(runner)
    runner.start(lambda _progress: 70_550_000_000)
    qtbot.waitUntil(lambda: bool(listener.results))
    assert listener.results == [70_550_000_000]
    assert listener.threads == [QApplication.instance().thread()]


def test_that_only_the_latest_of_several_jobs_reports(runner: Runner, qtbot: QtBot) -> None:
    listener = Listener(runner)
    go_on = threading.Event()

    def slow(progress: Progress) -> str:
        go_on.wait(5)
        progress(1, 2)
        return "old"

    runner.start(slow)
    runner.start(lambda _progress: "middle")
    runner.start(lambda _progress: "new")
    go_on.set()
    qtbot.waitUntil(lambda: bool(listener.results))
    qtbot.wait(50)
    assert listener.results == ["new"]
    assert listener.errors == []


def test_that_a_cancelled_job_reports_nothing(runner: Runner, qtbot: QtBot) -> None:
    listener = Listener(runner)
    go_on = threading.Event()

    def slow(progress: Progress) -> str:
        go_on.wait(5)
        progress(1, 2)
        return "done"

    runner.start(slow)
    runner.cancel()
    go_on.set()
    qtbot.wait(50)
    assert listener.results == []
    assert not runner.busy


def test_that_errors_for_people_and_defects_are_told_apart(runner: Runner, qtbot: QtBot) -> None:
    listener = Listener(runner)

    def refused(_progress: Progress) -> object:
        raise InvalidInputError("{field} is wrong.", field="rank")

    def broken(_progress: Progress) -> object:
        raise KeyError("x")

    runner.start(refused)
    qtbot.waitUntil(lambda: bool(listener.errors))
    assert str(listener.errors[0]) == "rank is wrong."
    runner.start(broken)
    qtbot.waitUntil(lambda: bool(listener.crashes))
    assert isinstance(listener.crashes[0], KeyError)


def test_that_a_closed_runner_runs_nothing(runner: Runner, qtbot: QtBot) -> None:
    listener = Listener(runner)
    runner.close()
    runner.start(lambda _progress: "late")
    qtbot.wait(20)
    assert listener.results == []
    assert not runner.busy
