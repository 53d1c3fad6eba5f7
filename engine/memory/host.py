"""Host memory of a run: floor and cautious figure."""

from __future__ import annotations

from dataclasses import dataclass

from engine.memory.states import States, is_paged
from engine.methods import Offload, Recipe

# DeepSpeed, runtime/zero/stage_1_and_2.py and stage3.py, memory estimators: 16 B per parameter for gradients and
# optimiser, 18 B with the weights, both times the buffer factor.
DEEPSPEED_BUFFER_FACTOR = 1.5
CAUTIOUS_OPTIMIZER, CAUTIOUS_ALL = 16, 18
NVME_SUB_GROUP = 1_000_000_000  # DeepSpeed's default sub_group_size, in parameters: what is in host memory at a time
NVME_BUFFERS = 4  # read, write and both of the next sub-group


@dataclass(frozen=True, slots=True)
class HostBytes:
    """All cards of the run together."""

    floor: int
    cautious: int


NO_HOST = HostBytes(0, 0)


def host_bytes(recipe: Recipe, states: States, checkpoints: int) -> HostBytes:
    """Floor: what is moved, once (14 B per parameter, ZeRO-Offload paper). Cautious: DeepSpeed's rule."""
    moved = states.gradients + states.master_weights + states.optimizer
    weights = states.frozen_weights + states.trained_weights
    trained = states.trained_parameters
    paged = HostBytes(states.optimizer, states.optimizer) if is_paged(recipe) else NO_HOST
    if recipe.offload is Offload.NONE:
        return HostBytes(paged.floor + checkpoints, paged.cautious + checkpoints)
    if recipe.offload is Offload.NVME:
        group = min(trained, NVME_SUB_GROUP) * CAUTIOUS_OPTIMIZER
        return HostBytes(group + checkpoints, group * NVME_BUFFERS + checkpoints)
    frozen = states.frozen_weights if recipe.offload is Offload.ALL else 0
    floor = moved + (weights if recipe.offload is Offload.ALL else 0)
    per_parameter = CAUTIOUS_ALL if recipe.offload is Offload.ALL else CAUTIOUS_OPTIMIZER
    cautious = int(DEEPSPEED_BUFFER_FACTOR * (per_parameter * trained + frozen))
    return HostBytes(floor + checkpoints, max(cautious, floor) + checkpoints)
