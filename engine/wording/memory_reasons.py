"""Messages for runs a card's memory does not hold, which name only what is still open to that run on that card."""

from __future__ import annotations

from engine.reasons import MemoryHelp
from engine.wording.translator import mark

MEMORY_MESSAGES: dict[MemoryHelp, tuple[str, ...]] = {
    MemoryHelp.ALL: (
        mark(
            "Is expected to need {expected_bytes} per card, but may need up to {need_bytes} of {usable_bytes}: not "
            "certain to fit. More cards with FSDP, a 4-bit base or a shorter sequence would help."
        ),
        mark(
            "Needs {need_bytes} per card, {usable_bytes} are usable: {missing_bytes} short. More cards with FSDP, "
            "a 4-bit base or a shorter sequence would help."
        ),
        mark("The card's memory does not hold the run. More cards with FSDP or a 4-bit base would help."),
    ),
    MemoryHelp.FOUR_BIT_ALREADY: (
        mark(
            "Is expected to need {expected_bytes} per card, but may need up to {need_bytes} of {usable_bytes}: not "
            "certain to fit. More cards with FSDP or a shorter sequence would help."
        ),
        mark(
            "Needs {need_bytes} per card, {usable_bytes} are usable: {missing_bytes} short. More cards with FSDP or a "
            "shorter sequence would help."
        ),
        mark("The card's memory does not hold the run. More cards with FSDP or a shorter sequence would help."),
    ),
    MemoryHelp.ONE_CARD: (
        mark(
            "Is expected to need {expected_bytes} per card, but may need up to {need_bytes} of {usable_bytes}: not "
            "certain to fit. A shorter sequence or a smaller model would help."
        ),
        mark(
            "Needs {need_bytes} per card, {usable_bytes} are usable: {missing_bytes} short. A shorter sequence or a "
            "smaller model would help."
        ),
        mark("The card's memory does not hold the run. A shorter sequence or a smaller model would help."),
    ),
}
