"""What is refused and up to where, what is answered at the borders, and the way from too large to fitting."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

import pytest

from engine.errors import InvalidInputError
from engine.fit import Verdict, judge, planned_bytes
from engine.memory.aggregate import MODELS_REMEMBERED, VALUES_REMEMBERED, PerModel
from engine.memory.estimate import estimate
from engine.memory.inverse import largest_micro_batch, longest_sequence
from engine.memory.mig import instance_bytes
from engine.memory.remarks import remarks
from engine.memory.remedies import LEAST_SHARE, RemedyKind, remedies, steps_to_fit
from engine.memory.tensor_parallel import tensor_slice
from engine.memory.types import Phase, PhaseBytes, TrainingSetup
from engine.methods import (
    Attention,
    Checkpointing,
    Layout,
    Loss,
    Method,
    Offload,
    Optimizer,
    Sharding,
    StateRecipe,
)
from engine.models import CheckpointFormat, Linear, MixerKind, ModelSpec, MoeShape, Role
from tests.engine.memory.builders import LLAMA_1B, LLAMA_8B, LLAMA_70B, llama, run

TINY = llama(64, 128, 2, 4, 2, 100)
CARD_48, CARD_80 = 49_140 * 2**20, 81_559 * 2**20  # driver totals of a 48 and an 80 GB card


@pytest.mark.parametrize(
    ("name", "most", "build"),
    [
        ("sequence length", 2**24, lambda n: run(TINY, sequence=n)),
        ("micro-batch", 2**16, lambda n: run(TINY, batch=n)),
        ("rank", 2**14, lambda n: run(TINY, rank=n)),
        ("gradient accumulation", 2**24, lambda n: run(TINY, gradient_accumulation=n)),
        ("cards", 2**14, lambda n: replace(run(TINY), layout=Layout(n, Sharding.FSDP))),
    ],
)
def test_that_every_number_has_a_largest_value_that_still_counts(
    name: str, most: int, build: Callable[[int], TrainingSetup]
) -> None:
    for fine in (1, most):
        assert estimate(build(fine)).allocated_peak > 0
    for wrong in (0, most + 1):
        with pytest.raises(InvalidInputError, match=f"{name} must be a whole number from 1 to {most}"):
            estimate(build(wrong))


def test_that_the_longest_sequence_ends_at_the_limit_and_may_be_a_single_token() -> None:
    setup = run(TINY)
    assert longest_sequence(setup, 2**62, 0.15) == 2**24
    assert largest_micro_batch(setup, 2**62, 0.15) == 2**16

    def need(length: int) -> int:
        one = estimate(replace(setup, sequence_length=length))
        return max(planned_bytes(one, 0.15), one.required.high)

    assert longest_sequence(setup, need(1), 0.15) == 1
    assert longest_sequence(setup, need(1) - 1, 0.15) is None
    assert longest_sequence(setup, need(777), 0.15) == 777
    assert longest_sequence(setup, need(778) - 1, 0.15) == 777


@pytest.mark.parametrize("headroom", [-0.01, 4.01])
def test_that_an_absurd_headroom_is_refused(headroom: float) -> None:
    with pytest.raises(InvalidInputError, match="from 0 to 4"):
        judge(estimate(run(TINY)), 2**40, headroom)


def test_that_an_instance_of_nothing_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="An instance of 0 GB is no part of a card with 48 GB"):
        instance_bytes(CARD_48, Decimal(48), Decimal(0))


def test_that_a_verdict_turns_exactly_at_its_border() -> None:
    one = estimate(run(LLAMA_8B))
    required, planned = one.required, planned_bytes(one, 0.5)
    assert planned > required.high
    assert judge(one, required.expected - 1, 0.5) is Verdict.NO
    assert judge(one, required.expected, 0.5) is Verdict.UNCERTAIN
    assert judge(one, required.high, 0.5) is Verdict.TIGHT
    assert judge(one, planned - 1, 0.5) is Verdict.TIGHT
    assert judge(one, planned, 0.5) is Verdict.FITS


def test_that_the_earliest_of_equal_phases_limits() -> None:
    assert PhaseBytes(5, 5, 5, 5, 5).limiting is Phase.LOAD
    assert PhaseBytes(1, 2, 7, 7, 3).limiting is Phase.LOSS
    assert PhaseBytes(1, 2, 3, 4, 5).limiting is Phase.STEP


# Changed fields of each remedy, from the settings that call for all of them.
@pytest.mark.parametrize(
    ("kind", "changed"),
    [
        (RemedyKind.FUSED_LOSS, {"loss": Loss.FUSED}),
        (RemedyKind.FLASH_ATTENTION, {"attention": Attention.FLASH}),
        (RemedyKind.CHECKPOINTING, {"checkpointing": Checkpointing.ON}),
        (RemedyKind.EIGHT_BIT_OPTIMIZER, {"optimizer": Optimizer.ADAMW_8BIT}),
        (RemedyKind.OFFLOADED_OPTIMIZER, {"offload": Offload.OPTIMIZER}),
        (RemedyKind.LORA, {"method": Method.LORA}),
    ],
)
def test_that_a_remedy_changes_what_it_is_named_after_and_nothing_else(
    kind: RemedyKind, changed: dict[str, object]
) -> None:
    setup = run(LLAMA_1B, Method.FULL, attention=Attention.EAGER, checkpointing=Checkpointing.OFF)
    found = {remedy.kind: remedy for remedy in remedies(setup, CARD_48, 0.15)}
    assert found[kind].setup == replace(setup, recipe=replace(setup.recipe, **changed))


def test_that_remedies_are_only_those_that_are_still_open() -> None:
    spare = run(
        LLAMA_1B,
        Method.QLORA,
        sequence=1,
        loss=Loss.FUSED,
        checkpointing=Checkpointing.OFFLOADED,
        optimizer=Optimizer.PAGED_ADAMW_8BIT,
    )
    kinds = {remedy.kind for remedy in remedies(spare, CARD_48, 0.15)}
    assert kinds <= {RemedyKind.ONE_MORE_CARD}
    lora = {remedy.kind for remedy in remedies(run(LLAMA_1B, batch=2, kbit_upcast=False), CARD_48, 0.15)}
    assert {RemedyKind.QLORA, RemedyKind.SMALLER_MICRO_BATCH, RemedyKind.SHORTER_SEQUENCE} <= lora
    assert not lora & {RemedyKind.LORA, RemedyKind.OFFLOADED_OPTIMIZER, RemedyKind.NO_UPCAST}
    upcast = run(LLAMA_1B, Method.QLORA, kbit_upcast=True)
    assert RemedyKind.NO_UPCAST in {remedy.kind for remedy in remedies(upcast, CARD_48, 0.15)}


def test_that_checkpoints_are_offloaded_only_where_there_are_some() -> None:
    for checkpointing in Checkpointing:
        kinds = {one.kind for one in remedies(run(LLAMA_1B, checkpointing=checkpointing), CARD_48, 0.15)}
        assert (RemedyKind.OFFLOADED_CHECKPOINTS in kinds) is (checkpointing is Checkpointing.ON)
        assert (RemedyKind.CHECKPOINTING in kinds) is (checkpointing is Checkpointing.OFF)


# At 16 tokens the step of full weights limits, 18 B per parameter; a fused loss or half the tokens change nothing.
def test_that_what_saves_nothing_is_no_remedy() -> None:
    setup = run(LLAMA_1B, Method.FULL, sequence=16, batch=2, optimizer=Optimizer.ADAMW_FOREACH)
    kinds = {one.kind for one in remedies(setup, CARD_48, 0.15)}
    assert kinds == {
        RemedyKind.EIGHT_BIT_OPTIMIZER,
        RemedyKind.ONE_MORE_CARD,
        RemedyKind.OFFLOADED_OPTIMIZER,
        RemedyKind.LORA,
    }


def test_that_half_of_length_and_batch_are_tried() -> None:
    found = {remedy.kind: remedy.setup for remedy in remedies(run(LLAMA_8B, batch=5, sequence=999), CARD_48, 0.15)}
    assert found[RemedyKind.SMALLER_MICRO_BATCH].micro_batch == 2
    assert found[RemedyKind.SHORTER_SEQUENCE].sequence_length == 499


@pytest.mark.parametrize(
    ("layout", "more"),
    [
        (Layout(), Layout(2, Sharding.FSDP)),
        (Layout(1, Sharding.ZERO2), Layout(2, Sharding.FSDP)),
        (Layout(2, Sharding.FSDP), Layout(3, Sharding.FSDP)),
        (Layout(2, Sharding.ZERO1), Layout(3, Sharding.ZERO1)),
        (Layout(2, Sharding.TENSOR), Layout(3, Sharding.FSDP)),
        (Layout(4, Sharding.HYBRID, 2), Layout(5, Sharding.FSDP)),
    ],
)
def test_that_one_more_card_keeps_the_layout_where_it_can(layout: Layout, more: Layout) -> None:
    setup = replace(run(LLAMA_8B, Method.FULL), layout=layout)
    found = {remedy.kind: remedy.setup for remedy in remedies(setup, CARD_48, 0.15)}
    assert found[RemedyKind.ONE_MORE_CARD].layout == more


def test_that_the_steps_to_a_fit_build_on_each_other_and_end_with_the_first_that_fits() -> None:
    setup = run(LLAMA_70B, Method.QLORA, sequence=8192, batch=4)
    steps = steps_to_fit(setup, CARD_80, 0.15)
    assert len(steps) > 1
    assert [step.verdict is Verdict.FITS for step in steps] == [False] * (len(steps) - 1) + [True]
    order = list(RemedyKind)
    assert [order.index(step.kind) for step in steps] == sorted(order.index(step.kind) for step in steps)
    before = estimate(setup).required.expected
    for step in steps:
        now = estimate(step.setup).required.expected
        assert step.saved_bytes == before - now >= LEAST_SHARE * before
        assert step.verdict is judge(estimate(step.setup), CARD_80, 0.15)
        before = now


def test_that_unwanted_steps_are_left_out_and_no_way_is_no_way() -> None:
    setup = run(LLAMA_70B, Method.QLORA, sequence=8192, batch=4)
    usable = CARD_80
    first = steps_to_fit(setup, usable, 0.15)[0].kind
    assert first not in {step.kind for step in steps_to_fit(setup, usable, 0.15, without=(first,))}
    assert steps_to_fit(setup, 2**30, 0.15) == ()
    assert steps_to_fit(setup, usable, 0.15, without=tuple(RemedyKind)) == ()


# 32 heads, 8 key-value heads, inner 14,336, vocabulary 128,256 over four cards.
def test_that_tensor_parallelism_gives_a_card_its_part_of_every_matrix() -> None:
    (block,) = tensor_slice(LLAMA_8B, 4).blocks
    sizes = {linear.name.rpartition(".")[2]: (linear.inputs, linear.outputs) for linear in block.linears}
    assert sizes == {
        "q_proj": (4096, 1024),
        "k_proj": (4096, 256),
        "v_proj": (4096, 256),
        "o_proj": (1024, 4096),
        "gate_proj": (4096, 3584),
        "up_proj": (4096, 3584),
        "down_proj": (3584, 4096),
    }
    assert block.attention is not None
    assert block.mlp is not None
    assert (block.attention.heads, block.attention.kv_heads, block.mlp.intermediate) == (8, 2, 3584)
    sliced = tensor_slice(LLAMA_8B, 4)
    assert (sliced.vocab_size, sliced.embedding_parameters, sliced.head_parameters) == (32064, 131334144, 131334144)
    (copied,) = tensor_slice(LLAMA_8B, 16).blocks
    assert copied.attention is not None
    assert copied.attention.kv_heads == 1, "fewer key-value heads than cards: one each"


def test_that_a_gate_of_one_output_is_not_cut_and_experts_are() -> None:
    (block,) = TINY.blocks
    gate = Linear("mlp.shared_expert_gate", 64, 1, Role.ROUTER)
    expert = Linear("mlp.experts.down_proj", 96, 64, Role.EXPERT, count=8)
    mixed = replace(block, mlp=None, moe=MoeShape(8, 2, 96), linears=(gate, expert))
    (sliced,) = tensor_slice(replace(TINY, blocks=(mixed,)), 2).blocks
    assert [(one.inputs, one.outputs) for one in sliced.linears] == [(64, 1), (48, 64)]
    assert sliced.moe is not None
    assert sliced.moe.intermediate == 48


def _codes(model: ModelSpec, method: Method = Method.LORA, **recipe: object) -> list[str]:
    return [note.code for note in remarks(run(model, method, **recipe))]


def test_that_remarks_stand_where_they_apply_and_nowhere_else() -> None:
    (block,) = TINY.blocks
    assert _codes(TINY) == []
    assert _codes(replace(TINY, recognised=False, model_type="gpt2")) == ["model-computed-from-dimensions"]
    assert _codes(replace(TINY, model_type="gpt2")) == ["activations-approximate"]
    assert _codes(replace(TINY, vision_parameters=5)) == ["vision-part-not-trained"]
    stack = Linear("experts.down", 8, 8, Role.EXPERT, count=2, fused_parameter=True)
    experts = replace(block, linears=(*block.linears, stack))
    router = replace(block, linears=(*block.linears, Linear("router", 64, 8, Role.ROUTER, fused_parameter=True)))
    fused, routed = replace(TINY, blocks=(experts,)), replace(TINY, blocks=(router,))
    assert _codes(fused, Method.QLORA) == ["experts-stay-16-bit"]
    assert _codes(fused, Method.LORA, targets=("experts.down",)) == []
    assert _codes(routed, Method.QLORA) == []
    for mixer in (MixerKind.LINEAR_ATTENTION, MixerKind.STATE_SPACE):
        recurrent = replace(TINY, blocks=(block, replace(block, mixer=mixer)))
        assert _codes(recurrent) == ["recurrent-layers-without-kernels"]
    assert _codes(TINY, Method.FULL, states=StateRecipe.BF16) == ["pure-bf16"]
    assert _codes(TINY, Method.LORA, states=StateRecipe.BF16) == []
    assert _codes(TINY, Method.FULL, offload=Offload.NVME) == ["nvme-host-buffers-assumed"]


@pytest.mark.parametrize(
    ("form", "method", "codes"),
    [
        (CheckpointFormat.MXFP4, Method.LORA, ["quantised-checkpoint"]),
        (CheckpointFormat.FP8, Method.FULL, ["quantised-checkpoint"]),
        (CheckpointFormat.GPTQ, Method.LORA, ["adapters-on-quantised-checkpoint"]),
        (CheckpointFormat.AWQ, Method.FULL, ["checkpoint-not-trainable"]),
        (CheckpointFormat.OTHER, Method.LORA, ["checkpoint-format-unknown"]),
        (CheckpointFormat.BITSANDBYTES, Method.QLORA, []),
        (CheckpointFormat.NONE, Method.FULL, []),
    ],
)
def test_that_an_estimate_says_what_a_quantised_checkpoint_means_for_its_method(
    form: CheckpointFormat, method: Method, codes: list[str]
) -> None:
    assert _codes(replace(TINY, checkpoint_format=form), method) == codes


def test_that_values_are_remembered_per_model_and_forgotten_when_they_are_too_many() -> None:
    asked: list[tuple[int, object]] = []

    def compute(model: ModelSpec, key: object) -> int:
        asked.append((id(model), key))
        return len(asked)

    known: PerModel[int] = PerModel(compute)
    models = [replace(TINY, id=str(number)) for number in range(MODELS_REMEMBERED + 1)]
    assert known(models[0], "a") == known(models[0], "a") == 1
    assert known(models[1], "a") == 2, "an equal model is another one"
    for model in models[2:MODELS_REMEMBERED]:
        known(model, "a")
    known(models[0], "a")
    assert len(asked) == MODELS_REMEMBERED
    known(models[MODELS_REMEMBERED], "a")  # one too many: the oldest is forgotten
    known(models[1], "a")
    assert len(asked) == MODELS_REMEMBERED + 1
    known(models[0], "a")
    assert len(asked) == MODELS_REMEMBERED + 2
    for key in range(VALUES_REMEMBERED - 1):
        known(models[0], key)
    before = len(asked)
    known(models[0], "a")
    assert len(asked) == before
    known(models[0], "one too many")
    known(models[0], "a")
    assert len(asked) == before + 2
    known.cache_clear()
    known(models[0], "a")
    assert len(asked) == before + 3
