"""The report of an unhandled error: where it happened, nothing of what anybody said, and never another error."""

from __future__ import annotations

from pathlib import Path

from catalog.crash_report import FOLDER, KEPT, report_text, write_report

CANARY = "Kanarienvogel GmbH"


def _error() -> BaseException:
    try:
        try:
            int(CANARY)
        except ValueError as error:
            raise RuntimeError(CANARY) from error
    except RuntimeError as error:
        return error


def test_that_a_report_names_kinds_and_places_of_the_error_and_its_cause() -> None:
    text = report_text(_error(), "2026-11-30", "6.11")
    assert "Catalogue 2026-11-30" in text
    assert "Packed: no" in text
    assert text.index("builtins.RuntimeError") < text.index("builtins.ValueError")
    assert "  tests/catalog/test_crash_report.py:" in text
    assert CANARY not in text


def test_that_a_long_chain_of_causes_ends() -> None:
    error: BaseException = ValueError("first")
    for _ in range(30):
        following = ValueError("next")
        following.__cause__ = error
        error = following
    assert report_text(error, "", "").count("builtins.ValueError") == 5


def test_that_packages_are_named_and_files_elsewhere_are_not(tmp_path: Path) -> None:
    def failing_in(filename: str) -> str:
        try:
            exec(compile("raise ValueError", filename, "exec"), {})
        except ValueError as error:
            return report_text(error, "", "")
        raise AssertionError

    assert "pydantic/main.py:1" in failing_in("/usr/lib/python3/site-packages/pydantic/main.py")
    assert "(elsewhere):1" in failing_in(str(tmp_path / f"{CANARY}.py"))
    assert CANARY not in failing_in(str(tmp_path / f"{CANARY}.py"))


def test_that_reports_are_kept_and_the_oldest_make_room(tmp_path: Path) -> None:
    for number in range(KEPT + 3):
        (tmp_path / FOLDER).mkdir(exist_ok=True)
        (tmp_path / FOLDER / f"20260101-{number:06d}.txt").write_text("old", encoding="utf-8")
    written = write_report("new", tmp_path)
    assert written is not None
    assert written.read_text(encoding="utf-8") == "new"
    left = sorted(path.name for path in (tmp_path / FOLDER).iterdir())
    assert len(left) == KEPT
    assert left[-1] == written.name
    assert "20260101-000000.txt" not in left


def test_that_a_clock_that_went_back_does_not_cost_the_newest_report(tmp_path: Path) -> None:
    (tmp_path / FOLDER).mkdir()
    for number in range(KEPT + 3):
        (tmp_path / FOLDER / f"20990101-{number:06d}.txt").write_text("from the future", encoding="utf-8")
    written = write_report("new", tmp_path)
    assert written is not None
    assert written.read_text(encoding="utf-8") == "new"
    assert len(list((tmp_path / FOLDER).iterdir())) == KEPT


def test_that_a_disk_that_refuses_costs_the_report_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / FOLDER).write_text("a file where the folder should be", encoding="utf-8")
    assert write_report("new", tmp_path) is None
