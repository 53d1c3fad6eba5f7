"""Host of a machine: memory against what its runs keep there, cores and memory against the minimum for its cards."""

from __future__ import annotations

from engine.facts import Facts
from engine.hardware import Card, CardForm, System, SystemKind
from engine.methods import Checkpointing, Offload, Optimizer, Recipe
from engine.plan.sizing import Sized
from engine.reasons import Reason, ReasonCode, reason
from engine.units import GB


def uses_host(recipe: Recipe) -> bool:
    """Whether a run may keep something in host memory."""
    paged = recipe.optimizer is Optimizer.PAGED_ADAMW_8BIT
    return paged or recipe.offload is not Offload.NONE or recipe.checkpointing is Checkpointing.OFFLOADED


def host_shortfall(sized: Sized, system: System, workload: str) -> Reason | None:
    """The floor of all runs side by side beyond what the machine takes; an unknown limit refuses nothing.

    Machines with the same limit share the answer, so it does not name one.
    """
    limit = _limit_bytes(sized, system)
    need = sized.estimate.host * sized.option.runs_in_parallel
    if limit is None or need <= limit:
        return None
    return reason(ReasonCode.HOST_MEMORY, workload=workload, need_bytes=need, limit_bytes=limit)


def host_remarks(sized: Sized, system: System, workload: str) -> tuple[Reason, ...]:
    """Say what the runs keep in host memory, and where the machine's limit is unknown or below the cautious figure."""
    runs = sized.option.runs_in_parallel
    floor, cautious = sized.estimate.host * runs, sized.estimate.host_high * runs
    if not cautious:
        return ()
    need = reason(ReasonCode.HOST_MEMORY_NEED, workload=workload, need_bytes=floor, cautious_bytes=cautious)
    limit = _limit_bytes(sized, system)
    if limit is None:
        return (need, reason(ReasonCode.NOT_CHECKED, system=system.id, figure="host_memory_max_gb"))
    if cautious <= limit:
        return (need,)
    known = {"workload": workload, "system": system.id}
    return (need, reason(ReasonCode.HOST_MEMORY_CAUTION, **known, need_bytes=cautious, limit_bytes=limit))


def minimum_remarks(card: Card, system: System, cards: int, facts: Facts) -> tuple[Reason, ...]:
    """What the host needs at least for this many cards, and where the machine takes less than that.

    Only for cards in slots: a machine that is sold with its cards is sold with their host. The minimum is a vendor's
    reference architecture and no limit of what runs, so a machine below it is remarked upon and not refused here.
    """
    minimum = facts.host_minimum
    if minimum is None or system.fixed_cards or card.form is not CardForm.PCIE:
        return ()
    need_cores, need_gb = minimum.cores_per_card.value * cards, minimum.memory_gb_per_card.value * cards
    found = [reason(ReasonCode.HOST_MINIMUM, cards=cards, need_cores=need_cores, need_gb=need_gb)]
    if system.host_cores_max is not None and system.host_cores_max.value < need_cores:
        limit = system.host_cores_max.value
        found.append(reason(ReasonCode.HOST_BELOW_MINIMUM, system=system.id, need_cores=need_cores, limit_cores=limit))
    if system.host_memory_max_gb is not None and system.host_memory_max_gb.value < need_gb:
        limit = system.host_memory_max_gb.value
        found.append(reason(ReasonCode.HOST_BELOW_MINIMUM, system=system.id, need_gb=need_gb, limit_gb=limit))
    return tuple(found)


def shared_memory_remark(system: System, card: Card) -> tuple[Reason, ...]:
    """Say where processor and graphics draw on one memory: the system's own share is not in the sizing."""
    if system.kind is not SystemKind.UNIT:
        return ()
    return (reason(ReasonCode.SHARED_MEMORY, system=system.id, usable_bytes=card.usable_bytes.value),)


def _limit_bytes(sized: Sized, system: System) -> int | None:
    """What the machine offers as host memory. A unit has one memory for both: there it is what the run leaves."""
    if system.host_memory_max_gb is not None:
        return system.host_memory_max_gb.value * GB
    if system.kind is not SystemKind.UNIT:
        return None
    left = sized.option.capacity_bytes - sized.estimate.required.expected * sized.option.runs_in_parallel
    return max(left, 0)
