"""Numbering, kinds of lines, obstacles to an offer, and what never leaves the draft."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import InvalidInputError
from engine.prices import PriceBasis
from engine.quote.document import Obstacle
from engine.quote.draft import (
    DocumentKind,
    DraftLine,
    DraftSection,
    Internal,
    LineKind,
    PriceOrigin,
    QuoteDraft,
    SectionRole,
    Terms,
    margin,
)
from engine.quote.parties import (
    Address,
    Contact,
    Customer,
    GeneralPartner,
    LegalForm,
    RegisterEntry,
    Seller,
    SellerField,
)
from engine.quote.release import QuoteNotReadyError, release
from engine.quote.vat import VatCase, VatQuestion, VatTreatment
from engine.units import Money

REGISTER = RegisterEntry("Berlin", "Amtsgericht Charlottenburg", "HRB 1")
SELLER = Seller(
    name="Muster GmbH",
    legal_form=LegalForm.GMBH,
    address=Address("Weg 1", "10115", "Berlin"),
    register=REGISTER,
    directors=("Erika Mustermann",),
    vat_id="DE123456789",
    contact=Contact("Max Muster", "+49 30 1", "max@example.org"),
)
CUSTOMER = Customer(company="Kunde AG", lines=("Platz 2", "80331 München"))
DOMESTIC = VatTreatment(VatCase.DOMESTIC, VatCase.DOMESTIC, Decimal("0.19"), confirmed=True)
SELLERS = PriceOrigin(PriceBasis.SELLER, "2026-11-30")


def _line(id_: str, price: str | None = "100.00", kind: LineKind = LineKind.BASE, **changes: object) -> DraftLine:
    unit = None if price is None else Decimal(price)
    return replace(DraftLine(id_, f"Line {id_}", kind, unit_price=unit, origin=SELLERS), **changes)  # type: ignore[arg-type]  # names checked by replace itself


def _draft(*sections: tuple[DraftLine, ...], **changes: object) -> QuoteDraft:
    draft = QuoteDraft(
        kind=DocumentKind.RECOMMENDATION,
        seller=SELLER,
        customer=CUSTOMER,
        language="de",
        currency="EUR",
        as_of=date(2026, 11, 30),
        sections=tuple(DraftSection(SectionRole.FREE, lines, f"Section {i}") for i, lines in enumerate(sections)),
        vat=DOMESTIC,
        number="AN-2026-0042",
    )
    return replace(draft, **changes)  # type: ignore[arg-type]  # names checked by replace itself


def test_that_lines_are_numbered_by_section_and_alternatives_by_letter() -> None:
    alternative = _line("c", kind=LineKind.ALTERNATIVE, base_id="a")
    other = _line("d", kind=LineKind.ALTERNATIVE, base_id="a")
    quote = release(_draft((_line("a"), _line("t", kind=LineKind.TEXT), _line("b"), alternative), (_line("e"), other)))
    assert [line.number for line in quote.lines] == ["1.1", "", "1.2", "1.1a", "2.1", "1.1b"]
    assert quote.lines[3].base_number == "1.1"


def test_that_an_alternative_needs_its_base_line() -> None:
    with pytest.raises(InvalidInputError, match="names no base position"):
        release(_draft((_line("a"), _line("b", kind=LineKind.ALTERNATIVE, base_id="gone"))))


def test_that_only_base_lines_enter_the_sum() -> None:
    lines = (
        _line("a", "100.00"),
        _line("b", "70.00", LineKind.ALTERNATIVE, base_id="a"),
        _line("c", "30.00", LineKind.OPTIONAL, quantity=Decimal(2)),
        _line("d", "999.00", LineKind.INCLUDED),
        _line("e", None),
    )
    quote = release(_draft(lines))
    assert quote.totals.net == Money(Decimal("100.00"), "EUR")
    assert quote.options_net == Money(Decimal("160.00"), "EUR")
    assert quote.totals.gaps == ("1.4",)
    assert quote.lines[1].total == Money(Decimal("70.00"), "EUR")
    assert quote.lines[3].total == Money(Decimal("0.00"), "EUR")


def test_that_a_struck_section_never_reaches_the_quote() -> None:
    draft = _draft((_line("a"),))
    struck = DraftSection(SectionRole.FREE, (_line("secret"),), "secret", struck=True)
    quote = release(replace(draft, sections=(struck, *draft.sections)))
    assert "secret" not in repr(quote)
    assert quote.lines[0].number == "1.1"


def test_that_validity_counts_days_from_the_date() -> None:
    assert release(_draft((_line("a"),), terms=Terms(validity_days=14))).valid_until == date(2026, 12, 14)


def test_that_a_complete_draft_becomes_an_offer() -> None:
    quote = release(_draft((_line("a"),), kind=DocumentKind.OFFER))
    assert quote.kind is DocumentKind.OFFER
    assert quote.obstacles == ()


@pytest.mark.parametrize(
    ("changes", "obstacle"),
    [
        ({"seller": Seller(name="Muster GmbH", legal_form=LegalForm.GMBH)}, Obstacle.SELLER_INCOMPLETE),
        ({"number": ""}, Obstacle.NO_NUMBER),
        ({"customer": Customer(company="Kunde AG")}, Obstacle.CUSTOMER_INCOMPLETE),
        ({"vat": replace(DOMESTIC, confirmed=False)}, Obstacle.VAT_UNCONFIRMED),
        ({"vat": replace(DOMESTIC, questions=(VatQuestion.CUSTOMER_VAT_ID,))}, Obstacle.VAT_OPEN),
    ],
)
def test_that_an_offer_is_refused_with_the_reason(changes: dict[str, object], obstacle: Obstacle) -> None:
    with pytest.raises(QuoteNotReadyError) as refused:
        release(_draft((_line("a"),), kind=DocumentKind.OFFER, **changes))
    assert refused.value.obstacles == (obstacle,)
    assert obstacle in release(_draft((_line("a"),), **changes)).obstacles


@pytest.mark.parametrize(
    ("line", "obstacle"),
    [
        (_line("a", None), Obstacle.PRICE_ON_REQUEST),
        (_line("a", origin=PriceOrigin(PriceBasis.ESTIMATED)), Obstacle.PRICE_NOT_SELLERS),
        (_line("a", kind=LineKind.OPTIONAL), Obstacle.NO_LINES),
    ],
)
def test_that_a_guide_price_is_no_price_to_be_held_to(line: DraftLine, obstacle: Obstacle) -> None:
    with pytest.raises(QuoteNotReadyError) as refused:
        release(_draft((line,), kind=DocumentKind.OFFER))
    assert refused.value.obstacles == (obstacle,)


def test_that_a_public_tender_drops_the_sellers_own_terms() -> None:
    terms = Terms(payment="14 Tage", full_text="AGB", where_readable="im Netz", warranty="36 Monate", binding=False)
    quote = release(_draft((_line("a"),), terms=terms, tender=True))
    assert (quote.terms.payment, quote.terms.full_text, quote.terms.where_readable) == ("", "", "")
    assert quote.terms.warranty == "36 Monate"
    assert quote.terms.binding


def test_that_the_margin_is_known_to_the_draft_alone() -> None:
    internal = Internal(purchase_price=Money(Decimal("61.50"), "EUR"), supplier="Grossist")
    draft = _draft((_line("a", "100.00", internal=internal, quantity=Decimal(2)), _line("b")))
    result = margin(draft)
    assert result.amount == Money(Decimal("77.00"), "EUR")  # 2 x (100.00 - 61.50)
    assert result.uncovered == ("b",)
    released = repr(release(draft))
    assert "Grossist" not in released
    assert "61.50" not in released


@pytest.mark.parametrize(
    ("form", "missing"),
    [
        (
            LegalForm.GMBH,
            {SellerField.SEAT, SellerField.REGISTER_COURT, SellerField.REGISTER_NUMBER, SellerField.DIRECTORS},
        ),
        (
            LegalForm.AG,
            {
                *(SellerField.SEAT, SellerField.REGISTER_COURT, SellerField.REGISTER_NUMBER, SellerField.DIRECTORS),
                *(SellerField.BOARD_CHAIR, SellerField.SUPERVISORY_CHAIR),
            },
        ),
        (LegalForm.OHG, {SellerField.SEAT, SellerField.REGISTER_COURT, SellerField.REGISTER_NUMBER}),
        (
            LegalForm.GMBH_CO_KG,
            {
                *(SellerField.SEAT, SellerField.REGISTER_COURT, SellerField.REGISTER_NUMBER),
                SellerField.GENERAL_PARTNER,
            },
        ),
        (LegalForm.SOLE, set()),
    ],
)
def test_that_every_legal_form_has_its_duties(form: LegalForm, missing: set[SellerField]) -> None:
    seller = replace(SELLER, legal_form=form, register=RegisterEntry(), directors=())
    assert set(seller.missing()) == missing


def test_that_a_limited_partnership_names_its_partners_directors() -> None:
    partner = GeneralPartner("Muster Verwaltungs GmbH", REGISTER, ("Erika Mustermann",))
    seller = replace(SELLER, legal_form=LegalForm.GMBH_CO_KG, partner=partner)
    assert seller.missing() == ()
    assert replace(seller, partner=replace(partner, directors=())).missing() == (SellerField.GENERAL_PARTNER,)


prices = st.decimals(min_value=-1000, max_value=10**6, places=3, allow_nan=False, allow_infinity=False)
drafted = st.builds(
    _line,
    st.uuids().map(str),
    prices.map(str) | st.none(),
    st.sampled_from([LineKind.BASE, LineKind.OPTIONAL, LineKind.INCLUDED, LineKind.TEXT]),
    quantity=st.decimals(min_value=0, max_value=500, places=2, allow_nan=False, allow_infinity=False),
    discount=st.decimals(min_value=0, max_value=1, places=3, allow_nan=False, allow_infinity=False),
)


@given(st.lists(st.lists(drafted, max_size=8).map(tuple), max_size=5))
def test_that_subtotals_add_up_to_the_net_sum(sections: list[tuple[DraftLine, ...]]) -> None:
    quote = release(_draft(*sections))
    assert sum((section.subtotal.amount for section in quote.sections), Decimal(0)) == quote.totals.net.amount
    assert tuple(gap for section in quote.sections for gap in section.gaps) == quote.totals.gaps
