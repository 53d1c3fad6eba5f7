"""How long a proposal takes, beside a bare reportlab document with the same tables and as many pages.

Run as `python -m benchmarks.paper`. Prints medians of CPU times. The paper should stay under 300 ms and under 1.5 times
the bare document, which gets the finished texts and only lays them out, in one style of the same font, with reportlab
as it comes.
"""

from __future__ import annotations

import gc
import html
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from io import BytesIO

from reportlab import rl_config
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import Flowable, Paragraph, SimpleDocTemplate, Table

from catalog.load import load_catalog
from catalog.paper_assets import report_assets
from engine.methods import Method, Recipe
from engine.plan.recommend import recommend
from engine.quote.build import build_quote
from engine.quote.document import Quote
from engine.quote.parties import Customer, Seller
from engine.report.document import paper_of, render, story_of
from engine.report.position_table import PositionTable
from engine.workload import Place, Priority, Scenario, Site, Workload

ROUNDS = 15
STOCK = "Stock"


def quote() -> Quote:
    """A proposal of three tasks, about twelve pages."""
    facts = load_catalog().facts
    workloads = (
        Workload("Vertragsassistent", facts.models["llama-3.3-70b"], Recipe(Method.LORA), 4096),
        Workload("Service-Chat", facts.models["qwen3-32b"], Recipe(Method.LORA), 8192),
        Workload("Klassifikation", facts.models["llama-3.1-8b"], Recipe(Method.QLORA), 2048),
    )
    day = date(2026, 11, 30)
    scenario = Scenario(workloads, Site(Place.RACK), frozenset(), Priority.PURCHASE_PRICE, "EUR", day)
    return build_quote(recommend(scenario, facts), facts, Seller(), Customer(company="Beispiel AG"), "de", day)


Texts = str | list[list[str]]


def texts_of(made: Quote) -> list[Texts]:
    """The words of every paragraph and table of the paper."""
    found: list[Texts] = []
    for part in story_of(paper_of(made, "de", report_assets("de"))):
        if isinstance(part, Paragraph):
            found.append(part.getPlainText())
        elif isinstance(part, PositionTable):
            found.append([cells for row in part.rows for cells in table_texts(row.block)])
        elif isinstance(part, Table):
            found.append(table_texts(part))
    return found


def table_texts(table: Table) -> list[list[str]]:
    """Rows of plain texts; tables inside cells are read as one text."""
    return [[cell_text(cell) for cell in row] for row in table._cellvalues]


def cell_text(cell: object) -> str:
    """All words of a cell."""
    if isinstance(cell, Paragraph):
        return str(cell.getPlainText())
    if isinstance(cell, Table):
        return " ".join(text for row in table_texts(cell) for text in row)
    if isinstance(cell, list | tuple):
        return " ".join(cell_text(item) for item in cell)
    return cell if isinstance(cell, str) else ""


def bare_story(texts: list[Texts], font: str) -> list[Flowable]:
    """The same words in reportlab's sample style and the same embedded font."""
    style = ParagraphStyle("bare", fontName=font, fontSize=8)
    story: list[Flowable] = []
    for item in texts:
        if isinstance(item, str):
            story.append(Paragraph(html.escape(item), style))
        else:
            rows = [[Paragraph(html.escape(text), style) for text in row] for row in item]
            story += [Table([row], colWidths=[450 / len(row)] * len(row)) for row in rows]
    return story


def stock_font(content: bytes) -> str:
    """The same font as reportlab itself would use it, beside ours.

    Put there by hand as well: under any name, `registerFont` keeps the font object it first saw of a typeface, ours.
    """
    font = TTFont(STOCK, BytesIO(content))
    pdfmetrics.registerFont(font)
    pdfmetrics._fonts[STOCK] = font
    return STOCK


def bare_document(texts: list[Texts], font: str) -> None:
    """Lay out the texts as reportlab comes, with text encoded streams, which the paper does without."""
    ours, rl_config.useA85 = rl_config.useA85, 1
    try:
        SimpleDocTemplate(BytesIO()).build(bare_story(texts, font))
    finally:
        rl_config.useA85 = ours


@dataclass(frozen=True, slots=True)
class Pair:
    """Processor times of the same pages, in milliseconds. `first_ms` is the first paper of this process."""

    pages: int
    first_ms: float
    paper_ms: float
    bare_ms: float
    ratio: float  # median of the rounds' ratios: what slows a round slows both of its halves


def cpu_ms(work: Callable[[], object]) -> float:
    """Processor time of one call."""
    start = time.process_time()
    work()
    return (time.process_time() - start) * 1000


def pair(rounds: int = ROUNDS) -> Pair:
    """Paper and bare document, by turns."""
    made, assets = quote(), report_assets("de")
    pages: list[int] = []

    def ours() -> None:
        pages.append(render(made, "de", assets, BytesIO()).pages)

    gc.collect()  # what was measured before in this process leaves its garbage to the first paper otherwise
    first = cpu_ms(ours)
    texts, font = texts_of(made), stock_font(assets.regular)
    bare_document(texts, font)
    times = [(cpu_ms(ours), cpu_ms(lambda: bare_document(texts, font))) for _ in range(rounds)]
    return Pair(
        pages[0],
        first,
        statistics.median(paper for paper, _ in times),
        statistics.median(bare for _, bare in times),
        statistics.median(paper / bare for paper, bare in times),
    )


def main() -> None:
    found = pair()
    print(
        f"{found.pages} pages: first {found.first_ms:.0f} ms, paper {found.paper_ms:.0f} ms, "
        f"bare document {found.bare_ms:.0f} ms, ratio {found.ratio:.2f}"
    )


if __name__ == "__main__":
    main()
