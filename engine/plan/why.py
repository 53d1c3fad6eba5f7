"""Why a plan stands where it stands: its ground under the priority, and what every other plan costs or saves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import NamedTuple

from engine.fit import Verdict
from engine.plan.purchase import PriceClass
from engine.plan.rank import SAME_TIME_SHARE, Contender
from engine.plan.types import Placement, Plan
from engine.reasons import Reason, ReasonCode, reason
from engine.workload import Priority, Scenario

SERVING_LIMITS = frozenset(
    {
        ReasonCode.SERVING_USERS,
        ReasonCode.SERVING_USER_RATE,
        ReasonCode.SERVING_THROUGHPUT,
        ReasonCode.SERVING_NIGHT,
    }
)
SHOWN_CHEAPER = 3  # cheaper cards named on the recommendation, cheapest first
SHOWN_DIGITS = 2  # times that agree in these count as equally long, so that nothing takes "15 s instead of 15 s"


def with_reasons(ordered: Sequence[Contender], unsure: Sequence[Contender], scenario: Scenario) -> list[Plan]:
    """Every plan of the order with its grounds before its remarks.

    `unsure` are plans that only the high end of a memory estimate rules out: not ranked, but named where cheaper.
    """
    if not ordered:
        return []
    chosen = ordered[0]
    own = grounds(chosen, (*ordered[1:], *unsure), scenario)
    plans = [replace(chosen.plan, reasons=(*own, *_tightness(chosen.plan, scenario), *chosen.plan.reasons))]
    for other in ordered[1:]:
        first = (relation(other, chosen), *_tightness(other.plan, scenario), *_tight_serving(other.plan))
        plans.append(replace(other.plan, reasons=(*first, *other.plan.reasons)))
    return plans


def _tightness(plan: Plan, scenario: Scenario) -> tuple[Reason, ...]:
    """A plan whose runs fit tightly stands behind every roomy one, whatever else speaks for it."""
    free = [placement.free_bytes for placement in plan.placements if placement.verdict is Verdict.TIGHT]
    if plan.verdict is not Verdict.TIGHT or not free:
        return ()
    return (reason(ReasonCode.HEADROOM, free_bytes=min(free), headroom=scenario.headroom),)


def _tight_serving(plan: Plan) -> tuple[Reason, ...]:
    """What is not sure of the served models of a plan that is not chosen; the chosen one's stand with its serving."""
    tight = [entry for entry in plan.serving if entry.verdict is Verdict.TIGHT]
    return tuple(item for entry in tight for item in entry.reasons if item.code in SERVING_LIMITS)


def grounds(chosen: Contender, others: Sequence[Contender], scenario: Scenario) -> tuple[Reason, ...]:
    """What put the first plan first, and the cheaper choices with the seconds per step they cost."""
    return (_ground(chosen, scenario), *_set_aside(chosen, others, scenario), *_cheaper_choices(chosen, others))


def _set_aside(chosen: Contender, others: Sequence[Contender], scenario: Scenario) -> tuple[Reason, ...]:
    """The best of what is as safe and better under the priority, but unproven by place or price.

    Without it "of all systems" would be contradicted by the alternatives beside it.
    """
    unproven = [
        other
        for other in others
        if other.plan.verdict is chosen.plan.verdict
        and (other.unchecked, other.price_class) > (chosen.unchecked, chosen.price_class)
    ]
    if scenario.priority is Priority.TIME and scenario.budget is not None:
        timed = [(other.done_h, index) for index, other in enumerate(unproven) if other.done_h is not None]
        if timed and chosen.done_h is not None and min(timed)[0] < chosen.done_h * (1 - SAME_TIME_SHARE):
            return (reason(ReasonCode.FASTER_SET_ASIDE, other=label(unproven[min(timed)[1]].plan)),)
    if scenario.priority is Priority.PURCHASE_PRICE:
        cheaper = [other for other in unproven if other.price_class == chosen.price_class]
        least = min(cheaper, key=lambda other: other.price, default=chosen)
        if least.price < chosen.price:
            return (reason(ReasonCode.CHEAPER_SET_ASIDE, other=label(least.plan)),)
    return ()


def _ground(chosen: Contender, scenario: Scenario) -> Reason:
    currency = scenario.currency
    need_h = 0.0 if chosen.done_h is None else chosen.done_h
    if chosen.price_class is PriceClass.WITHOUT_CARDS:
        return reason(ReasonCode.NONE_PRICED)
    match scenario.priority:
        case Priority.PURCHASE_PRICE:
            if chosen.plan.price.gaps:  # a sum with a sibling's price in it is never printed as a price
                return reason(ReasonCode.CHEAPEST, stand_ins=1)
            return reason(ReasonCode.CHEAPEST, price_amount=float(chosen.price), currency=currency)
        case Priority.COST_PER_RUN:
            if chosen.cost_per_month is None:
                return reason(ReasonCode.LOWEST_COST_PER_RUN)
            runs = sum((item.workload.runs_per_month for item in chosen.plan.placements), Decimal(0))
            per_run = chosen.cost_per_month / runs if runs else chosen.cost_per_month
            stand_ins = int(bool(chosen.plan.price.gaps))
            return reason(
                ReasonCode.LOWEST_COST_PER_RUN, run_amount=float(per_run), currency=currency, stand_ins=stand_ins
            )
        case Priority.TIME:
            if scenario.budget is not None or chosen.waiting_per_hour is None:
                return reason(ReasonCode.FASTEST, need_h=need_h)
            hour = float(chosen.waiting_per_hour)
            years = scenario.horizon_years
            return reason(
                ReasonCode.BEST_TIME_FOR_MONEY, need_h=need_h, hour_amount=hour, currency=currency, years=years
            )


def _cheaper_choices(chosen: Contender, others: Sequence[Contender]) -> tuple[Reason, ...]:
    """The cheapest plan of every card that undercuts the chosen one, where it is slower.

    One that may not fit hides none that does.
    """
    cheapest: dict[tuple[str, bool], Contender] = {}
    for other in others:
        key = (other.plan.card.id, other.plan.verdict is Verdict.UNCERTAIN)
        known = cheapest.get(key)
        if other.price_class == chosen.price_class and (known is None or other.price < known.price):
            cheapest[key] = other
    relations = [relation(other, chosen) for other in sorted(cheapest.values(), key=lambda item: item.price)]
    return tuple(item for item in relations if item.code is ReasonCode.CHEAPER_BUT_SLOWER)[:SHOWN_CHEAPER]


def relation(other: Contender, chosen: Contender) -> Reason:
    """What another plan costs or saves against the chosen one, in money and in seconds of the heaviest workload's step.

    Seconds are for the same number of tokens, so that layouts with other batches compare; plans that run differently
    many side by side compare by the hours after which the month's runs are done. `stand_ins` is 1 where an
    item is on request on one side only, so that the difference rests on the prices used for ordering.
    """
    name = label(other.plan)
    pair = _heaviest_pair(other.plan, chosen.plan)
    if pair is None or other.price_class != chosen.price_class:
        return reason(ReasonCode.ALTERNATIVE, other=name)
    mine, theirs = pair
    times = _times(other, chosen, theirs, mine)
    if times is None:
        return reason(ReasonCode.ALTERNATIVE, other=name)
    difference = float(other.price - chosen.price)
    code = _code(difference, times)
    said: dict[str, str | int | float] = {
        **times.values,
        "stand_ins": int(gaps_of(other.plan) != gaps_of(chosen.plan)),
        "other": name,
        "currency": chosen.plan.price.priced.currency,
    }
    if code is ReasonCode.ALTERNATIVE:
        return reason(code, **said, **({"even_amount": difference} if difference > 0 else {}))
    if code is ReasonCode.CHEAPER_BUT_SLOWER:
        return reason(code, saving_amount=-difference, **said, **_doubt(theirs))
    return reason(code, extra_amount=difference, **said)


class _Times(NamedTuple):
    """How long both plans take for the same work, and how that is said."""

    own: float
    other: float
    values: Mapping[str, str | float]


def _times(other: Contender, chosen: Contender, theirs: Placement, mine: Placement) -> _Times | None:
    """Seconds of a step, or the hours of the month where one plan runs more side by side: a step tells nothing then."""
    if mine.runs_in_parallel != theirs.runs_in_parallel:
        if chosen.done_h is None or other.done_h is None:
            return None
        return _Times(chosen.done_h, other.done_h, {"other_need_h": other.done_h, "need_h": chosen.done_h})
    step_s, other_step_s = _step_s(mine, mine), _step_s(theirs, mine)
    if step_s is None or other_step_s is None:
        return None
    seconds = {"other_step_s": other_step_s, "step_s": step_s}
    return _Times(step_s, other_step_s, {"workload": mine.workload.name, **seconds})


def _code(difference: float, times: _Times) -> ReasonCode:
    alike = reads_alike(times.own, times.other)
    slower, faster = not alike and times.other > times.own, not alike and times.other < times.own
    if difference < 0 and slower:
        return ReasonCode.CHEAPER_BUT_SLOWER
    if difference > 0 and faster:
        return ReasonCode.DEARER_BUT_FASTER
    if difference > 0 and slower:
        return ReasonCode.DEARER_AND_SLOWER
    return ReasonCode.ALTERNATIVE


def reads_alike(one: float, other: float) -> bool:
    """Whether two durations read as equally long."""
    return f"{one:.{SHOWN_DIGITS}g}" == f"{other:.{SHOWN_DIGITS}g}"


def _doubt(placement: Placement) -> dict[str, int]:
    """What a run may need at most, where that is more than there is."""
    if placement.verdict is not Verdict.UNCERTAIN:
        return {}
    return {"need_bytes": placement.estimate.required.high, "usable_bytes": placement.capacity_bytes}


def label(plan: Plan) -> str:
    """A plan in a few characters: count and edition."""
    return f"{plan.cards} × {plan.card.short_name}"


def gaps_of(plan: Plan) -> dict[str, int]:
    """Quantities on request, whether or not a sibling's price stands in for them."""
    return {item.item_id: item.quantity for item in plan.price.positions if item.unit.net is None}


def _heaviest_pair(other: Plan, chosen: Plan) -> tuple[Placement, Placement] | None:
    """The chosen plan's busiest workload on both plans."""
    timed = [
        (placement.hours_per_run.expected * float(placement.workload.runs_per_month), index)
        for index, placement in enumerate(chosen.placements)
        if placement.hours_per_run is not None
    ]
    if not timed:
        return None
    _, index = max(timed)
    return chosen.placements[index], other.placements[index]


def _step_s(placement: Placement, reference: Placement) -> float | None:
    """Seconds this placement takes for the tokens of one step of the reference."""
    if placement.step is None or reference.step is None:
        return None
    return placement.step.total_s.expected * reference.step.tokens_per_step / placement.step.tokens_per_step
