"""Bytes of every optimiser."""

from __future__ import annotations

import pytest

from engine.memory.estimate import estimate
from engine.memory.optimisers import RULES
from engine.methods import Method, Optimizer, StateRecipe
from tests.engine.memory.builders import LLAMA_8B, run

P = LLAMA_8B.parameters


def test_that_every_optimiser_has_a_rule_with_a_source() -> None:
    assert set(RULES) == set(Optimizer)
    assert all(rule.source for rule in RULES.values())


@pytest.mark.parametrize(
    ("optimizer", "states"),
    [
        (Optimizer.ADAMW, 8 * P),
        (Optimizer.ADAMW_FUSED, 8 * P),
        (Optimizer.ADAMW_FOREACH, 8 * P),
        (Optimizer.ADAMW_8BIT, 2 * P),
        (Optimizer.LION, 4 * P),
        (Optimizer.SGD, 0),
    ],
)
def test_that_full_size_moments_cost_their_width(optimizer: Optimizer, states: int) -> None:
    assert estimate(run(method=Method.FULL, optimizer=optimizer)).states.optimizer == states


def test_that_adafactor_keeps_vectors_for_matrices() -> None:
    states = estimate(run(method=Method.FULL, optimizer=Optimizer.ADAFACTOR)).states.optimizer
    # embedding and head are counted with full-size second moments, the layers' matrices with rows and columns
    assert states == pytest.approx(4 * 2 * 128256 * 4096, rel=0.01)


def test_that_muon_keeps_one_moment_for_matrices_and_two_for_the_rest() -> None:
    states = estimate(run(method=Method.FULL, optimizer=Optimizer.MUON)).states.optimizer
    matrices = 6_979_321_856
    assert states == 4 * matrices + 8 * (P - matrices)


def test_that_galore_needs_less_than_adam_and_more_than_nothing() -> None:
    galore, adam = (
        estimate(run(method=Method.FULL, optimizer=kind)).states.optimizer
        for kind in (Optimizer.GALORE, Optimizer.ADAMW)
    )
    assert 0 < galore < adam / 4


def test_that_paged_states_may_live_in_host_memory() -> None:
    paged = estimate(run(method=Method.FULL, optimizer=Optimizer.PAGED_ADAMW_8BIT))
    assert paged.host == 2 * P


def test_that_the_recipe_with_eight_bits_names_its_optimiser() -> None:
    named = estimate(run(method=Method.FULL, states=StateRecipe.BF16_8BIT))
    asked = estimate(run(method=Method.FULL, optimizer=Optimizer.ADAMW_8BIT))
    assert named.states == asked.states
