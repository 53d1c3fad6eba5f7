"""Sums and VAT cases at their borders: a discount on the whole, the first day of a rate, who still has to confirm."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from engine.figures import Grade, Source
from engine.prices import VatRate
from engine.quote.parties import Address, Customer, CustomerKind, Seller
from engine.quote.totals import Charge, line_net, sum_up
from engine.quote.vat import Supply, VatCase, VatQuestion, VatTreatment, domestic_rate, propose
from engine.units import Money

D = Decimal
SOURCE = Source("ustg", "UStG § 12", "", "2026")
SELLER = Seller(name="Muster GmbH", address=Address("Weg 1", "10115", "Berlin"), vat_id="DE123456789")
TODAY = date(2026, 11, 30)
RATES = (VatRate("DE", D(19), None, SOURCE, Grade.M),)


def _charge(net: str, case: VatCase, rate: str) -> Charge:
    return Charge("1", D(net), D(net), case, D(rate))


# 1,000.55 less 10 % (100.055 -> 100.06) = 900.49, VAT 19 % 171.0931 -> 171.09; 50.25 less 5.025 -> 5.03 = 45.22, free
# of VAT. Net 945.71, discount 1,050.80 - 945.71 = 105.09, gross 1,116.80.
def test_that_a_discount_on_the_whole_is_taken_off_each_vat_case_and_rounded_once_there() -> None:
    totals = sum_up(
        [_charge("1000.55", VatCase.DOMESTIC, "0.19"), _charge("50.25", VatCase.EXPORT, "0")], "EUR", D("0.10")
    )
    assert totals.vat is not None
    assert [(item.case, item.net.amount, item.vat.amount) for item in totals.vat] == [
        (VatCase.DOMESTIC, D("900.49"), D("171.09")),
        (VatCase.EXPORT, D("45.22"), D("0.00")),
    ]
    assert totals.before_discount == Money(D("1050.80"), "EUR")
    assert totals.discount == Money(D("105.09"), "EUR")
    assert totals.net == Money(D("945.71"), "EUR")
    assert totals.gross == Money(D("1116.80"), "EUR")


def test_that_everything_may_be_given_away_and_nothing_more() -> None:
    assert line_net(D(3), D("99.99"), D(1)) == 0
    totals = sum_up([_charge("100.00", VatCase.DOMESTIC, "0.19")], "EUR", D(1))
    assert (totals.net.amount, totals.gross, totals.discount.amount) == (0, Money(D(0), "EUR"), 100)


def test_that_a_quote_without_lines_is_zero_and_a_line_for_nothing_counts_as_priced() -> None:
    empty = sum_up([], "EUR")
    assert (empty.net.amount, empty.gross, empty.vat, empty.priced) == (0, Money(D(0), "EUR"), (), 0)
    free = sum_up([_charge("0.00", VatCase.DOMESTIC, "0.19")], "EUR")
    assert (free.net.amount, free.before_discount.amount, free.priced) == (0, 0, 1)


# Article 12 UStG was changed for the second half of 2020: 16 % from 1 July to 31 December.
@pytest.mark.parametrize(
    ("day", "rate"),
    [
        (date(2020, 6, 30), "0.19"),
        (date(2020, 7, 1), "0.16"),
        (date(2020, 12, 31), "0.16"),
        (date(2021, 1, 1), "0.19"),
    ],
)
def test_that_a_rate_holds_from_its_first_day(day: date, rate: str) -> None:
    rates = (
        VatRate("DE", D(19), None, SOURCE, Grade.M),
        VatRate("DE", D(16), date(2020, 7, 1), SOURCE, Grade.M),
        VatRate("DE", D(19), date(2021, 1, 1), SOURCE, Grade.M),
    )
    assert domestic_rate(rates, "DE", day) == D(rate)
    assert domestic_rate(rates, "AT", day) is None


def test_that_a_proposed_treatment_still_waits_for_the_seller() -> None:
    treatment = propose(SELLER, Customer(), {Supply.GOODS}, RATES, TODAY)
    assert treatment.questions == ()
    assert not treatment.confirmed


def test_that_an_unknown_domestic_rate_is_never_made_up() -> None:
    assert VatTreatment(VatCase.DOMESTIC, VatCase.DOMESTIC, None).rate_of(VatCase.DOMESTIC) == 0


# Services to a business in France are taxed there (reverse charge), wherever the goods go.
def test_that_goods_staying_in_germany_do_not_make_the_services_german() -> None:
    customer = Customer(country="FR", delivery_country="DE", vat_id="FR12345678901")
    treatment = propose(SELLER, customer, {Supply.GOODS, Supply.SERVICE}, RATES, TODAY)
    assert (treatment.goods, treatment.service) == (VatCase.DOMESTIC, VatCase.REVERSE_CHARGE)
    assert treatment.questions == ()


# A German business has its machine delivered to Austria: the goods leave, the services stay German.
def test_that_goods_leaving_germany_do_not_make_the_services_foreign() -> None:
    customer = Customer(country="DE", delivery_country="AT", vat_id="DE987654321")
    treatment = propose(SELLER, customer, {Supply.GOODS, Supply.SERVICE}, RATES, TODAY)
    assert (treatment.goods, treatment.service) == (VatCase.INTRA_COMMUNITY, VatCase.DOMESTIC)


def test_that_a_private_person_abroad_gets_no_treatment_but_a_question() -> None:
    private = Customer(country="DE", delivery_country="AT", kind=CustomerKind.PRIVATE)
    treatment = propose(SELLER, private, {Supply.GOODS}, RATES, TODAY)
    assert (treatment.goods, treatment.service) == (None, None)
    assert treatment.questions == (VatQuestion.PRIVATE_CUSTOMER,)


def test_that_services_alone_need_both_vat_ids_inside_the_union() -> None:
    without = Seller(name="Muster GmbH", address=SELLER.address)
    customer = Customer(country="FR", delivery_country="DE")
    both = (VatQuestion.CUSTOMER_VAT_ID, VatQuestion.SELLER_VAT_ID)
    assert propose(without, customer, {Supply.GOODS, Supply.SERVICE}, RATES, TODAY).questions == both
    assert propose(without, customer, {Supply.GOODS}, RATES, TODAY).questions == ()
