"""Serving where the catalogue lacks a figure, and layouts that no engine starts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.facts import Facts
from engine.fit import Verdict
from engine.serving.evidence import score_speed
from engine.serving.machine import serving_card
from engine.serving.memory import StartProblem, serve_memory
from engine.serving.speed import ServingNote, notes_for, serve_speed
from engine.serving.types import ONE_CARD, ServeLayout
from tests.engine.serving.builders import H200_NVL, SERVER, memory_of, placed, setup_of


def test_that_memory_needs_its_constants(facts: Facts) -> None:
    card = serving_card(facts.cards[SERVER])
    with pytest.raises(ValueError, match="constants are missing"):
        serve_memory(setup_of(facts), card, replace(facts.serving, memory=None))


def test_that_a_model_has_no_more_stages_than_layers(facts: Facts) -> None:
    setup = setup_of(facts)
    layers = setup.model.layers
    assert StartProblem.LAYERS not in memory_of(facts, setup, layout=ServeLayout(pipeline=layers)).problems
    assert StartProblem.LAYERS in memory_of(facts, setup, layout=ServeLayout(pipeline=layers + 1)).problems


def test_that_adapters_loaded_apart_are_said_to_be_unmeasured(facts: Facts) -> None:
    card = serving_card(facts.cards[SERVER])
    assert ServingNote.ADAPTERS_UNMEASURED not in notes_for(setup_of(facts), card, ONE_CARD)
    assert ServingNote.ADAPTERS_UNMEASURED in notes_for(setup_of(facts, adapters=1), card, ONE_CARD)


def test_that_ranks_without_a_bridge_are_said_to_exchange_over_pcie(facts: Facts) -> None:
    two = ServeLayout(tensor=2)
    for bridged in (True, False):
        notes = notes_for(setup_of(facts), serving_card(facts.cards[H200_NVL], bridged=bridged), two)
        assert (ServingNote.TENSOR_OVER_PCIE in notes) is not bridged


def test_that_a_card_without_bandwidth_or_rate_has_no_speed(facts: Facts) -> None:
    setup, card = setup_of(facts), serving_card(facts.cards[SERVER])
    memory = serve_memory(setup, card, facts.serving)
    assert serve_speed(setup, card, memory, facts.serving) is not None
    assert serve_speed(setup, replace(card, bandwidth_b_per_s=None), memory, facts.serving) is None
    assert serve_speed(setup, replace(card, rates={}), memory, facts.serving) is None
    assert serve_speed(setup, card, memory, replace(facts.serving, coefficients=None)) is None
    assert serve_speed(setup, card, memory, replace(facts.serving, widths=None)) is None


def test_that_nothing_to_score_is_an_error(facts: Facts) -> None:
    fitted, widths = facts.serving.coefficients, facts.serving.widths
    assert fitted is not None
    assert widths is not None
    with pytest.raises(ValueError, match="no record"):
        score_speed([], [], fitted, {}, [], widths)


# Room for n requests at once holds n users without headroom; with 200 % of headroom half of them are already tight.
def test_that_room_for_the_users_alone_is_tight_or_uncertain(facts: Facts) -> None:
    room = memory_of(facts, setup_of(facts)).sequences_mean
    assert placed(facts, setup_of(facts, users=room + 1)).verdict is Verdict.NO
    assert placed(facts, setup_of(facts, users=room)).verdict in {Verdict.UNCERTAIN, Verdict.TIGHT}
    assert placed(facts, setup_of(facts, users=max(1, room // 2)), headroom=0.15).verdict is Verdict.FITS
    assert placed(facts, setup_of(facts, users=room // 2), headroom=2.0).verdict is Verdict.TIGHT
