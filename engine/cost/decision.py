"""Buy, rent, use a service, or do not train: the verdict and its reasons as codes with numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from engine.cost.break_even import BreakEven, BreakEvenStatus, PaybackStatus
from engine.cost.offers import OfferComparison, OwnFigures, median_rent_per_year
from engine.cost.services import ApiComparison
from engine.cost.types import CostAssumptions, OwnershipAnswers
from engine.errors import InvalidInputError
from engine.prices import PriceAge
from engine.units import Money


class DecisionVerdict(StrEnum):
    """The answer. The value is stable and public (`rent-or-buy --json`)."""

    BUY = "buy"
    RENT = "rent"
    API = "api"
    DO_NOT_TRAIN = "do-not-train"
    UNDECIDED = "undecided"


class DecisionCode(StrEnum):
    """Every ground of a verdict. The value is stable and public."""

    NO_LOAD = "no-load"  # nothing is planned to run
    NO_OWN_WEIGHTS_NEEDED = "no-own-weights-needed"  # somebody's model behind an API would do
    VALUE_BELOW_COST = "value-below-cost"  # a checkpoint is worth less than the cheapest way to it
    NO_TIME = "no-time"  # no step time for the machine's card: the work of a year is unknown
    NOTHING_FITS_HERE = "nothing-fits-here"  # no machine carries the workloads under the rules of the place
    PRICE_STAND_IN = "price-stand-in"  # part of the price is a sibling's
    PRICE_ON_REQUEST = "price-on-request"  # the machine has no complete price
    DATA_STAYS_IN_HOUSE = "data-stays-in-house"  # neither renting nor a service is open
    ASSUMES_DATA_MAY_LEAVE = "assumes-data-may-leave"  # not asked: clarify before renting or using a service
    NO_OFFER_HOLDS_THE_JOB = "no-offer-holds-the-job"
    CHEAPEST_SIDE = "cheapest-side"
    WITHIN_MARGIN = "within-margin"  # the difference is smaller than the decision margin
    FLIPS_IN_RANGE = "flips-in-range"  # at one end of the rent's range the other side is cheaper
    BREAK_EVEN = "break-even"
    BREAK_EVEN_ABOVE_FULL_USE = "break-even-above-full-use"
    BREAK_EVEN_NEVER = "break-even-never"
    PAYBACK_BEYOND_LIFE = "payback-beyond-life"
    OFFERS_CHEAPER = "offers-cheaper"  # how many of the offers undercut owning
    EXPIRED_PRICES = "expired-prices"  # all offers that hold the job are older than the limit
    INTERRUPTIBLE_CHEAPER = "interruptible-cheaper"  # cheaper only with offers that may be interrupted
    LOAD_ABOVE_MONTH = "load-above-month"  # the planned runs take more hours than the stated utilisation gives
    NO_SPEED_FOR_SOME = "no-speed-for-some"  # offers left out for want of a step time
    SERVED_ON_OWN_CARD = "served-on-own-card"  # offers of other cards left out: serving is compared on the plan's
    SERVICE_SERVES_NOBODY = "service-serves-nobody"  # a fine-tuning service does only the training part of the work


@dataclass(frozen=True, slots=True)
class DecisionReason:
    """A code with its numbers: shares as fractions, amounts in the report's currency."""

    code: DecisionCode
    values: tuple[tuple[str, str | int | Decimal], ...] = ()


@dataclass(frozen=True, slots=True)
class Decision:
    """Verdict, reasons in order of weight, and the three sides per year (None: side not available)."""

    verdict: DecisionVerdict
    reasons: tuple[DecisionReason, ...]
    own_per_year: Money | None
    rent_per_year: Money | None
    api_per_year: Money | None
    best_offer: OfferComparison | None
    best_api: ApiComparison | None


def reason(code: DecisionCode, **values: str | int | Decimal) -> DecisionReason:
    """Build a reason from keyword numbers."""
    return DecisionReason(code, tuple(values.items()))


def dependable(offers: Sequence[OfferComparison], *, allow_interruptible: bool) -> tuple[OfferComparison, ...]:
    """Offers that can carry the planned use, cheapest year first.

    Expired prices, and cards without evidence for their software, only when there are no others.
    """
    usable = [entry for entry in offers if entry.enough_hours and (allow_interruptible or not entry.interruptible)]
    current = [entry for entry in usable if entry.age is not PriceAge.EXPIRED] or usable
    usable = [entry for entry in current if entry.match.proven] or current
    return tuple(sorted(usable, key=lambda entry: (entry.rent_per_year.expected.amount, entry.offer.id)))


def decide(
    own: OwnFigures | None,
    offers: Sequence[OfferComparison],
    apis: Sequence[ApiComparison],
    answers: OwnershipAnswers,
    assumptions: CostAssumptions,
    *,
    useful_hours_per_year: Decimal,
    checkpoints_per_year: Decimal = Decimal(0),
    ownable: bool = True,
    stand_ins: bool = False,
    overloaded: bool = False,
    without_speed: int = 0,
    other_cards: int = 0,
    serves: bool = False,
) -> Decision:
    """Weigh the sides. `own` None: no complete price, or, when not `ownable`, no machine carries the job here.

    Amounts are in the assumptions' currency throughout. Without `checkpoints_per_year` their value is not weighed.
    `stand_ins`: a sibling's price fills a gap of the machine's; `overloaded`: the planned runs exceed the stated use;
    `without_speed`: offers left out for want of a time; `other_cards`: because serving is compared on one card;
    `serves`: services were left out because the machine serves as well.
    """
    usable = dependable(offers, allow_interruptible=answers.allow_spot)
    best = usable[0] if usable else None
    best_api = apis[0] if apis else None
    sides: dict[DecisionVerdict, Decimal] = {}
    if own is not None:
        sides[DecisionVerdict.BUY] = own.per_year
    if best is not None:
        sides[DecisionVerdict.RENT] = best.rent_per_year.expected.amount
    if best_api is not None:
        sides[DecisionVerdict.API] = best_api.per_year.amount
    found = _need(sides, answers, assumptions, useful_hours_per_year, checkpoints_per_year)
    if found is None:
        found = _one_sided(sides, answers, ownable=ownable)
    if found is None:
        found = _cheapest(sides, best, assumptions)
    verdict, reasons = found
    if not ownable:
        reasons.insert(0, reason(DecisionCode.NOTHING_FITS_HERE))
    if verdict in (DecisionVerdict.RENT, DecisionVerdict.API) and answers.data_may_leave is None:
        reasons.append(reason(DecisionCode.ASSUMES_DATA_MAY_LEAVE))
    if own is not None:
        reasons += _about_offers(own, offers, usable, best)
    caveats = (
        (reason(DecisionCode.EXPIRED_PRICES), best is not None and best.age is PriceAge.EXPIRED),
        (reason(DecisionCode.PRICE_STAND_IN), stand_ins and own is not None),
        (reason(DecisionCode.LOAD_ABOVE_MONTH), overloaded),
        (reason(DecisionCode.NO_SPEED_FOR_SOME, offers=without_speed), without_speed > 0),
        (reason(DecisionCode.SERVED_ON_OWN_CARD, offers=other_cards), other_cards > 0),
        (reason(DecisionCode.SERVICE_SERVES_NOBODY), serves),
    )
    reasons += [caveat for caveat, holds in caveats if holds]
    return Decision(
        verdict=verdict,
        reasons=tuple(reasons),
        own_per_year=_money(sides, DecisionVerdict.BUY, assumptions),
        rent_per_year=_money(sides, DecisionVerdict.RENT, assumptions),
        api_per_year=_money(sides, DecisionVerdict.API, assumptions),
        best_offer=best,
        best_api=best_api,
    )


def undecided(code: DecisionCode) -> Decision:
    """A decision that could not be weighed at all."""
    return Decision(DecisionVerdict.UNDECIDED, (reason(code),), None, None, None, None, None)


Found = tuple[DecisionVerdict, list[DecisionReason]]


def _money(sides: dict[DecisionVerdict, Decimal], side: DecisionVerdict, assumptions: CostAssumptions) -> Money | None:
    return Money(sides[side], assumptions.currency).rounded() if side in sides else None


def _need(
    sides: dict[DecisionVerdict, Decimal],
    answers: OwnershipAnswers,
    assumptions: CostAssumptions,
    useful_hours_per_year: Decimal,
    checkpoints_per_year: Decimal,
) -> Found | None:
    """Whether to train at all."""
    if not useful_hours_per_year:
        return DecisionVerdict.DO_NOT_TRAIN, [reason(DecisionCode.NO_LOAD)]
    if answers.needs_own_weights is False:
        return DecisionVerdict.DO_NOT_TRAIN, [reason(DecisionCode.NO_OWN_WEIGHTS_NEEDED)]
    value = answers.checkpoint_value
    if value is None or not checkpoints_per_year or not sides:
        return None
    if value.currency != assumptions.currency:
        raise InvalidInputError(
            "Value of a checkpoint: expected {expected}, got {given}.",
            expected=assumptions.currency,
            given=value.currency,
        )
    cheapest = min(sides.values()) / checkpoints_per_year
    if value.amount >= cheapest:
        return None
    return DecisionVerdict.DO_NOT_TRAIN, [reason(DecisionCode.VALUE_BELOW_COST, value=value.amount, cost=cheapest)]


def _one_sided(sides: dict[DecisionVerdict, Decimal], answers: OwnershipAnswers, *, ownable: bool) -> Found | None:
    """Answers that need no comparison of cost."""
    priced = DecisionVerdict.BUY in sides
    if answers.data_may_leave is False:
        verdict = DecisionVerdict.BUY if ownable else DecisionVerdict.UNDECIDED
        return verdict, [reason(DecisionCode.DATA_STAYS_IN_HOUSE)]
    if ownable and not priced:
        return DecisionVerdict.UNDECIDED, [reason(DecisionCode.PRICE_ON_REQUEST)]
    if not sides or (priced and len(sides) == 1):
        return DecisionVerdict.UNDECIDED, [reason(DecisionCode.NO_OFFER_HOLDS_THE_JOB)]
    if len(sides) == 1:
        only = next(iter(sides))
        return only, []
    return None


def _cheapest(
    sides: dict[DecisionVerdict, Decimal], best: OfferComparison | None, assumptions: CostAssumptions
) -> Found:
    """The cheapest side, unless the next is as cheap within the margin or the rent's range turns the answer."""
    order = sorted(sides, key=lambda side: sides[side])
    first, second = sides[order[0]], sides[order[1]]
    if first * (1 + assumptions.decision_margin) >= second:
        return DecisionVerdict.UNDECIDED, [
            reason(DecisionCode.WITHIN_MARGIN, margin=assumptions.decision_margin, first=first, second=second)
        ]
    if best is not None and _flips(order[0], sides, best):
        return DecisionVerdict.UNDECIDED, [
            reason(
                DecisionCode.FLIPS_IN_RANGE,
                low=best.rent_per_year.low.amount,
                high=best.rent_per_year.high.amount,
                first=first,
                second=second,
            )
        ]
    return order[0], [
        reason(DecisionCode.CHEAPEST_SIDE, side=order[0].value, other=order[1].value, first=first, second=second)
    ]


def _flips(winner: DecisionVerdict, sides: dict[DecisionVerdict, Decimal], best: OfferComparison) -> bool:
    others = [amount for side, amount in sides.items() if side not in (winner, DecisionVerdict.RENT)]
    if winner is DecisionVerdict.RENT:
        return bool(others) and best.rent_per_year.high.amount > min(others)
    return best.rent_per_year.low.amount < sides[winner]


def _about_offers(
    own: OwnFigures,
    offers: Sequence[OfferComparison],
    usable: Sequence[OfferComparison],
    best: OfferComparison | None,
) -> list[DecisionReason]:
    reasons: list[DecisionReason] = []
    if best is not None and best.break_even is not None and best.payback is not None:
        if not best.committed:
            reasons.append(_break_even_reason(best.break_even))
        months = best.payback.months
        if best.payback.status is PaybackStatus.BEYOND_LIFE and months is not None:
            reasons.append(reason(DecisionCode.PAYBACK_BEYOND_LIFE, months=months))
        market = median_rent_per_year(usable)
        if market is not None:
            cheaper = sum(not entry.buying_is_cheaper for entry in usable)
            reasons.append(
                reason(DecisionCode.OFFERS_CHEAPER, cheaper=cheaper, offers=len(usable), median_per_year=market)
            )
    risky = [entry for entry in offers if entry.interruptible and entry not in usable]
    if risky and (best is None or best.buying_is_cheaper):
        cheapest = min(entry.rent_per_year.expected.amount for entry in risky)
        if cheapest < own.per_year:
            reasons.append(reason(DecisionCode.INTERRUPTIBLE_CHEAPER, per_year=cheapest, own=own.per_year))
    return reasons


def _break_even_reason(found: BreakEven) -> DecisionReason:
    if found.hours_per_year is None or found.utilisation is None:
        return reason(DecisionCode.BREAK_EVEN_NEVER)
    reached = found.status is BreakEvenStatus.REACHED
    code = DecisionCode.BREAK_EVEN if reached else DecisionCode.BREAK_EVEN_ABOVE_FULL_USE
    return reason(code, hours_per_year=found.hours_per_year, utilisation=found.utilisation)
