"""What a buyer and his engineer read in papers of unusual content: nothing empty, nothing that points nowhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from decimal import Decimal
from io import BytesIO
from typing import Any

import pytest
from pypdf import PdfReader

from catalog.load import load_catalog
from catalog.paper_assets import report_assets
from engine.facts import Facts
from engine.methods import Method, Objective, Recipe
from engine.plan.recommend import recommend
from engine.prices import PriceBasis
from engine.quote.build import build_advice, build_draft, release_quote
from engine.quote.draft import Chapter, DocumentKind, DraftLine, DraftSection, PriceOrigin, SectionRole
from engine.report.document import paper_of
from engine.report.tasks import chosen_bars
from engine.serving.types import Lengths, LoadKind, ServeLoad, ServeSetup, WeightFormat
from engine.wording.email import email
from engine.wording.translator import Language
from engine.workload import MustHave, Place, Priority, Scenario, ServingWorkload, Site, Workload
from resources import translations
from tests.report.conftest import CUSTOMER, SELLER, Drawn, draw

DAY = date(2026, 11, 30)
Papers = Callable[..., tuple[Any, Drawn]]


@pytest.fixture(scope="module")
def facts() -> Facts:
    return load_catalog().facts


def papers_of(facts: Facts, scenario: Scenario) -> Papers:
    found = recommend(scenario, facts)

    def made(language: str = "de", kind: DocumentKind = DocumentKind.OFFER, **changes: Any) -> tuple[Any, Drawn]:
        draft = replace(build_draft(found, facts, SELLER, CUSTOMER, language, DAY, kind=kind), **changes)
        quote = release_quote(draft, found, facts, preview=True)
        return quote, draw(quote, language)

    return made


def scenario_of(*workloads: Workload, serving: tuple[ServingWorkload, ...] = ()) -> Scenario:
    return Scenario(workloads, Site(Place.RACK), frozenset(), Priority.PURCHASE_PRICE, "EUR", DAY, serving=serving)


@pytest.fixture(scope="module")
def served(facts: Facts) -> Papers:
    """Two served models, nothing trained."""
    lengths = Lengths(1500, 8000, 400, 2000)
    day = ServeSetup(
        facts.models["llama-3.1-8b"], lengths, ServeLoad(LoadKind.USERS, users=20), weights=WeightFormat.FP8
    )
    night = replace(day, load=ServeLoad(LoadKind.BATCH, requests_per_night=2000, night_h=8))
    return papers_of(
        facts, scenario_of(serving=(ServingWorkload("Auskunft", day), ServingWorkload("Nachtlauf", night)))
    )


@pytest.fixture(scope="module")
def trained(facts: Facts) -> Papers:
    run = Workload("Lauf", facts.models["llama-3.1-8b"], Recipe(Method.LORA), 2048, runs_per_month=Decimal(1))
    return papers_of(facts, scenario_of(run))


def titles(drawn: Drawn) -> list[str]:
    def flat(entries: list[Any]) -> list[str]:
        return [name for one in entries for name in (flat(one) if isinstance(one, list) else [one.title])]

    return flat(PdfReader(BytesIO(drawn.pdf)).outline)


def test_that_a_paper_on_serving_alone_has_no_chapter_on_training(served: Papers) -> None:
    _, drawn = served()
    found = titles(drawn)
    assert "Betrieb" in found
    for absent in ("Speicher je Karte", "Anhang: Die Dimensionierung in Zahlen", "Anhang: Trainingseinstellungen"):
        assert absent not in found
    for word in ("Fine-Tuning-Aufgaben", "PyTorch-Stack", "Checkpoint", "Kosten je Lauf", "Trainingsprozess"):
        assert word not in drawn.text
    assert "Für den Betrieb Ihrer Modelle bieten wir Ihnen das folgende System an." in drawn.text
    assert "nächsten Anhangs" not in drawn.text  # there is none with settings


def test_that_the_acceptance_of_served_models_measures_their_load(served: Papers, facts: Facts) -> None:
    quote, drawn = served()
    plan = drawn.text.split("Anhang: Abnahmetest")[1].split("Quellen")[0]
    assert "2 Betrieb" in plan
    assert "bei 20 gleichzeitig" in plan
    assert "Nachtlauf" in plan
    assert "3 Leistung und Wärme" in plan
    assert len(quote.advice.serving) == 2


def test_that_a_tender_on_serving_alone_states_its_needs(served: Papers) -> None:
    quote, drawn = served(tender=True)
    sheet = drawn.text.split("Anforderungen in produktneutralen Worten")[1]
    # 8.03 bn parameters in FP8 are 8 GB of weights; the cache of 20 requests of 1,900 tokens at 128 KiB each is 5 GB.
    gigabytes = int(sheet.split("Nutzbarer Speicher je Beschleuniger mindestens ")[1].split(" GB")[0])
    assert 13 <= gigabytes <= 30
    assert "Ausgabe-Token je Sekunde bei 20 gleichzeitig, bei der Abnahme nachzuweisen" in sheet
    assert "2.000 Anfragen in einer Nacht von 8,0 h, bei der Abnahme nachzuweisen" in sheet
    assert quote.variants == ()
    assert quote.advice.renting is None


@pytest.mark.parametrize(
    ("language", "words"),
    [("de", "für den Betrieb Ihrer Modelle."), ("en", "for the models you serve.")],
)
def test_that_the_mail_says_what_the_system_is_for(served: Papers, language: str, words: str) -> None:
    quote, _ = served(language)
    assert words in email(quote, translations(language), Language(language)).text


def test_that_one_run_a_month_is_one_run(trained: Papers) -> None:
    assert "1 Lauf im Monat" in trained()[1].text
    assert "1 run a month" in trained("en")[1].text


def test_that_a_chapter_left_out_leaves_no_source_of_its_own(trained: Papers) -> None:
    whole, _ = trained()
    short, drawn = trained(left_out=frozenset(Chapter))
    assert len(short.advice.citations) < len(whole.advice.citations)
    offered = {line.title for line in short.lines} | {short.advice.chosen.card.short_name}
    for citation in short.advice.citations:
        rates = {use for use in citation.uses if "/" in use}
        assert set(citation.uses) - rates <= offered | {short.advice.chosen.system.name}
    assert [citation.number for citation in short.advice.citations] == [*range(1, len(short.advice.citations) + 1)]
    for plan in whole.advice.alternatives:
        assert f"{plan.cards} × {plan.card.short_name} " not in drawn.text  # not in the pictures of the memory either


def test_that_hidden_prices_are_not_explained(trained: Papers) -> None:
    assert "Als geschätzt gekennzeichnete Richtpreise" in trained()[1].text
    assert "Als geschätzt gekennzeichnete Richtpreise" not in trained(show_line_prices=False)[1].text


def test_that_a_sum_of_the_sellers_prices_is_not_called_estimated(trained: Papers) -> None:
    own = DraftLine("a", "Server mit Karten", unit_price=Decimal(9800), origin=PriceOrigin(PriceBasis.SELLER))
    guide = replace(own, origin=PriceOrigin(PriceBasis.ESTIMATED))
    _, guided = trained(sections=(DraftSection(SectionRole.SYSTEM, (guide,)),))
    assert "geschätzt aus veröffentlichten Preisen" in guided.text
    _, sold = trained(sections=(DraftSection(SectionRole.SYSTEM, (own,)),))
    assert "9.800,00" in sold.text
    assert "geschätzt aus veröffentlichten Preisen" not in sold.text


def test_that_sixty_tasks_make_a_paper(trained: Papers, facts: Facts) -> None:
    quote, _ = trained()
    chosen, reaches = quote.advice.chosen, quote.advice.reaches
    many = replace(
        quote.advice,
        chosen=replace(chosen, placements=chosen.placements * 60),
        reaches=reaches * 60,
        alternatives=(),
        comparison=None,
    )
    # In the acceptance test, one cell of a row names all sixty: it goes over several pages.
    drawn = draw(replace(quote, advice=many, left_out=frozenset({Chapter.SIZING, Chapter.VARIANTS})))
    assert drawn.text.count("läuft mit") == 60


def test_that_no_picture_of_many_tasks_is_too_tall_for_half_a_page(trained: Papers) -> None:
    quote, _ = trained()
    chosen = quote.advice.chosen
    for count, pictures in ((12, 1), (13, 3), (60, 10)):
        many = replace(quote.advice, chosen=replace(chosen, placements=chosen.placements * count))
        paper = paper_of(replace(quote, advice=many), "de", report_assets("de"))
        assert len(list(chosen_bars(paper, many))) == pictures


def test_that_a_complete_computer_is_compared_at_its_price(facts: Facts) -> None:
    run = Workload("Lauf", facts.models["llama-3.1-8b"], Recipe(Method.QLORA), 2048)
    desk = Scenario((run,), Site(Place.DESK), frozenset(), Priority.PURCHASE_PRICE, "EUR", DAY)
    found = recommend(desk, facts)
    spark = next(plan for plan in found.ranked if plan.card.id == "dgx_spark_gb10")
    advice = build_advice(replace(found, chosen=spark), facts, DAY)
    row = next(row for row in advice.comparison.rows if row.key == "price")
    index = [column.id for column in advice.comparison.columns].index("dgx_spark_gb10")
    # The computer is its card, so the comparison and the positions state one price.
    assert row.cells[index].value == spark.price.positions[0].unit.net


def test_that_a_source_without_a_date_says_so_in_the_papers_language(trained: Papers) -> None:
    assert "not recorded" not in trained()[1].text


def test_that_what_is_free_in_a_divided_card_is_free_per_instance(facts: Facts) -> None:
    run = Workload("Lauf", facts.models["llama-3.1-8b"], Recipe(Method.QLORA), 2048, runs_at_once=4)
    site, must = Site(Place.RACK), frozenset({MustHave.MIG})
    divided = Scenario((run,), site, must, Priority.PURCHASE_PRICE, "EUR", DAY)
    quote, drawn = papers_of(facts, divided)()
    assert quote.advice.chosen.placements[0].mig is not None
    assert "Frei je MIG-Instanz, mindestens" in drawn.text


@pytest.mark.parametrize("language", ["de", "en"])
def test_that_the_sizing_of_a_task_stands_on_one_page_with_its_heading(facts: Facts, language: str) -> None:
    """Long remarks beneath the time of a step once left a heading alone at the foot of a page."""
    dpo = Recipe(Method.LORA, objective=Objective.DPO)
    rows = (
        Workload("Akten", facts.models["qwen3-32b"], Recipe(Method.LORA), 16384, tokens_per_run=60_000_000),
        Workload("DPO", facts.models["qwen3-14b"], dpo, 4096, tokens_per_run=10_000_000),
        Workload("Router", facts.models["mixtral-8x7b"], Recipe(Method.QLORA), 4096, tokens_per_run=20_000_000),
    )
    scenario = replace(scenario_of(*rows), priority=Priority.COST_PER_RUN)
    _, drawn = papers_of(facts, scenario)(language, DocumentKind.RECOMMENDATION)
    titles = [f"{row.name}: {row.model.name}" for row in rows]
    phases = {"de": "Belegte Bytes je Phase", "en": "Live bytes by phase"}[language]
    on_pages = [[line for line in page.splitlines() if line.strip() in titles] for page in drawn.pages]
    assert sorted(line.strip() for lines in on_pages for line in lines) == sorted(titles)
    assert [len(lines) for lines in on_pages] == [page.count(phases) for page in drawn.pages]
