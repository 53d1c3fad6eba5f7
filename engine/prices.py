"""Prices as facts: amount, kind, source, date. What has no price says so and never counts as zero."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum

from engine.figures import Grade, Source
from engine.units import Money


class PriceKind(StrEnum):
    """What kind of price it is."""

    LIST = "list"
    STREET = "street"
    OFFER = "offer"
    SELLER = "seller"  # the seller's own price list or an override in the consultation
    ESTIMATE = "estimate"
    INCLUDED = "included"  # comes with another item at no charge: the only record that means zero


class PriceBasis(StrEnum):
    """What stands behind the amount in the proposal's currency."""

    SELLER = "seller"
    PUBLISHED = "published"  # published in the proposal's currency
    ESTIMATED = "estimated"  # published in another currency, converted at a dated rate, or the middle of a range
    ON_REQUEST = "on-request"  # no price published: never zero, never in a sum without a visible gap


class PriceAge(StrEnum):
    """How old a price is, by the limits in force."""

    FRESH = "fresh"
    OLD = "old"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True)
class Price:
    """One published or entered price of a catalogue item, net or gross as stated."""

    item_id: str
    low: Decimal
    high: Decimal  # equal to low for a single price
    currency: str
    kind: PriceKind
    includes_vat: bool
    as_of: str  # ISO date, possibly only year-month
    source: Source
    grade: Grade
    valid_until: date | None = None
    superseded: bool = False  # recorded for history, not used
    note: str = ""
    vat_country: str = ""  # ISO 3166 code of the country whose VAT a gross price contains


@dataclass(frozen=True, slots=True)
class AgeLimits:
    """Up to how many days a price is fresh, and up to how many old; a date without a day counts from the first one."""

    fresh_days: int = 60
    old_days: int = 180


DEFAULT_LIMITS = AgeLimits()


@dataclass(frozen=True, slots=True)
class VatRate:
    """The standard VAT rate of a country from a date on. An empty date: since before the records begin."""

    country: str
    percent: Decimal
    valid_from: date | None
    source: Source
    grade: Grade
    note: str = ""


@dataclass(frozen=True, slots=True)
class ExchangeRate:
    """Units of `quote` per one `base`."""

    base: str
    quote: str
    rate: Decimal
    as_of: date
    source: Source
    grade: Grade


@dataclass(frozen=True, slots=True)
class GuidePrice:
    """The price of one item in the proposal's currency, net, and what it rests on. `net` None: on request."""

    item_id: str
    net: Money | None
    basis: PriceBasis
    age: PriceAge | None
    price: Price | None  # the record it was made from
    rate: ExchangeRate | None
    stand_in_for_ranking: Money | None = None  # a sibling's price, used to order plans only, never printed as a price
    stand_in_item_id: str = ""
