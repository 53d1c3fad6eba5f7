"""Serving on cards of which a figure is missing, and setups that were measured as they stand."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from engine.facts import Facts
from engine.fit import Verdict
from engine.serving.baseline import rented
from engine.serving.formats import ComputeClass, compute_class
from engine.serving.machine import serving_card
from engine.serving.memory import serve_memory
from engine.serving.place import ServingHost, serve_on
from engine.serving.shape import serving_shape
from engine.serving.speed import ServingNote, SpeedBasis, notes_for, serve_speed
from engine.serving.terms import Work, copy_rate, decode_step, fastest_rate, prefill_s
from engine.serving.types import (
    ONE_CARD,
    CacheFormat,
    Lengths,
    LoadKind,
    ServeLayout,
    ServeLoad,
    ServingEngine,
    WeightFormat,
)
from engine.workload import Place, Priority, Scenario, ServingWorkload, Site
from tests.engine.serving.builders import SERVER, memory_of, placed, setup_of, speed_of


def test_that_a_card_without_published_rate_is_said_to_have_none(facts: Facts) -> None:
    card = replace(serving_card(facts.cards[SERVER]), rates={})
    assert ServingNote.NO_RATE in notes_for(setup_of(facts), card, ONE_CARD)


def test_that_a_steady_rate_on_a_card_without_bandwidth_stays_undecided(facts: Facts) -> None:
    """Room is there, but nobody can say how fast the answers come."""
    silent = replace(facts.cards[SERVER], bandwidth_gb_per_s=None)
    setup = setup_of(facts, load=ServeLoad(LoadKind.RATE, requests_per_s=1.0))
    found = serve_on(ServingWorkload("served", setup), ServingHost(silent, 1), 0.15, facts.serving)
    assert (found.verdict, found.speed, found.users) == (Verdict.UNCERTAIN, None, None)


def test_that_no_term_is_computed_without_its_figure(facts: Facts) -> None:
    fitted = facts.serving.coefficients
    assert fitted is not None
    card = serving_card(facts.cards[SERVER])
    shape = serving_shape(facts.models["llama-3.1-8b"])
    slow, dull = replace(card, bandwidth_b_per_s=None), replace(card, rates={})
    without_bandwidth, without_rate = (
        Work(shape, WeightFormat.BF16, CacheFormat.BF16, ServingEngine.VLLM, seen, ONE_CARD) for seen in (slow, dull)
    )
    assert decode_step(without_bandwidth, 1, 1, fitted) is None
    assert fastest_rate(without_bandwidth, 1, 100, 100) is None
    assert copy_rate(without_bandwidth, 1, 100, 100, fitted) is None
    assert prefill_s(without_rate, 100, fitted) is None
    assert copy_rate(without_rate, 1, 100, 100, fitted) is None


def test_that_a_format_without_published_rate_has_no_speed_though_bf16_has(facts: Facts) -> None:
    setup = setup_of(facts, weights=WeightFormat.FP8)
    card = serving_card(facts.cards[SERVER])
    memory = serve_memory(setup, card, facts.serving)
    assert compute_class(setup.weights, eight_bit=card.eight_bit, wide_four_bit=card.wide_four_bit) is ComputeClass.FP8
    assert serve_speed(setup, card, memory, facts.serving) is not None
    only = replace(card, rates={ComputeClass.BF16: card.rates[ComputeClass.BF16]})
    assert serve_speed(setup, only, memory, facts.serving) is None


def test_that_a_setting_the_engine_would_not_start_with_is_said(facts: Facts) -> None:
    setup, card = setup_of(facts), serving_card(facts.cards[SERVER])
    memory = replace(memory_of(facts, setup), default_starts=False)
    found = serve_speed(setup, card, memory, facts.serving)
    assert found is not None
    assert ServingNote.DEFAULT_SEQUENCES in found.notes


def test_that_the_range_holds_what_was_measured_for_the_very_setup(facts: Facts) -> None:
    """Every record of one copy that the catalogue's models and cards can repeat as it was measured."""
    repeated = 0
    for anchor in (one for anchors in facts.serving.anchors.values() for one in anchors):
        if anchor.model not in facts.models or anchor.offline:
            continue
        lengths = Lengths(anchor.prompt, anchor.prompt, anchor.output, anchor.output)
        setup = setup_of(facts, anchor.model, lengths=lengths, weights=anchor.weights, engine=anchor.engine)
        layout = ServeLayout(1, anchor.pipeline, anchor.tensor)
        found = speed_of(facts, setup, anchor.card_id, layout, users=anchor.users)
        if found is None or found.planned is None or found.planned.basis is not SpeedBasis.MEASURED:
            continue
        if found.planned.record == anchor:
            band = found.planned.tokens_per_s
            assert band.low <= anchor.tokens_per_s <= band.high
            repeated += 1
    assert repeated >= 20


def test_that_rent_is_not_compared_without_an_exchange_rate(facts: Facts) -> None:
    """Offers are in dollars; for a customer in francs without a rate there is no price to show."""
    setup = setup_of(facts, load=ServeLoad(LoadKind.USERS, users=4))
    placement = replace(placed(facts, setup), tokens_per_month=None)
    served = ServingWorkload("served", setup)
    scenario = Scenario(
        (), Site(Place.RACK), frozenset(), Priority.PURCHASE_PRICE, "CHF", date(2026, 11, 30), serving=(served,)
    )
    assert rented(placement, facts.cards[SERVER], scenario, facts) is None
    busy = replace(placement, tokens_per_month=placement.hours_per_month)
    assert rented(busy, facts.cards[SERVER], scenario, replace(facts, rates=())) is None
    assert rented(busy, facts.cards[SERVER], replace(scenario, currency="USD"), replace(facts, rates=())) is not None
