"""What a buyer or a lawyer would object to in an offer: contradictions, assumptions, the wrong term."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from catalog.load import load_catalog
from engine.methods import Method, Recipe
from engine.plan.recommend import recommend
from engine.plan.types import Recommendation
from engine.prices import PriceBasis
from engine.quote.build import build_draft, release_quote
from engine.quote.draft import DocumentKind, PriceOrigin, QuoteDraft, Terms
from engine.quote.parties import Customer
from engine.quote.release import release
from engine.report.spreadsheet import csv_text
from engine.report.tables import table
from engine.workload import Place, Priority, Scenario, Site, Workload
from resources import translations
from tests.report.conftest import CUSTOMER, SELLER, TREATMENT, assets

FACTS = load_catalog().facts
DAY = date(2026, 11, 30)
OWN = PriceOrigin(PriceBasis.SELLER, "2026-11-30")


@pytest.fixture(scope="module")
def recommendation() -> Recommendation:
    """One run on a machine that is built to order and has no published price."""
    workload = Workload("Run", FACTS.models["llama-3.3-70b"], Recipe(Method.LORA), 2048)
    scenario = Scenario((workload,), Site(Place.RACK), frozenset(), Priority.TIME, "EUR", DAY)
    found = recommend(scenario, FACTS)
    assert found.chosen is not None
    assert found.chosen.system.built_to_order
    assert found.chosen.system.id in found.chosen.price.gaps
    return found


def _offer(recommendation: Recommendation, **changes: object) -> QuoteDraft:
    draft = build_draft(recommendation, FACTS, SELLER, CUSTOMER, "de", DAY, number="AN-1")
    (section,) = draft.sections
    lines = tuple(replace(line, unit_price=Decimal(5000), origin=OWN) for line in section.lines)
    made = replace(draft, sections=(replace(section, lines=lines),), vat=TREATMENT, kind=DocumentKind.OFFER)
    return replace(made, **changes)  # type: ignore[arg-type]  # names checked by replace itself


def test_that_an_offer_does_not_say_that_an_offered_position_has_no_price(
    recommendation: Recommendation, draw_quote: Callable[..., Any]
) -> None:
    assert recommendation.chosen is not None
    name = recommendation.chosen.system.name
    text = draw_quote(release_quote(_offer(recommendation), recommendation, FACTS)).text
    chapter = text[text.index("Warum dieses System") : text.index("Editionen im Vergleich")]
    assert f"Für {name} ist kein Preis veröffentlicht" not in chapter
    assert "Die Systeme wurden gereiht, bevor alle Preise dieses Dokuments feststanden" in chapter
    assert f"{name} zum Preis eines verwandten Artikels" in chapter
    assert f"{recommendation.chosen.card.short_name} zum Richtpreis" in chapter
    draft = build_draft(recommendation, FACTS, SELLER, CUSTOMER, "de", DAY)
    plain = draw_quote(release_quote(draft, recommendation, FACTS)).text
    chapter = plain[plain.index("Warum dieses System") : plain.index("Editionen im Vergleich")]
    assert f"Für {name} ist kein Preis veröffentlicht" in chapter
    assert "Die Systeme wurden gereiht" not in chapter


def test_that_an_offered_machine_is_no_assumption_but_a_recommended_one_is(
    recommendation: Recommendation, draw_quote: Callable[..., Any]
) -> None:
    text = draw_quote(release_quote(_offer(recommendation), recommendation, FACTS)).text
    positions = text[text.index("Positionen und Preise") : text.index("Andere vollständige Systeme")]
    assert "nach Auftrag gebaut" in positions
    assert "Angaben angenommen" not in positions
    draft = replace(_offer(recommendation), kind=DocumentKind.RECOMMENDATION)
    assert "Angaben angenommen" in draw_quote(release_quote(draft, recommendation, FACTS)).text


def test_that_other_systems_are_no_part_of_an_offer(
    recommendation: Recommendation, draw_quote: Callable[..., Any]
) -> None:
    words = "Sie sind nicht Teil dieses Angebots"
    assert words in draw_quote(release_quote(_offer(recommendation), recommendation, FACTS)).text
    draft = replace(_offer(recommendation), kind=DocumentKind.RECOMMENDATION)
    assert words not in draw_quote(release_quote(draft, recommendation, FACTS)).text


def test_that_a_tender_speaks_of_the_binding_period(
    make_draft: Callable[..., QuoteDraft], draw_quote: Callable[..., Any]
) -> None:
    tender = draw_quote(release(make_draft(kind=DocumentKind.OFFER, tender=True))).text
    assert "Bindefrist bis 30.12.2026" in tender
    assert "Bindefrist bis zum Ablauf des 30.12.2026" in tender
    assert "Gültig" not in tender
    assert "Gültig bis 30.12.2026" in draw_quote(release(make_draft(kind=DocumentKind.OFFER))).text


@pytest.mark.parametrize(("language", "name"), [("de", "NIEDERLANDE"), ("en", "NETHERLANDS")])
def test_that_an_address_abroad_ends_with_the_countrys_name(
    make_draft: Callable[..., QuoteDraft], draw_quote: Callable[..., Any], language: str, name: str
) -> None:
    abroad = Customer(company="Example B.V.", lines=("Keizersgracht 1", "1015 CJ Amsterdam"), country="NL")
    assert name in draw_quote(release(make_draft(customer=abroad)), language).pages[0]
    far = replace(abroad, country="ZZ")
    assert "ZZ" in draw_quote(release(make_draft(customer=far)), language).pages[0]


@pytest.mark.parametrize("room", range(60, 200, 7))
def test_that_no_last_row_of_a_table_stands_alone_on_a_page(
    make_draft: Callable[..., QuoteDraft], draw_quote: Callable[..., Any], room: int
) -> None:
    from engine.report.document import paper_of  # registers the fonts first

    paper = paper_of(release(make_draft()), "de", assets("de"))
    head = [paper.paragraph("Nr.", paper.styles.head, "t")]
    rows: list[Any] = [[paper.paragraph(f"Zeile {row}", paper.styles.cell_small, "t")] for row in range(12)]
    made = table(head, rows, [200.0])
    made.wrap(200, 1000)
    parts = made.split(200, room)
    assert len(parts) == 2 or made.wrap(200, 1000)[1] <= room
    if len(parts) == 2:
        assert len(parts[1]._cellvalues) >= 3  # the repeated head and two rows


def test_that_a_gross_sum_with_gaps_is_named_as_incomplete_as_the_net_sum(
    make_draft: Callable[..., QuoteDraft], make_line: Callable[..., Any], draw_quote: Callable[..., Any]
) -> None:
    quote = release(make_draft((make_line("1"), make_line("2", None))))
    words = ("Summe der Positionen mit Preis, netto", "Summe der Positionen mit Preis, brutto")
    text, table_text = draw_quote(quote).text, csv_text(quote, "de", translations("de"))
    assert all(name in text and name in table_text for name in words)
    assert "Summe brutto" not in text
    assert "Summe brutto" in draw_quote(release(make_draft())).text


def test_that_an_acceptance_takes_a_second_signature_where_the_conditions_say_so(
    make_draft: Any, make_line: Any, draw_quote: Any
) -> None:
    offer = make_draft((make_line("a"),), kind=DocumentKind.OFFER, number="AN-1")
    assert "Zweite Unterschrift" not in draw_quote(release(offer)).text
    twice = draw_quote(release(replace(offer, terms=Terms(second_signature=True)))).text
    assert twice.count("Zweite Unterschrift") == 1
    assert twice.count("Ort, Datum") == 2
    assert "Zweite" not in draw_quote(release(replace(offer, terms=Terms(second_signature=True), tender=True))).text
