"""Host memory of a machine against what its runs keep there."""

from __future__ import annotations

from engine.hardware import System
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
    limit = _limit_bytes(system)
    need = sized.estimate.host * sized.option.runs_in_parallel
    if limit is None or need <= limit:
        return None
    return reason(ReasonCode.HOST_MEMORY, workload=workload, need_bytes=need, limit_bytes=limit)


def host_remarks(sized: Sized, system: System, workload: str) -> tuple[Reason, ...]:
    """Say when the machine's limit is unknown, or holds the floor but not the cautious figure."""
    need = sized.estimate.host_high * sized.option.runs_in_parallel
    if not need:
        return ()
    limit = _limit_bytes(system)
    if limit is None:
        return (reason(ReasonCode.NOT_CHECKED, system=system.id, figure="host_memory_max_gb"),)
    if need <= limit:
        return ()
    return (
        reason(ReasonCode.HOST_MEMORY_CAUTION, workload=workload, system=system.id, need_bytes=need, limit_bytes=limit),
    )


def _limit_bytes(system: System) -> int | None:
    return None if system.host_memory_max_gb is None else system.host_memory_max_gb.value * GB
