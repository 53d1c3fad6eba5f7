"""What a power limit costs: the edition's own measured table, never the ratio of the watts of another edition."""

from __future__ import annotations

from bisect import bisect_left

from engine.hardware import Card
from engine.speed.types import PowerPoint, PowerTable, SpeedFacts, SpeedNote


def power_factor(card: Card, cap_w: int | None, facts: SpeedFacts) -> tuple[float, SpeedNote | None]:
    """Matrix rate at a cap over the rate at the card's full power; memory bandwidth is not affected.

    Without a sweep of the edition the table of a sister edition is read at the same share of full power, and without
    any the rate is taken as proportional to the watts (the measured Workstation Edition is close to that: 0.55 at half
    its power). Both are remarked on.
    """
    full_w = card.power_w.value
    if cap_w is None or cap_w >= full_w:
        return 1.0, None
    own = facts.power.get(card.id)
    if own is not None:
        note = SpeedNote.POWER_BELOW_TABLE if cap_w < own.points[0].limit_w else None
        return _interpolate(own.points, cap_w), note
    sister = _sister_table(card, facts)
    if sister is not None:
        watts = cap_w / full_w * sister.points[-1].limit_w
        return _interpolate(sister.points, watts), SpeedNote.POWER_TABLE_BORROWED
    return cap_w / full_w, SpeedNote.POWER_TABLE_BORROWED


def _sister_table(card: Card, facts: SpeedFacts) -> PowerTable | None:
    """The longest sweep of another edition with the same architecture."""
    sweeps = sorted(facts.power.values(), key=lambda table: (-len(table.points), table.card_id))
    return next((table for table in sweeps if table.architecture == card.architecture), None)


def _interpolate(points: tuple[PowerPoint, ...], watts: float) -> float:
    """Straight line between neighbours; below the table in proportion to the watts of its first point."""
    first = points[0]
    if watts <= first.limit_w:
        return first.relative_rate * watts / first.limit_w
    at = bisect_left(points, watts, key=lambda point: point.limit_w)
    if at >= len(points):
        return points[-1].relative_rate
    low, high = points[at - 1], points[at]
    share = (watts - low.limit_w) / (high.limit_w - low.limit_w)
    return low.relative_rate + share * (high.relative_rate - low.relative_rate)
