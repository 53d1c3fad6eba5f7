"""Where a task leads that no one machine holds: a machine for another place, or several machines, by memory alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from engine.facts import Facts
from engine.fit import CARRIED
from engine.hardware import Card
from engine.methods import Offload
from engine.plan.candidates import Field, enumerate_candidates
from engine.plan.card_rules import may_share_a_run
from engine.plan.types import Plan, Rejection
from engine.plan.why import label
from engine.reasons import Reason, ReasonCode, reason
from engine.speed.cluster.fewest import FewestNodes, fewest_nodes
from engine.speed.cluster.types import ClusterJob
from engine.workload import Place, Scenario, Site, Workload

LARGEST_MACHINES = 3  # kinds of machines looked at, those with most memory: they need the fewest


def beyond_one_machine(
    scenario: Scenario,
    facts: Facts,
    field: Field,
    rejected: Sequence[Rejection],
    best: Callable[[Scenario], Plan | None],
) -> tuple[Reason, ...]:
    """For every workload that was sized, and that memory keeps out of every machine: what holds it.

    Nobody joins machines at desks: for a desk, racks are looked at. `best` plans a scenario.
    """
    outgrown = [workload for place, workload in enumerate(scenario.workloads) if _outgrown(place, workload, rejected)]
    found: list[Reason] = []
    if outgrown and scenario.site.place is Place.DESK:
        scenario = replace(scenario, site=Site(Place.RACK), serving=())
        field = enumerate_candidates(scenario, facts)
        for workload in tuple(outgrown):
            plan = best(replace(scenario, workloads=(workload,)))
            if plan is not None:
                found.append(reason(ReasonCode.OTHER_PLACE, workload=workload.name, other=label(plan)))
                outgrown.remove(workload)
    machines = _largest(field)
    return (*found, *(item for workload in outgrown for item in _several(workload, machines, scenario)))


def _outgrown(place: int, workload: Workload, rejected: Iterable[Rejection]) -> bool:
    """Whether the workload at this place of the scenario was sized, and no cards with their host held it."""
    sized = [one for one in rejected if one.placements]
    return bool(sized) and not any(_held(one, place, workload) for one in sized)


def _held(rejection: Rejection, place: int, workload: Workload) -> bool:
    hosts = [item for item in rejection.reasons if item.code is ReasonCode.HOST_MEMORY]
    short = any(dict(item.values).get("workload") == workload.name for item in hosts)
    return rejection.placements[place].verdict in CARRIED and not short


def _largest(field: Field) -> list[tuple[Card, int]]:
    """Cards in the most of them that one machine takes, the machines with most memory first."""
    most: dict[str, tuple[Card, int]] = {}
    for candidate in field.candidates:
        card, cards = candidate.card, candidate.cards
        if may_share_a_run(card) and cards > most.get(card.id, (card, 0))[1]:
            most[card.id] = card, cards
    return sorted(most.values(), key=lambda kind: (-kind[1] * kind[0].usable_bytes.value, kind[0].id))[
        :LARGEST_MACHINES
    ]


def _several(workload: Workload, machines: Sequence[tuple[Card, int]], scenario: Scenario) -> list[Reason]:
    """The fewest machines, and where other machines take fewer cards in all, those as well."""
    job = _job(workload, scenario)
    held = [(kind, count) for kind in machines if (count := _fewest(job, kind, workload)) is not None]
    if not held:
        return [
            reason(ReasonCode.TOO_MANY_MACHINES, workload=workload.name, limit_machines=job.most_nodes, cards=cards)
            for _, cards in machines[:1]
        ]
    fewest = min(held, key=lambda entry: (entry[1].nodes, entry[1].nodes * entry[0][1]))
    leanest = min(held, key=lambda entry: (entry[1].nodes * entry[0][1], entry[1].nodes))
    return [_reason(workload, kind, count) for kind, count in ([fewest] if leanest is fewest else [fewest, leanest])]


def _fewest(job: ClusterJob, kind: tuple[Card, int], workload: Workload) -> FewestNodes | None:
    """One machine counts only where tensor parallelism makes the difference: plain sharding has been tried."""
    card, cards = kind
    micro_batch = workload.micro_batch or 1
    found = fewest_nodes(job, card, cards, micro_batch)
    if found is not None and found.nodes == found.layout.tensor == 1:
        return fewest_nodes(job, card, cards, micro_batch, least=2)
    return found


def _job(workload: Workload, scenario: Scenario) -> ClusterJob:
    """The workload without offload, which no run over several machines is planned with."""
    return ClusterJob(
        workload.model,
        replace(workload.recipe, offload=Offload.NONE),
        workload.sequence_length,
        workload.tokens_per_run,
        workload.sequences_per_step * workload.sequence_length,
        headroom=scenario.headroom,
    )


def _reason(workload: Workload, kind: tuple[Card, int], count: FewestNodes) -> Reason:
    card, cards = kind
    ranks = count.layout.tensor
    return reason(
        ReasonCode.SEVERAL_MACHINES if count.nodes > 1 else ReasonCode.SPLIT_LAYERS,
        workload=workload.name,
        machines=count.nodes,
        cards=cards,
        card=card.id,
        need_bytes=count.memory.required.expected,
        usable_bytes=card.usable_bytes.value,
        **({"tensor_cards": ranks} if ranks > 1 else {}),
    )
