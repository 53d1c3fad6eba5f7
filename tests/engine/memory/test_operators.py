"""Single operators in bytes per token by hand, and what lies where on the card before any layer runs."""

from __future__ import annotations

from decimal import Decimal
from types import SimpleNamespace
from typing import cast

import pytest

from engine.hardware import Card, MigProfile
from engine.memory.estimate import estimate
from engine.memory.mig import instance_bytes, profile_bytes
from engine.memory.trace import ops
from engine.memory.trace.extent import evaluate, larger, per_token
from engine.memory.trace.profile import difference
from engine.memory.trace.tape import BF16, FP32, Tag, Tape, Tensor, node_of, total
from engine.memory.types import CardBytes
from engine.methods import Checkpointing, Method, Sharding
from tests.engine.memory.builders import LLAMA_1B, LLAMA_8B, run

P, ADAPTERS = 8_030_261_248, 41_943_040


def _live(tape: Tape) -> int:
    return evaluate(total(tape.snapshot()), 1, 1)


def _backward_peak(tape: Tape, out: Tensor, gradient: Tensor) -> int:
    node = node_of(out)
    out.node = None
    out.storage = None
    tape.take_peaks()
    tape.backward(node, [gradient])
    return max(evaluate(total(snapshot), 1, 1) for snapshot in tape.take_peaks())


# FlashAttention's backward pass: an fp32 accumulator per head with the head rounded up (to 32, beyond 128 to 64), an
# fp32 row per head, and key and value gradients for every query head when heads share keys.
@pytest.mark.parametrize(
    ("head", "rounded"),
    [(16, 32), (32, 32), (33, 64), (64, 64), (96, 96), (128, 128), (129, 192), (192, 192), (193, 256)],
)
@pytest.mark.parametrize("kv_heads", [4, 2])
def test_that_fused_attention_needs_its_workspace_for_the_gradients(head: int, rounded: int, kv_heads: int) -> None:
    heads = 4
    tape = Tape()
    sizes = (heads * head, kv_heads * head, kv_heads * head)
    parts = [tape.leaf(tape.new(per_token(size), BF16)) for size in sizes]
    out = ops.flash(tape, parts[0], parts[1], parts[2], heads, kv_heads, (head, head))
    parts.clear()
    kept = 2 * sum(sizes) + 2 * sizes[0] + 4 * heads  # queries, keys, values, the output, an fp32 sum per row
    assert _live(tape) == kept
    workspace = heads * rounded * 4 + heads * 4
    if kv_heads != heads:
        workspace += 2 * heads * head * 2
    peak = _backward_peak(tape, out, tape.new(per_token(sizes[0]), BF16))
    assert peak == kept + 2 * sizes[0] + 2 * sum(sizes) + workspace


@pytest.mark.parametrize("trained", [True, False])
def test_that_a_fused_norm_makes_a_gradient_for_a_trained_weight_only(trained: bool) -> None:
    tape = Tape()
    x = tape.leaf(tape.new(per_token(10), BF16))
    out = ops.fused_norm(tape, x, tape.weight(10, FP32, trained=trained), per_token(1))
    del x
    assert _live(tape) == 20 + 20 + 2 * 4  # input, output, mean and reciprocal deviation
    _backward_peak(tape, out, tape.new(per_token(10), BF16))
    assert tape.live[Tag.GRADIENT] == ((20, 0, 0) if trained else (0, 0, 0))


# b of 60 B is kept for a's gradient; backwards the incoming 200 B, a product of full size, and a's own 20 B.
def test_that_an_outer_product_makes_only_the_gradients_that_are_needed() -> None:
    tape = Tape()
    a, b = tape.leaf(tape.new(per_token(10), BF16)), tape.new(per_token(30), BF16)
    out = ops.outer(tape, a, b, per_token(100))
    del a, b
    assert _live(tape) == 60 + 200
    assert _backward_peak(tape, out, tape.new(per_token(100), BF16)) == 60 + 200 + 200 + 20


def test_that_a_depthwise_convolution_keeps_its_input_and_makes_the_weights_gradient() -> None:
    tape = Tape()
    x = tape.leaf(tape.new(per_token(10), BF16))
    out = ops.depthwise(tape, x, tape.weight(7, BF16, trained=True))
    del x
    assert _live(tape) == 40
    _backward_peak(tape, out, tape.new(per_token(10), BF16))
    assert tape.live[Tag.GRADIENT] == (14, 0, 0)


def test_that_a_masked_choice_keeps_its_mask_and_makes_two_gradients() -> None:
    tape = Tape()
    mask = tape.new(per_token(10), 1)
    a, b = (tape.leaf(tape.new(per_token(10), BF16)) for _ in range(2))
    out = ops.where(tape, mask, a, b)
    del mask, a, b
    assert _live(tape) == 10 + 20
    assert _backward_peak(tape, out, tape.new(per_token(10), BF16)) == 10 + 20 + 2 * 20


def test_that_a_broadcast_result_has_the_size_of_the_larger_operand() -> None:
    assert larger((5, 0, 0), (1, 2, 0)) == (1, 2, 0)
    assert larger((1, 2, 0), (5, 0, 0)) == (1, 2, 0)
    assert larger((0, 9, 0), (0, 1, 1)) == (0, 1, 1)


# Model states as the literature counts them hold nothing else: no activations, no buffers.
def test_that_nominal_states_are_states_alone() -> None:
    assert estimate(run()).states == CardBytes(
        weights=2 * P,
        adapters=4 * ADAPTERS,
        gradients=4 * ADAPTERS,
        master_weights=0,
        optimizer=8 * ADAPTERS,
        activations=0,
        logits=0,
        workspace=0,
        communication=0,
    )
    spread = estimate(run(LLAMA_8B, Method.FULL, cards=4, sharding=Sharding.ZERO2)).states
    assert (spread.activations, spread.logits, spread.workspace, spread.communication) == (0, 0, 0, 0)
    assert (spread.weights, spread.gradients, spread.optimizer) == (2 * P, P // 2, 2 * P)


# The embedding's output and those of 16 layers, 2,048 x 2 B per token; of the 17, two stay: in use and on its way.
def test_that_offloaded_checkpoints_free_all_but_two_layers_to_the_byte() -> None:
    kept, away = (
        estimate(run(LLAMA_1B, sequence=1024, checkpointing=checkpointing))
        for checkpointing in (Checkpointing.ON, Checkpointing.OFFLOADED)
    )
    assert kept.phases.loss - away.phases.loss == 15 * 2048 * 2 * 1024


def test_that_an_instance_may_have_a_single_gigabyte() -> None:
    assert instance_bytes(96_000, Decimal(96), Decimal(1)) == 1000


# A card of 96 GB with 97,000 MB usable, cut in four: by its name an instance has 24 GB, by the driver's list less.
def test_that_the_drivers_list_counts_before_the_name_of_an_instance() -> None:
    card = SimpleNamespace(
        usable_bytes=SimpleNamespace(value=97_000_000_000), memory_gb=SimpleNamespace(value=Decimal(96))
    )
    named = SimpleNamespace(memory_gb=Decimal(24), usable_bytes=None)
    listed = SimpleNamespace(memory_gb=Decimal(24), usable_bytes=SimpleNamespace(value=23_500_000_000))
    found = [profile_bytes(cast("Card", card), cast("MigProfile", profile)) for profile in (named, listed)]
    assert found == [24_000_000_000, 23_500_000_000]


def test_that_two_moments_are_compared_part_by_part() -> None:
    later = ((10, 20, 30), (11, 21, 31), (12, 22, 32), (13, 23, 33))
    earlier = ((1, 2, 3), (4, 5, 6), (7, 8, 9), (10, 11, 12))
    assert difference(later, earlier) == ((9, 18, 27), (7, 16, 25), (5, 14, 23), (3, 12, 21))
