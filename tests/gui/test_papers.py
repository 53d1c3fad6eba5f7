"""A paper dragged onto the window opens as the consultation it came from."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from gui.flow import Step
from tests.gui.conftest import EXAMPLES, OpenApp, wait_idle


def drop(window: object, path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    event = QDropEvent(
        QPointF(1, 1), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    window.dropEvent(event)


def test_that_a_paper_dropped_on_the_window_opens_as_its_consultation(
    open_app: OpenApp, qtbot: QtBot, tmp_path: Path
) -> None:
    app = open_app(EXAMPLES / "lora-70b-rack.passform.yaml")
    before = app.document.consultation
    app.window.show_step(Step.OFFER)
    wait_idle(qtbot, app)
    path = tmp_path / "paper.pdf"
    app.window.offer.save(path)
    paper = path.read_bytes()
    app.window.files.new()
    wait_idle(qtbot, app)
    assert app.document.consultation.workloads == ()
    drop(app.window, path)
    wait_idle(qtbot, app)
    assert app.document.consultation.workloads == before.workloads
    assert app.document.consultation.customer == before.customer
    assert app.document.path is None  # saving asks for a file and leaves the paper alone
    assert path.read_bytes() == paper


def test_that_a_pdf_of_somebody_else_is_named_and_changes_nothing(
    open_app: OpenApp, qtbot: QtBot, tmp_path: Path, monkeypatch
) -> None:
    app = open_app(EXAMPLES / "lora-70b-rack.passform.yaml")
    before = app.document.consultation
    path = tmp_path / "brochure.pdf"
    path.write_bytes(b"%PDF-1.4\nnothing")
    shown: list[str] = []
    monkeypatch.setattr(QMessageBox, "exec", lambda box: shown.append(box.text()) or 0)
    drop(app.window, path)
    wait_idle(qtbot, app)
    assert app.document.consultation == before
    assert "brochure.pdf" in shown[0]
