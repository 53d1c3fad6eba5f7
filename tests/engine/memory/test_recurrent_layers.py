"""Recurrent layers in bytes per token by hand: what each operator of the library's PyTorch form leaves behind.

Everything is frozen and in bf16; what the rules compute in fp32 has 4 B per element. A frozen product keeps nothing, a
product of two activations both, an exponential or sigmoid its output, SiLU and softplus their input.
"""

from __future__ import annotations

import pytest

from engine.memory.trace.extent import Extent, per_token
from engine.memory.trace.layers import Builder, TraceOptions
from engine.memory.trace.recurrent import linear_attention, state_space
from engine.memory.trace.style import Style
from engine.memory.trace.tape import BF16, Tape, node_of, total
from engine.models import Block, Linear, MixerKind, Role
from tests.engine.memory.builders import PLAIN

WHOLE = TraceOptions(False, 4, False, 0, (), 0, False, False, False, False)
TRAINED = TraceOptions(True, 2, False, 0, (), 0, False, False, False, False)


def _block(mixer: MixerKind, state: int, *matrices: tuple[str, int, int]) -> Block:
    return Block(
        1, mixer, tuple(Linear(f"mixer.{name}", *sizes, Role.MIXER) for name, *sizes in matrices), 0, state_size=state
    )


def _kept(block: Block, hidden: int, style: Style | None = None, options: TraceOptions = PLAIN) -> Extent:
    tape = Tape()
    run = linear_attention if block.mixer is MixerKind.LINEAR_ATTENTION else state_space
    x = tape.leaf(tape.new(per_token(hidden), options.weight_width))
    out = run(Builder(tape, options, frozenset()), x, block, style or Style())
    del x
    assert (out.elements, out.width) == (per_token(hidden), options.weight_width)
    return total(tape.snapshot())


def _gradients(block: Block, hidden: int) -> list[int]:
    tape = Tape()
    out = state_space(Builder(tape, TRAINED, frozenset()), tape.leaf(tape.new(per_token(hidden), BF16)), block, Style())
    node = node_of(out)
    tape.backward(node, [tape.new(per_token(hidden), BF16)])
    return sorted(gradient.elements[0] for gradient in tape.parameter_gradients.values())


# Mamba, 6 channels with a state of 3 (or, when none is told, of 1) and a step of rank 2. Input and gate in one tensor,
# 24 B; the convolution's copy and result 12 + 12; the step before softplus 12 and in fp32 24. In fp32: the decays and
# the two factors of what enters a state, 72 each (18 states), with the input matrix 12 and the channels 24; the states
# again, 72. Read out: states and output matrix in bf16, 36 and 6; the scanned channels and the opened gate 12 each; the
# layer's output 16.
@pytest.mark.parametrize(("told", "state"), [(3, 3), (0, 1)])
def test_that_a_selective_scan_keeps_every_state(told: int, state: int) -> None:
    sizes = (("in_proj", 8, 12), ("x_proj", 6, 2 + 2 * state), ("dt_proj", 2, 6), ("out_proj", 6, 8))
    states = 4 * 6 * state
    entering = states + 24 + 4 * state  # with the channels and the input matrix
    reading = 2 * 6 * state + 2 * state
    kept = 24 + 12 + 12 + 12 + 24 + states + entering + states + reading + 12 + 12 + 16
    assert _kept(_block(MixerKind.STATE_SPACE, told, *sizes), 8) == per_token(kept)


# In fp32 nothing is cast, so what is cast above is kept where it lies: the step after softplus 24, the input matrix
# with all of its projection, 8 x 4, the convolution's result 24, the states themselves.
def test_that_a_selective_scan_in_fp32_keeps_what_it_would_have_cast() -> None:
    sizes = (("in_proj", 8, 12), ("x_proj", 6, 8), ("dt_proj", 2, 6), ("out_proj", 6, 8))
    kept = 48 + 24 + 24 + 24 + 24 + 72 + (72 + 24 + 32) + 72 + (72 + 12) + 24 + 24 + 32
    block = _block(MixerKind.STATE_SPACE, 3, *sizes)
    assert _kept(block, 8, options=WHOLE) == per_token(kept)
    # the matrices; 4 taps, a skip and 3 transitions for each channel
    assert _gradients(block, 8) == sorted([8 * 12, 6 * 8, 2 * 6, 6 * 8, 4 * 6, 6, 6 * 3])


# Mamba-2: 6 channels, one group, a state of 2, 3 heads, chunks of 4: 12 scores and 3 state elements per token.
# Convolution over channels and both matrices, 10: copy and result 20 + 20.
STATE_MATRICES = (("in_proj", 8, 2 * 6 + 2 * 2 + 3), ("out_proj", 6, 8))
STEPS = 6 + 12  # before softplus, in fp32 beside the channels
CHANNELS = 24  # in fp32
SCORES = 24 + 24 + 48 + 48  # both matrices spread over the heads, their product, the decays within a chunk
WITHIN = 48 + 24  # operands of the chunk's own part
SUMMED = 24 + 12 + 24 + 24  # the input matrix and its decay, operands of the states
CARRIED = 12 + 12  # operands of the recurrence over chunks
BETWEEN = 24 + 12 + 24 + 12  # operands of what comes from earlier chunks, and its decay
GATED = 24 + 24 + 24  # scanned channels, gate in fp32 and opened
SCAN = 20 + 20 + STEPS + CHANNELS + SCORES + WITHIN + SUMMED + CARRIED + BETWEEN + GATED + 24 + 4 + 16  # norm, output


def test_that_a_chunked_scan_keeps_the_operands_of_its_products() -> None:
    style = Style(chunk=4)
    assert _kept(_block(MixerKind.STATE_SPACE, 2, *STATE_MATRICES), 8, style) == per_token(SCAN)
    # without a projection of the step it is no selective scan, whatever else there is
    other = _block(MixerKind.STATE_SPACE, 2, *STATE_MATRICES, ("x_proj", 6, 6))
    assert _kept(other, 8, style) == per_token(SCAN)


# In fp32: the step after softplus is what the rest works with, 12; channels and gate are parts of the convolution's
# result, 40, and of the projection, 76.
def test_that_a_chunked_scan_in_fp32_keeps_what_it_would_have_cast() -> None:
    products = SCORES + WITHIN + SUMMED + CARRIED + BETWEEN
    kept = 40 + 40 + 12 + 12 + 40 + products + 24 + 76 + 24 + 24 + 4 + 32
    block = _block(MixerKind.STATE_SPACE, 2, *STATE_MATRICES)
    assert _kept(block, 8, Style(chunk=4), WHOLE) == per_token(kept)


# 10 -> 4 and 4 -> 10, or the first and the last of three: the one between is not run.
def test_that_a_mixer_without_an_output_projection_is_its_first_and_its_last_matrix() -> None:
    for names in (("in_proj", "last"), ("first", "out_proj"), ("first", "last")):
        block = _block(MixerKind.STATE_SPACE, 2, (names[0], 10, 4), (names[1], 4, 10))
        if names[1] == "out_proj":
            assert _gradients(block, 10) == [40, 40]
        assert _kept(block, 10) == per_token(20)
    between = _block(MixerKind.STATE_SPACE, 2, ("first", 10, 4), ("middle", 4, 3), ("last", 4, 10))
    assert _gradients(between, 10) == [40, 40]


def _delta(heads: int, spread: int, values: int, states: int) -> int:
    """Kept by a gated delta rule, all in fp32: with scores of 64 per head, `spread` keys and `states` per token.

    A gate and two lengths per head. Queries and keys: before they are divided by their length, then both again, keys
    times the gate, solved keys, and queries and keys decayed. Scores: decays, both products, the system and the scores
    within a chunk. Values: before the gate, solved, and with the correction.
    """
    return 4 * (3 * heads + 8 * spread + 5 * 64 * heads + 3 * values + states)


# Two value heads of 4 and one key head of 16, so keys are spread to 32, and 16 x 8 / 64 = 2 state elements per token.
# Convolution over 2 x 16 + 8: copy and result 80 each. The norm per head: 32, a reciprocal 4 for each of two heads, the
# gate in fp32 and opened 32 each, the normed 16. Output 16. With one key of width 1 the spread keys are 2, the
# convolution has 10 channels, and a state has less than one element per token.
NORM = 32 + 8 + 32 + 32 + 16
WIDE = _delta(2, 32, 8, 2) + 2 * 80 + NORM + 20
NARROW = _delta(2, 2, 8, 0) + 2 * 20 + NORM + 20


@pytest.mark.parametrize(("keys", "kept"), [(16, WIDE), (1, NARROW)])
def test_that_a_gated_delta_rule_keeps_the_operands_of_its_products(keys: int, kept: int) -> None:
    joint = (("in_proj_qkvz", 10, 2 * keys + 2 * 8), ("in_proj_ba", 10, 4), ("out_proj", 8, 10))
    assert _kept(_block(MixerKind.LINEAR_ATTENTION, keys, *joint), 10) == per_token(kept)
    several = (
        ("in_proj_qkv", 10, 2 * keys + 8),
        ("in_proj_z", 10, 8),
        ("in_proj_b", 10, 2),
        ("in_proj_a", 10, 2),
        ("out_proj", 8, 10),
    )
    assert _kept(_block(MixerKind.LINEAR_ATTENTION, keys, *several), 10) == per_token(kept)


# Kimi: every input in a matrix of its own; of those on the hidden width all but the gate of one output per head are
# joined, 16 + 16 + 8 + 4 + 4 = 48 channels of the convolution, 96 B twice. Of the rule three tensors of 32 x 64 in
# fp32, and the queries before they are divided by their length, 128 + 8.
def test_that_decays_of_every_channel_keep_three_tensors_of_chunk_width() -> None:
    matrices = (
        ("q_proj", 10, 16),
        ("k_proj", 10, 16),
        ("v_proj", 10, 8),
        ("f_a_proj", 10, 4),
        ("f_b_proj", 4, 16),
        ("g_a_proj", 10, 4),
        ("g_b_proj", 4, 8),
        ("b_proj", 10, 2),
        ("o_proj", 8, 10),
    )
    kept = 2 * 96 + 128 + 8 + 3 * 4 * 32 * 64 + NORM + 20
    assert _kept(_block(MixerKind.LINEAR_ATTENTION, 16, *matrices), 10) == per_token(kept)
