"""Writing a file as a whole: whatever lies at the place, and whatever the disk says at any step."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from catalog import disk
from catalog.consultation.document import Consultation
from catalog.consultation.files import read, write
from catalog.consultation.holding import OpenFile
from catalog.consultation.locks import LockedError, this_window
from catalog.disk import DiskError, sweep, write_atomically
from resources import translations

NAME = "kunde.passform.yaml"


def names(folder: Path) -> set[str]:
    return {entry.name for entry in folder.iterdir()}


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_that_a_link_stays_and_the_file_it_leads_to_is_replaced(tmp_path: Path) -> None:
    real = tmp_path / "server" / NAME
    real.parent.mkdir()
    write_atomically(b"old", real)
    link = tmp_path / NAME
    link.symlink_to(real)
    write_atomically(b"new", link)
    assert link.is_symlink()
    assert real.read_bytes() == b"new"
    assert names(tmp_path) == {"server", NAME}
    assert names(real.parent) == {NAME}


def test_that_a_link_to_nothing_yet_makes_what_it_names(tmp_path: Path) -> None:
    link = tmp_path / NAME
    link.symlink_to(tmp_path / "later.yaml")
    write_atomically(b"new", link)
    assert link.is_symlink()
    assert (tmp_path / "later.yaml").read_bytes() == b"new"


def test_that_links_in_a_circle_are_refused_in_words(tmp_path: Path) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    first.symlink_to(second)
    second.symlink_to(first)
    with pytest.raises(DiskError, match="cannot be written"):
        write_atomically(b"new", first)
    assert names(tmp_path) == {"a", "b"}


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, lambda path: path.symlink_to("/dev/null")])
def test_that_pipes_devices_and_folders_are_never_replaced(tmp_path: Path, make: Callable[[Path], None]) -> None:
    place = tmp_path / "out.pdf"
    make(place)
    before = os.lstat(place)
    with pytest.raises(DiskError, match=r"out\.pdf is not a file"):
        write_atomically(b"new", place)
    assert os.lstat(place).st_ino == before.st_ino
    assert names(tmp_path) == {"out.pdf"}


def test_that_a_folder_as_the_place_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for place in (Path(), Path("/")):
        with pytest.raises(DiskError, match=r"^[./] is not a file"):
            write_atomically(b"new", place)


@pytest.mark.parametrize("letters", [200, 242, 243, 250, 255])
def test_that_any_name_the_disk_takes_can_be_written_and_locked(tmp_path: Path, letters: int) -> None:
    path = tmp_path / ("ü" * ((letters - 5) // 2) + "x" * ((letters - 5) % 2) + ".yaml")
    assert len(os.fsencode(path.name)) == letters
    write(Consultation(title="long"), path)
    mine = OpenFile(path, this_window())
    with pytest.raises(LockedError):
        OpenFile(path, this_window())
    mine.close()
    assert read(path).title == "long"
    assert names(tmp_path) == {path.name}


def test_that_a_longer_name_is_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(DiskError, match="Choose another name"):
        write_atomically(b"x", tmp_path / ("x" * 256))
    assert names(tmp_path) == set()


@pytest.mark.parametrize("name", ["Müller & Söhne 😀.yaml", "a\nb.yaml", "-rf.yaml", " .yaml", "\u202egpj.yaml"])
def test_that_awkward_names_are_written_under_exactly_that_name(tmp_path: Path, name: str) -> None:
    write_atomically(b"x", tmp_path / name)
    assert names(tmp_path) == {name}


def test_that_a_new_file_follows_the_mask_of_the_user_and_a_private_one_is_for_its_owner(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        write_atomically(b"x", tmp_path / "strict")
        os.umask(0o002)
        write_atomically(b"x", tmp_path / "shared")
        write_atomically(b"x", tmp_path / "own", private=True)
    finally:
        os.umask(before)
    assert (mode(tmp_path / "strict"), mode(tmp_path / "shared"), mode(tmp_path / "own")) == (0o600, 0o664, 0o600)


def test_that_a_file_shared_in_a_group_stays_so(tmp_path: Path) -> None:
    path = tmp_path / NAME
    write_atomically(b"x", path)
    path.chmod(0o660)
    group = next((group for group in os.getgroups() if group != os.getegid()), os.getegid())
    os.chown(path, -1, group)
    write_atomically(b"y", path)
    assert (mode(path), path.stat().st_gid) == (0o660, group)


def test_that_a_disk_without_rights_and_groups_still_takes_the_content(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / NAME
    write_atomically(b"x", path)

    def refuse(*_arguments: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "fchmod", refuse)
    monkeypatch.setattr(os, "fchown", refuse)
    write_atomically(b"y", path)
    assert path.read_bytes() == b"y"


def test_that_a_write_protected_file_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / NAME
    write_atomically(b"old", path)
    path.chmod(0o444)
    monkeypatch.setattr(os, "access", lambda place, _way: Path(place).stat().st_mode & 0o200 != 0)  # root may write
    with pytest.raises(DiskError, match="write-protected") as caught:
        write_atomically(b"new", path)
    assert "schreibgeschützt" in caught.value.text(translations("de").gettext)
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == {NAME}


def test_that_ending_the_program_in_the_middle_leaves_nothing_half_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / NAME
    write_atomically(b"old", path)

    def interrupt(_handle: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(b"new", path)
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == {NAME}


def test_that_sweeping_takes_the_halves_of_this_file_and_of_no_other(tmp_path: Path) -> None:
    halves = {f".{NAME}.0123abcd.tmp"}
    others = {NAME, f".{NAME}.bak.yaml.0123abcd.tmp", f".{NAME}.lock.0123abcd.tmp", ".other.yaml.0123abcd.tmp"}
    for name in halves | others:
        (tmp_path / name).write_bytes(b"half")
    sweep(tmp_path / NAME)
    assert names(tmp_path) == others


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.EROFS, errno.EDQUOT])
@pytest.mark.parametrize("existing", [False, True])
def test_that_an_error_at_any_step_leaves_the_old_file_or_the_new_one_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, existing: bool
) -> None:
    """Every call that reaches the disk fails once, the first, the second, ... until a write gets through."""
    path = tmp_path / NAME
    for failing in range(1, 40):
        path.unlink(missing_ok=True)
        if existing:
            write_atomically(b"old", path)
        with monkeypatch.context() as patched:
            made = _fail_at(patched, failing, number)
            try:
                write_atomically(b"new", path)
                refused = False
            except DiskError:
                refused = True
        content = path.read_bytes() if path.exists() else b"nothing"
        assert content in ({b"old", b"new"} if existing else {b"nothing", b"new"})
        assert refused or content == b"new", f"call {failing} failed silently"
        assert names(tmp_path) <= {NAME}, f"call {failing} left a half"
        if made[0] < failing:
            assert failing > 6, "the calls were not counted"
            return
    raise AssertionError("no write got through")


def _fail_at(patched: pytest.MonkeyPatch, failing: int, number: int) -> list[int]:
    made = [0]

    def wrapped(true: Callable[..., object]) -> Callable[..., object]:
        def call(*arguments: object, **named: object) -> object:
            made[0] += 1
            if made[0] == failing:
                raise OSError(number, os.strerror(number))
            return true(*arguments, **named)

        return call

    for name in ("open", "fdopen", "fsync", "fchmod", "fchown"):
        patched.setattr(disk.os, name, wrapped(getattr(os, name)))
    for name in ("stat", "is_symlink", "replace"):
        patched.setattr(Path, name, wrapped(getattr(Path, name)))
    return made
