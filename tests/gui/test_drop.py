"""Whatever a seller drops onto the window goes where it belongs."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QTimer, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit
from pytestqt.qtbot import QtBot

from gui.app import App
from gui.catalogue.import_dialog import ImportDialog
from gui.flow import Step
from tests.gui.conftest import EXAMPLES, PATIENCE_MS, OpenApp, wait_idle
from tests.gui.test_import_dialog import LIST
from tests.gui.test_pages import LLAMA_CONFIG

MIXED, DESK = EXAMPLES / "mixed-portfolio.passform.yaml", EXAMPLES / "qlora-70b-desk.passform.yaml"


def drag(app: App, *paths: Path) -> bool:
    """Whether the window takes the files while they are held over it."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    event = QDragEnterEvent(
        QPoint(10, 10), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    event.ignore()
    app.window.dragEnterEvent(event)
    return event.isAccepted()


def drop(app: App, path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    event = QDropEvent(
        QPointF(10, 10), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    app.window.dropEvent(event)


def test_that_a_consultation_is_opened(open_app: OpenApp, qtbot: QtBot, tmp_path: Path) -> None:
    app = open_app(MIXED)
    path = Path(shutil.copy(DESK, tmp_path / "dropped.passform.yaml"))
    drop(app, path)
    wait_idle(qtbot, app)
    assert app.document.path == path
    assert app.window.windowTitle().startswith("dropped")


def test_that_a_paper_of_passform_is_opened_as_a_new_consultation(
    open_app: OpenApp, qtbot: QtBot, tmp_path: Path
) -> None:
    app = open_app(MIXED)
    app.window.show_step(Step.OFFER)
    wait_idle(qtbot, app)
    before = app.document.consultation
    app.window.offer.save(tmp_path / "paper.pdf")
    app.window.files.new()
    wait_idle(qtbot, app)
    assert not app.document.consultation.workloads
    drop(app, tmp_path / "paper.pdf")
    wait_idle(qtbot, app)
    assert [row.model for row in app.document.consultation.workloads] == [row.model for row in before.workloads]
    assert app.document.path is None  # saving must not overwrite the paper


def test_that_a_configuration_becomes_a_workload(open_app: OpenApp, qtbot: QtBot, tmp_path: Path) -> None:
    app = open_app(MIXED)
    count = len(app.document.consultation.workloads)
    config = tmp_path / "config.json"
    config.write_text(LLAMA_CONFIG, encoding="utf-8")
    app.window.show_step(Step.GOALS)
    drop(app, config)
    wait_idle(qtbot, app)
    assert app.window.step is Step.WORKLOADS
    assert len(app.document.consultation.workloads) == count + 1
    assert app.document.consultation.workloads[-1].config


@pytest.mark.parametrize("name", ["prices.csv", "PRICES.CSV"])
def test_that_a_price_list_begins_its_import(open_app: OpenApp, qtbot: QtBot, tmp_path: Path, name: str) -> None:
    app = open_app(MIXED)
    path = tmp_path / name
    path.write_text(LIST, encoding="cp1252")
    seen: list[int] = []

    def act() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, ImportDialog)
        try:
            qtbot.waitUntil(lambda: not dialog.busy, timeout=PATIENCE_MS)
            seen.append(0 if dialog.preview is None else len(dialog.preview.rows))
        finally:
            dialog.reject()

    QTimer.singleShot(0, act)
    drop(app, path)
    assert len(seen) == 1
    assert seen[0] > 0


def test_that_only_one_known_file_is_taken(open_app: OpenApp, tmp_path: Path) -> None:
    app = open_app()
    for name in ("a.passform.yaml", "a.yml", "a.json", "a.pdf", "a.csv", "a.xlsx"):
        assert drag(app, tmp_path / name), name
    assert not drag(app, tmp_path / "a.exe")
    assert not drag(app, tmp_path / "a.csv", tmp_path / "b.csv")


def test_that_a_file_held_over_a_field_is_the_windows_to_take(open_app: OpenApp, qtbot: QtBot) -> None:
    """File managers also give the path as text, which a field would take in place of the file."""
    app = open_app(MIXED)
    app.window.find_bar.begin()
    for step in Step:
        app.window.show_step(step)
        wait_idle(qtbot, app)
    for kind in (QLineEdit, QPlainTextEdit):
        fields = app.window.findChildren(kind)
        assert fields
        assert [field.accessibleName() for field in fields if field.acceptDrops()] == []
