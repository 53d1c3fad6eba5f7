"""A customer's own test run, on whatever machine, as a correction of all computed times."""

from __future__ import annotations

from dataclasses import replace

from engine.errors import InvalidInputError
from engine.speed.run import tokens_per_second
from engine.speed.step import step_time
from engine.speed.types import Calibration, SpeedFacts, SpeedSetup


def calibrate(setup: SpeedSetup, measured_tokens_per_s: float, facts: SpeedFacts) -> Calibration:
    """Compare a measured run with what the model says for the same run.

    The result belongs into `SpeedSetup.calibration` of other runs with the same software. Raises InvalidInputError when
    the measured rate is not above 0, when the model knows no time for the run, or when the rate would need more than
    every matrix operation at the card's full measured rate: then tokens, seconds or the card are misread.
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
    return Calibration(measured_tokens_per_s, tokens_per_second(step).expected)
