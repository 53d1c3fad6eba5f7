"""Operators on tensors with a constant part, a part per token and a part per pair: each part is counted by itself."""

from __future__ import annotations

import pytest

from engine.memory.trace import ops
from engine.memory.trace.experts import expert_weight, gate, gate_shared, merge, sum_rows
from engine.memory.trace.extent import ZERO, Extent, constant, minus, per_token, plus, times
from engine.memory.trace.layers import Builder, TraceOptions
from engine.memory.trace.style import NormKind, Rotary, Style
from engine.memory.trace.tape import BF16, FP32, INT64, Tag, Tape, Tensor, node_of, total
from engine.models import AttentionShape, Linear, Role
from tests.engine.memory.builders import PLAIN

SIZE: Extent = (24, 48, 72)


def _input(tape: Tape, elements: Extent = SIZE, width: int = BF16) -> Tensor:
    return tape.leaf(tape.new(elements, width))


def _live(tape: Tape) -> Extent:
    return total(tape.snapshot())


def _run_back(tape: Tape, out: Tensor) -> list[Extent]:
    """The candidates for the peak of the backward pass, the largest first; its own gradient is freed once used."""
    node, size, width = node_of(out), out.elements, out.width
    out.node = out.storage = None
    gradient: list[Tensor | None] = [tape.new(size, width)]
    tape.take_peaks()
    tape.backward(node, gradient)
    return sorted((total(one) for one in tape.take_peaks()), reverse=True)


# 4 columns in, 3 out: rows are (6, 12, 18), so the product has (18, 36, 54) elements of 2 B.
def test_that_a_product_has_a_row_for_every_row_of_its_input() -> None:
    tape = Tape()
    x = _input(tape)
    out = ops.matmul(tape, x, tape.weight(12, BF16, trained=False), 3, 4)
    assert out.elements == (18, 36, 54)
    assert _live(tape) == plus(times(SIZE, 2), (36, 72, 108))
    del x
    assert _live(tape) == (36, 72, 108)  # a frozen weight keeps no input
    assert _run_back(tape, out) == [plus((36, 72, 108), times(SIZE, 2))]


# Unpacking 12,800 weights: 200 fp32 scales and 25,600 B; both are gone when the product is there.
def test_that_a_packed_product_unpacks_its_weight_for_a_moment() -> None:
    tape = Tape()
    x = _input(tape)
    tape.take_peaks()
    out = ops.nf4_matmul(tape, x, 12_800, 3, 4)
    assert out.elements == (18, 36, 54)
    assert max(total(one) for one in tape.take_peaks()) == plus(times(SIZE, 2), (800 + 25_600, 0, 0))
    del x
    assert _live(tape) == (36, 72, 108)
    peaks = _run_back(tape, out)
    # incoming gradient, unpacked weight with its scales, or unpacked weight and the gradient that goes on
    assert peaks[0] == (36 + 800 + 25_600, 72, 108)
    assert plus((36 + 25_600, 72, 108), times(SIZE, 2)) in peaks


# Two heads of 4: rows are (3, 6, 9); values of width 5 give (30, 60, 90) elements.
def test_that_fused_attention_keeps_a_row_sum_per_head_and_row() -> None:
    tape = Tape()
    q, k, v = _input(tape), _input(tape), _input(tape, (30, 60, 90))
    out = ops.flash(tape, q, k, v, 2, 2, (4, 5))
    assert out.elements == (30, 60, 90)
    del q, k, v
    kept = plus(times(SIZE, 2 * 2), times((30, 60, 90), 2 * 2))
    assert _live(tape) == plus(kept, times((3, 6, 9), 2 * 4))
    peaks = _run_back(tape, out)
    made = plus(times(SIZE, 2 * 2), times((30, 60, 90), 2))
    workspace = times((3, 6, 9), 2 * 32 * 4 + 2 * 4)
    whole = plus(plus(plus(kept, times((3, 6, 9), 8)), times((30, 60, 90), 2)), plus(made, workspace))
    assert peaks[0] == whole


@pytest.mark.parametrize(("a", "b", "width"), [(BF16, BF16, 2), (BF16, FP32, 2), (FP32, BF16, 2), (FP32, FP32, 4)])
def test_that_a_batched_product_is_in_the_narrower_format(a: int, b: int, width: int) -> None:
    tape = Tape()
    first, second = _input(tape, per_token(10), a), _input(tape, per_token(20), b)
    out = ops.batched_matmul(tape, first, second, per_token(7))
    assert out.width == width
    del first, second
    assert _live(tape) == per_token(10 * a + 20 * b + 7 * width)
    assert _run_back(tape, out)[0] == per_token(10 * a + 20 * b + 7 * width + 30 * width)


def test_that_a_batched_product_with_a_table_keeps_the_table_and_makes_one_gradient() -> None:
    tape = Tape()
    a, b = _input(tape, per_token(10)), tape.new(per_token(20), BF16)
    out = ops.batched_matmul(tape, a, b, per_token(7))
    del a, b
    assert _live(tape) == per_token(40 + 14)
    assert _run_back(tape, out)[0] == per_token(40 + 14 + 20)


# A broadcast operand's gradient is summed from a tensor of full size and, in another format, converted once more.
def test_that_the_gradient_of_a_broadcast_operand_is_summed_and_converted() -> None:
    tape = Tape()
    a, b = _input(tape, per_token(10), FP32), _input(tape, per_token(2), BF16)
    out = ops.add(tape, a, b)
    assert (out.elements, out.width) == (per_token(10), FP32)
    del a, b
    peaks = _run_back(tape, out)
    assert peaks[0] == per_token(40 + 8 + 4)


def test_that_the_square_of_a_tensor_has_two_temporaries_backwards() -> None:
    tape = Tape()
    x = _input(tape)
    out = ops.power(tape, x)
    del x
    assert _live(tape) == times(SIZE, 4)
    assert _run_back(tape, out)[0] == times(SIZE, 2 * 4)


def test_that_a_function_makes_one_gradient_and_nothing_for_a_moment() -> None:
    tape = Tape()
    x = _input(tape)
    out = ops.elementwise(tape, x, keeps_input=True)
    del x
    assert _run_back(tape, out)[0] == times(SIZE, 2 * 3)  # the input kept, the incoming gradient and its own


# SiLU keeps its input (80 B), tanh its output (20 B of another format would be another tensor).
def test_that_a_function_keeps_its_input_or_its_output_and_never_both() -> None:
    for keeps_input in (True, False):
        tape = Tape()
        x = _input(tape)
        storage = x.storage
        out = ops.elementwise(tape, x, keeps_input=keeps_input)
        assert _live(tape) == times(SIZE, 4)
        del x, storage
        assert _live(tape) == times(SIZE, 4 if keeps_input else 2)
        del out
        assert _live(tape) == (0, 0, 0)  # without its node nothing is kept


def test_that_a_convolution_and_a_system_make_a_gradient_for_each_operand() -> None:
    tape = Tape()
    system, right = _input(tape, per_token(9), FP32), _input(tape, per_token(6), FP32)
    out = ops.solve(tape, system, right)
    del system, right
    assert _live(tape) == per_token(36 + 24)
    assert _run_back(tape, out)[0] == per_token(36 + 24 + 24 + 24 + 36)


def test_that_chunks_picked_in_a_loop_need_three_tensors_backwards() -> None:
    tape = Tape()
    x = _input(tape)
    out = ops.selected(tape, x)
    del x
    assert _run_back(tape, out)[0] == times(SIZE, 2 * 4)


# An empty tensor of 30: backwards the whole is cloned for each part but the first, which nothing lies under.
def test_that_parts_copied_into_a_tensor_clone_its_gradient() -> None:
    tape = Tape()
    a, b = _input(tape, per_token(10)), _input(tape, per_token(20))
    out = ops.filled(tape, per_token(30), a, b)
    assert out.elements == per_token(30)
    del a, b
    assert _live(tape) == per_token(60)
    assert _run_back(tape, out)[0] == per_token(60 + 60 + 40)


def test_that_an_empty_tensor_has_the_format_of_the_first_part() -> None:
    tape = Tape()
    out = ops.filled(tape, per_token(30), _input(tape, per_token(10)), _input(tape, per_token(20), FP32))
    assert (out.elements, out.width) == (per_token(30), BF16)


def test_that_a_fused_gate_writes_its_gradients_over_its_inputs() -> None:
    tape = Tape()
    a, b = _input(tape), _input(tape)
    out = ops.fused_gate(tape, a, b)
    del a, b
    assert _live(tape) == times(SIZE, 6)
    assert _run_back(tape, out) == []  # nothing new is made


def test_that_gathered_rows_multiply_the_part_per_token() -> None:
    tape = Tape()
    out = ops.gather(tape, _input(tape), 3)
    assert out.elements == (24, 144, 72)


def test_that_a_split_makes_gradients_only_for_the_parts_without_one() -> None:
    tape = Tape()
    first, second = ops.split(tape, _input(tape, per_token(10)), per_token(4), per_token(6))
    assert _live(tape) == per_token(20)
    out = ops.copy(tape, first)
    del second, first
    # incoming 8, the copy's own 8, the missing 12, the joined 20; the input is freed before
    peaks = _run_back(tape, out)
    assert peaks[0] == per_token(8 + 12 + 20)


def test_that_dropout_keeps_a_byte_per_element() -> None:
    tape = Tape()
    x = _input(tape)
    out = ops.dropout(tape, x)
    del x
    assert _live(tape) == times(SIZE, 3)
    assert _run_back(tape, out)[0] == times(SIZE, 1 + 2 + 2)


def test_that_a_held_tensor_is_kept_until_its_gradient_has_passed() -> None:
    tape = Tape()
    x = _input(tape)
    out = ops.hold(tape, x)
    del x
    node, out.storage, out.node = node_of(out), None, None
    assert _live(tape) == times(SIZE, 2)
    tape.backward(node, [tape.new(SIZE, BF16)])
    assert _live(tape) == times(SIZE, 2)  # the gradient that arrived at the input, handed on without a copy


# Two adapters' factors in bf16 (10 and 6 elements) are kept beside the merged copy of 40 weights.
def test_that_a_merged_stack_keeps_its_factors_and_makes_their_gradients() -> None:
    tape = Tape()
    first, second = (tape.leaf(tape.new(constant(size), BF16)) for size in (10, 6))
    out = merge(tape, tape.weight(40, BF16, trained=False), first, second)
    del first, second
    assert _live(tape) == (20 + 12 + 80, 0, 0)
    assert _run_back(tape, out)[0] == (20 + 12 + 80 + 20 + 12, 0, 0)


# Rank 4, doubled for gate and up in one tensor: 8 x 10 x 3 and 8 x 14 x 3 elements in bf16, merged 3 x 140 weights.
def test_that_adapters_of_experts_have_a_factor_for_every_expert() -> None:
    stack = Linear("experts.gate_up_proj", 10, 14, Role.EXPERT, count=3, fused_parameter=True, rank_factor=2)
    options = TraceOptions(False, 2, True, 4, ("all",), 4, False, False, False, False)
    tape = Tape()
    merged = expert_weight(Builder(tape, options, frozenset({stack})), stack)
    assert merged.elements == constant(420)
    assert _live(tape) == (2 * 240 + 2 * 336 + 2 * 420, 0, 0)
    node = node_of(merged)
    del merged
    tape.backward(node, [tape.new(constant(420), BF16)])
    assert tape.live[Tag.GRADIENT] == (4 * 240 + 4 * 336, 0, 0)  # in the adapters' own precision
    plain = Tape()
    assert expert_weight(Builder(plain, options, frozenset()), stack).storage is None


# Logits of 1 per token; their sigmoid is kept, and the shared experts' 20 B; the product has 20 B.
def test_that_the_gate_of_shared_experts_is_kept_once() -> None:
    tape = Tape()
    x, shared = _input(tape, per_token(10)), _input(tape, per_token(10))
    linear = Linear("shared_expert_gate", 10, 1, Role.ROUTER)
    out = gate_shared(Builder(tape, PLAIN, frozenset()), x, linear, shared)
    del x, shared
    assert _live(tape) == per_token(2 + 20 + 20)
    assert out.elements == per_token(10)


# Four rows of 6 per token: gate and up of 3 each; the activation keeps the whole (a view), the product both factors.
def test_that_a_gate_works_on_half_of_a_tensor_unless_it_has_the_size_already() -> None:
    build = Builder(Tape(), PLAIN, frozenset())
    out = gate(build, _input(build.tape, per_token(24)), 3, 4, Style())
    assert out.elements == per_token(12)
    assert gate(build, _input(build.tape, per_token(12)), 3, 4, Style()).elements == per_token(12)
    assert gate(build, _input(build.tape, per_token(24)), 3, 4, Style(clamped_gate=True)).elements == per_token(12)


def test_that_the_rows_of_a_token_are_summed_without_a_copy_of_the_gradient() -> None:
    tape = Tape()
    out = sum_rows(tape, _input(tape, per_token(24)), 4)
    assert out.elements == per_token(6)
    assert _run_back(tape, out) == []


# Width 8: rows are (3, 6, 9), two fp32 statistics each; the weight is a parameter.
@pytest.mark.parametrize("kind", [NormKind.FUSED_LAYER_NORM, NormKind.FUSED_FP32])
def test_that_a_fused_norm_keeps_two_statistics_per_row(kind: NormKind) -> None:
    tape = Tape()
    x = _input(tape)
    out = Builder(tape, PLAIN, frozenset()).norm(x, 8, kind)
    del x
    assert out.width == BF16
    wide = 4 if kind is NormKind.FUSED_FP32 else 2  # what is kept of the input
    assert _live(tape) == plus(plus(times(SIZE, wide), times(SIZE, 2)), times((3, 6, 9), 8))


# In fp32: input (96...), its square for the mean, a reciprocal per row kept twice over: by itself and by the product.
def test_that_a_plain_norm_keeps_the_wide_input_a_reciprocal_per_row_and_nothing_else() -> None:
    tape = Tape()
    x = _input(tape)
    out = Builder(tape, PLAIN, frozenset()).norm(x, 8, NormKind.RMS)
    del x
    assert (out.elements, out.width) == (SIZE, BF16)
    assert _live(tape) == plus(plus(times(SIZE, 4), times((3, 6, 9), 4)), times(SIZE, 2))
    unweighted = Tape()
    x = _input(unweighted)
    out = Builder(unweighted, PLAIN, frozenset()).norm(x, 8, NormKind.RMS_PLUS_ONE, weighted=False)
    del x
    assert _live(unweighted) == plus(plus(times(SIZE, 4), times((3, 6, 9), 4)), times(SIZE, 2))


def _rotary_peak(elements: int, tables: int, style: Style) -> Extent:
    tape = Tape()
    x = _input(tape, per_token(elements))
    tape.take_peaks()
    table = Tensor(None, per_token(tables), BF16)
    out = Builder(tape, PLAIN, frozenset()).rotary(x, table, table, style)
    assert (out.elements, out.width) == (per_token(elements), BF16)
    return max(total(one) for one in tape.take_peaks())


# 8 elements in bf16, 16 B each: input, first product, the swapped half joined, second product (or, at the end, the
# sum). Cast to fp32 first: input 16, and 32 each. Tables in fp32: the products 32 each, their sum 32. A quarter of 16
# elements turned: 8 B each; joined with the rest 32 B beside the input's 32 and the turned 8.
def test_that_positions_are_turned_in_the_familys_format() -> None:
    assert _rotary_peak(8, 8, Style()) == per_token(4 * 16)
    assert _rotary_peak(8, 8, Style(rotary=Rotary.SLIDING_ONLY)) == per_token(4 * 16)
    assert _rotary_peak(8, 8, Style(rotary=Rotary.CASTING)) == per_token(16 + 4 * 32)
    assert _rotary_peak(8, 8, Style(rotary=Rotary.PROMOTING)) == per_token(16 + 3 * 32)
    assert _rotary_peak(16, 4, Style(rotary=Rotary.PARTIAL, rotary_share=0.25)) == per_token(32 + 8 + 32)


# Input, first product, the swapped half joined and the second product: four tensors of that size, in every part.
def test_that_turned_halves_are_half_of_every_part() -> None:
    tape = Tape()
    x = _input(tape)
    tape.take_peaks()
    table = Tensor(None, per_token(1), BF16)
    assert Builder(tape, PLAIN, frozenset()).rotary(x, table, table, Style()).elements == SIZE
    assert max(total(one) for one in tape.take_peaks()) == times(SIZE, 4 * 2)


# Eager attention, 4 query heads of 3 sharing 2 key heads: keys and values are doubled; with as many heads they are not.
@pytest.mark.parametrize(("kv_heads", "copies"), [(2, 2), (4, 0)])
def test_that_eager_attention_doubles_shared_keys(kv_heads: int, copies: int) -> None:
    tape = Tape()
    options = TraceOptions(False, 2, False, 0, (), 0, False, False, False, True)
    q, k, v = (_input(tape, per_token(size)) for size in (12, 3 * kv_heads, 3 * kv_heads))
    out, scores = Builder(tape, options, frozenset()).mix(q, k, v, AttentionShape(4, kv_heads, 3, 3), Style())
    assert scores is not None
    assert scores.elements == (0, 0, 4)
    assert out.elements == per_token(12)
    shared = 0 if copies else 2 * 2 * 3 * kv_heads  # with copies the originals are freed, else they are kept themselves
    del q, k, v
    kept = 24 + copies * 2 * 3 * kv_heads * 2 + shared
    # fp32 probabilities kept by the softmax, their bf16 copy by the product; the contiguous output
    assert _live(tape) == (0, kept + 24, 4 * 4 + 4 * 2)


# Logits stay logits when they are cast, scaled or capped; a copy of a weight is a copy.
def test_that_bytes_keep_their_heading_through_casts_copies_and_functions() -> None:
    tape = Tape()
    x = tape.leaf(tape.new(per_token(10), BF16, Tag.LOGITS))
    out = ops.elementwise(tape, ops.copy(tape, ops.cast(tape, x, FP32)), keeps_input=False)
    assert (out.tag, tape.live[Tag.LOGITS], tape.live[Tag.ACTIVATION]) == (Tag.LOGITS, per_token(20 + 40), ZERO)
    weight = ops.cast(tape, tape.weight(7, FP32, trained=False), BF16)
    assert (weight.tag, tape.live[Tag.CAST]) == (Tag.CAST, constant(14))


@pytest.mark.parametrize("tag", [Tag.LOGITS, Tag.ACTIVATION])
def test_that_the_gradient_of_a_cast_counts_as_what_arrives(tag: Tag) -> None:
    tape = Tape()
    out = ops.cast(tape, _input(tape, per_token(10)), FP32)
    tape.backward(node_of(out), [tape.new(per_token(10), FP32, tag)])
    assert tape.arrived is not None
    assert (tape.arrived.tag, tape.arrived.width) == (tag, BF16)


def test_that_extents_add_subtract_and_scale_part_by_part() -> None:
    assert plus((1, 2, 3), (10, 20, 30)) == (11, 22, 33)
    assert minus((1, 2, 3), (10, 30, 50)) == (-9, -28, -47)
    assert times((1, 2, 3), 5) == (5, 10, 15)


# The peak is where most lives in any part; a moment that another exceeds in every part is no candidate.
def test_that_the_peaks_of_a_tape_are_those_that_can_be_the_largest() -> None:
    tape = Tape()
    first = tape.new((5, 1, 0), 1)
    del first
    second = tape.new((4, 1, 0), 1)
    del second
    third = tape.new((1, 9, 0), 1, Tag.LOGITS)
    del third
    fourth = tape.new((1, 9, 3), 1)
    del fourth
    zero = (0, 0, 0)
    assert tape.take_peaks() == (((5, 1, 0), zero, zero, zero), ((1, 9, 3), zero, zero, zero))
    assert tape.take_peaks() == ()


def test_that_bytes_change_their_heading_without_changing() -> None:
    tape = Tape()
    one = tape.new((3, 5, 7), INT64)
    assert one.storage is not None
    one.storage.retag(Tag.GRADIENT)
    assert tape.live == [(0, 0, 0), (0, 0, 0), (24, 40, 56), (0, 0, 0)]
    del one
    assert tape.live == [(0, 0, 0)] * 4


# 5 alone, then 3 and 3 of another heading: together 6, in whichever part of the size.
@pytest.mark.parametrize("tag", [Tag.LOGITS, Tag.GRADIENT, Tag.CAST])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_that_every_heading_counts_for_the_peak(tag: Tag, place: int) -> None:
    def size(count: int) -> Extent:
        found = [0, 0, 0]
        found[place] = count
        return (found[0], found[1], found[2])

    tape = Tape()
    alone = tape.new(size(5), 1)
    del alone
    one, other = tape.new(size(3), 1), tape.new(size(3), 1, tag)
    assert [total(peak) for peak in tape.take_peaks()] == [size(6)]
    del one, other
