"""Model states that an article prints, to its printed precision."""

from __future__ import annotations

import pytest

from engine.memory.estimate import estimate
from engine.methods import Method, Offload, Optimizer, Recipe
from engine.models import ModelSpec
from engine.units import GB
from tests.engine.memory.builders import LLAMA_8B, LLAMA_70B, llama, run

# A dense 32B with 64 heads of 128 on a width of 5,120 (Qwen3-32B) has query and output matrices wider than the model.
ADAMW, EIGHT_BIT = Optimizer.ADAMW, Optimizer.ADAMW_8BIT


@pytest.mark.parametrize(
    ("model", "method", "optimizer", "cards", "printed", "precision"),
    [
        (LLAMA_70B, Method.FULL, ADAMW, 1, 1129, 0.5),
        (LLAMA_70B, Method.LORA, ADAMW, 1, 144.4, 0.05),
        (LLAMA_70B, Method.LORA, ADAMW, 2, 72.2, 0.05),
        (LLAMA_70B, Method.LORA, ADAMW, 4, 36.1, 0.05),
        (LLAMA_70B, Method.QLORA, ADAMW, 1, 42.8, 0.05),
        (LLAMA_70B, Method.QLORA, ADAMW, 2, 21.4, 0.05),
        (LLAMA_70B, Method.FULL, ADAMW, 8, 141.1, 0.05),
        (LLAMA_70B, Method.FULL, EIGHT_BIT, 8, 88.2, 0.05),
        (LLAMA_8B, Method.FULL, ADAMW, 1, 128.5, 0.05),
        (LLAMA_8B, Method.FULL, ADAMW, 2, 64.2, 0.05),
        (LLAMA_8B, Method.FULL, EIGHT_BIT, 1, 80, 0.5),
        (LLAMA_8B, Method.QLORA, ADAMW, 1, 6.4, 0.05),
    ],
)
def test_that_the_printed_model_states_come_out(
    model: ModelSpec, method: Method, optimizer: Optimizer, cards: int, printed: float, precision: float
) -> None:
    result = estimate(run(model, method, cards=cards, optimizer=optimizer))
    assert result.states.model_states / GB == pytest.approx(printed, abs=precision)


def test_that_the_printed_host_memory_comes_out() -> None:
    result = estimate(run(LLAMA_70B, Method.FULL, offload=Offload.OPTIMIZER))
    assert result.host / GB == pytest.approx(988, abs=0.5)


def test_that_recipes_cost_what_they_are_named_after() -> None:
    small = llama(1024, 4096, 4, 16, 4, 32000)
    for states, per_parameter in (
        ("bf16-master", 16),
        ("bf16", 8),
        ("amp", 16),
        ("fp32-gradients", 18),
        ("bf16-8bit", 10),
    ):
        result = estimate(run(small, Method.FULL, states=type(Recipe(Method.FULL).states)(states)))
        assert result.states.model_states == per_parameter * small.parameters
