"""Plans that a smaller number of the same card in the same machine matches in everything: out, with the reason.

More cards can be slower than fewer: five cannot be bridged in pairs, seven divide no batch into equal parts. Nobody
should be offered them. The same cards in another machine only stand behind: who wants that machine may choose it.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.fit import SAFEST_FIRST, Verdict
from engine.plan.purchase import PriceClass
from engine.plan.rank import SAME_TIME_SHARE, Contender
from engine.plan.types import Placement, Plan, Rejection, ServingPlacement
from engine.plan.why import gaps_of, label, reads_alike
from engine.reasons import Reason, ReasonCode, reason
from engine.units import FloatBand


def without_dominated(ordered: Sequence[Contender]) -> tuple[list[Contender], list[Rejection]]:
    """What nothing dominates, in the order given, and the rest as rejections.

    Each rejection names the first in the order that dominates it, which itself is kept: no plan of the first list
    dominates another of it.
    """
    machines: dict[tuple[str, str], list[int]] = {}
    for place, contender in enumerate(ordered):
        machines.setdefault((contender.plan.card.id, contender.plan.system.id), []).append(place)
    better: dict[int, int] = {}
    for places in machines.values():
        kept: list[int] = []
        for place in sorted(places, key=lambda place: ordered[place].plan.cards):
            above = [other for other in kept if dominates(ordered[other], ordered[place])]
            if above:
                better[place] = min(above)
            else:
                kept.append(place)
    rest = [contender for place, contender in enumerate(ordered) if place not in better]
    return rest, [_rejected(ordered[place], ordered[other]) for place, other in sorted(better.items())]


def dominates(one: Contender, other: Contender) -> bool:
    """Whether fewer of the same card in the same machine are nowhere behind: safety, price, month, runs, serving.

    Times are compared at both ends of their bands and in between; closer than a percent they count as equal. Where a
    time is unknown nothing is said. Free memory beyond the asked headroom is no safety.
    """
    mine, theirs = one.plan, other.plan
    return (
        mine.cards < theirs.cards
        and (mine.card.id, mine.system.id) == (theirs.card.id, theirs.system.id)
        and one.unchecked <= other.unchecked
        and one.price_class == other.price_class
        and one.price <= other.price
        and _no_dearer_a_month(one, other)
        and _no_more(mine.monthly_hours, theirs.monthly_hours)
        and all(map(_runs_as_well, mine.placements, theirs.placements))
        and all(map(_serves_as_well, mine.serving, theirs.serving))
    )


def _no_dearer_a_month(one: Contender, other: Contender) -> bool:
    if one.cost_per_month is None or other.cost_per_month is None:
        return one.cost_per_month is other.cost_per_month
    return one.cost_per_month <= other.cost_per_month


def _no_more(one: FloatBand | None, other: FloatBand | None) -> bool:
    """Whether no end of the first is above that of the second."""
    if one is None or other is None:
        return False
    pairs = ((one.low, other.low), (one.expected, other.expected), (one.high, other.high))
    return all(mine <= theirs * (1 + SAME_TIME_SHARE) for mine, theirs in pairs)


def _runs_as_well(one: Placement, other: Placement) -> bool:
    return _as_safe(one, other) and _no_more(one.hours_per_run, other.hours_per_run)


def _serves_as_well(one: ServingPlacement, other: ServingPlacement) -> bool:
    """No user waits longer and no fewer tokens come out; how training shares the cards is asked for, or left open."""
    if not _as_safe(one, other):
        return False
    if one.speed is None or other.speed is None:
        return one.speed is other.speed and (one.layout, one.mig) == (other.layout, other.mig)
    mine, theirs = one.speed, other.speed
    points = [(mine.one_user, theirs.one_user)]
    if mine.planned is not None and theirs.planned is not None:
        points.append((mine.planned, theirs.planned))
    return (
        mine.prefill_s <= theirs.prefill_s
        and _no_more(theirs.full.tokens_per_s, mine.full.tokens_per_s)
        and all(_no_more(slow.tokens_per_s_per_user, fast.tokens_per_s_per_user) for fast, slow in points)
    )


def _as_safe(one: Placement | ServingPlacement, other: Placement | ServingPlacement) -> bool:
    """Between tight ones more free memory is safer."""
    if one.verdict is other.verdict is Verdict.TIGHT:
        return one.free_bytes >= other.free_bytes
    return SAFEST_FIRST.index(one.verdict) <= SAFEST_FIRST.index(other.verdict)


def _rejected(contender: Contender, better: Contender) -> Rejection:
    plan = contender.plan
    why = _why(contender, better)
    return Rejection(plan.card, plan.cards, plan.system, (why,), plan.placements, plan.serving)


def _why(contender: Contender, better: Contender) -> Reason:
    values: dict[str, str | int | float] = {"other": label(better.plan), **_months(better.plan, contender.plan)}
    saving = float(contender.price - better.price)
    if saving > 0 and contender.price_class is not PriceClass.WITHOUT_CARDS:
        values |= {
            "saving_amount": saving,
            "currency": contender.plan.price.priced.currency,
            "stand_ins": int(gaps_of(contender.plan) != gaps_of(better.plan)),
        }
    return reason(ReasonCode.DOMINATED, **values)


def _months(better: Plan, plan: Plan) -> dict[str, float]:
    """Hours of the month's runs: both where they read differently, one where they do not, none where nothing trains."""
    if better.monthly_hours is None or plan.monthly_hours is None or plan.monthly_hours.expected <= 0:
        return {}
    mine, theirs = plan.monthly_hours.expected, better.monthly_hours.expected
    return {"need_h": mine} if reads_alike(mine, theirs) else {"other_need_h": theirs, "need_h": mine}
