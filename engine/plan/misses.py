"""The order of what was turned away: the nearest miss first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.plan.nearly import shortfall
from engine.plan.types import Rejection
from engine.reasons import ReasonCode

SIZED = 0  # the first part of a distance: what was sized, and then rejected
NO_MISS = 1  # it carries everything, but fewer cards do so as well


def nearest_first(unsized: Sequence[Rejection], judged: Iterable[Rejection]) -> tuple[Rejection, ...]:
    """All of them in order. `unsized` are in order already, and none of them has been sized."""
    near = sorted(((distance(rejection), place, rejection) for place, rejection in enumerate(judged)))
    sized = [rejection for far, _, rejection in near if far[0] == SIZED]
    others = [rejection for far, _, rejection in near if far[0] != SIZED]
    return (*sized, *(sorted([*unsized, *others], key=distance) if others else unsized))


def distance(rejection: Rejection) -> tuple[int, float, str, int, str]:
    """Sized and too small, then larger than needed, then turned away by place or machine, then the card itself, then
    never listed.

    Among the sized ones the least need over its limit comes first.
    """
    code = rejection.reasons[0].code
    if code is ReasonCode.NOT_LISTED:
        step = 4
    elif rejection.system is None:
        step = 3
    elif code is ReasonCode.DOMINATED:
        step = NO_MISS
    else:
        step = SIZED if rejection.placements else 2
    beyond = round(shortfall(rejection), 3) if step == SIZED else 0.0
    return step, beyond, rejection.card.id, rejection.cards, "" if rejection.system is None else rejection.system.id
