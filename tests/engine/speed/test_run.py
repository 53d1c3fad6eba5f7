"""From step to run."""

import pytest

from engine.hardware import LinkKind
from engine.speed.run import RunPlan, processed_tokens, run_hours, tokens_per_second
from engine.speed.types import StepTime
from engine.units import FloatBand
from tests.engine.speed.builders import H200_NVL, LLAMA_8B, Case, step_of

STEP = StepTime(FloatBand(1.0, 2.0, 4.0), 2.0, 0.0, 0.0, LinkKind.NONE, 0, tokens_per_step=10_000)


def test_that_tokens_per_second_turn_the_band_round():
    assert tokens_per_second(STEP) == FloatBand(2_500, 5_000, 10_000)


def test_that_a_run_adds_evaluation_checkpoints_and_start_up(facts):
    plan = RunPlan(
        tokens=18_000_000,
        evaluation_share=0.1,
        checkpoints=2,
        checkpoint_bytes=180 * 10**9,
        load_bytes=36 * 10**9,
        disk_gb_per_s=1.0,
        failed_share=0.1,
    )
    run = run_hours(STEP, plan, facts.speed)
    # 1,800 steps x 2 s = 1 h; evaluation is a tenth of training and evaluation: 1/9 h; 360 GB at 1 GB/s = 0.1 h;
    # start-up 300 s + 36 s = 336 s
    assert run.optimiser_steps == 1_800
    assert run.training_h == pytest.approx(1.0)
    assert run.evaluation_h == pytest.approx(1 / 9)
    assert run.checkpoint_h == pytest.approx(0.1)
    assert run.start_up_h == pytest.approx(336 / 3600)
    assert run.hours.expected == pytest.approx(1 + 1 / 9 + 0.1 + 336 / 3600)
    assert run.hours.high == pytest.approx(2 * (1 + 1 / 9) + 0.1 + 336 / 3600)
    assert run.hours_with_failures.expected == pytest.approx(run.hours.expected * 1.1)


def test_that_the_started_step_is_finished(facts):
    assert run_hours(STEP, RunPlan(tokens=10_001), facts.speed).optimiser_steps == 2


def test_that_padding_multiplies_the_tokens_by_the_measured_factor(facts):
    # torchtune, 3B on A100: packed ran 3.38 times as fast as padded
    assert processed_tokens(RunPlan(1_000_000, packing=False), facts.speed) == pytest.approx(3_380_000, rel=0.01)
    assert processed_tokens(RunPlan(1_000_000, packing=False, filled_share=0.5), facts.speed) == 2_000_000
    assert processed_tokens(RunPlan(1_000_000), facts.speed) == 1_000_000


def test_that_the_evaluation_share_defaults_to_the_published_one(facts):
    run = run_hours(STEP, RunPlan(tokens=18_000_000), facts.speed)
    # MLPerf v6.0: 14 % of the run
    assert run.evaluation_h / (run.training_h + run.evaluation_h) == pytest.approx(0.14)


def test_that_more_tokens_never_take_less_time(facts):
    step = step_of(Case(LLAMA_8B, H200_NVL), facts)
    hours = [run_hours(step, RunPlan(tokens=tokens), facts.speed).hours.expected for tokens in (1, 10**6, 10**7)]
    assert hours == sorted(hours)


def test_that_failed_runs_can_be_left_out(facts):
    run = run_hours(STEP, RunPlan(tokens=10_000, failed_share=0.0), facts.speed)
    assert run.hours_with_failures == run.hours
