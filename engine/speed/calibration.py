"""A customer's own test run, on whatever machine, as a correction of all computed times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import log

from engine.errors import InvalidInputError
from engine.speed.links import EXCHANGE_INSIDE_PASS
from engine.speed.run import tokens_per_second
from engine.speed.shape import shape_of
from engine.speed.step import step_time, tokens_per_micro_batch
from engine.speed.types import Calibration, OwnRun, SpeedFacts, SpeedSetup

ALIKE_SIZE = 2.0
"""Models at most this factor apart in matrix parameters count as alike; assumption."""
ALIKE_TOKENS = 4.0
"""Micro-batches at most this factor apart in tokens count as alike: beyond it other terms lead; assumption."""


def calibrate(setup: SpeedSetup, measured_tokens_per_s: float, facts: SpeedFacts) -> Calibration:
    """Compare a measured run with what the model says for the same run.

    The result belongs into `SpeedSetup.calibration` of runs of the same kind with the same software. Raises
    InvalidInputError when the measured rate is not above 0, when the model knows no time for the run, or when the rate
    would need more than every matrix operation at the card's full measured rate: then tokens, seconds or the card are
    misread.
    """
    if not measured_tokens_per_s > 0:
        raise InvalidInputError("The measured rate must be above 0 tokens/s.")
    step = step_time(replace(setup, calibration=None), facts)
    if step is None or step.terms is None or facts.coefficients is None:
        raise InvalidInputError("No time can be computed for {card}, so nothing can be compared.", card=setup.card.name)
    least_s = step.terms.matmul_s * facts.coefficients.stacks[setup.stack].matmul_efficiency
    most = step.tokens_per_step / least_s
    if measured_tokens_per_s > most:
        raise InvalidInputError(
            "{measured} tokens/s are more than {card} can compute ({most}); please check tokens and seconds.",
            measured=round(measured_tokens_per_s),
            card=setup.card.name,
            most=round(most),
        )
    return Calibration(measured_tokens_per_s, tokens_per_second(step).expected, covers=frozenset(step.notes))


def own_run(name: str, setup: SpeedSetup, measured_tokens_per_s: float, facts: SpeedFacts) -> OwnRun:
    """A test run that is ready to be compared with other runs. Raises InvalidInputError as `calibrate` does."""
    found = calibrate(setup, measured_tokens_per_s, facts)
    return OwnRun(name, setup, found.measured_tokens_per_s, found.modelled_tokens_per_s, found.covers)


def calibration_for(setup: SpeedSetup, runs: Sequence[OwnRun]) -> Calibration | None:
    """What the customer's test runs say about a run: the one most like it; None when none used the same software.

    Software decides more than the card (speed records of 30 November 2026: factor 3.4 on the same eight cards), so
    another stack says nothing. A run alike on the same card comes first, then the same card, then the same method.
    """
    same_stack = [run for run in runs if run.setup.stack is setup.stack]
    if not same_stack:
        return None
    best = min(same_stack, key=lambda run: _distance(run.setup, setup))
    return Calibration(
        best.measured_tokens_per_s,
        best.modelled_tokens_per_s,
        name=best.name,
        alike=alike(best.setup, setup),
        covers=best.notes,
    )


def alike(one: SpeedSetup, other: SpeedSetup) -> bool:
    """Whether a test run is of the same kind: card, method and exchange inside a pass equal, size and tokens close."""
    return (
        one.card.id == other.card.id
        and one.training.recipe.method is other.training.recipe.method
        and _exchanges(one) is _exchanges(other)
        and _size_gap(one, other) <= log(ALIKE_SIZE)
        and _token_gap(one, other) <= log(ALIKE_TOKENS)
    )


def _distance(one: SpeedSetup, other: SpeedSetup) -> tuple[bool, bool, bool, float]:
    return (
        not alike(one, other),
        one.card.id != other.card.id,
        one.training.recipe.method is not other.training.recipe.method,
        _size_gap(one, other) + _token_gap(one, other) / 2,
    )


def _exchanges(setup: SpeedSetup) -> bool:
    layout = setup.training.layout
    return layout.cards > 1 and layout.sharding in EXCHANGE_INSIDE_PASS


def _size_gap(one: SpeedSetup, other: SpeedSetup) -> float:
    sizes = [shape_of(setup.training.model).matrix_parameters for setup in (one, other)]
    return abs(log(sizes[0] / sizes[1]))


def _token_gap(one: SpeedSetup, other: SpeedSetup) -> float:
    return abs(log(tokens_per_micro_batch(one.training) / tokens_per_micro_batch(other.training)))
