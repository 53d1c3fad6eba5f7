"""The nearest published measurements, and how far they may move a computed figure.

Measurements of the same card, number format and kind of model say by which factor the formula missed there. The factor
is taken from the group of measurements that is most akin (model, engine, split) and does not depend on load or lengths,
so that a longer prompt or more users can never come out faster.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log

from engine.serving.facts import Anchor
from engine.serving.formats import ComputeClass
from engine.serving.types import ServingEngine

TRUST = 0.5  # of the factor taken over from the same model, engine and split
REACH = 0.3  # kinship over which the trust falls to a third
FARTHEST = 1.2  # beyond it a figure is computed, not scaled
SAME = 0.05  # closer than this, lengths and users included, it is the measured setup itself

_OTHER_MODEL = 0.1
_OTHER_ENGINE = 0.5
_SIZE = 0.3
_SPLIT = 0.36  # per factor of e in ranks or stages
_LENGTH = 0.15
_USERS = 0.2
_SHORTEST = 16  # tokens: shorter prompts differ in nothing that matters


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked, in the terms of an anchor."""

    model: str
    parameters: int
    active_parameters: int
    experts: bool
    compute: ComputeClass
    engine: ServingEngine
    prompt: int
    output: int
    offline: bool
    users: float  # per copy
    tensor: int
    pipeline: int


@dataclass(frozen=True, slots=True)
class Nearest:
    """The measurement to name beside a figure, and what its group does to it."""

    anchor: Anchor
    kinship: float  # of the group; 0: the same model, engine and split
    distance: float  # of the named one, lengths and users included
    factor: float  # on the computed rate

    @property
    def same_setup(self) -> bool:
        """Whether the very setup was measured."""
        return self.distance <= SAME


def comparable(anchor: Anchor, query: Query) -> bool:
    """Whether the same kernels are at work: number format and kind of model."""
    return anchor.compute is query.compute and anchor.experts == query.experts


def kinship(anchor: Anchor, query: Query) -> float:
    """How unlike model, engine and split are: 0 for the same."""
    total = 0.0
    if anchor.model != query.model:
        sizes = abs(log(anchor.parameters / query.parameters)) + abs(
            log(anchor.active_parameters / query.active_parameters)
        )
        total += _OTHER_MODEL + _SIZE * sizes
    if anchor.engine is not query.engine:
        total += _OTHER_ENGINE
    return total + _SPLIT * (abs(log(anchor.tensor / query.tensor)) + abs(log(anchor.pipeline / query.pipeline)))


def unlikeness(anchor: Anchor, query: Query) -> float:
    """How unlike lengths and users are: 0 for the same."""
    prompts = max(anchor.prompt, _SHORTEST) / max(query.prompt, _SHORTEST)
    lengths = abs(log(prompts)) + abs(log(anchor.output / query.output))
    return _LENGTH * lengths + _USERS * abs(log(anchor.users / query.users))


@dataclass(frozen=True, slots=True)
class Kin:
    """The most akin group of measurements on a card."""

    group: tuple[Anchor, ...]
    kinship: float
    factor: float  # on the computed rate

    def nearest(self, query: Query) -> Nearest:
        """The most alike measurement of the group."""
        named = min(self.group, key=lambda anchor: unlikeness(anchor, query))
        return Nearest(named, self.kinship, self.kinship + unlikeness(named, query), self.factor)


def kin_of(anchors: Sequence[Anchor], query: Query) -> Kin | None:
    """The most akin group within reach; None when there is none. Does not depend on the query's lengths and users."""
    least = FARTHEST
    group: list[Anchor] = []
    for anchor in anchors:
        if not comparable(anchor, query):
            continue
        away = kinship(anchor, query)
        if away < least:
            least, group = away, [anchor]
        elif away == least:
            group.append(anchor)
    if not group:
        return None
    mean = sum(log(anchor.ratio) for anchor in group) / len(group)
    return Kin(tuple(group), least, exp(mean * TRUST * exp(-least / REACH)))


_KIN: dict[tuple[object, ...], tuple[Sequence[Anchor], Kin | None]] = {}
_REMEMBERED = 2048


def nearest(anchors: Sequence[Anchor], query: Query) -> Nearest | None:
    """The measurement to name for a query; None when nothing within reach was measured.

    The group is remembered by the identity of the anchors, which are kept beside it so that none is used twice.
    """
    key = (id(anchors), query.model, query.parameters, query.compute, query.engine, query.tensor, query.pipeline)
    known = _KIN.get(key)
    if known is None or known[0] is not anchors:
        if len(_KIN) >= _REMEMBERED:
            _KIN.clear()
        known = (anchors, kin_of(anchors, query))
        _KIN[key] = known
    return None if known[1] is None else known[1].nearest(query)
