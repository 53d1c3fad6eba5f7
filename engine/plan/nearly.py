"""What would make a near miss fit, with the bytes each step saves. Computed on request, for the nearest alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.fit import Verdict
from engine.hardware import Card
from engine.memory.remedies import Remedy, RemedyKind, remedies, steps_to_fit
from engine.plan.card_rules import may_share_a_run
from engine.plan.types import Placement, Plan, Recommendation, Rejection
from engine.reasons import Reason, ReasonCode, reason
from engine.workload import Scenario

NEAREST = 10  # misses that are looked into; machines with the same cards share the answer
SHOWN = 4  # changes named for one workload
FARTHEST = 2.0  # times the usable bytes: beyond it nothing is near

_SHORT = (Verdict.NO, Verdict.UNCERTAIN)
_CODES = {Verdict.FITS: ReasonCode.WOULD_FIT, Verdict.TIGHT: ReasonCode.WOULD_FIT_TIGHTLY}
_EVIDENCED_ONLY = (RemedyKind.ONE_MORE_CARD, RemedyKind.EIGHT_BIT_OPTIMIZER, RemedyKind.QLORA)
_PAIRS = (
    ("need_bytes", "usable_bytes"),
    ("need_bytes", "limit_bytes"),
    ("need_h", "limit_h"),
    ("need_amount", "limit_amount"),
    ("need_runs", "limit_runs"),
)


def with_remedies(recommendation: Recommendation) -> Recommendation:
    """The recommendation whose nearest misses and shown tight plans say what would make them fit."""
    scenario = recommendation.scenario
    answers: dict[tuple[str, int], tuple[Reason, ...]] = {}
    rejected = []
    for rejection in recommendation.rejected:
        key = (rejection.card.id, rejection.cards)
        if key not in answers and len(answers) < NEAREST and _is_near(rejection):
            answers[key] = _for_all(rejection, scenario)
        found = answers.get(key, ()) if _is_near(rejection) else ()
        rejected.append(replace(rejection, would_fit=found) if found else rejection)
    chosen = None if recommendation.chosen is None else _loosened(recommendation.chosen, scenario)
    return replace(
        recommendation,
        chosen=chosen,
        alternatives=tuple(_loosened(plan, scenario) for plan in recommendation.alternatives),
        ranked=recommendation.ranked if chosen is None else (chosen, *recommendation.ranked[1:]),
        rejected=tuple(rejected),
    )


def would_fit(placement: Placement, card: Card, headroom: float) -> tuple[Reason, ...]:
    """What would make one workload fit: changes that suffice alone, else the steps that do together."""
    setup, usable = placement.estimate.setup, placement.capacity_bytes
    without = _impossible(placement, card)
    alone = [remedy for remedy in remedies(setup, usable, headroom) if remedy.kind not in without]
    enough = [remedy for remedy in alone if remedy.verdict is Verdict.FITS]
    if placement.verdict in _SHORT and not enough:
        enough = [remedy for remedy in alone if remedy.verdict is Verdict.TIGHT]
    if enough:
        return tuple(_reason(_CODES[remedy.verdict], placement, remedy) for remedy in enough[:SHOWN])
    steps = steps_to_fit(setup, usable, headroom, without)
    name = placement.workload.name
    if not steps:
        return (reason(ReasonCode.WOULD_NOT_FIT, workload=name),)
    saved = sum(remedy.saved_bytes for remedy in steps)
    together = reason(ReasonCode.WOULD_FIT_TOGETHER, workload=name, saved_bytes=saved)
    return (*(_reason(ReasonCode.WOULD_SAVE, placement, remedy) for remedy in steps), together)


def headroom_remedies(plan: Plan, headroom: float) -> tuple[Reason, ...]:
    """What would restore the headroom of the workloads a plan holds only tightly; empty where it holds none so."""
    tight = [placement for placement in plan.placements if placement.verdict is Verdict.TIGHT]
    return tuple(item for one in tight for item in would_fit(one, plan.card, headroom))


def shortfall(rejection: Rejection) -> float:
    """How far off a candidate is: the largest need over its limit among its reasons; 1 without such a pair."""
    return max((share for item in rejection.reasons for share in _shares(item)), default=1.0)


def _is_near(rejection: Rejection) -> bool:
    """Sized, out for nothing but memory, and not by more than a factor."""
    codes = {item.code for item in rejection.reasons}
    memory_alone = ReasonCode.MEMORY in codes and codes <= {ReasonCode.MEMORY, ReasonCode.NO_MULTI_CARD_EVIDENCE}
    return bool(rejection.placements) and memory_alone and shortfall(rejection) <= FARTHEST


def _for_all(rejection: Rejection, scenario: Scenario) -> tuple[Reason, ...]:
    short = [placement for placement in rejection.placements if placement.verdict in _SHORT]
    return tuple(item for one in short for item in would_fit(one, rejection.card, scenario.headroom))


def _loosened(plan: Plan, scenario: Scenario) -> Plan:
    found = headroom_remedies(plan, scenario.headroom)
    return replace(plan, would_fit=found) if found else plan


def _impossible(placement: Placement, card: Card) -> tuple[RemedyKind, ...]:
    """An instance never joins a run over several cards; other vendors' cards do not either, nor run bitsandbytes."""
    if not may_share_a_run(card):
        return _EVIDENCED_ONLY
    return () if placement.mig is None else (RemedyKind.ONE_MORE_CARD,)


def _reason(code: ReasonCode, placement: Placement, remedy: Remedy) -> Reason:
    return reason(code, workload=placement.workload.name, remedy=remedy.kind.value, saved_bytes=remedy.saved_bytes)


def _shares(item: Reason) -> Iterator[float]:
    values = dict(item.values)
    for need, limit in _PAIRS:
        most = values.get(limit)
        least = values.get(need)
        if isinstance(most, int | float) and isinstance(least, int | float) and most > 0:
            yield least / most
