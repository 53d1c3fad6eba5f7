"""Which VAT treatment a proposal states. A proposal for the seller to confirm, never tax advice.

Goods to a business in another EU country are a tax-exempt intra-community supply (§ 4 no. 1b, § 6a UStG); the reverse
charge holds for services alone (§ 13b UStG). Goods to other countries are an export (§ 4 no. 1a, § 6 UStG). Cards and
servers sold inside Germany carry normal VAT: the domestic reverse charge for integrated circuits (§ 13b (2) no. 10)
does not cover them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum

from engine.prices import VatRate
from engine.quote.parties import Customer, CustomerKind, Seller

HOME = "DE"
# Member states of the European Union; from memory (grade M), which is one reason why the seller confirms the case.
MEMBER_STATES = frozenset(
    "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split()  # noqa: SIM905  # a list of codes reads better as one line of text
)


class Supply(StrEnum):
    """What is supplied; freight shares the treatment of the goods it carries."""

    GOODS = "goods"
    SERVICE = "service"
    FREIGHT = "freight"


class VatCase(StrEnum):
    """The treatments a proposal can state."""

    DOMESTIC = "domestic"
    INTRA_COMMUNITY = "intra-community"
    REVERSE_CHARGE = "reverse-charge"
    EXPORT = "export"


class VatQuestion(StrEnum):
    """What has to be answered before a treatment can be stated."""

    CUSTOMER_VAT_ID = "customer-vat-id"
    SELLER_VAT_ID = "seller-vat-id"
    PRIVATE_CUSTOMER = "private-customer"
    SERVICE_ABROAD = "service-abroad"  # services to a customer outside the EU
    NO_RATE = "no-rate"  # the catalogue knows no domestic rate for the date
    SELLER_COUNTRY = "seller-country"  # only sellers in Germany are covered


@dataclass(frozen=True, slots=True)
class VatTreatment:
    """The case per kind of supply. `questions` not empty: only net sums can be printed."""

    goods: VatCase | None
    service: VatCase | None
    domestic_rate: Decimal | None  # 0.19 for 19 %
    questions: tuple[VatQuestion, ...] = ()
    confirmed: bool = False  # by the seller

    def case_of(self, supply: Supply) -> VatCase | None:
        """The case of a line."""
        return self.service if supply is Supply.SERVICE else self.goods

    def rate_of(self, case: VatCase) -> Decimal:
        """The rate as a fraction: the domestic rate, or nothing."""
        return (self.domestic_rate or Decimal(0)) if case is VatCase.DOMESTIC else Decimal(0)


def domestic_rate(rates: Sequence[VatRate], country: str, as_of: date) -> Decimal | None:
    """The country's standard rate on a day as a fraction; None when the catalogue has none."""
    valid = [rate for rate in rates if rate.country == country and (rate.valid_from or date.min) <= as_of]
    if not valid:
        return None
    return max(valid, key=lambda rate: rate.valid_from or date.min).percent / 100


def propose(
    seller: Seller, customer: Customer, supplies: Collection[Supply], rates: Sequence[VatRate], as_of: date
) -> VatTreatment:
    """Propose the treatment of goods and services from where the parties are; ask what is not known."""
    rate = domestic_rate(rates, HOME, as_of)
    if seller.address.country != HOME:
        return VatTreatment(None, None, rate, (VatQuestion.SELLER_COUNTRY,))
    goods, service, questions = _cases(seller, customer, supplies)
    if VatCase.DOMESTIC in {goods, service} and rate is None:
        questions = (*questions, VatQuestion.NO_RATE)
    return VatTreatment(goods, service, rate, questions)


def _cases(
    seller: Seller, customer: Customer, supplies: Collection[Supply]
) -> tuple[VatCase | None, VatCase | None, tuple[VatQuestion, ...]]:
    if customer.country == HOME and customer.goes_to == HOME:
        if customer.kind is CustomerKind.PRIVATE:
            return VatCase.DOMESTIC, VatCase.DOMESTIC, (VatQuestion.PRIVATE_CUSTOMER,)
        return VatCase.DOMESTIC, VatCase.DOMESTIC, ()
    if customer.kind is CustomerKind.PRIVATE:
        return None, None, (VatQuestion.PRIVATE_CUSTOMER,)
    with_services = Supply.SERVICE in supplies
    questions: list[VatQuestion] = []
    goods = _goods_case(customer)
    needs_ids = goods is VatCase.INTRA_COMMUNITY or (with_services and customer.country in MEMBER_STATES - {HOME})
    if needs_ids and not customer.vat_id:
        questions.append(VatQuestion.CUSTOMER_VAT_ID)
    if needs_ids and not seller.vat_id:
        questions.append(VatQuestion.SELLER_VAT_ID)
    service: VatCase | None = VatCase.DOMESTIC if customer.country == HOME else VatCase.REVERSE_CHARGE
    if customer.country not in MEMBER_STATES:
        service = None
        if with_services:
            questions.append(VatQuestion.SERVICE_ABROAD)
    return goods, service, tuple(questions)


def _goods_case(customer: Customer) -> VatCase:
    if customer.goes_to == HOME:
        return VatCase.DOMESTIC
    return VatCase.INTRA_COMMUNITY if customer.goes_to in MEMBER_STATES else VatCase.EXPORT
