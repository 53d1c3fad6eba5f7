"""`quote`: the proposal of a consultation file as PDF."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TextIO

from catalog.clock import today
from catalog.consultation.files import write_atomically
from catalog.consultation.open import OpenConsultation, open_consultation
from catalog.paper import make_pdf
from catalog.register.issuing import Proposal, quote_of
from catalog.seller import load_seller
from engine.plan.recommend import recommend
from engine.quote.draft import DocumentKind
from engine.wording.findings import finding_text
from resources import ROOT, translations

EXAMPLE = ROOT.parent / "examples" / "lora-department-rack.passform.yaml"
EXAMPLE_OUTPUT = Path("out") / "passform-example.pdf"


def run(arguments: argparse.Namespace, out: TextIO) -> int:
    """Write the PDF; 1 when nothing fits, so that there is nothing to propose."""
    opened = open_consultation(arguments.file, today())
    paper_language = arguments.paper_language or opened.consultation.language
    return write_proposal(opened, arguments.file.parent, arguments.output, paper_language, arguments.language, out)


def example_proposal(out: TextIO, language: str) -> int:
    """Without a screen: say so, and show what Passform makes of the bundled example."""
    tr = translations(language)
    out.write(tr.gettext("There is no screen here, so the window cannot open.") + "\n")
    opened = open_consultation(EXAMPLE, today())
    EXAMPLE_OUTPUT.parent.mkdir(exist_ok=True)
    return write_proposal(opened, EXAMPLE.parent, EXAMPLE_OUTPUT, language, language, out)


def write_proposal(
    opened: OpenConsultation, folder: Path, output: Path, paper_language: str, language: str, out: TextIO
) -> int:
    """Compute, render and write; report what the paper could not show as given."""
    tr = translations(language)
    recommendation = recommend(opened.scenario, opened.catalog.facts)
    if recommendation.chosen is None:
        out.write(tr.gettext("Nothing in the catalogue carries these workloads.") + "\n")
        return 1
    proposal = Proposal(
        opened.consultation, recommendation, opened.catalog.facts, load_seller(), folder, language=paper_language
    )
    # Offers come from the register alone: it gives the number.
    paper = make_pdf(quote_of(proposal, DocumentKind.RECOMMENDATION), opened.consultation, folder)
    write_atomically(paper.pdf, output)
    out.write(tr.gettext("Written: {file}").format(file=output) + "\n")
    out.writelines(f"- {finding_text(finding, tr)}\n" for finding in paper.findings)
    return 0
