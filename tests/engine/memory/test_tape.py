"""The tape frees bytes when PyTorch would."""

from __future__ import annotations

from engine.memory.trace import ops
from engine.memory.trace.extent import evaluate, per_token
from engine.memory.trace.tape import BF16, FP32, Tag, Tape, node_of, total


def _live(tape: Tape) -> int:
    return evaluate(total(tape.snapshot()), 1, 1)


def test_that_a_product_keeps_its_operands_until_its_gradient_is_made() -> None:
    tape = Tape()
    a, b = (tape.leaf(tape.new(per_token(10), BF16)) for _ in range(2))
    out = ops.mul(tape, a, b)
    del a, b
    assert _live(tape) == 60  # both operands and the product
    node = node_of(out)
    del out
    assert _live(tape) == 40
    tape.backward(node, [tape.new(per_token(10), BF16)])
    assert _live(tape) == 20  # the gradient that reached the last leaf


def test_that_a_sum_keeps_nothing_and_passes_its_gradient_on() -> None:
    tape = Tape()
    a = tape.leaf(tape.new(per_token(10), BF16))
    out = ops.add(tape, a, a)
    del a
    assert _live(tape) == 20
    del out
    assert _live(tape) == 0


def test_that_nothing_is_kept_without_recording() -> None:
    tape = Tape()
    a = tape.leaf(tape.new(per_token(10), BF16))
    tape.recording = False
    out = ops.power(tape, a)
    del a
    assert _live(tape) == 20
    del out
    assert _live(tape) == 0


def test_that_the_gradient_of_a_trained_weight_stays() -> None:
    tape = Tape()
    x = tape.leaf(tape.new(per_token(4), BF16))
    weight = tape.weight(12, BF16, trained=True)
    out = ops.matmul(tape, x, weight, 3, 4)
    node = node_of(out)
    del out, x
    tape.backward(node, [tape.new(per_token(3), BF16)])
    assert tape.live[Tag.GRADIENT] == (24, 0, 0)


def test_that_a_checkpointed_layer_keeps_nothing_but_makes_it_again() -> None:
    tape = Tape()
    x = tape.leaf(tape.new(per_token(10), BF16))
    out = tape.run_checkpointed(lambda: ops.power(tape, ops.power(tape, x)))
    assert _live(tape) == 40  # input and output
    node = node_of(out)
    del out
    tape.take_peaks()
    tape.backward(node, [tape.new(per_token(10), BF16)])
    peak = max(evaluate(total(snapshot), 1, 1) for snapshot in tape.take_peaks())
    # input, incoming gradient, the inner square again, and two temporaries of the square's gradient
    assert peak == 100


def test_that_a_cast_to_the_same_format_costs_nothing() -> None:
    tape = Tape()
    x = tape.new(per_token(10), FP32)
    assert ops.cast(tape, x, FP32) is x
    assert _live(tape) == 40


# 20 B each: the incoming gradient waits while the two copies on the longer way make theirs, one after the other; then
# both are summed in a third tensor, and only the sum goes on.
def test_that_a_shared_tensor_passes_on_the_sum_of_its_gradients_once() -> None:
    tape = Tape()
    shared = ops.copy(tape, tape.leaf(tape.new(per_token(10), BF16)))
    out = ops.add(tape, shared, ops.copy(tape, ops.copy(tape, shared)))
    del shared
    node, out.node, out.storage = node_of(out), None, None
    tape.take_peaks()
    tape.backward(node, [tape.new(per_token(10), BF16)])
    assert max(evaluate(total(snapshot), 1, 1) for snapshot in tape.take_peaks()) == 60
    assert tape.arrived is not None
    assert _live(tape) == 20
