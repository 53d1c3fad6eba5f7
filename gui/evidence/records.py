"""Published measurements beside the estimates, of memory and of speed, in one shape. No Qt."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from catalog.catalog import Catalog
from catalog.evidence import load_measured
from catalog.speed_evidence import score_speed
from engine.evidence import Run
from engine.memory.evidence import FitScore, Outcome
from engine.methods import Method
from engine.plan.types import Recommendation
from engine.units import GB

Unmapped = tuple[str, str]


class Quantity(StrEnum):
    """What was measured."""

    MEMORY = "memory"
    SPEED = "speed"


@dataclass(frozen=True, slots=True)
class Record:
    """One run: GB per card, or tokens per second and card."""

    id: str
    source: str
    model: str
    run: Run
    measured: float
    estimated: float
    counts: bool  # confidence high, nothing offloaded: it enters the error band

    @property
    def error(self) -> float:
        """Estimate over measurement, less one."""
        return self.estimated / self.measured - 1


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything the window shows of one quantity. What could not be used is listed with its reason."""

    records: tuple[Record, ...]
    unused: tuple[Unmapped, ...]  # id and reason
    fits: FitScore | None = None  # yes-no measurements, of memory alone


def load_evidence(quantity: Quantity, catalog: Catalog) -> Evidence:
    """Read the bundled measurements and estimate each of them. Takes about a second for memory."""
    return _memory(catalog) if quantity is Quantity.MEMORY else _speed(catalog)


def runs_of(recommendation: Recommendation | None) -> tuple[Run, ...]:
    """The customer's runs as they are placed on the recommended system."""
    plan = None if recommendation is None else recommendation.chosen
    if plan is None:
        return ()
    return tuple(
        Run(
            placement.workload.recipe.method,
            placement.workload.model.parameters,
            placement.layout.cards,
            placement.workload.sequence_length,
        )
        for placement in plan.placements
    )


def methods_of(records: Iterable[Record]) -> list[Method]:
    """The methods that occur, in their usual order."""
    found = {record.run.method for record in records}
    return [method for method in Method if method in found]


def _memory(catalog: Catalog) -> Evidence:
    loaded = load_measured(catalog.facts.models)
    records = tuple(
        Record(
            one.id,
            one.source_id,
            one.model,
            Run(one.method, one.estimate.parameters, one.cards, one.estimate.setup.sequence_length),
            one.measured_bytes / GB,
            one.estimated_bytes / GB,
            one.scored,
        )
        for one in loaded.measurements
        if one.outcome is Outcome.PEAK
    )
    unused = tuple((one.id, one.reason) for one in loaded.unmapped)
    return Evidence(records, unused, loaded.fits)


def _speed(catalog: Catalog) -> Evidence:
    scored = score_speed(None, catalog.facts.models)
    records = tuple(
        Record(
            one.record.id,
            one.record.family,
            one.record.model,
            Run(one.record.method, one.record.shape.stored_parameters, one.record.cards, one.record.sequence_length),
            one.record.tokens_per_s_per_card,
            one.predicted,
            counts,
        )
        for group, counts in ((scored.scores, True), (scored.context, False))
        for one in group
    )
    return Evidence(records, tuple((one.record_id, one.reason) for one in scored.unscored))
