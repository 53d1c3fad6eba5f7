"""Messages for test runs of the customer, for what would make a near miss fit, and for what the host needs."""

from __future__ import annotations

from engine.reasons import ReasonCode
from engine.wording.translator import mark

PLANNING_MESSAGES: dict[ReasonCode, tuple[str, ...]] = {
    ReasonCode.CALIBRATED: (
        mark(
            "Times follow the customer's own test run ({run}): {measured_tokens} tokens/s measured, {modelled_tokens} "
            "computed."
        ),
        mark("Times follow the customer's own test run."),
    ),
    ReasonCode.CALIBRATED_ELSEWHERE: (
        mark(
            "Times follow the customer's own test run ({run}): {measured_tokens} tokens/s measured, {modelled_tokens} "
            "computed. It ran on another card, by another method or with another size, so the band stays wider."
        ),
        mark("Times follow a test run of the customer's of another kind, so the band stays wider."),
    ),
}
