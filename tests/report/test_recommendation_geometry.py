"""Every page of a real recommendation: inside the page, no text over text; also with extreme task names."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from catalog.load import load_catalog
from engine.facts import Facts
from engine.methods import Method, Recipe
from engine.plan.recommend import recommend
from engine.quote.build import build_quote
from engine.quote.parties import Customer, Seller
from engine.workload import Place, Priority, Scenario, Site, Workload

TODAY = date(2026, 11, 30)
NAMES = {
    "plain": ("Vertragsassistent", "Klassifikation"),
    "extreme": ("漢字🚀<b>x</b> " * 40, "W" * 600),
}


@pytest.fixture(scope="module")
def facts() -> Facts:
    return load_catalog().facts


def _drawn(facts: Facts, draw_quote: Any, names: tuple[str, str], language: str) -> Any:
    workloads = (
        Workload(names[0], facts.models["llama-3.3-70b"], Recipe(Method.LORA), 4096),
        Workload(names[1], facts.models["llama-3.1-8b"], Recipe(Method.QLORA), 2048, runs_per_month=Decimal(20)),
    )
    scenario = Scenario(workloads, Site(Place.RACK), frozenset(), Priority.PURCHASE_PRICE, "EUR", TODAY)
    quote = build_quote(recommend(scenario, facts), facts, Seller(), Customer(company="Beispiel"), language, TODAY)
    return draw_quote(quote, language)


@pytest.mark.parametrize(("kind", "language"), [("plain", "de"), ("plain", "en"), ("extreme", "de")])
def test_that_every_page_is_clean(
    facts: Facts, draw_quote: Any, glyphs: Any, overlaps: Any, kind: str, language: str
) -> None:
    drawn = _drawn(facts, draw_quote, NAMES[kind], language)
    for page in range(len(drawn.pages)):
        found = glyphs(drawn.pdf, page)
        assert found, f"page {page + 1} is empty"
        for glyph in found:
            assert glyph.left >= 10, (page, glyph)
            assert glyph.right <= 200, (page, glyph)
            assert glyph.top >= 10, (page, glyph)
            assert glyph.bottom <= 287, (page, glyph)
        assert overlaps(found) == [], page


def test_that_no_page_is_nearly_empty(facts: Facts, draw_quote: Any, glyphs: Any) -> None:
    drawn = _drawn(facts, draw_quote, NAMES["plain"], "de")
    for page in range(len(drawn.pages) - 1):
        lowest = max(glyph.bottom for glyph in glyphs(drawn.pdf, page) if glyph.bottom < 270)
        assert lowest > 120, page


def test_that_a_missing_price_of_an_alternative_is_named(facts: Facts, draw_quote: Any) -> None:
    drawn = _drawn(facts, draw_quote, NAMES["plain"], "en")
    assert " EUR 0.00" not in drawn.text
    replaced = replace(facts, prices={})
    assert "on request" in _drawn(replaced, draw_quote, NAMES["plain"], "en").text
