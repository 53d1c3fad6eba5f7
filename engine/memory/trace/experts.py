"""Mixtures of experts: routing, and experts as grouped matrix products over sorted tokens.

The library keeps all experts of a layer in 3-D parameters (transformers 5, `grouped_mm`). PEFT adapts such a
parameter by adding the product of its two factors to the whole tensor in every forward pass: a merged copy that the
backward pass keeps, and a gradient of the same size.
"""

from __future__ import annotations

from engine.memory.trace import ops
from engine.memory.trace.extent import per_token
from engine.memory.trace.layers import Builder
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


def gather(tape: Tape, x: Tensor, copies: int) -> Tensor:
    """Rows picked by an index, every row `copies` times; the backward pass adds them up again."""
    out = tape.new((x.elements[0], x.elements[1] * copies, x.elements[2]), x.width)
    size, width = x.elements, x.width
    return tape.record(out, (x,), lambda _: (tape.new(size, width),))


def gate(builder: Builder, both: Tensor, inner: int, rows: int) -> Tensor:
    """`silu(gate) * up` on the two halves of one tensor."""
    half = per_token(inner * rows)
    first, second = ops.split(builder.tape, both, half, half)
    return ops.mul(builder.tape, ops.elementwise(builder.tape, first, keeps_input=True), second)


def run_experts(builder: Builder, x: Tensor, scores: Tensor, shape: MoeShape, up: Linear, down: Linear) -> Tensor:
    """All routed experts over the tokens sorted by expert."""
    tape, rows = builder.tape, shape.experts_per_token
    first = expert_weight(builder, up)
    second = expert_weight(builder, down)
    width = first.width
    order = [tape.new(per_token(rows), INT64) for _ in range(2)]
    selected = ops.cast(tape, gather(tape, x, rows), width)
    picked = gather(tape, scores, 1)
    out = ops.matmul(tape, selected, first, up.outputs, up.inputs)
    out = gate(builder, out, shape.intermediate, rows)
    out = ops.matmul(tape, ops.cast(tape, out, width), second, down.outputs, down.inputs)
    weighted = ops.mul(tape, out, picked)
    back = tape.new(per_token(rows), INT64)
    weighted = gather(tape, weighted, 1)
    summed = sum_rows(tape, weighted, rows)
    del order, back
    return ops.cast(tape, summed, x.width)


def sum_rows(tape: Tape, x: Tensor, rows: int) -> Tensor:
    """Sum of every token's rows; the gradient is spread as a view."""
    out = tape.new((0, x.elements[1] // rows, 0), x.width)
    whole = x.elements

    def rule(grads: Gradients) -> Gradients:
        return (ops.expanded(grads, whole),)

    return tape.record(out, (x,), rule)


def route(builder: Builder, x: Tensor, router: Linear, shape: MoeShape, *, keeps_fp32: bool) -> Tensor:
    """Softmax over the experts, the best of them normalised: one score per token and chosen expert."""
    tape, rows = builder.tape, shape.experts_per_token
    weight = builder.parameter(router.weights) if router not in builder.adapted else expert_weight(builder, router)
    logits = builder.product(x, weight, router.outputs, router.inputs)
    chances = ops.softmax(tape, ops.cast(tape, logits, FP32), FP32)
    size, width = chances.elements, chances.width
    best = tape.new(per_token(rows), FP32)
    indices = tape.new(per_token(rows), INT64)
    kept = tape.keep(indices)
    del indices

    def rule(_: Gradients) -> Gradients:
        kept.unpack()
        result = tape.new(size, width)
        kept.clear()
        return (result,)

    best = tape.record(best, (chances,), rule)
    del chances
    return best if keeps_fp32 else ops.cast(tape, best, logits.width)
