"""The paper of a real recommendation from the bundled catalogue: complete, sourced, in one language."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from decimal import Decimal
from io import BytesIO
from typing import Any

import pypdf
import pytest
from babel.messages.pofile import read_po

from catalog.load import load_catalog
from engine.facts import Facts
from engine.figures import Grade, Source
from engine.methods import Method, Recipe
from engine.plan.recommend import recommend
from engine.plan.types import Recommendation
from engine.prices import Price, PriceBasis, PriceKind
from engine.quote.build import build_draft, build_quote, release_quote
from engine.quote.document import Quote
from engine.quote.draft import DocumentKind, DraftSection, Internal, SectionRole, Terms
from engine.quote.parties import Customer, Seller
from engine.units import Money
from engine.workload import Place, Priority, Scenario, Site, Workload
from resources import LOCALE

TODAY = date(2026, 11, 30)
Draw = Callable[..., Any]


@pytest.fixture(scope="module")
def facts() -> Facts:
    return load_catalog().facts


def _scenario(facts: Facts, **changes: Any) -> Scenario:
    workloads = (
        Workload("Vertragsassistent", facts.models["llama-3.3-70b"], Recipe(Method.LORA), 4096),
        Workload("Klassifikation", facts.models["llama-3.1-8b"], Recipe(Method.QLORA), 2048),
    )
    made = Scenario(workloads, Site(Place.RACK), frozenset(), Priority.PURCHASE_PRICE, "EUR", TODAY)
    return replace(made, **changes)


@pytest.fixture(scope="module")
def recommendation(facts: Facts) -> Recommendation:
    return recommend(_scenario(facts), facts)


@pytest.fixture(scope="module")
def quotes(facts: Facts, recommendation: Recommendation) -> dict[str, Quote]:
    customer = Customer(company="Beispiel AG", lines=("Weg 1", "10115 Berlin"))
    return {
        language: build_quote(recommendation, facts, Seller(), customer, language, TODAY) for language in ("de", "en")
    }


@pytest.fixture(scope="module")
def papers(quotes: dict[str, Quote], draw_quote: Draw) -> dict[str, Any]:
    return {language: draw_quote(quote, language) for language, quote in quotes.items()}


@pytest.mark.parametrize("language", ["de", "en"])
def test_that_the_recommended_system_stands_on_the_first_page(
    papers: dict[str, Any], recommendation: Recommendation, language: str
) -> None:
    plan = recommendation.chosen
    assert plan is not None
    first = " ".join(papers[language].pages[0].split())
    assert f"{plan.cards} × {plan.card.name}" in first
    for placement in plan.placements:
        assert placement.workload.name in first
        assert placement.workload.model.name in first


@pytest.mark.parametrize(
    ("language", "chapters"),
    [
        (
            "de",
            [
                *("Positionen und Preise", "Speicher je Karte", "Warum dieses System", "Editionen im Vergleich"),
                *("Warum die anderen dahinter stehen", "Annahmen und Hinweise", "Konditionen"),
                *("Anhang: Die Dimensionierung in Zahlen", "Anhang: Abnahmetest", "Anhang: Trainingseinstellungen"),
                "Quellen",
            ],
        ),
        ("en", ["Positions and prices", "Memory per card", "Why this system", "Editions side by side", "Sources"]),
    ],
)
def test_that_every_chapter_is_there_and_bookmarked(papers: dict[str, Any], language: str, chapters: list[str]) -> None:
    outline = pypdf.PdfReader(BytesIO(papers[language].pdf)).outline
    titles = [entry.title for entry in outline if not isinstance(entry, list)]
    positions = [titles.index(chapter) for chapter in chapters]
    assert positions == sorted(positions)


def test_that_the_german_paper_has_no_english_sentences(papers: dict[str, Any]) -> None:
    text = papers["de"].text
    english = set()
    for area in (LOCALE / "de").glob("engine*.po"):
        with area.open("rb") as stream:
            for message in read_po(stream, locale="de"):
                source = message.id if isinstance(message.id, str) else message.id[0]
                if source and source != message.string and "{" not in source and len(source) > 14:
                    english.add(source)
    assert len(english) > 100
    assert sorted(message for message in english if message in text) == []


def test_that_every_card_of_the_catalogue_is_answered_for(papers: dict[str, Any], facts: Facts) -> None:
    text = "".join(papers["en"].text.split())
    missing = [card.short_name for card in facts.cards.values() if "".join(card.short_name.split()) not in text]
    assert missing == []


def test_that_every_source_is_listed_with_its_number(papers: dict[str, Any], quotes: dict[str, Quote]) -> None:
    text = "".join(papers["en"].text.split())
    advice = quotes["en"].advice
    assert advice is not None
    assert len(advice.citations) > 10
    for citation in advice.citations:
        assert "".join(citation.source.title.split()) in text


@pytest.mark.parametrize(
    ("language", "measured", "missing", "out"),
    [
        (
            "en",
            "gives 88–95% of the tokens per second of RTX PRO 6000 WS (8 setups",
            "while serving: RTX PRO 6000 Server.",
            ("fits (ruled out)", "RTX PRO 6000 WS and RTX PRO 6000 Max-Q are ruled out."),
        ),
        (
            "de",
            "liefert 88–95 % der Token je Sekunde von RTX PRO 6000 WS (8 Messungen",
            "Edition gemessen: RTX PRO 6000 Server.",
            ("passt (scheidet aus)", "RTX PRO 6000 WS und RTX PRO 6000 Max-Q scheiden aus."),
        ),
    ],
)
def test_that_the_editions_say_what_was_measured_and_what_is_out(
    papers: dict[str, Any], quotes: dict[str, Quote], language: str, measured: str, missing: str, out: tuple[str, str]
) -> None:
    text = "".join(papers[language].text.split())
    for said in (measured, missing, *out):
        assert "".join(said.split()) in text
    advice = quotes[language].advice
    assert advice is not None
    source = next(citation for citation in advice.citations if citation.source.id == "maxq-vs-ws")
    assert source.uses == ("RTX PRO 6000 Max-Q", "RTX PRO 6000 WS")


def test_that_figures_from_memory_are_marked(papers: dict[str, Any], quotes: dict[str, Quote]) -> None:
    advice = quotes["en"].advice
    assert advice is not None
    assert any(Grade.M in citation.grades for citation in advice.citations)
    assert "Figures marked M are from memory and unverified" in papers["en"].text


def test_that_the_annex_states_exact_counts(papers: dict[str, Any]) -> None:
    # Published counts: Llama 3.3 70B and its rank-16 adapters on all linear layers.
    assert "70.553.706.496 Parameter, davon 207.093.760 trainiert" in papers["de"].text
    assert "70,553,706,496 parameters, 207,093,760 of them trained" in papers["en"].text


def test_that_settings_files_are_attached_for_every_task(papers: dict[str, Any]) -> None:
    names = set(pypdf.PdfReader(BytesIO(papers["en"].pdf)).attachments)
    assert {"1-vertragsassistent.trl.yaml", "2-klassifikation.axolotl.yaml", "passform-quote.json"} <= names


def test_that_the_paper_is_reproducible(quotes: dict[str, Quote], papers: dict[str, Any], draw_quote: Draw) -> None:
    assert draw_quote(quotes["de"], "de").pdf == papers["de"].pdf


def test_that_the_sellers_prices_make_an_offer(facts: Facts, draw_quote: Draw, make_draft: Any) -> None:
    overrides = {item: Money(Decimal("10000.00"), "EUR") for item in (*facts.cards, *facts.systems, *facts.items)}
    asked = recommend(_scenario(facts, price_overrides=overrides), facts)
    sample = make_draft()
    draft = build_draft(
        asked, facts, sample.seller, sample.customer, "de", TODAY, kind=DocumentKind.OFFER, number="AN-1"
    )
    confirmed = replace(draft, vat=replace(draft.vat, confirmed=True))
    quote = release_quote(confirmed, asked, facts)
    assert quote.kind is DocumentKind.OFFER
    plan = asked.chosen
    assert plan is not None
    counted = sum(position.quantity for position in plan.price.positions if position.unit.basis is PriceBasis.SELLER)
    assert quote.totals.net.amount == counted * Decimal("10000.00")
    assert "Preis des Anbieters" in draw_quote(quote).text


def test_that_a_tender_states_its_needs_without_product_names(
    facts: Facts, recommendation: Recommendation, draw_quote: Draw, make_draft: Any
) -> None:
    sample = make_draft()
    draft = build_draft(recommendation, facts, sample.seller, sample.customer, "de", TODAY)
    quote = release_quote(replace(draft, tender=True), recommendation, facts)
    text = draw_quote(quote).text
    sheet = text.split("Anforderungen in produktneutralen Worten")[-1].split("Anhang: Die Dimensionierung")[0]
    assert "Nutzbarer Speicher je Beschleuniger mindestens" in sheet
    names = [
        *(card.short_name for card in facts.cards.values()),
        *(system.name for system in facts.systems.values()),
        *(card.vendor for card in facts.cards.values()),
        *("NVIDIA", "NVLink", "CUDA", "RTX", "Blackwell", "Lenovo", "Dell"),
    ]
    assert [name for name in names if name in sheet] == []


def test_that_the_annex_says_what_the_run_could_grow_to(papers: dict[str, Any], quotes: dict[str, Quote]) -> None:
    advice = quotes["en"].advice
    assert advice is not None
    reach = advice.reaches[0]
    placement = advice.chosen.placements[0]
    assert reach.longest_sequence is not None
    assert reach.longest_sequence >= placement.workload.sequence_length
    assert f"Longest sequence with this headroom {reach.longest_sequence:,}" in papers["en"].text


MARKS = [f"CANARY{index:02d}X" for index in range(11)]


def test_that_nothing_internal_reaches_the_customer(
    facts: Facts, recommendation: Recommendation, draw_quote: Draw, make_draft: Any, make_line: Any
) -> None:
    """Unique marks in every internal field appear nowhere: text, metadata, bookmarks, attachments, raw streams."""
    source = Source("canary", MARKS[0], f"https://{MARKS[1]}.example", "2026", read_via=MARKS[2])
    plan = recommendation.chosen
    assert plan is not None
    record = Price(
        plan.card.id,
        Decimal(1),
        Decimal(1),
        "EUR",
        PriceKind.SELLER,
        False,
        "2026-11-30",
        source,
        Grade.A,
        note=MARKS[3],
    )
    positions = tuple(
        replace(
            position,
            unit=replace(position.unit, net=Money(Decimal("7777.77"), "EUR"), basis=PriceBasis.SELLER, price=record),
        )
        for position in plan.price.positions
    )
    leaking = replace(plan, price=replace(plan.price, positions=positions, gaps=()))
    poisoned = replace(recommendation, chosen=leaking, alternatives=(leaking, *recommendation.alternatives))
    sample = make_draft()
    draft = build_draft(poisoned, facts, sample.seller, sample.customer, "de", TODAY)
    internal = Internal(Money(Decimal("7654321.89"), "EUR"), MARKS[4], MARKS[5], MARKS[6], MARKS[7])
    lines = tuple(replace(line, internal=internal) for line in draft.sections[0].lines)
    struck = DraftSection(SectionRole.FREE, (make_line("gone", title=MARKS[8]),), MARKS[8], struck=True)
    draft = replace(
        draft,
        sections=(replace(draft.sections[0], lines=lines), struck),
        author=MARKS[9],
        notes=MARKS[10],
        terms=Terms(),
    )
    drawn = draw_quote(release_quote(draft, poisoned, facts))
    reader = pypdf.PdfReader(BytesIO(drawn.pdf))
    haystack = [drawn.text, str(reader.metadata), repr(reader.outline), drawn.pdf.decode("latin-1")]
    haystack += [name + content.decode() for name, parts in reader.attachments.items() for content in parts]
    for number in range(1, len(reader.xref[0]) if reader.xref else 1):
        found = reader.get_object(number)
        if isinstance(found, pypdf.generic.StreamObject):
            haystack.append(found.get_data().decode("latin-1"))
    everything = "\n".join(haystack)
    assert "7.777,77" in everything
    for mark in (*MARKS, "7654321", "7.654.321"):
        assert mark not in everything, mark


def test_that_the_data_inside_the_paper_lists_no_internal_field(
    quotes: dict[str, Quote], papers: dict[str, Any]
) -> None:
    data = json.loads(pypdf.PdfReader(BytesIO(papers["de"].pdf)).attachments["passform-quote.json"][0])
    keys: set[str] = set()

    def collect(value: object) -> None:
        if isinstance(value, dict):
            keys.update(value)
            for item in value.values():
                collect(item)
        elif isinstance(value, list):
            for item in value:
                collect(item)

    collect(data)
    assert not keys & {"purchase_price", "supplier", "margin", "internal", "notes", "author", "stand_in", "rejected"}
    assert data["recommendation"]["card"] == quotes["de"].advice.chosen.card.id  # type: ignore[union-attr]  # built with advice
