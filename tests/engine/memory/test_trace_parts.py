"""Attention, experts, recurrent parts and the loss in bytes per token counted by hand; frozen bf16 weights."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.memory.trace import ops
from engine.memory.trace.attention import Attention
from engine.memory.trace.ending import chunked_cross_entropy, cross_entropy, kernel_cross_entropy, logits_of
from engine.memory.trace.experts import route, run_every_expert, run_experts
from engine.memory.trace.extent import Extent, per_token
from engine.memory.trace.layers import Builder, TraceOptions
from engine.memory.trace.profile import LossOptions, stream_width, trace_end
from engine.memory.trace.recurrent import DeltaShape, _convolution, _gated_norm, _state_shape, _unit, _value_heads
from engine.memory.trace.style import NormKind, Rotary, Routing, Style
from engine.memory.trace.tape import BF16, FP32, Tape, Tensor, node_of, total
from engine.methods import Loss
from engine.models import AttentionShape, Block, Linear, MixerKind, MoeShape, Role
from tests.engine.memory.builders import PLAIN, empty_builder, entering, live, llama

TRAINED = replace(PLAIN, trains_base=True)


def _peak(build: Builder) -> Extent:
    return max(total(one) for one in build.tape.take_peaks())


def _attention(
    build: Builder,
    matrices: tuple[tuple[str, int, int], ...],
    style: Style | None = None,
    mixer: MixerKind = MixerKind.ATTENTION,
    shape: AttentionShape | None = None,
) -> Attention:
    linears = tuple(Linear(f"attn.{name}", inputs, outputs, Role.ATTENTION) for name, inputs, outputs in matrices)
    block = Block(1, mixer, linears, 0, shape or AttentionShape(2, 1, 4, 4))
    table = Tensor(None, per_token(1), BF16)
    return Attention(build, block, style or Style(), (table, table))


PROJECTIONS = (("q_proj", 8, 8), ("k_proj", 8, 4), ("v_proj", 8, 4), ("o_proj", 8, 8))
# Two query heads and one key head of 4, hidden 8: fused attention keeps queries 16 B, keys 8, values 8, its output 16
# and two row sums 8; the output projection makes 16.
KEPT = 16 + 8 + 8 + 16 + 8 + 16


def _after(
    matrices: tuple[tuple[str, int, int], ...],
    style: Style | None = None,
    mixer: MixerKind = MixerKind.ATTENTION,
    shape: AttentionShape | None = None,
) -> Extent:
    build = empty_builder()
    out, weights = _attention(build, matrices, style, mixer, shape).run(entering(build, 8))
    assert weights is None
    assert out.elements == per_token(8)
    return live(build)


def test_that_attention_keeps_what_the_kernel_needs() -> None:
    assert _after(PROJECTIONS) == per_token(KEPT)


def test_that_matrices_of_unknown_names_stand_in_the_usual_order() -> None:
    names = ("query", "key", "value", "out")
    unknown = tuple((name, *sizes) for name, (_, *sizes) in zip(names, PROJECTIONS, strict=True))
    assert _after(unknown) == per_token(KEPT)  # without a value projection the values are the keys before turning
    assert _after((("query", 8, 8),), shape=AttentionShape(2, 2, 4, 4)) == per_token(16 + 16 + 16 + 16 + 8 + 16)


# Where full attention has no positions keys and values of unknown names are one tensor; sliding layers turn the keys.
def test_that_only_sliding_layers_are_turned_where_the_family_says_so() -> None:
    style = Style(rotary=Rotary.SLIDING_ONLY)
    unknown = (("query", 8, 8), ("key", 8, 4), ("out", 8, 8))
    assert _after(unknown, style) == per_token(KEPT - 8)
    assert _after(unknown, style, MixerKind.SLIDING_ATTENTION) == per_token(KEPT)


# One matrix of 16 columns: the values are a view of it, so all of its 32 B stay.
def test_that_values_of_a_joint_projection_keep_it_whole() -> None:
    shape = AttentionShape(2, 1, 4, 4, fused_qkv=True)
    assert _after((("qkv_proj", 8, 16), ("dense", 8, 8)), shape=shape) == per_token(KEPT - 8 + 32)


# Half of the query projection opens the output: its sigmoid 16 B is kept beside the kernel's output.
def test_that_a_gated_query_keeps_its_sigmoid() -> None:
    gated = (("q_proj", 8, 16), *PROJECTIONS[1:])
    assert _after(gated, Style(gated_query=True)) == per_token(KEPT + 16)


# Norms keep an fp32 copy (queries 32 B, keys 16) and a reciprocal of 4 B per row: two query heads and a key head, or
# one row each over all heads; a norm of the values 16 and 4.
def test_that_head_norms_keep_a_wide_copy_and_a_reciprocal_per_row() -> None:
    normed = AttentionShape(2, 1, 4, 4, query_key_norms=True)
    assert _after(PROJECTIONS, shape=normed) == per_token(KEPT + 32 + 8 + 16 + 4)
    assert _after(PROJECTIONS, Style(widest_head_norm=True), shape=normed) == per_token(KEPT + 32 + 4 + 16 + 4)
    assert _after(PROJECTIONS, Style(value_norm=True)) == per_token(KEPT + 16 + 4)


def test_that_a_norm_of_the_values_has_no_weight() -> None:
    build = empty_builder(TRAINED)
    out, _ = _attention(build, PROJECTIONS, Style(value_norm=True)).run(entering(build, 8))
    node = node_of(out)
    build.tape.backward(node, [build.tape.new(per_token(8), BF16)])
    found = sorted(gradient.elements[0] for gradient in build.tape.parameter_gradients.values())
    assert found == [32, 32, 64, 64]  # keys and values, queries and output


# Two heads of 4 without and 2 with positions, values of 3; keys and values compressed to 5 with 2 for positions. The
# norm keeps 20 + 4; queries and keys joined 24 each; values are a view of the expanded 14 columns, 28; the output 12,
# row sums 8, output projection 16. A compressed query adds its norm: 3 columns in fp32, 12, and a reciprocal.
def test_that_latent_attention_keeps_the_joined_queries_and_keys() -> None:
    shape = AttentionShape(2, 2, 6, 3)
    rest = (("kv_a_proj_with_mqa", 8, 7), ("kv_b_proj", 5, 14), ("o_proj", 6, 8))
    whole = _after((("q_proj", 8, 12), *rest), mixer=MixerKind.LATENT_ATTENTION, shape=shape)
    assert whole == per_token(20 + 4 + 24 + 24 + 28 + 12 + 8 + 16)
    compressed = _after((("q_a_proj", 8, 3), ("q_b_proj", 3, 12), *rest), mixer=MixerKind.LATENT_ATTENTION, shape=shape)
    assert compressed == per_token(whole[1] + 12 + 4)
    # the first half of a compressed query alone is a query
    assert _after((("q_a_proj", 8, 12), *rest), mixer=MixerKind.LATENT_ATTENTION, shape=shape) == whole


# The first half of a compressed query alone is a query: 8 x 12; then 8 x 7, 5 x 14 and 6 x 8, and the norm of 5.
def test_that_every_matrix_of_latent_attention_gets_its_own_gradient() -> None:
    build = empty_builder(TRAINED)
    matrices = (("kv_b_proj", 5, 14), ("kv_a_proj_with_mqa", 8, 7), ("o_proj", 6, 8))
    shape = AttentionShape(2, 2, 6, 3)
    attention = _attention(build, (("q_a_proj", 8, 12), *matrices), mixer=MixerKind.LATENT_ATTENTION, shape=shape)
    out, _ = attention.run(entering(build, 8))
    node = node_of(out)
    build.tape.backward(node, [build.tape.new(per_token(8), BF16)])
    found = sorted(gradient.elements[0] for gradient in build.tape.parameter_gradients.values())
    assert found == [5, 48, 56, 70, 96]


def test_that_interleaved_positions_keep_the_size_in_every_part() -> None:
    build = empty_builder()
    x = build.tape.leaf(build.tape.new((4, 8, 12), BF16))
    build.tape.take_peaks()
    assert _attention(build, PROJECTIONS)._interleaved(x).elements == (4, 8, 12)
    # both sums 4 + 8 + 12 B, the joined 8 + 16 + 24 B and the input
    assert _peak(build) == (24, 48, 72)


# Six experts, two of them chosen; scores in fp32 24 B, the chosen 8 B, the numbers of the experts in 16 B. Where the
# logits are made in fp32 the router's weight is cast as well: 10 x 6 x 4 B.
@pytest.mark.parametrize(
    ("routing", "kept", "width"),
    [
        (Routing.SOFTMAX, 24 + 16 + 4, BF16),
        (Routing.SOFTMAX_FP32, 24 + 16 + 8, FP32),
        (Routing.SIGMOID, 24 + 16 + 8, FP32),
        (Routing.CHOSEN_FIRST, 16 + 4, BF16),
    ],
)
def test_that_routing_keeps_its_scores_in_the_familys_format(routing: Routing, kept: int, width: int) -> None:
    build = empty_builder()
    router = Linear("gate", 10, 6, Role.ROUTER)
    scores = route(build, entering(build, 10), router, MoeShape(6, 2, 6), Style(routing=routing))
    assert (scores.elements, scores.width) == (per_token(2), width)
    assert live(build) == (240 if routing is Routing.SIGMOID else 0, kept, 0)


# Input 20 and 40, logits 24, their sigmoid 24, the chosen 8 + 16, and those scaled 8.
def test_that_scores_of_a_sigmoid_are_scaled_last() -> None:
    build = empty_builder()
    x = entering(build, 10)
    build.tape.take_peaks()
    route(build, x, Linear("gate", 10, 6, Role.ROUTER), MoeShape(6, 2, 6), Style(routing=Routing.SIGMOID))
    assert _peak(build) == (240, 20 + 40 + 24 + 24 + 8 + 16 + 8, 0)


UP, DOWN = (
    Linear("gate_up", 10, 12, Role.EXPERT, count=4, fused_parameter=True),
    Linear("down", 6, 10, Role.EXPERT, count=4, fused_parameter=True),
)


# Two rows of 10 per token. Kept: gate and up 48 B, the activation 24, the second product 40, the scores 4; out 20.
# At most: input 20 and scores 4, the order 32, rows 40, picked scores 4, 48 and 24, the second product 40, weighted 40,
# the way back 16, sorted 40; biases of the second product 40.
@pytest.mark.parametrize("bias", [False, True])
def test_that_experts_keep_the_rows_of_the_chosen_ones(bias: bool) -> None:
    build = empty_builder()
    x, scores = entering(build, 10), entering(build, 2)
    build.tape.take_peaks()
    up, down = replace(UP, bias=bias), replace(DOWN, bias=bias)
    out = run_experts(build, x, scores, MoeShape(4, 2, 6), up, down, Style())
    assert out.elements == per_token(10)
    whole = 20 + 4 + 32 + 40 + 4 + 48 + 24 + 40 + 40 + 16 + 40
    assert _peak(build) == per_token(whole + 40 if bias else whole)
    del x, scores
    assert live(build) == per_token(48 + 24 + 40 + 4 + 20)


# Stored in fp32 all of that but the numbers of the experts has twice the bytes, the sorted rows among them.
def test_that_experts_of_fp32_weights_work_in_fp32() -> None:
    build = empty_builder(replace(PLAIN, weight_width=4))
    x, scores = entering(build, 10, FP32), entering(build, 2, FP32)
    build.tape.take_peaks()
    out = run_experts(build, x, scores, MoeShape(4, 2, 6), UP, DOWN, Style())
    assert _peak(build) == per_token(2 * (20 + 4 + 40 + 4 + 48 + 24 + 40 + 40 + 40) + 32 + 16)
    del x, scores
    assert (out.elements, out.width) == (per_token(10), FP32)
    assert live(build) == per_token(2 * (48 + 24 + 40 + 4 + 20))


# Linear layers of their own, 4-bit: the first of 10 x 12 weights is unpacked to 240 B beside one fp32 scale. The stream
# is fp32, the rows are bf16; the scores of 8 B make the sums fp32.
def test_that_packed_experts_are_unpacked_one_at_a_time_and_work_in_16_bit() -> None:
    build = empty_builder(replace(PLAIN, nf4=True, upcast=True))
    x, scores = entering(build, 10, FP32), entering(build, 2, FP32)
    up, down = replace(UP, fused_parameter=False), replace(DOWN, fused_parameter=False)
    build.tape.take_peaks()
    out = run_experts(build, x, scores, MoeShape(4, 2, 6), up, down, Style())
    assert max(total(one)[0] for one in build.tape.take_peaks()) == 240 + 4
    del x, scores
    assert (out.elements, out.width) == (per_token(10), FP32)
    assert live(build) == per_token(48 + 24 + 40 + 8 + 40)


# Four rows of 10 per token, weighted beforehand: rows 80 B with their scores 8 and sigmoids in fp32 16; gate and up
# 96, the activation 48; out 20.
def test_that_every_expert_sees_every_token_where_the_family_says_so() -> None:
    build = empty_builder()
    out = run_every_expert(build, entering(build, 10), Linear("router", 10, 4, Role.ROUTER), UP, DOWN, Style())
    assert out.elements == per_token(10)
    assert live(build) == per_token(80 + 8 + 16 + 96 + 48 + 20)


# Hidden 4, vocabulary 10: input 8 B, logits 20. Scaled logits are a second tensor of 20; a soft cap makes three in a
# row, of which two live at a time, and keeps the tanh.
@pytest.mark.parametrize(
    ("family", "softcap", "peak", "left"),
    [("llama", False, 28, 20), ("cohere", False, 48, 20), ("llama", True, 48, 40), ("cohere", True, 48, 40)],
)
def test_that_logits_are_scaled_and_capped_as_the_family_does(family: str, softcap: bool, peak: int, left: int) -> None:
    build = empty_builder()
    hidden = entering(build, 4)
    build.tape.take_peaks()
    model = replace(llama(4, 8, 1, 1, 1, 10), model_type=family, logit_softcap=softcap)
    logits = logits_of(build, model, hidden)
    assert _peak(build) == per_token(peak)
    del hidden
    assert logits.elements == per_token(10)
    assert live(build) == per_token(left)


# Ten logits. In fp32 40 B; kept are the probabilities 40 and a label 8; backwards two more of 40.
def test_that_the_loss_keeps_probabilities_and_makes_two_gradients() -> None:
    build = empty_builder()
    tape = build.tape
    loss = cross_entropy(tape, entering(build, 10))
    assert live(build) == (4, 48, 0)
    node, gradient = node_of(loss), [tape.new((1, 0, 0), FP32)]
    del loss
    tape.take_peaks()
    tape.backward(node, [*gradient])
    assert _peak(build) == (4, 48 + 80, 0)


@pytest.mark.parametrize(("logit_bytes", "extra"), [(6, 40), (3, 10), (2, 0), (1, 0)])
def test_that_a_loss_kernel_holds_the_bytes_it_is_said_to_hold(logit_bytes: int, extra: int) -> None:
    build = empty_builder()
    tape = build.tape
    loss = kernel_cross_entropy(tape, entering(build, 10), logit_bytes)
    assert live(build) == (4, 20 + extra, 0)
    node = node_of(loss)
    del loss
    tape.backward(node, [tape.new((1, 0, 0), FP32)])
    assert live(build) == (0, 20, 0)  # the gradient lies where the logits lay


# Hidden 4, vocabulary 10: chunks of 8 per token in bf16 and fp32 (16 + 32, then 32 + 16), the gradient 8; a trained
# head's gradient 80 and, while it is added up, 80 more.
def test_that_a_chunked_loss_makes_the_gradients_at_once() -> None:
    model = llama(4, 8, 1, 1, 1, 10)
    for options, weights, peak in ((PLAIN, 0, (0, 64, 0)), (TRAINED, 80, (160, 32, 0))):
        build = empty_builder(options)
        hidden = entering(build, 4)
        build.tape.take_peaks()
        loss = chunked_cross_entropy(build, model, hidden)
        assert peak in {total(one) for one in build.tape.take_peaks()}
        del hidden
        assert live(build) == (4 + weights, 8, 0)
        del loss
        assert live(build) == (0, 0, 0)


# fp32 weights of 10 x 4 are cast to bf16, 80 B, for as long as the forward pass lasts; so are the hidden states, 8 B,
# and every gradient follows them: 8 per token, 80 of the head, and 80 more while it is added up.
def test_that_a_chunked_loss_works_in_bf16_under_autocast() -> None:
    build = empty_builder(replace(TRAINED, weight_width=4, autocast=True))
    hidden = entering(build, 4, FP32)
    build.tape.take_peaks()
    loss = chunked_cross_entropy(build, llama(4, 8, 1, 1, 1, 10), hidden)
    peaks = {total(one) for one in build.tape.take_peaks()}
    assert peaks == {(80 + 80, 16 + 8 + 8 + 16 + 32, 0), (80 + 80 + 80, 16 + 8 + 8 + 16, 0)}
    del hidden
    assert live(build) == (4 + 80 + 80, 8, 0)
    del loss
    build.tape.casts.clear()
    assert live(build) == (0, 0, 0)


# Vocabulary x hidden in the stream's format stays with the operator of a fused loss when the head is trained by itself.
def test_that_a_fused_loss_of_a_trained_head_leaves_a_gradient_behind() -> None:
    untied, tied = llama(4, 8, 1, 1, 1, 10), llama(4, 8, 1, 1, 1, 10, tied=True)
    fused, plain = LossOptions(Loss.FUSED), LossOptions(Loss.PLAIN)
    assert trace_end(untied, TRAINED, fused).remains == (10 * 4 * 2, 0, 0)
    assert trace_end(untied, replace(TRAINED, weight_width=4), fused).remains == (10 * 4 * 4, 0, 0)
    for model, options, loss in (
        (untied, TRAINED, plain),
        (untied, TRAINED, replace(fused, logit_bytes=4)),
        (untied, PLAIN, fused),
        (tied, TRAINED, fused),
    ):
        assert trace_end(model, options, loss).remains == (0, 0, 0)


def test_that_the_stream_is_as_wide_as_the_weights_or_as_what_is_not_quantised() -> None:
    assert stream_width(PLAIN) == 2
    assert stream_width(replace(PLAIN, weight_width=4)) == 4
    assert stream_width(replace(PLAIN, upcast=True)) == 4


# Mamba-2: in_proj has 2 x inner, 2 x groups x state and a step per head; as many heads as 2 x state at most.
@pytest.mark.parametrize(
    ("outputs", "state", "groups", "heads"),
    [
        (2 * 16 + 2 * 4 + 8, 4, 1, 8),
        (2 * 16 + 2 * 2 * 4 + 8, 4, 2, 8),
        (2 * 16 + 2 * 4 + 1, 4, 1, 1),
        (2 * 16 + 2 * 2 * 4 + 1, 4, 2, 1),
        (2 * 16 + 1, 4, 1, 1),  # too narrow for any: one group, one head
        (2 * 16 + 8, 0, 3, 2),  # no state told: 1
    ],
)
def test_that_groups_and_heads_are_read_off_the_projection(outputs: int, state: int, groups: int, heads: int) -> None:
    first, out = Linear("in_proj", 10, outputs, Role.MIXER), Linear("out_proj", 16, 10, Role.MIXER)
    shape = _state_shape(first, out, state, 64)
    assert (shape.inner, shape.group_states, shape.heads) == (16, groups * max(state, 1), heads)
    assert (shape.state, shape.chunk) == (max(state, 1), 64)


def test_that_value_heads_are_read_off_the_projection_that_has_one_output_each() -> None:
    out = Linear("out_proj", 24, 10, Role.MIXER)

    def heads(name: str, outputs: int, key_width: int = 8) -> int:
        return _value_heads({name: Linear(name, 10, outputs, Role.MIXER)}, out, key_width)

    assert heads("in_proj_ba", 12) == 6
    assert heads("in_proj_b", 5) == heads("b_proj", 5) == 5
    assert heads("q_proj", 5) == 3  # 24 values of 8
    assert heads("q_proj", 5, key_width=48) == 1
    assert heads("q_proj", 5, key_width=0) == 24


# Chunks of 64: every token has 64 scores per head, and a 64th of a state of 16 x 96.
def test_that_a_gated_delta_rule_has_scores_and_states_per_chunk() -> None:
    shape = DeltaShape(keys=32, values=96, heads=6, key_width=16, channel_decay=False)
    assert (shape.spread_keys, shape.pairs, shape.states) == (96, 384, 24)


# The copy, the convolution's result and SiLU's: 20 B each.
def test_that_a_convolution_keeps_a_copy_of_its_input() -> None:
    build = empty_builder()
    out = _convolution(build, entering(build, 10))
    assert out.elements == per_token(10)
    assert live(build) == per_token(3 * 20)
    trained = empty_builder(TRAINED)
    node = node_of(_convolution(trained, entering(trained, 10)))
    trained.tape.backward(node, [trained.tape.new(per_token(10), BF16)])
    (gradient,) = trained.tape.parameter_gradients.values()
    assert gradient.elements == (40, 0, 0)  # four taps for each channel


def test_that_a_unit_vector_keeps_its_length() -> None:
    build = empty_builder()
    out = _unit(build, entering(build, 12, FP32), 3)
    assert out.elements == per_token(12)
    assert live(build) == per_token(48 + 12 + 48)


# The norm: 32 and a reciprocal for each of two heads; the gate in fp32 32, its SiLU 32, the normed 16; out 16.
@pytest.mark.parametrize("kind", [NormKind.RMS, NormKind.RMS_PLUS_ONE])
def test_that_a_gated_norm_multiplies_in_fp32(kind: NormKind) -> None:
    build = empty_builder()
    out = _gated_norm(build, entering(build, 8), entering(build, 8), 4, Style(kind))
    assert out.width == BF16
    assert live(build) == per_token(32 + 8 + 32 + 32 + 16 + 16)


def test_that_the_activation_is_the_familys() -> None:
    def kept(style: Style, options: TraceOptions = PLAIN) -> Extent:
        build = empty_builder(options)
        out = build.activation(entering(build, 10), style)
        assert out.elements == per_token(10)
        return live(build)

    assert kept(Style()) == per_token(20 + 20)  # SiLU keeps its input
    assert kept(Style(squared_relu=True)) == per_token(20 + 20)  # ReLU's output, which the square keeps too
    # x^3 by its power: input; tanh: its output, copied for the product; half of x; out
    assert kept(Style(composed_gelu=True)) == per_token(20 + 20 + 20 + 20 + 20)
    assert kept(Style(composed_gelu=True), replace(PLAIN, fused_activation=True)) == per_token(20 + 20)


# Rank 3: low-rank 12 B in fp32 kept by nobody where the factors are trained: both keep their inputs.
@pytest.mark.parametrize("dropout", [False, True])
def test_that_an_adapter_keeps_its_input_and_its_low_rank_output(dropout: bool) -> None:
    linear = Linear("q_proj", 10, 8, Role.ATTENTION)
    options = replace(PLAIN, rank=3, targets=("all",), adapter_width=4, dropout=dropout)
    build = Builder(Tape(), options, frozenset({linear}))
    out = build.linear(entering(build, 10), linear)
    assert (out.elements, out.width) == (per_token(8), BF16)
    mask = 10 if dropout else 0
    assert live(build) == per_token(40 + mask + 12 + 16)  # fp32 input, mask, low-rank output, the sum in bf16


# A unit matrix of 10 x 10 in fp32 and three of 10 x 8 in bf16, for a moment: 400 + 3 x 160.
def test_that_dora_merges_its_weight_for_a_moment() -> None:
    linear = Linear("q_proj", 10, 8, Role.ATTENTION)
    options = replace(PLAIN, rank=3, targets=("all",), adapter_width=4, dora=True)
    build = Builder(Tape(), options, frozenset({linear}))
    out = build.linear(entering(build, 10), linear)
    assert (out.elements, out.width) == (per_token(8), BF16)
    assert max(total(one)[0] for one in build.tape.take_peaks()) == 400 + 3 * 160
    assert live(build)[0] == 0


# Bias-free mean over the wide input and a sum: 10 elements, fp32; the mean's gradient is spread over all of them.
def test_that_a_centred_norm_subtracts_a_mean_per_row() -> None:
    build = empty_builder()
    x = entering(build, 10, FP32)
    build.tape.take_peaks()
    out = ops.subtract_mean(build.tape, x, per_token(2))
    assert out.elements == per_token(10)
    assert _peak(build) == per_token(40 + 8 + 40)
