"""Laws that every estimate obeys."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.memory.aggregate import aggregate
from engine.memory.estimate import estimate
from engine.memory.sharding import communication_bytes
from engine.memory.types import Phase, TrainingSetup
from engine.methods import (
    Attention,
    Checkpointing,
    Layout,
    Loss,
    Method,
    Offload,
    Optimizer,
    Precision,
    Recipe,
    Sharding,
    StateRecipe,
)
from engine.models import ModelSpec
from tests.engine.memory.builders import LLAMA_1B, LLAMA_8B, llama

MODELS = st.sampled_from((LLAMA_1B, LLAMA_8B, llama(512, 1376, 3, 8, 8, 32000), llama(3072, 8192, 6, 24, 2, 65024)))
SHARDED = st.sampled_from([kind for kind in Sharding if kind not in (Sharding.NONE, Sharding.HYBRID)])


@st.composite
def recipes(draw: st.DrawFn, methods: tuple[Method, ...] = tuple(Method)) -> Recipe:
    return Recipe(
        draw(st.sampled_from(methods)),
        states=draw(st.sampled_from(list(StateRecipe))),
        optimizer=draw(st.sampled_from(list(Optimizer))),
        rank=draw(st.sampled_from((4, 16, 64))),
        adapter_dtype=draw(st.sampled_from((Precision.FP32, Precision.BF16))),
        kbit_upcast=False,
        checkpointing=draw(st.sampled_from(list(Checkpointing))),
        attention=draw(st.sampled_from(list(Attention))),
        loss=draw(st.sampled_from(list(Loss))),
        gradient_accumulation=draw(st.sampled_from((1, 8))),
        adapter_dropout=draw(st.booleans()),
        offload=draw(st.sampled_from(list(Offload))),
    )


@settings(max_examples=60, deadline=None)
@given(MODELS, recipes(), st.integers(1, 40_000), st.integers(0, 40_000), st.integers(1, 8))
def test_that_more_tokens_never_need_less(model: ModelSpec, recipe: Recipe, length: int, more: int, batch: int) -> None:
    short = estimate(TrainingSetup(model, recipe, length, batch))
    long = estimate(TrainingSetup(model, recipe, length + more, batch))
    assert short.allocated_peak <= long.allocated_peak
    assert short.required.high <= long.required.high
    assert short.host <= long.host


@settings(max_examples=60, deadline=None)
@given(MODELS, recipes((Method.LORA,)), st.integers(1, 20_000), st.integers(1, 4))
def test_that_qlora_never_needs_more_than_lora(model: ModelSpec, recipe: Recipe, length: int, batch: int) -> None:
    lora = estimate(TrainingSetup(model, recipe, length, batch))
    qlora = estimate(TrainingSetup(model, replace(recipe, method=Method.QLORA), length, batch))
    assert qlora.allocated_peak <= lora.allocated_peak


@settings(max_examples=60, deadline=None)
@given(MODELS, recipes(), SHARDED, st.integers(2, 16), st.integers(1, 8192))
def test_that_sharding_never_needs_more_than_the_unsharded_run_and_its_buffers(
    model: ModelSpec, recipe: Recipe, sharding: Sharding, cards: int, length: int
) -> None:
    assume(sharding is not Sharding.TENSOR or model.divides_over(cards))
    one = estimate(TrainingSetup(model, recipe, length))
    many = estimate(TrainingSetup(model, recipe, length, 1, Layout(cards, sharding)))
    rounding = 8 * cards  # every divided part is rounded up
    assert many.states.model_states <= one.states.model_states + rounding
    buffers = communication_bytes(recipe, many.setup.layout, aggregate(model), one.states.gradients)
    buffers += _held_inputs(model, recipe, sharding, length)
    for phase in Phase:
        assert getattr(many.phases, phase.value) <= getattr(one.phases, phase.value) + buffers + rounding


def _held_inputs(model: ModelSpec, recipe: Recipe, sharding: Sharding, length: int) -> int:
    """FSDP holds the layers' input gradients of frozen layers until the backward pass ends."""
    if sharding is not Sharding.FSDP or recipe.method is Method.FULL:
        return 0
    return 4 * model.hidden_size * model.layers * length


@settings(max_examples=40, deadline=None)
@given(MODELS, recipes(), st.integers(1, 4096))
def test_that_parts_and_phases_agree(model: ModelSpec, recipe: Recipe, length: int) -> None:
    result = estimate(TrainingSetup(model, recipe, length))
    parts = [getattr(result.card, name) for name in result.card.__slots__]
    assert min(parts) >= 0
    assert sum(parts) == result.allocated_peak == getattr(result.phases, result.phases.limiting.value)
    assert result.host <= result.host_high
