"""Adapters, eager attention and composed activations in bytes per token by hand, in each number format."""

from __future__ import annotations

from dataclasses import replace

from engine.memory.trace.extent import Extent, per_token
from engine.memory.trace.layers import Builder
from engine.memory.trace.style import Style
from engine.memory.trace.tape import BF16, FP32, Tape, Tensor, node_of, total
from engine.models import AttentionShape, Linear, Role
from tests.engine.memory.builders import PLAIN, empty_builder, entering, live

TRAINED = replace(PLAIN, trains_base=True)


# Rank 3 on 10 -> 8: factors of 30 and 24, and a magnitude for each output.
def test_that_dora_trains_a_magnitude_for_each_output() -> None:
    linear = Linear("q_proj", 10, 8, Role.ATTENTION)
    options = replace(PLAIN, rank=3, targets=("all",), adapter_width=4, dora=True)
    build = Builder(Tape(), options, frozenset({linear}))
    node = node_of(build.linear(entering(build, 10), linear))
    build.tape.backward(node, [build.tape.new(per_token(8), BF16)])
    assert sorted(one.elements[0] for one in build.tape.parameter_gradients.values()) == [8, 24, 30]


# 10 x 8 weights of 4 bit: the integers 320 B and the 16-bit copy 160, of which the copy stays for the input's gradient.
def test_that_an_unpacked_weight_is_kept_where_the_kernels_keep_it() -> None:
    build = empty_builder(replace(PLAIN, nf4=True, keeps_unpacked=True))
    x = entering(build, 10)
    build.tape.take_peaks()
    out = build.linear(x, Linear("q_proj", 10, 8, Role.ATTENTION))
    assert max(total(one)[0] for one in build.tape.take_peaks()) == 320 + 160
    del x
    assert out.elements == per_token(8)
    assert live(build) == (160, 16, 0)


def _eager(width: int, shape: AttentionShape, *, autocast: bool = False) -> tuple[Tensor, Extent]:
    """The scores of eager attention and what is left alive."""
    build = empty_builder(replace(PLAIN, eager=True, autocast=autocast))
    size = shape.heads * shape.head_dim
    q, k, v = (entering(build, size, width) for _ in range(3))
    out, scores = build.mix(q, k, v, shape, Style())
    del q, k, v
    assert scores is not None
    assert (out.elements, out.width) == (per_token(size), BF16)
    return scores, live(build)


# Four heads of 3 under autocast: queries, keys and values are kept in bf16, 24 B each, beside the output's 24; per pair
# the softmax in fp32, 16 B, and its bf16 copy 8. In bf16 without autocast it is the same.
def test_that_eager_attention_multiplies_in_16_bit_under_autocast() -> None:
    for width, autocast in ((FP32, True), (BF16, False)):
        scores, live = _eager(width, AttentionShape(4, 4, 3, 3), autocast=autocast)
        assert (scores.elements, scores.width) == ((0, 0, 4), BF16)
        assert live == (0, 4 * 24, 16 + 8)


def test_that_the_mask_is_no_larger_than_the_scores_of_a_single_head() -> None:
    scores, live = _eager(BF16, AttentionShape(1, 1, 3, 3))
    assert scores.elements == (0, 0, 1)
    assert live == (0, 4 * 6, 4 + 2)


# GPT-OSS: a column beside the scores, 2 B per token; the softmax stays in bf16 and is kept with it.
def test_that_sinks_are_a_column_beside_the_scores() -> None:
    scores, live = _eager(BF16, AttentionShape(4, 4, 3, 3, sinks=True))
    assert scores.elements == (0, 0, 4)
    assert live == (0, 4 * 24 + 2, 8)


# xIELU on 10 elements of 2 B. Kept: the input; the scaled input, which the square multiplies with it; the result of
# expm1; the mask of one byte each; the output. Where the two factors are trained, the sum that the second one scales
# is kept as well, and each has a gradient of one number.
def test_that_the_exponential_unit_keeps_both_branches() -> None:
    for options, kept in ((PLAIN, 4 * 20 + 10), (TRAINED, 5 * 20 + 10)):
        build = empty_builder(options)
        out = build.activation(entering(build, 10), Style(exponential_unit=True))
        assert out.elements == per_token(10)
        assert live(build) == per_token(kept)
    node = node_of(out)
    build.tape.backward(node, [build.tape.new(per_token(10), BF16)])
    assert [one.elements for one in build.tape.parameter_gradients.values()] == [(1, 0, 0), (1, 0, 0)]
