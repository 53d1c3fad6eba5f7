"""Messages for waiting, the customer's own test runs, near misses, the host, and layouts over several cards."""

from __future__ import annotations

from engine.reasons import ReasonCode
from engine.wording.translator import mark

PLANNING_MESSAGES: dict[ReasonCode, tuple[str, ...]] = {
    ReasonCode.BEST_TIME_FOR_MONEY: (
        mark(
            "Done after {need_h} a month. Of all systems that hold every task as safely, every faster one costs more "
            "than {hour_amount} for each hour of waiting that it saves over {years}."
        ),
        mark(
            "Of all systems that hold every task as safely, every faster one costs more than the waiting it saves "
            "may cost."
        ),
    ),
    ReasonCode.FASTER_SET_ASIDE: (
        mark(
            "{other} would be faster, but stands behind: a limit of the place could not be checked, or its price is "
            "not known."
        ),
        mark("A faster system stands behind: a limit of the place could not be checked, or its price is not known."),
    ),
    ReasonCode.CHEAPER_SET_ASIDE: (
        mark("{other} would cost less, but stands behind: a limit of the place could not be checked."),
        mark("A cheaper system stands behind: a limit of the place could not be checked."),
    ),
    ReasonCode.NONE_PRICED: (mark("No price is known for it; among such systems, time and size decided."),),
    ReasonCode.DOMINATED: (
        mark(
            "With {other}, the same machine carries every task as safely: the month's runs take {other_need_h} instead "
            "of {need_h}, for {saving_amount} less."
        ),
        mark(
            "With {other}, the same machine carries every task as safely: the month's runs take {other_need_h} instead "
            "of {need_h}."
        ),
        mark(
            "With {other}, the same machine carries every task as safely and ends the month's runs as soon, after "
            "{need_h}, for {saving_amount} less."
        ),
        mark(
            "With {other}, the same machine carries every task as safely and ends the month's runs as soon, after "
            "{need_h}."
        ),
        mark("With {other}, the same machine does the same for {saving_amount} less."),
        mark("With {other}, the same machine does the same."),
        mark("With fewer of the same card, the same machine does the same."),
    ),
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
    ReasonCode.WOULD_FIT: (
        mark("{remedy}: saves {saved_bytes} per card, and it fits."),
        mark("One change would make it fit."),
    ),
    ReasonCode.WOULD_FIT_TIGHTLY: (
        mark("{remedy}: saves {saved_bytes} per card, and it fits with less headroom than asked for."),
        mark("One change would make it fit, with less headroom than asked for."),
    ),
    ReasonCode.WOULD_SAVE: (
        mark("{remedy}: saves {saved_bytes} per card."),
        mark("One of several changes that save memory."),
    ),
    ReasonCode.WOULD_FIT_TOGETHER: (
        mark("Together these changes save {saved_bytes} per card, and it fits."),
        mark("Together these changes would make it fit."),
    ),
    ReasonCode.WOULD_NOT_FIT: (mark("No single or combined change of the recipe makes it fit here."),),
    ReasonCode.SEVERAL_MACHINES: (
        mark(
            "Too large for one machine with {cards} ({card}): {machines} of them are the fewest whose memory suffices, "
            "if the training software splits every layer over {tensor_cards}: {need_bytes} of {usable_bytes} per card. "
            "The command `cluster` works out layout, network and time."
        ),
        mark(
            "Too large for one machine with {cards} ({card}): {machines} of them are the fewest whose memory suffices, "
            "with {need_bytes} of {usable_bytes} per card. The command `cluster` works out layout, network and time."
        ),
        mark("Too large for one machine. The command `cluster` works out how many would do."),
    ),
    ReasonCode.SPLIT_LAYERS: (
        mark(
            "One machine with {cards} ({card}) holds it only if the training software splits every layer over "
            "{tensor_cards}: {need_bytes} of {usable_bytes} per card. The command `cluster` works out layout and time."
        ),
        mark("One machine holds it only if the training software splits every layer over several cards."),
    ),
    ReasonCode.TOO_MANY_MACHINES: (
        mark("Too large even for {limit_machines} machines with {cards} each."),
        mark("Too large even for many machines."),
    ),
    ReasonCode.OTHER_PLACE: (
        mark("No machine for a desk holds it; in a rack, {other} would carry it."),
        mark("No machine for a desk holds it; one in a rack would."),
    ),
    ReasonCode.HOST_MINIMUM: (
        mark("For {cards} the host needs at least {need_cores} processor cores and {need_gb} of memory."),
        mark("The host needs processor cores and memory for its cards."),
    ),
    ReasonCode.HOST_BELOW_MINIMUM: (
        mark("{system} takes at most {limit_cores} processor cores, {need_cores} are the minimum for these cards."),
        mark("{system} takes at most {limit_gb} of host memory, {need_gb} are the minimum for these cards."),
        mark("The machine's host is smaller than the minimum for these cards."),
    ),
    ReasonCode.HOST_MEMORY_NEED: (
        mark(
            "Beside that, {workload} keeps {need_bytes} to {cautious_bytes} in host memory, ordered with the machine."
        ),
        mark("Beside that, the runs keep data in host memory, which is ordered with the machine."),
    ),
    ReasonCode.POWER_OF_CARDS_ALONE: (
        mark("Power and energy are those of the cards alone: no figure for {system} without cards is known."),
        mark("Power and energy are those of the cards alone: no figure for the machine without cards is known."),
    ),
    ReasonCode.SHARED_MEMORY: (
        mark(
            "{system} has one memory of {usable_bytes} for processor and graphics: the operating system and the data "
            "loader take their share from it, which the sizing leaves to the headroom."
        ),
        mark("Processor and graphics share one memory; the operating system takes its share from it."),
    ),
    ReasonCode.SHARDED_IN_ISLANDS: (
        mark(
            "Sharded over groups of {group_cards} that NVLink joins, which train as replicas: each card receives "
            "{link_bytes} per step, at least {link_s} over the links."
        ),
        mark("Sharded over groups of cards that NVLink joins, which train as replicas."),
    ),
    ReasonCode.TENSOR_PARALLEL: (
        mark(
            "Every layer is split over {cards} that NVLink joins: each card receives {link_bytes} per step, at least "
            "{link_s} over the link. The training software must offer tensor parallelism."
        ),
        mark("Every layer is split over several cards. The training software must offer tensor parallelism."),
    ),
}
