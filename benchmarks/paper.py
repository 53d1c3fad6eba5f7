"""How long a proposal takes, beside a bare reportlab document with the same tables and as many pages.

Run as `python -m benchmarks.paper`. Prints the median of CPU times. The paper should stay under 300 ms and under 1.5
times the bare document, which gets the finished texts and only lays them out, in one style of the same font.
"""

from __future__ import annotations

import html
import statistics
import time
from collections.abc import Callable
from datetime import date
from io import BytesIO

from reportlab.lib.styles import ParagraphStyle
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


def median_ms(work: Callable[[], object]) -> float:
    """Median CPU time in milliseconds, after one warm-up."""
    work()
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return statistics.median(times) * 1000


def main() -> None:
    made, assets = quote(), report_assets("de")
    pages = render(made, "de", assets, BytesIO()).pages
    texts, font = texts_of(made), paper_of(made, "de", assets).fonts.regular
    paper = median_ms(lambda: render(made, "de", assets, BytesIO()))
    bare = median_ms(lambda: SimpleDocTemplate(BytesIO()).build(bare_story(texts, font)))
    print(f"{pages} pages: paper {paper:.0f} ms, bare document {bare:.0f} ms, ratio {paper / bare:.2f}")


if __name__ == "__main__":
    main()
