"""What is printed about a served model, as plain values: for the paper, the window, the heat map and exports."""

from __future__ import annotations

from dataclasses import dataclass, fields

from engine.facts import Facts
from engine.fit import Verdict
from engine.plan.serving import serving_hours
from engine.plan.types import Plan, ServingPlacement
from engine.serving.baseline import TokenBaseline, baselines
from engine.serving.memory import ServeBytes
from engine.serving.speed import OperatingPoint, ServingNote
from engine.units import FloatBand
from engine.workload import Scenario

WATTS_PER_KILOWATT = 1000.0
MILLION = 1_000_000.0


@dataclass(frozen=True, slots=True)
class ServingSummary:
    """One served model on a plan. None: not stated, never zero."""

    placement: ServingPlacement
    parts: tuple[tuple[str, int], ...]  # of the fullest card, in the order of the bar, adding up to its usable bytes
    one_user: OperatingPoint | None
    planned: OperatingPoint | None
    full: OperatingPoint | None
    prefill_s: float | None  # lower bound of the first token, mean prompt
    energy_kwh_per_million: float | None  # at the nameplate power of machine and cards: an upper bound
    baselines: tuple[TokenBaseline, ...]
    notes: tuple[ServingNote, ...]


@dataclass(frozen=True, slots=True)
class ServingHeat:
    """A cell of the heat map: one served model on one plan."""

    name: str
    verdict: Verdict
    tokens_per_s: FloatBand | None


def memory_parts(parts: ServeBytes) -> tuple[tuple[str, int], ...]:
    """The bar of a card: key and bytes."""
    return tuple((field.name, getattr(parts, field.name)) for field in fields(parts))


def summaries(plan: Plan, scenario: Scenario, facts: Facts) -> tuple[ServingSummary, ...]:
    """Everything the plan serves, in the order of the consultation."""
    return tuple(_summary(entry, plan, scenario, facts) for entry in plan.serving)


def _summary(entry: ServingPlacement, plan: Plan, scenario: Scenario, facts: Facts) -> ServingSummary:
    speed = entry.speed
    return ServingSummary(
        placement=entry,
        parts=memory_parts(entry.memory.card),
        one_user=None if speed is None else speed.one_user,
        planned=None if speed is None else speed.planned,
        full=None if speed is None else speed.full,
        prefill_s=None if speed is None else speed.prefill_s,
        energy_kwh_per_million=energy_per_million(entry, plan),
        baselines=baselines(entry, plan.card, scenario, facts),
        notes=() if speed is None else speed.notes,
    )


def energy_per_million(entry: ServingPlacement, plan: Plan) -> float | None:
    """Kilowatt hours per million output tokens: the share of the machine it takes at its nameplate power."""
    tokens = entry.tokens_per_month
    if tokens is None or tokens.expected <= 0:
        return None
    hours = serving_hours((entry,), plan.cards).expected
    return plan.power_w / WATTS_PER_KILOWATT * hours * MILLION / tokens.expected


def heat(plan: Plan) -> tuple[ServingHeat, ...]:
    """The cells of a plan, in the order of the consultation."""
    return tuple(
        ServingHeat(
            entry.workload.name,
            entry.verdict,
            None if entry.speed is None else entry.speed.full.tokens_per_s,
        )
        for entry in plan.serving
    )
