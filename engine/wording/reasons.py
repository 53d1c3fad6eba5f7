"""One sentence for every reason: what is missing, in its unit, and what would help.

Each code has messages from the richest to the barest; the first whose numbers the reason carries is taken.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.reasons import MemoryHelp, Reason, ReasonCode
from engine.wording.filling import Reader, fill
from engine.wording.memory_reasons import MEMORY_MESSAGES
from engine.wording.ordering_reasons import ORDERING_MESSAGES
from engine.wording.planning_reasons import PLANNING_MESSAGES
from engine.wording.serving_reasons import SERVING_MESSAGES
from engine.wording.translator import Language, Translator, mark

MESSAGES: dict[ReasonCode, tuple[str, ...]] = {
    ReasonCode.MEMORY: MEMORY_MESSAGES[MemoryHelp.ALL],
    ReasonCode.HEADROOM: (
        mark(
            "Fits with {free_bytes} free, less than the {headroom} headroom asked for. A smaller micro-batch or one "
            "more card would help."
        ),
        mark("Fits, but with less headroom than asked for. A smaller micro-batch or one more card would help."),
    ),
    ReasonCode.NO_SHARDING_ON_MIG: (
        mark(
            "Needs {need_bytes}, a {profile} instance has {usable_bytes}; several instances cannot join in one run, "
            "because NCCL does not support MIG."
        ),
        mark("A MIG instance cannot take part in a run over several cards: NCCL does not support MIG."),
    ),
    ReasonCode.PASSIVE_CARD_AT_DESK: (
        mark(
            "The card is passively cooled and needs the airflow of a server listed for it. At the desk, an actively "
            "cooled edition would do."
        ),
    ),
    ReasonCode.NOT_LISTED: (
        mark("{system} is not listed for {card}. Another machine or another edition would help."),
        mark("The machine is not listed for this card. Another machine or another edition would help."),
    ),
    ReasonCode.COUNT_NOT_LISTED: (
        mark("{system} is listed for at most {limit_cards} of this kind, {need_cards} would be needed."),
        mark("The machine is listed for at most {limit_cards} of this kind."),
        mark("The machine is not listed for this number of cards."),
    ),
    ReasonCode.CIRCUIT_POWER: (
        mark(
            "Draws {need_w} under load, the circuit gives {limit_w}: {missing_w} short. A second circuit or an edition "
            "with less power would help."
        ),
        mark("Draws more power under load than the circuit gives. A second circuit would help."),
    ),
    ReasonCode.PSU_POWER: (
        mark(
            "Needs {need_w} from the power supplies, {limit_w} are usable: {missing_w} short. Fewer cards, a lower "
            "power limit or larger supplies would help."
        ),
        mark("The power supplies cannot feed this many cards. Fewer cards or larger supplies would help."),
    ),
    ReasonCode.COOLING: (
        mark(
            "Gives off {need_w} of heat, the room carries away {limit_w}: {missing_w} short. More cooling or a lower "
            "power limit would help."
        ),
        mark("Gives off more heat than the room or the machine carries away."),
    ),
    ReasonCode.SLOTS: (
        mark("Needs {need_slots} double-width slots, {limit_slots} are there."),
        mark("There are not enough double-width slots."),
    ),
    ReasonCode.RACK_UNITS: (
        mark("Takes {need_units} in the rack, {limit_units} are free."),
        mark("There are not enough free rack units."),
    ),
    ReasonCode.NOISE: (
        mark("Makes {need_db_a} of noise, the limit is {limit_db_a}. A Max-Q workstation or a rack would help."),
        mark("Louder than the limit for this place. A rack in another room would help."),
    ),
    ReasonCode.RACK_MACHINE_AT_DESK: (
        mark("{system} is a rack machine and no choice for a desk. A workstation would do."),
        mark("A rack machine is no choice for a desk. A workstation would do."),
    ),
    ReasonCode.DESK_MACHINE_IN_RACK: (
        mark("{system} cannot be mounted in a rack. A rack server would do."),
        mark("A tower cannot be mounted in a rack. A rack server would do."),
    ),
    ReasonCode.BRIDGE_LIMIT: (
        mark("A bridge joins at most {limit_cards}, {need_cards} would have to be joined."),
        mark("A bridge joins fewer cards than the run needs at once."),
    ),
    ReasonCode.HOST_MEMORY: (
        mark(
            "Needs {need_bytes} of host memory, the machine takes {limit_bytes}: {missing_bytes} short. 8-bit Adam or "
            "a machine with more memory would help."
        ),
        mark("Needs {need_gb} of host memory for this many cards, the machine takes {limit_gb}."),
        mark("The machine's host memory is too small for the offload. 8-bit Adam would help."),
    ),
    ReasonCode.MUST_HAVE: (
        mark("The must-have {feature} is missing on this card."),
        mark("A must-have is missing on this card."),
    ),
    ReasonCode.MUST_HAVE_UNSTATED: (
        mark("No document of {system} names the must-have {feature} for this card."),
        mark("No published statement was found on whether this card has the must-have {feature}."),
        mark("No published statement was found on whether this card has a must-have."),
    ),
    ReasonCode.METHOD_UNSUPPORTED: (
        mark("{method} is not supported on this card by the libraries this sizing assumes."),
        mark("The method is not supported on this card by the libraries this sizing assumes."),
    ),
    ReasonCode.NO_MULTI_CARD_EVIDENCE: (
        mark("There is no published evidence that runs over several of these cards work."),
    ),
    ReasonCode.END_OF_LIFE: (mark("The card is at the end of its life and no longer recommended for new systems."),),
    ReasonCode.PRELIMINARY: (mark("The figures of this card are preliminary; it is not recommended yet."),),
    ReasonCode.NO_SYSTEM: (
        mark("No machine in the catalogue carries {cards} of this kind at this place."),
        mark("No machine in the catalogue carries this card at this place."),
    ),
    ReasonCode.MISSING_FIGURE: (
        mark("Cannot be judged, since a figure is not published: {figure}."),
        mark("Cannot be judged: a figure is missing in the catalogue."),
    ),
    ReasonCode.BUDGET: (
        mark("Costs {need_amount} net, the budget is {limit_amount}."),
        mark("Costs more than the budget."),
    ),
    ReasonCode.BUDGET_UNPROVEN: (
        mark("No price is known for its cards, so it cannot be held to the budget of {limit_amount}."),
        mark("No price is known for its cards, so it cannot be held to the budget."),
    ),
    ReasonCode.LOAD: (
        mark("The runs need {need_h} a month, {limit_h} are there. More cards, or a faster card, would help."),
        mark("The month has too few hours for these runs. More cards, or a faster card, would help."),
    ),
    ReasonCode.DEADLINE: (
        mark("A run may take {need_h}, it has to be done in {limit_h}. More cards, or a faster card, would help."),
        mark("A run may not be done in time. More cards, or a faster card, would help."),
    ),
    ReasonCode.RUNS_AT_ONCE: (
        mark("{need_runs} runs are to train at once, there is room for {limit_runs}. More cards or MIG would help."),
        mark("Fewer runs can train at once than asked for. More cards or MIG would help."),
    ),
    ReasonCode.CHEAPEST: (
        mark("Lowest purchase price of all systems that hold every task as safely: {price_amount} net."),
        mark("Lowest purchase price of all systems that hold every task as safely."),
    ),
    ReasonCode.FASTEST: (
        mark("Shortest time of all systems that hold every task as safely: {need_h} a month."),
        mark("Shortest time of all systems that hold every task as safely."),
    ),
    ReasonCode.LOWEST_COST_PER_RUN: (
        mark("Lowest cost per run of all systems that hold every task as safely: {run_amount} on average."),
        mark("Lowest cost per run of all systems that hold every task as safely."),
    ),
    ReasonCode.HOLDS_WITHOUT_SHARDING: (
        mark("One card holds the whole run with {free_bytes} free; nothing has to be sharded."),
        mark("One card holds the whole run; nothing has to be sharded."),
    ),
    ReasonCode.SHARDED: (
        mark("Sharded over {cards}: each card receives {link_bytes} per step, at least {link_s} over the link."),
        mark("Sharded over {cards} with FSDP."),
        mark("Sharded over several cards."),
    ),
    ReasonCode.CHEAPER_BUT_SLOWER: (
        mark(
            "{other} is {saving_amount} cheaper, but a step takes {other_step_s} instead of {step_s}, and the memory "
            "may not suffice: up to {need_bytes} of {usable_bytes}."
        ),
        mark(
            "{other} is {saving_amount} cheaper, but the month's runs take {other_need_h} instead of {need_h}, and the "
            "memory may not suffice: up to {need_bytes} of {usable_bytes}."
        ),
        mark(
            "{other} is cheaper, but a step takes {other_step_s} instead of {step_s}, and the memory may not suffice: "
            "up to {need_bytes} of {usable_bytes}."
        ),
        mark("{other} is {saving_amount} cheaper, but a step takes {other_step_s} instead of {step_s}."),
        mark("{other} is {saving_amount} cheaper, but the month's runs take {other_need_h} instead of {need_h}."),
        mark("{other} is cheaper, but a step takes {other_step_s} instead of {step_s}."),
        mark("A cheaper system holds the runs too, but takes longer."),
    ),
    ReasonCode.DEARER_BUT_FASTER: (
        mark("{other} costs {extra_amount} more; a step takes {other_step_s} instead of {step_s}."),
        mark("{other} costs {extra_amount} more; the month's runs take {other_need_h} instead of {need_h}."),
        mark("{other} costs more; a step takes {other_step_s} instead of {step_s}."),
        mark("A dearer system takes less time."),
    ),
    ReasonCode.DEARER_AND_SLOWER: (
        mark("{other} costs {extra_amount} more, and a step takes {other_step_s} instead of {step_s}."),
        mark("{other} costs {extra_amount} more, and the month's runs take {other_need_h} instead of {need_h}."),
        mark("{other} costs more, and a step takes {other_step_s} instead of {step_s}."),
        mark("Dearer, and takes longer."),
    ),
    ReasonCode.PRICE_NOT_COMPARABLE: (
        mark("{item} has no price on any side and was left out when the systems were ordered by price."),
        mark("What has no price on any side was left out when the systems were ordered by price."),
    ),
    ReasonCode.NOT_CHECKED: (
        mark("Not checked for want of a published figure: {figure}."),
        mark("A limit could not be checked for want of a published figure."),
    ),
    ReasonCode.HOST_MEMORY_CAUTION: (
        mark(
            "Host memory of {limit_bytes} holds the least the offload needs; the cautious figure is {need_bytes}. "
            "More host memory is recommended."
        ),
        mark("Host memory holds the least the offload needs, not the cautious figure. More is recommended."),
    ),
    ReasonCode.ISLANDS: (
        mark("The bridges form {islands} NVLink islands of {island_cards} each, with PCIe between them."),
        mark("The bridges form several NVLink islands with PCIe between them."),
    ),
    ReasonCode.POWER_CAPPED: (
        mark("{system} runs this card at {cap_w} instead of {card_w}; the step time is computed with that."),
        mark("The machine runs this card at {cap_w} instead of {card_w}."),
        mark("The machine runs this card below its full power."),
    ),
    ReasonCode.MIG_INSTANCES: (
        mark("Each card is divided into {instances} ({profile}); every instance carries one run of its own."),
        mark("The card is divided into MIG instances; every instance carries one run of its own."),
    ),
    ReasonCode.PRICE_ON_REQUEST: (
        mark("No price is published for {item}; it is offered on request and not counted in the sum."),
        mark("At least one position has no published price; it is offered on request and not counted in the sum."),
    ),
    ReasonCode.PRICE_STAND_IN: (
        mark("{item} has no published price; for the ranking alone the price of {stand_in} was used."),
        mark("For the ranking alone, the price of a related item was used where none is published."),
    ),
    ReasonCode.ASSUMED_SYSTEM: (
        mark("{system} is built to order; its figures are the seller's assumptions and are confirmed with the quote."),
        mark("The machine is built to order; its figures are assumptions and are confirmed with the quote."),
    ),
    ReasonCode.UTILISATION: (
        mark("The cards are in use for {utilisation} of the month."),
        mark("The cards are in use for part of the month."),
    ),
    **SERVING_MESSAGES,
    **PLANNING_MESSAGES,
    ReasonCode.ALTERNATIVE: (
        mark("{other} costs {even_amount} more and takes as long."),
        mark("{other} would be an alternative."),
        mark("An alternative to the recommended system."),
    ),
}


def sentence(reason: Reason, tr: Translator, language: Language | str, names: Mapping[str, str] | None = None) -> str:
    """Say a reason in the reader's language.

    `names` turns catalogue ids among the reason's values into what people call them. A `workload` among the values
    is named in front, unless the message itself names it. Where `stand_ins` among the values says that an amount rests
    on prices that only order systems, the sentence says so.
    """
    reader = Reader(tr, Language(language), names or {})
    values = dict(reason.values)
    messages = MESSAGES[reason.code]
    if values.get("stand_ins"):
        messages = ORDERING_MESSAGES.get(reason.code, messages)
    if reason.code is ReasonCode.MEMORY and "helps" in values:
        messages = MEMORY_MESSAGES[MemoryHelp(str(values["helps"]))]
    text = fill(messages, values, reader)
    workload = values.get("workload")
    return of_task(str(workload), text, tr) if workload else text


def of_task(task: str, text: str, tr: Translator) -> str:
    """A sentence with the task it is about in front."""
    return tr.gettext("{workload}: {sentence}").format(workload=task, sentence=text)


def task_sentence(
    reason: Reason, task: str, tr: Translator, language: Language | str, names: Mapping[str, str] | None = None
) -> str:
    """Say a reason that one task has, with the task's name in front exactly once."""
    text = sentence(reason, tr, language, names)
    return text if dict(reason.values).get("workload") else of_task(task, text, tr)
