"""`--selftest`: one consultation from the catalogue to a re-read PDF, then the window. The exit code tells."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import TextIO

import pypdfium2

from catalog.clock import today
from catalog.commands.quote import EXAMPLE
from catalog.consultation.customer import to_customer
from catalog.consultation.open import open_consultation
from catalog.paper_assets import report_assets
from engine.plan.recommend import recommend
from engine.quote.build import build_quote
from engine.quote.parties import Seller
from engine.report.document import render
from resources import LANGUAGES


def run(out: TextIO, window: Callable[[], bool]) -> int:
    """Report each step; 1 when one failed."""
    opened = open_consultation(EXAMPLE, today())
    out.write(f"catalogue {opened.catalog.facts.version}: {len(opened.catalog.facts.cards)} cards\n")
    recommendation = recommend(opened.scenario, opened.catalog.facts)
    if recommendation.chosen is None:
        out.write("plan: nothing fits\n")
        return 1
    out.write(f"plan: {recommendation.chosen.id}\n")
    for language in LANGUAGES:
        quote = build_quote(
            recommendation,
            opened.catalog.facts,
            Seller(),
            to_customer(opened.consultation),
            language,
            opened.scenario.as_of,
        )
        stream = BytesIO()
        render(quote, language, report_assets(language, archivable=True), stream)
        pages = _pages(stream.getvalue())
        out.write(f"paper {language}: {pages} pages\n")
        if pages == 0:
            return 1
    shown = window()
    out.write("window: shown and closed\n" if shown else "window: failed\n")
    return 0 if shown else 1


def _pages(content: bytes) -> int:
    document = pypdfium2.PdfDocument(content)
    try:
        return len(document)
    finally:
        document.close()
