"""The memory estimate: parts, phases, sharding and what changes it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.errors import InvalidInputError
from engine.memory.estimate import estimate
from engine.memory.types import Phase
from engine.methods import (
    Attention,
    Checkpointing,
    Layout,
    Loss,
    Method,
    Objective,
    Offload,
    Optimizer,
    Precision,
    Sharding,
    StateRecipe,
)
from engine.units import GB
from tests.engine.memory.builders import LLAMA_1B, LLAMA_8B, LLAMA_70B, llama, run


def test_that_a_70b_lora_needs_the_states_the_article_prints() -> None:
    # 2 x 70,553,706,496 + 16 x 207,093,760 = 144.4 GB
    assert estimate(run(LLAMA_70B)).states.model_states / GB == pytest.approx(144.4, abs=0.05)


def test_that_the_peak_of_an_8b_lora_equals_the_formula_of_its_layers() -> None:
    # states 2 P + 12 A = 2 x 8,030,261,248 + 12 x 41,943,040 = 16,563,838,976
    # saved per token (2 h L + 4 h + 4 d + 32) with h 4096, L 32, d 128 = 279,072; loss 12 x 128,256 = 1,539,072
    # 16,563,838,976 + 2,048 x 1,818,144 = 20,287,397,888
    assert estimate(run()).allocated_peak == pytest.approx(20_287_397_888, rel=1e-4)


def test_that_the_loss_limits_a_lora_and_a_fused_loss_moves_the_limit_to_the_layers() -> None:
    plain, fused = estimate(run()), estimate(run(loss=Loss.FUSED))
    assert plain.phases.limiting is Phase.LOSS
    assert fused.phases.limiting is Phase.BACKWARD
    assert plain.card.logits > 0
    # the layers: 2,048 x (2 h L + 344,424 + 544) beside the states and the bf16 copies of one layer's adapters
    assert fused.allocated_peak == pytest.approx(17_810_024_448, rel=1e-3)


def test_that_full_fine_tuning_peaks_when_all_gradients_are_there() -> None:
    # 16 B per parameter: 128.48 GB of states; weights, master and moments with all activations stay below
    result = estimate(run(method=Method.FULL))
    assert result.phases.limiting is Phase.BACKWARD
    assert result.allocated_peak == pytest.approx(16 * 8_030_261_248, rel=1e-3)


def test_that_adamw_without_fusion_peaks_in_the_step() -> None:
    # pure bf16: 8 B per parameter and a temporary copy of 2 B in the multi-tensor step: 10 B
    result = estimate(run(method=Method.FULL, states=StateRecipe.BF16, optimizer=Optimizer.ADAMW_FOREACH))
    assert result.phases.limiting is Phase.STEP
    assert result.allocated_peak == pytest.approx(10 * 8_030_261_248, rel=1e-3)


@pytest.mark.parametrize("method", list(Method))
@pytest.mark.parametrize("checkpointing", list(Checkpointing))
@pytest.mark.parametrize("sharding", list(Sharding))
def test_that_the_parts_of_a_card_add_up_to_the_peak(
    method: Method, checkpointing: Checkpointing, sharding: Sharding
) -> None:
    cards = 1 if sharding is Sharding.NONE else 4
    result = estimate(run(LLAMA_1B, method, cards=cards, sharding=sharding, checkpointing=checkpointing))
    parts = [getattr(result.card, name) for name in result.card.__slots__]
    assert sum(parts) == result.allocated_peak == max(getattr(result.phases, phase.value) for phase in Phase)
    assert min(parts) >= 0
    assert result.required.low <= result.required.expected <= result.required.high


@pytest.mark.parametrize("method", list(Method))
def test_that_hybrid_sharding_needs_on_each_card_what_one_of_its_groups_does(method: Method) -> None:
    hybrid = estimate(run(method=method, cards=8, sharding=Sharding.HYBRID))
    group = estimate(run(method=method, cards=4, sharding=Sharding.FSDP))
    assert (hybrid.card, hybrid.phases, hybrid.required) == (group.card, group.phases, group.required)


@pytest.mark.parametrize(
    "layout",
    [
        Layout(8, Sharding.HYBRID),
        Layout(8, Sharding.HYBRID, 8),
        Layout(8, Sharding.HYBRID, 1),
        Layout(8, Sharding.HYBRID, 3),
        Layout(8, Sharding.FSDP, 4),
    ],
)
def test_that_hybrid_sharding_needs_equal_groups_and_nothing_else_has_any(layout: Layout) -> None:
    with pytest.raises(InvalidInputError, match="equal groups"):
        estimate(replace(run(), layout=layout))


def test_that_gradient_accumulation_keeps_the_gradients() -> None:
    once, often = (estimate(run(method=Method.FULL, gradient_accumulation=count)) for count in (1, 4))
    assert often.phases.forward - once.phases.forward == 2 * LLAMA_8B.parameters


def test_that_eager_attention_stores_the_scores() -> None:
    eager = estimate(run(sequence=8192, attention=Attention.EAGER))
    # traced: 45.23 GB against 31.46 GB with fused attention
    assert eager.allocated_peak / GB == pytest.approx(45.23, rel=0.005)


def test_that_offloaded_checkpoints_wait_in_host_memory() -> None:
    kept, offloaded = estimate(run(LLAMA_70B)), estimate(run(LLAMA_70B, checkpointing=Checkpointing.OFFLOADED))
    # 80 layers x 8,192 x 2 B x 2,048 tokens = 2.68 GB; of 81 inputs and outputs two stay on the card
    assert offloaded.host == 80 * 8192 * 2 * 2048
    saved = kept.allocated_peak - offloaded.allocated_peak
    assert saved == pytest.approx(79 * 8192 * 2 * 2048, rel=0.01)


def test_that_offloading_the_optimiser_needs_14_bytes_per_parameter_in_host_memory() -> None:
    result = estimate(run(LLAMA_70B, Method.FULL, offload=Offload.OPTIMIZER))
    assert result.host == 14 * 70_553_706_496
    # DeepSpeed's estimator with its buffer factor: 1.5 x 16 B
    assert result.host_high == 24 * 70_553_706_496


def test_that_offloading_everything_leaves_the_gathered_layers_on_the_card() -> None:
    result = estimate(run(LLAMA_70B, Method.FULL, offload=Offload.ALL))
    assert result.card.weights == 0
    assert result.card.communication > 0
    assert result.host_high == 27 * 70_553_706_496


def test_that_fsdp_with_fp32_shards_needs_20_bytes_per_parameter_over_all_cards() -> None:
    # measured with Llama-3-8B: 74.80 GiB per card on two, the multi-tensor step's temporary included
    setup = run(
        method=Method.FULL,
        states=StateRecipe.FSDP_MIXED,
        optimizer=Optimizer.ADAMW_FOREACH,
        sequence=4096,
        batch=4,
        cards=2,
        loss=Loss.FUSED,
    )
    assert estimate(setup).allocated_peak / 2**30 == pytest.approx(74.80, rel=0.005)


def test_that_sharding_divides_states_but_not_activations() -> None:
    one, four = estimate(run(LLAMA_70B)), estimate(run(LLAMA_70B, cards=4))
    assert four.states.model_states == pytest.approx(one.states.model_states / 4, rel=1e-6)
    assert four.phases.loss - four.card.communication == pytest.approx(one.phases.loss - 3 / 4 * 143.59e9, rel=1e-3)
    assert four.card.communication > 0


def test_that_zero_stages_divide_more_and_more() -> None:
    stages = (Sharding.DDP, Sharding.ZERO1, Sharding.ZERO2, Sharding.FSDP)
    states = [estimate(run(method=Method.FULL, cards=4, sharding=stage)).states.model_states for stage in stages]
    assert states == sorted(states, reverse=True)
    assert states[0] == 16 * LLAMA_8B.parameters
    assert states[3] == pytest.approx(4 * LLAMA_8B.parameters, rel=1e-6)


def test_that_tensor_parallelism_divides_the_logits_too() -> None:
    one, two = estimate(run()), estimate(run(cards=2, sharding=Sharding.TENSOR))
    assert two.card.logits == one.card.logits // 2


@pytest.mark.parametrize("cards", [2, 4, 8, 16, 32])
def test_that_tensor_parallelism_takes_counts_that_divide_the_heads(cards: int) -> None:
    # Llama 3.1 8B: 32 heads, 8 key-value heads, which are copied from 16 cards on.
    assert estimate(run(cards=cards, sharding=Sharding.TENSOR)).allocated_peak > 0


@pytest.mark.parametrize("cards", [3, 5, 6, 12, 64])
def test_that_tensor_parallelism_refuses_counts_that_cut_a_head(cards: int) -> None:
    with pytest.raises(InvalidInputError, match=f"32 heads cannot be divided over {cards} cards"):
        estimate(run(cards=cards, sharding=Sharding.TENSOR))


def test_that_key_value_heads_must_divide_or_be_copied_evenly() -> None:
    # 24 heads go over 3 cards, 8 key-value heads neither divide by 3 nor into 3.
    odd = llama(3072, 8192, 2, 24, 8, 32000)
    assert not odd.divides_over(3)
    assert odd.divides_over(8)
    assert odd.divides_over(24)


def test_that_the_k_bit_upcast_doubles_embedding_and_head() -> None:
    plain, upcast = (estimate(run(method=Method.QLORA, kbit_upcast=on)) for on in (False, True))
    # (2 x 128,256 x 4,096 + 65 x 4,096 norms) x 2 B = 2.1 GB
    assert upcast.states.weights - plain.states.weights == 2 * (2 * 128256 * 4096 + 65 * 4096)


def test_that_a_reference_model_is_held_for_dpo_on_full_weights_only() -> None:
    full = estimate(run(method=Method.FULL, objective=Objective.DPO, sequence=512))
    assert full.card.weights == 4 * LLAMA_8B.parameters
    assert estimate(run(objective=Objective.DPO, sequence=512)).card.weights == 2 * LLAMA_8B.parameters


def test_that_a_preference_pair_is_two_sequences() -> None:
    pair, single = estimate(run(objective=Objective.DPO)), estimate(run(batch=2))
    assert pair.allocated_peak == single.allocated_peak


def test_that_bf16_adapters_need_half_of_fp32_ones() -> None:
    half = estimate(run(adapter_dtype=Precision.BF16, autocast=False))
    whole = estimate(run())
    assert half.states.adapters * 2 == whole.states.adapters
    # traced: 20.036 GB
    assert half.allocated_peak / GB == pytest.approx(20.036, rel=1e-3)


def test_that_trained_embeddings_and_head_count_as_trained_copies() -> None:
    more = estimate(run(trains_embeddings=True, trains_head=True))
    assert more.trainable_parameters - estimate(run()).trainable_parameters == 2 * 128256 * 4096


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("sequence_length", 0),
        ("sequence_length", -1),
        ("sequence_length", 2**63),
        ("micro_batch", 0),
        ("micro_batch", True),
    ],
)
def test_that_absurd_lengths_are_refused(field: str, value: int) -> None:
    with pytest.raises(InvalidInputError, match="whole number"):
        estimate(replace(run(), **{field: value}))


def test_that_a_length_of_another_type_is_refused() -> None:
    for wrong in ("2048", float("nan"), 2048.0, None):
        with pytest.raises(InvalidInputError, match="whole number"):
            estimate(replace(run(), sequence_length=wrong))  # type: ignore[arg-type]  # what a careless caller passes


def test_that_several_cards_need_a_sharding() -> None:
    for cards in (2, 4):
        with pytest.raises(InvalidInputError, match=f"{cards} cards need a sharding"):
            estimate(replace(run(), layout=Layout(cards, Sharding.NONE)))


def test_that_adapters_need_a_target() -> None:
    with pytest.raises(InvalidInputError):
        estimate(run(targets=()))
