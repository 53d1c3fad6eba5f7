"""The moments that may be the peak, and what lies where at the peak, by hand.

Three layers of hidden width 8 as in `test_layers`: ids, labels and positions 16 B and 2 x 4 x 2, the embedding's output
16. With checkpointing a layer leaves its output of 16, without 36 + 56 + 36 + 72 + 16, and frees its input of 16.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.memory.estimate import estimate
from engine.memory.phases import Candidate, _on_its_way, _undominated, candidates
from engine.memory.prepared import prepared, trace_options
from engine.memory.trace.extent import ZERO, Extent, per_token
from engine.memory.trace.layers import TraceOptions
from engine.memory.trace.profile import BlockProfile, EndProfile, LossOptions, Profile, trace_block, trace_model
from engine.memory.trace.tape import total
from engine.memory.types import Phase
from engine.methods import SINGLE_CARD, Attention, Checkpointing, Loss, Method, Precision, Recipe, StateRecipe
from engine.models import AttentionShape, Linear, MixerKind, Role
from engine.units import MIB
from tests.engine.memory.builders import LLAMA_1B, PLAIN, llama, run

MODEL = llama(8, 12, 3, 2, 1, 10)
BATCH, LAYER, OUT = 48, 200, 16


def _moment(size: Extent, finished: int = 0) -> Candidate:
    return Candidate(size, finished, ZERO, ZERO, ZERO, ZERO)


@pytest.mark.parametrize(
    ("larger", "smaller"),
    [
        ((9, 9, 9), (8, 8, 8)),
        ((3, 9, 9), (2, 8, 8)),
        ((9, 3, 3), (8, 2, 2)),
        ((9, 3, 9), (8, 2, 8)),
        ((9, 9, 3), (8, 8, 2)),
        ((5, 5, 5), (5, 5, 5)),
    ],
)
def test_that_a_moment_that_another_reaches_in_every_part_is_left_out(larger: Extent, smaller: Extent) -> None:
    for found in ((larger, smaller), (smaller, larger)):
        assert _undominated(map(_moment, found)) == (_moment(larger),)


def test_that_a_moment_stays_that_is_larger_in_one_part_or_has_more_finished_gradients() -> None:
    for size in ((6, 0, 0), (0, 6, 0), (0, 0, 6)):
        assert set(_undominated([_moment((5, 5, 5)), _moment(size)])) == {_moment((5, 5, 5)), _moment(size)}
    more = _moment((4, 4, 4), 7)
    assert set(_undominated([_moment((5, 5, 5), 6), more])) == {_moment((5, 5, 5), 6), more}
    assert _undominated([_moment((5, 5, 5), 7), more]) == (_moment((5, 5, 5), 7),)


# A layer runs above the outputs of the two others or, offloaded, above one that is on its way; what backwards is still
# needed are all three and the layer's own. Nothing is trained, so no gradient is ever finished.
@pytest.mark.parametrize(
    ("checkpointing", "others", "kept"),
    [
        (Checkpointing.ON, 2 * OUT, 3 * OUT + LAYER),
        (Checkpointing.OFFLOADED, OUT, OUT + LAYER),
        (Checkpointing.OFF, 2 * LAYER, 3 * LAYER),
    ],
)
def test_that_a_layer_runs_above_what_is_left_of_the_others(
    checkpointing: Checkpointing, others: int, kept: int
) -> None:
    profile = trace_block(MODEL, MODEL.blocks[0], PLAIN, frozenset())
    found = candidates(MODEL, PLAIN, LossOptions(Loss.PLAIN), checkpointing)
    plain = checkpointing is Checkpointing.OFF
    for peaks, moments in (
        (profile.forward if plain else profile.forward_checkpointed, found.forward),
        (profile.backward if plain else profile.recompute, found.backward),
    ):
        highest = max(total(peak)[1] for peak in peaks)
        assert max(one.size for one in moments) == per_token(BATCH + others + highest)
    assert {one.kept for one in found.backward} == {per_token(BATCH + kept)}
    assert {one.finished_gradients for one in (*found.forward, *found.loss, *found.backward)} == {0}
    assert (found.gradient_bytes, found.checkpoints) == (0, per_token(3 * OUT))


# FSDP holds every layer's input and its gradient, 3 x 16 each, less the input and the gradient of the layer at work,
# which its own trace counts, and the last output.
def test_that_pinned_inputs_and_their_gradients_stay_below_every_layer() -> None:
    profile = trace_block(MODEL, MODEL.blocks[0], PLAIN, frozenset())
    found = candidates(MODEL, PLAIN, LossOptions(Loss.PLAIN), Checkpointing.ON).pinned
    held = BATCH + 6 * OUT - 3 * OUT
    assert max(one.size for one in found) == per_token(held + max(total(peak)[1] for peak in profile.recompute))
    assert {one.kept for one in found} == {per_token(held + LAYER)}


def test_that_the_widest_of_unequal_inputs_is_on_its_way() -> None:
    kinds = [BlockProfile(1, ZERO, per_token(size), ZERO, (), (), (), (), ZERO) for size in (16, 32, 8)]
    assert _on_its_way(Profile(ZERO, tuple(kinds), EndProfile((), (), ZERO, ZERO), 0)) == per_token(32)


# Ids and labels 16, the embedding's output 16, and two tables as wide as the widest head; no tables without attention.
def test_that_a_batch_has_positions_only_where_there_is_attention() -> None:
    (block,) = MODEL.blocks
    wide = replace(block, attention=AttentionShape(2, 1, 6, 6))
    first, last = Linear("mixer.first", 8, 4, Role.MIXER), Linear("mixer.last", 4, 8, Role.MIXER)
    recurrent = replace(block, mixer=MixerKind.STATE_SPACE, attention=None, linears=(first, last))
    loss = LossOptions(Loss.PLAIN)
    for blocks, tables in (((block, wide, block), 2 * 6 * 2), ((recurrent, block), 2 * 4 * 2), ((recurrent,), 0)):
        assert trace_model(replace(MODEL, blocks=blocks), PLAIN, loss).batch == per_token(32 + tables)


# Vocabulary 10 x hidden 8 in the adapters' fp32, or the embedding itself in bf16.
def test_that_a_trained_embedding_has_a_gradient_in_its_own_format() -> None:
    beside = TraceOptions(False, 2, True, 4, ("all-linear",), 4, False, False, False, False, trains_embeddings=True)
    loss = LossOptions(Loss.PLAIN)
    assert trace_model(MODEL, beside, loss).embedding_gradient == 10 * 8 * 4
    assert (
        trace_model(MODEL, TraceOptions(True, 2, False, 0, (), 0, False, False, False, False), loss).embedding_gradient
        == 10 * 8 * 2
    )
    assert trace_model(MODEL, PLAIN, loss).embedding_gradient == 0


# Gradients that wait for another micro-batch are there from the start, so those of finished layers are not added to
# them: 2 B per parameter, whatever the moment.
def test_that_gradients_are_counted_once_when_they_are_accumulated() -> None:
    ready = prepared(LLAMA_1B, Recipe(Method.FULL, gradient_accumulation=2), SINGLE_CARD)
    assert ready.accumulated == 2 * LLAMA_1B.parameters
    assert max(one.finished_gradients for *_, one in ready.backward) > LLAMA_1B.parameters
    assert {ready.gradients_before(one) for *_, one in ready.backward} == {2 * LLAMA_1B.parameters}
    once = prepared(LLAMA_1B, Recipe(Method.FULL), SINGLE_CARD)
    assert once.accumulated == 0
    # all gradients there are, the tied embedding's once
    assert max(once.gradients_before(one) for *_, one in once.backward) <= 2 * LLAMA_1B.parameters


# The loss of a LoRA on Llama 3.1 8B at 2,048 tokens: three fp32 tensors of 128,256 logits per token. Until the backward
# pass 32 layer inputs of 8,192 B, the embedding's output, positions 2 x 128 x 2 and ids and labels 16. What is left
# is workspace: the last norm's fp32 copy in the place of its bf16 input, its reciprocal, the label, and 4 B for the
# gradient of the loss itself.
def test_that_the_bar_shows_logits_activations_and_the_rest_at_the_limiting_moment() -> None:
    result = estimate(run())
    logits, activations = 2048 * 3 * 4 * 128_256, 2048 * (32 * 8192 + 8192 + 512 + 16)
    assert result.phases.limiting is Phase.LOSS
    assert (result.card.logits, result.card.activations, result.card.gradients) == (logits, activations, 0)
    states = 2 * 8_030_261_248 + 12 * 41_943_040
    assert result.card.workspace == result.allocated_peak - states - logits - activations
    assert result.card.workspace == 2048 * (4 * 4096 - 2 * 4096 + 4 + 8) + 4
    # the driver: 500 MiB, 9 % of the live bytes and three tenths of these logits
    peak = result.allocated_peak
    assert result.driver_shows == peak + int(500 * MIB + 0.09 * peak + 0.3 * logits)


# What a recipe asks for, and what it says about adapters where there are none.
EVERYTHING = {
    "adapter_dtype": Precision.BF16,
    "dora": True,
    "adapter_dropout": True,
    "trains_embeddings": True,
    "trains_head": True,
    "kbit_upcast": True,
    "attention": Attention.EAGER,
    "keeps_linear_inputs": True,
    "keeps_unpacked": True,
    "rank": 7,
    "targets": ("attention",),
}


@pytest.mark.parametrize("method", list(Method))
def test_that_settings_of_adapters_count_for_adapters_alone(method: Method) -> None:
    full, packed = method is Method.FULL, method is Method.QLORA
    found = trace_options(Recipe(method, **EVERYTHING))  # type: ignore[arg-type]  # fields are given by name
    assert found == TraceOptions(
        trains_base=full,
        weight_width=2,
        autocast=not full,
        rank=0 if full else 7,
        targets=() if full else ("attention",),
        adapter_width=2,
        dora=not full,
        nf4=packed,
        upcast=packed,
        eager=True,
        dropout=not full,
        keeps_inputs=True,
        trains_embeddings=not full,
        trains_head=not full,
        keeps_unpacked=True,
    )
    plain = trace_options(Recipe(method))
    assert not any((plain.dora, plain.upcast, plain.eager, plain.dropout, plain.keeps_inputs, plain.keeps_unpacked))
    assert not any((plain.trains_embeddings, plain.trains_head, plain.fused_kernels, plain.fused_activation))
    assert plain.adapter_width == 4


def test_that_what_no_recipe_asks_for_is_off() -> None:
    assert not any((PLAIN.dropout, PLAIN.fused_kernels, PLAIN.fused_activation, PLAIN.keeps_inputs))
    assert not any((PLAIN.trains_embeddings, PLAIN.trains_head, PLAIN.keeps_unpacked))
    loss = LossOptions(Loss.PLAIN)
    assert (loss.keeps_outputs, loss.logit_bytes) == (False, None)


def test_that_fused_kernels_fuse_the_activation_too_and_not_the_other_way_round() -> None:
    for kernels, activation in ((True, False), (False, True), (True, True)):
        found = trace_options(Recipe(Method.LORA, fused_kernels=kernels, fused_activation=activation))
        assert (found.fused_kernels, found.fused_activation) == (kernels, True)


def test_that_fp32_weights_are_cast_on_the_way_unless_the_recipe_says_otherwise() -> None:
    mixed = Recipe(Method.FULL, states=StateRecipe.AMP)
    assert (trace_options(mixed).weight_width, trace_options(mixed).autocast) == (4, True)
    whole = Recipe(Method.FULL, states=StateRecipe.AMP, autocast=False)
    assert (trace_options(whole).weight_width, trace_options(whole).autocast) == (4, False)
    assert trace_options(Recipe(Method.LORA, states=StateRecipe.AMP)).weight_width == 2
    assert trace_options(Recipe(Method.FULL, autocast=True)).autocast
