"""Step and run times of a sized workload on the cards of a candidate, each computed once."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.memory.types import MemoryEstimate
from engine.methods import Layout, Method, Sharding
from engine.plan.candidates import Candidate
from engine.plan.memo import UNKNOWN, Shelf, Unknown
from engine.plan.sizing import Sized
from engine.plan.types import StepTime
from engine.speed.bands import WIDE_FAST_FACTOR, WIDE_SLOW_FACTOR
from engine.speed.calibration import calibration_for
from engine.speed.links import host_factor, link_of
from engine.speed.run import RunPlan, hours_of, run_hours
from engine.speed.step import step_time
from engine.speed.types import Link, RunTime, SpeedNote, SpeedSetup, StackClass
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


class Timer:
    """Times by workload, layout, micro-batch, card and link. One per scenario; not shared between threads."""

    def __init__(self, scenario: Scenario, shelf: Shelf, failed_share: float | None) -> None:
        self._workloads = scenario.workloads
        self._numbers = tuple(shelf.number_of(workload) for workload in scenario.workloads)
        self._load_bytes = tuple(workload.model.parameters * CHECKPOINT_WEIGHT_BYTES for workload in scenario.workloads)
        self._stack = scenario.stack
        self._own_runs = scenario.calibrations
        self._software = shelf.number_of_software(scenario.stack, shelf.number_of_runs(scenario.calibrations))
        self._failed_share = failed_share
        self._facts = shelf.facts.speed
        self._shelf = shelf
        self._routes: dict[tuple[object, ...], Route] = {}

    def route(self, candidate: Candidate, layout: Layout) -> Route:
        """The link between the cards of one run and the speed of this host with this layout."""
        key = (candidate.card.id, candidate.system.id, candidate.bridging, layout)
        known = self._routes.get(key)
        if known is None:
            link = link_of(candidate.card, candidate.system, layout, candidate.bridging, self._facts)
            host = host_factor(candidate.system, candidate.card, layout, self._facts)
            known = Route(link, self._shelf.number_of_link(link), host)
            self._routes[key] = known
        return known

    def likeness(self, candidate: Candidate) -> tuple[object, ...]:
        """What of a candidate every time depends on; equal for machines that speed does not tell apart."""
        routes = [self.route(candidate, layout) for layout in PROBES] if candidate.cards > 1 else []
        paths = tuple((route.number, route.host) for route in routes)
        return candidate.card.id, candidate.cards, candidate.power_cap_w, candidate.bridging, paths

    def run_h(self, index: int, sized: Sized, candidate: Candidate, route: Route) -> float:
        """Expected hours of a run, to compare micro-batches by; 0 when the card has no published rate."""
        step = self._step(index, sized, candidate, route)
        if step is None:
            return 0.0
        step_s = step.total_s.expected / _factor(sized, route)
        return hours_of(step_s, step.tokens_per_step, self._plan(index, sized), self._facts)

    def timed(self, index: int, sized: Sized, candidate: Candidate, route: Route) -> Timed | None:
        """Step and run of the workload; None when the card has no published rate."""
        key = (self._key(index, sized, candidate, route), _factor(sized, route), self._failed_share)
        known = self._shelf.times.get(key, UNKNOWN)
        if isinstance(known, Unknown):
            step = self._step(index, sized, candidate, route)
            if step is not None and sized.option.mig is not None:
                step = unmeasured(step)
            known = None if step is None else self._run(index, sized, slowed(step, _factor(sized, route)))
            self._shelf.times[key] = known
        return known

    def _key(self, index: int, sized: Sized, candidate: Candidate, route: Route) -> tuple[object, ...]:
        return (
            self._numbers[index],
            self._software,
            sized.option.layout,
            sized.micro_batch,
            candidate.card.id,
            candidate.power_cap_w,
            route.number,
        )

    def _step(self, index: int, sized: Sized, candidate: Candidate, route: Route) -> StepTime | None:
        """The step on the best measured host; others are slower by their factor."""
        key = self._key(index, sized, candidate, route)
        known = self._shelf.steps.get(key, UNKNOWN)
        if isinstance(known, Unknown):
            setup = SpeedSetup(
                sized.estimate.setup,
                candidate.card,
                sized.estimate.trainable_parameters,
                route.link,
                stack=self._stack or StackClass.TUNED_PYTORCH,
                stack_known=self._stack is not None,
                power_cap_w=candidate.power_cap_w,
            )
            if self._own_runs:
                setup = replace(setup, calibration=calibration_for(setup, self._own_runs))
            known = step_time(setup, self._facts)
            self._shelf.steps[key] = known
        return known

    def _run(self, index: int, sized: Sized, step: StepTime) -> Timed:
        return Timed(step, run_hours(step, self._plan(index, sized), self._facts))

    def _plan(self, index: int, sized: Sized) -> RunPlan:
        workload = self._workloads[index]
        return RunPlan(
            tokens=workload.tokens_per_run,
            packing=workload.recipe.packing,
            checkpoint_bytes=checkpoint_bytes(sized.estimate),
            load_bytes=self._load_bytes[index],
            failed_share=self._failed_share,
        )


def _factor(sized: Sized, route: Route) -> float:
    """Speed against the best measured host: this host's, or a MIG instance's share of it."""
    mig = sized.option.mig
    return route.host if mig is None else route.host / mig.instances


def unmeasured(step: StepTime) -> StepTime:
    """The step with the band of what nobody published a measurement of: no training on MIG instances was found."""
    expected = step.total_s.expected
    band = FloatBand(expected / WIDE_FAST_FACTOR, expected, expected * WIDE_SLOW_FACTOR)
    notes = tuple(dict.fromkeys((*step.notes, SpeedNote.NO_CARD_RECORD)))
    return replace(step, total_s=band, notes=notes, record=None)


def slowed(step: StepTime, factor: float) -> StepTime:
    """The step at a share of its speed: a slower host, or a MIG instance's part of the card."""
    if factor == 1:
        return step
    total = step.total_s
    return replace(
        step,
        total_s=FloatBand(total.low / factor, total.expected / factor, total.high / factor),
        compute_s=step.compute_s / factor,
        communication_s=step.communication_s / factor,
    )


def checkpoint_bytes(figure: MemoryEstimate) -> int:
    """Bytes of a checkpoint one can resume from: what is trained and the optimiser's states, of all shards."""
    setup, card = figure.setup, figure.card
    shards = setup.layout.shard_cards if setup.layout.sharding in DIVIDED else 1
    weights = card.weights if setup.recipe.method is Method.FULL else 0
    return shards * (weights + card.adapters + card.master_weights + card.optimizer)
