"""Where something is written: with an ending that is offered, and never over a file that nobody was asked about."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QMessageBox

from gui.ask_file import with_ending
from tests.gui.conftest import EXAMPLES, OpenApp

MIXED = EXAMPLES / "mixed-portfolio.passform.yaml"
CONSULTATIONS = "Consultations (*.passform.yaml *.yaml *.yml)"
TABLES = "Excel workbook (*.xlsx);;CSV table (*.csv)"


@pytest.mark.parametrize(
    ("name", "kinds", "kind", "given"),
    [
        ("offer", CONSULTATIONS, "", "offer.passform.yaml"),
        ("offer.YAML", CONSULTATIONS, "", "offer.YAML"),
        ("offer.pdf", CONSULTATIONS, "", "offer.pdf.passform.yaml"),
        ("table", TABLES, "CSV table (*.csv)", "table.csv"),
        ("table", TABLES, "", "table.xlsx"),
        ("table.csv", TABLES, "Excel workbook (*.xlsx)", "table.csv"),
    ],
)
def test_that_a_name_gets_an_ending_that_is_offered(name: str, kinds: str, kind: str, given: str) -> None:
    assert with_ending(Path("folder") / name, kinds, kind) == Path("folder") / given


@pytest.mark.parametrize("replaces", [False, True])
def test_that_a_file_whose_ending_was_not_typed_is_replaced_on_purpose_only(
    open_app: OpenApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, replaces: bool
) -> None:
    app = open_app(MIXED)
    precious = tmp_path / "other.passform.yaml"
    precious.write_text("precious", encoding="utf-8")
    asked: list[str] = []
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_arguments: (str(tmp_path / "other"), ""))
    monkeypatch.setattr(QMessageBox, "exec", lambda box: asked.append(box.text()) or 0)
    monkeypatch.setattr(
        QMessageBox,
        "clickedButton",
        lambda box: next((one for one in box.buttons() if replaces and one.text() == "Replace"), None),
    )
    assert app.window.files.ask_and_save() is replaces
    assert asked == ["other.passform.yaml exists already. Replace it?"]
    assert (precious.read_text(encoding="utf-8") == "precious") is not replaces


def test_that_a_name_typed_in_full_was_asked_about_by_the_file_dialog(
    open_app: OpenApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_app(MIXED)
    path = tmp_path / "full.passform.yaml"
    path.write_text("old", encoding="utf-8")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_arguments: (str(path), ""))
    assert app.window.files.ask_and_save()
    assert app.document.path == path
