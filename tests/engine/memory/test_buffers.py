"""Buffers, optimisers, host memory and reserves in bytes that were calculated by hand, and the borders of each rule.

Llama 3.1 8B: hidden 4,096, inner 14,336, 32 layers, 8 of 32 key-value heads, vocabulary 128,256.
One layer: q and o 16,777,216 each, k and v 4,194,304 each, three of 58,720,256: 218,103,808 weights, 8,192 in norms.
Outside the layers: 2 x 128,256 x 4,096 + 4,096 = 1,050,677,248. All: 8,030,261,248. Adapters of rank 16: 41,943,040.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.memory.aggregate import Aggregate, aggregate
from engine.memory.estimate import estimate
from engine.memory.optimisers import OptimiserBytes, optimiser_bytes
from engine.memory.reserve import driver_shows, is_spread, requirement
from engine.memory.sharding import communication_bytes, part, pins_inputs, shares
from engine.memory.states import nf4_bytes
from engine.methods import Checkpointing, Layout, Method, Offload, Optimizer, Recipe, Sharding, StateRecipe
from engine.models import Linear, Role
from engine.units import MIB, ByteBand
from tests.engine.memory.builders import LLAMA_1B, LLAMA_8B, llama, run

P = 8_030_261_248
ADAPTERS = 41_943_040
LAYER, OUTSIDE = 218_112_000, 1_050_677_248
TWO = Layout(2, Sharding.FSDP)


def test_that_the_sums_of_a_model_are_those_of_its_matrices() -> None:
    assert aggregate(LLAMA_8B) == Aggregate(
        parameters=P,
        quantisable=32 * 218_103_808,
        matrices=32 * 218_103_808,
        # q and o 8,192, k and v 5,120, the three others 18,432 each
        matrix_rows_and_columns=32 * (2 * 8192 + 2 * 5120 + 3 * 18432),
        matrix_sides=((4096, 4096, 64), (1024, 4096, 64), (4096, 14336, 96)),
        largest_matrix=58_720_256,
        largest_packed_matrix=58_720_256,
        largest_layer=LAYER,
        largest_layer_quantisable=218_103_808,
        outside_layers=OUTSIDE,
    )


# Two layers with five experts of 8 x 16 in one tensor, which is not packed, and a matrix of 8 x 24: of each the weights
# are 640 and 192, rows and columns 5 x 24 and 32.
def test_that_experts_in_one_tensor_are_one_matrix_of_many_sides_and_not_packed() -> None:
    (block,) = llama(8, 16, 2, 1, 1, 10).blocks
    stack = Linear("experts.up", 8, 16, Role.EXPERT, count=5, fused_parameter=True)
    sums = aggregate(
        replace(llama(8, 16, 2, 1, 1, 10), blocks=(replace(block, linears=(stack, Linear("up", 8, 24, Role.MLP))),))
    )
    assert (sums.matrices, sums.quantisable) == (2 * 832, 2 * 192)
    assert sums.matrix_rows_and_columns == 2 * (5 * 24 + 32)
    assert sums.matrix_sides == ((8, 16, 10), (8, 24, 2))
    assert (sums.largest_matrix, sums.largest_packed_matrix) == (640, 192)


def test_that_the_largest_of_unequal_layers_counts_with_its_own_packed_part() -> None:
    (block,) = llama(64, 256, 2, 4, 4, 100).blocks
    small, wide = replace(block, count=5), replace(block, count=1, other_parameters=1_000_000)
    sums = aggregate(replace(llama(64, 256, 2, 4, 4, 100), blocks=(small, wide, small)))
    weights = 4 * 64 * 64 + 3 * 64 * 256
    assert (sums.largest_layer, sums.largest_layer_quantisable) == (weights + 1_000_000, weights)
    assert sums.quantisable == 11 * weights


# Half a byte per weight, one byte per 64 weights, four per 256 of those; without the second step four per 64.
@pytest.mark.parametrize(
    ("weights", "double", "size"),
    [
        (64, True, 32 + 1 + 4),
        (65, True, 33 + 2 + 4),
        (64 * 256, True, 8192 + 256 + 4),
        (64 * 256 + 1, True, 8193 + 257 + 8),
        (64, False, 32 + 4),
        (65, False, 33 + 8),
    ],
)
def test_that_packed_weights_take_whole_blocks(weights: int, double: bool, size: int) -> None:
    assert nf4_bytes(weights, double_quantisation=double) == size


# FSDP holds two layers and everything outside them: 2 x 218,112,000 and 1,050,677,248 in the width that travels.
# NF4 layer: 109,051,904 + 3,407,872 + 53,248 bytes packed, norms apart; without double quantisation 122,683,392.
@pytest.mark.parametrize(
    ("recipe", "size"),
    [
        (Recipe(Method.LORA), 2 * (2 * LAYER + OUTSIDE)),
        (Recipe(Method.FULL), 2 * (2 * LAYER + OUTSIDE)),
        (Recipe(Method.FULL, states=StateRecipe.AMP), 4 * (2 * LAYER + OUTSIDE)),
        (Recipe(Method.LORA, states=StateRecipe.AMP), 2 * (2 * LAYER + OUTSIDE)),
        (Recipe(Method.QLORA), 2 * (112_513_024 + 2 * 8192) + 2 * OUTSIDE),
        (Recipe(Method.QLORA, kbit_upcast=True), 2 * (112_513_024 + 4 * 8192) + 4 * OUTSIDE),
        (Recipe(Method.QLORA, double_quantisation=False), 2 * (122_683_392 + 2 * 8192) + 2 * OUTSIDE),
    ],
)
def test_that_full_sharding_holds_two_gathered_layers_and_what_lies_outside(recipe: Recipe, size: int) -> None:
    for layout in (TWO, Layout(4, Sharding.HYBRID, 2)):
        assert communication_bytes(recipe, layout, aggregate(LLAMA_8B), gradients=7) == size


def test_that_other_layouts_hold_the_buffers_they_are_known_for() -> None:
    def buffers(layout: Layout, **recipe: Offload) -> int:
        return communication_bytes(Recipe(Method.FULL, **recipe), layout, aggregate(LLAMA_8B), gradients=7)

    # two buckets of 200 million 16-bit elements, on one card too
    assert buffers(Layout(1, Sharding.ZERO1)) == buffers(Layout(8, Sharding.ZERO2)) == 800_000_000
    assert buffers(Layout(4, Sharding.DDP)) == 7
    assert buffers(Layout(1, Sharding.DDP)) == buffers(Layout()) == buffers(Layout(1, Sharding.FSDP)) == 0
    assert buffers(Layout(4, Sharding.TENSOR)) == 0
    for offload, size in ((Offload.ALL, 2 * (2 * LAYER + OUTSIDE)), (Offload.NVME, 2 * (2 * LAYER + OUTSIDE))):
        assert buffers(Layout(), offload=offload) == size
    assert buffers(Layout(), offload=Offload.OPTIMIZER) == 0


def test_that_inputs_are_pinned_for_frozen_weights_under_full_sharding_only() -> None:
    assert pins_inputs(Recipe(Method.LORA), TWO)
    assert pins_inputs(Recipe(Method.QLORA), Layout(4, Sharding.HYBRID, 2))
    assert not pins_inputs(Recipe(Method.FULL), TWO)
    assert not pins_inputs(Recipe(Method.LORA), Layout(1, Sharding.FSDP))
    assert not pins_inputs(Recipe(Method.LORA), Layout(2, Sharding.DDP))


# Measured by fms-acceleration: every input and its gradient, less what a plain run holds anyway.
def test_that_pinned_inputs_cost_their_bytes_per_token() -> None:
    def backward(tokens: int) -> int:
        return estimate(run(LLAMA_8B, cards=2, sequence=tokens)).phases.backward

    plain = (
        estimate(run(LLAMA_8B, sequence=4096)).phases.backward - estimate(run(LLAMA_8B, sequence=2048)).phases.backward
    )
    pinned = backward(4096) - backward(2048)
    assert (pinned - plain) / 2048 == pytest.approx(30 * 2 * 4096, rel=0.05)


def test_that_shares_follow_the_zero_stages() -> None:
    found = {
        kind: shares(Layout(4, kind, 2 if kind is Sharding.HYBRID else 0))
        for kind in Sharding
        if kind is not Sharding.NONE
    }
    divisors = {kind: (one.weights, one.gradients, one.optimizer) for kind, one in found.items()}
    assert divisors == {
        Sharding.DDP: (1, 1, 1),
        Sharding.ZERO1: (1, 1, 4),
        Sharding.ZERO2: (1, 4, 4),
        Sharding.FSDP: (4, 4, 4),
        Sharding.TENSOR: (4, 4, 4),
        Sharding.HYBRID: (2, 2, 2),
    }
    assert (part(9, 4), part(8, 4), part(0, 4)) == (3, 2, 0)


# GaLore, rank 128, moments of the longer side twice and a projector of the shorter one (Zhao et al. 2024, table 1):
# q and o 128 x (2 x 4,096 + 4,096), k and v 128 x (2 x 4,096 + 1,024), the others 128 x (2 x 14,336 + 4,096), so
# 18,087,936 per layer; and two full moments for the 1,050,939,392 others.
# Adafactor: 4 B per row and column and per other parameter, two fp32 copies of the largest matrix in the step.
@pytest.mark.parametrize(
    ("optimizer", "states", "scales", "step"),
    [
        (Optimizer.GALORE, 4 * 32 * 18_087_936 + 2 * 4 * 1_050_939_392, 0, 4 * 58_720_256),
        (Optimizer.ADAFACTOR, 4 * 2_621_440 + 4 * 1_050_939_392, 0, 2 * 4 * 58_720_256),
        (Optimizer.MUON, 4 * (6_979_321_856 + 2 * 1_050_939_392), 0, 2 * 4 * 58_720_256),
        (Optimizer.ADAMW_8BIT, 2 * P, 2 * 4 * 31_368_208, 0),
        (Optimizer.PAGED_ADAMW_8BIT, 2 * P, 2 * 4 * 31_368_208, 0),
        (Optimizer.ADAMW_FOREACH, 8 * P, 0, 2 * P),
        (Optimizer.ADAMW, 8 * P, 0, 0),
        (Optimizer.LION, 4 * P, 0, 0),
        (Optimizer.SGD, 0, 0, 0),
    ],
)
def test_that_an_optimiser_of_full_weights_holds(optimizer: Optimizer, states: int, scales: int, step: int) -> None:
    assert optimiser_bytes(optimizer, P, aggregate(LLAMA_8B), 4, 2, full=True) == OptimiserBytes(states, scales, step)


@pytest.mark.parametrize(
    ("optimizer", "states", "scales", "step"),
    [
        (Optimizer.GALORE, 2 * 4 * 257, 0, 0),
        (Optimizer.ADAFACTOR, 4 * 257, 0, 0),
        (Optimizer.MUON, 4 * 257, 0, 0),
        (Optimizer.ADAMW_8BIT, 2 * 257, 2 * 4 * 2, 0),
        (Optimizer.ADAMW_FOREACH, 8 * 257, 0, 2 * 257),
    ],
)
def test_that_an_optimiser_of_adapters_knows_no_model_matrices(
    optimizer: Optimizer, states: int, scales: int, step: int
) -> None:
    assert optimiser_bytes(optimizer, 257, aggregate(LLAMA_8B), 4, 2, full=False) == OptimiserBytes(
        states, scales, step
    )


# A matrix has no more singular vectors than rows: four of 8 x 8 with rank 8 hold 8 x (16 + 8), three of 8 x 16 hold
# 8 x (32 + 8).
def test_that_a_projection_has_no_more_dimensions_than_the_matrix() -> None:
    tiny = aggregate(llama(8, 16, 1, 1, 1, 10))
    matrices = 4 * 64 + 3 * 128
    others = tiny.parameters - matrices
    held = 4 * (4 * 192 + 3 * 320)
    assert optimiser_bytes(Optimizer.GALORE, tiny.parameters, tiny, 4, 2, full=True).states == held + 8 * others


# Context 300/500/900 MiB; reserve 1/3/10 %; NCCL 100/400/1,000 MiB and 22 % over several cards.
def test_that_the_requirement_adds_context_and_reserve_to_the_live_bytes() -> None:
    peak = 10_000_000_000
    one = requirement(peak, Layout())
    assert (one.context, one.reserve) == (500 * MIB, 300_000_000)
    assert one.required == ByteBand(
        peak + 300 * MIB + 100_000_000, peak + 500 * MIB + 300_000_000, peak + 900 * MIB + 1_000_000_000
    )
    two = requirement(peak, TWO)
    assert (two.context, two.reserve) == (900 * MIB, 300_000_000)
    assert two.required == ByteBand(
        peak + 400 * MIB + 100_000_000, peak + 900 * MIB + 300_000_000, peak + 1900 * MIB + 2_200_000_000
    )


# 9 % of the live bytes (15 % over several cards and 1,000 MiB more) and three tenths of the logits.
def test_that_the_driver_shows_cached_blocks_as_well() -> None:
    peak, logits = 10_000_000_000, 1_000_000_000
    assert driver_shows(peak, logits, Layout()) == peak + 500 * MIB + 900_000_000 + 300_000_000
    assert driver_shows(peak, logits, TWO) == peak + 900 * MIB + 1_500_000_000 + 300_000_000 + 1000 * MIB


def test_that_a_run_is_spread_over_at_least_two_cards() -> None:
    assert is_spread(TWO)
    assert not is_spread(Layout(1, Sharding.FSDP))
    assert not is_spread(Layout(2, Sharding.NONE))


def _host(method: Method = Method.FULL, **recipe: object) -> tuple[int, int]:
    result = estimate(run(LLAMA_8B, method, **recipe))
    return result.host, result.host_high


# Floor 14 B per parameter (gradients, master weights and moments), DeepSpeed's rule 1.5 x 16 B or 1.5 x 18 B.
def test_that_host_memory_of_full_weights_follows_the_papers() -> None:
    assert _host(offload=Offload.OPTIMIZER) == (14 * P, 24 * P)
    assert _host(offload=Offload.ALL) == (16 * P, 27 * P)
    # 10^9 parameters at a time, 16 B each; four such buffers
    assert _host(offload=Offload.NVME) == (16 * 10**9, 64 * 10**9)
    assert _host() == (0, 0)


def test_that_host_memory_of_adapters_counts_their_parameters_and_the_frozen_weights_once() -> None:
    assert _host(Method.LORA, offload=Offload.OPTIMIZER) == (12 * ADAPTERS, 24 * ADAPTERS)
    # 12 B with 4 B of weights and 2 B per frozen weight; 1.5 x (18 B and the frozen weights)
    assert _host(Method.LORA, offload=Offload.ALL) == (16 * ADAPTERS + 2 * P, 27 * ADAPTERS + 3 * P)
    assert _host(Method.LORA, offload=Offload.NVME) == (16 * ADAPTERS, 64 * ADAPTERS)


# 32 inputs of 4,096 x 2 B per token wait in host memory.
def test_that_checkpoints_in_host_memory_come_on_top() -> None:
    waiting = 32 * 4096 * 2 * 2048
    off = {"checkpointing": Checkpointing.OFFLOADED}
    assert _host(Method.LORA, **off) == (waiting, waiting)
    assert _host(offload=Offload.OPTIMIZER, **off) == (14 * P + waiting, 24 * P + waiting)
    assert _host(offload=Offload.NVME, **off) == (16 * 10**9 + waiting, 64 * 10**9 + waiting)
    assert _host(optimizer=Optimizer.PAGED_ADAMW_8BIT, **off) == (2 * P + waiting, 2 * P + waiting)
    four = estimate(run(LLAMA_8B, cards=4, **off))
    assert four.host == 4 * waiting


def test_that_offloaded_states_leave_the_card() -> None:
    for offload in (Offload.OPTIMIZER, Offload.ALL, Offload.NVME):
        card = estimate(run(LLAMA_1B, Method.FULL, offload=offload)).card
        assert card.optimizer == card.master_weights == 0
        assert card.weights == (2 * LLAMA_1B.parameters if offload is Offload.OPTIMIZER else 0)
    adapters = estimate(run(LLAMA_1B, offload=Offload.ALL)).card
    assert adapters.weights == adapters.adapters == 0


# While quantising, one matrix in 16 bit lies beside the packed weights: 2 x 58,720,256.
def test_that_loading_needs_the_weights_and_for_nf4_one_matrix_in_16_bit() -> None:
    packed = nf4_bytes(32 * 218_103_808, double_quantisation=True) + 2 * (P - 32 * 218_103_808)
    assert estimate(run(method=Method.QLORA)).phases.load == packed + 4 * ADAPTERS + 2 * 58_720_256
    assert estimate(run()).phases.load == 2 * P + 4 * ADAPTERS
    assert estimate(run(method=Method.FULL)).phases.load == 2 * P


# Step: weights, gradients, master weights and moments, block scales of the 8-bit moments, temporaries.
def test_that_the_step_holds_all_states() -> None:
    assert estimate(run()).phases.step == 2 * P + 16 * ADAPTERS
    assert estimate(run(method=Method.FULL)).phases.step == 16 * P
    eight = estimate(run(method=Method.FULL, optimizer=Optimizer.ADAMW_8BIT))
    assert eight.phases.step == 10 * P + 2 * 4 * 31_368_208
    foreach = estimate(run(method=Method.FULL, cards=2, optimizer=Optimizer.ADAMW_FOREACH))
    assert foreach.phases.step == 18 * P // 2
    assert estimate(run(method=Method.FULL, offload=Offload.OPTIMIZER)).phases.step == 2 * P
