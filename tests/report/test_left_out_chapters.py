"""A seller leaves chapters out of the paper: they are in none of its pages and files, and everything else stays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from io import BytesIO
from typing import Any

import pytest
from pypdf import PdfReader

from catalog.load import load_catalog
from engine.methods import Method, Recipe
from engine.plan.recommend import recommend
from engine.quote.build import build_draft, release_quote
from engine.quote.draft import Chapter, DocumentKind
from engine.quote.form import quote_json
from engine.wording.quotes import word
from engine.workload import Place, Priority, Scenario, Site, Workload
from resources import translations
from tests.report.conftest import CUSTOMER, SELLER, draw

DAY = date(2026, 11, 30)
Papers = Callable[..., Any]


@pytest.fixture(scope="module")
def paper() -> Papers:
    facts = load_catalog().facts
    workload = Workload("Run", facts.models["llama-3.1-8b"], Recipe(Method.LORA), 2048)
    found = recommend(Scenario((workload,), Site(Place.RACK), frozenset(), Priority.TIME, "EUR", DAY), facts)
    draft = build_draft(found, facts, SELLER, CUSTOMER, "de", DAY, kind=DocumentKind.OFFER)

    def made(*left_out: Chapter) -> Any:
        quote = release_quote(replace(draft, left_out=frozenset(left_out)), found, facts, preview=True)
        return quote, draw(quote)

    return made


def attached(pdf: bytes) -> set[str]:
    return set(PdfReader(BytesIO(pdf)).attachments)


def test_that_every_chapter_stands_in_the_paper_until_it_is_left_out(paper: Papers) -> None:
    tr = translations("de")
    _, whole = paper()
    _, short = paper(*Chapter)
    for chapter in Chapter:
        assert word(chapter, tr) in whole.text
        assert word(chapter, tr) not in short.text
    for kept in (
        "Positionen und Preise",
        "Speicher je Karte",
        "Warum dieses System",
        "Annahmen und Hinweise",
        "Quellen",
    ):
        assert kept in short.text


@pytest.mark.parametrize("chapter", Chapter)
def test_that_one_chapter_goes_and_the_others_stay(paper: Papers, chapter: Chapter) -> None:
    tr = translations("de")
    _, drawn = paper(chapter)
    titles = {one: word(one, tr) in drawn.text for one in Chapter}
    assert titles == {one: one is not chapter for one in Chapter}


def test_that_advice_to_rent_is_in_no_file_either(paper: Papers) -> None:
    quote, drawn = paper(Chapter.RENTING)
    assert quote.advice.renting is None
    assert "Mieten" not in drawn.text
    assert b"rent" not in quote_json(quote).lower().replace(b"current", b"").replace(b"different", b"")


def test_that_training_files_go_with_their_chapter(paper: Papers) -> None:
    _, whole = paper()
    _, short = paper(Chapter.SETTINGS)
    gone = attached(whole.pdf) - attached(short.pdf)
    assert {name.rsplit(".", 1)[-1] for name in gone} == {"yaml"}
    assert len(gone) >= 3  # TRL with Accelerate, Axolotl, LLaMA-Factory
    assert "mit den Einstellungen des nächsten Anhangs" in whole.text
    assert "Anhangs" not in short.text.split("Abnahmetest")[1][:400]
