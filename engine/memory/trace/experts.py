"""Mixtures of experts: routing, and experts as grouped matrix products over sorted tokens.

The library keeps all experts of a layer in 3-D parameters (transformers 5, `grouped_mm`). PEFT adapts such a
parameter by adding the product of its two factors to the whole tensor in every forward pass: a merged copy that the
backward pass keeps, and a gradient of the same size.
"""

from __future__ import annotations

from engine.memory.trace import ops
from engine.memory.trace.extent import Extent, per_token
from engine.memory.trace.layers import Builder
from engine.memory.trace.style import Routing, Style
from engine.memory.trace.tape import BF16, FP32, INT64, Gradients, Tape, Tensor
from engine.models import Linear, MoeShape


def expert_weight(builder: Builder, linear: Linear) -> Tensor:
    """A stack of expert matrices, merged with its adapter where it has one."""
    tape, options = builder.tape, builder.options
    weight = builder.parameter(linear.weights)
    if linear not in builder.adapted:
        return weight
    rank = options.rank * linear.rank_factor
    first = tape.weight(rank * linear.inputs * linear.count, options.adapter_width, trained=True)
    second = tape.weight(rank * linear.outputs * linear.count, options.adapter_width, trained=True)
    factors = [ops.cast(tape, factor, weight.width) for factor in (first, second)]
    return merge(tape, weight, factors[0], factors[1])


def merge(tape: Tape, weight: Tensor, first: Tensor, second: Tensor) -> Tensor:
    """`weight + first @ second` for all experts; keeps the factors."""
    kept = tape.keep(first, second)
    out = tape.new(weight.elements, weight.width)
    sizes = (first.elements, second.elements)

    def rule(_: Gradients) -> Gradients:
        kept.unpack()
        result = [None, *(tape.new(size, BF16) for size in sizes)]
        kept.clear()
        return result

    return tape.record(out, (weight, first, second), rule)


def gate(builder: Builder, both: Tensor, inner: int, rows: int, style: Style) -> Tensor:
    """The gated activation on the two halves of one tensor."""
    tape, half = builder.tape, per_token(inner * rows)
    if style.clamped_gate:
        return _clamped_gate(tape, both, half)
    if both.elements == half:
        return builder.activation(both, style)
    first, second = ops.split(tape, both, half, half)
    return ops.mul(tape, builder.activation(first, style), second)


def _clamped_gate(tape: Tape, both: Tensor, half: Extent) -> Tensor:
    """GPT-OSS: interleaved halves, both clamped, `(up + 1) * gate * sigmoid(alpha * gate)`."""
    gates, ups = ops.narrow(tape, both, half), ops.narrow(tape, both, half)
    gates = ops.elementwise(tape, gates, keeps_input=True)
    ups = ops.elementwise(tape, ups, keeps_input=True)
    open_share = ops.elementwise(tape, ops.scale(tape, gates), keeps_input=False)
    gated = ops.mul(tape, gates, open_share)
    return ops.mul(tape, ops.copy(tape, ups), gated)


def run_experts(
    builder: Builder, x: Tensor, scores: Tensor, shape: MoeShape, up: Linear, down: Linear, style: Style
) -> Tensor:
    """All routed experts over the tokens sorted by expert."""
    tape, rows = builder.tape, shape.experts_per_token
    width = BF16 if builder.options.nf4 else builder.plain_width
    order = [tape.new(per_token(rows), INT64) for _ in range(2)]
    selected = ops.cast(tape, ops.gather(tape, x, rows), width)
    picked = ops.gather(tape, scores, 1)
    biases = tape.new(per_token(rows * up.outputs), width) if up.bias else None
    out = _product(builder, selected, up)
    out = gate(builder, out, down.inputs, rows, style)
    biases = tape.new(per_token(rows * down.outputs), width) if down.bias else None
    out = _product(builder, ops.cast(tape, out, width), down)
    weighted = ops.mul(tape, out, picked)
    back = tape.new(per_token(rows), INT64)
    weighted = ops.gather(tape, weighted, 1)
    summed = sum_rows(tape, weighted, rows)
    del order, back, biases
    return ops.cast(tape, summed, x.width)


def _product(builder: Builder, x: Tensor, linear: Linear) -> Tensor:
    """A grouped product; where experts are linear layers of their own, 4-bit weights are unpacked one by one.

    An adapted stack is merged when it is used, so the gradients of the second are gone before those of the first come.
    """
    if builder.options.nf4 and not linear.fused_parameter:
        return ops.nf4_matmul(builder.tape, x, linear.inputs * linear.outputs, linear.outputs, linear.inputs)
    weight = expert_weight(builder, linear)
    return ops.matmul(builder.tape, ops.cast(builder.tape, x, weight.width), weight, linear.outputs, linear.inputs)


def sum_rows(tape: Tape, x: Tensor, rows: int) -> Tensor:
    """Sum of every token's rows; the gradient is spread as a view."""
    out = tape.new((0, x.elements[1] // rows, 0), x.width)
    whole = x.elements

    def rule(grads: Gradients) -> Gradients:
        return (ops.expanded(grads, whole),)

    return tape.record(out, (x,), rule)


def route(builder: Builder, x: Tensor, router: Linear, shape: MoeShape, style: Style) -> Tensor:
    """One score per token and chosen expert."""
    tape, rows = builder.tape, shape.experts_per_token
    weight = expert_weight(builder, router)
    if style.routing is Routing.SIGMOID:
        x, weight = ops.cast(tape, x, FP32), ops.cast(tape, weight, FP32)
    logits = builder.product(x, weight, router.outputs, router.inputs)
    if style.routing is Routing.CHOSEN_FIRST:
        return ops.softmax(tape, _chosen(tape, logits, rows), x.width)
    if style.routing is Routing.SIGMOID:
        scores = _chosen(tape, ops.elementwise(tape, logits, keeps_input=False), rows)
        return ops.scale(tape, scores)
    chances = ops.softmax(tape, ops.cast(tape, logits, FP32), FP32)
    best = _chosen(tape, chances, rows)
    return best if style.routing is Routing.SOFTMAX_FP32 else ops.cast(tape, best, logits.width)


def _chosen(tape: Tape, scores: Tensor, rows: int) -> Tensor:
    """The best scores of each token and their experts."""
    best = tape.new(per_token(rows), scores.width)
    kept = tape.keep(tape.new(per_token(rows), INT64))
    size, width = scores.elements, scores.width

    def rule(_: Gradients) -> Gradients:
        kept.unpack()
        result = tape.new(size, width)
        kept.clear()
        return (result,)

    return tape.record(best, (scores,), rule)


def gate_shared(builder: Builder, x: Tensor, linear: Linear, shared: Tensor) -> Tensor:
    """`sigmoid(gate(x)) * shared`."""
    tape = builder.tape
    return ops.mul(tape, ops.elementwise(tape, builder.linear(x, linear), keeps_input=False), shared)


def run_every_expert(builder: Builder, x: Tensor, router: Linear, up: Linear, down: Linear, style: Style) -> Tensor:
    """Tokens repeated for every expert and scaled by its score, which is next to nothing for experts not chosen."""
    tape = builder.tape
    logits = builder.linear(x, router)
    scores = ops.copy(tape, ops.elementwise(tape, ops.cast(tape, ops.copy(tape, logits), FP32), keeps_input=False))
    scores = ops.cast(tape, scores, x.width)
    repeated = ops.mul(tape, ops.gather(tape, x, up.count), scores)
    out = _product(builder, repeated, up)
    out = _product(builder, gate(builder, out, down.inputs, up.count, style), down)
    return sum_rows(tape, out, up.count)
