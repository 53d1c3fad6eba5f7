"""One line per card of a recommendation: the plan or rejection that speaks for it, and how each workload sits on it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.fit import Verdict
from engine.hardware import Card, System
from engine.plan.types import Placement, Plan, Recommendation, Rejection, ServingPlacement
from engine.reasons import Reason
from engine.workload import ServingWorkload, Workload


class Standing(StrEnum):
    """How a card stands in the recommendation."""

    CHOSEN = "chosen"
    ALTERNATIVE = "alternative"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class CardGlance:
    """The plan that speaks for a card, or the rejection that came nearest."""

    card: Card
    standing: Standing
    cards: int
    system: System | None
    placements: tuple[Placement, ...]
    plan: Plan | None
    reasons: tuple[Reason, ...]  # why it is out; empty for plans
    serving: tuple[ServingPlacement, ...] = ()  # of the plan, or as far as the rejected candidate was examined

    @property
    def id(self) -> str:
        """Stable name, as a plan's."""
        return f"{self.cards}x{self.card.id}@{self.system.id if self.system else ''}"

    def placement(self, workload: Workload) -> Placement | None:
        """How a workload of the scenario sits on it; None when it was not sized."""
        return next((item for item in self.placements if item.workload == workload), None)

    def served(self, workload: ServingWorkload) -> ServingPlacement | None:
        """How a served model of the scenario sits on it; None when it was not examined."""
        return next((item for item in self.serving if item.workload == workload), None)


def glances(recommendation: Recommendation) -> tuple[CardGlance, ...]:
    """Every card once: the chosen one, the alternatives in order, then the rejected ones, sized ones first."""
    plans = [*([recommendation.chosen] if recommendation.chosen else []), *recommendation.alternatives]
    shown = [_of_plan(plan, first=index == 0) for index, plan in enumerate(plans)]
    seen = {plan.card.id for plan in plans}
    nearest: dict[str, Rejection] = {}
    for rejection in recommendation.rejected:
        if rejection.card.id in seen:
            continue
        best = nearest.get(rejection.card.id)
        if best is None or _distance(rejection) < _distance(best):
            nearest[rejection.card.id] = rejection
    out = [_of_rejection(rejection) for rejection in nearest.values()]
    return (*shown, *sorted(out, key=lambda item: (not _sized(item), item.card.family, item.card.id)))


def nearest_rejection(recommendation: Recommendation, card_id: str) -> Rejection | None:
    """The rejection that speaks for a card: the one that came nearest."""
    return min((item for item in recommendation.rejected if item.card.id == card_id), key=_distance, default=None)


def _of_plan(plan: Plan, *, first: bool) -> CardGlance:
    standing = Standing.CHOSEN if first else Standing.ALTERNATIVE
    return CardGlance(plan.card, standing, plan.cards, plan.system, plan.placements, plan, (), plan.serving)


def _of_rejection(rejection: Rejection) -> CardGlance:
    return CardGlance(
        rejection.card,
        Standing.REJECTED,
        rejection.cards,
        rejection.system,
        rejection.placements,
        None,
        rejection.reasons,
        rejection.serving,
    )


def _sized(item: CardGlance | Rejection) -> bool:
    return bool(item.placements or item.serving)


def _distance(rejection: Rejection) -> tuple[bool, int, int, int]:
    """Sized before unsized, few misfits before many, a small shortage before a large one, few cards before many."""
    entries: tuple[Placement | ServingPlacement, ...] = (*rejection.placements, *rejection.serving)
    misfits = sum(placement.verdict is Verdict.NO for placement in entries)
    shortage = max((-placement.free_bytes for placement in entries), default=0)
    return (not _sized(rejection), misfits, max(shortage, 0), rejection.cards)
