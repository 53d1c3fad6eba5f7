"""Update packages: one signed file that carries a new bundled catalogue.

The file is JSON: `payload` (base64 of a JSON object with version and files), `signature` (Ed25519 over those bytes) and
`key` (the signer's fingerprint, never the key itself). Only publishers the user or the program trusts count, see
`catalog.keys`. Applying writes the catalogue into the user's data folder and switches to it in one step; the one before
stays for the way back.
"""

from __future__ import annotations

import base64
import json
import re
import shutil
from binascii import Error as Base64Error
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from catalog.catalog import Catalog
from catalog.compiled import Uncached
from catalog.diff import Change, diff
from catalog.disk import disk_error, make_folder, worded, write_atomically
from catalog.findings import Level
from catalog.integrity import check
from catalog.keys import Publisher, fingerprint, grouped
from catalog.load import load_catalog
from catalog.versions import (
    CARRIED,
    FOLDER,
    active_data_folder,
    applied_versions,
    folder_of,
    is_version,
    order,
    set_applied,
    version_in,
)
from engine.errors import PassformError

FORMAT = 1
MAX_BYTES = 12_000_000
SUFFIX = ".passform-update"
_FINGERPRINT = re.compile(r"[0-9a-f]{32}")


class UpdateError(PassformError):
    """An update package is refused; the message says why."""


@dataclass(frozen=True, slots=True)
class Package:
    """A verified package: who signed it, which version it carries, and its files as text."""

    version: str
    signer: str
    files: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class UpdatePreview:
    """What a package would change."""

    package: Package
    catalog: Catalog
    changes: tuple[Change, ...]


def unpack_current(user_folder: Path, target: Path) -> str:
    """Write the files of the catalogue in use into a new folder, to be changed and signed; names its version.

    Own entries stay out: they belong to one user. Raises `UpdateError` when the folder is there already,
    `DiskError` when it cannot be made.
    """
    source = active_data_folder(user_folder)
    try:
        target.mkdir(parents=True)
    except FileExistsError as error:
        raise UpdateError("{file} exists already; choose a new folder.", file=target.name) from error
    except OSError as error:
        raise disk_error(error, target) from error
    for name in CARRIED:
        write_atomically((source / name).read_bytes(), target / name)
    return version_in(source)


def build(data_folder: Path, key: Ed25519PrivateKey) -> bytes:
    """A signed package of a catalogue folder. Raises `UpdateError` when files are missing or it is not clean."""
    missing = [name for name in CARRIED if not (data_folder / name).is_file()]
    if missing:
        raise UpdateError("{folder} holds no whole catalogue: {file} is missing.", folder=data_folder, file=missing[0])
    catalog = load_catalog(data_folder=data_folder, store=Uncached())
    _refuse_unclean(catalog)
    payload = json.dumps(
        {
            "version": catalog.version,
            "files": {name: (data_folder / name).read_text(encoding="utf-8") for name in CARRIED},
        },
        ensure_ascii=False,
        sort_keys=True,
    ).encode("utf-8")
    wrapped = {
        "passform_update": FORMAT,
        "payload": base64.b64encode(payload).decode("ascii"),
        "signature": base64.b64encode(key.sign(payload)).decode("ascii"),
        "key": fingerprint(key.public_key()),
    }
    return json.dumps(wrapped, indent=1).encode("ascii")


def verify(path: Path, keys: Mapping[str, Publisher]) -> Package:
    """Check size, form, signature and content. `keys`: who is trusted. Raises `UpdateError` with the reason."""
    wrapped = _wrapped(path)
    payload, signature = _base64(wrapped, "payload"), _base64(wrapped, "signature")
    stated = str(wrapped.get("key", ""))
    known = keys.get(stated)
    if known is None:
        named = grouped(stated) if _FINGERPRINT.fullmatch(stated) else "?"
        raise UpdateError(
            "The package is signed by a key that is not trusted here; its fingerprint is said to be {fingerprint}.",
            fingerprint=named,
        )
    try:
        known.key.verify(signature, payload)
    except InvalidSignature as error:
        raise UpdateError("The signature does not match: the package was changed or damaged.") from error
    return _package(payload, known.name)


def preview(package: Package, current: Catalog, user_folder: Path, *, allow_older: bool = False) -> UpdatePreview:
    """The package's catalogue and what it changes. Raises `UpdateError` when it is older, or not clean."""
    if not allow_older and order(package.version) <= order(current.version):
        raise UpdateError(
            "The package carries the catalogue of {version}; the one in use is of {current}.",
            version=package.version,
            current=current.version,
        )
    unpacked = _unpack(package, user_folder)
    try:
        catalog = load_catalog(data_folder=unpacked, store=Uncached())
        _refuse_unclean(catalog)
        if catalog.version != package.version:
            raise UpdateError("The package calls itself {version} and carries another one.", version=package.version)
    finally:
        shutil.rmtree(unpacked, ignore_errors=True)
    return UpdatePreview(package, catalog, diff(current, catalog))


def apply(package: Package, user_folder: Path) -> Path:
    """Put the package's catalogue into the user's folder and switch to it in one step. Raises `DiskError`."""
    target = folder_of(package.version, user_folder)
    unpacked = _unpack(package, user_folder)
    try:
        if target.exists():
            shutil.rmtree(target)
        unpacked.rename(target)
    except OSError as error:
        shutil.rmtree(unpacked, ignore_errors=True)
        raise disk_error(error, target) from error
    earlier = [version for version in applied_versions(user_folder) if version != package.version]
    set_applied(user_folder, [*earlier, package.version])
    return target


def revert(user_folder: Path) -> str:
    """Go back to the catalogue before the last update; names its version, empty for the bundled one."""
    earlier = applied_versions(user_folder)[:-1]
    set_applied(user_folder, earlier)
    return earlier[-1] if earlier else ""


def _wrapped(path: Path) -> dict[str, Any]:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise UpdateError("{file} is larger than an update can be.", file=path.name)
        raw = json.loads(path.read_bytes())
    except OSError as error:
        raise UpdateError(
            "{file}: cannot be read: {problem}.", file=path.name, problem=error.strerror or str(error)
        ) from error
    except (ValueError, RecursionError) as error:
        raise UpdateError("{file} is no update package.", file=path.name) from error
    if not isinstance(raw, dict) or "passform_update" not in raw:
        raise UpdateError("{file} is no update package.", file=path.name)
    if raw["passform_update"] != FORMAT:
        raise UpdateError("The package needs a newer Passform.")
    if not raw.get("signature"):
        raise UpdateError("The package is not signed.")
    return raw


def _base64(wrapped: Mapping[str, Any], name: str) -> bytes:
    try:
        return base64.b64decode(str(wrapped.get(name, "")), validate=True)
    except (Base64Error, ValueError) as error:
        raise UpdateError("The package is damaged: {part}.", part=name) from error


def _package(payload: bytes, signer: str) -> Package:
    try:
        content = json.loads(payload)
        version, files = content["version"], content["files"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise UpdateError("The package is damaged: {part}.", part="payload") from error
    if not isinstance(version, str) or not is_version(version) or not isinstance(files, dict):
        raise UpdateError("The package is damaged: {part}.", part="version")
    if set(files) != set(CARRIED) or not all(isinstance(text, str) for text in files.values()):
        raise UpdateError("The package carries other files than a catalogue has.")
    return Package(version, signer, files)


def _unpack(package: Package, user_folder: Path) -> Path:
    """Write the files into a new folder beside the target, on the same disk. Names were checked before."""
    parent = user_folder / FOLDER
    make_folder(parent)
    with worded(parent):
        folder = Path(mkdtemp(dir=parent, prefix=".new-"))
    try:
        for name, text in package.files.items():
            write_atomically(text.encode("utf-8"), folder / name)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return folder


def _refuse_unclean(catalog: Catalog) -> None:
    day = date.fromisoformat(catalog.version[:10])
    wrong = [finding for finding in check(catalog, day) if finding.level is Level.ERROR]
    if wrong:
        raise UpdateError("The catalogue in the package is not clean: {problem}", problem=wrong[0].located())
