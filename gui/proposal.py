"""From a recommendation to the bytes of the paper: the same steps as the command line takes. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from catalog.consultation.document import Consultation
from catalog.consultation.quote_draft import to_draft
from catalog.paper import make_pdf
from catalog.seller import load_seller
from engine.facts import Facts
from engine.plan.types import Recommendation
from engine.quote.build import release_quote
from engine.quote.draft import DocumentKind
from engine.wording.findings import finding_text
from resources import translations


@dataclass(frozen=True, slots=True)
class Paper:
    """A rendered proposal."""

    pdf: bytes
    remarks: tuple[str, ...]  # what the paper could not show as given, in the window's language


def make_paper(
    document: Consultation, folder: Path, recommendation: Recommendation, facts: Facts, window_language: str
) -> Paper:
    """Render the recommendation, without a number, in the document's language; `folder` is where its paths start.

    Raises `PassformError` when it cannot be made.
    """
    draft = to_draft(document, recommendation, facts, load_seller())
    # Offers and numbers come from the register alone.
    unnumbered = replace(draft, kind=DocumentKind.RECOMMENDATION, number="")
    quote = release_quote(unnumbered, recommendation, facts)
    made = make_pdf(quote, document, folder)
    tr = translations(window_language)
    return Paper(made.pdf, tuple(finding_text(finding, tr) for finding in made.findings))
