"""Adapter parameters by rank and targets; whole models are compared with PEFT in tests/catalog."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.adapters import adapted_linears, adapter_parameters, linear_adapter_parameters
from engine.errors import InvalidInputError
from engine.models import Block, Linear, MixerKind, ModelSpec, MoeShape, Role
from tests.engine.builders import small_model

QUERY = Linear("self_attn.q_proj", 8, 16, Role.ATTENTION, bias=True)
OUT = Linear("self_attn.o_proj", 16, 8, Role.ATTENTION)
DOWN = Linear("mlp.down_proj", 12, 8, Role.MLP)
EXPERTS_UP = Linear(
    "mlp.experts.gate_up_proj", 8, 24, Role.EXPERT, count=4, fused_parameter=True, peft_all_linear=False
)
EXPERTS_DOWN = Linear("mlp.experts.down_proj", 12, 8, Role.EXPERT, count=4, fused_parameter=True, peft_all_linear=False)
ROUTER = Linear("mlp.gate", 8, 4, Role.ROUTER, fused_parameter=True, peft_all_linear=False)
RENAMED = (("gate", "gate"), ("gate_proj", "gate_up_proj"), ("up_proj", "gate_up_proj"), ("down_proj", "down_proj"))


def model(*linears: Linear, layers: int = 3, moe: MoeShape | None = None) -> ModelSpec:
    return small_model(Block(layers, MixerKind.ATTENTION, linears, 16, moe=moe))


DENSE = model(QUERY, OUT, DOWN)
MIXTURE = model(QUERY, OUT, ROUTER, EXPERTS_UP, EXPERTS_DOWN, moe=MoeShape(4, 2, 12))


def test_that_an_adapter_is_two_narrow_matrices_for_each_target() -> None:
    # by hand: rank 4, three layers, 4 x (8 + 16) for q, as much for o, 4 x (12 + 8) for down
    assert adapter_parameters(DENSE, 4) == 3 * (4 * 24 + 4 * 24 + 4 * 20)


def test_that_names_match_by_suffix_after_a_dot() -> None:
    assert adapter_parameters(DENSE, 4, ("q_proj",)) == 3 * 4 * 24
    assert adapter_parameters(DENSE, 4, ("self_attn.q_proj", "down_proj")) == 3 * 4 * (24 + 20)
    with pytest.raises(InvalidInputError, match="_proj"):
        adapter_parameters(DENSE, 4, ("_proj",))


def test_that_attention_means_the_attention_matrices() -> None:
    assert adapter_parameters(DENSE, 4, ("attention",)) == 3 * 4 * (24 + 24)


def test_that_experts_in_one_tensor_are_passed_over_unless_named() -> None:
    assert adapter_parameters(MIXTURE, 4) == 3 * 4 * (24 + 24)
    # four experts of 12 -> 8
    assert adapter_parameters(MIXTURE, 4, ("all-linear", "experts.down_proj")) == 3 * (4 * 48 + 4 * 4 * 20)


def test_that_old_names_of_fused_experts_reach_their_tensors() -> None:
    tensors = (replace(EXPERTS_UP, rank_factor=2, peft_all_linear=True), replace(EXPERTS_DOWN, peft_all_linear=True))
    mixture = replace(model(QUERY, replace(ROUTER, peft_all_linear=True), *tensors), peft_module_names=RENAMED)
    # gate and up share a tensor of 8 -> 24 and get twice the rank
    up, down = 4 * 2 * 4 * 32, 4 * 4 * 20
    assert adapter_parameters(mixture, 4, ("gate_proj", "up_proj")) == 3 * up
    assert adapter_parameters(mixture, 4, ("down_proj",)) == 3 * down
    assert adapter_parameters(mixture, 4) == 3 * (4 * 24 + 4 * 12 + up + down)
    with pytest.raises(InvalidInputError, match="up_proj"):
        adapter_parameters(mixture, 4, ("gate_proj",))


def test_that_a_module_peft_refuses_is_left_out_of_all_linear_and_refused_by_name() -> None:
    careful = replace(DENSE, peft_refused=("o_proj",))
    assert adapter_parameters(careful, 4) == 3 * 4 * (24 + 20)
    with pytest.raises(InvalidInputError, match="o_proj"):
        adapter_parameters(careful, 4, ("q_proj", "o_proj"))


def test_that_dora_adds_a_magnitude_for_each_output_and_refuses_experts() -> None:
    assert linear_adapter_parameters(QUERY, 4, dora=True) == 4 * 24 + 16
    with pytest.raises(InvalidInputError, match="DoRA"):
        adapter_parameters(MIXTURE, 4, ("experts.down_proj",), dora=True)


def test_that_layers_outside_the_blocks_are_adapted_once() -> None:
    extended = replace(DENSE, adaptable_extras=(Linear("per_layer_model_projection", 8, 6, Role.MLP),))
    assert adapter_parameters(extended, 4) - adapter_parameters(DENSE, 4) == 4 * 14


@pytest.mark.parametrize("rank", [0, -1, 65_537, 2**63, True])
def test_that_a_rank_outside_its_range_is_refused(rank: int) -> None:
    with pytest.raises(InvalidInputError, match="rank"):
        adapter_parameters(DENSE, rank)


def test_that_an_adapter_needs_a_target() -> None:
    with pytest.raises(InvalidInputError, match="target"):
        adapter_parameters(DENSE, 4, ())


@given(st.integers(1, 512), st.integers(1, 512))
def test_that_adapters_grow_in_proportion_to_the_rank(rank: int, factor: int) -> None:
    if rank * factor <= 65_536:
        assert adapter_parameters(DENSE, rank * factor) == factor * adapter_parameters(DENSE, rank)


def test_that_adapted_linears_tell_in_how_many_layers_they_stand() -> None:
    assert [(linear.name, layers) for linear, layers in adapted_linears(DENSE, ("q_proj",))] == [
        ("self_attn.q_proj", 3)
    ]
