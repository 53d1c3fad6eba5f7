"""A customer's own test run."""

from dataclasses import replace

import pytest

from engine.errors import InvalidInputError
from engine.speed.calibration import calibrate
from engine.speed.run import tokens_per_second
from engine.speed.step import step_time
from tests.engine.speed.builders import LLAMA_8B, LLAMA_70B, SERVER, WORKSTATION, Case, setup_of, step_of


def test_that_the_calibrated_run_itself_comes_out_as_measured(facts):
    setup = setup_of(Case(LLAMA_8B, WORKSTATION), facts)
    measured = 0.7 * tokens_per_second(step_of(Case(LLAMA_8B, WORKSTATION), facts)).expected
    found = step_time(replace(setup, calibration=calibrate(setup, measured, facts.speed)), facts.speed)
    assert found is not None
    assert tokens_per_second(found).expected == pytest.approx(measured)


def test_that_a_run_on_one_card_narrows_the_band_of_another(facts):
    own = setup_of(Case(LLAMA_8B, WORKSTATION), facts)
    other = setup_of(Case(LLAMA_70B, SERVER), facts)
    plain = step_time(other, facts.speed)
    known = step_time(replace(other, calibration=calibrate(own, 3_000, facts.speed)), facts.speed)
    assert plain is not None
    assert known is not None
    assert known.total_s.high / known.total_s.low < plain.total_s.high / plain.total_s.low


def test_that_a_second_calibration_does_not_build_on_the_first(facts):
    setup = setup_of(Case(LLAMA_8B, WORKSTATION), facts)
    first = calibrate(setup, 3_000, facts.speed)
    assert calibrate(replace(setup, calibration=first), 3_000, facts.speed) == first


@pytest.mark.parametrize("measured", [0, -5, float("nan")])
def test_that_a_rate_must_be_above_zero(facts, measured):
    with pytest.raises(InvalidInputError):
        calibrate(setup_of(Case(LLAMA_8B, WORKSTATION), facts), measured, facts.speed)


def test_that_an_impossible_rate_is_refused(facts):
    # 8B LoRA with checkpointing needs 6 x 7.5e9 FLOP a token: 376 TFLOPS carry 8,300 tokens/s at most
    with pytest.raises(InvalidInputError, match="can compute"):
        calibrate(setup_of(Case(LLAMA_8B, WORKSTATION), facts), 9_000, facts.speed)


def test_that_a_card_without_a_rate_cannot_be_calibrated(facts):
    with pytest.raises(InvalidInputError, match="No time"):
        calibrate(setup_of(Case(LLAMA_8B, "radeon_ai_pro_r9700"), facts), 1_000, facts.speed)
