"""From a model and a recipe to the few linear forms that decide its peak."""

from __future__ import annotations

from dataclasses import dataclass

from engine.adapters import adapted_linears
from engine.memory.trace.blocks import Layer
from engine.memory.trace.ending import (
    chunked_cross_entropy,
    cross_entropy,
    final_norm,
    kernel_cross_entropy,
    logits_of,
)
from engine.memory.trace.extent import ZERO, Extent, constant, minus, per_pair, per_token, plus
from engine.memory.trace.layers import Builder, TraceOptions
from engine.memory.trace.style import style_of
from engine.memory.trace.tape import BF16, FP32, INT64, Node, Snapshot, Tag, Tape, Tensor, node_of, total
from engine.methods import Loss
from engine.models import Block, Linear, ModelSpec


@dataclass(frozen=True, slots=True)
class LossOptions:
    """What becomes of the logits."""

    kind: Loss
    keeps_outputs: bool = False
    logit_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class BlockProfile:
    """One layer of a kind: what it leaves behind and the candidates for the peak around it.

    Everything is counted above the moment before the layer, its input alive. `stays` is what the layer adds until
    its backward pass (output alive, input freed unless kept): all of it without checkpointing, one layer output with.
    """

    count: int
    stays: Extent
    stays_checkpointed: Extent
    casts: Extent  # copies of trained weights that autocast keeps until the forward pass ends
    forward: tuple[Snapshot, ...]
    forward_checkpointed: tuple[Snapshot, ...]
    backward: tuple[Snapshot, ...]
    recompute: tuple[Snapshot, ...]
    gradients: Extent  # of the layer's trained parameters, as the backward pass leaves them


@dataclass(frozen=True, slots=True)
class EndProfile:
    """Final norm, output layer and loss, counted above the moment after the last layer."""

    forward: tuple[Snapshot, ...]
    backward: tuple[Snapshot, ...]
    gradients: Extent
    remains: Extent  # what stays until the step is over beside the gradients


@dataclass(frozen=True, slots=True)
class Profile:
    """A model's step under one recipe, independent of the number of tokens."""

    batch: Extent  # token ids, labels, positions, embedding output
    blocks: tuple[BlockProfile, ...]
    end: EndProfile
    embedding_gradient: int


def stream_width(options: TraceOptions) -> int:
    """Bytes per element of the residual stream."""
    return FP32 if options.weight_width == FP32 or options.upcast else BF16


def trace_block(model: ModelSpec, block: Block, options: TraceOptions, adapted: frozenset[Linear]) -> BlockProfile:
    """Run one layer forward and backward, with and without checkpointing."""
    stays, casts, forward, backward, gradients = _plain(model, block, options, adapted)
    checkpointed, light, recompute = _checkpointed(model, block, options, adapted)
    return BlockProfile(block.count, stays, checkpointed, casts, forward, light, backward, recompute, gradients)


def _start(
    model: ModelSpec, block: Block, options: TraceOptions, adapted: frozenset[Linear]
) -> tuple[Builder, tuple[Tensor, Tensor], Tensor]:
    tape = Tape()
    width = stream_width(options)
    shape = block.attention
    rotary = per_token(shape.head_dim if shape is not None else 0)
    positions = (Tensor(None, rotary, width), Tensor(None, rotary, width))
    return Builder(tape, options, adapted), positions, tape.leaf(tape.new(per_token(model.hidden_size), width))


def _plain(
    model: ModelSpec, block: Block, options: TraceOptions, adapted: frozenset[Linear]
) -> tuple[Extent, Extent, tuple[Snapshot, ...], tuple[Snapshot, ...], Extent]:
    builder, positions, x = _start(model, block, options, adapted)
    tape = builder.tape
    before = tape.snapshot()
    out = Layer(builder, model, block, style_of(model), positions).forward(x)
    del x
    after = difference(tape.snapshot(), before)
    forward = _above(tape.take_peaks(), before)
    node, gradient = _gradient_of(tape, out)
    del out
    tape.casts.clear()
    tape.take_peaks()
    tape.backward(node, gradient)
    backward = _above(tape.take_peaks(), before)
    return total(after), after[Tag.CAST], forward, backward, tape.live[Tag.GRADIENT]


def _checkpointed(
    model: ModelSpec, block: Block, options: TraceOptions, adapted: frozenset[Linear]
) -> tuple[Extent, tuple[Snapshot, ...], tuple[Snapshot, ...]]:
    builder, positions, x = _start(model, block, options, adapted)
    tape = builder.tape
    before = tape.snapshot()
    out = tape.run_checkpointed(lambda: Layer(builder, model, block, style_of(model), positions).forward(x))
    forward = _above(tape.take_peaks(), before)
    stays = total(difference(tape.snapshot(), before))
    node, gradient = _gradient_of(tape, out)
    del out
    tape.take_peaks()
    tape.backward(node, gradient)
    return stays, forward, _above(tape.take_peaks(), before)


def _gradient_of(tape: Tape, out: Tensor) -> tuple[Node, list[Tensor | None]]:
    return node_of(out), [tape.new(out.elements, out.width)]


def trace_end(model: ModelSpec, options: TraceOptions, loss: LossOptions) -> EndProfile:
    """Run final norm, output layer and loss forward and backward."""
    tape = Tape()
    builder = Builder(tape, options, frozenset())
    hidden = tape.leaf(tape.new(per_token(model.hidden_size), stream_width(options)))
    before = tape.snapshot()
    hidden = final_norm(builder, model, hidden)
    kept: list[Tensor] = []
    if loss.logit_bytes is not None:
        logits = logits_of(builder, model, hidden)
        out = kernel_cross_entropy(tape, logits, loss.logit_bytes)
        del logits
    elif loss.kind is Loss.PLAIN:
        logits = logits_of(builder, model, hidden)
        out = cross_entropy(tape, logits)
        kept += [logits] if loss.keeps_outputs else []
        del logits
    else:
        out = chunked_cross_entropy(builder, model, hidden)
    node = node_of(out)
    del out, hidden
    forward = _above(tape.take_peaks(), before)
    tape.casts.clear()
    tape.backward(node, [tape.new(constant(1), FP32)])
    backward = _above(tape.take_peaks(), before)
    kept.clear()
    return EndProfile(forward, backward, tape.live[Tag.GRADIENT], _remains(model, options, loss))


def _remains(model: ModelSpec, options: TraceOptions, loss: LossOptions) -> Extent:
    """A fused loss makes the output layer's gradient itself and holds it while autograd keeps a copy of its own.

    With tied embeddings no copy is made: both gradients wait for their sum.
    """
    whole = loss.kind is Loss.PLAIN or loss.logit_bytes is not None
    if whole or not options.trains_base or model.tied_embeddings:
        return ZERO
    return constant(model.vocab_size * model.hidden_size * stream_width(options))


def difference(a: Snapshot, b: Snapshot) -> Snapshot:
    """Part by part."""
    return (minus(a[0], b[0]), minus(a[1], b[1]), minus(a[2], b[2]), minus(a[3], b[3]))


def _above(snapshots: tuple[Snapshot, ...], base: Snapshot) -> tuple[Snapshot, ...]:
    return tuple(difference(snapshot, base) for snapshot in snapshots)


def trace_model(model: ModelSpec, options: TraceOptions, loss: LossOptions) -> Profile:
    """The whole model: one trace per kind of layer, and the end."""
    width = stream_width(options)
    adapted = (
        frozenset(linear for linear, _ in adapted_linears(model, options.targets)) if options.rank else frozenset()
    )
    head_dim = max((block.attention.head_dim for block in model.blocks if block.attention is not None), default=0)
    batch = per_token(model.hidden_size * width + 2 * head_dim * width + 2 * INT64)
    if options.eager:
        batch = plus(batch, per_pair(width))
    embedding = model.embedding_parameters * options.weight_width if options.trains_base else 0
    if options.trains_embeddings:
        embedding = model.vocab_size * model.hidden_size * options.adapter_width
    return Profile(
        batch,
        tuple(trace_block(model, block, options, adapted) for block in model.blocks),
        trace_end(model, options, loss),
        embedding,
    )
