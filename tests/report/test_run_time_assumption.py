"""A reader with a pocket calculator gets the printed time of a run from the step and from what the paper says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from decimal import Decimal
from math import ceil
from typing import Any

import pytest

from catalog.load import load_catalog
from engine.cost.types import EconomicsKey, OwnershipAnswers
from engine.methods import Method, Recipe
from engine.plan.recommend import recommend
from engine.quote.build import build_quote
from engine.quote.document import BesideSteps, Quote
from engine.quote.parties import Customer, Seller
from engine.workload import Place, Priority, Scenario, Site, Workload

TODAY = date(2026, 11, 30)
Draw = Callable[..., Any]


def quote_of(**changes: Any) -> Quote:
    facts = load_catalog().facts
    model = facts.models["llama-3.3-70b"]
    task = Workload("Assistent", model, Recipe(Method.LORA), 2048, tokens_per_run=40_000_000)
    asked = Scenario((task,), Site(Place.RACK), frozenset(), Priority.PURCHASE_PRICE, "EUR", TODAY)
    recommendation = recommend(replace(asked, **changes), facts)
    return build_quote(recommendation, facts, Seller(), Customer(company="Beispiel AG"), "en", TODAY)


def ground(quote: Quote) -> BesideSteps:
    assert quote.advice is not None
    assert quote.advice.beside is not None
    return quote.advice.beside


def test_that_steps_and_the_stated_rest_make_the_time_of_a_run(draw_quote: Draw) -> None:
    quote = quote_of()
    beside = ground(quote)
    assert quote.advice is not None
    placement = quote.advice.chosen.placements[0]
    assert placement.step is not None
    assert placement.hours_per_run is not None
    steps_h = ceil(40_000_000 / placement.step.tokens_per_step) * placement.step.total_s.expected / 3600
    by_hand = steps_h / (1 - beside.evaluation_share) + beside.start_up_s / 3600
    # 141 GB of weights read and a few GB written at about a gigabyte per second: two to three minutes.
    assert by_hand < placement.hours_per_run.expected < by_hand + 0.05
    text = " ".join(draw_quote(quote, "en").text.split())
    assert "evaluation takes 14% of it, start-up 300 s" in text.replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize("share", ["0", "0.25"])
def test_that_the_customers_own_share_of_failed_runs_is_the_one_stated(share: str) -> None:
    own = OwnershipAnswers(overrides={EconomicsKey.FAILED_RUN_SHARE: Decimal(share)})
    assert ground(quote_of(ownership=own)).failed_share == Decimal(share)
