"""The e-mail that goes with a proposal, and the name of its file."""

from __future__ import annotations

from dataclasses import dataclass

from engine.quote.document import Quote
from engine.quote.draft import DocumentKind
from engine.wording import numbers
from engine.wording.descriptions import plan_title
from engine.wording.quotes import word
from engine.wording.translator import Language, Translator

MAX_NAME = 40


@dataclass(frozen=True, slots=True)
class Email:
    """Subject and plain text. The seller's duties stand under the text, as on every business letter."""

    subject: str
    text: str
    file_name: str


def email(quote: Quote, tr: Translator, language: Language) -> Email:
    """The e-mail in the document's language; nothing in it that is not on the paper."""
    _ = tr.gettext
    title = f"{word(quote.kind, tr)} {quote.number}".strip()
    if quote.revision > 1:
        title = _("{number} Rev. {revision}").format(number=title, revision=quote.revision)
    lines = [_("Dear Sir or Madam,"), "", _("Please find attached our document: {title}.").format(title=title)]
    if quote.advice is not None:
        plan = quote.advice.chosen
        text = _("In short: {system} for your fine-tuning tasks.")
        if plan.serving:
            text = _("In short: {system} for the models you serve.")
            if plan.placements:
                text = _("In short: {system} for your fine-tuning tasks and the models you serve.")
        lines.append(text.format(system=plan_title(plan)))
    if quote.kind is DocumentKind.OFFER:
        until = numbers.long_date(quote.valid_until, language)
        lines.append(_("It is valid until the end of {date}.").format(date=until))
    else:
        lines.append(_("It is not a binding offer; prices are indicative."))
    lines += ["", _("Kind regards"), quote.seller.contact.name, *_signature(quote, tr)]
    return Email(title, "\n".join(line for line in lines if line is not None).strip() + "\n", file_name(quote, tr))


def file_name(quote: Quote, tr: Translator) -> str:
    """Kind, number, revision and customer: no project, no path, no login."""
    parts = [word(quote.kind, tr), quote.number, f"Rev{quote.revision}" if quote.revision > 1 else ""]
    parts.append(quote.customer.company)
    return "_".join(_plain(part) for part in parts if _plain(part)) + ".pdf"


def _plain(text: str) -> str:
    """What every file system takes."""
    kept = "".join(sign if sign.isalnum() or sign in "-." else "-" for sign in text)
    return "-".join(part for part in kept.split("-") if part)[:MAX_NAME].strip("-.")


def _signature(quote: Quote, tr: Translator) -> list[str]:
    """§ 35a GmbHG and its kin hold for e-mails as well."""
    seller = quote.seller
    if not seller.name:
        return []
    lines = ["", "--", seller.name, f"{seller.address.street}, {seller.address.postal_code} {seller.address.city}"]
    register = seller.register
    if register.court:
        seat = tr.gettext("Seat: {seat}").format(seat=register.seat)
        lines.append(f"{seat}, {register.court} {register.number}")
    if seller.directors:
        lines.append(tr.gettext("Managing directors: {names}").format(names=", ".join(seller.directors)))
    if seller.vat_id:
        lines.append(tr.gettext("VAT ID {id}").format(id=seller.vat_id))
    return lines
