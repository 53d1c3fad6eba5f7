"""From a recommendation to a stored document: the number, the paper that bears it, and the register, in one step."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from catalog.consultation.document import Consultation
from catalog.consultation.files import to_text
from catalog.consultation.quote_draft import to_draft
from catalog.paper import make_pdf
from catalog.register.types import Entry, Issue, Made
from engine.facts import Facts
from engine.plan.types import Recommendation
from engine.quote.build import release_quote
from engine.quote.document import Obstacle, Quote
from engine.quote.draft import DocumentKind, QuoteDraft
from engine.quote.parties import Seller
from engine.wording.findings import Finding
from engine.wording.quotes import missing_for_offer
from engine.wording.translator import Translator

if TYPE_CHECKING:  # the preview of a draft needs no database, whose library takes 28 MB
    from catalog.register.register import Register
    from catalog.register.settings import RegisterSettings


@dataclass(frozen=True, slots=True)
class Proposal:
    """Everything a document is made of. `folder` is where the consultation's paths start."""

    consultation: Consultation
    recommendation: Recommendation
    facts: Facts
    seller: Seller
    folder: Path
    language: str = ""  # empty: the consultation's
    vat_confirmed: bool = False  # the seller confirms the VAT treatment now, whatever the consultation says


@dataclass(frozen=True, slots=True)
class Issued:
    """A stored document and what its paper could not show as given."""

    entry: Entry
    pdf: bytes
    findings: tuple[Finding, ...]


def quote_of(proposal: Proposal, kind: DocumentKind, number: str = "", revision: int = 1) -> Quote:
    """The quote as it would be printed. Raises `QuoteNotReadyError` when an offer cannot be made yet."""
    draft = replace(_draft(proposal), kind=kind, number=number, revision=revision)
    return release_quote(draft, proposal.recommendation, proposal.facts)


def preview_of(proposal: Proposal) -> Quote:
    """The offer as it would be issued, marked as a draft: no number is taken, and what is missing does not stop it."""
    draft = replace(_draft(proposal), kind=DocumentKind.OFFER)
    return release_quote(draft, proposal.recommendation, proposal.facts, preview=True)


def hindrances(proposal: Proposal, tr: Translator) -> tuple[str, ...]:
    """What stands between the proposal and an offer, one sentence each. The number does not: the register gives it."""
    return open_points(quote_of(proposal, DocumentKind.RECOMMENDATION), tr)


def open_points(quote: Quote, tr: Translator) -> tuple[str, ...]:
    """The same of a quote that is made already, for example of a draft."""
    left = tuple(item for item in quote.obstacles if item is not Obstacle.NO_NUMBER)
    return missing_for_offer(replace(quote, obstacles=left), tr)


def issue(
    register: Register,
    settings: RegisterSettings,
    proposal: Proposal,
    kind: DocumentKind,
    *,
    today: date,
    request: str = "",
) -> Issued:
    """Number, draw and store a new document. Nothing is numbered when anything fails.

    Raises `QuoteNotReadyError`, `RegisterError` and whatever drawing the paper raises.
    """
    findings: list[Finding] = []
    year = quote_of(proposal, DocumentKind.RECOMMENDATION).as_of.year
    entry = register.store(
        kind,
        year,
        settings.pattern(kind),
        lambda issue: _make(proposal, kind, issue, findings),
        today=today,
        author=proposal.seller.contact.name,
        request=request,
        follow_up=settings.follow_up(today),
    )
    return Issued(entry, register.pdf(entry.number), tuple(findings))


def reissue(register: Register, number: str, proposal: Proposal, *, today: date, request: str = "") -> Issued:
    """Draw and store the next revision of a document under its number; the one before becomes superseded."""
    findings: list[Finding] = []
    kind = register.entry(number, today).kind
    entry = register.revise(
        number,
        lambda issue: _make(proposal, kind, issue, findings),
        today=today,
        author=proposal.seller.contact.name,
        request=request,
    )
    return Issued(entry, register.pdf(number), tuple(findings))


def _draft(proposal: Proposal) -> QuoteDraft:
    draft = to_draft(proposal.consultation, proposal.recommendation, proposal.facts, proposal.seller, proposal.language)
    return replace(draft, vat=replace(draft.vat, confirmed=draft.vat.confirmed or proposal.vat_confirmed))


def _make(proposal: Proposal, kind: DocumentKind, issue: Issue, findings: list[Finding]) -> Made:
    quote = quote_of(proposal, kind, issue.number, issue.revision)
    numbered = proposal.consultation.model_copy(
        update={"quote": proposal.consultation.quote.model_copy(update={"kind": kind, "number": issue.number})}
    )
    paper = make_pdf(quote, numbered, proposal.folder)
    findings[:] = paper.findings
    return Made(quote, paper.pdf, to_text(numbered))
