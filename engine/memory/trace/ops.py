"""Operators: what each one allocates and what it keeps for the backward pass.

Written from PyTorch's derivative formulas (tools/autograd/derivatives.yaml): which inputs or outputs an operator
saves (inputs before it runs, outputs after), which temporaries its backward needs. Every function returns a new
tensor; views share their storage.
"""

from __future__ import annotations

from engine.memory.trace.extent import Extent, constant, larger, plus, times
from engine.memory.trace.tape import BF16, FP32, Gradients, Tag, Tape, Tensor


def _only(gradients: Gradients) -> Tensor:
    gradient = gradients[0]
    if gradient is None:
        raise AssertionError("no gradient arrived")
    return gradient


def _value(x: Tensor) -> Tensor:
    """A tensor outside the graph, so that an operator can keep its own output."""
    return Tensor(x.storage, x.elements, x.width)


def expanded(gradients: Gradients, elements: Extent) -> Tensor:
    """A gradient spread over a larger tensor without a copy."""
    gradient = _only(gradients)
    return Tensor(gradient.storage, elements, gradient.width)


def cast(tape: Tape, x: Tensor, width: int) -> Tensor:
    """A change of number format; no copy when it has that format already."""
    if x.width == width:
        return x
    out = tape.new(x.elements, width, Tag.CAST if x.tag is None else x.tag)
    before = x.width

    def rule(grads: Gradients) -> Gradients:
        grad = _only(grads)
        return (tape.new(grad.elements, before, grad.tag),)

    return tape.record(out, (x,), rule)


def cast_weight(tape: Tape, weight: Tensor, width: int) -> Tensor:
    """Autocast's copy of a weight; copies of trained weights are cached until the forward pass ends."""
    if weight.width == width:
        return weight
    if weight.node is None:
        return cast(tape, weight, width)
    if weight.node not in tape.casts:
        tape.casts[weight.node] = cast(tape, weight, width)
    return tape.casts[weight.node]


def hold(tape: Tape, x: Tensor) -> Tensor:
    """A tensor kept for the backward pass although no gradient needs it."""
    kept = tape.keep(x)
    out = Tensor(x.storage, x.elements, x.width)

    def rule(grads: Gradients) -> Gradients:
        kept.unpack()
        kept.clear()
        return grads

    return tape.record(out, (x,), rule)


def dropout(tape: Tape, x: Tensor) -> Tensor:
    """Zeroes elements at random; keeps a mask of one byte each."""
    out = tape.new(x.elements, x.width)
    kept = tape.keep(tape.new(x.elements, 1))

    def rule(grads: Gradients) -> Gradients:
        kept.unpack()
        grad = _only(grads)
        result = tape.new(grad.elements, grad.width)
        kept.clear()
        return (result,)

    return tape.record(out, (x,), rule)


def copy(tape: Tape, x: Tensor) -> Tensor:
    """A contiguous copy, or any operator of one input that keeps nothing (scaling, negation)."""
    out = tape.new(x.elements, x.width, x.tag)
    return tape.record(out, (x,), lambda grads: (tape.new(_only(grads).elements, _only(grads).width),))


scale = copy


def add(tape: Tape, a: Tensor, b: Tensor) -> Tensor:
    """Sum of two tensors: the gradient goes to both without a copy."""
    elements = larger(a.elements, b.elements)
    out = tape.new(elements, max(a.width, b.width))
    sides = ((a.needs_grad, a.elements, a.width), (b.needs_grad, b.elements, b.width))

    def rule(grads: Gradients) -> Gradients:
        return tuple(_reduced(tape, _only(grads), size, width) if needs else None for needs, size, width in sides)

    return tape.record(out, (a, b), rule)


def _reduced(tape: Tape, grad: Tensor, elements: Extent, width: int) -> Tensor:
    """The gradient of a broadcast operand: summed over the tokens, and in the operand's number format."""
    if grad.elements != elements:
        grad = tape.new(elements, grad.width)
    return grad if grad.width == width else tape.new(elements, width)


def mul(tape: Tape, a: Tensor, b: Tensor) -> Tensor:
    """Product of two tensors: each is kept when the other needs a gradient."""
    elements = larger(a.elements, b.elements)
    width = max(a.width, b.width)
    kept = tape.keep(a if b.needs_grad else None, b if a.needs_grad else None)
    out = tape.new(elements, width)
    sides = ((a.needs_grad, a.elements, a.width), (b.needs_grad, b.elements, b.width))

    def rule(grads: Gradients) -> Gradients:
        kept.unpack()
        results: list[Tensor | None] = []
        for needs, size, own in sides:
            results.append(_reduced(tape, tape.new(elements, _only(grads).width), size, own) if needs else None)
        kept.clear()
        return results

    return tape.record(out, (a, b), rule)


def elementwise(tape: Tape, x: Tensor, *, keeps_input: bool) -> Tensor:
    """A non-linear function of one input that keeps its input or its output (SiLU keeps the input, tanh the output)."""
    kept = tape.keep(x) if keeps_input else None
    out = tape.new(x.elements, x.width, x.tag)
    kept = kept or tape.keep(_value(out))

    def rule(grads: Gradients) -> Gradients:
        kept.unpack()
        grad = _only(grads)
        result = tape.new(grad.elements, grad.width)
        kept.clear()
        return (result,)

    return tape.record(out, (x,), rule)


def matmul(tape: Tape, x: Tensor, weight: Tensor, outputs: int, inputs: int) -> Tensor:
    """`x @ weight.T` with x of `rows` x inputs: keeps x for a trained weight and the weight for x's gradient."""
    rows = tuple(size // inputs for size in x.elements)
    kept = tape.keep(x if weight.needs_grad else None, weight if x.needs_grad else None)
    out = tape.new((rows[0] * outputs, rows[1] * outputs, rows[2] * outputs), x.width)
    x_size = x.elements if x.needs_grad else None
    weight_size = weight.elements if weight.needs_grad else None
    width = x.width

    def rule(_: Gradients) -> Gradients:
        kept.unpack()
        grad_x = tape.new(x_size, width) if x_size is not None else None
        grad_weight = tape.new(weight_size, width) if weight_size is not None else None
        kept.clear()
        return (grad_x, grad_weight)

    return tape.record(out, (x, weight), rule)


def nf4_matmul(tape: Tape, x: Tensor, weights: int, outputs: int, inputs: int) -> Tensor:
    """A 4-bit matrix product: the weight is unpacked for the product and again for the gradient, and not kept.

    While unpacking, the fp32 scales of the blocks (one per 64 weights) live beside the result.
    """
    rows = tuple(size // inputs for size in x.elements)
    width = x.width
    unpacked = _unpack(tape, weights, width)
    out = tape.new((rows[0] * outputs, rows[1] * outputs, rows[2] * outputs), width)
    del unpacked
    size = x.elements

    def rule(_: Gradients) -> Gradients:
        unpacked = _unpack(tape, weights, width)
        result = tape.new(size, width)
        del unpacked
        return (result,)

    return tape.record(out, (x,), rule)


def _unpack(tape: Tape, weights: int, width: int) -> Tensor:
    scales = tape.new(constant(weights // 64), FP32)
    unpacked = tape.new(constant(weights), width, Tag.CAST)
    del scales
    return unpacked


def concatenate(tape: Tape, *parts: Tensor) -> Tensor:
    """A concatenation: one new tensor; the gradients are views of the incoming one."""
    elements = parts[0].elements
    for part in parts[1:]:
        elements = plus(elements, part.elements)
    out = tape.new(elements, parts[0].width)
    sizes = [part.elements for part in parts]

    def rule(grads: Gradients) -> Gradients:
        grad = _only(grads)
        return [Tensor(grad.storage, size, grad.width) for size in sizes]

    return tape.record(out, parts, rule)


def split(tape: Tape, x: Tensor, *sizes: Extent) -> tuple[Tensor, ...]:
    """A split into views; the backward pass joins the gradients in a new tensor."""
    outs = tuple(Tensor(x.storage, size, x.width) for size in sizes)
    whole, width = x.elements, x.width

    def rule(grads: Gradients) -> Gradients:
        missing = [tape.new(size, width) for grad, size in zip(grads, sizes, strict=True) if grad is None]
        result = tape.new(whole, width)
        missing.clear()
        return (result,)

    return tape.record_all(outs, (x,), rule)


def narrow(tape: Tape, x: Tensor, size: Extent) -> Tensor:
    """A slice (a view); the backward pass fills a whole tensor with zeros and copies the slice into it."""
    out = Tensor(x.storage, size, x.width)
    whole, width = x.elements, x.width
    return tape.record(out, (x,), lambda _: (tape.new(whole, width),))


def softmax(tape: Tape, x: Tensor, width: int) -> Tensor:
    """A softmax in the given precision; keeps its output."""
    out = tape.new(x.elements, width)
    kept = tape.keep(_value(out))
    before = x.width

    def rule(grads: Gradients) -> Gradients:
        kept.unpack()
        grad = _only(grads)
        result = tape.new(grad.elements, before)
        kept.clear()
        return (result,)

    return tape.record(out, (x,), rule)


def power(tape: Tape, x: Tensor) -> Tensor:
    """The square of a tensor; keeps its input. Backward: `gradient * (2 * x)` with its two temporaries."""
    kept = tape.keep(x)
    out = tape.new(x.elements, x.width)

    def rule(grads: Gradients) -> Gradients:
        kept.unpack()
        grad = _only(grads)
        base = tape.new(grad.elements, grad.width)
        factor = tape.new(grad.elements, grad.width)
        del base
        result = tape.new(grad.elements, grad.width)
        del factor
        kept.clear()
        return (result,)

    return tape.record(out, (x,), rule)


def mean(tape: Tape, x: Tensor, rows: Extent) -> Tensor:
    """A mean over the last dimension; the backward pass spreads it over the whole tensor again."""
    out = tape.new(rows, x.width)
    whole, width = x.elements, x.width
    return tape.record(out, (x,), lambda _: (tape.new(whole, width),))


def flash(tape: Tape, q: Tensor, k: Tensor, v: Tensor, heads: int, kv_heads: int, dims: tuple[int, int]) -> Tensor:
    """Fused attention: keeps q, k, v, the output and one fp32 row sum per head and token.

    Workspace of the backward kernel: an fp32 accumulator for the query gradient with the head size rounded up, one
    fp32 row per head, and key and value gradients for every query head when heads share keys.
    """
    head_dim, value_dim = dims
    rows = tuple(size // (heads * head_dim) for size in q.elements)
    out_size: Extent = (rows[0] * heads * value_dim, rows[1] * heads * value_dim, rows[2] * heads * value_dim)
    out = tape.new(out_size, q.width)
    row_sums = tape.new((rows[0] * heads, rows[1] * heads, rows[2] * heads), FP32)
    kept = tape.keep(q, k, v, _value(out), row_sums)
    del row_sums
    sizes = (q.elements, k.elements, v.elements)
    width = q.width
    rounded = -(-head_dim // 32) * 32 if head_dim <= 128 else -(-head_dim // 64) * 64
    accumulator = heads * rounded * FP32 + heads * FP32
    if kv_heads != heads:
        accumulator += 2 * heads * head_dim * width

    def rule(_: Gradients) -> Gradients:
        kept.unpack()
        grads = [tape.new(size, width) for size in sizes]
        workspace = tape.new(times((rows[0], rows[1], rows[2]), accumulator), 1)
        del workspace
        kept.clear()
        return grads

    return tape.record(out, (q, k, v), rule)


def batched_matmul(tape: Tape, a: Tensor, b: Tensor, out_elements: Extent) -> Tensor:
    """A product of two activations: keeps both; the backward pass makes one gradient after the other."""
    kept = tape.keep(a if b.needs_grad else None, b if a.needs_grad else None)
    out = tape.new(out_elements, BF16 if BF16 in (a.width, b.width) else FP32)
    sizes = (a.elements if a.needs_grad else None, b.elements if b.needs_grad else None)
    width = out.width

    def rule(_: Gradients) -> Gradients:
        kept.unpack()
        grads = [tape.new(size, width) if size is not None else None for size in sizes]
        kept.clear()
        return grads

    return tape.record(out, (a, b), rule)


def fused_norm(tape: Tape, x: Tensor, weight: Tensor, rows: Extent) -> Tensor:
    """PyTorch's layer norm: keeps its input, mean and reciprocal deviation."""
    kept = tape.keep(x, weight)
    out = tape.new(x.elements, x.width)
    statistics = tape.keep(tape.new(rows, FP32), tape.new(rows, FP32))
    size, width = x.elements, x.width
    weight_size = weight.elements if weight.needs_grad else None

    def rule(_: Gradients) -> Gradients:
        kept.unpack()
        result = tape.new(size, width)
        weight_result = tape.new(weight_size, width) if weight_size is not None else None
        kept.clear()
        statistics.clear()
        return (result, weight_result)

    return tape.record(out, (x, weight), rule)


def subtract_mean(tape: Tape, x: Tensor, rows: Extent) -> Tensor:
    """`x - mean(x)`, computed twice as the library does: once for the variance, once for the result."""
    average = mean(tape, x, rows)
    return add(tape, x, average)


def where(tape: Tape, condition: Tensor, a: Tensor, b: Tensor) -> Tensor:
    """A choice element by element: keeps the condition; each side's gradient is a tensor of its own."""
    out = tape.new(a.elements, a.width)
    kept = tape.keep(condition)
    elements, width = a.elements, a.width

    def rule(_: Gradients) -> Gradients:
        kept.unpack()
        grads = [tape.new(elements, width), tape.new(elements, width)]
        kept.clear()
        return grads

    return tape.record(out, (a, b), rule)


def filled(tape: Tape, elements: Extent, *parts: Tensor) -> Tensor:
    """An empty tensor into which parts are copied one after the other, smaller ones spread over it.

    Each copy's backward pass clones the gradient of the whole and zeroes the part it filled.
    """
    out = tape.new(elements, parts[0].width)
    for part in parts:
        out = _filled_once(tape, out, part)
    return out


def _filled_once(tape: Tape, whole: Tensor, part: Tensor) -> Tensor:
    out = Tensor(whole.storage, whole.elements, whole.width)
    size, width, needs = part.elements, part.width, whole.needs_grad

    def rule(grads: Gradients) -> Gradients:
        grad = _only(grads)
        rest = tape.new(grad.elements, width) if needs else None
        return (rest, tape.new(size, width))

    return tape.record(out, (whole, part), rule)


def fused_gate(tape: Tape, gate: Tensor, up: Tensor) -> Tensor:
    """`act(gate) * up` in one kernel: keeps both inputs and writes their gradients over them."""
    kept = tape.keep(gate, up)
    out = tape.new(gate.elements, gate.width)
    width = gate.width

    def rule(_: Gradients) -> Gradients:
        kept.unpack()
        grads = [Tensor(tensor.storage, tensor.elements, width) for tensor in kept.tensors]
        kept.clear()
        return grads

    return tape.record(out, (gate, up), rule)


def gather(tape: Tape, x: Tensor, copies: int) -> Tensor:
    """Rows picked by an index, every row `copies` times; the backward pass adds them up again."""
    return spread(tape, x, (x.elements[0], x.elements[1] * copies, x.elements[2]))


def spread(tape: Tape, x: Tensor, elements: Extent) -> Tensor:
    """A tensor repeated to a larger size; the backward pass sums."""
    out = tape.new(elements, x.width)
    size, width = x.elements, x.width
    return tape.record(out, (x,), lambda _: (tape.new(size, width),))


def depthwise(tape: Tape, x: Tensor, weight: Tensor) -> Tensor:
    """A depthwise convolution: keeps input and weight whatever needs a gradient."""
    kept = tape.keep(x, weight)
    out = tape.new(x.elements, x.width)
    size, width = x.elements, x.width
    weight_size = weight.elements if weight.needs_grad else None

    def rule(_: Gradients) -> Gradients:
        kept.unpack()
        result = tape.new(size, width)
        weight_result = tape.new(weight_size, width) if weight_size is not None else None
        kept.clear()
        return (result, weight_result)

    return tape.record(out, (x, weight), rule)


def solve(tape: Tape, system: Tensor, right: Tensor) -> Tensor:
    """A triangular system solved for every chunk: keeps the system and the solution."""
    out = tape.new(right.elements, FP32)
    kept = tape.keep(system, _value(out))
    sizes = (system.elements, right.elements)

    def rule(_: Gradients) -> Gradients:
        kept.unpack()
        right_grad = tape.new(sizes[1], FP32)
        system_grad = tape.new(sizes[0], FP32)
        kept.clear()
        return (system_grad, right_grad)

    return tape.record(out, (system, right), rule)


def selected(tape: Tape, x: Tensor) -> Tensor:
    """Chunks picked one after the other in a loop: backwards each pick fills a whole tensor and is added up."""
    out = Tensor(x.storage, x.elements, x.width)
    size, width = x.elements, x.width

    def rule(_: Gradients) -> Gradients:
        picked, so_far = tape.new(size, width), tape.new(size, width)
        result = tape.new(size, width)
        del picked, so_far
        return (result,)

    return tape.record(out, (x,), rule)


def outer(tape: Tape, a: Tensor, b: Tensor, elements: Extent) -> Tensor:
    """A product of two tensors broadcast against each other; each gradient is summed from a tensor of full size."""
    kept = tape.keep(a if b.needs_grad else None, b if a.needs_grad else None)
    width = max(a.width, b.width)
    out = tape.new(elements, width)
    sides = ((a.needs_grad, a.elements, a.width), (b.needs_grad, b.elements, b.width))

    def rule(_: Gradients) -> Gradients:
        kept.unpack()
        results = [
            _reduced(tape, tape.new(elements, width), size, own) if needs else None for needs, size, own in sides
        ]
        kept.clear()
        return results

    return tape.record(out, (a, b), rule)
