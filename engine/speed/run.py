"""From a step to a finished run: tokens, padding, evaluation, checkpoints, start-up and the runs that fail."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from engine.plan.types import StepTime
from engine.speed.types import RunTime, SpeedFacts
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


def run_hours(step: StepTime, plan: RunPlan, facts: SpeedFacts) -> RunTime:
    """Hours of one run, with the band of its step. Start-up, evaluation and checkpoints stand beside the training."""
    steps = _steps(step.tokens_per_step, plan, facts)
    checkpoint_h, start_up_h, with_evaluation = _beside(plan, facts)
    beside = checkpoint_h + start_up_h

    def hours(step_s: float) -> float:
        return steps * step_s / HOUR_S * with_evaluation + beside

    total = step.total_s
    whole = FloatBand(hours(total.low), hours(total.expected), hours(total.high))
    failed = plan.failed_share if plan.failed_share is not None else _assumed(facts, "failed_share", 0.0)
    training_h = steps * total.expected / HOUR_S
    return RunTime(
        hours=whole,
        tokens_per_second=tokens_per_second(step),
        training_h=training_h,
        evaluation_h=training_h * (with_evaluation - 1),
        checkpoint_h=checkpoint_h,
        start_up_h=start_up_h,
        optimiser_steps=steps,
        hours_with_failures=FloatBand(*(value * (1 + failed) for value in (whole.low, whole.expected, whole.high))),
    )


def hours_of(step_s: float, tokens_per_step: int, plan: RunPlan, facts: SpeedFacts) -> float:
    """Hours of one run whose steps take `step_s`, as in `run_hours`."""
    checkpoint_h, start_up_h, with_evaluation = _beside(plan, facts)
    return _steps(tokens_per_step, plan, facts) * step_s / HOUR_S * with_evaluation + checkpoint_h + start_up_h


def _steps(tokens_per_step: int, plan: RunPlan, facts: SpeedFacts) -> int:
    return ceil(processed_tokens(plan, facts) / tokens_per_step)


def _beside(plan: RunPlan, facts: SpeedFacts) -> tuple[float, float, float]:
    """Hours of checkpoints and of the start, and the factor that evaluation puts on the training."""
    share = plan.evaluation_share
    if share is None:
        share = _assumed(facts, "evaluation_share", 0.0)
    disk = plan.disk_gb_per_s if plan.disk_gb_per_s is not None else _assumed(facts, "disk_gb_per_s", 0.0)
    per_byte_h = 1 / (disk * GB) / HOUR_S if disk > 0 else 0.0
    checkpoint_h = plan.checkpoints * plan.checkpoint_bytes * per_byte_h
    start_up_h = _assumed(facts, "start_up_s", 0.0) / HOUR_S + plan.load_bytes * per_byte_h
    return checkpoint_h, start_up_h, 1 / (1 - share)


def _assumed(facts: SpeedFacts, key: str, otherwise: float) -> float:
    figure = facts.assumptions.get(key)
    return figure.value if figure is not None else otherwise
