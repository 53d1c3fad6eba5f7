"""The inference advice of a published German buyer's guide, recomputed.

It names the L40S or the RTX 4090 for batches, the H200 for latency and the L4 at the edge.

Every card is computed by the formula alone, without scaling from measurements, so that cards compare like with like.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum

from engine.cost.exchange import factor
from engine.cost.types import RentalTerm
from engine.facts import Facts
from engine.fit import CARRIED
from engine.hardware import Availability, Card, CardForm
from engine.pricing import guide_price
from engine.serving.facts import ServingFacts
from engine.serving.place import ServingHost, serve_on
from engine.serving.speed import ServeSpeed
from engine.serving.types import Lengths, LoadKind, ServeLoad, ServeSetup, WeightFormat
from engine.workload import ServingWorkload

LENGTHS = Lengths(1000, 4000, 500, 1000)
_ONE_NIGHT = ServeLoad(LoadKind.BATCH, requests_per_night=1, night_h=24.0)
_EDGE_USERS = ServeLoad(LoadKind.USERS, users=4)
_SINGLE_CARDS = frozenset({CardForm.PCIE})  # what can be bought one by one and put into any machine


class Claim(StrEnum):
    """What the guide says."""

    BATCH_LARGE = "batch-large"  # L40S: 48 GB make it the efficient card where 24 GB are not enough
    BATCH_SMALL = "batch-small"  # RTX 4090: most for the money where the model fits 24 GB
    LATENCY = "latency"  # H200: the fastest tokens for one user
    EDGE = "edge"  # L4: the cheap way to a small model at the edge


@dataclass(frozen=True, slots=True)
class CardFigures:
    """One card at a claim's job. None: no price or no offer of this edition."""

    card: Card
    tokens_per_s: float  # full batch, or of one user for latency
    price: float | None  # guide price, net
    rent_per_h: float | None
    per_price: float | None  # tokens/s per 1,000 of the currency
    rent_per_million: float | None  # of output tokens
    for_sale: bool  # not at its end of life


@dataclass(frozen=True, slots=True)
class Finding:
    """A claim against today's facts: the named card, the best one, and whether the claim still holds."""

    claim: Claim
    model: str
    weights: WeightFormat
    named: CardFigures | None  # None: it no longer holds the job
    best_to_buy: CardFigures | None
    best_to_rent: CardFigures | None
    holds_to_buy: bool | None  # None: no price of the named card to compare
    holds_to_rent: bool | None
    cards: tuple[CardFigures, ...]


@dataclass(frozen=True, slots=True)
class _Job:
    claim: Claim
    card_ids: tuple[str, ...]
    model: str
    weights: WeightFormat
    load: ServeLoad


_JOBS = (
    _Job(Claim.BATCH_LARGE, ("l40s",), "qwen3-32b", WeightFormat.FP8, _ONE_NIGHT),
    _Job(Claim.BATCH_SMALL, ("rtx_4090",), "llama-3.1-8b", WeightFormat.FP8, _ONE_NIGHT),
    _Job(Claim.LATENCY, ("h200_nvl", "h200_sxm"), "llama-3.3-70b", WeightFormat.FP8, _ONE_NIGHT),
    _Job(Claim.EDGE, ("l4",), "llama-3.1-8b", WeightFormat.FP8, _EDGE_USERS),
)


def recompute(facts: Facts, currency: str, as_of: date) -> tuple[Finding, ...]:
    """Every claim on every card that carries its job, at the catalogue's facts and prices of a day."""
    formula = replace(facts.serving, anchors={})
    return tuple(_finding(job, facts, formula, currency, as_of) for job in _JOBS)


def _finding(job: _Job, facts: Facts, formula: ServingFacts, currency: str, as_of: date) -> Finding:
    rows = [
        figures
        for card in sorted(facts.cards.values(), key=lambda card: card.id)
        if (figures := _figures(job, card, facts, formula, currency, as_of)) is not None
    ]
    named_rows = [row for row in rows if row.card.id in job.card_ids]
    named = max(named_rows, key=lambda row: row.tokens_per_s, default=None)
    if job.claim is Claim.LATENCY:
        best = max(rows, key=lambda row: row.tokens_per_s, default=None)
        single = [row for row in rows if row.card.form in _SINGLE_CARDS]
        buyable = max(single, key=lambda row: row.tokens_per_s, default=None)
        holds = named is not None and buyable is not None and buyable.card.id in job.card_ids
        fastest = named is not None and best is not None and best.card.id in job.card_ids
        return Finding(job.claim, job.model, job.weights, named, buyable, best, holds, fastest, tuple(rows))
    to_buy = [row for row in rows if row.for_sale and row.card.form in _SINGLE_CARDS and row.price is not None]
    to_rent = [row for row in rows if row.rent_per_h is not None]
    if job.claim is Claim.EDGE:
        bought = min(to_buy, key=lambda row: row.price or 0.0, default=None)
        rent = min(to_rent, key=lambda row: row.rent_per_h or 0.0, default=None)
    else:
        bought = max(to_buy, key=lambda row: row.per_price or 0.0, default=None)
        rent = min(to_rent, key=lambda row: row.rent_per_million or 0.0, default=None)
    return Finding(
        job.claim,
        job.model,
        job.weights,
        named,
        bought,
        rent,
        _holds(named, bought, job, lambda row: row.for_sale and row.price is not None),
        _holds(named, rent, job, lambda row: row.rent_per_h is not None),
        tuple(rows),
    )


def _holds(
    named: CardFigures | None, best: CardFigures | None, job: _Job, comparable: Callable[[CardFigures], bool]
) -> bool | None:
    """Whether the named card is the best; None when it has no price of the kind, so nothing can be said."""
    if named is None:
        return False
    if not comparable(named):
        return False if not named.for_sale and named.price is not None else None
    return best is not None and best.card.id in job.card_ids


def _figures(
    job: _Job, card: Card, facts: Facts, formula: ServingFacts, currency: str, as_of: date
) -> CardFigures | None:
    model = facts.models.get(job.model)
    if model is None or card.availability is Availability.PRELIMINARY:
        return None
    setup = ServeSetup(model, LENGTHS, job.load, job.weights)
    placed = serve_on(ServingWorkload(job.claim.value, setup), ServingHost(card, 1), 0.0, formula)
    if placed.verdict not in CARRIED or placed.speed is None:
        return None
    rate = _rate(job, placed.speed)
    guide = guide_price(card.id, facts, currency, as_of, {})
    price = None if guide.net is None else float(guide.net.amount)
    rent = cheapest_hour(card, facts, currency, as_of)
    return CardFigures(
        card=card,
        tokens_per_s=rate,
        price=price,
        rent_per_h=rent,
        per_price=None if not price else rate / price * 1000,
        rent_per_million=None if rent is None else rent / 3600 / rate * 1_000_000,
        for_sale=card.availability is Availability.CURRENT,
    )


def _rate(job: _Job, speed: ServeSpeed) -> float:
    return (speed.one_user if job.claim is Claim.LATENCY else speed.full).tokens_per_s.expected


def cheapest_hour(card: Card, facts: Facts, currency: str, as_of: date) -> float | None:
    """The cheapest published on-demand price of exactly this edition, per card and hour."""
    prices: Sequence[float] = [
        float(offer.middle * rate[0])
        for offer in facts.rental_offers
        if not offer.superseded and offer.term is RentalTerm.ON_DEMAND and offer.card_ids == (card.id,)
        if (rate := factor(offer.currency, currency, facts.rates, as_of)) is not None
    ]
    return min(prices, default=None)
