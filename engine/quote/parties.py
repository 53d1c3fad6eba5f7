"""Seller and customer as they may appear on a customer document, and what a seller must state on it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class LegalForm(StrEnum):
    """Legal forms with duties of their own on business letters."""

    GMBH = "gmbh"
    UG = "ug"
    AG = "ag"
    KG = "kg"
    GMBH_CO_KG = "gmbh-co-kg"
    OHG = "ohg"
    EK = "ek"  # registered merchant
    SOLE = "sole"  # not registered


class SellerField(StrEnum):
    """What a seller profile can be missing."""

    NAME = "name"
    LEGAL_FORM = "legal-form"
    ADDRESS = "address"
    SEAT = "seat"
    REGISTER_COURT = "register-court"
    REGISTER_NUMBER = "register-number"
    DIRECTORS = "directors"  # all managing directors or board members, surname and one first name in full
    BOARD_CHAIR = "board-chair"
    SUPERVISORY_CHAIR = "supervisory-chair"
    GENERAL_PARTNER = "general-partner"
    VAT_ID = "vat-id"
    CONTACT = "contact"


@dataclass(frozen=True, slots=True)
class Address:
    """A postal address. `country` is an ISO 3166 code."""

    street: str = ""
    postal_code: str = ""
    city: str = ""
    country: str = "DE"

    @property
    def complete(self) -> bool:
        """Whether a letter would arrive."""
        return bool(self.street and self.postal_code and self.city and self.country)


@dataclass(frozen=True, slots=True)
class RegisterEntry:
    """Registered seat, court and number."""

    seat: str = ""
    court: str = ""
    number: str = ""


@dataclass(frozen=True, slots=True)
class GeneralPartner:
    """The company that is general partner of a GmbH & Co. KG, with its own register entry and directors."""

    name: str = ""
    register: RegisterEntry = field(default_factory=RegisterEntry)
    directors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Contact:
    """Whom the customer talks to."""

    name: str = ""
    phone: str = ""
    email: str = ""


@dataclass(frozen=True, slots=True)
class Bank:
    """Where the customer pays."""

    name: str = ""
    iban: str = ""
    bic: str = ""


@dataclass(frozen=True, slots=True)
class Seller:
    """The seller's public profile."""

    name: str = ""
    legal_form: LegalForm | None = None
    address: Address = field(default_factory=Address)
    register: RegisterEntry = field(default_factory=RegisterEntry)
    directors: tuple[str, ...] = ()
    board_chair: str = ""
    supervisory_chair: str = ""
    partner: GeneralPartner | None = None
    vat_id: str = ""
    weee_number: str = ""  # as registered, e.g. "DE 12345678"; empty for a pure reseller
    web: str = ""
    contact: Contact = field(default_factory=Contact)
    bank: Bank | None = None
    duties_on_letterhead: bool = False  # the letterhead states them, so the paper need not
    validity_days: int = 30  # of an offer that states no period of its own
    general_terms: tuple[tuple[str, str], ...] = ()  # language and full text, printed in offers before the acceptance

    def missing(self) -> tuple[SellerField, ...]:
        """What an offer would have to state and this profile does not."""
        checks = {
            SellerField.NAME: self.name,
            SellerField.LEGAL_FORM: self.legal_form,
            SellerField.ADDRESS: self.address.complete,
            SellerField.VAT_ID: self.vat_id,
            SellerField.CONTACT: self.contact.name and (self.contact.phone or self.contact.email),
            **self._form_checks(),
        }
        return tuple(name for name in SellerField if name in checks and not checks[name])

    def _form_checks(self) -> dict[SellerField, object]:
        """Duties by legal form: § 35a GmbHG, § 80 AktG, §§ 125a, 177a and 37a HGB."""
        if self.legal_form in {None, LegalForm.SOLE}:
            return {}
        checks: dict[SellerField, object] = {
            SellerField.SEAT: self.register.seat,
            SellerField.REGISTER_COURT: self.register.court,
            SellerField.REGISTER_NUMBER: self.register.number,
        }
        if self.legal_form in {LegalForm.GMBH, LegalForm.UG, LegalForm.AG}:
            checks[SellerField.DIRECTORS] = self.directors
        if self.legal_form is LegalForm.AG:
            checks[SellerField.BOARD_CHAIR] = self.board_chair
            checks[SellerField.SUPERVISORY_CHAIR] = self.supervisory_chair
        if self.legal_form is LegalForm.GMBH_CO_KG:
            checks[SellerField.GENERAL_PARTNER] = (
                self.partner is not None
                and self.partner.name
                and all((self.partner.register.seat, self.partner.register.court, self.partner.register.number))
                and self.partner.directors
            )
        return checks


class CustomerKind(StrEnum):
    """Who buys; it decides about VAT and about public procurement wording."""

    BUSINESS = "business"
    PUBLIC = "public"
    PRIVATE = "private"


@dataclass(frozen=True, slots=True)
class Customer:
    """The addressee. `lines` are the lines of the address field below the company, without the country."""

    company: str = ""
    contact: str = ""
    lines: tuple[str, ...] = ()
    country: str = "DE"
    delivery_country: str = ""  # empty: the customer's own
    kind: CustomerKind = CustomerKind.BUSINESS
    vat_id: str = ""
    number: str = ""
    reference: str = ""
    cost_centre: str = ""

    @property
    def goes_to(self) -> str:
        """The country the goods go to."""
        return self.delivery_country or self.country
