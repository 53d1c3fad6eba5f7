"""Unsaved work survives a crash and is offered again, once."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QApplication

from catalog.consultation.document import Consultation
from gui.autosave import NAME, Autosave
from gui.document import Document


def test_that_unsaved_work_is_found_by_the_next_run(qapp: QApplication, tmp_path: Path) -> None:
    document = Document(Consultation())
    autosave = Autosave(document, tmp_path)
    changed = Consultation(title="Kunde")
    document.edit("Change title", changed)
    autosave.save_now()
    left = Autosave(Document(Consultation()), tmp_path).left_behind()
    assert left is not None
    assert left.consultation == changed


def test_that_saving_leaves_nothing_behind(qapp: QApplication, tmp_path: Path) -> None:
    document = Document(Consultation())
    autosave = Autosave(document, tmp_path)
    document.edit("Change title", Consultation(title="Kunde"))
    autosave.save_now()
    document.save(tmp_path / "kunde.passform.yaml")
    assert autosave.left_behind() is None


def test_that_a_torn_copy_is_set_aside(qapp: QApplication, tmp_path: Path) -> None:
    (tmp_path / NAME).write_text("schema: 1\nworkloads: [", encoding="utf-8")
    autosave = Autosave(Document(Consultation()), tmp_path)
    assert autosave.left_behind() is None
    assert not (tmp_path / NAME).exists()


def test_that_recovered_work_counts_as_unsaved(qapp: QApplication, tmp_path: Path) -> None:
    document = Document(Consultation())
    document.replace(Consultation(title="Kunde"), None, recovered=True)
    assert document.modified
    document.save(tmp_path / "kunde.passform.yaml")
    assert not document.modified
