"""Unsaved work survives a crash and is offered again until somebody decides about it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from catalog.consultation import journal
from catalog.consultation.document import Consultation
from catalog.consultation.locks import Owner, this_window
from gui import autosave as module
from gui.autosave import Autosave
from gui.document import Document

NOBODY = 2**22 + 11  # beyond the largest process number of Linux


def gone() -> Owner:
    return replace(this_window(), process=NOBODY, birth="")


@pytest.fixture
def crashed(qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Document, Autosave]:
    """A window that will be found dead by the next one."""
    monkeypatch.setattr(module, "this_window", gone)
    document = Document(Consultation())
    autosave = Autosave(document, tmp_path)
    monkeypatch.undo()
    return document, autosave


def test_that_unsaved_work_is_found_by_the_next_run(crashed: tuple[Document, Autosave], tmp_path: Path) -> None:
    document, autosave = crashed
    changed = Consultation(title="Kunde")
    document.edit("Change title", changed)
    autosave.save_now()
    (left,) = Autosave(Document(Consultation()), tmp_path).left_behind()
    assert left.consultation == changed


def test_that_adopted_work_stays_safe_and_is_offered_only_once(
    crashed: tuple[Document, Autosave], tmp_path: Path
) -> None:
    document, autosave = crashed
    document.edit("Change title", Consultation(title="Kunde"))
    autosave.save_now()
    second = Document(Consultation())
    adopting = Autosave(second, tmp_path)
    (left,) = adopting.left_behind()
    adopting.adopt(left, None)
    assert second.consultation.title == "Kunde"
    assert second.modified
    assert adopting.left_behind() == []
    assert len(list((tmp_path / journal.FOLDER).iterdir())) == 1  # the new window's own copy


def test_that_saving_leaves_nothing_behind(crashed: tuple[Document, Autosave], tmp_path: Path) -> None:
    document, autosave = crashed
    document.edit("Change title", Consultation(title="Kunde"))
    autosave.save_now()
    document.save(tmp_path / "kunde.passform.yaml")
    assert autosave.left_behind() == []
    assert list((tmp_path / journal.FOLDER).iterdir()) == []


def test_that_given_up_work_is_not_offered_again(crashed: tuple[Document, Autosave], tmp_path: Path) -> None:
    document, autosave = crashed
    document.edit("Change title", Consultation(title="Kunde"))
    autosave.save_now()
    (left,) = autosave.left_behind()
    autosave.give_up(left)
    assert autosave.left_behind() == []


def test_that_recovered_work_counts_as_unsaved(qapp: QApplication, tmp_path: Path) -> None:
    document = Document(Consultation())
    document.replace(Consultation(title="Kunde"), None, recovered=True)
    assert document.modified
    document.save(tmp_path / "kunde.passform.yaml")
    assert not document.modified


def test_that_a_full_disk_is_reported_and_does_not_stop_the_work(qapp: QApplication, tmp_path: Path) -> None:
    (tmp_path / journal.FOLDER).write_text("", encoding="utf-8")
    document = Document(Consultation())
    autosave = Autosave(document, tmp_path)
    problems: list[object] = []
    autosave.failed.connect(problems.append)
    document.edit("Change title", Consultation(title="Kunde"))
    assert not autosave.save_now()
    assert "Please save it" in str(problems[0])
