"""A card that is out before anything is sized: why, and how the tasks would sit in its memory all the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.facts import Facts
from engine.fit import CARRIED, SAFEST_FIRST
from engine.glance import nearest_rejection
from engine.hardware import Card, CardOption, System
from engine.plan.bridges import bridging_for
from engine.plan.candidates import Candidate, listed_counts
from engine.plan.judgement import Judge
from engine.plan.rank import Contender
from engine.plan.sharing import SharingJudge
from engine.plan.types import Placement, Plan, Recommendation, Rejection, ServingPlacement
from engine.reasons import Reason, ReasonCode
from engine.workload import ServingWorkload, Workload

# What the reason denies is the run itself, so there is no memory to state.
_NO_RUN = frozenset({ReasonCode.METHOD_UNSUPPORTED})


@dataclass(frozen=True, slots=True)
class RuledOut:
    """A card with the reasons against it. `cards` is 0 and nothing is placed where its memory cannot be stated."""

    card: Card
    reasons: tuple[Reason, ...]
    cards: int = 0  # the fewest listed for a machine that hold every task; else those that come nearest
    placements: tuple[Placement, ...] = ()
    serving: tuple[ServingPlacement, ...] = ()

    def placement(self, workload: Workload) -> Placement | None:
        """How a workload would sit on it."""
        return next((item for item in self.placements if item.workload == workload), None)

    def served(self, workload: ServingWorkload) -> ServingPlacement | None:
        """How a served model would sit on it."""
        return next((item for item in self.serving if item.workload == workload), None)


def ruled_out(recommendation: Recommendation, card: Card, facts: Facts) -> RuledOut | None:
    """Why a card was turned away unsized, and its memory as if it had not been; None for every other card.

    Placed by the planner's own rules, in a machine that is listed for the card and whatever stands against it. Only
    the memory is meant: machine, time and cost there are nobody's plan.
    """
    if any(plan.card.id == card.id for plan in recommendation.ranked):
        return None
    rejection = nearest_rejection(recommendation, card.id)
    if rejection is None or rejection.placements or rejection.serving:
        return None
    reasons = rejection.reasons
    if any(item.code in _NO_RUN for item in reasons):
        return RuledOut(card, reasons)
    scenario = recommendation.scenario
    judge = SharingJudge(scenario, facts) if scenario.serving else Judge(scenario, facts)
    nearest: Plan | Rejection | None = None
    for candidate in _anywhere(card, facts):
        judged = judge.judge(candidate)
        found = judged.plan if isinstance(judged, Contender) else judged
        if nearest is None or _distance(found) < _distance(nearest):
            nearest = found
        if _distance(nearest)[0] < len(CARRIED):
            break
    if nearest is None:
        return RuledOut(card, reasons)
    return RuledOut(card, reasons, nearest.cards, nearest.placements, nearest.serving)


def _distance(found: Plan | Rejection) -> tuple[int, int]:
    """The place of the worst verdict among all tasks, the safest being 0, and the largest shortage in bytes."""
    entries: tuple[Placement | ServingPlacement, ...] = (*found.placements, *found.serving)
    worst = max((SAFEST_FIRST.index(item.verdict) for item in entries), default=len(SAFEST_FIRST))
    return worst, max((-item.free_bytes for item in entries if item.free_bytes < 0), default=0)


def _anywhere(card: Card, facts: Facts) -> Iterator[Candidate]:
    """Every listed count once, the fewest first, in the first machine by id that is listed for it."""
    seats: dict[int, tuple[System, CardOption]] = {}
    for system in sorted(facts.systems.values(), key=lambda system: system.id):
        for option in system.options_for(card.id):
            for cards in listed_counts(system, (option,)):
                seats.setdefault(cards, (system, option))
    for cards, (system, option) in sorted(seats.items(), key=lambda seat: seat[0]):
        yield Candidate(card, cards, system, None, 0, bridging_for(card, option, cards), ())
