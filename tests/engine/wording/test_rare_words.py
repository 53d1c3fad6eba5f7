"""Sentences that only some runs, prices and sellers need, in both languages."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest

from catalog.load import load_catalog
from engine.figures import Grade, Source
from engine.memory.estimate import estimate
from engine.memory.types import TrainingSetup
from engine.methods import Layout, Method, Offload, Optimizer, Precision, Recipe, Sharding, StateRecipe
from engine.models import ModelSpec
from engine.prices import ExchangeRate, PriceAge, PriceBasis, PriceKind
from engine.quote.draft import DocumentKind, DraftLine, DraftSection, PriceOrigin, QuoteDraft, SectionRole
from engine.quote.parties import Customer, Seller
from engine.quote.release import release
from engine.quote.vat import VatCase, VatTreatment
from engine.serving.types import LoadKind, ServeLayout, ServeLoad, ServeSetup
from engine.units import Money, MoneyBand
from engine.wording import numbers
from engine.wording.descriptions import card_description, line_description, system_description
from engine.wording.email import email, file_name
from engine.wording.formulas import state_formula
from engine.wording.prices import origin_text
from engine.wording.recipes import recipe_text, targets_text
from engine.wording.serving import layout_text, load_text
from engine.wording.translator import Language
from resources import translations

EN, DE = translations("en"), translations("de")


@pytest.fixture(scope="module")
def model() -> ModelSpec:
    return load_catalog().facts.models["llama-3.1-8b"]


@pytest.mark.parametrize(
    ("recipe", "words"),
    [
        (Recipe(Method.FULL), "= 16 B per parameter"),
        (Recipe(Method.FULL, optimizer=Optimizer.LION), "the optimiser's own moments"),
        (Recipe(Method.FULL, optimizer=Optimizer.LION, states=StateRecipe.BF16_8BIT), "B per parameter"),
        (Recipe(Method.LORA), "2 B per base parameter + 16 B per adapter parameter"),
        (Recipe(Method.LORA, adapter_dtype=Precision.BF16), "adapters by their precision"),
        (Recipe(Method.LORA, optimizer=Optimizer.ADAMW_8BIT), "adapters by their precision"),
        (Recipe(Method.QLORA), "4.127 bit per linear weight"),
        (Recipe(Method.QLORA, double_quantisation=False), "4.5 bit per linear weight"),
    ],
)
def test_that_the_rule_behind_the_states_follows_the_recipe(model: ModelSpec, recipe: Recipe, words: str) -> None:
    result = estimate(TrainingSetup(model, recipe, 512))
    assert words in state_formula(result, EN, Language.EN)
    assert state_formula(result, DE, Language.DE) != state_formula(result, EN, Language.EN)


def test_that_the_adapters_places_are_named() -> None:
    assert targets_text(Recipe(Method.LORA), EN) == "all linear layers"
    assert targets_text(Recipe(Method.LORA, targets=("attention",)), EN) == "the attention layers"
    assert targets_text(Recipe(Method.LORA, targets=("q_proj", "v_proj")), DE) == "q_proj, v_proj"


def test_that_a_recipe_names_offloading_and_its_cards(model: ModelSpec) -> None:
    def text(recipe: Recipe, layout: Layout) -> str:
        setup = TrainingSetup(model, recipe, 512, layout=layout)
        placement = SimpleNamespace(
            estimate=estimate(setup), micro_batch=1, layout=layout, workload=SimpleNamespace(sequence_length=512)
        )
        return recipe_text(placement, EN, Language.EN)  # type: ignore[arg-type]  # the fields it reads

    alone = text(Recipe(Method.FULL), Layout())
    spread = text(Recipe(Method.FULL, offload=Offload.OPTIMIZER, packing=False), Layout(2, Sharding.ZERO2))
    assert "samples packed" in alone
    assert "card" not in alone
    assert "samples padded; 2 cards, " in spread
    assert len(spread.split("; ")) == len(alone.split("; ")) + 2


SOURCE = Source("s", "Shop", "", "2026-11-01")


def _origin(**fields: Any) -> PriceOrigin:
    return PriceOrigin(**{"basis": PriceBasis.ESTIMATED, "as_of": "2026-11-01", **fields})


def test_that_a_price_says_what_it_was_made_from() -> None:
    published = MoneyBand(*(Money(Decimal(1190), "USD"),) * 3)
    rate = ExchangeRate("EUR", "USD", Decimal("1.16"), date(2026, 11, 28), SOURCE, Grade.A)
    text = origin_text(
        _origin(kind=PriceKind.STREET, published=published, includes_vat=True, rate=rate, grade=Grade.M),
        EN,
        Language.EN,
    )
    assert "1,190" in text
    assert "including VAT" in text
    assert "1 EUR = 1.16 USD" in text
    net = origin_text(_origin(kind=PriceKind.STREET, published=published), EN, Language.EN)
    assert "including VAT" not in net
    own = origin_text(_origin(basis=PriceBasis.SELLER, kind=PriceKind.STREET, published=published), EN, Language.EN)
    assert "1,190" not in own, "the seller's own price is not made from another"
    assert "as of" not in origin_text(_origin(as_of=""), EN, Language.EN)
    assert len(text.split(", ")) > len(net.split(", "))
    old = origin_text(_origin(age=PriceAge.EXPIRED), DE, Language.DE)
    assert old != origin_text(_origin(age=PriceAge.FRESH), DE, Language.DE)
    assert "as of" not in origin_text(_origin(basis=PriceBasis.ON_REQUEST), EN, Language.EN)


def test_that_a_band_of_one_value_is_that_value() -> None:
    assert numbers.band(6.0, 6.0, lambda value: numbers.hours(value, Language.EN)) == numbers.hours(6.0, Language.EN)


def _setup(model: ModelSpec, load: ServeLoad) -> ServeSetup:
    return ServeSetup(model, SimpleNamespace(), load)  # type: ignore[arg-type]  # the lengths are not said here


def test_that_every_kind_of_load_and_layout_is_one_phrase(model: ModelSpec) -> None:
    assert load_text(_setup(model, ServeLoad(users=1)), EN, Language.EN) == "1 request at once"
    assert load_text(_setup(model, ServeLoad(users=20)), EN, Language.EN) == "20 requests at once"
    rate = ServeLoad(LoadKind.RATE, requests_per_s=2.5)
    assert load_text(_setup(model, rate), DE, Language.DE).startswith("2,5")
    night = ServeLoad(LoadKind.BATCH, requests_per_night=5000, night_h=6.0)
    assert load_text(_setup(model, night), EN, Language.EN).startswith("5,000 requests in a night of 6")
    assert layout_text(ServeLayout(1), EN) == "1 copy on one card"
    assert layout_text(ServeLayout(2), EN) == "2 copies, each on one card"
    assert layout_text(ServeLayout(1, tensor=4), EN) == "1 copy on 4 tensor ranks"
    assert layout_text(ServeLayout(2, tensor=4), EN) == "2 copies on 4 tensor ranks each"
    assert layout_text(ServeLayout(2, pipeline=3), EN) == "2 copies in 3 pipeline stages each"


def test_that_a_card_without_bandwidth_and_a_machine_without_height_say_less() -> None:
    facts = load_catalog().facts
    card = facts.cards["h200_nvl"]
    whole, bare = (
        card_description(card, EN, Language.EN),
        card_description(replace(card, bandwidth_gb_per_s=None), EN, Language.EN),
    )
    assert "TB/s" in whole or "GB/s" in whole
    assert "B/s" not in bare
    system = next(system for system in facts.systems.values() if system.rack_units is not None)
    assert len(system_description(replace(system, rack_units=None), EN, Language.EN)) < len(
        system_description(system, EN, Language.EN)
    )


def test_that_an_email_of_a_seller_without_a_profile_has_no_signature_and_no_empty_lines_of_duty() -> None:
    line = DraftLine("a", "Karte", unit_price=Decimal(1), origin=PriceOrigin(PriceBasis.SELLER))
    quote = release(
        QuoteDraft(
            kind=DocumentKind.RECOMMENDATION,
            seller=Seller(),
            customer=Customer(company="Kunde"),
            language="en",
            currency="EUR",
            as_of=date(2026, 11, 30),
            sections=(DraftSection(SectionRole.SYSTEM, (line,)),),
            vat=VatTreatment(VatCase.DOMESTIC, VatCase.DOMESTIC, Decimal("0.19"), confirmed=True),
        )
    )
    text = email(quote, EN, Language.EN).text
    assert "--" not in text
    assert text.endswith("Kind regards\n")
    named = email(replace(quote, seller=Seller(name="Muster")), EN, Language.EN).text
    assert "--\nMuster" in named
    for duty in ("Seat", "Managing directors", "VAT ID"):
        assert duty not in named
    assert file_name(replace(quote, revision=2), EN).endswith("_Rev2_Kunde.pdf")
    assert line_description(quote, quote.sections[0].lines[0], EN, Language.EN) == ""
