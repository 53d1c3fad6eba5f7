"""Buy, rent or neither, in words: the verdict and its grounds."""

from __future__ import annotations

from decimal import Decimal

from engine.cost.decision import DecisionCode, DecisionReason, DecisionVerdict
from engine.units import Money
from engine.wording import numbers
from engine.wording.translator import Language, Translator, mark

VERDICTS: dict[DecisionVerdict, str] = {
    DecisionVerdict.BUY: mark("Buying is the better answer."),
    DecisionVerdict.RENT: mark("Renting is the better answer."),
    DecisionVerdict.API: mark("A fine-tuning service is the better answer."),
    DecisionVerdict.DO_NOT_TRAIN: mark("Training is not the answer here."),
    DecisionVerdict.UNDECIDED: mark("The figures do not decide between the sides."),
}

SIDES: dict[str, str] = {
    DecisionVerdict.BUY.value: mark("buying"),
    DecisionVerdict.RENT.value: mark("renting"),
    DecisionVerdict.API.value: mark("a fine-tuning service"),
}

MESSAGES: dict[DecisionCode, str] = {
    DecisionCode.NO_LOAD: mark("Nothing is planned to run."),
    DecisionCode.NO_OWN_WEIGHTS_NEEDED: mark("No weights of one's own are needed; a model behind an API would do."),
    DecisionCode.VALUE_BELOW_COST: mark("A checkpoint is worth {value}; the cheapest way to one costs {cost}."),
    DecisionCode.NO_TIME: mark("No step time can be computed for this card, so the work of a year is unknown."),
    DecisionCode.NOTHING_FITS_HERE: mark("No machine carries these workloads under the rules of this place."),
    DecisionCode.PRICE_STAND_IN: mark(
        "Part of the purchase price is that of a related item, because none is published."
    ),
    DecisionCode.PRICE_ON_REQUEST: mark("The machine has no complete price yet; enter it to compare."),
    DecisionCode.DATA_STAYS_IN_HOUSE: mark("The data must stay in the house, so renting and services are not open."),
    DecisionCode.ASSUMES_DATA_MAY_LEAVE: mark("This assumes that the data may leave the house; clarify that first."),
    DecisionCode.NO_OFFER_HOLDS_THE_JOB: mark("No offer in the catalogue holds this job."),
    DecisionCode.CHEAPEST_SIDE: mark("Per year, {side} costs {first}, {other} {second}."),
    DecisionCode.WITHIN_MARGIN: mark(
        "The two cheapest sides cost {first} and {second} per year: closer than the margin of {margin}."
    ),
    DecisionCode.FLIPS_IN_RANGE: mark(
        "The rent for the same work lies between {low} and {high} per year, and within that range the order turns."
    ),
    DecisionCode.BREAK_EVEN: mark("Buying pays from {hours_per_year} useful hours a year ({utilisation} utilisation)."),
    DecisionCode.BREAK_EVEN_ABOVE_FULL_USE: mark(
        "Buying would pay only from {hours_per_year} useful hours a year, more than a year has."
    ),
    DecisionCode.BREAK_EVEN_NEVER: mark("At this rent, buying never pays: an owned hour alone costs more."),
    DecisionCode.PAYBACK_BEYOND_LIFE: mark(
        "The purchase pays for itself only after {months} months, which is beyond the useful life."
    ),
    DecisionCode.OFFERS_CHEAPER: mark(
        "{cheaper} of {offers} offers weighed undercut owning; the middle one costs {median_per_year} per year."
    ),
    DecisionCode.EXPIRED_PRICES: mark("All rental prices for this job are older than the limit; ask for current ones."),
    DecisionCode.INTERRUPTIBLE_CHEAPER: mark(
        "Cheaper only with offers that may be interrupted: {per_year} against {own} per year."
    ),
    DecisionCode.NO_SPEED_FOR_SOME: mark("Offers left out for want of a step time: {offers}."),
    DecisionCode.SERVED_ON_OWN_CARD: mark(
        "Offers of other cards left out: {offers}. Serving is compared on the card of this system alone."
    ),
    DecisionCode.SERVICE_SERVES_NOBODY: mark(
        "Fine-tuning services are left out: they would do the training, not the serving."
    ),
    DecisionCode.LOAD_ABOVE_MONTH: mark("The planned load is more than the machine's hours."),
}

_AMOUNTS = frozenset({"value", "cost", "low", "high", "first", "second", "per_year", "own", "median_per_year"})
_SHARES = frozenset({"margin", "utilisation"})


def verdict_sentence(verdict: DecisionVerdict, tr: Translator) -> str:
    """The verdict as a sentence."""
    return tr.gettext(VERDICTS[verdict])


def decision_sentence(ground: DecisionReason, currency: str, tr: Translator, language: Language) -> str:
    """One ground as a sentence; amounts are in `currency`."""
    values = {key: _shown(key, value, currency, tr, language) for key, value in ground.values}
    return tr.gettext(MESSAGES[ground.code]).format(**values)


def _shown(key: str, value: str | int | Decimal, currency: str, tr: Translator, language: Language) -> str:
    if isinstance(value, str):
        return tr.gettext(SIDES.get(value, value))
    if key in _AMOUNTS:
        return numbers.money_whole(Money(Decimal(value), currency), language)
    if key in _SHARES:
        return numbers.percent(value, language)
    if isinstance(value, int):
        return numbers.integer(value, language)
    return numbers.significant(value, language)
