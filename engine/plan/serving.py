"""How what is served shares the cards of a candidate with what is trained: by time, by card, or by MIG instance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from engine.facts import Facts
from engine.fit import CARRIED
from engine.hardware import MigProfile
from engine.plan.candidates import Candidate
from engine.plan.load import MONTH_H
from engine.plan.types import ServingPlacement
from engine.reasons import Reason, ReasonCode, reason
from engine.serving.place import ServingHost, fewest_cards, serve_on
from engine.serving.types import LoadKind
from engine.speed.power import power_factor
from engine.units import FloatBand
from engine.workload import Scenario, ServingSharing, ServingWorkload

NOTHING = FloatBand(0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Way:
    """One way to share a candidate. With objections it is none, and they say why."""

    placements: tuple[ServingPlacement, ...]
    objections: tuple[Reason, ...]
    training_cards: int  # left for training
    training_h: float  # of the month left for training
    profile: MigProfile | None = None  # instances that training has to share
    instances_taken: int = 0


class ServingPlanner:
    """Places every served model of one scenario on a candidate; not shared between threads."""

    def __init__(self, scenario: Scenario, facts: Facts) -> None:
        self._rows = scenario.serving
        self._trains = bool(scenario.workloads)
        self._headroom = scenario.headroom
        self._facts = facts
        self._ways: dict[tuple[object, ...], tuple[Way, ...]] = {}

    def ways(self, candidate: Candidate) -> tuple[Way, ...]:
        """Every way that carries all rows; when there is none, the ways that fail, with their reasons."""
        bridge = None if candidate.bridging is None else candidate.bridging.size
        key = (candidate.card.id, candidate.cards, candidate.power_cap_w, bridge)
        known = self._ways.get(key)
        if known is None:
            tried = tuple(self._try(candidate, bridge))
            known = tuple(way for way in tried if not way.objections) or tried
            self._ways[key] = known
        return known

    def _host(self, candidate: Candidate, bridge: int | None) -> ServingHost:
        factor, _ = power_factor(candidate.card, candidate.power_cap_w, self._facts.speed)
        return ServingHost(candidate.card, candidate.cards, bridge, factor)

    def _try(self, candidate: Candidate, bridge: int | None) -> Iterator[Way]:
        host = self._host(candidate, bridge)
        if not self._trains:
            yield self._by_cards(host, training=False)
            return
        wanted = {row.sharing for row in self._rows} - {ServingSharing.AUTO}
        if not wanted or wanted == {ServingSharing.TIME}:
            yield self._by_time(host)
        if not wanted or wanted == {ServingSharing.CARDS}:
            yield self._by_cards(host, training=True)
        if not wanted or wanted == {ServingSharing.MIG}:
            for profile in candidate.card.mig:
                if profile.instances > 1:
                    yield self._by_instances(host, profile)
        if len(wanted) > 1:
            mixed = tuple(reason(ReasonCode.SERVING_CARDS, workload=row.name) for row in self._rows)
            yield Way((), mixed, 0, 0.0)

    def _by_time(self, host: ServingHost) -> Way:
        """Served side by side in the service hours, jobs one after another at night; training has the other hours."""
        steady = [row for row in self._rows if row.setup.load.kind is not LoadKind.BATCH]
        nightly = [row for row in self._rows if row.setup.load.kind is LoadKind.BATCH]
        placed, objections = self._own_cards(steady, host)
        jobs = [serve_on(row, host, self._headroom, self._facts.serving) for row in nightly]
        objections += [item for job in jobs if job.verdict not in CARRIED for item in job.reasons]
        day_h = max((entry.hours_per_month.expected for entry in placed), default=0.0)
        taken_h = day_h + sum(job.hours_per_month.expected for job in jobs)
        left_h = MONTH_H - taken_h
        if not objections and left_h <= 0:
            objections = [reason(ReasonCode.SERVING_CARDS, workload=row.name) for row in self._rows]
        shared = [
            _shared(
                entry,
                ServingSharing.TIME,
                reason(
                    ReasonCode.SHARED_BY_TIME,
                    workload=entry.workload.name,
                    serving_h=taken_h,
                    training_h=max(left_h, 0),
                ),
            )
            for entry in _in_order(self._rows, [*placed, *jobs])
        ]
        return Way(tuple(shared), tuple(objections), host.cards, max(left_h, 0.0))

    def _by_cards(self, host: ServingHost, *, training: bool) -> Way:
        """Every served model on the fewest cards of its own; training has the others all month."""
        placed, objections = self._own_cards(self._rows, host)
        left = host.cards - sum(entry.cards for entry in placed)
        if training and not objections and left < 1:
            objections = [reason(ReasonCode.SERVING_CARDS, workload=row.name) for row in self._rows]
        shared = tuple(placed)
        if training:
            shared = tuple(
                _shared(
                    entry,
                    ServingSharing.CARDS,
                    reason(
                        ReasonCode.SHARED_BY_CARDS,
                        workload=entry.workload.name,
                        serving_cards=entry.cards,
                        training_cards=left,
                    ),
                )
                for entry in placed
            )
        return Way(shared, tuple(objections), max(left, 0), MONTH_H)

    def _by_instances(self, host: ServingHost, profile: MigProfile) -> Way:
        """Every served model in instances of its own; training has the other instances all month."""
        places = host.cards * profile.instances
        placed: list[ServingPlacement] = []
        objections: list[Reason] = []
        taken = 0
        for row in self._rows:
            inside = replace(host, mig=profile, cards=places - taken)
            found = fewest_cards(row, inside, self._headroom, self._facts.serving) if inside.cards > 0 else None
            if found is None:
                objections.append(reason(ReasonCode.SERVING_CARDS, workload=row.name))
                continue
            taken += found.layout.replicas
            placed.append(
                _shared(
                    found,
                    ServingSharing.MIG,
                    reason(
                        ReasonCode.SHARED_BY_MIG,
                        workload=row.name,
                        instances=found.layout.replicas,
                        profile=profile.name,
                    ),
                )
            )
        return Way(tuple(placed), tuple(objections), host.cards, MONTH_H, profile, taken)

    def _own_cards(
        self, rows: tuple[ServingWorkload, ...] | list[ServingWorkload], host: ServingHost
    ) -> tuple[list[ServingPlacement], list[Reason]]:
        """Each row on the fewest of the cards that are left; the nearest miss and its reasons where none carries it."""
        placed: list[ServingPlacement] = []
        objections: list[Reason] = []
        left = host.cards
        for row in rows:
            found = None
            if left > 0:
                found = fewest_cards(row, replace(host, cards=left), self._headroom, self._facts.serving)
            if found is None:
                miss = serve_on(row, replace(host, cards=max(left, 1)), self._headroom, self._facts.serving)
                objections += _why_not(miss) if left > 0 else [reason(ReasonCode.SERVING_CARDS, workload=row.name)]
                placed.append(miss)
                continue
            left -= found.cards
            placed.append(found)
        return placed, objections


def _why_not(miss: ServingPlacement) -> list[Reason]:
    """What speaks against a placement. Where nothing does, a limit could not be judged without a stated speed."""
    against = [item for item in miss.reasons if item.code not in _REMARKS]
    return against or [reason(ReasonCode.SERVING_NOT_STATED, workload=miss.workload.name)]


_REMARKS = frozenset(
    {
        ReasonCode.SERVING_REPLICAS,
        ReasonCode.SERVING_PIPELINE,
        ReasonCode.SERVING_TENSOR,
        ReasonCode.SERVING_NOT_STATED,
    }
)


def _shared(placement: ServingPlacement, sharing: ServingSharing, why: Reason) -> ServingPlacement:
    return replace(placement, sharing=sharing, reasons=(*placement.reasons, why))


def _in_order(rows: tuple[ServingWorkload, ...], placed: list[ServingPlacement]) -> list[ServingPlacement]:
    """Placements in the order of the consultation's rows."""
    return sorted(placed, key=lambda entry: rows.index(entry.workload))


def serving_hours(placements: tuple[ServingPlacement, ...], cards: int) -> FloatBand:
    """Hours of the month the whole machine is taken by serving: each model's hours by its share of the cards.

    A MIG share counts the part of the cards its instances are.
    """
    total = NOTHING
    for entry in placements:
        share = entry.cards / cards if entry.mig is None else entry.layout.replicas / entry.mig.instances / cards
        hours = entry.hours_per_month
        total = FloatBand(
            total.low + hours.low * share, total.expected + hours.expected * share, total.high + hours.high * share
        )
    return total
