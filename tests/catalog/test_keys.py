"""Publishers' keys: made, signed with, trusted on purpose, and removed again."""

from __future__ import annotations

import errno
import io
import json
import os
import stat
import sys
from datetime import date
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from catalog import keys, listing, updates
from catalog.commands import catalogue, catalogue_files, catalogue_keys
from catalog.disk import DiskError
from catalog.keys import KeyFileError, PassphraseError
from catalog.load import load_catalog
from catalog.updates import UpdateError
from catalog.versions import DATA_FOLDER
from engine.errors import PassformError
from engine.wording.translator import Language
from main import main
from resources import translations

DAY = date(2026, 11, 30)
VIEW = listing.View(translations("en"), Language.EN, "EUR", DAY)


def made(folder: Path, name: str = "House of Cards GmbH", passphrase: str = "") -> tuple[keys.Publisher, Path, Path]:
    """A publisher with private and public key in a new folder."""
    folder.mkdir()
    publisher, public = keys.create_key(folder / "key.pem", name, DAY, passphrase)
    return publisher, folder / "key.pem", public


def trusted(folder: Path, publisher: keys.Publisher) -> Path:
    user = folder / "user"
    keys.trust(user, publisher, publisher.fingerprint, DAY, DATA_FOLDER)
    return user


def run(
    user: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: object
) -> tuple[int, str]:
    monkeypatch.setenv("PASSFORM_DATA", str(user))
    monkeypatch.setattr(catalogue, "today", lambda: DAY)
    code = main(["--language", "en", "catalog", *map(str, words)])
    shown = capsys.readouterr()
    return code, shown.out + shown.err


def test_that_a_package_is_refused_before_trust_accepted_after_and_refused_again_without_the_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The way of a seller's administrator and of a colleague, by the command line alone."""
    user, data, package = tmp_path / "user", tmp_path / "data", tmp_path / f"new{updates.SUFFIX}"

    def passform(*words: object) -> tuple[int, str]:
        return run(user, monkeypatch, capsys, *words)

    assert passform("key", tmp_path / "house.pem", "--name", "House")[0] == 0
    assert passform("unpack", data)[0] == 0
    rules = data / "rules.yaml"
    rules.write_text(rules.read_text(encoding="utf-8").replace('"2026-11-30"', '"2026-12-24"', 1), encoding="utf-8")
    assert passform("sign", data, "--key", tmp_path / "house.pem", "--output", package)[0] == 0

    code, said = passform("verify", package)
    assert (code, "not trusted here" in said) == (2, True)
    assert passform("keys") == (1, "Nobody is trusted, so every update package is refused.\n")

    code, said = passform("trust", tmp_path / "house.passform-key")
    mark = next(line.partition(": ")[2] for line in said.splitlines() if line.startswith("Fingerprint"))
    assert (code, "Not trusted yet" in said, len(mark.replace(" ", ""))) == (1, True, 32)
    assert passform("verify", package)[0] == 2  # looking at a key does not trust it
    assert passform("trust", tmp_path / "house.passform-key", "--fingerprint", "0" * 32)[0] == 2
    assert passform("verify", package)[0] == 2
    assert passform("trust", tmp_path / "house.passform-key", "--fingerprint", mark.upper())[0] == 0
    assert "House" in passform("keys")[1]

    code, said = passform("verify", package, "--apply")
    assert (code, "Signed by House, catalogue of 2026-12-24." in said) == (0, True)
    assert load_catalog(user).version == "2026-12-24"
    assert passform("revert")[0] == 0
    assert load_catalog(user).version == "2026-11-30"

    assert passform("distrust", mark)[0] == 0
    assert passform("verify", package, "--apply")[0] == 2
    assert load_catalog(user).version == "2026-11-30"


def test_that_the_private_key_is_readable_by_its_owner_only_and_never_overwritten(tmp_path: Path) -> None:
    _publisher, private, public = made(tmp_path / "house")
    if sys.platform != "win32":
        assert stat.S_IMODE(private.stat().st_mode) == 0o600
    before = private.read_bytes(), public.read_bytes()
    with pytest.raises(KeyFileError, match="never overwritten"):
        keys.create_key(private, "House", DAY)
    private.unlink()
    with pytest.raises(KeyFileError, match="never overwritten"):
        keys.create_key(private, "House", DAY)
    assert public.read_bytes() == before[1]
    assert b"PRIVATE" not in before[1]
    with pytest.raises(KeyFileError, match="does not end in"):
        keys.create_key(tmp_path / f"x{keys.PUBLIC_SUFFIX}", "House", DAY)
    with pytest.raises(DiskError, match="cannot be written"):
        keys.create_key(tmp_path / "nowhere" / "key.pem", "House", DAY)


def test_that_a_key_that_does_not_reach_the_disk_leaves_no_half_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DiskError, match="the disk is full"):
        keys.create_key(tmp_path / "key.pem", "House", DAY)
    assert list(tmp_path.iterdir()) == []


def test_that_a_private_key_of_another_kind_is_no_publishers(tmp_path: Path) -> None:
    other = ec.generate_private_key(ec.SECP256R1())
    path = tmp_path / "key.pem"
    path.write_bytes(other.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    with pytest.raises(KeyFileError, match="holds no private key"):
        keys.read_private(path)


def test_that_a_passphrase_protects_the_private_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _publisher, private, _public = made(tmp_path / "house", passphrase="Nachtigall 7")
    assert keys.needs_passphrase(private)
    for wrong in ("", "Lerche"):
        with pytest.raises(PassphraseError):
            keys.read_private(private, wrong)
    assert keys.read_private(private, "Nachtigall 7")
    typed = iter(["Nachtigall 7", "Nachtigal 7", "eins", "eins", "eins"])
    monkeypatch.setattr(catalogue_keys, "getpass", lambda _prompt: next(typed))
    with pytest.raises(PassphraseError, match="differ"):
        catalogue_keys.create(tmp_path / "a.pem", "A", VIEW, io.StringIO(), protect=True)
    assert not (tmp_path / "a.pem").exists()
    catalogue_keys.create(tmp_path / "a.pem", "A", VIEW, io.StringIO(), protect=True)
    package = tmp_path / f"a{updates.SUFFIX}"
    assert catalogue_keys.sign(DATA_FOLDER, tmp_path / "a.pem", package, VIEW, io.StringIO()) == 0
    assert b"PRIVATE" not in package.read_bytes()


def test_that_a_package_carries_no_key_to_be_trusted(tmp_path: Path) -> None:
    publisher, private, public = made(tmp_path / "house")
    package = updates.build(DATA_FOLDER, keys.read_private(private))
    told = public.read_text(encoding="utf-8").split("public: ")[1].split()[0].encode()
    assert told not in package
    assert json.loads(package)["key"] == publisher.fingerprint
    path = tmp_path / f"x{updates.SUFFIX}"
    path.write_bytes(package)
    with pytest.raises(KeyFileError):
        keys.read_public(path)


def test_that_a_private_key_is_not_taken_for_a_public_one(tmp_path: Path) -> None:
    _publisher, private, public = made(tmp_path / "house")
    with pytest.raises(KeyFileError, match="stays with the publisher"):
        keys.read_public(private)
    with pytest.raises(KeyFileError, match="no private key"):
        keys.read_private(public)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe\x00",
        b"passform_key: 2\nname: X\npublic: AAAA\n",
        b"passform_key: 1\nname: X\npublic: AAAA\n",
        b"passform_key: 1\nname: X\npublic: 'not base64!'\n",
        b"passform_key: 1\nname: ''\npublic: " + b"A" * 43 + b"=\n",
        b'passform_key: 1\nname: "\\u202E\\x07"\npublic: ' + b"A" * 43 + b"=\n",
        b"passform_key: 1\npublic: " + b"A" * 43 + b"=\n",
        b"- 1\n",
        b"x" * 200_000,
    ],
)
def test_that_a_damaged_public_key_is_refused_with_a_message(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.passform-key"
    path.write_bytes(content)
    with pytest.raises(PassformError) as caught:
        keys.read_public(path)
    assert str(caught.value)


def test_that_a_name_cannot_hide_signs(tmp_path: Path) -> None:
    publisher, _private, public = made(tmp_path / "house", "  Haus \u202e\x07 Nord\n")
    assert publisher.name == keys.read_public(public).name == "Haus Nord"


def test_that_a_key_is_trusted_once_and_a_name_belongs_to_one_key(tmp_path: Path) -> None:
    publisher, _private, _public = made(tmp_path / "one")
    user = trusted(tmp_path, publisher)
    with pytest.raises(KeyFileError, match="already"):
        keys.trust(user, publisher, publisher.fingerprint, DAY, DATA_FOLDER)
    other, _private, _public = made(tmp_path / "two", "HOUSE OF CARDS GmbH")
    with pytest.raises(KeyFileError, match="Another key"):
        keys.trust(user, other, other.fingerprint, DAY, DATA_FOLDER)
    assert list(keys.trusted_keys(DATA_FOLDER, user)) == [publisher.fingerprint]
    kept = keys.trusted_keys(DATA_FOLDER, user)[publisher.fingerprint]
    assert (kept.name, kept.created, kept.trusted, kept.bundled) == ("House of Cards GmbH", DAY, DAY, False)


def test_that_removing_one_key_leaves_the_others(tmp_path: Path) -> None:
    first, _private, _public = made(tmp_path / "one", "One")
    second, _private, _public = made(tmp_path / "two", "Two")
    user = trusted(tmp_path, first)
    keys.trust(user, second, keys.grouped(second.fingerprint), DAY, DATA_FOLDER)
    assert keys.distrust(user, first.fingerprint, DATA_FOLDER).name == "One"
    assert list(keys.trusted_keys(DATA_FOLDER, user)) == [second.fingerprint]
    with pytest.raises(KeyFileError, match="No trusted key"):
        keys.distrust(user, first.fingerprint, DATA_FOLDER)


def test_that_a_bundled_key_stays(tmp_path: Path) -> None:
    publisher, _private, _public = made(tmp_path / "house")
    program = trusted(tmp_path, publisher)  # as the program's own list would hold it
    with pytest.raises(KeyFileError, match="comes with the program"):
        keys.distrust(tmp_path / "nobody", publisher.fingerprint, program)
    bundled = keys.trusted_keys(program)[publisher.fingerprint]
    assert catalogue_keys.key_row(bundled, VIEW)[3] == "comes with the program"


@pytest.mark.parametrize(
    "text", ["keys:\n  - {name: Me, public: nonsense}\n", "keys: 5\n", "[", "keys:\n  - {name: Me}\n", "other: 1\n"]
)
def test_that_a_damaged_list_is_named_and_never_overwritten(tmp_path: Path, text: str) -> None:
    publisher, _private, _public = made(tmp_path / "house")
    user = tmp_path / "user"
    user.mkdir()
    (user / keys.KEYS_FILE).write_text(text, encoding="utf-8")
    for attempt in (
        lambda: keys.trusted_keys(DATA_FOLDER, user),
        lambda: keys.trust(user, publisher, publisher.fingerprint, DAY, DATA_FOLDER),
        lambda: keys.distrust(user, publisher.fingerprint, DATA_FOLDER),
    ):
        with pytest.raises(KeyFileError, match="damaged"):
            attempt()
    assert (user / keys.KEYS_FILE).read_text(encoding="utf-8") == text


def test_that_only_whole_catalogues_are_signed_and_copies_go_into_new_folders(tmp_path: Path) -> None:
    _publisher, private, _public = made(tmp_path / "house")
    (tmp_path / "empty").mkdir()
    with pytest.raises(UpdateError, match="no whole catalogue"):
        catalogue_keys.sign(tmp_path / "empty", private, tmp_path / "x", VIEW, io.StringIO())
    with pytest.raises(UpdateError, match="exists already"):
        updates.unpack_current(tmp_path / "user", tmp_path / "empty")
    assert updates.unpack_current(tmp_path / "user", tmp_path / "new") == "2026-11-30"
    assert load_catalog(data_folder=tmp_path / "new").facts.cards == load_catalog().facts.cards


def test_that_versions_are_compared_only_with_trusted_packages(tmp_path: Path) -> None:
    publisher, private, _public = made(tmp_path / "house")
    package = tmp_path / f"x{updates.SUFFIX}"
    package.write_bytes(updates.build(DATA_FOLDER, keys.read_private(private)))
    with pytest.raises(UpdateError, match=keys.grouped(publisher.fingerprint)):
        catalogue_files.compare(str(package), tmp_path / "user", VIEW, io.StringIO())
    user = trusted(tmp_path, publisher)
    assert catalogue_files.compare(str(package), user, VIEW, io.StringIO()) == 0
