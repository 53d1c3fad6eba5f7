"""Step and run times of a sized workload on the cards of a candidate, each computed once."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from engine.hardware import Card
from engine.memory.mig import memory_slices
from engine.memory.types import MemoryEstimate
from engine.methods import Layout, Method, Offload, Sharding
from engine.plan.candidates import Candidate
from engine.plan.memo import UNKNOWN, Key, Shelf, Unknown
from engine.plan.sizing import Sized
from engine.speed.bands import CARD_RECORD_NOTES, WIDE_FAST_FACTOR, WIDE_SLOW_FACTOR, sharded_over_pcie
from engine.speed.calibration import calibration_for
from engine.speed.links import host_factor, link_of
from engine.speed.run import RunFrame, RunPlan, assumed_failed_share, frame_of, hours_of, run_time
from engine.speed.step import (
    CardSpeed,
    Remarks,
    StepLoad,
    card_speed,
    described,
    remarks_on,
    seconds_by_cause,
    slowdown,
    step_load,
)
from engine.speed.types import (
    NO_LINK,
    ComputeFormat,
    Link,
    RunTime,
    SpeedNote,
    SpeedSetup,
    StackClass,
    StepTerms,
    StepTime,
)
from engine.units import FloatBand
from engine.workload import Scenario

PROBES = (Layout(2, Sharding.FSDP), Layout(2, Sharding.DDP))  # tell hosts apart: exchange inside and after a pass
DIVIDED = (Sharding.FSDP, Sharding.HYBRID, Sharding.TENSOR)  # weights and states lie in parts on several cards
CHECKPOINT_WEIGHT_BYTES = 2  # weights travel to and from the disk in 16 bit


@dataclass(frozen=True, slots=True)
class Timed:
    """Seconds of a step and hours of a run."""

    step: StepTime
    run: RunTime


@dataclass(frozen=True, slots=True)
class Route:
    """How the cards of one run reach each other, and the speed of their host. `number` is equal for equal links."""

    link: Link
    number: int
    host: float


ALONE = Route(NO_LINK, -1, 1.0)
"""A run on one card exchanges nothing, and its host hardly matters."""


@dataclass(frozen=True, slots=True)
class Job:
    """A workload in one layout with one micro-batch, as work: what no card changes. Seconds are kept by card."""

    load: StepLoad
    frame: RunFrame
    terms: dict[Key, StepTerms | None] = field(default_factory=dict)
    times: dict[Key, Timed | None] = field(default_factory=dict)
    remarks: dict[Key, Remarks] = field(default_factory=dict)

    def __len__(self) -> int:
        return 1 + len(self.terms) + len(self.times) + len(self.remarks)


class Timer:
    """Times by workload, layout, micro-batch, card and link. One per scenario; not shared between threads."""

    def __init__(self, scenario: Scenario, shelf: Shelf, failed_share: float | None) -> None:
        self._workloads = scenario.workloads
        self._works = tuple(shelf.work_of(workload) for workload in scenario.workloads)
        self._load_bytes = tuple(workload.model.parameters * CHECKPOINT_WEIGHT_BYTES for workload in scenario.workloads)
        self._stated_stack = scenario.stack
        self._stack = scenario.stack or StackClass.TUNED_PYTORCH
        self._own_runs = scenario.calibrations
        self._software = shelf.number("software", scenario.stack, shelf.number_of_runs(scenario.calibrations))
        self._facts = shelf.facts.speed
        self._failed_share = assumed_failed_share(self._facts) if failed_share is None else failed_share
        self._shelf = shelf
        self._slower: list[float | None] = [None] * len(scenario.workloads)

    def route(self, candidate: Candidate, layout: Layout) -> Route:
        """The link between the cards of one run and the speed of this host with this layout."""
        if layout.cards <= 1:
            return ALONE
        size = 0 if candidate.bridging is None else candidate.bridging.size
        key = (candidate.card.id, candidate.system.id, size, layout)
        known = self._shelf.routes.get(key)
        if known is None:
            link = link_of(candidate.card, candidate.system, layout, candidate.bridging, self._facts)
            host = host_factor(candidate.system, candidate.card, layout, self._facts)
            known = Route(link, self._shelf.number_of_link(link), host)
            self._shelf.routes[key] = known
        return known

    def likeness(self, candidate: Candidate) -> int:
        """Equal for candidates that no time tells apart: the cards, and how fast two of them exchange."""
        key = candidate.key
        known = self._shelf.likenesses.get(key)
        if known is None:
            routes = [self.route(candidate, layout) for layout in PROBES] if candidate.cards > 1 else []
            paths = tuple((route.number, route.host) for route in routes)
            known = self._shelf.number(
                *("alike", candidate.card.id, candidate.cards, candidate.power_cap_w, candidate.bridging, paths)
            )
            self._shelf.likenesses[key] = known
        return known

    def run_h(self, index: int, sized: Sized, candidate: Candidate, route: Route) -> float:
        """Expected hours of a run, to compare micro-batches by; 0 when the card has no published rate."""
        job = self._job(index, sized, candidate)
        terms = None if job is None else self._terms(job, candidate, route)
        if job is None or terms is None:
            return 0.0
        slower = self._slowdown(index, sized, candidate, route)
        return hours_of(terms.total_s * slower / _factor(sized, route, candidate.card), job.frame)

    def timed(self, index: int, sized: Sized, candidate: Candidate, route: Route) -> Timed | None:
        """Step and run of the workload; None when the card has no published rate."""
        job = self._job(index, sized, candidate)
        if job is None:
            return None
        factor = _factor(sized, route, candidate.card)
        key = (self._software, candidate.card.id, candidate.power_cap_w, route.number, factor, self._failed_share)
        known = job.times.get(key, UNKNOWN)
        if isinstance(known, Unknown):
            step = self._step(job, sized, candidate, route)
            if step is not None and sized.option.mig is not None:
                step = unmeasured(step)
            known = None
            if step is not None:
                step = slowed(step, factor)
                known = Timed(step, run_time(step, job.frame, self._failed_share))
            job.times[key] = known
        return known

    def _slowdown(self, index: int, sized: Sized, candidate: Candidate, route: Route) -> float:
        """Without test runs of the customer's own the same on every card."""
        known = self._slower[index]
        if known is None:
            known = slowdown(self._setup(sized, candidate, route), self._facts)
            if not self._own_runs:
                self._slower[index] = known
        return known

    def _job(self, index: int, sized: Sized, candidate: Candidate) -> Job | None:
        """The work of a sized workload; None where it offloads and a rate for that is missing."""
        work, setup = self._works[index], sized.estimate.setup
        path = None if setup.recipe.offload is Offload.NONE else candidate.card.id
        key = (setup.layout, setup.micro_batch, path)
        known = work.jobs.get(key, UNKNOWN)
        if isinstance(known, Unknown):
            load = step_load(setup, sized.estimate.trainable_parameters, candidate.card, self._facts)
            known = None
            if load is not None:
                known = Job(load, frame_of(load.tokens_per_step, self._plan(index, sized), self._facts))
            work.jobs[key] = known
        return known

    def _terms(self, job: Job, candidate: Candidate, route: Route) -> StepTerms | None:
        """Seconds by cause on the best measured host; others are slower by their factor."""
        card = candidate.card
        key = (self._stack, card.id, candidate.power_cap_w, route.number)
        known = job.terms.get(key, UNKNOWN)
        if isinstance(known, Unknown):
            speed = self._card_speed(candidate)
            known = None
            if speed is not None:
                known = seconds_by_cause(job.load, speed, route.link, self._stack, self._facts)
            job.terms[key] = known
        return known

    def _step(self, job: Job, sized: Sized, candidate: Candidate, route: Route) -> StepTime | None:
        speed, terms = self._card_speed(candidate), self._terms(job, candidate, route)
        if speed is None or terms is None:
            return None
        setup = self._setup(sized, candidate, route)
        if self._own_runs:
            said = remarks_on(setup, job.load, speed, self._facts)
        else:
            over_pcie = sharded_over_pcie(setup, setup.training.layout)
            key = (self._stated_stack, candidate.card.id, candidate.power_cap_w, over_pcie)
            known = job.remarks.get(key)
            said = remarks_on(setup, job.load, speed, self._facts) if known is None else known
            job.remarks[key] = said
        return described(setup, job.load, said, terms, self._facts)

    def _card_speed(self, candidate: Candidate) -> CardSpeed | None:
        key = (candidate.card.id, candidate.power_cap_w)
        known = self._shelf.card_speeds.get(key, UNKNOWN)
        if isinstance(known, Unknown):
            known = card_speed(candidate.card, ComputeFormat.BF16, candidate.power_cap_w, self._facts)
            self._shelf.card_speeds[key] = known
        return known

    def _setup(self, sized: Sized, candidate: Candidate, route: Route) -> SpeedSetup:
        """The run as it is timed, on the best measured host."""
        setup = SpeedSetup(
            sized.estimate.setup,
            candidate.card,
            sized.estimate.trainable_parameters,
            route.link,
            stack=self._stack,
            stack_known=self._stated_stack is not None,
            power_cap_w=candidate.power_cap_w,
        )
        return replace(setup, calibration=calibration_for(setup, self._own_runs)) if self._own_runs else setup

    def _plan(self, index: int, sized: Sized) -> RunPlan:
        workload = self._workloads[index]
        return RunPlan(
            tokens=workload.tokens_per_run,
            packing=workload.recipe.packing,
            checkpoint_bytes=checkpoint_bytes(sized.estimate),
            load_bytes=self._load_bytes[index],
        )


def _factor(sized: Sized, route: Route, card: Card) -> float:
    """Speed against the best measured host: this host's, or a MIG instance's share of it."""
    mig = sized.option.mig
    return route.host if mig is None else route.host / memory_slices(card.memory_gb.value, mig.memory_gb)


def unmeasured(step: StepTime) -> StepTime:
    """The step with the band of what nobody published a measurement of: no training on MIG instances was found."""
    expected = step.total_s.expected
    band = FloatBand(expected / WIDE_FAST_FACTOR, expected, expected * WIDE_SLOW_FACTOR)
    notes = (*(note for note in step.notes if note not in CARD_RECORD_NOTES), SpeedNote.NO_INSTANCE_RECORD)
    return replace(step, total_s=band, notes=notes, record=None)


def slowed(step: StepTime, factor: float) -> StepTime:
    """The step at a share of its speed: a slower host, or a MIG instance's part of the card."""
    if factor == 1:
        return step
    total = step.total_s
    return StepTime(
        total_s=FloatBand(total.low / factor, total.expected / factor, total.high / factor),
        compute_s=step.compute_s / factor,
        communication_s=step.communication_s / factor,
        lower_bound_link_s=step.lower_bound_link_s,
        link=step.link,
        link_bytes=step.link_bytes,
        tokens_per_step=step.tokens_per_step,
        terms=step.terms,
        notes=step.notes,
        record=step.record,
        calibration=step.calibration,
    )


def checkpoint_bytes(figure: MemoryEstimate) -> int:
    """Bytes of a checkpoint one can resume from: what is trained and the optimiser's states, of all shards."""
    setup, card = figure.setup, figure.card
    shards = setup.layout.shard_cards if setup.layout.sharding in DIVIDED else 1
    weights = card.weights if setup.recipe.method is Method.FULL else 0
    return shards * (weights + card.adapters + card.master_weights + card.optimizer)
