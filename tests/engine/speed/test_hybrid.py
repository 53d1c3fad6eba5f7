"""Hybrid sharding: FSDP inside NVLink islands, replicas across them."""

from __future__ import annotations

import pytest

from engine.adapters import adapter_parameters
from engine.facts import Facts
from engine.hardware import Bridging, LinkKind
from engine.memory.types import TrainingSetup
from engine.methods import Layout, Method, Recipe, Sharding
from engine.speed.links import host_factor, link_of
from engine.speed.step import step_time
from engine.speed.types import SpeedNote, SpeedSetup, StepTime
from tests.engine.speed.builders import H200_NVL, LLAMA_8B, LLAMA_70B

ISLANDS = Bridging(size=4, count=2, islands=2)
HYBRID = Layout(8, Sharding.HYBRID, 4)
WHOLE = Layout(8, Sharding.FSDP)


def step(facts: Facts, layout: Layout, model: str = LLAMA_8B, recipe: Recipe | None = None, batch: int = 1) -> StepTime:
    recipe = recipe or Recipe(Method.FULL)
    spec, card = facts.models[model], facts.cards[H200_NVL]
    full = recipe.method is Method.FULL
    trained = spec.parameters if full else adapter_parameters(spec, recipe.rank, recipe.targets)
    setup = SpeedSetup(
        TrainingSetup(spec, recipe, 2048, batch, layout),
        card,
        trained,
        link_of(card, None, layout, ISLANDS, facts.speed),
        host_factor=host_factor(None, card, layout, facts.speed),
    )
    found = step_time(setup, facts.speed)
    assert found is not None
    return found


def test_that_weights_stay_inside_the_island_and_gradients_cross(facts: Facts) -> None:
    # 8.030 G parameters: two gathers and one scatter of 16.06 GB, 3/4 of each received inside; a card's quarter of the
    # gradients is 4.015 GB, its all-reduce over two islands receives 2 x 4.015 x 1/2
    parameters = 8_030_261_248
    inside = 3 * 2 * parameters * 3 / 4
    across = 2 * (2 * parameters / 4) * 1 / 2
    assert step(facts, HYBRID).link_bytes == pytest.approx(inside + across)
    twice = step(facts, HYBRID, recipe=Recipe(Method.FULL, gradient_accumulation=2))
    assert twice.link_bytes == pytest.approx(2 * (inside + across))


def test_that_the_same_tokens_are_trained_as_by_the_whole_machine(facts: Facts) -> None:
    assert step(facts, HYBRID).tokens_per_step == step(facts, WHOLE).tokens_per_step == 8 * 2048


def test_that_the_link_is_the_bridge_with_pcie_between_the_islands(facts: Facts) -> None:
    link = link_of(facts.cards[H200_NVL], None, HYBRID, ISLANDS, facts.speed)
    assert (link.kind, link.islands) == (LinkKind.NVLINK_BRIDGE, 1)
    assert link.outer is not None
    assert link.outer.kind is LinkKind.PCIE
    assert SpeedNote.SHARDED_OVER_PCIE in step(facts, HYBRID).notes


@pytest.mark.parametrize("recipe", [Recipe(Method.FULL), Recipe(Method.LORA)], ids=["full", "LoRA"])
def test_that_islands_of_their_own_are_faster_than_one_shard_across_pcie(facts: Facts, recipe: Recipe) -> None:
    for model in (LLAMA_8B, LLAMA_70B):
        hybrid, whole = step(facts, HYBRID, model, recipe), step(facts, WHOLE, model, recipe)
        assert hybrid.total_s.expected < whole.total_s.expected


def test_that_the_bound_by_the_link_is_kept(facts: Facts) -> None:
    found = step(facts, HYBRID)
    # inside 36.1 GB at 450 GB/s, across 4.0 GB at 64 GB/s, at the same time at best
    assert found.lower_bound_link_s == pytest.approx(36.136e9 / 450e9, rel=0.001)
    assert found.communication_s <= found.total_s.expected
    assert found.terms is not None
    assert found.terms.gather_s + found.terms.gradient_s > found.lower_bound_link_s
