"""Estimates and times kept from one recommendation to the next, so that a live consultation recomputes only changes.

Everything kept is a pure function of its key, so keeping it changes no result. Dictionaries are read and written
whole entries at a time, which concurrent recommendations may do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from engine.facts import Facts
from engine.memory.types import MemoryEstimate
from engine.methods import Layout
from engine.plan.types import StepTime
from engine.speed.types import Link, OwnRun
from engine.workload import Workload

if TYPE_CHECKING:
    from engine.plan.placement import Choice, Miss
    from engine.plan.timing import Timed

LARGEST_SHELF = 20_000
KEPT_FACTS = 2


class Unknown(Enum):
    """Tells what was never computed from what was computed to be nothing."""

    UNKNOWN = "unknown"


UNKNOWN = Unknown.UNKNOWN


@dataclass(frozen=True, slots=True)
class Shelf:
    """What is kept for one snapshot of the catalogue. Workloads and test runs are known by a number."""

    facts: Facts
    numbers: dict[tuple[object, ...], int] = field(default_factory=dict)
    estimates: dict[tuple[int, Layout, int], MemoryEstimate] = field(default_factory=dict)
    steps: dict[tuple[object, ...], StepTime | None] = field(default_factory=dict)
    times: dict[tuple[object, ...], Timed | None] = field(default_factory=dict)
    choices: dict[tuple[object, ...], Choice | Miss] = field(default_factory=dict)

    def number_of(self, workload: Workload) -> int:
        """Equal for workloads that are sized and timed alike: name and load do not matter."""
        key = (
            workload.model,
            workload.recipe,
            workload.sequence_length,
            workload.micro_batch,
            workload.sequences_per_step,
            workload.tokens_per_run,
        )
        return self.numbers.setdefault(key, len(self.numbers))

    def number_of_runs(self, runs: Sequence[OwnRun]) -> int:
        """Equal for test runs of the customer that say the same."""
        said = tuple(
            (run.name, run.setup.card.id, run.setup.stack, run.setup.training, *_rates(run), run.notes) for run in runs
        )
        return self.numbers.setdefault(("own runs", said), len(self.numbers))

    def number_of_software(self, *said: object) -> int:
        """Equal for scenarios whose software is equally fast."""
        return self.numbers.setdefault(("software", *said), len(self.numbers))

    def number_of_link(self, link: Link) -> int:
        """Equal for equal links: hashing one anew for every time that is looked up costs more than the look-up."""
        return self.numbers.setdefault(("link", link), len(self.numbers))

    def tidy(self) -> None:
        """Forget everything once there is too much of it; numbers stay, so a number never means two workloads."""
        kept = (self.estimates, self.steps, self.times, self.choices)
        if sum(len(table) for table in kept) > LARGEST_SHELF:
            for table in kept:
                table.clear()


_SHELVES: list[Shelf] = []


def shelf_for(facts: Facts) -> Shelf:
    """The shelf of this very snapshot; the oldest snapshot is forgotten when there are too many."""
    for shelf in tuple(_SHELVES):
        if shelf.facts is facts:
            shelf.tidy()
            return shelf
    shelf = Shelf(facts)
    _SHELVES.insert(0, shelf)
    del _SHELVES[KEPT_FACTS:]
    return shelf


def _rates(run: OwnRun) -> tuple[float, float]:
    return run.measured_tokens_per_s, run.modelled_tokens_per_s
