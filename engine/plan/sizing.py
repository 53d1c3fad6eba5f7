"""Memory of the workloads of one scenario: every estimate is made once, whatever card it is held against."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.fit import Verdict, judge
from engine.memory.estimate import estimate
from engine.memory.types import MemoryEstimate, TrainingSetup
from engine.methods import Layout, Recipe, Sharding
from engine.plan.layouts import Option
from engine.plan.memo import Shelf
from engine.workload import Scenario, Workload

LARGEST_MICRO_BATCH = 64


@dataclass(frozen=True, slots=True)
class Sized:
    """A workload in a layout with a micro-batch, and how it sits in the bytes it has."""

    option: Option
    estimate: MemoryEstimate
    verdict: Verdict

    @property
    def micro_batch(self) -> int:
        """Sequences per card and forward pass."""
        return self.estimate.setup.micro_batch

    @property
    def free_bytes(self) -> int:
        """Capacity less the expected need."""
        return self.option.capacity_bytes - self.estimate.required.expected


class Sizer:
    """Estimates by workload, layout and micro-batch. One per scenario; not shared between threads."""

    def __init__(self, scenario: Scenario, shelf: Shelf) -> None:
        self._workloads = scenario.workloads
        self._headroom = scenario.headroom
        self._works = tuple(shelf.work_of(workload) for workload in scenario.workloads)
        self._recipes: dict[tuple[int, int], Recipe] = {}
        self._fitting: dict[tuple[int, Layout, int], tuple[tuple[MemoryEstimate, Verdict], ...]] = {}
        self._sized: dict[tuple[object, ...], tuple[Sized, ...]] = {}

    def sizes(self, index: int, option: Option) -> tuple[Sized, ...]:
        """The micro-batches to choose from, smallest first: all that keep the headroom, else the smallest alone.

        `index` is the workload's place in the scenario.
        """
        mig = None if option.mig is None else option.mig.name
        key = (index, option.layout, option.capacity_bytes, option.runs_in_parallel, mig)
        known = self._sized.get(key)
        if known is None:
            known = tuple([Sized(option, figure, verdict) for figure, verdict in self._fits(index, option)])
            self._sized[key] = known
        return known

    def _fits(self, index: int, option: Option) -> tuple[tuple[MemoryEstimate, Verdict], ...]:
        key = (index, option.layout, option.capacity_bytes)
        found = self._fitting.get(key)
        if found is None:
            found = self._judged(index, option)
            self._fitting[key] = found
        return found

    def _judged(self, index: int, option: Option) -> tuple[tuple[MemoryEstimate, Verdict], ...]:
        judged: list[tuple[MemoryEstimate, Verdict]] = []
        for micro_batch in micro_batches(self._workloads[index], option.layout):
            figure = self._estimate(index, option.layout, micro_batch)
            verdict = judge(figure, option.capacity_bytes, self._headroom)
            if judged and verdict is not Verdict.FITS:
                break
            judged.append((figure, verdict))
            if verdict is not Verdict.FITS:
                break
        return tuple(judged)

    def _estimate(self, index: int, layout: Layout, micro_batch: int) -> MemoryEstimate:
        estimates, key = self._works[index].estimates, (layout, micro_batch)
        known = estimates.get(key)
        if known is None:
            workload = self._workloads[index]
            recipe = self._recipe(index, accumulation(workload, layout, micro_batch))
            known = estimate(TrainingSetup(workload.model, recipe, workload.sequence_length, micro_batch, layout))
            estimates[key] = known
        return known

    def _recipe(self, index: int, micro_batches: int) -> Recipe:
        """The recipe as it is sized and timed, gradient accumulation included."""
        key = (index, micro_batches)
        known = self._recipes.get(key)
        if known is None:
            known = replace(self._workloads[index].recipe, gradient_accumulation=micro_batches)
            self._recipes[key] = known
        return known


def accumulation(workload: Workload, layout: Layout, micro_batch: int) -> int:
    """Micro-batches per optimiser step.

    A stated micro-batch keeps the recipe's own figure. Otherwise as many as make up the sequences of a step, so that
    layouts with different card counts train with the same batch and their steps compare.
    """
    stated = workload.recipe.gradient_accumulation
    if workload.micro_batch is not None:
        return stated
    per_pass = micro_batch * data_parallel_cards(layout)
    return max(stated, -(-workload.sequences_per_step // per_pass))


def micro_batches(workload: Workload, layout: Layout) -> tuple[int, ...]:
    """Micro-batches to try, rising: the stated one, else powers of two up to a step's share of one card."""
    if workload.micro_batch is not None:
        return (workload.micro_batch,)
    share = max(workload.sequences_per_step // data_parallel_cards(layout), 1)
    return tuple(2**power for power in range(LARGEST_MICRO_BATCH.bit_length()) if 2**power <= share)


def data_parallel_cards(layout: Layout) -> int:
    """Cards that work on sequences of their own."""
    return 1 if layout.sharding in {Sharding.NONE, Sharding.TENSOR} else layout.cards
