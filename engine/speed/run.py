"""From a step to a finished run: tokens, padding, evaluation, checkpoints, start-up and the runs that fail."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from engine.speed.types import RunTime, SpeedFacts, StepTime
from engine.units import GB, FloatBand

HOUR_S = 3600


@dataclass(frozen=True, slots=True)
class RunPlan:
    """What a run has to do. `tokens` counts data-set tokens of all epochs, before padding.

    `None` takes the catalogue's assumption, which is shown as one.
    """

    tokens: int
    packing: bool = True
    filled_share: float | None = None  # real tokens over padded tokens when samples are not packed
    evaluation_share: float | None = None  # of the whole training and evaluation time
    checkpoints: int = 1
    checkpoint_bytes: int = 0
    load_bytes: int = 0  # weights read before the first step
    disk_gb_per_s: float | None = None
    failed_share: float | None = None  # failed runs per successful run


def tokens_per_second(step: StepTime) -> FloatBand:
    """Tokens the run processes per second while it trains; low is the slow end."""
    total = step.total_s
    tokens = step.tokens_per_step
    return FloatBand(tokens / total.high, tokens / total.expected, tokens / total.low)


def processed_tokens(plan: RunPlan, facts: SpeedFacts) -> int:
    """Tokens the card has to work through: packed samples carry no padding, padded ones are mostly padding."""
    if plan.packing:
        return plan.tokens
    filled = plan.filled_share if plan.filled_share is not None else _assumed(facts, "filled_share_padded", 1.0)
    return ceil(plan.tokens / filled)


@dataclass(frozen=True, slots=True)
class RunFrame:
    """What of a run does not depend on the seconds of its step."""

    steps: int
    checkpoint_h: float
    start_up_h: float
    with_evaluation: float  # factor that evaluation puts on the training


def frame_of(tokens_per_step: int, plan: RunPlan, facts: SpeedFacts) -> RunFrame:
    """Steps of a run, hours of its checkpoints and of its start, and evaluation."""
    share = plan.evaluation_share
    if share is None:
        share = _assumed(facts, "evaluation_share", 0.0)
    disk = plan.disk_gb_per_s if plan.disk_gb_per_s is not None else _assumed(facts, "disk_gb_per_s", 0.0)
    per_byte_h = 1 / (disk * GB) / HOUR_S if disk > 0 else 0.0
    return RunFrame(
        steps=ceil(processed_tokens(plan, facts) / tokens_per_step),
        checkpoint_h=plan.checkpoints * plan.checkpoint_bytes * per_byte_h,
        start_up_h=_assumed(facts, "start_up_s", 0.0) / HOUR_S + plan.load_bytes * per_byte_h,
        with_evaluation=1 / (1 - share),
    )


def run_hours(step: StepTime, plan: RunPlan, facts: SpeedFacts) -> RunTime:
    """Hours of one run, with the band of its step. Start-up, evaluation and checkpoints stand beside the training."""
    failed = plan.failed_share if plan.failed_share is not None else assumed_failed_share(facts)
    return run_time(step, frame_of(step.tokens_per_step, plan, facts), failed)


def run_time(step: StepTime, frame: RunFrame, failed_share: float) -> RunTime:
    """Hours of one run in its frame. `failed_share`: failed runs per successful run."""
    steps, evaluation = frame.steps, frame.with_evaluation
    beside = frame.checkpoint_h + frame.start_up_h
    total, with_failed = step.total_s, 1 + failed_share
    training_h = steps * total.expected / HOUR_S
    low = steps * total.low / HOUR_S * evaluation + beside
    expected = training_h * evaluation + beside
    high = steps * total.high / HOUR_S * evaluation + beside
    return RunTime(
        hours=FloatBand(low, expected, high),
        tokens_per_second=tokens_per_second(step),
        training_h=training_h,
        evaluation_h=training_h * (evaluation - 1),
        checkpoint_h=frame.checkpoint_h,
        start_up_h=frame.start_up_h,
        optimiser_steps=steps,
        hours_with_failures=FloatBand(low * with_failed, expected * with_failed, high * with_failed),
    )


def hours_of(step_s: float, frame: RunFrame) -> float:
    """Hours of one run whose steps take `step_s`, as in `run_time`."""
    return frame.steps * step_s / HOUR_S * frame.with_evaluation + frame.checkpoint_h + frame.start_up_h


def assumed_failed_share(facts: SpeedFacts) -> float:
    """Failed runs per successful run where nobody says otherwise."""
    return _assumed(facts, "failed_share", 0.0)


def _assumed(facts: SpeedFacts, key: str, otherwise: float) -> float:
    figure = facts.assumptions.get(key)
    return figure.value if figure is not None else otherwise
