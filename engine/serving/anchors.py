"""The nearest published measurement, and how far it may move a computed figure.

A measurement of the same card, number format and kind of model says by which factor the formula missed there. The
nearer it is to what is asked, the more of that factor is taken over.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import exp, log

from engine.serving.facts import Anchor
from engine.serving.formats import ComputeClass
from engine.serving.types import ServingEngine

TRUST = 0.7  # of the factor taken over at distance 0
REACH = 0.7  # distance over which the trust falls to a third
FARTHEST = 1.2  # beyond it a figure is computed, not scaled
SAME = 0.05  # closer than this it is the measured setup itself

_OTHER_MODEL = 0.1
_OTHER_ENGINE = 0.5
_OTHER_LOAD = 0.7  # queue instead of users in flight
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


def comparable(anchor: Anchor, query: Query) -> bool:
    """Whether the same kernels are at work: number format and kind of model."""
    return anchor.compute is query.compute and anchor.experts == query.experts


def distance(anchor: Anchor, query: Query) -> float:
    """How unlike two setups on one card are: 0 for the same, about 1 where little of the measurement still holds."""
    total = 0.0
    if anchor.model != query.model:
        sizes = abs(log(anchor.parameters / query.parameters)) + abs(
            log(anchor.active_parameters / query.active_parameters)
        )
        total += _OTHER_MODEL + _SIZE * sizes
    if anchor.engine is not query.engine:
        total += _OTHER_ENGINE
    if anchor.offline != query.offline:
        total += _OTHER_LOAD
    total += _SPLIT * (abs(log(anchor.tensor / query.tensor)) + abs(log(anchor.pipeline / query.pipeline)))
    prompts = max(anchor.prompt, _SHORTEST) / max(query.prompt, _SHORTEST)
    total += _LENGTH * (abs(log(prompts)) + abs(log(anchor.output / query.output)))
    return total + _USERS * abs(log(anchor.users / query.users))


def nearest(anchors: Iterable[Anchor], query: Query) -> tuple[Anchor, float] | None:
    """The most alike measurement within reach, and its distance; None when there is none."""
    best: tuple[Anchor, float] | None = None
    for anchor in anchors:
        if not comparable(anchor, query):
            continue
        away = distance(anchor, query)
        if away <= FARTHEST and (best is None or away < best[1]):
            best = (anchor, away)
    return best


def correction(anchor: Anchor, away: float) -> float:
    """The factor on the computed rate: the anchor's own miss, damped by distance."""
    return float(anchor.ratio ** (TRUST * exp(-away / REACH)))
