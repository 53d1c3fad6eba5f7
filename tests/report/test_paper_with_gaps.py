"""A paper of which much is unknown says so where a reader looks for it, and leaves out what has no ground."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from catalog.load import load_catalog
from engine.facts import Facts
from engine.figures import Basis, Grade
from engine.glance import Standing
from engine.methods import Method, Recipe
from engine.plan.recommend import recommend
from engine.plan.types import Plan, Recommendation
from engine.prices import PriceBasis
from engine.quote.build import build_quote
from engine.quote.document import Advice, Quote
from engine.quote.draft import Terms
from engine.quote.parties import Customer
from engine.workload import Place, Priority, Scenario, Site, Workload
from tests.report.conftest import SELLER, Drawn, draw

TODAY = date(2026, 11, 30)


@pytest.fixture(scope="module")
def facts() -> Facts:
    return load_catalog().facts


@pytest.fixture(scope="module")
def recommendation(facts: Facts) -> Recommendation:
    workload = Workload("Klassifikation", facts.models["llama-3.1-8b"], Recipe(Method.LORA), 2048)
    return recommend(Scenario((workload,), Site(Place.RACK), frozenset(), Priority.PURCHASE_PRICE, "EUR", TODAY), facts)


@pytest.fixture(scope="module")
def quote(facts: Facts, recommendation: Recommendation) -> Quote:
    customer = Customer(company="Beispiel AG", lines=("Weg 1", "10115 Berlin"))
    return replace(build_quote(recommendation, facts, SELLER, customer, "en", TODAY), tender=True)


def _unknown(plan: Plan) -> Plan:
    """The plan on a card of which nothing was published but its memory, at a price that was estimated."""
    card = replace(plan.card, bandwidth_gb_per_s=None, bf16_dense_tflops=None, ecc=None)
    placements = tuple(
        replace(item, step=None, tokens_per_second=None, hours_per_run=None, cost_per_run=None)
        for item in plan.placements
    )
    price = replace(plan.price, basis=PriceBasis.ESTIMATED)
    return replace(
        plan,
        card=card,
        placements=placements,
        monthly_utilisation=None,
        monthly_hours=None,
        cost_per_month=None,
        price=price,
    )


def _with(quote: Quote, **changes: Any) -> Quote:
    assert quote.advice is not None
    return replace(quote, advice=replace(quote.advice, **changes))


@pytest.fixture(scope="module")
def bare(quote: Quote) -> Drawn:
    advice = quote.advice
    assert advice is not None
    stripped = _with(
        quote,
        chosen=_unknown(advice.chosen),
        comparison=None,
        renting=None,
        reaches=(),
        standings=tuple(glance for glance in advice.standings if glance.standing is Standing.CHOSEN),
        citations=tuple(replace(one, grades=(Grade.A,), bases=(Basis.PUBLISHED,)) for one in advice.citations),
    )
    totals = replace(quote.totals, gaps=())
    return draw(replace(stripped, terms=Terms(delivery_time="six weeks"), totals=totals), "en")


@pytest.fixture(scope="module")
def whole(quote: Quote) -> Drawn:
    return draw(quote, "en")


@pytest.mark.parametrize(
    "words",
    [
        "No step time: no published rate for this card",
        "recorded; there is no published rate to expect",
        "not known",
        "estimated from published prices",
    ],
)
def test_that_what_is_unknown_is_said_in_its_place(bare: Drawn, whole: Drawn, words: str) -> None:
    assert words in bare.text
    assert words not in whole.text


@pytest.mark.parametrize(
    "words",
    [
        "Memory bandwidth per accelerator",
        "Dense BF16 matrix rate per accelerator",
        "Error correction of the memory",
        "shown at acceptance",
        "Longest sequence with this headroom",
        "Tokens per second",
        "Editions side by side",
        "Rent or buy",
        "Why the others stand behind it",
        "Utilisation",
        "Quantities and delivery time are confirmed",
        "Figures marked M are from memory",
        "Figures marked a are assumptions",
    ],
)
def test_that_what_has_no_ground_is_left_out(bare: Drawn, whole: Drawn, words: str) -> None:
    assert words in whole.text
    assert words not in bare.text


def test_that_renting_without_a_known_load_has_no_chapter(quote: Quote) -> None:
    assert quote.advice is not None
    assert quote.advice.renting is not None
    unknown = replace(quote.advice.renting, comparison=None)
    assert "Rent or buy" not in draw(_with(quote, renting=unknown), "en").text


def test_that_without_an_offer_that_holds_the_work_only_owning_is_told(quote: Quote) -> None:
    report = _renting(quote.advice)
    nothing = replace(report.comparison, offers=(), decision=replace(report.comparison.decision, best_offer=None))
    owned = replace(report.ownership, per_useful_hour=None)
    changed = replace(report, comparison=nothing, ownership=owned, price_uses_stand_ins=False)
    text = draw(_with(quote, renting=changed), "en").text
    assert "What owning costs" in text
    assert "per useful hour" not in text
    assert "Cheapest offers for the same work" not in text


def test_that_no_offer_is_bold_where_none_was_weighed(quote: Quote) -> None:
    report = _renting(quote.advice)
    unweighed = replace(report.comparison, decision=replace(report.comparison.decision, best_offer=None))
    text = draw(_with(quote, renting=replace(report, comparison=unweighed)), "en").text
    assert "Cheapest offers for the same work" in text
    assert "In bold: the offer weighed above" not in text


def test_that_a_run_in_an_instance_names_the_instance(quote: Quote, facts: Facts) -> None:
    assert quote.advice is not None
    chosen = quote.advice.chosen
    profile = facts.cards["h200_nvl"].mig[0]
    inside = replace(chosen, placements=tuple(replace(item, mig=profile) for item in chosen.placements))
    assert profile.name in draw(_with(quote, chosen=inside), "en").text


def _renting(advice: Advice | None) -> Any:
    assert advice is not None
    report = advice.renting
    assert report is not None
    assert report.comparison is not None
    assert report.ownership is not None
    assert report.comparison.decision.best_offer is not None
    return report
