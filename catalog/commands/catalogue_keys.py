"""`catalog key`, `unpack`, `sign`, `trust`, `keys`, `distrust`: publishing updates, and whom to accept them from."""

from __future__ import annotations

from getpass import getpass
from pathlib import Path
from typing import TextIO

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from catalog import keys, updates
from catalog.disk import write_atomically
from catalog.listing import Table, View
from catalog.versions import DATA_FOLDER
from engine.wording import numbers


def create(path: Path, name: str, view: View, out: TextIO, *, protect: bool) -> int:
    """Make a key pair. Raises `KeyFileError`."""
    tr = view.tr
    passphrase = ""
    if protect:
        passphrase = getpass(tr.gettext("Passphrase: "))
        if not passphrase or getpass(tr.gettext("Once more: ")) != passphrase:
            raise keys.PassphraseError("The two passphrases differ, or are empty; no key was made.")
    publisher, public_path = keys.create_key(path, name, view.as_of, passphrase)
    for line in (
        tr.gettext("Private key, to be kept secret: {file}").format(file=path),
        tr.gettext("Public key, to be given to your users: {file}").format(file=public_path),
        tr.gettext("Fingerprint, to be told by telephone or letter: {fingerprint}").format(
            fingerprint=keys.grouped(publisher.fingerprint)
        ),
    ):
        out.write(line + "\n")
    return 0


def unpack(folder: Path, user_folder: Path, view: View, out: TextIO) -> int:
    """Write the catalogue in use into a new folder, to be changed and signed. Raises `UpdateError`."""
    version = updates.unpack_current(user_folder, folder)
    text = view.tr.gettext(
        "The catalogue of {version} lies in {folder}. Raise its version in rules.yaml, then sign it."
    )
    out.write(text.format(version=version, folder=folder) + "\n")
    return 0


def sign(folder: Path, key_path: Path, output: Path, view: View, out: TextIO) -> int:
    """Sign a catalogue folder as an update package. Raises `UpdateError`, `KeyFileError`, `DiskError`."""
    key = _private(key_path, view)
    write_atomically(updates.build(folder, key), output)
    text = view.tr.gettext("Written: {file}").format(file=output)
    mark = keys.grouped(keys.fingerprint(key.public_key()))
    out.write(text + "\n" + view.tr.gettext("Signed with the key {fingerprint}.").format(fingerprint=mark) + "\n")
    return 0


def trust(path: Path, typed: str | None, user_folder: Path, view: View, out: TextIO) -> int:
    """Show a publisher's key; trust it when its fingerprint is typed, else 1. Raises `KeyFileError`."""
    tr = view.tr
    publisher = keys.read_public(path)
    out.write(tr.gettext("Publisher: {name}").format(name=publisher.name) + "\n")
    if publisher.created is not None:
        created = numbers.long_date(publisher.created, view.language)
        out.write(tr.gettext("Key made on: {date}").format(date=created) + "\n")
    out.write(tr.gettext("Fingerprint: {fingerprint}").format(fingerprint=keys.grouped(publisher.fingerprint)) + "\n")
    if typed is None:
        out.write(
            tr.gettext(
                "Not trusted yet. Have the publisher read the fingerprint to you by telephone or letter, "
                "not by the way the file came; then give it with --fingerprint."
            )
            + "\n"
        )
        return 1
    keys.trust(user_folder, publisher, typed, view.as_of, DATA_FOLDER)
    out.write(tr.gettext("Update packages of {name} are accepted from now on.").format(name=publisher.name) + "\n")
    return 0


def listed(user_folder: Path, view: View, out: TextIO) -> int:
    """Whose packages are accepted. 1 when nobody's. Raises `KeyFileError`."""
    tr = view.tr
    known = keys.trusted_keys(DATA_FOLDER, user_folder)
    if not known:
        out.write(tr.gettext("Nobody is trusted, so every update package is refused.") + "\n")
        return 1
    headings = (
        tr.gettext("Publisher"),
        tr.gettext("Fingerprint"),
        tr.gettext("Key made on"),
        tr.gettext("Trusted since"),
    )
    out.write(Table(headings, tuple(key_row(publisher, view) for publisher in known.values())).text() + "\n")
    return 0


def key_row(publisher: keys.Publisher, view: View) -> tuple[str, ...]:
    """Name, fingerprint, day of making, day of trusting."""
    created = "–" if publisher.created is None else numbers.long_date(publisher.created, view.language)
    trusted = "–" if publisher.trusted is None else numbers.long_date(publisher.trusted, view.language)
    since = view.tr.gettext("comes with the program") if publisher.bundled else trusted
    return publisher.name, keys.grouped(publisher.fingerprint), created, since


def distrust(typed: str, user_folder: Path, view: View, out: TextIO) -> int:
    """Accept a publisher's packages no longer. Raises `KeyFileError`."""
    gone = keys.distrust(user_folder, typed, DATA_FOLDER)
    text = view.tr.gettext(
        "Update packages of {name} are refused from now on. "
        "A catalogue already in use stays; `catalog revert` goes back."
    )
    out.write(text.format(name=gone.name) + "\n")
    return 0


def _private(path: Path, view: View) -> Ed25519PrivateKey:
    if not keys.needs_passphrase(path):
        return keys.read_private(path)
    return keys.read_private(path, getpass(view.tr.gettext("Passphrase: ")))
