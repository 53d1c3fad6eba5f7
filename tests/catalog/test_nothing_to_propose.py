"""Commands where nothing fits, or where no time is known: a sentence and a code, and no file."""

from __future__ import annotations

import argparse
from dataclasses import replace
from datetime import date
from io import StringIO
from pathlib import Path

import pytest

from catalog.commands import quote, quote_exports, register, rent_or_buy, selftest
from catalog.consultation.open import OpenConsultation, open_consultation
from catalog.user_folder import VARIABLE

TOO_LARGE = """schema: 1
date: 2026-11-30
workloads:
- {model: llama-3.3-70b, method: full, sequence_length: 131072, tokens_per_run: 1000000, runs_per_month: "1"}
site: {place: desk, circuit_watts: 400}
"""
SMALL = """schema: 1
date: 2026-11-30
workloads:
- {model: llama-3.1-8b, method: lora, sequence_length: 2048}
site: {place: rack}
"""
ARGUMENTS = {
    "paper_language": None,
    "language": "en",
    "pdfa": False,
    "draft": False,
    "offer": False,
    "revise": None,
    "vat_confirmed": False,
    "format": "json",
    "json": False,
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "own"))
    return tmp_path


def _arguments(folder: Path, text: str = TOO_LARGE) -> argparse.Namespace:
    file = folder / "case.passform.yaml"
    file.write_text(text, encoding="utf-8")
    return argparse.Namespace(file=file, output=folder / "out.pdf", **ARGUMENTS)


@pytest.mark.parametrize("command", [quote.run, quote_exports.run, register.issue_document])
def test_that_no_document_is_made_where_nothing_fits(folder: Path, command: object) -> None:
    out = StringIO()
    assert callable(command)
    assert command(_arguments(folder), out) == 1
    refusal, *ways = out.getvalue().splitlines()
    assert refusal == "Nothing in the catalogue carries these workloads."
    assert all("The command `cluster` works out layout and time." in way for way in ways)
    assert not (folder / "out.pdf").exists()
    assert not list(folder.glob("**/*.sqlite"))


def test_that_without_a_screen_an_example_that_nothing_carries_is_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setattr(quote, "EXAMPLE", _arguments(folder).file)
    out = StringIO()
    assert quote.example_proposal(out, "en") == 1
    assert out.getvalue().splitlines()[:2] == [
        "There is no screen here, so the window cannot open.",
        "Nothing in the catalogue carries these workloads.",
    ]


def test_that_without_a_screen_the_example_is_written_in_the_readers_language(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    out = StringIO()
    assert quote.example_proposal(out, "de") == 0
    assert "Hier gibt es keinen Bildschirm" in out.getvalue()
    assert (folder / quote.EXAMPLE_OUTPUT).read_bytes().startswith(b"%PDF")


def test_that_the_selftest_fails_where_the_example_fits_nowhere(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selftest, "EXAMPLE", _arguments(folder).file)
    out = StringIO()
    assert selftest.run(out, lambda: True) == 1
    assert out.getvalue().splitlines()[-1] == "plan: nothing fits"


@pytest.mark.parametrize(("pages", "shown", "last"), [(0, True, "paper de: 0 pages"), (9, False, "window: failed")])
def test_that_the_selftest_fails_without_pages_or_window(
    folder: Path, monkeypatch: pytest.MonkeyPatch, pages: int, shown: bool, last: str
) -> None:
    monkeypatch.setattr(selftest, "_pages", lambda _content: pages)
    out = StringIO()
    assert selftest.run(out, lambda: shown) == 1
    assert out.getvalue().splitlines()[-1] == last


def test_that_renting_is_not_compared_where_no_step_has_a_time(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the fitted constants nobody knows how many hours a year's work takes."""

    def without_constants(path: Path, today: date) -> OpenConsultation:
        opened = open_consultation(path, today)
        facts = opened.catalog.facts
        untimed = replace(facts, speed=replace(facts.speed, coefficients=None))
        return replace(opened, catalog=replace(opened.catalog, facts=untimed))

    monkeypatch.setattr(rent_or_buy, "open_consultation", without_constants)
    out = StringIO()
    assert rent_or_buy.run(_arguments(folder, SMALL), out) == 0
    assert out.getvalue() == "The work of a year is unknown, so nothing can be compared.\n"


def test_that_renting_is_told_first_that_nothing_fits(folder: Path) -> None:
    out = StringIO()
    assert rent_or_buy.run(_arguments(folder), out) == 1
    assert out.getvalue().splitlines()[0] == "Nothing in the catalogue carries these workloads."


def test_that_a_draft_for_archives_is_one(folder: Path) -> None:
    arguments = _arguments(folder, SMALL)
    arguments.pdfa = True
    arguments.draft = True
    out = StringIO()
    assert quote.run(arguments, out) == 0
    assert "A draft: no number was taken, and nothing is in the register." in out.getvalue()
    assert b"pdfaid" in (folder / "out.pdf").read_bytes()
