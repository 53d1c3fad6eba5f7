"""A proposal while the seller works on it. It may hold what the customer must never see; the finished quote cannot."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import StrEnum

from engine.figures import Grade
from engine.prices import ExchangeRate, PriceAge, PriceBasis, PriceKind
from engine.quote.parties import Customer, Seller
from engine.quote.vat import Supply, VatTreatment
from engine.units import Money, MoneyBand, round_money


class DocumentKind(StrEnum):
    """What the paper is."""

    RECOMMENDATION = "recommendation"  # not binding, prices indicative
    OFFER = "offer"


class LineKind(StrEnum):
    """How a line counts."""

    BASE = "base"
    ALTERNATIVE = "alternative"  # instead of its base line; shown with its price, never summed
    OPTIONAL = "optional"  # on top; shown with its price, never summed
    INCLUDED = "included"  # comes with another line at no charge
    TEXT = "text"  # words between the lines


class Measure(StrEnum):
    """What a quantity counts."""

    PIECE = "piece"
    HOUR = "hour"
    DAY = "day"
    MONTH = "month"
    LUMP_SUM = "lump-sum"


class Chapter(StrEnum):
    """Parts of the paper a seller may leave out; what the proposal rests on always stays."""

    VARIANTS = "variants"  # other complete systems with their sums
    EDITIONS = "editions"
    OTHERS = "others"  # why every other card stands behind
    RENTING = "renting"
    SIZING = "sizing"
    ACCEPTANCE = "acceptance"
    SETTINGS = "settings"  # with the training files attached to the paper


class SectionRole(StrEnum):
    """What a section is about when the program made it; the seller may give it a title of his own."""

    SYSTEM = "system"
    SERVICES = "services"
    FREIGHT = "freight"
    FREE = "free"


@dataclass(frozen=True, slots=True)
class PriceOrigin:
    """What stands behind a unit price, as far as the customer may know it."""

    basis: PriceBasis
    as_of: str = ""  # ISO date as recorded
    source_title: str = ""  # empty for the seller's own prices
    source_url: str = ""
    grade: Grade | None = None
    age: PriceAge | None = None
    rate: ExchangeRate | None = None
    kind: PriceKind | None = None
    published: MoneyBand | None = None  # as the source states it, before any conversion
    includes_vat: bool = False  # the published amount does


@dataclass(frozen=True, slots=True)
class Internal:
    """What stays with the seller. No type of the finished quote has room for any of it."""

    purchase_price: Money | None = None  # per unit
    supplier: str = ""
    supplier_number: str = ""
    deal_registration: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class DraftLine:
    """One line as it is edited. `base_id` binds an alternative to its base line, wherever it stands."""

    id: str
    title: str
    kind: LineKind = LineKind.BASE
    supply: Supply = Supply.GOODS
    quantity: Decimal = Decimal(1)
    measure: Measure = Measure.PIECE
    unit_price: Decimal | None = None  # None: on request
    discount: Decimal = Decimal(0)  # fraction
    description: str = ""
    base_id: str = ""
    item_id: str = ""  # catalogue id; empty for free lines
    origin: PriceOrigin | None = None
    internal: Internal = field(default_factory=Internal)


@dataclass(frozen=True, slots=True)
class DraftSection:
    """Lines under one heading."""

    role: SectionRole
    lines: tuple[DraftLine, ...]
    title: str = ""  # empty: the role's word
    page_break_before: bool = False
    show_prices: bool = True  # False: only the section's sum is printed
    struck: bool = False  # the seller took it out; it stays in the draft and never reaches the quote


@dataclass(frozen=True, slots=True)
class Terms:
    """Conditions in the seller's own words, in the document's language. Empty ones are not printed."""

    validity_days: int = 30
    binding: bool = False
    payment: str = ""
    delivery: str = ""  # terms of delivery
    delivery_time: str = ""  # empty: printed as "on request"
    warranty: str = ""
    retention_of_title: str = ""
    where_readable: str = ""  # where the general terms can be read
    full_text: str = ""  # the general terms themselves, printed at the end
    export_reservation: str = ""
    second_signature: bool = False  # the acceptance takes two signatures


@dataclass(frozen=True, slots=True)
class QuoteDraft:
    """Everything a seller enters or the program proposes."""

    kind: DocumentKind
    seller: Seller
    customer: Customer
    language: str  # "de" or "en": the customer's
    currency: str
    as_of: date
    sections: tuple[DraftSection, ...]
    vat: VatTreatment
    number: str = ""
    revision: int = 1
    terms: Terms = field(default_factory=Terms)
    document_discount: Decimal = Decimal(0)
    subject: str = ""
    introduction: str = ""
    closing: str = ""
    left_out: frozenset[Chapter] = frozenset()
    tender: bool = False  # public tender: own terms, payment wording and "without obligation" are dropped
    show_line_prices: bool = True  # False: only sums are printed
    author: str = ""  # the salesperson's login
    notes: str = ""


@dataclass(frozen=True, slots=True)
class Margin:
    """What the seller earns on the base lines with a purchase price; for his eyes only."""

    revenue: Money
    cost: Money
    uncovered: tuple[str, ...]  # ids of base lines without a purchase or sales price

    @property
    def amount(self) -> Money:
        """Revenue less cost."""
        return Money(self.revenue.amount - self.cost.amount, self.revenue.currency)


def margin(draft: QuoteDraft) -> Margin:
    """Revenue and cost of the base lines; a document discount lowers the revenue."""
    revenue = cost = Decimal(0)
    uncovered = []
    for line in (line for section in draft.sections if not section.struck for line in section.lines):
        if line.kind is not LineKind.BASE:
            continue
        purchase = line.internal.purchase_price
        if purchase is None or line.unit_price is None or purchase.currency != draft.currency:
            uncovered.append(line.id)
            continue
        revenue += round_money(line.quantity * line.unit_price * (1 - line.discount))
        cost += round_money(line.quantity * purchase.amount)
    revenue -= round_money(revenue * draft.document_discount)
    return Margin(Money(revenue, draft.currency), Money(cost, draft.currency), tuple(uncovered))
