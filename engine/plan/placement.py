"""Puts every workload of a scenario on the cards of a candidate, in the layout that finishes soonest within memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import inf

from engine.cost.plan_costs import RunLoad as CostedRun
from engine.facts import Facts
from engine.fit import CARRIED, Verdict
from engine.hardware import Card
from engine.methods import Method, Sharding
from engine.plan import layouts
from engine.plan.candidates import Candidate
from engine.plan.card_rules import may_share_a_run
from engine.plan.host import host_shortfall, uses_host
from engine.plan.layouts import Option
from engine.plan.load import LoadShare, MonthLoad, RunLoad, load_share, machine_share, month_of, span_factor
from engine.plan.memo import Shelf, shelf_for, work_key
from engine.plan.sizing import Sized, Sizer
from engine.plan.timing import DIVIDED, Route, Timed, Timer
from engine.plan.types import Placement
from engine.reasons import MemoryHelp, Reason, ReasonCode, reason
from engine.workload import MustHave, Scenario, Workload

SAME_TIME = 1.02  # a micro-batch or layout that is this much slower counts as equally fast: the roomier one is taken
CLEARLY_SOONER = 0.9  # of the time of the best layout without tensor parallelism


@dataclass(frozen=True, slots=True)
class Choice:
    """A workload as it will run on a candidate."""

    workload: Workload
    sized: Sized
    timed: Timed | None

    @property
    def span_h(self) -> float:
        """Hours until the month's runs are done; 0 when no time is known, which then decides nothing."""
        if self.timed is None:
            return 0.0
        hours = self.timed.run.hours_with_failures.expected
        return span_factor(self.workload, self.sized.option) * hours

    @property
    def slow_run_h(self) -> float:
        """Hours of one run at the slow end of its band; 0 when no time is known."""
        return 0.0 if self.timed is None else self.timed.run.hours.high

    @property
    def run_h(self) -> float:
        """Hours of one run; 0 when no time is known."""
        return 0.0 if self.timed is None else self.timed.run.hours.expected


@dataclass(frozen=True, slots=True)
class Miss:
    """A workload that a candidate does not carry: why, and the layout that comes nearest."""

    objections: tuple[Reason, ...]
    nearest: Choice


@dataclass(frozen=True, slots=True)
class Seat:
    """A workload on a kind of candidate, and what every plan with it shows and counts."""

    choice: Choice  # the nearest miss where it is not carried
    objections: tuple[Reason, ...]
    carried: bool
    placement: Placement  # as it is shown; its cost is added when the plan's is known
    load: RunLoad | None  # None without a known time
    share: LoadShare | None
    run: CostedRun | None


@dataclass(frozen=True, slots=True)
class Placed:
    """All workloads on a candidate, and the reasons why some of them are not carried."""

    choices: tuple[Choice, ...]  # of every workload; the nearest miss of one that is not carried
    objections: tuple[Reason, ...]
    placements: tuple[Placement, ...]  # the same, as it is shown
    uncertain: bool  # nothing but the high end of a memory estimate speaks against it
    loads: tuple[RunLoad, ...] | None  # of every workload; None when one has no known time
    month: MonthLoad | None  # of these loads on all cards of the candidate
    runs: tuple[CostedRun, ...]  # as they are costed, on all cards of the candidate


def seat_of(choice: Choice, objections: tuple[Reason, ...], cards: int, headroom: float, *, carried: bool) -> Seat:
    """The seat of a choice on this many cards."""
    load = load_of(choice)
    return Seat(
        choice=choice,
        objections=objections,
        carried=carried,
        placement=placement_of(choice, headroom),
        load=load,
        share=None if load is None else load_share(load, cards),
        run=None if load is None else costed_run(load, cards),
    )


def load_of(choice: Choice) -> RunLoad | None:
    """The load of a choice; None when no time is known."""
    timed = choice.timed
    return None if timed is None else RunLoad(choice.workload, choice.sized.option, timed.run.hours_with_failures)


def costed_run(load: RunLoad, cards: int) -> CostedRun:
    """The run in hours of the whole machine."""
    return CostedRun(load.hours.scaled(machine_share(load.option, cards)), load.workload.runs_per_month)


def placed_of(seats: Sequence[Seat]) -> Placed:
    """All workloads together."""
    loads = tuple([seat.load for seat in seats if seat.load is not None])
    missed = [seat for seat in seats if not seat.carried]
    known = len(loads) == len(seats)
    return Placed(
        choices=tuple([seat.choice for seat in seats]),
        objections=tuple(dict.fromkeys([item for seat in missed for item in seat.objections])),
        placements=tuple([seat.placement for seat in seats]),
        uncertain=bool(missed) and all(_only_uncertain(seat.choice) for seat in missed),
        loads=loads if known else None,
        month=month_of([seat.share for seat in seats if seat.share is not None]) if known else None,
        runs=tuple([seat.run for seat in seats if seat.run is not None]),
    )


class Placer:
    """Places workloads on candidates. One per scenario; not shared between threads.

    `failed_share` is failed runs per successful one; None takes the speed model's assumption.
    """

    def __init__(self, scenario: Scenario, facts: Facts, failed_share: float | None = None) -> None:
        self._scenario = scenario
        shelf = shelf_for(facts)
        keys = _keys(scenario, shelf, failed_share)
        self._tables = [shelf.tables.get(key, dict) for key in keys]
        self._placed = shelf.placed.get(keys, dict)
        self._sizer = Sizer(scenario, shelf)
        self._timer = Timer(scenario, shelf, failed_share)
        self._layouts: dict[tuple[object, ...], list[tuple[Sized, ...]]] = {}
        self._best: dict[tuple[object, ...], tuple[int, Timed | None]] = {}
        self._needs_host = any(uses_host(workload.recipe) for workload in scenario.workloads)
        shelf.tidy(scenario)

    def place(self, candidate: Candidate) -> Placed:
        """Find the soonest layout of every workload, and every reason why one is not carried.

        Machines that neither speed nor host memory tells apart share one answer.
        """
        host = candidate.system.host_memory_max_gb if self._needs_host else None
        key = (self._timer.likeness(candidate), None if host is None else host.value)
        known = self._placed.get(key)
        if known is None:
            known = placed_of([self._seat(index, candidate, key) for index in range(len(self._tables))])
            self._placed[key] = known
        return known

    def _seat(self, index: int, candidate: Candidate, likeness: tuple[int, Decimal | int | None]) -> Seat:
        table = self._tables[index]
        known = table.get(likeness)
        if known is None:
            found = self._choose(index, self._scenario.workloads[index], candidate)
            cards, headroom = candidate.cards, self._scenario.headroom
            if isinstance(found, Miss):
                known = seat_of(found.nearest, found.objections, cards, headroom, carried=False)
            else:
                known = seat_of(found, (), cards, headroom, carried=True)
            table[likeness] = known
        return known

    def _choose(self, index: int, workload: Workload, candidate: Candidate) -> Choice | Miss:
        sized = self._laid_out(index, workload, candidate)
        carried = [sizes for sizes in sized if sizes[0].verdict in CARRIED]
        if not carried:
            return self._not_carried(index, workload, candidate, sized)
        hosted = [sizes for sizes in carried if host_shortfall(sizes[0], candidate.system, workload.name) is None]
        if not hosted:
            nearest = carried[0][0]
            shortfall = host_shortfall(nearest, candidate.system, workload.name)
            return Miss(() if shortfall is None else (shortfall,), Choice(workload, nearest, None))
        roomy = [sizes for sizes in hosted if sizes[0].option.runs_in_parallel >= workload.runs_at_once]
        if not roomy:
            reasons = self._too_few_places(index, workload, candidate, [sizes[0] for sizes in hosted])
            return Miss(reasons, Choice(workload, hosted[0][0], None))
        fitting = [sizes for sizes in roomy if sizes[0].verdict is Verdict.FITS] or roomy
        choices = [self._best_size(index, workload, candidate, sizes) for sizes in fitting]
        timed = [choice for choice in choices if choice.timed is not None]
        in_time = [choice for choice in timed if choice.slow_run_h <= (workload.deadline_h or inf)]
        if timed and not in_time:
            return _too_late(workload, timed)
        return soonest(_usual(in_time or choices))

    def _laid_out(self, index: int, workload: Workload, candidate: Candidate) -> list[tuple[Sized, ...]]:
        """The workload in every layout worth trying; how fast cards and host are makes no difference here."""
        size = 0 if candidate.bridging is None else candidate.bridging.size
        key = (index, candidate.card.id, candidate.cards, size)
        known = self._layouts.get(key)
        if known is None:
            known = [self._sizer.sizes(index, option) for option in self._options(index, workload, candidate)]
            self._layouts[key] = known
        return known

    def _not_carried(
        self, index: int, workload: Workload, candidate: Candidate, sized: Sequence[Sequence[Sized]]
    ) -> Miss:
        """Why no layout holds the workload. What only the high end of an estimate rules out is timed all the same."""
        unsure = [
            self._best_size(index, workload, candidate, sizes)
            for sizes in sized
            if sizes[0].verdict is Verdict.UNCERTAIN and sizes[0].option.runs_in_parallel >= workload.runs_at_once
        ]
        if unsure:
            nearest = soonest([choice for choice in unsure if choice.timed is not None] or unsure)
        else:
            nearest = Choice(workload, min((sizes[0] for sizes in sized), key=_excess_bytes), None)
        return Miss(_memory_reasons(workload, candidate.card, nearest.sized), nearest)

    def _options(self, index: int, workload: Workload, candidate: Candidate) -> list[Option]:
        """Layouts worth trying. Sharding what one card holds with headroom would only add traffic."""
        card, cards = candidate.card, candidate.cards
        alone = layouts.single(card, cards)
        verdict = self._sizer.sizes(index, alone)[0].verdict
        options = [alone]
        if verdict in CARRIED:
            options += _useful_replicas(workload, layouts.replicas(card, cards))
        if verdict is not Verdict.FITS:
            options += layouts.sharded(card, cards)
            options += layouts.hybrid(card, cards, candidate.bridging, workload)
            options += layouts.tensor_parallel(card, cards, candidate.bridging, workload, self._scenario.stack)
        wants_mig = MustHave.MIG in self._scenario.must_have and workload.runs_per_month > 1
        if wants_mig or workload.runs_at_once > cards:
            options += layouts.instances(card, cards)
        return options

    def _best_size(self, index: int, workload: Workload, candidate: Candidate, sizes: Sequence[Sized]) -> Choice:
        """The smallest micro-batch that is as good as the largest: a larger one never takes longer per token."""
        option = sizes[0].option
        route = self._timer.route(candidate, option.layout)
        mig = None if option.mig is None else option.mig.name
        key = (
            *(index, option.layout, option.capacity_bytes, mig),
            *(candidate.card.id, candidate.power_cap_w, route.number, route.host),
        )
        known = self._best.get(key)
        if known is None:
            known = self._best_place(index, candidate, sizes, route)
            self._best[key] = known
        place, timed = known
        return Choice(workload, sizes[place], timed)

    def _best_place(
        self, index: int, candidate: Candidate, sizes: Sequence[Sized], route: Route
    ) -> tuple[int, Timed | None]:
        place = len(sizes) - 1
        if place:
            limit_h = self._timer.run_h(index, sizes[place], candidate, route) * SAME_TIME
            while place and self._timer.run_h(index, sizes[place - 1], candidate, route) <= limit_h:
                place -= 1
        return place, self._timer.timed(index, sizes[place], candidate, route)

    def _too_few_places(
        self, index: int, workload: Workload, candidate: Candidate, sizes: Sequence[Sized]
    ) -> tuple[Reason, ...]:
        most = max(size.option.runs_in_parallel for size in sizes)
        found = [
            reason(
                ReasonCode.RUNS_AT_ONCE,
                workload=workload.name,
                need_runs=workload.runs_at_once,
                limit_runs=most,
            )
        ]
        for option in layouts.instances(candidate.card, candidate.cards):
            smallest = self._sizer.sizes(index, option)[0]
            if smallest.verdict not in CARRIED:
                found.append(
                    reason(
                        ReasonCode.NO_SHARDING_ON_MIG,
                        workload=workload.name,
                        profile="" if option.mig is None else option.mig.name,
                        need_bytes=smallest.estimate.required.expected,
                        usable_bytes=option.capacity_bytes,
                    )
                )
        return tuple(found)


def _keys(scenario: Scenario, shelf: Shelf, failed_share: float | None) -> tuple[tuple[object, ...], ...]:
    """What of scenario and workload a seat depends on. Figures as they are written: it shows them."""
    settings = (
        repr(scenario.headroom),
        scenario.stack,
        shelf.number_of_runs(scenario.calibrations),
        MustHave.MIG in scenario.must_have,
        failed_share,
    )
    return tuple(
        (
            *work_key(workload),
            workload.name,
            str(workload.runs_per_month),
            workload.runs_at_once,
            repr(workload.deadline_h),
            *settings,
        )
        for workload in scenario.workloads
    )


def _useful_replicas(workload: Workload, options: Sequence[Option]) -> list[Option]:
    """Of the data-parallel groupings the widest, and the narrowest that leaves no group without a run.

    In between neither a run nor the month ends sooner than with one of them: the work is the same, the exchange grows.
    """
    most = max(float(workload.runs_per_month), 1.0)
    fed = [option for option in options if option.runs_in_parallel <= most]
    if not fed:
        return []
    return list(dict.fromkeys((fed[0], fed[-1])))


def soonest(choices: Sequence[Choice]) -> Choice:
    """The choice whose month is done first; among equals the one whose single run is, then the roomiest."""
    if len(choices) == 1:
        return choices[0]
    spans = [choice.span_h for choice in choices]
    limit = min(spans) * SAME_TIME
    quick = [choice for choice, span in zip(choices, spans, strict=True) if span <= limit]
    shortest = min([choice.run_h for choice in quick])
    return max(
        [choice for choice in quick if choice.run_h <= shortest * SAME_TIME],
        key=lambda choice: choice.sized.free_bytes,
    )


def _usual(choices: Sequence[Choice]) -> Sequence[Choice]:
    """Without tensor parallelism, unless it ends the month clearly sooner or nothing else carries the workload.

    Fewer training stacks offer it, and a small advantage is within the uncertainty of the times.
    """
    plain = [choice for choice in choices if choice.sized.option.layout.sharding is not Sharding.TENSOR]
    if not plain or len(plain) == len(choices):
        return choices
    first = min(choice.span_h for choice in choices)
    return choices if first < CLEARLY_SOONER * min(choice.span_h for choice in plain) else plain


def placement_of(choice: Choice, headroom: float) -> Placement:
    """The choice as it is shown; its cost is added when the plan's is known."""
    sized, timed = choice.sized, choice.timed
    return Placement(
        workload=choice.workload,
        layout=sized.option.layout,
        micro_batch=sized.micro_batch,
        estimate=sized.estimate,
        capacity_bytes=sized.option.capacity_bytes,
        verdict=sized.verdict,
        free_bytes=sized.free_bytes,
        mig=sized.option.mig,
        runs_in_parallel=sized.option.runs_in_parallel,
        step=None if timed is None else timed.step,
        tokens_per_second=None if timed is None else timed.run.tokens_per_second,
        hours_per_run=None if timed is None else timed.run.hours,
        cost_per_run=None,
        reasons=_remarks(choice, headroom),
    )


_DIVIDED_CODES = {
    Sharding.FSDP: ReasonCode.SHARDED,
    Sharding.HYBRID: ReasonCode.SHARDED_IN_ISLANDS,
    Sharding.TENSOR: ReasonCode.TENSOR_PARALLEL,
}


def _remarks(choice: Choice, headroom: float) -> tuple[Reason, ...]:
    sized, layout = choice.sized, choice.sized.option.layout
    if sized.verdict not in CARRIED:
        return ()
    found = []
    if sized.option.mig is not None:
        profile = sized.option.mig
        found.append(reason(ReasonCode.MIG_INSTANCES, instances=profile.instances, profile=profile.name))
    elif layout.sharding in DIVIDED and choice.timed is not None:
        step = choice.timed.step
        found.append(
            reason(
                _DIVIDED_CODES[layout.sharding],
                cards=layout.cards,
                group_cards=layout.shard_cards,
                link_bytes=step.link_bytes,
                link_s=step.lower_bound_link_s,
                step_s=step.total_s.expected,
            )
        )
    elif layout.sharding not in DIVIDED:
        found.append(reason(ReasonCode.HOLDS_WITHOUT_SHARDING, free_bytes=sized.free_bytes))
    if sized.verdict is Verdict.TIGHT:
        found.append(reason(ReasonCode.HEADROOM, free_bytes=sized.free_bytes, headroom=headroom))
    calibration = None if choice.timed is None else choice.timed.step.calibration
    if calibration is not None:
        found.append(
            reason(
                ReasonCode.CALIBRATED if calibration.alike else ReasonCode.CALIBRATED_ELSEWHERE,
                run=calibration.name,
                measured_tokens=round(calibration.measured_tokens_per_s),
                modelled_tokens=round(calibration.modelled_tokens_per_s),
            )
        )
    return tuple(found)


def _too_late(workload: Workload, choices: Sequence[Choice]) -> Miss:
    quickest = min(choices, key=lambda choice: choice.slow_run_h)
    limit_h = 0.0 if workload.deadline_h is None else workload.deadline_h
    late = reason(ReasonCode.DEADLINE, workload=workload.name, need_h=quickest.slow_run_h, limit_h=limit_h)
    return Miss((late,), quickest)


def _only_uncertain(choice: Choice) -> bool:
    """Whether a workload that is not carried would be done in time if its memory sufficed."""
    in_time = choice.timed is None or choice.slow_run_h <= (choice.workload.deadline_h or inf)
    return choice.sized.verdict is Verdict.UNCERTAIN and in_time


def _excess_bytes(sized: Sized) -> int:
    return sized.estimate.required.expected - sized.option.capacity_bytes


def _memory_reasons(workload: Workload, card: Card, nearest: Sized) -> tuple[Reason, ...]:
    required, capacity = nearest.estimate.required, nearest.option.capacity_bytes
    values: dict[str, str | int] = {
        "workload": workload.name,
        "need_bytes": required.expected,
        "usable_bytes": capacity,
    }
    if nearest.verdict is Verdict.UNCERTAIN:
        values |= {"need_bytes": required.high, "expected_bytes": required.expected}
    alone = not may_share_a_run(card)
    if alone:
        values["helps"] = MemoryHelp.ONE_CARD
    elif workload.recipe.method is Method.QLORA:
        values["helps"] = MemoryHelp.FOUR_BIT_ALREADY
    short = reason(ReasonCode.MEMORY, **values)
    if not alone:
        return (short,)
    return (short, reason(ReasonCode.NO_MULTI_CARD_EVIDENCE, card=card.id))
