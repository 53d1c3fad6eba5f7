"""Work that a window left unsaved is offered again, to its owner alone, whatever became of file, clock and machine."""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from catalog.consultation import journal, locks
from catalog.consultation.document import SCHEMA, Consultation
from catalog.consultation.files import write
from catalog.consultation.holding import OpenFile, digest_of
from catalog.consultation.journal import Journal
from catalog.consultation.locks import Owner, this_window


def test_that_unsaved_work_of_a_dead_window_is_offered_and_that_of_a_living_one_is_not(
    tmp_path: Path, file: Path, dead: Owner
) -> None:
    Journal(tmp_path, dead).write(Consultation(title="dead"), file, digest_of(file))
    Journal(tmp_path, this_window()).write(Consultation(title="alive"), None)
    (left,) = journal.left_behind(tmp_path)
    assert (left.consultation.title, left.path, left.saved_since) == ("dead", file, False)
    journal.forget(left)
    assert journal.left_behind(tmp_path) == []


def test_that_two_windows_keep_their_unsaved_work_apart(tmp_path: Path, dead: Owner) -> None:
    for title in ("one", "two"):
        Journal(tmp_path, replace(dead, token=title)).write(Consultation(title=title), None)
    Journal(tmp_path, replace(dead, token="one")).discard()
    assert [left.consultation.title for left in journal.left_behind(tmp_path)] == ["two"]


def test_that_work_which_reached_its_file_before_the_crash_is_not_offered_again(
    tmp_path: Path, file: Path, dead: Owner
) -> None:
    done = Consultation(title="done")
    Journal(tmp_path, dead).write(done, file, digest_of(file))
    write(done, file)
    assert journal.left_behind(tmp_path) == []


def test_that_work_on_a_file_saved_by_others_since_says_so(tmp_path: Path, file: Path, dead: Owner) -> None:
    Journal(tmp_path, dead).write(Consultation(title="mine"), file, digest_of(file))
    write(Consultation(title="theirs"), file)
    (left,) = journal.left_behind(tmp_path)
    assert left.saved_since


def test_that_a_clock_moved_back_loses_nothing(tmp_path: Path, file: Path, dead: Owner) -> None:
    Journal(tmp_path, dead).write(Consultation(title="future"), file, digest_of(file))
    for path in (file, *(tmp_path / journal.FOLDER).iterdir()):
        os.utime(path, (4_000_000_000, 4_000_000_000))  # written in 2096, as far as the disk knows
    locks.take(file, replace(dead, since="2096-10-02T09:06:40+02:00"))
    assert OpenFile(file, this_window()).digest == digest_of(file)
    assert [left.consultation.title for left in journal.left_behind(tmp_path)] == ["future"]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda raw: {**raw, "check": "0" * 64},
        lambda raw: {**raw, "consultation": raw["consultation"].replace("title", "titel")},
        lambda raw: {key: value for key, value in raw.items() if key != "owner"},
        lambda raw: {**raw, "owner": {**raw["owner"], "process": "no number"}},
        lambda raw: {**raw, "owner": {}},
        lambda raw: [raw],
        lambda raw: {**raw, "passform_unsaved": 0},
        lambda raw: {**raw, "passform_unsaved": "1"},
    ],
)
def test_that_a_damaged_entry_is_set_aside_and_kept(tmp_path: Path, dead: Owner, spoil: object) -> None:
    Journal(tmp_path, dead).write(Consultation(title="x"), None)
    (entry,) = (tmp_path / journal.FOLDER).iterdir()
    entry.write_text(json.dumps(spoil(json.loads(entry.read_text(encoding="utf-8")))), encoding="utf-8")  # type: ignore[operator]  # a lambda of the table
    assert journal.left_behind(tmp_path) == []
    assert [path.suffix for path in (tmp_path / journal.FOLDER).iterdir()] == [".unreadable"]


@pytest.mark.parametrize(
    "newer",
    [
        lambda raw: {**raw, "passform_unsaved": 2, "compressed": True},
        lambda raw: _with_text(raw, f"schema: {SCHEMA + 1}\nwormhole: 1\n"),
    ],
)
def test_that_the_work_of_a_newer_passform_stays_for_that_one(
    tmp_path: Path, dead: Owner, newer: Callable[[dict[str, object]], dict[str, object]]
) -> None:
    Journal(tmp_path, dead).write(Consultation(title="x"), None)
    (entry,) = (tmp_path / journal.FOLDER).iterdir()
    text = json.dumps(newer(json.loads(entry.read_text(encoding="utf-8"))))
    entry.write_text(text, encoding="utf-8")
    assert journal.left_behind(tmp_path) == []
    assert entry.read_text(encoding="utf-8") == text


def _with_text(raw: dict[str, object], text: str) -> dict[str, object]:
    return {**raw, "consultation": text, "check": hashlib.sha256(text.encode()).hexdigest()}


def test_that_work_is_offered_again_after_the_machine_came_into_another_network(
    tmp_path: Path, file: Path, dead: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(platform, "node", lambda: "Laptop-7.local")
    away = replace(dead, host="laptop-7.fritz.box")
    Journal(tmp_path, away).write(Consultation(title="away"), None)
    assert [left.consultation.title for left in journal.left_behind(tmp_path)] == ["away"]
    locks.take(file, away)
    assert locks.take(file, this_window())


def test_that_a_machine_renamed_since_it_started_knows_its_own_windows(
    tmp_path: Path, dead: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert this_window().birth, "this test needs a system that tells when a process began"
    boot = this_window().birth.rpartition("/")[0]
    renamed = replace(dead, host="its-earlier-name", birth=f"{boot}/1")
    Journal(tmp_path, renamed).write(Consultation(title="mine"), None)
    Journal(tmp_path, replace(renamed, token="other", birth="another-boot/1")).write(Consultation(title="not"), None)
    assert [left.consultation.title for left in journal.left_behind(tmp_path)] == ["mine"]


def test_that_what_the_disk_says_of_the_time_of_left_work_cannot_hide_it(
    tmp_path: Path, dead: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    Journal(tmp_path, dead).write(Consultation(title="kept"), None)

    class Clock(datetime):
        @classmethod
        def fromtimestamp(cls, *_arguments: object) -> datetime:
            return datetime.fromtimestamp(2.0**62, UTC)

    monkeypatch.setattr(journal, "datetime", Clock)
    (left,) = journal.left_behind(tmp_path)
    assert left.consultation.title == "kept"


def test_that_left_work_is_compared_with_its_file_as_it_is_now(tmp_path: Path, file: Path, dead: Owner) -> None:
    """The question whether it is wanted may stand on the screen for an hour."""
    Journal(tmp_path, dead).write(Consultation(title="mine"), file, digest_of(file))
    (left,) = journal.left_behind(tmp_path)
    assert not left.saved_since
    write(Consultation(title="theirs"), file)
    assert left.saved_since


def test_that_unsaved_work_is_for_its_owner_alone_and_leaves_nothing(tmp_path: Path, dead: Owner) -> None:
    kept = Journal(tmp_path, dead)
    kept.write(Consultation(title="x"), None)
    (entry,) = (tmp_path / journal.FOLDER).iterdir()
    assert entry.stat().st_mode & 0o077 == 0
    entry.with_name(f".{entry.name}.0123abcd.tmp").write_text("half", encoding="utf-8")
    kept.discard()
    assert list((tmp_path / journal.FOLDER).iterdir()) == []
