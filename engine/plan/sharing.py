"""Judges candidates that train and serve: every way to share the cards is tried, the one done first is kept."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal

from engine.cost.exact import exact
from engine.cost.plan_costs import PlanCosts
from engine.facts import Facts
from engine.fit import SAFEST_FIRST
from engine.hardware import Bridging
from engine.plan.candidates import Candidate
from engine.plan.judgement import Judge
from engine.plan.load import MONTH_H, MonthLoad, month_load
from engine.plan.placement import Placed, Placer, costed_run, load_of
from engine.plan.rank import Contender
from engine.plan.serving import NOTHING, ServingPlanner, Way, serving_hours
from engine.plan.types import Plan, Rejection, ServingPlacement
from engine.reasons import Reason, ReasonCode, reason
from engine.units import FloatBand, Money, MoneyBand, round_money
from engine.workload import MustHave, Scenario, Workload

MILLION = Decimal(1_000_000)
_NOTHING_TRAINED = Placed((), (), (), uncertain=False, loads=(), month=None, runs=())


@dataclass(frozen=True, slots=True)
class _Trained:
    """What a way leaves training with: placed, and the month over the whole machine."""

    placed: Placed
    month: MonthLoad | None
    objections: tuple[Reason, ...]


class SharingJudge(Judge):
    """Judges the candidates of a scenario that serves; not shared between threads."""

    def __init__(self, scenario: Scenario, facts: Facts) -> None:
        super().__init__(scenario, facts)
        self._serving = ServingPlanner(scenario, facts)
        self._facts = facts
        self._instance_placers: dict[int, Placer] = {}

    def judge(self, candidate: Candidate) -> Contender | Rejection:
        """The best way to share the candidate; or why none carries everything."""
        best: Contender | None = None
        refused: Rejection | None = None
        for way in self._serving.ways(candidate):
            outcome = self._judge_way(candidate, way)
            if isinstance(outcome, Rejection):
                refused = refused or outcome
            elif best is None or _standing(outcome) < _standing(best):
                best = outcome
        if best is not None:
            return best
        nothing = reason(ReasonCode.MUST_HAVE, card=candidate.card.id, feature=MustHave.MIG.value)
        return refused or Rejection(candidate.card, candidate.cards, candidate.system, (nothing,))

    def unsure(self, candidate: Candidate) -> Contender | None:  # noqa: ARG002  the signature is the base's
        """None: a plan that serves is not shown beyond its uncertainty."""
        return None

    def _judge_way(self, candidate: Candidate, way: Way) -> Contender | Rejection:
        if way.objections:
            return Rejection(candidate.card, candidate.cards, candidate.system, way.objections, serving=way.placements)
        trained = self._train(candidate, way)
        if trained.objections:
            return _rejected(candidate, trained.objections, trained.placed, way)
        purchase = self._prices.purchase(candidate)
        objections = tuple(self._over_budget(purchase))
        if objections:
            return _rejected(candidate, objections, trained.placed, way)
        placed = _over(trained.placed, candidate.cards)
        contender = self._contender(candidate, placed, purchase, trained.month)
        costs = self._costs(candidate, placed, purchase, trained.month)
        return replace(contender, plan=_with_serving(contender.plan, way.placements, costs))

    def _train(self, candidate: Candidate, way: Way) -> _Trained:
        """Training on what the way leaves; the month holds both loads, over the whole machine."""
        served = serving_hours(way.placements, candidate.cards)
        if not self._scenario.workloads:
            return _Trained(_NOTHING_TRAINED, MonthLoad(served, NOTHING), ())
        if way.profile is None:
            placed = self._placer.place(_with_cards(candidate, way.training_cards))
        else:
            placed = self._in_instances(candidate, way)
        if placed.objections:
            return _Trained(placed, None, placed.objections)
        loads = placed.loads
        if loads is None:
            return _Trained(placed, None, ())
        own = month_load(loads, way.training_cards)
        if own.done_h.expected > way.training_h:
            late = reason(ReasonCode.LOAD, need_h=own.done_h.expected, limit_h=way.training_h)
            return _Trained(placed, None, (late,))
        share = way.training_cards / candidate.cards
        stretch = MONTH_H / way.training_h
        month = MonthLoad(_sum(own.busy_h.scaled(share), served), own.done_h.scaled(stretch))
        return _Trained(placed, month, ())

    def _in_instances(self, candidate: Candidate, way: Way) -> Placed:
        """Every run in an instance of the profile, in those that serving leaves."""
        placer = self._instance_placers.get(candidate.cards)
        if placer is None:
            workloads = tuple(_more_than(workload, candidate.cards) for workload in self._scenario.workloads)
            must_have = self._scenario.must_have | {MustHave.MIG}
            placer = Placer(replace(self._scenario, workloads=workloads, must_have=must_have), self._facts)
            self._instance_placers[candidate.cards] = placer
        placed = placer.place(candidate)
        if placed.objections:
            return placed
        choices = []
        for choice, workload in zip(placed.choices, self._scenario.workloads, strict=True):
            option = choice.sized.option
            left = option.runs_in_parallel - way.instances_taken
            if option.mig != way.profile or left < workload.runs_at_once:
                short = reason(ReasonCode.SERVING_CARDS, workload=workload.name)
                return replace(placed, objections=(short,))
            sized = replace(choice.sized, option=replace(option, runs_in_parallel=left))
            choices.append(replace(choice, workload=workload, sized=sized))
        placements = tuple(
            replace(placement, workload=choice.workload, runs_in_parallel=choice.sized.option.runs_in_parallel)
            for placement, choice in zip(placed.placements, choices, strict=True)
        )
        loads = [load for choice in choices if (load := load_of(choice)) is not None]
        known = len(loads) == len(choices)
        return replace(placed, choices=tuple(choices), placements=placements, loads=tuple(loads) if known else None)


def _over(placed: Placed, cards: int) -> Placed:
    """What was placed, costed over the whole machine: serving has the other cards."""
    return replace(placed, runs=tuple(costed_run(load, cards) for load in placed.loads or ()))


def _with_serving(plan: Plan, placements: tuple[ServingPlacement, ...], costs: PlanCosts | None) -> Plan:
    """The plan with what it serves: its verdict is the worst of both, its free bytes the least."""
    verdicts = [*(entry.verdict for entry in plan.placements), *(entry.verdict for entry in placements)]
    free = [*(entry.free_bytes for entry in plan.placements), *(entry.free_bytes for entry in placements)]
    return replace(
        plan,
        serving=tuple(replace(entry, cost_per_million_tokens=_token_cost(entry, plan, costs)) for entry in placements),
        verdict=max(verdicts, key=SAFEST_FIRST.index),
        free_bytes=min(free),
    )


def _token_cost(entry: ServingPlacement, plan: Plan, costs: PlanCosts | None) -> MoneyBand | None:
    """Its hours of the machine at the cost of a useful hour, over its output tokens.

    Low is the fast end: the fewest hours and the most tokens.
    """
    tokens = entry.tokens_per_month
    if costs is None or costs.per_useful_hour is None or tokens is None:
        return None
    hours = serving_hours((entry,), plan.cards)
    per_hour = costs.per_useful_hour

    def per_million(taken_h: float, count: float) -> Money:
        return Money(round_money(per_hour.amount * exact(taken_h) * MILLION / exact(count)), per_hour.currency)

    if min(tokens.low, tokens.expected, tokens.high) <= 0:
        return None
    return MoneyBand(
        per_million(hours.low, tokens.high),
        per_million(hours.expected, tokens.expected),
        per_million(hours.high, tokens.low),
    )


def _standing(contender: Contender) -> tuple[int, float]:
    """Roomy before tight, then the month that is done first."""
    return SAFEST_FIRST.index(contender.plan.verdict), contender.done_h or 0.0


def _with_cards(candidate: Candidate, cards: int) -> Candidate:
    """The candidate's cards that are left for training; bridges only where they still make whole groups."""
    if cards == candidate.cards:
        return candidate
    bridging = candidate.bridging
    if bridging is not None:
        whole = cards // bridging.size
        bridging = Bridging(bridging.size, whole, whole) if whole and cards % bridging.size == 0 else None
    return replace(candidate, cards=cards, bridging=bridging)


def _more_than(workload: Workload, cards: int) -> Workload:
    """The workload with more runs at once than cards, so that nothing but instances holds them."""
    return replace(workload, runs_at_once=max(workload.runs_at_once, cards + 1))


def _rejected(candidate: Candidate, objections: tuple[Reason, ...], placed: Placed, way: Way) -> Rejection:
    return Rejection(
        candidate.card, candidate.cards, candidate.system, objections, placed.placements, serving=way.placements
    )


def _sum(one: FloatBand, other: FloatBand) -> FloatBand:
    return FloatBand(one.low + other.low, one.expected + other.expected, one.high + other.high)
