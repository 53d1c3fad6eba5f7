"""What a paper must say of itself: which kind it is, whom it binds, which VAT it states, who answers for the seller."""

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
from engine.prices import PriceBasis
from engine.quote.build import build_draft, release_quote
from engine.quote.document import Obstacle
from engine.quote.draft import DocumentKind, DraftLine, Measure, PriceOrigin, QuoteDraft
from engine.quote.parties import LegalForm
from engine.quote.release import release
from engine.quote.vat import VatCase, VatQuestion, VatTreatment
from engine.wording.quotes import missing_for_offer, quantity_text
from engine.workload import Place, Priority, Scenario, Site, Workload
from resources import translations
from tests.report.conftest import CUSTOMER, SELLER, TREATMENT

Draw = Callable[..., Any]
Make = Callable[..., QuoteDraft]
DAY = date(2026, 11, 30)
OWN = PriceOrigin(PriceBasis.SELLER, "2026-11-30")


@pytest.mark.parametrize(
    ("kind", "language", "words"),
    [
        (DocumentKind.OFFER, "de", "Angebot GPU-Server"),
        (DocumentKind.OFFER, "en", "Quotation GPU-Server"),
        (DocumentKind.RECOMMENDATION, "de", "Konfigurationsempfehlung GPU-Server"),
    ],
)
def test_that_the_kind_of_the_paper_stands_above_a_subject(
    make_draft: Make, draw_quote: Draw, kind: DocumentKind, language: str, words: str
) -> None:
    first = draw_quote(release(make_draft(kind=kind, subject="GPU-Server")), language).pages[0]
    assert words in " ".join(first.split())


def test_that_an_introduction_never_replaces_that_a_recommendation_binds_nobody(
    make_draft: Make, draw_quote: Draw
) -> None:
    draft = make_draft(kind=DocumentKind.RECOMMENDATION, introduction="Vielen Dank.", subject="GPU-Server")
    first = " ".join(draw_quote(release(draft)).pages[0].split())
    assert "kein verbindliches Angebot" in first
    assert "Vielen Dank." in first


def test_that_a_revision_says_that_it_replaces_the_earlier_ones(make_draft: Make, draw_quote: Draw) -> None:
    draft = make_draft(kind=DocumentKind.OFFER)
    assert "ersetzt" not in draw_quote(release(draft)).pages[0]
    second = draw_quote(release(replace(draft, revision=2))).pages[0]
    assert f"Revision 2 ersetzt alle früheren Revisionen von {draft.number}." in " ".join(second.split())


def test_that_only_a_binding_offer_is_accepted_and_another_is_an_order(make_draft: Make, draw_quote: Draw) -> None:
    offer = make_draft(kind=DocumentKind.OFFER)
    free = draw_quote(release(replace(offer, terms=replace(offer.terms, binding=False)))).text
    assert "Vertrag kommt mit Ihrer Auftragsbestätigung zustande" in free
    assert "Wir nehmen das Angebot" not in free
    bound = draw_quote(release(replace(offer, terms=replace(offer.terms, binding=True)))).text
    assert "Wir nehmen das Angebot" in bound
    assert "Auftragsbestätigung" not in bound


def test_that_an_export_licence_is_a_noun_in_german(make_draft: Make, draw_quote: Draw) -> None:
    text = draw_quote(release(make_draft(vat=VatTreatment(VatCase.EXPORT, None, None, confirmed=True)))).text
    assert "Ausfuhrgenehmigung" in text
    assert "Exportieren" not in text


def test_that_vat_is_not_called_unstated_where_it_stands(make_draft: Make, draw_quote: Draw) -> None:
    asked = (VatQuestion.PRIVATE_CUSTOMER,)
    stated = draw_quote(release(make_draft(vat=replace(TREATMENT, questions=asked)))).text
    assert "19 % USt." in stated
    assert "Umsatzsteuer nicht ausgewiesen" not in stated
    unstated = draw_quote(release(make_draft(vat=VatTreatment(None, None, None, asked)))).text
    assert "Umsatzsteuer nicht ausgewiesen" in unstated


def test_that_a_bid_holds_no_other_sums_and_no_advice_to_rent(draw_quote: Draw) -> None:
    facts = load_catalog().facts
    workload = Workload("Run", facts.models["llama-3.1-8b"], Recipe(Method.LORA), 2048)
    found = recommend(Scenario((workload,), Site(Place.RACK), frozenset(), Priority.TIME, "EUR", DAY), facts)
    draft = build_draft(found, facts, SELLER, CUSTOMER, "de", DAY, kind=DocumentKind.OFFER)
    others = ("Andere vollständige Systeme", "Mieten oder kaufen")

    def text(**changes: Any) -> str:
        return str(draw_quote(release_quote(replace(draft, **changes), found, facts, preview=True)).text)

    assert all(part in text() for part in others)
    assert not any(part in text(tender=True) for part in others)
    asking = text(tender=True, kind=DocumentKind.RECOMMENDATION)  # a buyer who explores the market
    assert all(part in asking for part in others)


def test_that_an_open_vat_treatment_is_named_with_what_is_missing(make_draft: Make) -> None:
    asked = replace(TREATMENT, questions=(VatQuestion.CUSTOMER_VAT_ID,))
    quote = release(make_draft(kind=DocumentKind.OFFER, vat=asked), preview=True)
    (text,) = missing_for_offer(quote, translations("de"))
    assert text == "Die umsatzsteuerliche Behandlung ist nicht geklärt. Die USt-IdNr. des Kunden fehlt."


def test_that_a_stock_company_names_its_board_and_a_gmbh_its_managing_directors(
    make_draft: Make, draw_quote: Draw
) -> None:
    company = replace(SELLER, legal_form=LegalForm.AG, board_chair="Eva Vorsitz", supervisory_chair="Uwe Rat")
    first = " ".join(draw_quote(release(make_draft(seller=company))).pages[0].split())
    assert "Vorstand: Erika" in first
    assert "Geschäftsführung" not in first
    assert "Geschäftsführung: Erika" in " ".join(draw_quote(release(make_draft())).pages[0].split())


def test_that_an_iban_is_not_torn(make_draft: Make, draw_quote: Draw) -> None:
    assert "IBAN DE02 1203 0000 0000 2020 51" in draw_quote(release(make_draft())).pages[0]


@pytest.mark.parametrize(
    ("quantity", "language", "text"),
    [
        ("1", "de", "1\N{NO-BREAK SPACE}Tag"),
        ("1.5", "de", "1,5\N{NO-BREAK SPACE}Tage"),
        ("1", "en", "1\N{NO-BREAK SPACE}day"),
    ],
)
def test_that_one_day_is_singular(quantity: str, language: Any, text: str) -> None:
    assert quantity_text(Decimal(quantity), Measure.DAY, translations(language), language) == text


def test_that_an_offer_sells_every_card_its_technical_part_counts_on() -> None:
    facts = load_catalog().facts
    workload = Workload("Run", facts.models["llama-3.3-70b"], Recipe(Method.LORA), 2048)
    found = recommend(Scenario((workload,), Site(Place.RACK), frozenset(), Priority.TIME, "EUR", DAY), facts)
    plan = found.chosen
    assert plan is not None
    assert plan.cards > 1
    draft = build_draft(found, facts, SELLER, CUSTOMER, "de", DAY, kind=DocumentKind.OFFER, number="AN-1")
    draft = replace(draft, vat=TREATMENT)

    def obstacles(change: Callable[[DraftLine], DraftLine]) -> tuple[Obstacle, ...]:
        (section,) = draft.sections
        lines = tuple(change(replace(line, unit_price=Decimal(5000), origin=OWN)) for line in section.lines)
        return release_quote(
            replace(draft, sections=(replace(section, lines=lines),)), found, facts, preview=True
        ).obstacles

    def counted(number: int, item: str = plan.card.id) -> Callable[[DraftLine], DraftLine]:
        def change(line: DraftLine) -> DraftLine:
            mine = line.item_id == plan.card.id
            return replace(line, quantity=Decimal(number), item_id=item) if mine else line

        return change

    assert obstacles(counted(plan.cards)) == ()
    assert obstacles(counted(plan.cards + 1)) == ()
    assert obstacles(counted(plan.cards - 1)) == (Obstacle.CARDS_MISSING,)
    other = next(card for card in facts.cards if card != plan.card.id)
    assert obstacles(counted(plan.cards, other)) == (Obstacle.CARDS_MISSING,)
    assert obstacles(counted(1, "")) == ()  # the seller's own bundle
