"""A consultation of an older catalogue: what has changed since, for the entries it uses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from catalog.catalog import Catalog
from catalog.diff import Change, about, diff
from catalog.load import load_catalog
from catalog.versions import find_version
from engine.plan.types import Plan, Recommendation


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
    older = older_catalog(version, user_folder)
    if older is None:
        return Recomputed(version, current.version, None)
    changes = diff(older, current)
    wanted = tuple(item_ids)
    return Recomputed(version, current.version, about(changes, wanted) if wanted else changes)


def older_catalog(version: str, user_folder: Path | None) -> Catalog | None:
    """The catalogue of a recorded version with today's own entries; None when it is not kept here."""
    folder = find_version(version, user_folder)
    return None if folder is None else load_catalog(user_folder, data_folder=folder)


def used_ids(*recommendations: Recommendation | None) -> frozenset[str]:
    """The ids of what recommendations name: models, cards, machines, and everything that is priced."""
    return frozenset(item_id for made in recommendations if made is not None for item_id in _used(made))


def _used(made: Recommendation) -> Iterator[str]:
    for workload in made.scenario.workloads:
        yield workload.model.id
    for served in made.scenario.serving:
        yield served.setup.model.id
    for plan in (made.chosen, *made.alternatives):
        if plan is not None:
            yield from _of_plan(plan)


def _of_plan(plan: Plan) -> Iterator[str]:
    yield plan.card.id
    yield plan.system.id
    for position in plan.price.positions:
        yield position.item_id
