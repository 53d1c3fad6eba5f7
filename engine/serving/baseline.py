"""What a million output tokens would cost elsewhere: cards by the hour, or somebody's inference API."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from engine.cost.exact import exact
from engine.cost.exchange import factor
from engine.cost.types import RentalOffer, RentalTerm
from engine.facts import Facts
from engine.figures import Source
from engine.hardware import Card
from engine.plan.types import ServingPlacement
from engine.units import Money, round_money
from engine.workload import Scenario

MILLION = Decimal(1_000_000)


class BaselineKind(StrEnum):
    """Where the tokens would come from."""

    RENT = "rent"  # the same cards by the hour, for the hours they must be there
    API = "api"  # a price entered by the customer


@dataclass(frozen=True, slots=True)
class TokenBaseline:
    """A dated price of a million output tokens. `source` is None for an entered one."""

    kind: BaselineKind
    provider: str
    per_million: Money
    as_of: str
    source: Source | None


def baselines(placement: ServingPlacement, card: Card, scenario: Scenario, facts: Facts) -> tuple[TokenBaseline, ...]:
    """The cheapest published rent of the card and the customer's own API price, as far as there are any."""
    found = [rented(placement, card, scenario, facts), entered(placement)]
    return tuple(entry for entry in found if entry is not None)


def entered(placement: ServingPlacement) -> TokenBaseline | None:
    """The API price of the consultation."""
    workload = placement.workload
    if workload.api_price is None:
        return None
    return TokenBaseline(BaselineKind.API, "", workload.api_price, workload.api_price_as_of, None)


def rented(placement: ServingPlacement, card: Card, scenario: Scenario, facts: Facts) -> TokenBaseline | None:
    """Card hours of a month at the cheapest on-demand price of this very edition, over the month's tokens.

    None without such an offer, without a rate to the scenario's currency or without a stated number of tokens.
    """
    tokens = placement.tokens_per_month
    if tokens is None or tokens.expected <= 0:
        return None
    priced: list[tuple[Decimal, RentalOffer]] = []
    for offer in facts.rental_offers:
        if offer.superseded or offer.term is not RentalTerm.ON_DEMAND or offer.card_ids != (card.id,):
            continue
        rate = factor(offer.currency, scenario.currency, facts.rates, scenario.as_of)
        if rate is not None:
            priced.append((offer.middle * rate[0], offer))
    if not priced:
        return None
    per_hour, offer = min(priced, key=lambda entry: (entry[0], entry[1].id))
    hours = exact(placement.hours_per_month.expected) * placement.cards
    per_million = round_money(per_hour * hours * MILLION / exact(tokens.expected))
    return TokenBaseline(
        BaselineKind.RENT, offer.provider, Money(per_million, scenario.currency), offer.as_of, offer.source
    )
