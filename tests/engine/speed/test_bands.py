"""How wide times are printed."""

from dataclasses import replace

import pytest

from engine.methods import Method, Offload, Recipe, Sharding
from engine.speed.bands import width_for
from engine.speed.step import step_time
from engine.speed.types import Calibration, SpeedNote
from tests.engine.speed.builders import (
    H200_NVL,
    LLAMA_8B,
    LLAMA_70B,
    SERVER,
    TWO_WAY_BRIDGE,
    WORKSTATION,
    Case,
    setup_of,
    step_of,
)


def factors(step):
    total = step.total_s
    return pytest.approx(total.expected / total.low), pytest.approx(total.high / total.expected)


def test_that_a_measured_card_on_a_known_stack_gets_half_more_either_way(facts):
    assert factors(step_of(Case(LLAMA_8B, H200_NVL), facts)) == (1.5, 1.5)


@pytest.mark.parametrize(
    ("case", "note"),
    [
        (Case(LLAMA_8B, WORKSTATION), SpeedNote.NO_CARD_RECORD),
        (Case(LLAMA_8B, SERVER), SpeedNote.INCOMPLETE_RECORD),
        (Case(LLAMA_70B, H200_NVL, cards=2, sharding=Sharding.FSDP), SpeedNote.SHARDED_OVER_PCIE),
        (Case(LLAMA_8B, H200_NVL, tokens=512, micro_batch=1), SpeedNote.SHORT_MICRO_BATCH),
    ],
)
def test_that_what_the_records_say_little_about_may_take_twice_as_long(facts, case, note):
    step = step_of(case, facts)
    assert note in step.notes
    assert factors(step) == (1.3, 2.0)


def test_that_a_bridge_of_two_keeps_the_narrow_band_and_islands_do_not(facts):
    bridged = Case(LLAMA_70B, H200_NVL, cards=2, sharding=Sharding.FSDP, bridging=TWO_WAY_BRIDGE)
    assert factors(step_of(bridged, facts)) == (1.5, 1.5)
    assert SpeedNote.SHARDED_OVER_PCIE in step_of(replace(bridged, cards=4), facts).notes


def test_that_offload_and_an_assumed_stack_widen(facts):
    offloaded = step_of(Case(LLAMA_8B, H200_NVL), facts, Recipe(Method.FULL, offload=Offload.OPTIMIZER))
    assert SpeedNote.OFFLOADED in offloaded.notes
    assumed = step_time(replace(setup_of(Case(LLAMA_8B, H200_NVL), facts), stack_known=False), facts.speed)
    assert assumed is not None
    assert SpeedNote.STACK_ASSUMED in assumed.notes
    assert factors(assumed) == (1.3, 2.0)


def test_that_a_test_run_of_the_customer_moves_and_narrows_the_band(facts):
    setup = setup_of(Case(LLAMA_8B, SERVER), facts)
    plain = step_time(setup, facts.speed)
    measured = step_time(replace(setup, calibration=Calibration(2_000, 2_500)), facts.speed)
    assert plain is not None
    assert measured is not None
    # the customer reached 0.8 of what was computed: every step takes 1.25 times as long
    assert measured.total_s.expected == pytest.approx(plain.total_s.expected * 1.25)
    assert factors(measured) == (1.25, 1.25)


@pytest.mark.parametrize(
    ("covers", "slow"), [(frozenset(), 2.0), (frozenset({SpeedNote.OFFLOADED}), 1.25)], ids=["on the card", "offloaded"]
)
def test_that_a_test_run_settles_only_what_it_did_itself(covers, slow):
    run = Calibration(2_000, 2_500, covers=covers)
    notes = (SpeedNote.CALIBRATED, SpeedNote.NO_CARD_RECORD, SpeedNote.STACK_ASSUMED, SpeedNote.OFFLOADED)
    assert width_for(notes, run).slow == slow


def test_that_a_test_run_of_another_kind_leaves_the_band_of_a_known_stack():
    notes = (SpeedNote.CALIBRATED_ELSEWHERE, SpeedNote.NO_CARD_RECORD, SpeedNote.STACK_ASSUMED)
    width = width_for(notes, Calibration(2_000, 2_500, alike=False))
    assert (width.fast, width.slow) == (1.5, 1.5)


@pytest.mark.parametrize(
    ("card", "tokens", "slow"),
    [(H200_NVL, 32_767, 1.5), (H200_NVL, 32_768, 2.5), ("a100_sxm_80", 131_072, 1.5)],
    ids=["Hopper, shorter", "Hopper, as long as measured slower", "Ampere, as published"],
)
def test_that_long_sequences_widen_where_they_were_measured_slower(facts, card, tokens, slow):
    # llm-foundry, MPT-7B at 65,536 tokens on H100: 1,956 tokens/s published, 3,494 computed, a factor of 1.79
    step = step_of(Case(LLAMA_8B, card, tokens=tokens, micro_batch=1), facts)
    assert step.total_s.high / step.total_s.expected == pytest.approx(slow)
    assert (SpeedNote.LONG_SEQUENCE in step.notes) is (slow == 2.5)


@pytest.mark.parametrize(("tokens", "slow"), [(256, 2.5), (512, 2.5), (513, 2.0), (2048, 1.5)])
def test_that_4_bit_weights_widen_where_few_tokens_pass_at_a_time(facts, tokens, slow):
    # Qwen's table, 72B at 256 tokens on A100: 74.7 tokens/s published, 123.2 computed, a factor of 1.65
    step = step_of(Case(LLAMA_70B, H200_NVL, method=Method.QLORA, tokens=tokens, micro_batch=1), facts)
    assert step.total_s.high / step.total_s.expected == pytest.approx(slow)


def test_that_16_bit_weights_at_few_tokens_are_only_short(facts):
    step = step_of(Case(LLAMA_8B, H200_NVL, tokens=256, micro_batch=1), facts)
    assert SpeedNote.SHORT_QUANTISED not in step.notes
    assert factors(step) == (1.3, 2.0)


def test_that_the_nearest_record_shares_method_and_size(facts):
    record = step_of(Case(LLAMA_70B, H200_NVL, cards=2, sharding=Sharding.FSDP, bridging=TWO_WAY_BRIDGE), facts).record
    assert record is not None
    assert (record.card_id, record.method) == (H200_NVL, Method.LORA)
    assert record.matrix_parameters > 60e9
    small = step_of(Case("qwen3-8b", "rtx_5090", method=Method.QLORA), facts).record
    assert small is not None
    assert (small.model, small.method) == ("Qwen3-8B", Method.QLORA)
