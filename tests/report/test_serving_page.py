"""The page on serving: what it must print, and that it stays away where nothing is served."""

from __future__ import annotations

from collections.abc import Callable
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
from engine.serving.types import CacheFormat, Lengths, LoadKind, ServeLoad, ServeSetup, WeightFormat
from engine.units import Money
from engine.workload import Place, Priority, Scenario, ServingWorkload, Site, Workload

TODAY = date(2026, 11, 30)
Draw = Callable[..., Any]


@pytest.fixture(scope="module")
def facts() -> Facts:
    return load_catalog().facts


def _served(facts: Facts, model: str, load: ServeLoad, weights: WeightFormat = WeightFormat.FP8) -> ServingWorkload:
    setup = ServeSetup(facts.models[model], Lengths(1500, 8000, 400, 2000), load, weights, CacheFormat.FP8)
    return ServingWorkload("Assistent", setup, service_h_per_day=12, days_per_month=21)


def _paper(facts: Facts, draw_quote: Draw, language: str, *serving: ServingWorkload, trains: bool = True) -> Any:
    training = (Workload("Anpassung", facts.models["llama-3.3-70b"], Recipe(Method.LORA), 4096),) if trains else ()
    scenario = Scenario(training, Site(Place.RACK), frozenset(), Priority.PURCHASE_PRICE, "EUR", TODAY, serving=serving)
    customer = Customer(company="Beispiel AG", lines=("Weg 1", "10115 Berlin"))
    quote = build_quote(recommend(scenario, facts), facts, Seller(), customer, language, TODAY)
    return draw_quote(quote, language)


@pytest.fixture(scope="module")
def german(facts: Facts, draw_quote: Draw) -> Any:
    chat = _served(facts, "llama-3.3-70b", ServeLoad(LoadKind.USERS, users=24))
    priced = replace(chat, api_price=Money(Decimal(2), "EUR"), api_price_as_of="2026-11-15")
    return _paper(facts, draw_quote, "de", priced)


@pytest.mark.parametrize(
    "words",
    [
        "Betrieb",
        "24 Anfragen gleichzeitig",
        "Prompt 1.500 Token (höchstens 8.000)",
        "FP8 · FP8",
        "KV-Cache je Token 163.840 B",
        "mittlerer Länge",
        "Ein Nutzer",
        "Geplante Last",
        "Voller Batch",
        "Erstes Token, Untergrenze",
        "Million Ausgabe-Token",
        "bei 30 % Auslastung",
        "Ohne spekulatives Dekodieren und ohne Präfix-Cache",
        "Preis wie eingegeben: 2,00 EUR (15.11.2026)",
        "Das erste Token unter Last wird nicht genannt",
    ],
)
def test_that_the_page_prints_what_a_proposal_must(german: Any, words: str) -> None:
    assert words in german.text.replace("\N{NO-BREAK SPACE}", " ")


def test_that_the_first_page_names_served_models_beside_trained_ones(german: Any) -> None:
    first = " ".join(german.pages[0].split())
    assert "Anpassung" in first
    assert "Assistent Llama 3.3 70B Betrieb, FP8 10.000" in first  # at most 8,000 tokens in and 2,000 out
    assert "KV-Cache frei" in first


def test_that_every_throughput_is_a_range_with_its_basis(german: Any) -> None:
    text = german.text
    points = text.count("insgesamt,")
    assert points == 3
    assert (
        text.count("aus dem Datenblatt berechnet") + text.count("umgerechnet aus") + text.count("gemessen:") >= points
    )


def test_that_a_model_without_a_stated_speed_says_so(facts: Facts, draw_quote: Draw) -> None:
    latent = _served(facts, "deepseek-v3", ServeLoad(LoadKind.USERS, users=4))
    paper = _paper(facts, draw_quote, "en", latent, trains=False)
    assert "speed not stated" in paper.text


def test_that_serving_alone_makes_a_paper(facts: Facts, draw_quote: Draw) -> None:
    chat = _served(facts, "llama-3.1-8b", ServeLoad(LoadKind.USERS, users=8))
    paper = _paper(facts, draw_quote, "en", chat, trains=False)
    assert "8 requests at once" in paper.text


def test_that_a_paper_without_serving_has_no_such_page(facts: Facts, draw_quote: Draw) -> None:
    assert "Inferenzserver" not in _paper(facts, draw_quote, "de").text
