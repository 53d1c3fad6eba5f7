"""Which catalogue is in use: the one the program carries, or a newer one from an update package."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

from catalog.disk import make_folder, write_atomically

DATA_FOLDER = Path(__file__).parent / "data"
CARRIED = (
    "sources.yaml",
    "cards.yaml",
    "systems.yaml",
    "items.yaml",
    "prices.yaml",
    "exchange_rates.yaml",
    "rules.yaml",
    "models.yaml",
    "cloud_offers.yaml",
    "economics.yaml",
)
"""The files of a catalogue; update packages carry exactly these."""

FOLDER = "catalogues"
POINTER = "current.json"
_VERSION = re.compile(r"^\d{4}-\d{2}-\d{2}(\.\d{1,3})?$")
_STATED = re.compile(r'^version: "([^"]+)"', re.MULTILINE)


def is_version(text: str) -> bool:
    """A date, with a number when a day has more than one catalogue."""
    return _VERSION.match(text) is not None


def order(version: str) -> tuple[str, int]:
    """Sorting key of a version."""
    day, _, number = version.partition(".")
    return day, int(number or 0)


def version_in(data_folder: Path) -> str:
    """The version a catalogue folder states; empty when it states none."""
    try:
        found = _STATED.search((data_folder / "rules.yaml").read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        return ""
    return "" if found is None else found.group(1)


def folder_of(version: str, user_folder: Path) -> Path:
    """Where an applied catalogue lies."""
    return user_folder / FOLDER / version


def active_data_folder(user_folder: Path | None) -> Path:
    """The catalogue in use: the applied update, unless the program itself carries the same or a newer one."""
    applied = () if user_folder is None else applied_versions(user_folder)
    if not applied or user_folder is None:
        return DATA_FOLDER
    folder = folder_of(applied[-1], user_folder)
    return folder if order(applied[-1]) > order(version_in(DATA_FOLDER)) and _is_whole(folder) else DATA_FOLDER


def find_version(version: str, user_folder: Path | None) -> Path | None:
    """Where the catalogue of a version lies, to compare with it; None when it is not kept."""
    if version == version_in(DATA_FOLDER):
        return DATA_FOLDER
    if user_folder is None or not is_version(version):
        return None
    folder = folder_of(version, user_folder)
    return folder if _is_whole(folder) else None


def applied_versions(user_folder: Path) -> tuple[str, ...]:
    """The applied updates, the one in use last."""
    try:
        raw = json.loads((user_folder / FOLDER / POINTER).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return ()
    versions = raw.get("applied") if isinstance(raw, dict) else None
    if not isinstance(versions, list):
        return ()
    return tuple(version for version in versions if isinstance(version, str) and is_version(version))


def set_applied(user_folder: Path, versions: Sequence[str]) -> None:
    """Switch to the last of these versions, in one step. Raises `DiskError`."""
    text = json.dumps({"applied": list(versions)})
    make_folder(user_folder / FOLDER)
    write_atomically(text.encode("ascii"), user_folder / FOLDER / POINTER)


def _is_whole(folder: Path) -> bool:
    try:
        return all((folder / name).is_file() for name in CARRIED)
    except OSError:  # a folder that cannot be looked into is no catalogue to work with
        return False
