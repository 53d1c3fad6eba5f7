"""Bytes of every optimiser."""

from __future__ import annotations

import pytest

from engine.memory.estimate import estimate
from engine.memory.optimisers import RULES
from engine.methods import Method, Optimizer, Precision, StateRecipe
from tests.engine.memory.builders import LLAMA_1B, LLAMA_8B, run

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


# Bytes per trained parameter with an optimiser of one moment: weight, gradient, master weight, moment. Sources: ZeRO
# paper, section 3.1 (bf16 with fp32 master weights); Megatron-LM, distributed optimiser (fp32 gradients); PEFT (fp32
# adapters unless asked otherwise).
@pytest.mark.parametrize(
    ("states", "widths"),
    [
        (StateRecipe.BF16_MASTER, (2, 2, 4, 4)),
        (StateRecipe.BF16, (2, 2, 0, 2)),
        (StateRecipe.AMP, (4, 4, 0, 4)),
        (StateRecipe.FP32_GRADIENTS, (2, 4, 4, 4)),
        (StateRecipe.FSDP_MIXED, (4, 4, 0, 4)),
        (StateRecipe.BF16_8BIT, (2, 2, 4, 4)),
    ],
)
def test_that_a_recipe_of_full_weights_costs_its_widths(states: StateRecipe, widths: tuple[int, ...]) -> None:
    card = estimate(run(LLAMA_1B, Method.FULL, states=states, optimizer=Optimizer.LION)).states
    found = (card.weights, card.gradients, card.master_weights, card.optimizer)
    assert found == tuple(width * LLAMA_1B.parameters for width in widths)


@pytest.mark.parametrize(("precision", "widths"), [(Precision.FP32, (4, 4, 0, 4)), (Precision.BF16, (2, 2, 0, 2))])
def test_that_adapters_cost_their_widths(precision: Precision, widths: tuple[int, ...]) -> None:
    result = estimate(run(LLAMA_1B, adapter_dtype=precision, optimizer=Optimizer.LION))
    card = result.states
    found = (card.adapters, card.gradients, card.master_weights, card.optimizer)
    assert found == tuple(width * result.trainable_parameters for width in widths)
