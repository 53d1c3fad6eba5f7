"""What `quote`, `export` and issuing have in common: from a consultation to what its paper is made of."""

from __future__ import annotations

from pathlib import Path
from typing import TextIO

from catalog.consultation.open import OpenConsultation
from catalog.register.issuing import Proposal
from catalog.seller import load_seller
from engine.plan.recommend import recommend
from engine.quote.build import names_of
from engine.wording.reasons import sentence
from resources import translations


def proposal_of(
    opened: OpenConsultation, folder: Path, paper_language: str | None, language: str, out: TextIO
) -> Proposal | None:
    """The recommendation with seller and folder; None, and said so in `language`, when nothing fits.

    Without `paper_language` the paper speaks the consultation's.
    """
    facts = opened.catalog.facts
    recommendation = recommend(opened.scenario, facts)
    if recommendation.chosen is None:
        tr, names = translations(language), names_of(facts, recommendation)
        out.write(tr.gettext("Nothing in the catalogue carries these workloads.") + "\n")
        out.writelines(f"- {sentence(reason, tr, language, names)}\n" for reason in recommendation.beyond)
        return None
    return Proposal(opened.consultation, recommendation, facts, load_seller(), folder, language=paper_language or "")
