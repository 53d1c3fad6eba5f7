"""The terms of a step against hand calculations."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.hardware import LinkKind
from engine.methods import Checkpointing, Layout, Method, Objective, Recipe, Sharding, StateRecipe
from engine.speed.shape import AttentionGroup, ModelShape
from engine.speed.terms import MachineRates, exchange_s, least_exchange_s, overlap_s, step_terms
from engine.speed.types import NO_LINK, Coefficients, Link, StackClass, StackCoefficients
from engine.speed.work import StepJob, flop_factors, weight_bytes, work_of

GB = 1e9
TINY = ModelShape(
    layers=10,
    width=1_000,
    matrix_parameters=1_000_000_000,
    stored_parameters=1_100_000_000,
    quantisable_parameters=900_000_000,
    attention=(AttentionGroup(10, 1_000, None, chunked=False),),
)
ROUND = Coefficients({stack: StackCoefficients(0.5, 100, 0.001) for stack in StackClass}, 0.5, 10, 0.5)
LINK = Link(LinkKind.PCIE, 64, 10, 20, 40)


def job(recipe, tokens=4096, sharding=Sharding.NONE, cards=1, trained=0):
    return StepJob(recipe, Layout(cards, sharding), cards, tokens, 4096, trained)


def terms(recipe, **kwargs):
    work = work_of(job(recipe, **kwargs), TINY)
    rates = MachineRates(100e12, 100e12, 1_000 * GB, LINK, kwargs.get("cards", 1))
    return step_terms(work, rates, StackClass.PLAIN_HF, ROUND)


def test_that_full_training_with_checkpointing_counts_eight_flop_per_weight():
    got = terms(Recipe(Method.FULL, checkpointing=Checkpointing.ON))
    # 4,096 x 8 x 1e9 / (100e12 x 0.5) = 0.65536 s
    assert got.matmul_s == pytest.approx(0.65536)
    # causal: 4,096 tokens x 4 passes x 4 FLOP x 10 layers x 1,000 x 2,048 positions / (100e12 x 0.5) = 0.02684 s
    assert got.attention_s == pytest.approx(4096 * 4 * 4 * 10 * 1000 * 2048 / 50e12)
    # 4,096 x 4 passes x 10 x 1,000 x 100 B / 1e12 B/s = 0.016384 s
    assert got.memory_bound_s == pytest.approx(0.016384)
    # 4 passes x 10 layers x 1 ms
    assert got.launch_s == pytest.approx(0.040)
    assert got.dequantisation_s == 0


def test_that_lora_counts_four_flop_per_weight_and_two_passes_without_checkpointing():
    got = terms(Recipe(Method.LORA, checkpointing=Checkpointing.OFF))
    assert got.matmul_s == pytest.approx(4096 * 4e9 / 50e12)
    assert got.launch_s == pytest.approx(0.020)


def test_that_dequantisation_does_not_depend_on_the_tokens():
    # 3 passes x 0.9e9 weights x 10 B / 1e12 B/s = 27 ms
    for tokens in (256, 8192):
        assert terms(Recipe(Method.QLORA), tokens=tokens).dequantisation_s == pytest.approx(0.027)


def test_that_dpo_adds_the_reference_pass():
    assert flop_factors(Recipe(Method.LORA, objective=Objective.DPO)) == (8, 5, 4)
    assert flop_factors(Recipe(Method.LORA)) == (6, 4, 3)
    assert flop_factors(Recipe(Method.FULL)) == (8, 4, 4)


def test_that_a_4_bit_base_travels_packed():
    # 0.9e9 x 4.127/8 B + 0.2e9 x 2 B = 0.8643e9
    assert weight_bytes(Recipe(Method.QLORA), TINY) == pytest.approx(0.9e9 * 4.127 / 8 + 0.4e9)
    assert weight_bytes(Recipe(Method.LORA), TINY) == pytest.approx(2.2e9)


def test_that_weights_under_autocast_travel_in_fp32():
    assert weight_bytes(Recipe(Method.FULL, states=StateRecipe.AMP), TINY) == pytest.approx(4.4e9)


def test_that_fsdp_gathers_twice_and_scatters_gradients_once_per_micro_batch():
    got = terms(Recipe(Method.FULL), sharding=Sharding.FSDP, cards=4, trained=1_100_000_000)
    # (2 x 2.2 + 2.2) GB x 3/4 / 20 GB/s = 0.2475 s
    assert got.gather_s == pytest.approx(0.2475)
    twice = terms(Recipe(Method.FULL, gradient_accumulation=2), sharding=Sharding.FSDP, cards=4, trained=1_100_000_000)
    assert twice.gather_s == pytest.approx(0.495)


def test_that_ddp_reduces_gradients_once_per_step_however_long_the_accumulation():
    one = terms(Recipe(Method.FULL), sharding=Sharding.DDP, cards=2, trained=1_100_000_000)
    eight = terms(Recipe(Method.FULL, gradient_accumulation=8), sharding=Sharding.DDP, cards=2, trained=1_100_000_000)
    # 2 x 2.2 GB x 1/2 / 20 GB/s = 0.11 s
    assert one.gradient_s == eight.gradient_s == pytest.approx(0.11)


def test_that_zero_2_scatters_gradients_in_every_micro_batch_and_gathers_weights_once():
    got = terms(Recipe(Method.FULL, gradient_accumulation=4), sharding=Sharding.ZERO2, cards=2, trained=1_100_000_000)
    # 4 x 2.2 GB x 1/2 / 20 GB/s = 0.22 s, and 2.2 GB x 1/2 / 20 GB/s = 0.055 s
    assert got.gather_s == pytest.approx(0.22)
    assert got.gradient_s == pytest.approx(0.055)


def test_that_tensor_parallel_divides_the_work_and_exchanges_activations():
    alone = terms(Recipe(Method.LORA, checkpointing=Checkpointing.OFF))
    four = terms(Recipe(Method.LORA, checkpointing=Checkpointing.OFF), sharding=Sharding.TENSOR, cards=4)
    assert four.matmul_s == pytest.approx(alone.matmul_s / 4)
    assert four.launch_s == alone.launch_s
    # 2 passes x 2 reductions x 2 ways x 10 layers x 4,096 x 1,000 x 2 B x 3/4 / 20 GB/s
    assert four.gather_s == pytest.approx(80 * 4096 * 2000 * 0.75 / 20e9)


def test_that_islands_add_what_crosses_between_them():
    islands = Link(LinkKind.NVLINK_BRIDGE, 450, 150, 200, 360, islands=2, outer=LINK)
    # inside 80 GB x 7/8 / 200 GB/s = 0.35 s; outside each of four cards carries 80/2/4 = 10 GB at 20 GB/s = 0.5 s
    assert exchange_s(80 * GB, islands, 8, 200, 20) == pytest.approx(0.85)


def test_that_nothing_is_exchanged_by_one_card():
    assert exchange_s(80 * GB, NO_LINK, 1, 0, 0) == 0
    assert least_exchange_s(work_of(job(Recipe(Method.LORA)), TINY), NO_LINK, 1) == 0


@given(st.floats(0.001, 100), st.floats(0.001, 100), st.floats(0, 1))
def test_that_overlap_lies_between_the_longer_part_and_the_sum(compute, communication, exposed):
    together = overlap_s(compute, communication, exposed)
    assert max(compute, communication) <= together <= (compute + communication) * (1 + 1e-12)


@given(st.integers(1, 2**17), st.integers(1, 2**17))
def test_that_a_window_never_makes_attention_longer(length, window):
    full = ModelShape(1, 1, 1, 1, 1, (AttentionGroup(1, 1, None, chunked=False),))
    cut = ModelShape(1, 1, 1, 1, 1, (AttentionGroup(1, 1, window, chunked=False),))
    assert 0 < cut.attention_work(length) <= full.attention_work(length)
