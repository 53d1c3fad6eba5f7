"""Sums over the blocks of a model."""

from __future__ import annotations

from dataclasses import replace

from engine.models import Block, Linear, MixerKind, MoeShape, Role
from tests.engine.builders import small_model

ROUTER = Linear("mlp.gate", 8, 4, Role.ROUTER)
EXPERTS = Linear("mlp.experts.down_proj", 6, 8, Role.EXPERT, bias=True, count=4)
SPARSE = Block(2, MixerKind.ATTENTION, (ROUTER, EXPERTS), 10, moe=MoeShape(4, 1, 6))
PLAIN = Block(3, MixerKind.ATTENTION, (Linear("mlp.up_proj", 8, 5, Role.MLP),), 7)
MODEL = small_model(SPARSE, PLAIN, vision_parameters=1_000)


def test_that_weights_exclude_the_bias_and_parameters_include_it() -> None:
    assert EXPERTS.weights == 4 * 6 * 8
    assert EXPERTS.parameters == 4 * (6 * 8 + 8)


def test_that_a_model_is_the_sum_of_its_parts_without_the_vision_tower() -> None:
    sparse = 2 * (8 * 4 + 4 * (6 * 8 + 8) + 10)
    plain = 3 * (8 * 5 + 7)
    assert MODEL.parameters == 80 + 80 + 8 + sparse + plain
    assert MODEL.layers == 5


def test_that_a_token_leaves_three_of_four_experts_idle() -> None:
    assert MODEL.parameters - MODEL.active_parameters == 2 * 3 * (6 * 8 + 8)
    assert MODEL.is_moe
    assert not replace(MODEL, blocks=(PLAIN,)).is_moe
