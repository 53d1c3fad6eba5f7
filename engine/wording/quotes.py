"""Words for the closed sets of a quote, and the sentences that hang on them."""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum

from engine.quote.document import Obstacle, Quote
from engine.quote.draft import Chapter, DocumentKind, LineKind, Measure, SectionRole
from engine.quote.parties import CustomerKind, LegalForm, SellerField
from engine.quote.totals import VatSum
from engine.quote.vat import Supply, VatCase, VatQuestion
from engine.wording import numbers
from engine.wording.translator import Language, Translator, mark

_WORDS: dict[tuple[type[StrEnum], str], str] = {
    (type(member), member.value): word
    for member, word in (
        (DocumentKind.RECOMMENDATION, mark("Configuration recommendation")),
        (DocumentKind.OFFER, mark("Quotation")),
        (Chapter.VARIANTS, mark("Other complete systems")),
        (Chapter.EDITIONS, mark("Editions side by side")),
        (Chapter.OTHERS, mark("Why the others stand behind it")),
        (Chapter.RENTING, mark("Rent or buy")),
        (Chapter.SIZING, mark("Annex: the sizing in numbers")),
        (Chapter.ACCEPTANCE, mark("Annex: acceptance test plan")),
        (Chapter.SETTINGS, mark("Annex: training settings")),
        (LineKind.BASE, mark("Position")),
        (LineKind.ALTERNATIVE, mark("Alternative")),
        (LineKind.OPTIONAL, mark("Optional")),
        (LineKind.INCLUDED, mark("Included")),
        (LineKind.TEXT, mark("Text")),
        (Measure.PIECE, mark("pc.")),
        (Measure.HOUR, mark("h")),
        (Measure.DAY, mark("days")),
        (Measure.MONTH, mark("months")),
        (Measure.LUMP_SUM, mark("lump sum")),
        (SectionRole.SYSTEM, mark("GPU system")),
        (SectionRole.SERVICES, mark("Services")),
        (SectionRole.FREIGHT, mark("Freight")),
        (SectionRole.FREE, mark("Further positions")),
        (Supply.GOODS, mark("Goods")),
        (Supply.SERVICE, mark("Service")),
        (Supply.FREIGHT, mark("Freight")),
        (CustomerKind.BUSINESS, mark("Business")),
        (CustomerKind.PUBLIC, mark("Public body")),
        (CustomerKind.PRIVATE, mark("Private customer")),
        (LegalForm.GMBH, mark("GmbH")),
        (LegalForm.UG, mark("UG (haftungsbeschränkt)")),
        (LegalForm.AG, mark("AG")),
        (LegalForm.KG, mark("KG")),
        (LegalForm.GMBH_CO_KG, mark("GmbH & Co. KG")),
        (LegalForm.OHG, mark("OHG")),
        (LegalForm.EK, mark("e. K.")),
        (LegalForm.SOLE, mark("Sole proprietor, not registered")),
        (SellerField.NAME, mark("the seller's name")),
        (SellerField.LEGAL_FORM, mark("legal form")),
        (SellerField.ADDRESS, mark("the seller's address")),
        (SellerField.SEAT, mark("registered seat")),
        (SellerField.REGISTER_COURT, mark("register court")),
        (SellerField.REGISTER_NUMBER, mark("register number")),
        (SellerField.DIRECTORS, mark("managing directors or board members")),
        (SellerField.BOARD_CHAIR, mark("chair of the board")),
        (SellerField.SUPERVISORY_CHAIR, mark("chair of the supervisory board")),
        (SellerField.GENERAL_PARTNER, mark("general partner with register entry and directors")),
        (SellerField.VAT_ID, mark("VAT ID")),
        (SellerField.CONTACT, mark("contact person with phone or e-mail")),
        (VatCase.DOMESTIC, mark("VAT")),
        (VatCase.INTRA_COMMUNITY, mark("VAT-exempt intra-community supply")),
        (VatCase.REVERSE_CHARGE, mark("Reverse charge: the recipient owes the VAT")),
        (VatCase.EXPORT, mark("VAT-exempt export supply")),
        (VatQuestion.CUSTOMER_VAT_ID, mark("The customer's VAT ID is missing.")),
        (VatQuestion.SELLER_VAT_ID, mark("The seller's VAT ID is missing.")),
        (VatQuestion.PRIVATE_CUSTOMER, mark("The VAT treatment of a private customer must be clarified.")),
        (VatQuestion.SERVICE_ABROAD, mark("The VAT treatment of services outside the EU must be clarified.")),
        (VatQuestion.NO_RATE, mark("The catalogue knows no VAT rate for this date.")),
        (VatQuestion.SELLER_COUNTRY, mark("The VAT treatment is only proposed for sellers in Germany.")),
        (Obstacle.SELLER_INCOMPLETE, mark("The seller profile is incomplete.")),
        (Obstacle.NO_NUMBER, mark("The quotation has no number.")),
        (Obstacle.CUSTOMER_INCOMPLETE, mark("The customer's company or address is missing.")),
        (Obstacle.PRICE_ON_REQUEST, mark("At least one position has no price.")),
        (Obstacle.PRICE_NOT_SELLERS, mark("At least one price is a guide price, not the seller's own.")),
        (Obstacle.VAT_OPEN, mark("The VAT treatment is not clarified.")),
        (Obstacle.VAT_UNCONFIRMED, mark("The VAT treatment is not confirmed by the seller.")),
        (Obstacle.NO_LINES, mark("There is no position.")),
        (Obstacle.CARDS_MISSING, mark("The positions do not hold every card of the recommended system.")),
        (Obstacle.FITS_NOT, mark("The recommended system does not carry every task for certain.")),
    )
}

_SINGULARS = {Measure.DAY: mark("day"), Measure.MONTH: mark("month")}


def word(member: StrEnum, tr: Translator) -> str:
    """The word or sentence for a member of a quote's closed sets."""
    return tr.gettext(_WORDS[type(member), member.value])


def vat_text(item: VatSum, tr: Translator, language: Language) -> str:
    """What the VAT line of a case says."""
    if item.case is VatCase.DOMESTIC:
        rate = numbers.percent(item.rate, language, 0 if item.rate * 100 == round(item.rate * 100) else 1)
        return tr.gettext("VAT {rate} on {net}").format(rate=rate, net=numbers.money(item.net, language))
    return tr.gettext("{case}, 0% VAT on {net}").format(case=word(item.case, tr), net=numbers.money(item.net, language))


def quantity_text(quantity: Decimal, measure: Measure, tr: Translator, language: Language) -> str:
    """A quantity with its unit; a lump sum has no number."""
    if measure is Measure.LUMP_SUM:
        return word(measure, tr)
    return numbers.with_unit(numbers.plain(quantity, language), unit_text(quantity, measure, tr))


def unit_text(quantity: Decimal, measure: Measure, tr: Translator) -> str:
    """The unit as it stands beside a quantity."""
    return tr.gettext(_SINGULARS[measure]) if quantity == 1 and measure in _SINGULARS else word(measure, tr)


def missing_for_offer(quote: Quote, tr: Translator) -> tuple[str, ...]:
    """What stands between this document and an offer, one sentence each, for the person at the screen."""
    sentences = []
    for obstacle in quote.obstacles:
        text = word(obstacle, tr)
        if obstacle is Obstacle.SELLER_INCOMPLETE:
            lacking = ", ".join(word(item, tr) for item in quote.seller_missing)
            text = tr.gettext("The seller profile lacks: {fields}.").format(fields=lacking)
        elif obstacle is Obstacle.VAT_OPEN:
            text = " ".join([text, *(word(question, tr) for question in quote.vat_questions)])
        sentences.append(text)
    return tuple(sentences)
