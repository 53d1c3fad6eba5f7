"""Own prices of a proposal against what the catalogue says today: which positions change, by how much, and the sums."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

from catalog.consultation.document import Consultation
from catalog.consultation.quote_draft import to_draft
from catalog.consultation.quote_rows import LineRow, QuoteRow
from engine.facts import Facts
from engine.plan.types import Recommendation
from engine.prices import PriceBasis
from engine.pricing import guide_price
from engine.quote.build import price_origin
from engine.quote.draft import DocumentKind, LineKind, PriceOrigin
from engine.quote.parties import Seller
from engine.quote.release import release
from engine.quote.totals import Totals, line_net
from engine.units import Money, round_money

HUNDRED = 100
PRICED = frozenset({LineKind.BASE, LineKind.ALTERNATIVE, LineKind.OPTIONAL})


@dataclass(frozen=True, slots=True)
class PriceChange:
    """A position whose own price, or lack of one, is no longer what the catalogue says. Prices are per unit, net."""

    line_id: str
    title: str
    quantity: Decimal
    before: Money | None  # None: on request
    after: Money
    total_change: Money | None  # of the line with its discount; None while it was on request
    origin: PriceOrigin  # of the price of today
    counts: bool  # whether the line enters the sum

    @property
    def sellers_own(self) -> bool:
        """Whether the price of today is the seller's too, from a price list or the consultation."""
        return self.origin.basis is PriceBasis.SELLER


def price_changes(consultation: Consultation, recommendation: Recommendation, facts: Facts) -> tuple[PriceChange, ...]:
    """The positions with an own price, or on request, that have another price today.

    Positions without a price of their own follow the catalogue by themselves and are never among them.
    """
    return tuple(_changes(consultation, recommendation, facts))


def with_prices(quote: QuoteRow, changes: Collection[PriceChange]) -> QuoteRow:
    """The proposal with the prices of today as the seller's own for these positions."""
    today = {change.line_id: change.after.amount for change in changes}
    sections = tuple(
        section.model_copy(
            update={
                "lines": tuple(
                    line.model_copy(update={"price": today[line.id], "on_request": False}) if line.id in today else line
                    for line in section.lines
                )
            }
        )
        for section in quote.sections or ()
    )
    return quote if quote.sections is None else quote.model_copy(update={"sections": sections})


def sums(
    consultation: Consultation,
    recommendation: Recommendation,
    facts: Facts,
    seller: Seller,
    changes: Collection[PriceChange] = (),
) -> Totals:
    """The sums of the proposal once these changes are taken over, by the one calculation."""
    changed = consultation.model_copy(update={"quote": with_prices(consultation.quote, changes)})
    draft = to_draft(changed, recommendation, facts, seller)
    return release(replace(draft, kind=DocumentKind.RECOMMENDATION)).totals


def _changes(consultation: Consultation, recommendation: Recommendation, facts: Facts) -> Iterator[PriceChange]:
    scenario = recommendation.scenario
    for line in (one for section in consultation.quote.sections or () if not section.struck for one in section.lines):
        if line.kind not in PRICED or line.item not in facts.priceable_ids:
            continue
        if line.price is None and not line.on_request:
            continue
        guide = guide_price(line.item, facts, scenario.currency, scenario.as_of, scenario.price_overrides)
        if guide.net is None:
            continue
        after = round_money(guide.net.amount)
        if after != line.price:
            yield _change(line, after, scenario.currency, price_origin(guide, scenario.as_of))


def _change(line: LineRow, after: Decimal, currency: str, origin: PriceOrigin) -> PriceChange:
    share = line.discount_percent / HUNDRED
    change = None
    if line.price is not None:
        before = line_net(line.quantity, line.price, share)
        change = Money(line_net(line.quantity, after, share) - before, currency)
    return PriceChange(
        line_id=line.id,
        title=line.title,
        quantity=line.quantity,
        before=None if line.price is None else Money(line.price, currency),
        after=Money(after, currency),
        total_change=change,
        origin=origin,
        counts=line.kind is LineKind.BASE,
    )
