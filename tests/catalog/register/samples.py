"""Documents small enough to store thousands of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from decimal import Decimal

from catalog.register.types import Issue, Made
from engine.prices import PriceBasis
from engine.quote.draft import DocumentKind, DraftLine, DraftSection, PriceOrigin, QuoteDraft, SectionRole
from engine.quote.parties import Address, Contact, Customer, LegalForm, RegisterEntry, Seller
from engine.quote.release import release
from engine.quote.vat import VatCase, VatTreatment

TODAY = date(2026, 11, 30)

SELLER = Seller(
    name="Muster Systemhaus GmbH",
    legal_form=LegalForm.GMBH,
    address=Address("Industriestraße 12", "10115", "Berlin"),
    register=RegisterEntry("Berlin", "Amtsgericht Charlottenburg", "HRB 123456"),
    directors=("Erika Mustermann",),
    vat_id="DE123456789",
    contact=Contact("Karin Kontakt", "+49 30 1234567", "karin@example.org"),
)
CUSTOMER = Customer(
    company="Beispiel Maschinenbau AG",
    contact="Frau Dr. Sabine Größer",
    lines=("Königstraße 5", "70173 Stuttgart"),
    number="K-1042",
    reference="Anfrage 7",
)


def draft(**changes: object) -> QuoteDraft:
    """An offer of one position at 100 EUR."""
    line = DraftLine("1", "Artikel", unit_price=Decimal("100.00"), origin=PriceOrigin(PriceBasis.SELLER, "2026-11-30"))
    made = QuoteDraft(
        kind=DocumentKind.OFFER,
        seller=SELLER,
        customer=CUSTOMER,
        language="de",
        currency="EUR",
        as_of=TODAY,
        sections=(DraftSection(SectionRole.FREE, (line,)),),
        vat=VatTreatment(VatCase.DOMESTIC, VatCase.DOMESTIC, Decimal("0.19"), confirmed=True),
    )
    return replace(made, **changes)  # type: ignore[arg-type]  # names checked by replace itself


def maker(pdf: bytes = b"%PDF-1.4 sample", **changes: object) -> Callable[[Issue], Made]:
    """Makes a document for whatever number it is given; the number stands in its bytes."""

    def make(issue: Issue) -> Made:
        quote = release(draft(number=issue.number, revision=issue.revision, **changes))
        return Made(quote, pdf + f" {issue.number}/{issue.revision}".encode(), "schema: 1\n")

    return make
