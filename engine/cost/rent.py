"""Rent or buy: every offer that holds the job, the services, the verdict, and what moves it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum

from engine.cost.decision import Decision, decide
from engine.cost.offers import (
    OfferComparison,
    OwnFigures,
    OwnMachine,
    RentalMatch,
    compare_offer,
    own_figures,
)
from engine.cost.services import ApiComparison, ApiJob, compare_apis
from engine.cost.types import CostAssumptions, FineTuningApi, OwnershipAnswers, RentalOffer
from engine.prices import DEFAULT_LIMITS, AgeLimits, ExchangeRate


class LeftOutCode(StrEnum):
    """Why an offer is not compared, beside the planner's own reasons. The value is stable and public."""

    SUPERSEDED = "superseded"
    NO_RATE = "no-rate"  # no exchange rate
    UNKNOWN_CARD = "unknown-card"  # the card is not in the catalogue
    NO_SPEED = "no-speed"  # no step time for the card
    SERVES_ON_OWN_CARD = "serves-on-own-card"  # a served model is compared on the plan's own card alone
    TOO_SLOW = "too-slow"  # a single run takes longer than a month


@dataclass(frozen=True, slots=True)
class LeftOut:
    """An offer that is not compared, and why: nothing is dropped silently."""

    offer: RentalOffer
    why: str  # value of a LeftOutCode or of the planner's ReasonCode


@dataclass(frozen=True, slots=True)
class RentOrBuy:
    """The comparison. `offers` cheapest year first; `own` None without a machine or without its complete price."""

    own: OwnFigures | None
    offers: tuple[OfferComparison, ...]
    left_out: tuple[LeftOut, ...]
    apis: tuple[ApiComparison, ...]
    decision: Decision

    def shown(self, count: int) -> tuple[OfferComparison, ...]:
        """The offer the decision weighs, then the cheapest others, `count` in all.

        The weighed one is seldom the cheapest: offers that may be interrupted or whose price has expired are not
        weighed while there are others.
        """
        weighed = self.decision.best_offer
        if weighed is None:
            return self.offers[:count]
        return (weighed, *[offer for offer in self.offers if offer != weighed])[:count]


Matcher = Callable[[RentalOffer], "RentalMatch | str"]
"""Says how an offer would hold the job, or why it does not."""


def rent_or_buy(
    own: OwnMachine | None,
    useful_hours_per_year: Decimal,
    offers: Iterable[RentalOffer],
    match: Matcher,
    assumptions: CostAssumptions,
    rates: Sequence[ExchangeRate],
    as_of: date,
    *,
    jobs: Sequence[ApiJob] = (),
    apis: Iterable[FineTuningApi] = (),
    serves: bool = False,
    answers: OwnershipAnswers | None = None,
    checkpoints_per_year: Decimal = Decimal(0),
    ownable: bool = True,
    stand_ins: bool = False,
    overloaded: bool = False,
    limits: AgeLimits = DEFAULT_LIMITS,
) -> RentOrBuy:
    """Compare owning with renting and with services, and decide.

    A service trains and serves nobody: where the machine also `serves`, no service does its work, and none is compared.
    Without a complete price of the owned machine the rents are still listed. Raises InvalidInputError for foreign
    currencies without a rate and for figures outside their range.
    """
    given = OwnershipAnswers() if answers is None else answers
    figures = own_figures(own, assumptions) if own is not None else None
    compared: list[OfferComparison] = []
    left_out: list[LeftOut] = []
    for offer in offers:
        outcome = LeftOutCode.SUPERSEDED if offer.superseded else match(offer)
        if isinstance(outcome, str):
            left_out.append(LeftOut(offer, str(outcome)))
            continue
        comparison = compare_offer(
            figures,
            offer,
            outcome,
            assumptions,
            rates,
            as_of,
            useful_hours_per_year=useful_hours_per_year,
            limits=limits,
        )
        if comparison is None:
            left_out.append(LeftOut(offer, LeftOutCode.NO_RATE))
        else:
            compared.append(comparison)
    compared.sort(key=lambda entry: (entry.rent_per_year.expected.amount, entry.offer.id))
    services = () if serves else compare_apis(jobs, apis, given.api_prices, assumptions.currency, rates, as_of)
    return RentOrBuy(
        own=figures,
        offers=tuple(compared),
        left_out=tuple(left_out),
        apis=services,
        decision=decide(
            figures,
            compared,
            services,
            given,
            assumptions,
            useful_hours_per_year=useful_hours_per_year,
            checkpoints_per_year=checkpoints_per_year,
            ownable=ownable,
            stand_ins=stand_ins,
            overloaded=overloaded,
            without_speed=sum(entry.why == LeftOutCode.NO_SPEED for entry in left_out),
            other_cards=sum(entry.why == LeftOutCode.SERVES_ON_OWN_CARD for entry in left_out),
            serves=serves and bool(jobs),
        ),
    )
