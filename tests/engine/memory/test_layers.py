"""Whole layers in bytes per token by hand: what each order and kind of feed-forward part keeps, frozen bf16 weights.

Hidden width 8. A norm keeps its input in fp32, 32 B, and a reciprocal of 4. Attention with two query heads and one key
head of 4 keeps queries 16, keys 8, values 8, its output 16 and row sums 8. A gated part of 12 keeps gate, its
activation and up, 24 each. The layer's output has 16 B.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.memory.estimate import estimate
from engine.memory.phases import Candidate, candidates
from engine.memory.prepared import prepared
from engine.memory.remedies import RemedyKind, remedies
from engine.memory.trace.blocks import Layer
from engine.memory.trace.extent import Extent, per_token
from engine.memory.trace.layers import Builder
from engine.memory.trace.profile import LossOptions, trace_block
from engine.memory.trace.recurrent import state_space
from engine.memory.trace.style import Order, Style, style_of
from engine.memory.trace.tape import BF16, Tape, Tensor, node_of, total
from engine.memory.types import Phase
from engine.methods import Checkpointing, Loss, Method, Optimizer
from engine.models import AttentionShape, Block, Linear, MixerKind, MoeShape, Role
from tests.engine.memory.builders import LLAMA_1B, PLAIN, llama, run

MODEL = llama(8, 12, 1, 2, 1, 10)
NORM, ATTENTION, GATED, OUT = 36, 56, 72, 16
PROJECTIONS = tuple(linear for linear in MODEL.blocks[0].linears if linear.role is Role.ATTENTION)
GATED_PART = tuple(linear for linear in MODEL.blocks[0].linears if linear.role is Role.MLP)


def _kept(
    linears: tuple[Linear, ...], style: Style, mixer: MixerKind = MixerKind.ATTENTION, **changes: object
) -> Extent:
    block = Block(1, mixer, linears, 0, AttentionShape(2, 1, 4, 4))
    block = replace(block, **changes)  # type: ignore[arg-type]  # fields are given by name
    tape = Tape()
    table = Tensor(None, per_token(4), BF16)
    out = Layer(Builder(tape, PLAIN, frozenset()), MODEL, block, style, (table, table)).forward(
        tape.leaf(tape.new(per_token(8), BF16))
    )
    assert out.elements == per_token(8)
    return total(tape.snapshot())


@pytest.mark.parametrize(
    ("order", "norms"), [(Order.BEFORE, 2), (Order.AFTER, 2), (Order.AROUND, 4), (Order.PARALLEL, 2)]
)
def test_that_each_order_keeps_its_norms(order: Order, norms: int) -> None:
    both = (*PROJECTIONS, *GATED_PART)
    assert _kept(both, Style(order=order)) == per_token(norms * NORM + ATTENTION + GATED + OUT)
    assert _kept(both, Style(order=order, scales_residual=True)) == _kept(both, Style(order=order))
    dropped = _kept(both, Style(order=order), residual_dropout=True)
    assert dropped == per_token(norms * NORM + ATTENTION + GATED + OUT + 2 * 8)  # a mask for each half


def test_that_halves_with_one_norm_share_it() -> None:
    shared = _kept((*PROJECTIONS, *GATED_PART), Style(order=Order.PARALLEL), norms_per_layer=1)
    assert shared == per_token(NORM + ATTENTION + GATED + OUT)


def test_that_a_single_layer_is_a_mixer_or_a_feed_forward_part() -> None:
    single = Style(order=Order.SINGLE)
    assert _kept(PROJECTIONS, single) == per_token(NORM + ATTENTION + OUT)
    assert _kept(GATED_PART, single, MixerKind.NONE) == per_token(NORM + GATED + OUT)


# Without a gate the activation keeps its input alone; gate and up in one matrix are kept whole beside the activation.
def test_that_a_feed_forward_part_is_told_by_its_matrices() -> None:
    up, fused, down = (
        Linear("mlp.up", 8, 12, Role.MLP),
        Linear("mlp.gate_up", 8, 24, Role.MLP),
        Linear("mlp.down", 12, 8, Role.MLP),
    )
    single = Style(order=Order.SINGLE)
    for matrices, kept in (((up, down), 24), ((fused, down), 48 + 24), ((up,), 0), ((), 0)):
        assert _kept(matrices, single, MixerKind.NONE) == per_token(NORM + kept + OUT)


# Rank 3 on one matrix of the gated part, 8 -> 12 or 12 -> 8: whichever it is, there are its two factors and no more.
@pytest.mark.parametrize("adapted", GATED_PART, ids=lambda linear: linear.name)
def test_that_each_matrix_of_a_gated_part_may_be_adapted_alone(adapted: Linear) -> None:
    options = replace(PLAIN, rank=3, targets=("one",), adapter_width=2)
    tape = Tape()
    build = Builder(tape, options, frozenset({adapted}))
    block = replace(MODEL.blocks[0], mixer=MixerKind.NONE, linears=GATED_PART)
    table = Tensor(None, per_token(4), BF16)
    layer = Layer(build, MODEL, block, Style(order=Order.SINGLE), (table, table))
    node = node_of(layer.forward(tape.leaf(tape.new(per_token(8), BF16))))
    tape.backward(node, [tape.new(per_token(8), BF16)])
    assert sorted(one.elements[0] for one in tape.parameter_gradients.values()) == [3 * 8, 3 * 12]


# Four experts of 6, two chosen: chances in fp32 16 B, the chosen experts' numbers 16, gate and up 48, activation 24,
# results 32, scores 4. Shared ones of 5: three of 10; their gate: a sigmoid of 2 and their result 16.
def test_that_shared_experts_stand_beside_the_routed_ones() -> None:
    routed = (
        Linear("gate", 8, 4, Role.ROUTER),
        Linear("experts.gate_up", 8, 12, Role.EXPERT, count=4, fused_parameter=True),
        Linear("experts.down", 6, 8, Role.EXPERT, count=4, fused_parameter=True),
    )
    shared = tuple(
        Linear(f"shared.{name}", inputs, outputs, Role.SHARED_EXPERT)
        for name, inputs, outputs in (("gate", 8, 5), ("up", 8, 5), ("down", 5, 8))
    )
    opened = Linear("shared_gate", 8, 1, Role.ROUTER)
    single = Style(order=Order.SINGLE)

    def kept(*linears: Linear) -> Extent:
        return _kept(linears, single, MixerKind.NONE, moe=MoeShape(4, 2, 6))

    alone = NORM + 16 + 16 + 48 + 24 + 32 + 4 + OUT
    assert kept(*routed) == per_token(alone)
    assert kept(*routed, *shared) == per_token(alone + 30)
    assert kept(*routed, opened, *shared) == per_token(alone + 30 + 2 + 16)


def test_that_a_mixer_of_unknown_matrices_is_its_first_and_its_last() -> None:
    names = (("a", 8, 4), ("b", 4, 3), ("c", 4, 8))
    block = Block(1, MixerKind.STATE_SPACE, tuple(Linear(*one, Role.MIXER) for one in names), 0)
    tape = Tape()
    out = state_space(Builder(tape, PLAIN, frozenset()), tape.leaf(tape.new(per_token(8), BF16)), block, Style())
    assert out.elements == per_token(8)


# 18 B per parameter: weights, gradients, master weights, two moments, and the square roots of one.
def test_that_a_step_that_limits_shows_states_and_temporaries_alone() -> None:
    result = estimate(run(LLAMA_1B, Method.FULL, sequence=16, optimizer=Optimizer.ADAMW_FOREACH))
    assert result.phases.limiting is Phase.STEP
    card, size = result.card, LLAMA_1B.parameters
    assert (card.weights, card.gradients, card.master_weights, card.optimizer) == (
        2 * size,
        2 * size,
        4 * size,
        8 * size,
    )
    assert (card.adapters, card.activations, card.logits, card.workspace, card.communication) == (0, 0, 0, 2 * size, 0)


# Loading holds the packed weights, the adapters and one matrix of 2,048 x 8,192 in 16 bit; no moments yet.
def test_that_loading_shows_no_states_of_training() -> None:
    setup = run(LLAMA_1B, Method.QLORA)
    ready = prepared(setup.model, setup.recipe, setup.layout)
    card = ready.load_card
    assert card.workspace == 2 * 2048 * 8192
    assert (card.weights, card.adapters) == (ready.nominal.weights, ready.nominal.adapters)
    assert (card.gradients, card.master_weights, card.optimizer) == (0, 0, 0)
    assert (card.activations, card.logits, card.communication) == (0, 0, 0)
    assert ready.load_bytes == card.weights + card.adapters + card.workspace
    assert ready.accumulated == 0


# Of trained weights in fp32 autocast keeps bf16 copies until the forward pass ends: 64 for q and o, 32 for k
# and v, 96 for each of three.
def test_that_copies_of_trained_weights_stay_to_the_end_of_the_forward_pass() -> None:
    model = llama(8, 12, 3, 2, 1, 10)
    trained = replace(PLAIN, trains_base=True, weight_width=4, autocast=True)
    weights = 2 * 8 * 8 + 2 * 8 * 4 + 3 * 8 * 12
    assert trace_block(model, model.blocks[0], trained, frozenset()).casts == (2 * weights, 0, 0)


# A layer: 480 weights and two norms of 8; the end: 80 of the output layer and a norm of 8; the embedding 80 more, which
# comes last. Tied, it is added to the output layer's gradient in a third tensor.
@pytest.mark.parametrize("tied", [False, True])
def test_that_the_embeddings_gradient_comes_after_all_others(tied: bool) -> None:
    model = llama(8, 12, 3, 2, 1, 10, tied=tied)
    found = candidates(model, replace(PLAIN, trains_base=True), LossOptions(Loss.PLAIN), Checkpointing.ON)
    others = 2 * (3 * (480 + 16) + 88)
    assert found.gradient_bytes == others + (0 if tied else 160)
    extra, zero = 320 if tied else 160, (0, 0, 0)
    last = Candidate((extra, 48, 0), others, per_token(48), zero, (extra, 0, 0), zero)
    assert last in found.backward
    assert sum(one.finished_gradients == others for one in found.backward) == 1


# Of an unknown family one norm for both halves of a layer means that they read it side by side, four that each half has
# one before and one after it; a layer with one half, or a model whose halves are layers of their own, is read in turn.
@pytest.mark.parametrize(
    ("norms", "halves", "order"),
    [
        ((4, 2), ("attention mlp", "attention mlp"), Order.AROUND),
        (1, ("attention mlp",), Order.PARALLEL),
        (1, ("attention moe",), Order.PARALLEL),
        (1, ("attention", "attention mlp"), Order.PARALLEL),
        (1, ("attention",), Order.BEFORE),
        (1, ("mlp",), Order.BEFORE),
        (1, ("moe",), Order.BEFORE),
        (1, ("attention", "mlp", "moe"), Order.BEFORE),
        (2, ("attention mlp",), Order.BEFORE),
        (3, ("attention mlp",), Order.BEFORE),
        (4, ("attention mlp",), Order.AROUND),
    ],
)
def test_that_the_order_of_an_unknown_family_is_told_by_its_norms(
    norms: int | tuple[int, ...], halves: tuple[str, ...], order: Order
) -> None:
    (block,) = MODEL.blocks
    blocks = tuple(
        replace(
            block,
            norms_per_layer=norms if isinstance(norms, int) else norms[number],
            attention=block.attention if "attention" in half else None,
            mlp=block.mlp if "mlp" in half else None,
            moe=MoeShape(4, 2, 6) if "moe" in half else None,
        )
        for number, half in enumerate(halves)
    )
    assert style_of(replace(MODEL, model_type="unheard-of", blocks=blocks)) == Style(order=order)


def test_that_two_tokens_can_still_be_halved() -> None:
    kinds = [{one.kind for one in remedies(run(LLAMA_1B, sequence=tokens), 10**12, 0.0)} for tokens in (1, 2)]
    assert [RemedyKind.SHORTER_SEQUENCE in found for found in kinds] == [False, True]
