"""The end of the network: final norm, output layer and loss, with the logits that often set the peak."""

from __future__ import annotations

from engine.memory.trace import ops
from engine.memory.trace.extent import constant, per_token
from engine.memory.trace.layers import Builder
from engine.memory.trace.style import style_of
from engine.memory.trace.tape import BF16, FP32, INT64, Gradients, Tag, Tape, Tensor
from engine.models import ModelSpec


def final_norm(builder: Builder, model: ModelSpec, hidden: Tensor) -> Tensor:
    """The norm after the last layer."""
    return builder.norm(hidden, model.hidden_size, style_of(model).norm)


def head_of(builder: Builder, model: ModelSpec) -> Tensor:
    """The output layer's weight; trained beside adapters it is a copy in the adapters' precision."""
    options = builder.options
    width = options.adapter_width if options.trains_head else builder.plain_width
    trained = options.trains_base or options.trains_head
    return builder.tape.weight(model.vocab_size * model.hidden_size, width, trained=trained)


def logits_of(builder: Builder, model: ModelSpec, hidden: Tensor) -> Tensor:
    """The output layer over the whole vocabulary, soft-capped where the family does it."""
    tape = builder.tape
    tape.tag = Tag.LOGITS
    logits = builder.product(hidden, head_of(builder, model), model.vocab_size, model.hidden_size)
    tape.tag = Tag.ACTIVATION
    if style_of(model).scales_logits:
        logits = ops.scale(tape, logits)
    if model.logit_softcap:
        logits = ops.scale(tape, logits)
        logits = ops.elementwise(tape, logits, keeps_input=False)
        logits = ops.scale(tape, logits)
    return logits


def cross_entropy(tape: Tape, logits: Tensor) -> Tensor:
    """The library's loss: logits in fp32, their log-softmax kept, two fp32 gradients of the same size backwards."""
    logits = ops.cast(tape, logits, FP32)
    labels = tape.new(per_token(1), INT64)
    size = logits.elements
    probabilities = tape.new(size, FP32, Tag.LOGITS)
    loss = tape.new(constant(1), FP32)
    kept = tape.keep(probabilities, labels)
    del labels, probabilities

    def rule(_: Gradients) -> Gradients:
        kept.unpack()
        picked = tape.new(size, FP32, Tag.LOGITS)
        result = tape.new(size, FP32, Tag.LOGITS)
        del picked
        kept.clear()
        return (result,)

    return tape.record(loss, (logits,), rule)


def kernel_cross_entropy(tape: Tape, logits: Tensor, logit_bytes: int) -> Tensor:
    """A loss kernel over all logits that holds `logit_bytes` for each and writes the gradient over the logits."""
    size = logits.elements
    spare = max(logit_bytes - logits.width, 0)
    extra = tape.new(size, spare, Tag.LOGITS)
    kept = tape.keep(logits, extra)
    loss = tape.new(constant(1), FP32)
    width = logits.width
    storage = [logits.storage]
    del extra

    def rule(_: Gradients) -> Gradients:
        kept.unpack()
        result = Tensor(storage.pop(), size, width)
        kept.clear()
        return (result,)

    return tape.record(loss, (logits,), rule)


def chunked_cross_entropy(builder: Builder, model: ModelSpec, hidden: Tensor) -> Tensor:
    """Output layer and loss in one operator over chunks of tokens: the whole logits never exist.

    The gradients of the hidden states, and of a trained head, are made during the forward pass. A chunk holds
    tokens x hidden / vocabulary, rounded up to a power of two: counted here as its upper bound, twice that.
    """
    tape = builder.tape
    width = hidden.width
    if builder.options.autocast:
        hidden = ops.cast(tape, hidden, BF16)
    head = head_of(builder, model)
    trained, weight = head.needs_grad, head
    if builder.options.autocast:
        weight = ops.cast_weight(tape, weight, BF16)
    gradient = tape.new(hidden.elements, hidden.width)
    weight_gradient = tape.new(weight.elements, weight.width) if trained else None
    chunk = per_token(2 * model.hidden_size)
    logits = tape.new(chunk, weight.width, Tag.LOGITS)
    upcast = tape.new(chunk, FP32, Tag.LOGITS)
    del logits
    back = tape.new(chunk, weight.width, Tag.LOGITS)
    del upcast
    if trained:
        part = tape.new(weight.elements, weight.width)
        del part
    del back
    loss = tape.new(constant(1), FP32)
    kept = [gradient, weight_gradient]  # the weight's gradient stays with the operator until the step is over
    del gradient, weight_gradient, weight
    elements = hidden.elements

    def rule(_: Gradients) -> Gradients:
        result = tape.new(elements, width)
        weight_result = kept[1]
        kept.clear()
        return (result, weight_result)

    return tape.record(loss, (hidden, head), rule)
