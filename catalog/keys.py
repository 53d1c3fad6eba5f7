"""Publishers' keys: made by whoever publishes catalogues, trusted on purpose by whoever uses them.

The private key stays with the publisher (PEM, readable by its owner only, with a passphrase when one is given). The
public key travels as a small `.passform-key` file that names the publisher. A machine trusts it only after a person
has compared its fingerprint; packages carry no key, so nobody can be trusted through the package itself.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    KeySerializationEncryption,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)
from pydantic import BaseModel, ConfigDict, Field, field_validator

from catalog.disk import disk_error, worded, write_atomically
from catalog.exclusive import alone
from catalog.text_files import is_given
from catalog.validated import validated
from catalog.yaml_nodes import FileFormatError, parse
from engine.errors import PassformError

KEYS_FILE = "trusted_keys.yaml"
PUBLIC_SUFFIX = ".passform-key"
MAX_BYTES = 100_000
DIGITS = 32  # of a fingerprint: 128 bits, more than anybody can search through
GROUP = 4


class KeyFileError(PassformError):
    """A key cannot be read, made, trusted or removed; the message says why."""


@dataclass(frozen=True, slots=True)
class Publisher:
    """A public key and whose it is. `trusted` is the day it was trusted here; None for one that is not, or bundled."""

    name: str
    key: Ed25519PublicKey
    created: date | None = None
    trusted: date | None = None
    bundled: bool = False

    @property
    def fingerprint(self) -> str:
        """The key's short name, to be compared."""
        return fingerprint(self.key)


def fingerprint(key: Ed25519PublicKey) -> str:
    """Short name of a key: the first 32 hex digits of its SHA-256."""
    return hashlib.sha256(key.public_bytes(Encoding.Raw, PublicFormat.Raw)).hexdigest()[:DIGITS]


def grouped(text: str) -> str:
    """A fingerprint in groups of four, as people read it to one another."""
    return " ".join(text[start : start + GROUP] for start in range(0, len(text), GROUP))


def same_fingerprint(typed: str, wanted: str) -> bool:
    """Whether what a person typed is the fingerprint; blanks, colons and capitals do not matter."""
    return re.sub(r"[\s:-]", "", typed).casefold() == wanted


def create_key(private_path: Path, name: str, created: date, passphrase: str = "") -> tuple[Publisher, Path]:
    """Make a key pair: the private key at `private_path`, the public one beside it. Returns the latter and its path.

    Raises `KeyFileError` where a file exists already, so that no key is ever overwritten, and `DiskError`.
    """
    key = Ed25519PrivateKey.generate()
    publisher = Publisher(_checked_name(name), key.public_key(), created)
    public_path = private_path.with_suffix(PUBLIC_SUFFIX)
    if public_path == private_path:
        raise KeyFileError("The private key needs a name that does not end in {suffix}.", suffix=PUBLIC_SUFFIX)
    for path in (private_path, public_path):
        with worded(path):
            exists = path.exists()
        if exists:
            raise KeyFileError("{file} exists already; a key is never overwritten.", file=path.name)
    hidden: KeySerializationEncryption = NoEncryption()
    if passphrase:
        hidden = BestAvailableEncryption(passphrase.encode())
    _write_secret(private_path, key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, hidden))
    write_atomically(_dumped({"passform_key": 1, **_fields(publisher)}), public_path)
    return publisher, public_path


def read_private(path: Path, passphrase: str = "") -> Ed25519PrivateKey:
    """A publisher's private key. Raises `KeyFileError`, `PassphraseError` when it needs another passphrase."""
    content = _content(path)
    try:
        key = load_pem_private_key(content, passphrase.encode() if passphrase else None)
    except TypeError as error:  # encrypted without a passphrase given, or the other way round
        raise PassphraseError("{file}: the private key needs a passphrase, or has none.", file=path.name) from error
    except (ValueError, UnsupportedAlgorithm) as error:
        if b"ENCRYPTED" in content and passphrase:
            raise PassphraseError("{file}: the passphrase does not fit.", file=path.name) from error
        raise KeyFileError("{file} holds no private key.", file=path.name) from error
    if not isinstance(key, Ed25519PrivateKey):
        raise KeyFileError("{file} holds no private key.", file=path.name)
    return key


class PassphraseError(KeyFileError):
    """The private key is protected by another passphrase, or by none."""


def needs_passphrase(path: Path) -> bool:
    """Whether a private key is protected. Raises `KeyFileError` when it cannot be read."""
    return b"BEGIN ENCRYPTED" in _content(path)


def read_public(path: Path) -> Publisher:
    """The publisher of a `.passform-key` file. Raises `KeyFileError`, or `FileFormatError` with line and field."""
    try:
        text = _content(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise KeyFileError("{file} is no public key of a publisher.", file=path.name) from error
    if "PRIVATE KEY" in text:
        raise KeyFileError(
            "{file} is a private key. It stays with the publisher; ask for the file that ends in {suffix}.",
            file=path.name,
            suffix=PUBLIC_SUFFIX,
        )
    row = validated(PublicKeyRow, parse(text, path.name))
    return Publisher(_checked_name(row.name), _public(row.public), row.created)


def trusted_keys(bundled: Path, user_folder: Path | None = None) -> dict[str, Publisher]:
    """Who is trusted, by fingerprint: bundled first, then the user's. Raises `KeyFileError` for a damaged list."""
    own = [] if user_folder is None else _listed(user_folder, bundled=False)
    found: dict[str, Publisher] = {}
    for publisher in (*_listed(bundled, bundled=True), *own):
        found.setdefault(publisher.fingerprint, publisher)
    return found


@alone
def trust(user_folder: Path, publisher: Publisher, typed: str, today: date, bundled: Path) -> None:
    """Trust a publisher whose fingerprint a person has compared and typed. Raises `KeyFileError`."""
    known = trusted_keys(bundled, user_folder)
    if not same_fingerprint(typed, publisher.fingerprint):
        raise KeyFileError("The fingerprint is another one, so the key is not trusted. Ask the publisher again.")
    if publisher.fingerprint in known:
        raise KeyFileError("{name} is trusted already.", name=publisher.name)
    if any(other.name.casefold() == publisher.name.casefold() for other in known.values()):
        raise KeyFileError(
            "Another key of {name} is trusted. Remove it first, if the publisher confirms the new one.",
            name=publisher.name,
        )
    row = {**_fields(publisher), "trusted": today.isoformat()}
    _write_list(user_folder, [*_rows(_listed(user_folder, bundled=False)), row])


@alone
def distrust(user_folder: Path, typed: str, bundled: Path) -> Publisher:
    """Trust a publisher no longer. Raises `KeyFileError` for one that is not trusted here, or bundled."""
    known = trusted_keys(bundled, user_folder)
    wanted = next((key for key in known if same_fingerprint(typed, key)), None)
    if wanted is None:
        raise KeyFileError("No trusted key has this fingerprint.")
    if known[wanted].bundled:
        raise KeyFileError("The key of {name} comes with the program and stays.", name=known[wanted].name)
    kept = [other for other in _listed(user_folder, bundled=False) if other.fingerprint != wanted]
    _write_list(user_folder, _rows(kept))
    return known[wanted]


class _Row(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Annotated[str, Field(min_length=1, max_length=120)]
    public: Annotated[str, Field(max_length=60)]
    created: date | None = None

    @field_validator("public")
    @classmethod
    def _is_a_key(cls, text: str) -> str:
        _public(text)
        return text


class PublicKeyRow(_Row):
    """A `.passform-key` file: a publisher's public key, base64 of its 32 bytes."""

    passform_key: Literal[1]


class _TrustedRow(_Row):
    trusted: date | None = None


class TrustedKeysFile(BaseModel):
    """`trusted_keys.yaml`: the publishers whose update packages are accepted."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    schema_number: Annotated[Literal[1], Field(alias="schema")] = 1
    keys: tuple[_TrustedRow, ...] = ()


def _listed(folder: Path, *, bundled: bool) -> list[Publisher]:
    path = folder / KEYS_FILE
    if not is_given(path):
        return []
    try:
        file = validated(TrustedKeysFile, parse(_content(path).decode("utf-8-sig"), path.name))
    except (FileFormatError, UnicodeDecodeError) as error:
        raise KeyFileError("{file}: the list of trusted keys is damaged.", file=path.name) from error
    return [Publisher(row.name, _public(row.public), row.created, row.trusted, bundled) for row in file.keys]


def _rows(publishers: Iterable[Publisher]) -> list[dict[str, str]]:
    return [
        _fields(publisher) | ({} if publisher.trusted is None else {"trusted": publisher.trusted.isoformat()})
        for publisher in publishers
    ]


def _fields(publisher: Publisher) -> dict[str, str]:
    raw = publisher.key.public_bytes(Encoding.Raw, PublicFormat.Raw)
    fields = {"name": publisher.name, "public": base64.b64encode(raw).decode("ascii")}
    return fields if publisher.created is None else {**fields, "created": publisher.created.isoformat()}


def _write_list(user_folder: Path, rows: list[dict[str, str]]) -> None:
    write_atomically(_dumped({"schema": 1, "keys": rows}), user_folder / KEYS_FILE)


def _dumped(fields: dict[str, Any]) -> bytes:
    return yaml.dump(fields, Dumper=yaml.CSafeDumper, allow_unicode=True, sort_keys=False, width=120).encode("utf-8")


def _public(text: str) -> Ed25519PublicKey:
    """Raises ValueError for anything but 32 bytes in base64."""
    return Ed25519PublicKey.from_public_bytes(base64.b64decode(text, validate=True))


def _checked_name(name: str) -> str:
    """A name in one line without control signs, so that what is shown is what is stored."""
    plain = " ".join("".join(sign if sign.isprintable() else " " for sign in name).split())
    if not plain or len(plain) > 120:
        raise KeyFileError("A key needs the name of its publisher, of at most 120 characters.")
    return plain


def _content(path: Path) -> bytes:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise KeyFileError("{file} is larger than a key can be.", file=path.name)
        return path.read_bytes()
    except OSError as error:
        raise KeyFileError(
            "{file}: cannot be read: {problem}.", file=path.name, problem=error.strerror or str(error)
        ) from error


def _write_secret(path: Path, content: bytes) -> None:
    """A new file that only its owner may read, from its first moment on."""
    made = False
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        made = True
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as error:
        if made:
            with suppress(OSError):
                path.unlink()
        raise disk_error(error, path) from error
