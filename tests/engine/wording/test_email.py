"""The e-mail says what the paper is, carries the duties of a business letter, and names its file plainly."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from engine.prices import PriceBasis
from engine.quote.document import Quote
from engine.quote.draft import DocumentKind, DraftLine, DraftSection, PriceOrigin, QuoteDraft, SectionRole
from engine.quote.parties import Address, Contact, Customer, LegalForm, RegisterEntry, Seller
from engine.quote.release import release
from engine.quote.vat import VatCase, VatTreatment
from engine.wording.email import email, file_name
from engine.wording.translator import Language
from resources import translations

SELLER = Seller(
    name="Muster GmbH",
    legal_form=LegalForm.GMBH,
    address=Address("Weg 1", "10115", "Berlin"),
    register=RegisterEntry("Berlin", "Amtsgericht Charlottenburg", "HRB 1"),
    directors=("Erika Mustermann",),
    vat_id="DE123456789",
    contact=Contact("Max Muster", "", "max@example.org"),
)


@pytest.fixture
def offer() -> Quote:
    line = DraftLine("a", "Karte", unit_price=Decimal(1), origin=PriceOrigin(PriceBasis.SELLER))
    return release(
        QuoteDraft(
            kind=DocumentKind.OFFER,
            seller=SELLER,
            customer=Customer(company="Müller & Söhne / Süd", lines=("Platz 2",)),
            language="de",
            currency="EUR",
            as_of=date(2026, 11, 30),
            sections=(DraftSection(SectionRole.SYSTEM, (line,)),),
            vat=VatTreatment(VatCase.DOMESTIC, VatCase.DOMESTIC, Decimal("0.19"), confirmed=True),
            number="AN-2026-0042",
        )
    )


def test_that_the_email_names_document_and_validity(offer: Quote) -> None:
    made = email(offer, translations("de"), Language.DE)
    assert made.subject == "Angebot AN-2026-0042"
    assert "gültig bis zum Ablauf des 30.12.2026" in made.text
    for duty in ("Sitz: Berlin", "HRB 1", "Erika Mustermann", "DE123456789"):
        assert duty in made.text


def test_that_a_recommendation_says_it_binds_nobody(offer: Quote) -> None:
    made = email(replace(offer, kind=DocumentKind.RECOMMENDATION), translations("en"), Language.EN)
    assert "not a binding offer" in made.text
    assert "valid until" not in made.text


def test_that_the_file_name_is_plain(offer: Quote) -> None:
    tr = translations("de")
    assert file_name(offer, tr) == "Angebot_AN-2026-0042_Müller-Söhne-Süd.pdf"
    revised = replace(offer, revision=3, customer=replace(offer.customer, company="../../etc"))
    assert file_name(revised, tr) == "Angebot_AN-2026-0042_Rev3_etc.pdf"


def test_that_a_later_revision_says_so(offer: Quote) -> None:
    made = email(replace(offer, revision=2), translations("de"), Language.DE)
    assert made.subject == "Angebot AN-2026-0042 Rev. 2"
    assert "Angebot AN-2026-0042 Rev. 2." in made.text
