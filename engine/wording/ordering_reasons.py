"""Messages for amounts that rest on stand-in prices: they say how systems are ordered, not what they cost."""

from __future__ import annotations

from engine.reasons import ReasonCode
from engine.wording.translator import mark

ORDERING_MESSAGES: dict[ReasonCode, tuple[str, ...]] = {
    ReasonCode.BUDGET: (
        mark("By the prices used for ordering, costs {need_amount} net; the budget is {limit_amount}."),
        mark("By the prices used for ordering, costs more than the budget."),
    ),
    ReasonCode.CHEAPEST: (
        mark(
            "By the prices used for ordering, the lowest purchase price of all systems that hold every task as safely."
        ),
    ),
    ReasonCode.LOWEST_COST_PER_RUN: (
        mark(
            "By the prices used for ordering, the lowest cost per run of all systems that hold every task as safely: "
            "{run_amount} on average."
        ),
        mark("By the prices used for ordering, the lowest cost per run of all systems that hold every task as safely."),
    ),
    ReasonCode.CHEAPER_BUT_SLOWER: (
        mark(
            "By the prices used for ordering, {other} is {saving_amount} cheaper, but a step takes {other_step_s} "
            "instead of {step_s}, and the memory may not suffice: up to {need_bytes} of {usable_bytes}."
        ),
        mark(
            "By the prices used for ordering, {other} is {saving_amount} cheaper, but a step takes {other_step_s} "
            "instead of {step_s}."
        ),
        mark(
            "By the prices used for ordering, {other} is {saving_amount} cheaper, but the month's runs take "
            "{other_need_h} instead of {need_h}, and the memory may not suffice: up to {need_bytes} of {usable_bytes}."
        ),
        mark(
            "By the prices used for ordering, {other} is {saving_amount} cheaper, but the month's runs take "
            "{other_need_h} instead of {need_h}."
        ),
        mark("By the prices used for ordering, a cheaper system holds the runs too, but takes longer."),
    ),
    ReasonCode.DEARER_BUT_FASTER: (
        mark(
            "By the prices used for ordering, {other} costs {extra_amount} more; a step takes {other_step_s} instead "
            "of {step_s}."
        ),
        mark(
            "By the prices used for ordering, {other} costs {extra_amount} more; the month's runs take {other_need_h} "
            "instead of {need_h}."
        ),
        mark("By the prices used for ordering, a dearer system takes less time."),
    ),
    ReasonCode.DEARER_AND_SLOWER: (
        mark(
            "By the prices used for ordering, {other} costs {extra_amount} more, and a step takes {other_step_s} "
            "instead of {step_s}."
        ),
        mark(
            "By the prices used for ordering, {other} costs {extra_amount} more, and the month's runs take "
            "{other_need_h} instead of {need_h}."
        ),
        mark("By the prices used for ordering, dearer, and takes longer."),
    ),
    ReasonCode.DOMINATED: (
        mark(
            "With {other}, the same machine carries every task as safely: the month's runs take {other_need_h} instead "
            "of {need_h}, by the prices used for ordering for {saving_amount} less."
        ),
        mark(
            "With {other}, the same machine carries every task as safely and ends the month's runs as soon, after "
            "{need_h}, by the prices used for ordering for {saving_amount} less."
        ),
        mark("With {other}, the same machine does the same, by the prices used for ordering for {saving_amount} less."),
        mark("With fewer of the same card, the same machine does the same."),
    ),
    ReasonCode.ALTERNATIVE: (
        mark("By the prices used for ordering, {other} costs {even_amount} more and takes as long."),
        mark("{other} would be an alternative."),
        mark("An alternative to the recommended system."),
    ),
}
