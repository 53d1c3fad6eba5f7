"""From the empty window to a saved PDF, and back to the reopened file: by keyboard alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from pypdf import PdfReader
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from catalog.attachments import consultation_from_pdf
from gui.flow import Step
from tests.gui.conftest import OpenApp, wait_idle

CONTROL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    """Answers the system's own file dialogs, which are not ours to drive."""
    answers = {"pdf": tmp_path / "paper.pdf", "yaml": tmp_path / "kunde.passform.yaml"}

    def saved(*arguments: object) -> tuple[str, str]:
        return str(answers["pdf" if "*.pdf" in str(arguments[-1]) else "yaml"]), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", saved)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_arguments: (str(answers["yaml"]), ""))
    return answers


def focus() -> QWidget:
    """Where the next key goes."""
    found = QApplication.focusWidget()
    assert found is not None
    return found


def test_that_keys_alone_lead_from_the_empty_window_to_a_saved_pdf_and_back_to_the_reopened_file(
    open_app: OpenApp, qtbot: QtBot, files: dict[str, Path]
) -> None:
    app = open_app()
    window, document = app.window, app.document
    QTest.keyClicks(focus(), "qwen3 32b")
    QTest.keyClick(focus(), Qt.Key.Key_Return)
    wait_idle(qtbot, app)
    window.activateWindow()  # a window manager does this when the list of suggestions closes
    qtbot.waitUntil(window.isActiveWindow)
    for step in list(Step)[1:]:
        QTest.keyClick(focus(), Qt.Key.Key_Right, ALT)
        assert window.step is step
    QTest.keyClicks(focus(), "Beispiel AG")
    QTest.keyClick(focus(), Qt.Key.Key_Tab)
    QTest.keyClicks(focus(), "Frau Muster")
    QTest.keyClick(focus(), Qt.Key.Key_Tab)
    wait_idle(qtbot, app)
    QTest.keyClick(focus(), Qt.Key.Key_P, CONTROL | Qt.KeyboardModifier.ShiftModifier)
    assert "Beispiel AG" in "".join(page.extract_text() for page in PdfReader(files["pdf"]).pages)
    QTest.keyClick(focus(), Qt.Key.Key_S, CONTROL)
    assert not document.modified
    saved = document.consultation
    assert [row.model for row in consultation_from_pdf(files["pdf"]).workloads] == ["qwen3-32b"]
    QTest.keyClick(focus(), Qt.Key.Key_N, CONTROL)
    assert document.consultation.workloads == ()
    wait_idle(qtbot, app)
    QTest.keyClick(focus(), Qt.Key.Key_O, CONTROL)
    wait_idle(qtbot, app)
    assert document.consultation == saved
    assert document.consultation.customer.contact == "Frau Muster"
    assert document.path == files["yaml"]
