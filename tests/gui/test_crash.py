"""An unhandled error ends in one dialog and a report, and costs neither the work nor the customer's privacy."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMessageBox

from catalog import crash_report
from catalog.consultation import journal
from catalog.consultation.document import Consultation, Customer
from catalog.consultation.files import write
from catalog.crash_report import report_text, write_report
from gui.app import App, _install_hook

OpenApp = Callable[..., App]
CANARY = "Kanarienvogel"


@pytest.fixture
def boxes(monkeypatch: pytest.MonkeyPatch) -> list[QMessageBox]:
    shown: list[QMessageBox] = []

    def exec_(box: QMessageBox) -> int:
        shown.append(box)
        return 0

    monkeypatch.setattr(QMessageBox, "exec", exec_)
    return shown


def fail_with(customer: str) -> BaseException:
    """An error as code that handles a customer would raise it: the name is in message, notes, cause and variables."""
    try:
        try:
            {}[customer]
        except KeyError as error:
            error.add_note(customer)
            raise RuntimeError(f"no such company: {customer}") from error
    except RuntimeError as error:
        return error


def test_that_a_report_names_the_place_and_nothing_of_the_customer(tmp_path: Path) -> None:
    text = report_text(fail_with(CANARY), "2026-11-30", "6.11")
    assert "builtins.RuntimeError" in text
    assert "builtins.KeyError" in text
    assert "tests/gui/test_crash.py" in text
    assert CANARY not in text
    assert str(Path.home()) not in text


def test_that_code_outside_the_program_is_not_even_named(tmp_path: Path) -> None:
    script = tmp_path / f"{CANARY}.py"
    script.write_text("def fail():\n    raise ValueError\n", encoding="utf-8")
    space: dict[str, Callable[[], None]] = {}
    exec(compile(script.read_text(encoding="utf-8"), str(script), "exec"), space)
    with pytest.raises(ValueError) as caught:  # noqa: PT011  # the kind is all there is
        space["fail"]()
    text = report_text(caught.value, "", "")
    assert "(elsewhere):2 fail" in text
    assert CANARY not in text


def test_that_a_crash_keeps_the_work_and_writes_a_report_without_the_customer(
    open_app: OpenApp, tmp_path: Path, boxes: list[QMessageBox], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / f"{CANARY}.passform.yaml"
    write(Consultation(customer=Customer(company=CANARY)), file)
    app = open_app(file)
    work = Consultation(title=CANARY, customer=Customer(company=CANARY))
    app.document.edit("Change title", work)
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)  # put back afterwards
    monkeypatch.setattr(sys, "__excepthook__", lambda *_: None)
    _install_hook(app)
    error = fail_with(CANARY)
    sys.excepthook(type(error), error, error.__traceback__)

    (entry,) = (tmp_path / "user" / journal.FOLDER).glob("*.json")
    assert CANARY in entry.read_text(encoding="utf-8")
    (report,) = (tmp_path / "user" / crash_report.FOLDER).iterdir()
    assert "RuntimeError" in report.read_text(encoding="utf-8")
    assert CANARY not in report.read_text(encoding="utf-8") + report.name
    (box,) = boxes
    assert "Your work is kept" in box.text()
    assert box.detailedText() == report.read_text(encoding="utf-8")


def test_that_a_crash_on_a_full_disk_asks_for_saving_at_once(
    open_app: OpenApp, tmp_path: Path, boxes: list[QMessageBox]
) -> None:
    app = open_app()
    folder = tmp_path / "user"
    folder.mkdir(exist_ok=True)
    (folder / journal.FOLDER).write_text("", encoding="utf-8")
    (folder / crash_report.FOLDER).write_text("", encoding="utf-8")
    app.document.edit("Change title", Consultation(title="work"))
    app.report_crash(fail_with(CANARY))
    assert "save your work now" in boxes[0].text()
    assert "RuntimeError" in boxes[0].detailedText()


def test_that_errors_while_the_dialog_is_open_bring_no_second_one(
    open_app: OpenApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_app()
    shown = []

    def exec_(_box: QMessageBox) -> int:
        shown.append(1)
        app.report_crash(fail_with(CANARY))
        return 0

    monkeypatch.setattr(QMessageBox, "exec", exec_)
    app.report_crash(fail_with(CANARY))
    assert len(shown) == 1
    assert len(list((tmp_path / "user" / crash_report.FOLDER).iterdir())) == 2


def test_that_only_the_newest_reports_are_kept(tmp_path: Path) -> None:
    for number in range(crash_report.KEPT + 3):
        assert write_report(f"{number}\n", tmp_path) is not None
    kept = sorted((tmp_path / crash_report.FOLDER).iterdir())
    assert [path.read_text(encoding="utf-8").strip() for path in kept[:1]] == ["3"]
    assert len(kept) == crash_report.KEPT
