"""The search: layouts that fit, the quickest per node count, and the smallest count that meets the deadline."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from math import ceil

from engine.fit import Verdict, judge
from engine.hardware import LinkKind
from engine.memory.estimate import estimate
from engine.memory.states import trained_parameters
from engine.speed.bands import record_note
from engine.speed.cluster.exchange import shard_cards
from engine.speed.cluster.fewest import fewest_nodes
from engine.speed.cluster.layouts import NODE_COUNTS, layouts
from engine.speed.cluster.memory import cluster_memory
from engine.speed.cluster.network import network_need, questions_for
from engine.speed.cluster.own_runs import OwnRuns
from engine.speed.cluster.step import accumulation, cluster_step
from engine.speed.cluster.types import (
    ClusterGap,
    ClusterJob,
    ClusterMemory,
    ClusterOutlook,
    ClusterPlan,
    ClusterStep,
    NodeType,
    ParallelLayout,
    ShardScope,
)
from engine.speed.run import RunPlan, run_hours
from engine.speed.types import Calibration, SpeedFacts, SpeedNote, StepTime
from engine.units import Money, MoneyBand

MICRO_BATCHES = (1, 2, 4, 8)


@dataclass(frozen=True, slots=True)
class _Timed:
    """A layout with its time; whether it fits is asked only of the quickest ones."""

    layout: ParallelLayout
    micro_batch: int
    step: ClusterStep
    notes: tuple[SpeedNote, ...]
    calibration: Calibration | None

    @property
    def tokens_per_s(self) -> float:
        """Tokens the whole cluster processes per second."""
        return self.step.tokens_per_step / self.step.total_s.expected


@dataclass(frozen=True, slots=True)
class _Choice:
    """A layout that fits."""

    timed: _Timed
    memory: ClusterMemory
    verdict: Verdict


def plan_cluster(job: ClusterJob, node: NodeType, facts: SpeedFacts) -> ClusterOutlook:
    """Plan a job on nodes of one type.

    The smallest node count whose slow end meets the deadline is chosen; without a deadline, the smallest that fits.
    One without the stated headroom is chosen only where none keeps it. Raises InvalidInputError for numbers the memory
    estimate refuses.
    """
    search = _Search(job, node, facts)
    options = tuple(plan for nodes in _counts(job, node) if (plan := search.best(nodes)) is not None)
    in_time = [plan for plan in options if plan.meets_deadline]
    roomy = [plan for plan in in_time if plan.verdict is Verdict.FITS]
    chosen = next(iter(roomy or in_time), None)
    return ClusterOutlook(chosen, options, None if chosen is not None else search.gap(options))


def cluster_cost(plan: ClusterPlan, per_card_hour: Money) -> MoneyBand:
    """Price of one run at an hourly price per card, failed runs included."""
    hours = plan.run.hours_with_failures

    def cost(value: float) -> Money:
        return (per_card_hour * (Decimal(str(round(value, 6))) * plan.cards)).rounded()

    return MoneyBand(cost(hours.low), cost(hours.expected), cost(hours.high))


def notes_for(job: ClusterJob, node: NodeType, nodes: int, facts: SpeedFacts) -> tuple[SpeedNote, ...]:
    """What has to be said about the certainty of a cluster's time."""
    no_record = record_note(node.card.id, facts)
    found = [] if no_record is None else [no_record]
    if node.inner.kind is LinkKind.PCIE or node.inner.outer is not None:
        found.append(SpeedNote.SHARDED_OVER_PCIE)
    if not job.stack_known:
        found.append(SpeedNote.STACK_ASSUMED)
    if job.model.is_moe:
        found.append(SpeedNote.MIXTURE_OF_EXPERTS)
    if nodes > 1:
        found.append(SpeedNote.ACROSS_NODES)
    return tuple(found)


def _calibrated_note(run: Calibration) -> SpeedNote:
    return SpeedNote.CALIBRATED if run.alike else SpeedNote.CALIBRATED_ELSEWHERE


def _counts(job: ClusterJob, node: NodeType) -> list[int]:
    """The usual counts, and the smallest that holds the job."""
    fewest = fewest_nodes(job, node.card, node.cards)
    counts = {nodes for nodes in NODE_COUNTS if nodes <= job.most_nodes}
    return sorted(counts if fewest is None else counts | {fewest.nodes})


class _Search:
    """Keeps what does not change between node counts."""

    def __init__(self, job: ClusterJob, node: NodeType, facts: SpeedFacts) -> None:
        self._job = job
        self._node = node
        self._facts = facts
        self._trainable = trained_parameters(job.model, job.recipe)
        self._calibrations = OwnRuns(job, node, self._trainable)
        self._known: dict[tuple[object, ...], ClusterMemory] = {}
        self._batch_met = False
        self._timed_any = False

    def best(self, nodes: int) -> ClusterPlan | None:
        """The quickest layout that fits with the headroom, else the quickest that fits at all; None when none does."""
        notes = notes_for(self._job, self._node, nodes, self._facts)
        timed = sorted(self._timed(nodes, notes), key=lambda candidate: -candidate.tokens_per_s)
        tight: _Choice | None = None
        for candidate in timed:
            memory = self._memory(candidate)
            verdict = judge(memory.figure, self._node.card.usable_bytes.value, self._job.headroom)
            if verdict is Verdict.FITS:
                return self._plan(nodes, _Choice(candidate, memory, verdict))
            if verdict is Verdict.TIGHT and tight is None:
                tight = _Choice(candidate, memory, verdict)
        return None if tight is None else self._plan(nodes, tight)

    def gap(self, options: tuple[ClusterPlan, ...]) -> ClusterGap:
        """Why nothing was chosen."""
        if options:
            return ClusterGap.DEADLINE
        if not self._batch_met:
            return ClusterGap.BATCH
        return ClusterGap.MEMORY if self._timed_any else ClusterGap.NO_RATE

    def _timed(self, nodes: int, notes: tuple[SpeedNote, ...]) -> Iterator[_Timed]:
        job, node = self._job, self._node
        for layout in layouts(job, node, nodes):
            for micro_batch in MICRO_BATCHES:
                if accumulation(job, layout, micro_batch) < 1:
                    continue
                self._batch_met = True
                run = self._calibrations.of(layout, micro_batch, nodes)
                remarks = notes if run is None else (_calibrated_note(run), *notes)
                step = cluster_step(job, node, layout, micro_batch, self._trainable, remarks, self._facts, run)
                if step is not None:
                    self._timed_any = True
                    yield _Timed(layout, micro_batch, step, remarks, run)

    def _memory(self, candidate: _Timed) -> ClusterMemory:
        layout, micro_batch = candidate.layout, candidate.micro_batch
        shards = shard_cards(layout, self._node)
        sharded = layout.scope is ShardScope.OPTIMIZER
        key = (layout.tensor, layout.pipeline, sharded, shards, micro_batch)
        if key not in self._known:
            self._known[key] = cluster_memory(self._job, layout, shards, micro_batch, estimate)
        return self._known[key]

    def _plan(self, nodes: int, choice: _Choice) -> ClusterPlan:
        job, node, step = self._job, self._node, choice.timed.step
        layout, micro_batch = choice.timed.layout, choice.timed.micro_batch
        network = network_need(job, node, step, self._facts)
        timed = StepTime(
            total_s=step.total_s,
            compute_s=step.compute_s,
            communication_s=max(0.0, step.total_s.expected - step.compute_s),
            lower_bound_link_s=step.least_across_s,
            link=node.inner.kind,
            link_bytes=step.inside_bytes + step.across_bytes,
            tokens_per_step=step.tokens_per_step,
            notes=choice.timed.notes,
            calibration=choice.timed.calibration,
        )
        training_h = ceil(job.tokens / step.tokens_per_step) * step.total_s.expected / 3600
        plan = RunPlan(
            tokens=job.tokens,
            packing=job.recipe.packing,
            checkpoints=max(1, round(training_h / job.checkpoint_every_h)),
            checkpoint_bytes=network.checkpoint_bytes,
            load_bytes=2 * job.model.parameters,
            disk_gb_per_s=job.storage_gb_per_s,
        )
        run = run_hours(timed, plan, self._facts)
        return ClusterPlan(
            nodes=nodes,
            node=node,
            layout=layout,
            micro_batch=micro_batch,
            micro_batches=accumulation(job, layout, micro_batch),
            memory=choice.memory,
            verdict=choice.verdict,
            step=step,
            run=run,
            network=network,
            questions=questions_for(job, node, nodes, step, network),
            notes=choice.timed.notes,
            meets_deadline=job.deadline_h is None or run.hours.high <= job.deadline_h,
            calibration=choice.timed.calibration,
        )
