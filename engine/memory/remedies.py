"""What would make a run fit that does not: one change at a time, with the bytes it saves on each card."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from engine.fit import Verdict, judge
from engine.memory.estimate import estimate
from engine.memory.types import TrainingSetup
from engine.methods import (
    Attention,
    Checkpointing,
    Layout,
    Loss,
    Method,
    Offload,
    Optimizer,
    Sharding,
)


class RemedyKind(StrEnum):
    """The changes tried, those that cost least first."""

    FUSED_LOSS = "fused-loss"
    FLASH_ATTENTION = "flash-attention"
    CHECKPOINTING = "checkpointing"
    EIGHT_BIT_OPTIMIZER = "eight-bit-optimizer"
    NO_UPCAST = "no-upcast"
    SMALLER_MICRO_BATCH = "smaller-micro-batch"
    ONE_MORE_CARD = "one-more-card"
    OFFLOADED_CHECKPOINTS = "offloaded-checkpoints"
    SHORTER_SEQUENCE = "shorter-sequence"
    OFFLOADED_OPTIMIZER = "offloaded-optimizer"
    QLORA = "qlora"
    LORA = "lora"


LEAST_SHARE = 0.05  # of the need; less is no step worth taking on the way


@dataclass(frozen=True, slots=True)
class Remedy:
    """One change and what it does."""

    kind: RemedyKind
    setup: TrainingSetup
    saved_bytes: int  # of the expected need per card
    verdict: Verdict


def remedies(setup: TrainingSetup, usable_bytes: int, headroom: float) -> tuple[Remedy, ...]:
    """Every change that saves bytes, in the order in which they are least painful."""
    present = estimate(setup).required.expected
    found = []
    for kind, changed in _changes(setup):
        result = estimate(changed)
        saved = present - result.required.expected
        if saved > 0:
            found.append(Remedy(kind, changed, saved, judge(result, usable_bytes, headroom)))
    return tuple(found)


def steps_to_fit(
    setup: TrainingSetup, usable_bytes: int, headroom: float, without: Collection[RemedyKind] = ()
) -> tuple[Remedy, ...]:
    """Changes one upon the other, the least painful first, until the run fits; empty where all of them do not suffice.

    `saved_bytes` is what each adds to those before it. Changes that save less than a twentieth are left out,
    as are the kinds in `without`.
    """
    found: list[Remedy] = []
    changed, present = setup, estimate(setup).required.expected
    for kind in RemedyKind:
        if kind in without:
            continue
        step = next((new for known, new in _changes(changed) if known is kind), None)
        if step is None:
            continue
        result = estimate(step)
        saved = present - result.required.expected
        if saved < present * LEAST_SHARE:
            continue
        changed, present = step, result.required.expected
        found.append(Remedy(kind, step, saved, judge(result, usable_bytes, headroom)))
        if found[-1].verdict is Verdict.FITS:
            return tuple(found)
    return ()


def _changes(setup: TrainingSetup) -> Iterator[tuple[RemedyKind, TrainingSetup]]:
    recipe = setup.recipe
    if recipe.loss is Loss.PLAIN:
        yield RemedyKind.FUSED_LOSS, replace(setup, recipe=replace(recipe, loss=Loss.FUSED))
    if recipe.attention is Attention.EAGER:
        yield RemedyKind.FLASH_ATTENTION, replace(setup, recipe=replace(recipe, attention=Attention.FLASH))
    if recipe.checkpointing is Checkpointing.OFF:
        yield RemedyKind.CHECKPOINTING, replace(setup, recipe=replace(recipe, checkpointing=Checkpointing.ON))
    if recipe.optimizer in (Optimizer.ADAMW, Optimizer.ADAMW_FUSED, Optimizer.ADAMW_FOREACH):
        yield (
            RemedyKind.EIGHT_BIT_OPTIMIZER,
            replace(setup, recipe=replace(recipe, optimizer=Optimizer.ADAMW_8BIT)),
        )
    if recipe.kbit_upcast:
        yield RemedyKind.NO_UPCAST, replace(setup, recipe=replace(recipe, kbit_upcast=False))
    if setup.micro_batch > 1:
        yield RemedyKind.SMALLER_MICRO_BATCH, replace(setup, micro_batch=setup.micro_batch // 2)
    yield RemedyKind.ONE_MORE_CARD, replace(setup, layout=_one_more(setup.layout))
    if recipe.checkpointing is Checkpointing.ON:
        yield (
            RemedyKind.OFFLOADED_CHECKPOINTS,
            replace(setup, recipe=replace(recipe, checkpointing=Checkpointing.OFFLOADED)),
        )
    if setup.sequence_length > 1:
        yield RemedyKind.SHORTER_SEQUENCE, replace(setup, sequence_length=setup.sequence_length // 2)
    if recipe.offload is Offload.NONE and recipe.method is Method.FULL:
        yield RemedyKind.OFFLOADED_OPTIMIZER, replace(setup, recipe=replace(recipe, offload=Offload.OPTIMIZER))
    if recipe.method is Method.LORA:
        yield RemedyKind.QLORA, replace(setup, recipe=replace(recipe, method=Method.QLORA))
    if recipe.method is Method.FULL:
        yield RemedyKind.LORA, replace(setup, recipe=replace(recipe, method=Method.LORA))


def _one_more(layout: Layout) -> Layout:
    whole = layout.cards == 1 or layout.sharding in (Sharding.TENSOR, Sharding.HYBRID)
    sharding = Sharding.FSDP if whole else layout.sharding
    return Layout(layout.cards + 1, sharding)
