"""The candidates for the peak of each phase, from the traced layers of a model."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.memory.aggregate import PerModel
from engine.memory.trace.extent import ZERO, Extent, constant, minus, per_token, plus, times
from engine.memory.trace.layers import TraceOptions
from engine.memory.trace.profile import LossOptions, Profile, trace_model
from engine.memory.trace.tape import Snapshot, Tag, total
from engine.methods import Checkpointing
from engine.models import ModelSpec


@dataclass(frozen=True, slots=True)
class Candidate:
    """One moment that may be the largest. Gradients of finished layers are apart: sharding divides them."""

    size: Extent  # everything but finished gradients
    finished_gradients: int  # bytes in the width of the backward pass
    kept: Extent  # what the backward pass still needs
    logits: Extent
    gradients: Extent  # of the layer at work
    casts: Extent


@dataclass(frozen=True, slots=True)
class Candidates:
    """All moments of a step, by phase."""

    forward: tuple[Candidate, ...]
    loss: tuple[Candidate, ...]
    backward: tuple[Candidate, ...]
    pinned: tuple[Candidate, ...]  # backward when nothing is released before the first layer is through
    gradient_bytes: int  # all gradients as the backward pass makes them
    checkpoints: Extent  # all layer inputs together, which offloaded checkpointing moves to the host


def _candidates(
    model: ModelSpec,
    options: TraceOptions,
    loss: LossOptions,
    checkpointing: Checkpointing,
) -> Candidates:
    profile = trace_model(model, options, loss)
    saved = _saved(profile, checkpointing)
    stack = profile.batch
    for block, stays in zip(profile.blocks, saved, strict=True):
        stack = plus(stack, times(stays, block.count))
    if checkpointing is Checkpointing.OFFLOADED:
        stack = plus(stack, _on_its_way(profile))
    checkpointed = checkpointing is not Checkpointing.OFF
    layer_gradients = sum(block.count * block.gradients[0] for block in profile.blocks)
    end_gradients = profile.end.gradients[0]
    casts = ZERO
    for block in profile.blocks:
        casts = plus(casts, times(block.casts, block.count if checkpointed else 0))
    forward, backward, pinned = [], [], []
    inputs = _checkpoints(profile)
    for block, stays in zip(profile.blocks, saved, strict=True):
        below = minus(stack, stays)
        running = block.forward_checkpointed if checkpointed else block.forward
        forward += [_candidate(s, plus(below, casts), 0, stack) for s in running]
        returning = block.recompute if checkpointed else block.backward
        below = plus(below, profile.end.remains)
        kept = plus(stack, block.stays) if checkpointed else stack
        backward += [_candidate(s, below, end_gradients, kept) for s in returning]
        others = end_gradients + layer_gradients - block.gradients[0]
        alone = plus(profile.batch, profile.end.remains)
        backward += [_candidate(s, alone, others, plus(profile.batch, block.stays)) for s in returning]
        if checkpointed:
            held = plus(minus(stack, stays), minus(inputs, times(block.stays_checkpointed, 2)))
            pinned += [_candidate(s, held, end_gradients, plus(held, block.stays)) for s in returning]
    end = [_candidate(s, plus(stack, casts), 0, stack) for s in profile.end.forward]
    end += [_candidate(s, stack, 0, stack) for s in profile.end.backward]
    if profile.embedding_gradient:
        backward.append(_embedding(profile, end_gradients + layer_gradients, tied=model.tied_embeddings))
    gradients = end_gradients + layer_gradients + (0 if model.tied_embeddings else profile.embedding_gradient)
    return Candidates(
        _undominated(forward),
        _undominated(end),
        _undominated(backward),
        _undominated(pinned or backward),
        gradients,
        inputs,
    )


candidates: PerModel[Candidates] = PerModel(_candidates)


def _saved(profile: Profile, checkpointing: Checkpointing) -> list[Extent]:
    if checkpointing is Checkpointing.OFF:
        return [block.stays for block in profile.blocks]
    if checkpointing is Checkpointing.ON:
        return [block.stays_checkpointed for block in profile.blocks]
    return [ZERO for _ in profile.blocks]


def _checkpoints(profile: Profile) -> Extent:
    whole = ZERO
    for block in profile.blocks:
        whole = plus(whole, times(block.stays_checkpointed, block.count))
    return whole


def _on_its_way(profile: Profile) -> Extent:
    """With offloaded checkpoints two layer inputs are on the card: this one and the one in use, held by `batch`."""
    return per_token(max(block.stays_checkpointed[1] for block in profile.blocks))


def _candidate(snapshot: Snapshot, below: Extent, finished: int, kept: Extent) -> Candidate:
    return Candidate(
        plus(total(snapshot), below),
        finished,
        kept,
        snapshot[Tag.LOGITS],
        snapshot[Tag.GRADIENT],
        snapshot[Tag.CAST],
    )


def _embedding(profile: Profile, finished: int, *, tied: bool) -> Candidate:
    """The embedding's gradient comes last; when tied it is added to the output layer's in a third tensor."""
    extra = profile.embedding_gradient * (2 if tied else 1)
    size = plus(plus(profile.batch, profile.end.remains), constant(extra))
    return Candidate(size, finished, profile.batch, ZERO, constant(extra), ZERO)


def _undominated(found: Iterable[Candidate]) -> tuple[Candidate, ...]:
    kept: list[Candidate] = []
    for one in sorted(found, key=lambda c: (c.size, c.finished_gradients), reverse=True):
        if not any(
            one.finished_gradients <= other.finished_gradients
            and one.size[0] <= other.size[0]
            and one.size[1] <= other.size[1]
            and one.size[2] <= other.size[2]
            for other in kept
        ):
            kept.append(one)
    return tuple(kept)
