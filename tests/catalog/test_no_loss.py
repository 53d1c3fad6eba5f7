"""No state that was acknowledged is lost, and nobody's work is overwritten without a question."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from catalog.consultation import journal, locks
from catalog.consultation.document import Consultation
from catalog.consultation.files import ConsultationError, read, stated_schema, write
from catalog.consultation.holding import ChangedOutsideError, OpenFile, TakenOverError, digest_of
from catalog.consultation.journal import Journal
from catalog.consultation.locks import LockedError, Owner, lock_path, this_window
from catalog.consultation.processes import birth_of, is_running
from catalog.disk import DiskError, write_atomically
from catalog.exclusive import BusyError, exclusive
from catalog.own_files import read_own
from resources import translations
from tests.catalog.windows import NAME, ended_process


def test_that_two_windows_cannot_lock_one_file_and_the_second_learns_whose_it_is(file: Path) -> None:
    first, second = this_window(), this_window()
    assert locks.take(file, first)
    with pytest.raises(LockedError) as caught:
        locks.take(file, second)
    assert caught.value.owner == first
    assert first.user in str(caught.value)
    assert first.host in str(caught.value)


def test_that_a_lock_may_be_taken_again_after_its_release_and_by_its_owner(file: Path) -> None:
    first, second = this_window(), this_window()
    locks.take(file, first)
    assert locks.take(file, first)
    locks.release(file, second)
    assert locks.holder(file) == first
    locks.release(file, first)
    assert not lock_path(file).exists()
    assert locks.take(file, second)


def test_that_the_lock_of_a_dead_process_is_taken_without_a_question(file: Path, dead: Owner) -> None:
    assert locks.take(file, dead)
    me = this_window()
    assert locks.take(file, me)
    assert locks.holder(file) == me


def test_that_a_process_number_used_again_does_not_keep_a_file_locked(file: Path) -> None:
    """After a restart of the machine another program may have the number of the window that crashed."""
    locks.take(file, replace(this_window(), token="earlier", birth="an-earlier-boot/4711"))
    assert birth_of(os.getpid()), "this test needs a system that tells when a process began"
    assert locks.take(file, this_window())


def test_that_the_lock_of_another_machine_is_never_taken_silently(file: Path, dead: Owner) -> None:
    locks.take(file, replace(dead, host="another-machine"))
    with pytest.raises(LockedError, match="another-machine"):
        locks.take(file, this_window())


@pytest.mark.parametrize("content", ["", "{", "[]", '{"token": 1}', "[" * 5000, '{"token":"' + "x" * 9000 + '"}'])
def test_that_a_damaged_lock_keeps_nobody_out(file: Path, content: str) -> None:
    lock_path(file).write_text(content, encoding="utf-8")
    assert locks.holder(file) is None
    assert locks.take(file, this_window())


def test_that_a_folder_that_takes_no_lock_can_still_be_read_from(tmp_path: Path) -> None:
    assert not locks.take(tmp_path / "gone" / NAME, this_window())


def test_that_a_disk_without_hard_links_still_locks(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_paths: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    assert locks.take(file, this_window())
    with pytest.raises(LockedError):
        locks.take(file, this_window())


def test_that_locking_leaves_nothing_but_the_lock_beside_the_file(file: Path) -> None:
    locks.take(file, this_window())
    assert {entry.name for entry in file.parent.iterdir()} == {NAME, f".{NAME}.lock"}


def test_that_a_file_changed_outside_is_not_overwritten_silently(file: Path) -> None:
    opened = OpenFile(file, this_window())
    opened.check()
    write(Consultation(title="somebody else's"), file)
    with pytest.raises(ChangedOutsideError, match=r"kunde\.passform\.yaml was changed by another program"):
        opened.check()
    opened.wrote()
    opened.check()


def test_that_a_file_taken_over_is_not_overwritten_by_its_former_owner(file: Path) -> None:
    mine = OpenFile(file, this_window())
    with pytest.raises(LockedError):
        OpenFile(file, this_window())
    theirs = OpenFile(file, this_window(), over=True)
    with pytest.raises(TakenOverError, match="another name"):
        mine.check()
    mine.close()
    theirs.check()
    theirs.close()
    assert not lock_path(file).exists()


def test_that_a_file_deleted_outside_may_be_written_again(file: Path) -> None:
    opened = OpenFile(file, this_window())
    file.unlink()
    opened.check()


def test_that_what_a_kill_left_half_written_is_swept_away_by_the_next_owner(file: Path) -> None:
    (file.parent / f".{NAME}.abcd1234.tmp").write_text("half", encoding="utf-8")
    other = file.parent / ".another.passform.yaml.abcd1234.tmp"
    other.write_text("half", encoding="utf-8")
    OpenFile(file, this_window())
    assert sorted(entry.name for entry in file.parent.iterdir() if entry.suffix == ".tmp") == [other.name]


def test_that_two_ways_to_one_file_meet_at_one_lock(tmp_path: Path, file: Path) -> None:
    link = tmp_path / "shortcut" / NAME
    link.parent.mkdir()
    link.symlink_to(file)
    assert locks.take(file, this_window())
    with pytest.raises(LockedError):
        locks.take(link, this_window())
    assert [entry.name for entry in link.parent.iterdir()] == [NAME]


def test_that_a_full_disk_leaves_no_half_lock(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(path: Path, *_arguments: object, **_named: object) -> None:
        path.touch()
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", fail)
    assert not locks.take(file, this_window())
    assert not locks.take_over(file, this_window())
    assert [entry.name for entry in file.parent.iterdir()] == [NAME]


def test_that_a_lock_a_dead_window_was_about_to_set_is_swept_away(file: Path, dead: Owner) -> None:
    locks.take(file, dead)
    half = file.with_name(".0123.lock.tmp")
    lock_path(file).rename(half)
    living = file.with_name(".4567.lock.tmp")
    locks.take(file, this_window())
    lock_path(file).rename(living)
    OpenFile(file, this_window())
    assert not half.exists()
    assert living.exists()


@pytest.mark.parametrize("place", ["the file", "its lock"])
def test_that_a_pipe_hangs_nobody(tmp_path: Path, place: str) -> None:
    path = tmp_path / NAME
    os.mkfifo(path if place == "the file" else lock_path(path))
    assert digest_of(path) == ""
    assert stated_schema(path) == 0
    assert locks.holder(path) is None


WRITING_FAILS = [
    (errno.ENOSPC, "disk is full", "voll"),
    (errno.EACCES, "read-only for you", "schreibgeschützt"),
    (errno.EROFS, "read-only for you", "schreibgeschützt"),
    (errno.ESTALE, "network drive", "Netzlaufwerk"),
    (errno.EIO, "network drive", "Netzlaufwerk"),
    (errno.ENAMETOOLONG, "Choose another name", "anderen Namen"),
    (errno.ELOOP, "old file is unchanged", "alte Datei ist unverändert"),
]


@pytest.mark.parametrize(("number", "english", "german"), WRITING_FAILS)
def test_that_a_failed_write_says_what_to_do_and_leaves_the_old_file(
    file: Path, monkeypatch: pytest.MonkeyPatch, number: int, english: str, german: str
) -> None:
    def fail(_handle: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(DiskError, match=english) as caught:
        write(Consultation(title="new"), file)
    assert german in caught.value.text(translations("de").gettext)
    monkeypatch.undo()
    assert read(file).title == "old"
    assert [entry.name for entry in file.parent.iterdir()] == [NAME]


def test_that_a_drive_vanishing_in_the_middle_of_a_write_is_told_and_not_a_traceback(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = file.parent

    def vanish(_handle: int) -> None:
        folder.rename(folder.with_name("elsewhere"))

    monkeypatch.setattr(os, "fsync", vanish)
    with pytest.raises(DiskError, match="network drive"):
        write(Consultation(title="new"), file)
    monkeypatch.undo()
    folder.with_name("elsewhere").rename(folder)
    assert read(file).title == "old"


def test_that_a_real_full_disk_is_named(tmp_path: Path) -> None:
    """A process may be forbidden files above a size; the system then answers as for a full disk."""
    code = (
        "import resource, signal, sys; from pathlib import Path; sys.path.insert(0, '.');"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096));"
        "from catalog.disk import DiskError, write_atomically\n"
        f"try: write_atomically(b'x' * 100_000, Path({str(tmp_path / NAME)!r}))\n"
        "except DiskError as error: print(error)"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert "the disk is full" in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_that_a_folder_that_cannot_be_flushed_does_not_undo_a_write(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flush = os.fsync

    def only_files(handle: int) -> None:
        if Path(f"/proc/self/fd/{handle}").is_dir():
            raise OSError(errno.EINVAL, "Invalid argument")
        flush(handle)

    monkeypatch.setattr(os, "fsync", only_files)
    write(Consultation(title="new"), file)
    assert read(file).title == "new"


def test_that_an_unwritable_place_for_unsaved_work_is_told(tmp_path: Path) -> None:
    (tmp_path / journal.FOLDER).write_text("a file where the folder should be", encoding="utf-8")
    with pytest.raises(ConsultationError, match="Please save it"):
        Journal(tmp_path, this_window()).write(Consultation(), None)
    assert journal.left_behind(tmp_path) == []


def test_that_no_file_of_a_newer_passform_is_written_over(tmp_path: Path) -> None:
    path = tmp_path / NAME
    path.write_text("schema: 2\nwormhole: 1\n", encoding="utf-8")
    with pytest.raises(ConsultationError, match="newer Passform"):
        write(Consultation(), path)
    assert path.read_text(encoding="utf-8") == "schema: 2\nwormhole: 1\n"


def test_that_processes_are_told_apart_by_their_birth() -> None:
    me = os.getpid()
    assert is_running(me, birth_of(me))
    assert is_running(me, "")
    assert not is_running(me, "another birth")
    assert not is_running(ended_process(), "")
    assert not is_running(0, "")
    assert not is_running(-1, "")
    assert not is_running(2**40, "")
    assert birth_of(2**22 + 7) == ""


def test_that_a_second_writer_waits_and_is_told_when_it_takes_too_long(tmp_path: Path) -> None:
    code = (
        "import sys, time; sys.path.insert(0, '.'); from pathlib import Path\n"
        "from catalog.exclusive import exclusive\n"
        f"with exclusive(Path({str(tmp_path)!r})):\n    print('held', flush=True)\n    sys.stdin.read()\n"
    )
    root = Path(__file__).parents[2]
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(BusyError), exclusive(tmp_path, patience_s=0.1):
            pass
        other.kill()  # the system lets go of what the dead process held
        other.wait()
        with exclusive(tmp_path, patience_s=5), exclusive(tmp_path, patience_s=0):
            pass


def test_that_own_entries_of_two_windows_are_all_kept(tmp_path: Path) -> None:
    code = (
        "from datetime import date; from decimal import Decimal; from pathlib import Path\n"
        "from catalog.own_prices import OwnPrice, save_price\n"
        "price = OwnPrice('h200_nvl', Decimal(1), 'EUR', date(2026, 11, 1))\n"
        f"for _ in range(10): save_price(Path({str(tmp_path)!r}), price)"
    )
    root = Path(__file__).parents[2]
    others = [subprocess.Popen([sys.executable, "-c", code], cwd=root) for _ in range(2)]
    assert [other.wait() for other in others] == [0, 0]
    assert len(read_own(tmp_path, "prices.yaml")["prices"]) == 20


def test_that_own_entries_in_an_unreachable_folder_are_refused_with_words(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(DiskError, match="cannot be reached"), exclusive(tmp_path / "file" / "folder"):
        pass


def test_that_writing_keeps_the_rights_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / NAME
    write_atomically(b"x", path)
    path.chmod(0o600)
    write_atomically(b"y", path)
    assert path.stat().st_mode & 0o777 == 0o600


def test_that_the_bytes_are_on_the_disk_before_the_file_takes_its_name_and_the_name_before_the_write_returns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kill cannot show this, only a power cut: the order of the system calls is the proof."""
    calls: list[str] = []
    flush, take_name = os.fsync, Path.replace

    def fsync(handle: int) -> None:
        calls.append("flush folder" if Path(f"/proc/self/fd/{handle}").is_dir() else "flush file")
        flush(handle)

    def replace_(self: Path, target: Path) -> Path:
        calls.append("take the name")
        return take_name(self, target)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(Path, "replace", replace_)
    write_atomically(b"x", tmp_path / NAME)
    assert calls == ["flush file", "take the name", "flush folder"]
