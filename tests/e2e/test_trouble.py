"""A command whose output, console or user goes away: one line or none, never a trace, nothing left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import main

ROOT = Path(__file__).parents[2]
EXAMPLE = "examples/lora-team-desk.passform.yaml"
CANARY = "Kanarienvogel GmbH"
STOPPED = """
import os, signal, sys
sys.path.insert(0, '.')
flush = os.fsync
def stop(handle):
    os.kill(os.getpid(), int(sys.argv[1]))
    flush(handle)
os.fsync = stop
from main import main
raise SystemExit(main(sys.argv[2:]))
"""


def run(tmp_path: Path, words: str, language: str = "en") -> subprocess.CompletedProcess[str]:
    """Run in a shell, whose redirections the words may use."""
    environment = {**os.environ, "PASSFORM_DATA": str(tmp_path / "user"), "LC_ALL": language}
    return subprocess.run(
        ["/bin/sh", "-c", f"exec {sys.executable} main.py {words}"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize("words", [f"plan {EXAMPLE}", f"plan {EXAMPLE} --json", "catalog list cards"])
def test_that_an_output_that_takes_no_more_is_said_in_one_line(tmp_path: Path, words: str) -> None:
    done = run(tmp_path, f"{words} > /dev/full")
    assert (done.returncode, done.stderr) == (1, "passform: No space left on device\n")
    assert not (tmp_path / "user").exists()


def test_that_a_reader_who_leaves_early_is_told_nothing(tmp_path: Path) -> None:
    done = run(tmp_path, f"plan {EXAMPLE} --json | head -n 1")
    assert (done.stdout.strip(), done.stderr) == ("{", "")


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_that_closed_streams_take_no_part_in_files(tmp_path: Path, closed: str) -> None:
    """Else the paper would have the number of the standard output, and what is printed would land in it."""
    paper = tmp_path / "paper.pdf"
    done = run(tmp_path, f"quote {EXAMPLE} --output {paper} {closed}")
    assert (done.returncode, done.stderr) == (0, "")
    content = paper.read_bytes()
    assert content.startswith(b"%PDF-")
    assert content.rstrip().endswith(b"%%EOF")


def test_that_complaining_to_a_full_or_closed_place_changes_no_exit_code(tmp_path: Path) -> None:
    for place in ("2> /dev/full", "2>&-"):
        assert run(tmp_path, f"plan nowhere.passform.yaml {place}").returncode == 2


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_that_a_command_stopped_in_the_middle_of_writing_leaves_nothing_and_shows_no_trace(
    tmp_path: Path, number: signal.Signals, code: int
) -> None:
    paper = tmp_path / "paper.pdf"
    words = [str(int(number)), "quote", EXAMPLE, "--output", str(paper)]
    done = subprocess.run(
        [sys.executable, "-c", STOPPED, *words],
        cwd=ROOT,
        env={**os.environ, "PASSFORM_DATA": str(tmp_path / "user")},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (code, "")
    assert [entry.name for entry in tmp_path.iterdir() if entry.is_file()] == []


@pytest.mark.parametrize(("language", "words"), [("en", "You may send it or not"), ("de", "nichts vom Kunden")])
def test_that_a_defect_is_told_with_a_report_that_knows_no_customer(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    language: str,
    words: str,
) -> None:
    def fail(_arguments: object) -> int:
        raise RuntimeError(CANARY)

    monkeypatch.setenv("PASSFORM_DATA", str(tmp_path))
    monkeypatch.setattr(main, "COMMANDS", {**main.COMMANDS, "plan": fail})
    assert main.main(["--language", language, "plan", f"{CANARY}.yaml"]) == 70
    told = capsys.readouterr()
    (report,) = (tmp_path / "crash-reports").iterdir()
    assert str(report) in told.err
    assert words in told.err
    text = report.read_text(encoding="utf-8")
    assert "builtins.RuntimeError" in text
    assert "main.py:" in text
    assert CANARY not in text + told.out + told.err


def test_that_a_defect_where_no_report_can_be_written_is_told_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_arguments: object) -> int:
        raise FileNotFoundError(2, "No such file or directory", CANARY)

    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("PASSFORM_DATA", str(tmp_path / "file"))
    monkeypatch.setattr(main, "COMMANDS", {**main.COMMANDS, "plan": fail})
    assert main.main(["--language", "en", "plan", "x.yaml"]) == 70
    told = capsys.readouterr().err
    assert "builtins.FileNotFoundError" in told
    assert CANARY not in told
