"""The finished PDF: a quote drawn with fonts, words and logo, carrying its consultation. Window, command line and
register all make papers here, so that the same quote is the same file everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path

from catalog.attachments import carried_files
from catalog.consultation.document import Consultation
from catalog.data_sheets import appended, nothing_found, sheets_of
from catalog.letterhead import beneath, load_letterhead
from catalog.paper_assets import report_assets
from catalog.user_folder import user_folder
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

    Raises `PassformError` when the configuration of an own model is gone or a data sheet or
    the letterhead cannot be used.
    """
    from engine.report.document import render  # noqa: PLC0415  # reportlab costs 140 ms; only a paper needs it

    assets = report_assets(quote.language, archivable=consultation.quote.archivable)
    row = consultation.quote
    sheets = sheets_of(quote, user_folder(), assets.tr, archivable=row.archivable) if row.data_sheets else ()
    notes = tuple(sheet.note for sheet in sheets)
    letterhead = load_letterhead(user_folder(), archivable=row.archivable)
    assets = replace(
        assets,
        attachments=carried_files(consultation, quote, folder),
        sheets=notes,
        has_letterhead=letterhead is not None,
    )
    stream = BytesIO()
    report = render(quote, quote.language, assets, stream)
    pdf = stream.getvalue()
    if letterhead is not None:
        pdf = beneath(pdf, letterhead, report.pages)
    if sheets:
        pdf = appended(pdf, sheets)
    return FinishedPaper(pdf, (*report.findings, *(nothing_found(sheets) if row.data_sheets else ())))
