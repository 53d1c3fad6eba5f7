"""The finished PDF: a quote drawn with fonts, words and logo, carrying its consultation. Window, command line and
register all make papers here, so that the same quote is the same file everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path

from catalog.attachments import carried_files
from catalog.consultation.document import Consultation
from catalog.paper_assets import report_assets
from engine.quote.document import Quote
from engine.wording.findings import Finding


@dataclass(frozen=True, slots=True)
class FinishedPaper:
    """The file and what it could not show as given."""

    pdf: bytes
    findings: tuple[Finding, ...]


def for_archives(consultation: Consultation) -> Consultation:
    """The consultation with a paper made for archives (PDF/A-3b)."""
    return consultation.model_copy(update={"quote": consultation.quote.model_copy(update={"archivable": True})})


def make_pdf(quote: Quote, consultation: Consultation, folder: Path) -> FinishedPaper:
    """Draw the quote in its language, for archives where the consultation says so. `folder`: where its paths start.

    Raises `PassformError` when the configuration of an own model is gone.
    """
    from engine.report.document import render  # noqa: PLC0415  # reportlab costs 140 ms; only a paper needs it

    assets = report_assets(quote.language, archivable=consultation.quote.archivable)
    assets = replace(assets, attachments=carried_files(consultation, quote, folder))
    stream = BytesIO()
    report = render(quote, quote.language, assets, stream)
    return FinishedPaper(stream.getvalue(), report.findings)
