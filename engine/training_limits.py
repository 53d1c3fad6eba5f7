"""Which training framework cannot run a placed run as it was sized, and why.

The refusals are those of the releases' own checks: Axolotl 0.19 (`utils/schemas/validation.py`, `integrations/liger`),
LLaMA-Factory 0.9.5 (`hparams/parser.py`) and DeepSpeed 0.19.8 (`runtime/engine.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from engine.methods import Layout, Loss, Method, Objective, Offload, Optimizer, Recipe, Sharding, StateRecipe


class Framework(StrEnum):
    """Whose settings a file holds."""

    TRL = "trl"
    ACCELERATE = "accelerate"
    AXOLOTL = "axolotl"
    LLAMA_FACTORY = "llama-factory"
    DEEPSPEED = "deepspeed"


TRAINERS = (Framework.TRL, Framework.LLAMA_FACTORY, Framework.AXOLOTL)


class Lack(StrEnum):
    """Why a framework gets no file."""

    OPTIMISER = "optimiser"  # it has no such optimiser
    OPTIMISER_ON_HOST = "optimiser-on-host"  # DeepSpeed has no such optimiser for the processor
    TENSOR_PARALLEL = "tensor-parallel"  # its settings have no tensor parallelism
    ADAPTERS_DIVIDED = "adapters-divided"  # no published settings for adapters over tensor parallelism
    REFUSED = "refused"  # its own check refuses the combination


@dataclass(frozen=True, slots=True)
class Missing:
    """A framework without a file for a run, and why."""

    framework: Framework
    lack: Lack


HOST_OPTIMIZERS: Mapping[Optimizer, str] = {
    Optimizer.ADAMW: "AdamW",
    Optimizer.ADAMW_FUSED: "AdamW",
    Optimizer.ADAMW_FOREACH: "AdamW",
    Optimizer.LION: "Lion",
}
"""DeepSpeed's own optimisers that work in host memory."""
PARTIAL = frozenset({Sharding.ZERO1, Sharding.ZERO2, Sharding.TENSOR})
FULLY_SHARDED = frozenset({Sharding.FSDP, Sharding.HYBRID})


def optimiser_on_host(recipe: Recipe) -> bool:
    """Whether the optimiser works outside the card."""
    return recipe.offload in {Offload.OPTIMIZER, Offload.NVME}


def needs_deepspeed(recipe: Recipe, layout: Layout) -> bool:
    """Partial ZeRO stages, divided layers, the optimiser in host memory: DeepSpeed. Whole sharding: FSDP."""
    return layout.sharding in PARTIAL or optimiser_on_host(recipe)


def missing(recipe: Recipe, layout: Layout) -> tuple[Missing, ...]:
    """The frameworks that cannot run it."""
    lacks = {framework: lack_of(framework, recipe, layout) for framework in TRAINERS}
    return tuple(Missing(framework, lack) for framework, lack in lacks.items() if lack is not None)


def lack_of(framework: Framework, recipe: Recipe, layout: Layout) -> Lack | None:
    """What keeps a framework from running it; None: nothing."""
    axolotl = framework is Framework.AXOLOTL
    if layout.sharding is Sharding.TENSOR:
        if not axolotl:
            return Lack.TENSOR_PARALLEL
        if recipe.method is not Method.FULL:
            return Lack.ADAPTERS_DIVIDED
    if recipe.optimizer is Optimizer.MUON and not axolotl:
        return Lack.OPTIMISER
    if optimiser_on_host(recipe) and recipe.optimizer not in HOST_OPTIMIZERS:
        return Lack.OPTIMISER_ON_HOST
    refused = {Framework.AXOLOTL: _axolotl_refuses, Framework.LLAMA_FACTORY: _llama_factory_refuses}
    check = refused.get(framework)
    return Lack.REFUSED if check is not None and check(recipe, layout) else None


def _axolotl_refuses(recipe: Recipe, layout: Layout) -> bool:
    if needs_deepspeed(recipe, layout):
        divided_loss = layout.sharding is Sharding.TENSOR and recipe.loss is Loss.FUSED
        return recipe.optimizer is Optimizer.MUON or divided_loss
    if layout.sharding not in FULLY_SHARDED:
        return False
    quantised_dpo = recipe.method is Method.QLORA and recipe.objective is Objective.DPO
    return recipe.optimizer is Optimizer.ADAMW_8BIT or quantised_dpo


def _llama_factory_refuses(recipe: Recipe, layout: Layout) -> bool:
    if not needs_deepspeed(recipe, layout):
        return False
    pure_bf16 = recipe.method is Method.FULL and recipe.states is StateRecipe.BF16
    return recipe.optimizer is Optimizer.GALORE or (pure_bf16 and layout.sharding is Sharding.FSDP)
