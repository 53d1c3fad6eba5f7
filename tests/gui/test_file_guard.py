"""Two windows on one file, a file changed outside, a newer file: each ends in a question, none in lost work."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMessageBox

from catalog.consultation import locks
from catalog.consultation.document import Consultation
from catalog.consultation.files import read, write
from catalog.consultation.holding import digest_of
from catalog.consultation.journal import Journal
from catalog.consultation.locks import lock_path, this_window
from gui.app import App

OpenApp = Callable[..., App]
Answer = Callable[[str], list[str]]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "kunde.passform.yaml"
    write(Consultation(title="old"), path)
    return path


@pytest.fixture
def answer(monkeypatch: pytest.MonkeyPatch) -> Answer:
    """Presses the button of that name in every box that comes up; gives the texts that were shown."""

    def press(name: str) -> list[str]:
        shown: list[str] = []

        def exec_(box: QMessageBox) -> int:
            shown.append(f"{box.text()} {box.informativeText()}")
            for button in box.buttons():
                if button.text().replace("&", "") == name:
                    button.click()
                    return box.standardButton(button).value
            return 0

        monkeypatch.setattr(QMessageBox, "exec", exec_)
        return shown

    return press


def test_that_an_open_file_is_locked_and_a_closed_one_is_not(open_app: OpenApp, file: Path) -> None:
    app = open_app(file)
    assert locks.holder(file) is not None
    app.window.files.new()
    assert not lock_path(file).exists()


def test_that_closing_the_window_gives_the_file_back(open_app: OpenApp, file: Path) -> None:
    app = open_app(file)
    app.window.close()
    assert not lock_path(file).exists()


def test_that_a_file_open_elsewhere_names_the_owner_and_can_be_opened_as_a_copy(
    open_app: OpenApp, file: Path, answer: Answer
) -> None:
    other = this_window()
    locks.take(file, other)
    shown = answer("Open a copy")
    app = open_app(file)
    assert other.user in shown[0]
    assert app.document.consultation.title == "old"
    assert app.document.path is None
    assert locks.holder(file) == other


def test_that_a_file_open_elsewhere_can_be_left_alone(open_app: OpenApp, file: Path, answer: Answer) -> None:
    locks.take(file, this_window())
    answer("Cancel")
    app = open_app()
    assert not app.window.files.open(file)
    assert app.document.consultation.title == ""


def test_that_a_file_can_be_taken_over_and_the_former_owner_is_warned_before_saving(
    open_app: OpenApp, file: Path, answer: Answer
) -> None:
    app = open_app(file)
    app.document.edit("Change title", Consultation(title="mine"))
    other = this_window()
    locks.take_over(file, other)
    shown = answer("Cancel")
    assert not app.window.files.save()
    assert "taken over" in shown[0]
    assert read(file).title == "old"


def test_that_a_file_changed_outside_is_replaced_only_when_that_is_wanted(
    open_app: OpenApp, file: Path, answer: Answer
) -> None:
    app = open_app(file)
    app.document.edit("Change title", Consultation(title="mine"))
    write(Consultation(title="theirs"), file)
    shown = answer("Cancel")
    assert not app.window.files.save()
    assert "changed by another program" in shown[0]
    assert read(file).title == "theirs"
    answer("Replace")
    assert app.window.files.save()
    assert read(file).title == "mine"
    shown = answer("Cancel")
    app.document.edit("Change title", Consultation(title="mine again"))
    assert app.window.files.save()
    assert shown == []


def test_that_a_newer_file_is_shown_as_a_copy_and_its_unknown_parts_are_named(
    open_app: OpenApp, tmp_path: Path, answer: Answer
) -> None:
    path = tmp_path / "newer.passform.yaml"
    text = "schema: 7\ntitle: from the future\nwormhole: {depth: 3}\n"
    path.write_text(text, encoding="utf-8")
    shown = answer("OK")
    app = open_app(path)
    assert app.document.consultation.title == "from the future"
    assert app.document.path is None
    assert "wormhole" in shown[0]
    assert path.read_text(encoding="utf-8") == text


def test_that_work_found_after_a_crash_goes_back_to_its_file(
    open_app: OpenApp, file: Path, tmp_path: Path, answer: Answer
) -> None:
    gone = replace(this_window(), process=2**22 + 11, birth="")
    Journal(tmp_path / "user", gone).write(Consultation(title="unsaved"), file, digest_of(file))
    locks.take(file, gone)
    shown = answer("Yes")
    app = open_app()
    assert "It belongs to kunde.passform.yaml." in shown[0]
    assert app.document.consultation.title == "unsaved"
    assert app.document.modified
    assert app.window.files.save()
    assert read(file).title == "unsaved"
    assert len(shown) == 1


def test_that_work_on_a_file_changed_since_opens_beside_it(
    open_app: OpenApp, file: Path, tmp_path: Path, answer: Answer
) -> None:
    gone = replace(this_window(), process=2**22 + 11, birth="")
    Journal(tmp_path / "user", gone).write(Consultation(title="unsaved"), file, digest_of(file))
    write(Consultation(title="theirs"), file)
    answer("Yes")
    app = open_app()
    assert app.document.consultation.title == "unsaved"
    assert app.document.path is None
    assert read(file).title == "theirs"


def test_that_taking_a_file_over_shows_what_its_former_owner_saved_meanwhile(
    open_app: OpenApp, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The question may stand on the screen for an hour, and the colleague goes on working."""
    locks.take(file, this_window())

    def exec_(box: QMessageBox) -> int:
        write(Consultation(title="saved meanwhile"), file)
        next(button for button in box.buttons() if "Take over" in button.text()).click()
        return 0

    monkeypatch.setattr(QMessageBox, "exec", exec_)
    app = open_app(file)
    assert app.document.consultation.title == "saved meanwhile"
    assert app.window.files.save()
    assert read(file).title == "saved meanwhile"


def test_that_left_work_does_not_replace_what_was_saved_while_its_question_was_on_the_screen(
    open_app: OpenApp, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = replace(this_window(), process=2**22 + 11, birth="")
    Journal(tmp_path / "user", gone).write(Consultation(title="unsaved"), file, digest_of(file))

    def exec_(box: QMessageBox) -> int:
        write(Consultation(title="theirs"), file)
        return QMessageBox.StandardButton.Yes.value

    monkeypatch.setattr(QMessageBox, "exec", exec_)
    app = open_app()
    assert app.document.consultation.title == "unsaved"
    assert app.document.path is None
    assert read(file).title == "theirs"


def test_that_a_list_of_recent_files_that_cannot_be_kept_is_told_once_and_stops_nothing(
    open_app: OpenApp, file: Path, tmp_path: Path, answer: Answer
) -> None:
    app = open_app()
    app.look.settings.path = tmp_path / "a file" / "settings.json"
    (tmp_path / "a file").write_text("", encoding="utf-8")
    shown = answer("OK")
    seen: list[Path | None] = []
    app.window.files.opened.connect(lambda: seen.append(app.document.path))
    assert app.window.files.open(file)
    app.document.edit("Change title", Consultation(title="mine"))
    assert app.window.files.save()
    assert seen == [file]
    assert read(file).title == "mine"
    assert len(shown) == 1
    assert "settings cannot be saved" in shown[0]


@pytest.mark.parametrize("problem", [PermissionError(13, "Permission denied"), OSError(112, "Host is down")])
def test_that_a_recent_file_behind_a_closed_door_is_named_and_stays_in_the_list(
    open_app: OpenApp, file: Path, answer: Answer, monkeypatch: pytest.MonkeyPatch, problem: OSError
) -> None:
    app = open_app(file)
    app.window.files.new()
    shown = answer("OK")
    with monkeypatch.context() as away:
        for name in ("stat", "lstat"):
            away.setattr(Path, name, lambda *_arguments, **_named: (_ for _ in ()).throw(problem))
        opened = app.window.files.open(file)
    assert not opened
    assert "cannot be read" in shown[0]
    assert app.look.settings.recent == [str(file)]


def test_that_a_name_no_disk_takes_is_named(open_app: OpenApp, tmp_path: Path, answer: Answer) -> None:
    shown = answer("OK")
    app = open_app()
    assert not app.window.files.open(tmp_path / ("x" * 300 + ".passform.yaml"))
    assert "cannot be read" in shown[0]
