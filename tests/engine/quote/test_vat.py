"""Every VAT case, and the questions where a case cannot be stated."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from catalog.load import load_catalog
from engine.figures import Grade, Source
from engine.prices import VatRate
from engine.quote.parties import Address, Customer, CustomerKind, Seller
from engine.quote.vat import MEMBER_STATES, Supply, VatCase, VatQuestion, VatTreatment, domestic_rate, propose

SOURCE = Source("ustg", "UStG § 12", "", "2026")
RATES = (
    VatRate("DE", Decimal(19), date(2021, 1, 1), SOURCE, Grade.M),
    VatRate("DE", Decimal(16), date(2020, 7, 1), SOURCE, Grade.M),
    VatRate("DE", Decimal(19), None, SOURCE, Grade.M),
    VatRate("AT", Decimal(20), None, SOURCE, Grade.M),
)
SELLER = Seller(name="Muster GmbH", address=Address("Weg 1", "10115", "Berlin"), vat_id="DE123456789")
TODAY = date(2026, 11, 30)
BOTH = {Supply.GOODS, Supply.SERVICE}


def _propose(customer: Customer, supplies: set[Supply] | None = None, seller: Seller = SELLER) -> VatTreatment:
    return propose(seller, customer, supplies or {Supply.GOODS}, RATES, TODAY)


@pytest.mark.parametrize("kind", [CustomerKind.BUSINESS, CustomerKind.PUBLIC])
def test_that_a_german_buyer_pays_german_vat(kind: CustomerKind) -> None:
    treatment = _propose(Customer(country="DE", kind=kind), BOTH)
    assert (treatment.goods, treatment.service, treatment.questions) == (VatCase.DOMESTIC, VatCase.DOMESTIC, ())
    assert treatment.rate_of(VatCase.DOMESTIC) == Decimal("0.19")


def test_that_goods_to_an_eu_business_are_an_intra_community_supply() -> None:
    treatment = _propose(Customer(country="AT", vat_id="ATU12345678"))
    assert treatment.goods is VatCase.INTRA_COMMUNITY
    assert treatment.rate_of(VatCase.INTRA_COMMUNITY) == 0
    assert treatment.questions == ()


def test_that_services_to_an_eu_business_are_reverse_charge_and_goods_are_not() -> None:
    treatment = _propose(Customer(country="FR", vat_id="FR12345678901"), BOTH)
    assert treatment.case_of(Supply.SERVICE) is VatCase.REVERSE_CHARGE
    assert treatment.case_of(Supply.GOODS) is VatCase.INTRA_COMMUNITY
    assert treatment.case_of(Supply.FREIGHT) is VatCase.INTRA_COMMUNITY


def test_that_both_vat_ids_are_needed_for_a_tax_exempt_supply() -> None:
    assert _propose(Customer(country="AT")).questions == (VatQuestion.CUSTOMER_VAT_ID,)
    no_id = Seller(name="Muster GmbH", address=SELLER.address)
    assert _propose(Customer(country="AT", vat_id="ATU1"), seller=no_id).questions == (VatQuestion.SELLER_VAT_ID,)


def test_that_goods_delivered_inside_germany_carry_german_vat() -> None:
    treatment = _propose(Customer(country="AT", delivery_country="DE", vat_id="ATU1"))
    assert treatment.goods is VatCase.DOMESTIC


def test_that_a_german_customers_delivery_to_the_eu_needs_vat_ids() -> None:
    treatment = _propose(Customer(country="DE", delivery_country="NL"))
    assert treatment.goods is VatCase.INTRA_COMMUNITY
    assert treatment.questions == (VatQuestion.CUSTOMER_VAT_ID,)


def test_that_goods_outside_the_eu_are_an_export() -> None:
    treatment = _propose(Customer(country="CH"))
    assert (treatment.goods, treatment.questions) == (VatCase.EXPORT, ())


def test_that_services_outside_the_eu_are_asked_about() -> None:
    assert _propose(Customer(country="CH"), BOTH).questions == (VatQuestion.SERVICE_ABROAD,)


@pytest.mark.parametrize("country", ["DE", "AT", "CH"])
def test_that_a_private_customer_stops_the_proposal(country: str) -> None:
    assert VatQuestion.PRIVATE_CUSTOMER in _propose(Customer(country=country, kind=CustomerKind.PRIVATE)).questions


def test_that_a_seller_abroad_is_not_guessed_about() -> None:
    abroad = Seller(name="Muster AG", address=Address("Gasse 1", "8001", "Zürich", "CH"))
    assert _propose(Customer(), seller=abroad).questions == (VatQuestion.SELLER_COUNTRY,)


@pytest.mark.parametrize(
    ("day", "rate"), [(date(2019, 5, 1), "0.19"), (date(2020, 8, 1), "0.16"), (date(2026, 11, 30), "0.19")]
)
def test_that_the_rate_of_the_day_is_taken(day: date, rate: str) -> None:
    assert domestic_rate(RATES, "DE", day) == Decimal(rate)


def test_that_a_missing_rate_is_asked_for() -> None:
    assert propose(SELLER, Customer(), {Supply.GOODS}, (), TODAY).questions == (VatQuestion.NO_RATE,)


def test_that_every_member_state_has_a_rate_in_the_catalogue() -> None:
    # Two lists from different hands: the member states here, the countries of the published table of rates there.
    countries = {rate.country for rate in load_catalog().facts.vat_rates}
    assert countries >= MEMBER_STATES
    assert countries - MEMBER_STATES <= {"CH", "GB"}
