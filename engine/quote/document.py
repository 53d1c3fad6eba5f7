"""The finished quote: what screen, paper and exports say. Built by an allow-list; nothing internal fits into it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import StrEnum

from engine.compare import Comparison
from engine.cost.compare import RentOrBuyReport
from engine.figures import Basis, Grade, Source
from engine.glance import CardGlance
from engine.plan.types import Plan, Rejection
from engine.quote.draft import Chapter, DocumentKind, LineKind, Measure, PriceOrigin, SectionRole, Terms
from engine.quote.parties import Customer, Seller, SellerField
from engine.quote.totals import Totals
from engine.quote.vat import Supply, VatCase, VatQuestion
from engine.serving.summary import ServingSummary
from engine.units import Money
from engine.workload import Scenario


class Obstacle(StrEnum):
    """Why a document cannot be an offer yet."""

    SELLER_INCOMPLETE = "seller-incomplete"
    NO_NUMBER = "no-number"
    CUSTOMER_INCOMPLETE = "customer-incomplete"
    PRICE_ON_REQUEST = "price-on-request"
    PRICE_NOT_SELLERS = "price-not-sellers"  # a guide price is no price to be held to
    VAT_OPEN = "vat-open"
    VAT_UNCONFIRMED = "vat-unconfirmed"
    NO_LINES = "no-lines"
    CARDS_MISSING = "cards-missing"  # fewer of the advised cards among the positions than the tasks were placed on
    FITS_NOT = "fits-not"  # the advised system does not carry every task


@dataclass(frozen=True, slots=True)
class QuoteLine:
    """One printed line. `total` None: on request, or a line of text."""

    number: str  # "1.2"; empty for text
    kind: LineKind
    supply: Supply
    title: str
    description: str
    quantity: Decimal
    measure: Measure
    unit_price: Money | None
    discount: Decimal
    total: Money | None
    vat_case: VatCase | None
    base_number: str = ""  # of the line an alternative stands for
    item_id: str = ""
    origin: PriceOrigin | None = None

    @property
    def counts(self) -> bool:
        """Whether the line enters the sum."""
        return self.kind is LineKind.BASE


@dataclass(frozen=True, slots=True)
class QuoteSection:
    """Lines under one heading with the sum of those that count."""

    number: str
    role: SectionRole
    title: str
    lines: tuple[QuoteLine, ...]
    subtotal: Money
    gaps: tuple[str, ...]
    page_break_before: bool = False
    show_prices: bool = True  # of its lines; its sum is always stated


@dataclass(frozen=True, slots=True)
class Variant:
    """A complete other system with its own sum."""

    plan: Plan
    totals: Totals


@dataclass(frozen=True, slots=True)
class Citation:
    """A source the paper stands on, numbered in the order of first use."""

    number: int
    source: Source
    grades: tuple[Grade, ...]
    bases: tuple[Basis, ...]
    uses: tuple[str, ...]  # what it is used for: names of cards, machines, items


@dataclass(frozen=True, slots=True)
class Reach:
    """What else the placed run could take on the same cards with the same headroom. None: not even this one."""

    longest_sequence: int | None
    largest_micro_batch: int | None


@dataclass(frozen=True, slots=True)
class BesideSteps:
    """What hours hold beside optimiser steps, so that tokens over tokens per second are not the time of a run."""

    evaluation_share: float  # of the run without start-up and checkpoint
    start_up_s: float
    failed_share: Decimal  # failed runs per successful one, in the hours of a month and in the costs


class OrderedAt(StrEnum):
    """At which price an item stood when the systems were put in order, where the document has another one."""

    GUIDE_PRICE = "guide-price"
    EARLIER_PRICE = "earlier-price"  # the seller's own, of the consultation or of his list
    RELATED_ITEM = "related-item"  # a sibling's price stood in for none of its own
    NO_PRICE = "no-price"


@dataclass(frozen=True, slots=True)
class Advice:
    """The technical ground of the proposal."""

    scenario: Scenario
    chosen: Plan
    alternatives: tuple[Plan, ...]
    rejected: tuple[Rejection, ...]
    standings: tuple[CardGlance, ...]  # every card once
    comparison: Comparison | None
    catalogue_version: str
    citations: tuple[Citation, ...]
    renting: RentOrBuyReport | None = None  # without its plan
    reaches: tuple[Reach, ...] = ()  # one per task of the chosen plan
    serving: tuple[ServingSummary, ...] = ()  # what the chosen plan serves
    beside: BesideSteps | None = None
    ordered_at: tuple[tuple[str, OrderedAt], ...] = ()  # item ids whose price the order of the systems did not know


@dataclass(frozen=True, slots=True)
class Quote:
    """The document. `valid_until` holds to the end of that day."""

    kind: DocumentKind
    number: str
    revision: int
    language: str
    currency: str
    as_of: date
    valid_until: date
    seller: Seller
    customer: Customer
    sections: tuple[QuoteSection, ...]
    totals: Totals
    options_net: Money | None  # net including all options; None without options
    terms: Terms
    subject: str = ""
    introduction: str = ""
    closing: str = ""
    left_out: frozenset[Chapter] = frozenset()
    tender: bool = False
    show_line_prices: bool = True
    document_discount: Decimal = Decimal(0)
    vat_questions: tuple[VatQuestion, ...] = ()
    vat_confirmed: bool = False
    variants: tuple[Variant, ...] = ()
    advice: Advice | None = None
    obstacles: tuple[Obstacle, ...] = ()
    seller_missing: tuple[SellerField, ...] = ()
    preview: bool = False  # a draft that shows what would be issued: no number, nobody is bound
    names: dict[str, str] = field(default_factory=dict)  # catalogue id -> what people call it

    @property
    def lines(self) -> tuple[QuoteLine, ...]:
        """Every line in order."""
        return tuple(line for section in self.sections for line in section.lines)

    def shows_prices_of(self, section: QuoteSection) -> bool:
        """Whether the prices of a section's lines leave the seller; its sum always does."""
        return self.show_line_prices and section.show_prices

    @property
    def shown_lines(self) -> tuple[QuoteLine, ...]:
        """The lines whose prices leave the seller."""
        return tuple(line for section in self.sections if self.shows_prices_of(section) for line in section.lines)
