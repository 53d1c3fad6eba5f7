"""`export`: the proposal of a consultation file as PDF, XLSX, CSV, JSON or e-mail text, from one calculation."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from io import BytesIO
from pathlib import Path
from typing import TextIO

from catalog.clock import today
from catalog.commands.proposals import proposal_of
from catalog.consultation.open import open_consultation
from catalog.disk import write_atomically
from catalog.paper import make_pdf
from catalog.register.issuing import quote_of
from engine.quote.document import Quote
from engine.quote.draft import DocumentKind
from engine.quote.form import quote_json
from engine.wording.email import email
from engine.wording.translator import Language, Translator
from resources import translations

BYTE_ORDER_MARK = "\ufeff"
"""Without it spreadsheets take UTF-8 for an older encoding."""


def run(arguments: argparse.Namespace, out: TextIO) -> int:
    """Write `output` in `format`; 1 when nothing fits, so that there is nothing to propose."""
    tr = translations(arguments.language)
    opened = open_consultation(arguments.file, today())
    folder: Path = arguments.file.parent
    proposal = proposal_of(opened, folder, arguments.paper_language, arguments.language, out)
    if proposal is None:
        return 1
    quote = quote_of(proposal, DocumentKind.RECOMMENDATION)
    if arguments.format == "pdf":
        content = make_pdf(quote, opened.consultation, folder).pdf
    else:
        content = exported(quote, arguments.format)
    write_atomically(content, arguments.output)
    out.write(tr.gettext("Written: {file}").format(file=arguments.output) + "\n")
    return 0


def exported(quote: Quote, file_format: str) -> bytes:
    """A quote as `xlsx`, `csv`, `json` or `email`, in the quote's own language."""
    return FORMATS[file_format](quote, translations(quote.language))


def _xlsx(quote: Quote, tr: Translator) -> bytes:
    from engine.report.spreadsheet import write_xlsx  # noqa: PLC0415  # the paper's parts only when one is made

    stream = BytesIO()
    write_xlsx(quote, quote.language, tr, stream)
    return stream.getvalue()


def _csv(quote: Quote, tr: Translator) -> bytes:
    from engine.report.spreadsheet import csv_text  # noqa: PLC0415  # as above

    return (BYTE_ORDER_MARK + csv_text(quote, quote.language, tr)).encode()


def _json(quote: Quote, _tr: Translator) -> bytes:
    return quote_json(quote)


def _email(quote: Quote, tr: Translator) -> bytes:
    made = email(quote, tr, Language(quote.language))
    head = tr.gettext("Subject: {subject}").format(subject=made.subject)
    attached = tr.gettext("Attachment: {file}").format(file=made.file_name)
    return f"{head}\n{attached}\n\n{made.text}".encode()


FORMATS: Mapping[str, Callable[[Quote, Translator], bytes]] = {
    "xlsx": _xlsx,
    "csv": _csv,
    "json": _json,
    "email": _email,
}
