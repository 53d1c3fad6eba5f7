"""The proposal as the seller edits it, stored with the consultation. Unknown keys are errors."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated

from pydantic import Field

from catalog.consultation.parts import Amount, LongText, Part, Text
from engine.quote.draft import Chapter, DocumentKind, LineKind, Measure, SectionRole
from engine.quote.vat import Supply

Percent = Annotated[Amount, Field(le=100)]
LineId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.:-]{1,80}$")]


class InternalRow(Part):
    """What stays with the seller; no paper has room for any of it."""

    purchase_price: Amount | None = None  # per unit, in the consultation's currency
    supplier: Text = ""
    supplier_number: Text = ""
    deal_registration: Text = ""
    note: LongText = ""


class LineRow(Part):
    """One line. Without `price` and not `on_request`, a catalogue item takes its guide price."""

    id: LineId
    title: Text
    kind: LineKind = LineKind.BASE
    supply: Supply = Supply.GOODS
    quantity: Amount = Decimal(1)
    measure: Measure = Measure.PIECE
    price: Amount | None = None  # the seller's own, per unit, net
    on_request: bool = False
    discount_percent: Percent = Decimal(0)
    description: LongText = ""
    base: Annotated[str, Field(max_length=80)] = ""  # id of the line an alternative stands for
    item: Annotated[str, Field(max_length=80)] = ""  # catalogue id; empty for free lines
    planned: bool = False  # taken from the recommendation, and follows it
    internal: InternalRow = InternalRow()


class SectionRow(Part):
    """Lines under one heading."""

    role: SectionRole = SectionRole.FREE
    title: Text = ""  # empty: the role's word
    lines: Annotated[tuple[LineRow, ...], Field(max_length=1000)] = ()
    page_break_before: bool = False
    show_prices: bool = True  # False: the section's sum alone is printed
    struck: bool = False


class TermsRow(Part):
    """Conditions in the seller's own words. Empty ones are not printed."""

    validity_days: Annotated[int, Field(ge=1, le=3650)] | None = None  # None: the seller's usual period
    binding: bool = False
    payment: LongText = ""
    delivery: LongText = ""
    delivery_time: LongText = ""
    warranty: LongText = ""
    retention_of_title: LongText = ""
    where_readable: LongText = ""
    export_reservation: LongText = ""
    second_signature: bool = False


class QuoteRow(Part):
    """The proposal. `sections` None: the positions follow the recommendation."""

    kind: DocumentKind = DocumentKind.RECOMMENDATION
    number: Text = ""
    currency: Annotated[str, Field(pattern=r"^([A-Z]{3})?$")] = ""  # of the own prices; empty while there are none
    plan: Text = ""  # the plan the positions were taken from
    sections: Annotated[tuple[SectionRow, ...], Field(max_length=100)] | None = None
    discount_percent: Percent = Decimal(0)
    subject: Text = ""
    introduction: LongText = ""
    closing: LongText = ""
    tender: bool = False
    archivable: bool = False  # the PDF is made for archives: PDF/A-3b
    data_sheets: bool = False  # the seller's data sheets of what is offered follow after the last page
    show_line_prices: bool = True
    left_out: tuple[Chapter, ...] = ()  # chapters the paper does without
    vat_confirmed: bool = False
    terms: TermsRow = TermsRow()

    @property
    def lines(self) -> tuple[LineRow, ...]:
        """Every line in order."""
        return tuple(line for section in self.sections or () for line in section.lines)
