"""Model states and traffic that an article prints, to its printed precision."""

from __future__ import annotations

from typing import Any

import pytest

from engine.memory.estimate import estimate
from engine.memory.traffic import lower_bound_s, step_traffic
from engine.methods import Layout, Method, Offload, Optimizer, Recipe, Sharding
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


def _traffic(cards: int, sharding: Sharding, **recipe: Any) -> Any:
    return step_traffic(LLAMA_70B, Recipe(Method.LORA, **recipe), Layout(cards, sharding))


def test_that_gradients_and_their_all_reduce_are_as_printed() -> None:
    traffic = _traffic(2, Sharding.DDP)
    assert traffic.gradient_bytes / GB == pytest.approx(0.41, abs=0.005)
    assert traffic.all_reduce / GB == pytest.approx(0.83, abs=0.005)
    assert 1000 * lower_bound_s(traffic.all_reduce, 64e9) == pytest.approx(13, abs=0.5)


def test_that_the_all_gather_is_as_printed() -> None:
    two, four = _traffic(2, Sharding.FSDP), _traffic(4, Sharding.FSDP)
    assert two.all_gather / GB == pytest.approx(141, abs=0.5)
    assert four.all_gather / GB == pytest.approx(212, abs=0.5)
    assert lower_bound_s(two.all_gather, 450e9) == pytest.approx(0.3136, abs=0.0005)
    assert lower_bound_s(two.all_gather, 64e9) == pytest.approx(2.2048, abs=0.0005)
    assert lower_bound_s(four.all_gather, 64e9) == pytest.approx(3.3072, abs=0.0005)


def test_that_one_card_exchanges_nothing() -> None:
    assert step_traffic(LLAMA_8B, Recipe(Method.FULL), Layout()).total == 0


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
