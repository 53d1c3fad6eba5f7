"""A consultation of an older catalogue: what has changed since, for the entries it uses."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from catalog.catalog import Catalog
from catalog.diff import Change, about, diff
from catalog.load import load_catalog
from catalog.versions import find_version


@dataclass(frozen=True, slots=True)
class Recomputed:
    """Both versions, and what differs. `changes` None: the older catalogue is not kept here."""

    then: str
    now: str
    changes: tuple[Change, ...] | None


def changes_since(
    version: str, current: Catalog, user_folder: Path | None, item_ids: Iterable[str] = ()
) -> Recomputed | None:
    """What changed since a recorded version, for these ids or for all; None when it is the version in use."""
    if not version or version == current.version:
        return None
    folder = find_version(version, user_folder)
    if folder is None:
        return Recomputed(version, current.version, None)
    changes = diff(load_catalog(user_folder, data_folder=folder), current)
    wanted = tuple(item_ids)
    return Recomputed(version, current.version, about(changes, wanted) if wanted else changes)
