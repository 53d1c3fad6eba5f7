"""From a recommendation to the bytes of the paper: the same steps as the command line takes. No Qt."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from catalog.consultation.document import Consultation
from catalog.paper import make_pdf
from catalog.register.issuing import Proposal, open_points, preview_of, quote_of
from catalog.seller import load_seller
from engine.facts import Facts
from engine.plan.types import Recommendation
from engine.quote.draft import DocumentKind
from engine.wording.findings import finding_text
from resources import translations


@dataclass(frozen=True, slots=True)
class Paper:
    """A rendered proposal."""

    pdf: bytes
    remarks: tuple[str, ...]  # what the paper could not show as given, in the window's language
    missing: tuple[str, ...] = ()  # what stands between a draft and the offer, likewise
    draft: bool = False


def make_paper(
    document: Consultation, folder: Path, recommendation: Recommendation, facts: Facts, window_language: str
) -> Paper:
    """Render the recommendation, or the draft of an offer, without a number and in the document's language.

    `folder` is where the document's paths start. Raises `PassformError` when it cannot be made.
    """
    proposal = Proposal(document, recommendation, facts, load_seller(), folder)
    tr = translations(window_language)
    # Offers and numbers come from the register alone.
    offer = document.quote.kind is DocumentKind.OFFER
    quote = preview_of(proposal) if offer else quote_of(proposal, DocumentKind.RECOMMENDATION)
    missing = open_points(quote, tr) if offer else ()
    made = make_pdf(quote, document, folder)
    return Paper(made.pdf, tuple(finding_text(finding, tr) for finding in made.findings), missing, draft=quote.preview)
