"""The guide price of a catalogue item: one rule for screen, command line and paper.

Order: the consultation's own price, the seller's list, the newest valid price published in the currency, the newest
valid price converted at a dated rate, and after them, in the same order, those whose age has passed the limit. Without
any of them the item is on request; it is never counted as zero.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from decimal import Decimal

from engine.cost.exchange import factor
from engine.facts import Facts
from engine.prices import (
    DEFAULT_LIMITS,
    AgeLimits,
    ExchangeRate,
    GuidePrice,
    Price,
    PriceAge,
    PriceBasis,
    PriceKind,
    VatRate,
)
from engine.units import Money

HUNDRED = Decimal(100)


def guide_price(
    item_id: str,
    facts: Facts,
    currency: str,
    as_of: date,
    overrides: Mapping[str, Money] | None = None,
) -> GuidePrice:
    """The net price of an item in `currency` on `as_of`, and what it rests on.

    `overrides` are net prices of the consultation by item id; one in another currency is converted. When there is no
    price, the sibling named in the facts gives `stand_in_for_ranking`, which only orders plans. The facts carry the
    limits of a price's age.
    """
    own = (overrides or {}).get(item_id)
    if own is not None:
        found = _convert(own.amount, own.currency, currency, facts.rates, as_of)
        if found is not None:
            net, rate = found
            return GuidePrice(item_id, Money(net, currency), PriceBasis.SELLER, PriceAge.FRESH, None, rate)
    for price in _candidates(facts.prices.get(item_id, ()), currency, as_of, facts.age_limits):
        guide = _from_record(price, facts, currency, as_of)
        if guide is not None:
            return guide
    return _on_request(item_id, facts, currency, as_of, overrides)


def first_day(partial: str) -> date | None:
    """First day a partial ISO date (year, year-month or day) can mean; None for anything else."""
    parts = partial.split("-")
    try:
        year, month, day = (*(int(part) for part in parts), 1, 1)[:3]
        return date(year, month, day)
    except ValueError:
        return None


def age_of(price_date: str, as_of: date, limits: AgeLimits = DEFAULT_LIMITS) -> PriceAge:
    """How old a price of `price_date` is on `as_of`; one without a date is expired."""
    day = first_day(price_date)
    if day is None or as_of - day > timedelta(days=limits.old_days):
        return PriceAge.EXPIRED
    return PriceAge.OLD if as_of - day > timedelta(days=limits.fresh_days) else PriceAge.FRESH


def net_amount(amount: Decimal, country: str, price_date: str, rates: Iterable[VatRate]) -> Decimal | None:
    """A gross amount without the VAT of its country on its date; None when no rate is known."""
    day = first_day(price_date)
    known = [
        rate
        for rate in rates
        if rate.country == country and (rate.valid_from is None or (day is not None and rate.valid_from <= day))
    ]
    if not known:
        return None
    rate = max(known, key=lambda candidate: candidate.valid_from or date.min)
    return amount / (1 + rate.percent / HUNDRED)


def _candidates(prices: Iterable[Price], currency: str, as_of: date, limits: AgeLimits) -> list[Price]:
    """Usable records, best first: seller before published, expired last, the wanted currency first, newest first.

    An expired price in the currency says less about today than a current one that has to be converted.
    """

    def order(price: Price) -> tuple[bool, bool, bool, int]:
        day = first_day(price.as_of) or date.min
        expired = age_of(price.as_of, as_of, limits) is PriceAge.EXPIRED
        return (price.kind is not PriceKind.SELLER, expired, price.currency != currency, -day.toordinal())

    return sorted((price for price in prices if _usable(price, as_of)), key=order)


def _usable(price: Price, as_of: date) -> bool:
    if price.superseded or (price.valid_until is not None and price.valid_until < as_of):
        return False
    day = first_day(price.as_of)
    return day is None or day <= as_of


def _from_record(price: Price, facts: Facts, currency: str, as_of: date) -> GuidePrice | None:
    if price.kind is PriceKind.INCLUDED:
        return GuidePrice(price.item_id, Money(Decimal(0), currency), PriceBasis.PUBLISHED, PriceAge.FRESH, price, None)
    middle: Decimal | None = (price.low + price.high) / 2
    if middle is not None and price.includes_vat:
        middle = net_amount(middle, price.vat_country, price.as_of, facts.vat_rates)
    found = None if middle is None else _convert(middle, price.currency, currency, facts.rates, as_of)
    if found is None:
        return None
    net, rate = found
    return GuidePrice(
        price.item_id,
        Money(net, currency).rounded(),
        _basis(price, rate),
        age_of(price.as_of, as_of, facts.age_limits),
        price,
        rate,
    )


def _basis(price: Price, rate: ExchangeRate | None) -> PriceBasis:
    if price.kind is PriceKind.SELLER:
        return PriceBasis.SELLER
    estimated = rate is not None or price.low != price.high or price.kind is PriceKind.ESTIMATE
    return PriceBasis.ESTIMATED if estimated else PriceBasis.PUBLISHED


def _convert(
    amount: Decimal, source: str, target: str, rates: tuple[ExchangeRate, ...], as_of: date
) -> tuple[Decimal, ExchangeRate | None] | None:
    worth = factor(source, target, rates, as_of)
    return None if worth is None else (amount * worth[0], worth[1])


def _on_request(
    item_id: str,
    facts: Facts,
    currency: str,
    as_of: date,
    overrides: Mapping[str, Money] | None,
) -> GuidePrice:
    sibling = facts.ranking_stand_ins.get(item_id, "")
    stand_in = None
    if sibling and facts.ranking_stand_ins.get(sibling) is None:
        stand_in = guide_price(sibling, facts, currency, as_of, overrides).net
    return GuidePrice(
        item_id,
        None,
        PriceBasis.ON_REQUEST,
        None,
        None,
        None,
        stand_in_for_ranking=stand_in,
        stand_in_item_id=sibling if stand_in is not None else "",
    )
