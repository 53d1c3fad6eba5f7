"""Puts a served model on the cards it may have, in the layout that carries its load."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil

from engine.fit import CARRIED, SAFEST_FIRST, Verdict
from engine.hardware import Card, MigProfile
from engine.plan.types import ServingPlacement
from engine.reasons import Reason, ReasonCode, reason
from engine.serving.check import check_setup
from engine.serving.facts import ServingFacts
from engine.serving.formats import format_problem
from engine.serving.layouts import layouts_on, nvlink_group
from engine.serving.machine import ServingCard, serving_card
from engine.serving.memory import POOL_BAND, ServeMemory, StartProblem, serve_memory
from engine.serving.speed import ServeSpeed, serve_speed
from engine.serving.types import LoadKind, ServeLayout, ServeSetup
from engine.units import FloatBand
from engine.workload import ServingSharing, ServingWorkload

SAME_NIGHT = 1.1  # jobs closer than this are equally long
PLANNED_SHARE = "planned_share"  # assumption: share of the full-batch rate a steady load may use


@dataclass(frozen=True, slots=True)
class ServingHost:
    """The cards a model may be served on."""

    card: Card
    cards: int
    bridge_size: int | None = None
    rate_factor: float = 1.0  # matrix rate under a power cap
    mig: MigProfile | None = None  # then `cards` counts instances, and every copy has one

    @property
    def nvlink_cards(self) -> int:
        """Cards NVLink joins."""
        return 1 if self.mig is not None else nvlink_group(self.card, self.bridge_size, self.cards)

    def layouts(self) -> tuple[ServeLayout, ...]:
        """Layouts worth trying; an instance never joins a copy over several cards."""
        if self.mig is not None:
            return (ServeLayout(self.cards),)
        return layouts_on(self.cards, nvlink_cards=self.nvlink_cards)

    def serving_card(self, layout: ServeLayout) -> ServingCard:
        """A card as the formulas see it in a layout: joined by NVLink only within a group."""
        joined = 1 < layout.tensor <= self.nvlink_cards
        found = serving_card(self.card, bridged=joined, mig=self.mig, rate_factor=self.rate_factor)
        return found if joined else replace(found, nvlink_b_per_s=None)


@dataclass(frozen=True, slots=True)
class _Judged:
    """A layout with what it carries."""

    layout: ServeLayout
    memory: ServeMemory
    speed: ServeSpeed | None
    users: float | None
    night_h: FloatBand | None
    verdict: Verdict
    reasons: tuple[Reason, ...]


def serve_on(workload: ServingWorkload, host: ServingHost, headroom: float, facts: ServingFacts) -> ServingPlacement:
    """The best layout for the load on these cards; the nearest miss, with its reasons, where none carries it.

    Raises `InvalidInputError` for a setup that is out of range.
    """
    setup = workload.setup
    check_setup(setup)
    problem = format_problem(setup.weights, setup.cache, setup.engine, host.card)
    judged = [_judge(workload, host, layout, headroom, facts) for layout in host.layouts()]
    best = _best(judged, setup)
    if problem is not None:
        refusal = reason(ReasonCode.SERVING_FORMAT, workload=workload.name, card=host.card.id, problem=problem.value)
        best = replace(best, verdict=Verdict.NO, reasons=(refusal,))
    return _placement(workload, host, best)


def fewest_cards(
    workload: ServingWorkload, host: ServingHost, headroom: float, facts: ServingFacts
) -> ServingPlacement | None:
    """The placement with the fewest of the host's cards or instances that carries the load; None when none does."""
    for cards in range(1, host.cards + 1):
        found = serve_on(workload, replace(host, cards=cards), headroom, facts)
        if found.verdict in CARRIED:
            return found
    return None


def _best(judged: Sequence[_Judged], setup: ServeSetup) -> _Judged:
    """The first layout, in the order of preference, with the best verdict.

    For a night's job another one that is quicker by more than the formula's own grain.
    """
    top = min((SAFEST_FIRST.index(entry.verdict) for entry in judged), default=0)
    equals = [entry for entry in judged if SAFEST_FIRST.index(entry.verdict) == top]
    if SAFEST_FIRST[top] not in CARRIED:
        return max(equals, key=lambda entry: (entry.memory.starts, entry.memory.card.cache))
    first = equals[0]
    if setup.load.kind is not LoadKind.BATCH:
        return first
    quickest = min(equals, key=_night)
    return quickest if _night(quickest) * SAME_NIGHT < _night(first) else first


def _night(entry: _Judged) -> float:
    return 0.0 if entry.night_h is None else entry.night_h.expected


def _judge(
    workload: ServingWorkload, host: ServingHost, layout: ServeLayout, headroom: float, facts: ServingFacts
) -> _Judged:
    setup, name = workload.setup, workload.name
    card = host.serving_card(layout)
    memory = serve_memory(setup, card, facts, layout)
    if not memory.starts:
        why = _no_start(name, memory)
        return _Judged(layout, memory, None, None, None, Verdict.NO, why)
    users = float(setup.load.users) if setup.load.kind is LoadKind.USERS else None
    speed = serve_speed(setup, card, memory, facts, layout, users)
    match setup.load.kind:
        case LoadKind.USERS:
            verdict, why = _judge_users(name, memory, layout, headroom, float(setup.load.users))
        case LoadKind.RATE:
            users = _users_at_rate(setup, card, memory, facts, layout)
            speed = serve_speed(setup, card, memory, facts, layout, users)
            verdict, why = _judge_rate(name, setup, speed, facts)
        case LoadKind.BATCH:
            verdict, why = _judge_night(name, setup, speed)
    verdicts = [verdict]
    reasons = [*why]
    if setup.load.kind is not LoadKind.BATCH:
        limited, more = _judge_limits(name, setup, speed)
        verdicts.append(limited)
        reasons += more
    if speed is None:
        reasons.append(reason(ReasonCode.SERVING_NOT_STATED, workload=name))
    worst = max(verdicts, key=SAFEST_FIRST.index)
    if worst in CARRIED and host.mig is None:  # copies in instances neither fill a card nor stand alone on it
        reasons.append(_layout_reason(name, layout))
    night = None if speed is None or setup.load.kind is not LoadKind.BATCH else night_hours(setup, speed)
    return _Judged(layout, memory, speed, users, night, worst, tuple(reasons))


def _no_start(name: str, memory: ServeMemory) -> tuple[Reason, ...]:
    problem = memory.problems[0]
    sizes: dict[str, int] = {}
    if problem is StartProblem.WEIGHTS:
        need = memory.card.start_up
        sizes = {"need_bytes": need, "limit_bytes": need - memory.short_bytes}
    return (reason(ReasonCode.SERVING_START, workload=name, problem=problem.value, **sizes),)


def _judge_users(
    name: str, memory: ServeMemory, layout: ServeLayout, headroom: float, users: float
) -> tuple[Verdict, tuple[Reason, ...]]:
    """Requests at once at mean length against the users: with headroom FITS, without TIGHT.

    The pool's own uncertainty decides between TIGHT and UNCERTAIN.
    """
    room = memory.sequences_mean * layout.replicas
    if room >= ceil(users * (1 + headroom)):
        return Verdict.FITS, ()
    objection = reason(ReasonCode.SERVING_USERS, workload=name, need_users=round(users), limit_users=room)
    if room < users:
        return Verdict.NO, (objection,)
    if room * (1 - POOL_BAND) >= users or room == memory.max_sequences * layout.replicas:
        short = reason(ReasonCode.SERVING_USERS, **dict(objection.values), headroom=headroom)
        return Verdict.TIGHT, (short,)
    return Verdict.UNCERTAIN, (objection,)


def _judge_rate(
    name: str, setup: ServeSetup, speed: ServeSpeed | None, facts: ServingFacts
) -> tuple[Verdict, tuple[Reason, ...]]:
    """The rate's tokens against what a steady load may use of a full batch, at the slow end for FITS."""
    if speed is None:
        return Verdict.UNCERTAIN, ()
    usable = facts.assumptions[PLANNED_SHARE].value
    need = setup.load.requests_per_s * setup.lengths.output_mean
    capacity = speed.full.tokens_per_s
    if need <= usable * capacity.low:
        return Verdict.FITS, ()
    sure = need <= usable * capacity.expected
    limit = usable * (capacity.low if sure else capacity.expected)
    objection = reason(ReasonCode.SERVING_THROUGHPUT, workload=name, need_rate=need, limit_rate=limit)
    return (Verdict.TIGHT if sure else Verdict.NO), (objection,)


def _users_at_rate(
    setup: ServeSetup, card: ServingCard, memory: ServeMemory, facts: ServingFacts, layout: ServeLayout
) -> float | None:
    """Requests in flight at which the copies deliver the rate's tokens (Little's law at the model's own latency)."""
    need = setup.load.requests_per_s * setup.lengths.output_mean
    low, high = 1, max(1, memory.sequences_mean * layout.replicas)
    while low < high:
        middle = (low + high) // 2
        speed = serve_speed(setup, card, memory, facts, layout, float(middle))
        if speed is None or speed.planned is None:
            return None
        if speed.planned.tokens_per_s.expected >= need:
            high = middle
        else:
            low = middle + 1
    return float(low)


def night_hours(setup: ServeSetup, speed: ServeSpeed) -> FloatBand:
    """Hours of the nightly job at a full batch."""
    tokens = setup.load.requests_per_night * setup.lengths.output_mean
    rate = speed.full.tokens_per_s
    return FloatBand(*(tokens / per_s / 3600 for per_s in (rate.high, rate.expected, rate.low)))


def _judge_night(name: str, setup: ServeSetup, speed: ServeSpeed | None) -> tuple[Verdict, tuple[Reason, ...]]:
    if speed is None:
        return Verdict.UNCERTAIN, ()
    hours, limit = night_hours(setup, speed), setup.load.night_h
    if hours.high <= limit:
        return Verdict.FITS, ()
    sure = hours.expected <= limit
    need = hours.high if sure else hours.expected
    objection = reason(ReasonCode.SERVING_NIGHT, workload=name, need_h=need, limit_h=limit)
    return (Verdict.TIGHT if sure else Verdict.NO), (objection,)


def _judge_limits(name: str, setup: ServeSetup, speed: ServeSpeed | None) -> tuple[Verdict, list[Reason]]:
    """Tokens/s per user at the slow end, and the computed prompt as the least the first token takes."""
    limits = setup.limits
    if limits.first_token_s is None and limits.tokens_per_s_per_user is None:
        return Verdict.FITS, []
    if speed is None or speed.planned is None:
        return Verdict.UNCERTAIN, []
    verdict, found = Verdict.FITS, []
    wanted = limits.tokens_per_s_per_user
    each = speed.planned.tokens_per_s_per_user
    if wanted is not None and each.low < wanted:
        sure = each.expected >= wanted
        verdict = Verdict.TIGHT if sure else Verdict.NO
        limit = each.low if sure else each.expected
        found.append(reason(ReasonCode.SERVING_USER_RATE, workload=name, need_rate=wanted, limit_rate=limit))
    if limits.first_token_s is not None and speed.prefill_s > limits.first_token_s:
        verdict = Verdict.NO
        found.append(
            reason(ReasonCode.SERVING_FIRST_ANSWER, workload=name, need_s=speed.prefill_s, limit_s=limits.first_token_s)
        )
    return verdict, found


def _layout_reason(name: str, layout: ServeLayout) -> Reason:
    several = {"copies": layout.replicas} if layout.replicas > 1 else {}
    if layout.tensor > 1:
        return reason(ReasonCode.SERVING_TENSOR, workload=name, ranks=layout.tensor, **several)
    if layout.pipeline > 1:
        return reason(ReasonCode.SERVING_PIPELINE, workload=name, stages=layout.pipeline, **several)
    return reason(ReasonCode.SERVING_REPLICAS, workload=name, **several)


def _placement(workload: ServingWorkload, host: ServingHost, best: _Judged) -> ServingPlacement:
    cards = host.cards if host.mig is None else ceil(host.cards / host.mig.instances)
    hours, tokens = _month(workload, best)
    room = max(best.memory.sequences_mean * best.layout.replicas, 1)
    least = max(best.memory.sequences_max, 1)  # a queue takes what there is and needs one request of the longest
    used = 1 / least if best.users is None else min(best.users / room, 1.0)
    return ServingPlacement(
        workload=workload,
        layout=best.layout,
        cards=cards,
        mig=host.mig,
        memory=best.memory,
        speed=best.speed,
        users=best.users,
        free_bytes=int(best.memory.card.cache * (1 - used)),
        verdict=best.verdict,
        sharing=None if host.mig is None else ServingSharing.MIG,
        hours_per_month=hours,
        tokens_per_month=tokens,
        night_h=best.night_h,
        cost_per_million_tokens=None,
        reasons=best.reasons,
    )


def _month(workload: ServingWorkload, best: _Judged) -> tuple[FloatBand, FloatBand | None]:
    """Hours its cards are taken in a month, and the output tokens of a month."""
    setup, days = workload.setup, workload.days_per_month
    if setup.load.kind is LoadKind.BATCH:
        tokens = float(setup.load.requests_per_night * setup.lengths.output_mean) * days
        night = best.night_h or FloatBand(setup.load.night_h, setup.load.night_h, setup.load.night_h)
        return FloatBand(night.low * days, night.expected * days, night.high * days), FloatBand(tokens, tokens, tokens)
    hours = workload.service_h_per_day * days
    taken = FloatBand(hours, hours, hours)
    if setup.load.kind is LoadKind.RATE:
        tokens = setup.load.requests_per_s * setup.lengths.output_mean * hours * 3600
        return taken, FloatBand(tokens, tokens, tokens)
    if best.speed is None or best.speed.planned is None:
        return taken, None
    busy_s = hours * 3600 * workload.utilisation
    rate = best.speed.planned.tokens_per_s
    return taken, FloatBand(rate.low * busy_s, rate.expected * busy_s, rate.high * busy_s)
