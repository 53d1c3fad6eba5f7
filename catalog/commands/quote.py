"""`quote`: the proposal of a consultation file as PDF."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from catalog.clock import today
from catalog.commands.proposals import proposal_of
from catalog.consultation.open import open_consultation
from catalog.disk import make_folder, write_atomically
from catalog.paper import for_archives, make_pdf
from catalog.register.issuing import Proposal, open_points, preview_of, quote_of
from engine.quote.document import Quote
from engine.quote.draft import DocumentKind
from engine.wording.findings import finding_text
from resources import ROOT, translations

EXAMPLE = ROOT.parent / "examples" / "lora-department-rack.passform.yaml"
EXAMPLE_OUTPUT = Path("out") / "passform-example.pdf"


def run(arguments: argparse.Namespace, out: TextIO) -> int:
    """Write the PDF; 1 when nothing fits, so that there is nothing to propose."""
    opened = open_consultation(arguments.file, today())
    if arguments.pdfa:
        opened = replace(opened, consultation=for_archives(opened.consultation))
    proposal = proposal_of(opened, arguments.file.parent, arguments.paper_language, arguments.language, out)
    if proposal is None:
        return 1
    if arguments.draft:
        return _write_draft(replace(proposal, vat_confirmed=arguments.vat_confirmed), arguments, out)
    return _write(quote_of(proposal, DocumentKind.RECOMMENDATION), proposal, arguments.output, arguments.language, out)


def example_proposal(out: TextIO, language: str) -> int:
    """Without a screen: say so, and show what Passform makes of the bundled example."""
    tr = translations(language)
    out.write(tr.gettext("There is no screen here, so the window cannot open.") + "\n")
    opened = open_consultation(EXAMPLE, today())
    make_folder(EXAMPLE_OUTPUT.parent)
    proposal = proposal_of(opened, EXAMPLE.parent, language, language, out)
    if proposal is None:
        return 1
    return _write(quote_of(proposal, DocumentKind.RECOMMENDATION), proposal, EXAMPLE_OUTPUT, language, out)


def _write_draft(proposal: Proposal, arguments: argparse.Namespace, out: TextIO) -> int:
    """The offer before it is issued, and what still stands between the two. The register is not asked."""
    tr = translations(arguments.language)
    quote = preview_of(proposal)
    _write(quote, proposal, arguments.output, arguments.language, out)
    out.write(tr.gettext("A draft: no number was taken, and nothing is in the register.") + "\n")
    left = open_points(quote, tr)
    if left:
        out.write(tr.gettext("This cannot be an offer yet:") + "\n")
        out.writelines(f"- {point}\n" for point in left)
    return 0


def _write(quote: Quote, proposal: Proposal, output: Path, language: str, out: TextIO) -> int:
    """Render and write; report what the paper could not show as given."""
    tr = translations(language)
    paper = make_pdf(quote, proposal.consultation, proposal.folder)
    write_atomically(paper.pdf, output)
    out.write(tr.gettext("Written: {file}").format(file=output) + "\n")
    out.writelines(f"- {finding_text(finding, tr)}\n" for finding in paper.findings)
    return 0
