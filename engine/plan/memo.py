"""What is kept from one recommendation to the next, so that a live consultation recomputes only what changed.

Everything kept is a pure function of its key, so keeping it changes no result. What was used longest ago is forgotten
first, one workload at a time: a slider that has passed a hundred lengths must not cost the other workloads anything.
Tables are read and written whole entries at a time, which concurrent recommendations may do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import count
from threading import Lock
from typing import TYPE_CHECKING, Generic, TypeVar

from engine.facts import Facts
from engine.hardware import Card
from engine.memory.types import MemoryEstimate
from engine.methods import Layout
from engine.speed.types import Link, OwnRun
from engine.workload import Scenario, Workload

if TYPE_CHECKING:
    from engine.plan.candidates import Catalogued, Field
    from engine.plan.placement import Placed, Seat
    from engine.plan.purchase import Prices
    from engine.plan.timing import Job, Route
    from engine.speed.step import CardSpeed

LARGEST_SHELF = 20_000  # entries of all workloads together; those of the scenario at hand are kept whatever they are
KEPT_FACTS = 2
KEPT_FIELDS = 8
KEPT_PRICES = 4
KEPT_PLACED = 4

Key = tuple[object, ...]
K = TypeVar("K")
V = TypeVar("V")


class Unknown(Enum):
    """Tells what was never computed from what was computed to be nothing."""

    UNKNOWN = "unknown"


UNKNOWN = Unknown.UNKNOWN


class Recent(Generic[K, V]):
    """Values by key, of which the one that was used longest ago is forgotten first. Several threads may use it."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: dict[K, V] = {}
        self._lock = Lock()

    def get(self, key: K, make: Callable[[], V]) -> V:
        """The kept value, else a new one."""
        with self._lock:
            found = self._kept.pop(key, None)
        if found is None:
            found = make()
        with self._lock:
            self._kept[key] = found
            while len(self._kept) > self._most:
                del self._kept[next(iter(self._kept))]
        return found

    def total(self, size: Callable[[V], int]) -> int:
        """The sizes of all values together."""
        with self._lock:
            return sum(map(size, self._kept.values()))

    def lighten(self, size: Callable[[V], int], most: int, least: int) -> None:
        """Forget values until the others' sizes add up to `most` or `least` values are left."""
        with self._lock:
            total = sum(map(size, self._kept.values()))
            while total > most and len(self._kept) > least:
                total -= size(self._kept.pop(next(iter(self._kept))))


@dataclass(frozen=True, slots=True)
class Work:
    """What is kept of one workload as it is sized and timed."""

    estimates: dict[tuple[Layout, int], MemoryEstimate] = field(default_factory=dict)
    jobs: dict[Key, Job | None] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.estimates) + sum([1 if job is None else len(job) for job in tuple(self.jobs.values())])


Table = dict[Key, "Seat"]
"""Where one workload sits, by what of a candidate decides it."""


@dataclass(frozen=True, slots=True, eq=False)
class Shelf:
    """What is kept for one snapshot of the catalogue."""

    facts: Facts
    numbers: dict[Key, int] = field(default_factory=dict)
    counter: Iterator[int] = field(default_factory=count)
    routes: dict[Key, Route] = field(default_factory=dict)
    likenesses: dict[Key, int] = field(default_factory=dict)
    card_speeds: dict[Key, CardSpeed | None] = field(default_factory=dict)
    catalogued: list[tuple[tuple[Card, tuple[Catalogued, ...]], ...]] = field(default_factory=list)  # none or one
    fields: Recent[Key, Field] = field(default_factory=lambda: Recent(KEPT_FIELDS))
    prices: Recent[Key, Prices] = field(default_factory=lambda: Recent(KEPT_PRICES))
    works: Recent[Key, Work] = field(default_factory=lambda: Recent(LARGEST_SHELF))
    tables: Recent[Key, Table] = field(default_factory=lambda: Recent(LARGEST_SHELF))
    placed: Recent[Key, dict[Key, Placed]] = field(default_factory=lambda: Recent(KEPT_PLACED))

    def work_of(self, workload: Workload) -> Work:
        """Equal for workloads that are sized and timed alike: name and load do not matter."""
        return self.works.get(work_key(workload), Work)

    def number_of_runs(self, runs: Sequence[OwnRun]) -> int:
        """Equal for test runs of the customer that say the same."""
        said = tuple(
            (run.name, run.setup.card.id, run.setup.stack, run.setup.training, *_rates(run), run.notes) for run in runs
        )
        return self.number("own runs", said)

    def number(self, *said: object) -> int:
        """A small number in place of what is slow to look up by. Equal for what is equal."""
        known = self.numbers.get(said)
        return self.numbers.setdefault(said, next(self.counter)) if known is None else known

    def number_of_link(self, link: Link) -> int:
        """Equal for equal links: hashing one anew for every time that is looked up costs more than the look-up."""
        return self.number("link", link)

    def tidy(self, scenario: Scenario) -> None:
        """Forget workloads that were not used for long, once there is too much of them."""
        in_use = max(len(scenario.workloads), 1)
        self.works.lighten(len, LARGEST_SHELF, in_use)
        self.tables.lighten(len, LARGEST_SHELF, in_use)


def work_key(workload: Workload) -> Key:
    """What memory and time of a workload depend on."""
    return (
        workload.model,
        workload.recipe,
        workload.sequence_length,
        workload.micro_batch,
        workload.sequences_per_step,
        workload.tokens_per_run,
    )


_SHELVES: list[Shelf] = []
_SHELVES_LOCK = Lock()


def shelf_for(facts: Facts) -> Shelf:
    """The shelf of this very snapshot; the one used longest ago is forgotten when there are too many."""
    with _SHELVES_LOCK:
        shelf = next((shelf for shelf in _SHELVES if shelf.facts is facts), None)
        if shelf is None:
            shelf = Shelf(facts)
        else:
            _SHELVES.remove(shelf)
        _SHELVES.insert(0, shelf)
        del _SHELVES[KEPT_FACTS:]
    return shelf


def _rates(run: OwnRun) -> tuple[float, float]:
    return run.measured_tokens_per_s, run.modelled_tokens_per_s
