"""Cost against time of every plan that fits, and which of them nothing beats in both."""

from __future__ import annotations

from dataclasses import dataclass

from engine.plan.types import Placement, Plan, Recommendation
from engine.units import FloatBand, MoneyBand
from engine.workload import Workload


@dataclass(frozen=True, slots=True)
class PlanPoint:
    """One plan as a workload sees it: hours and cost of one run."""

    plan: Plan
    hours: FloatBand
    cost: MoneyBand
    on_front: bool  # no other plan is both cheaper and faster by the expected values


def plan_points(recommendation: Recommendation, workload: Workload) -> tuple[PlanPoint, ...]:
    """The best plan of each card and count that states hours and cost for the workload, in ranked order."""
    found: dict[tuple[str, int], tuple[Plan, FloatBand, MoneyBand]] = {}
    for plan in recommendation.ranked:
        placement = _placement(plan, workload)
        if placement is None or placement.hours_per_run is None or placement.cost_per_run is None:
            continue
        found.setdefault((plan.card.id, plan.cards), (plan, placement.hours_per_run, placement.cost_per_run))
    pairs = [(hours, cost) for _, hours, cost in found.values()]
    return tuple(
        PlanPoint(plan, hours, cost, on_front=not any(_beats(pair, (hours, cost)) for pair in pairs))
        for plan, hours, cost in found.values()
    )


def _beats(other: tuple[FloatBand, MoneyBand], mine: tuple[FloatBand, MoneyBand]) -> bool:
    faster = mine[0].expected - other[0].expected
    cheaper = mine[1].expected.amount - other[1].expected.amount
    return faster >= 0 and cheaper >= 0 and (faster > 0 or cheaper > 0)


def _placement(plan: Plan, workload: Workload) -> Placement | None:
    return next((item for item in plan.placements if item.workload == workload), None)
