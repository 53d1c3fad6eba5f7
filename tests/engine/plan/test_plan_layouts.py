"""Layouts worth trying: instances by whole memory slices, tensor parallelism and islands where they make sense."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from engine.hardware import Bridging
from engine.methods import Layout, Method, Offload, Optimizer, Recipe, Sharding, StateRecipe
from engine.plan import layouts
from engine.plan.recommend import recommend
from engine.plan.timing import checkpoint_bytes
from engine.plan.types import Placement, Recommendation
from engine.reasons import ReasonCode
from engine.speed.types import StackClass
from engine.workload import Place, Site, Workload
from tests.engine.plan.builders import scenario
from tests.engine.plan.real import facts, task

TWO = Bridging(2, 1, 1)
ISLANDS = Bridging(4, 2, 2)
MEGATRON = StackClass.VENDOR_TUNED
EIGHT_BIT = Recipe(Method.FULL, states=StateRecipe.BF16_8BIT, optimizer=Optimizer.ADAMW_8BIT)


def lora_70b(**changes: object) -> Workload:
    return replace(task("LoRA 70B", "llama-3.3-70b", Recipe(Method.LORA), 1, 40), **changes)


def widths(options: tuple[layouts.Option, ...]) -> list[int]:
    return [option.layout.cards for option in options]


def run(workload: Workload, **changes: object) -> Recommendation:
    return recommend(replace(scenario(workload), site=Site(Place.DATA_CENTRE), **changes), facts())


def placements(result: Recommendation, sharding: Sharding) -> list[tuple[str, Placement]]:
    found = [(plan.card.id, item) for plan in result.ranked for item in plan.placements]
    return [(card, item) for card, item in found if item.layout.sharding is sharding]


# nvidia-smi mig -lgip lists an H200's 1g.18gb with 16.00 GiB = 16 x 2^30 B, a tenth less than an eighth of the card
# (150,754,820,096 / 8 = 18,844,352,512 B); an RTX PRO 6000's 1g.24gb has 24,192 MiB x 2^20 of 102,641,958,912 / 4 =
# 25,660,489,728 B, an H100's 1g.10gb 9.75 GiB, an A100's of 80 GB 9.50 GiB. B200: no list found; 192,265,846,784 / 8
# = 24,033,230,848 B, so the name counts: 23 x 10^9 B.
@pytest.mark.parametrize(
    ("card_id", "profile", "usable_bytes", "instances"),
    [
        ("h200_nvl", "1g.18gb", 17_179_869_184, 7),
        ("h200_sxm", "1g.18gb", 17_179_869_184, 7),
        ("rtx_pro_6000_blackwell_se", "1g.24gb", 25_367_150_592, 4),
        ("h100_sxm", "1g.10gb", 10_468_982_784, 7),
        ("a100_pcie_80", "1g.10gb", 10_200_547_328, 7),
        ("b200_hgx", "1g.23gb", 23_000_000_000, 7),
    ],
)
def test_that_an_instance_has_what_the_driver_lists_or_its_name_says(
    card_id: str, profile: str, usable_bytes: int, instances: int
) -> None:
    card = facts().cards[card_id]
    option = next(item for item in layouts.instances(card, 2) if item.mig is not None and profile in item.mig.name)
    assert option.capacity_bytes == usable_bytes
    assert option.runs_in_parallel == 2 * instances
    assert option.card_share == pytest.approx(1 / instances)


def test_that_all_instances_together_never_have_more_than_the_card() -> None:
    for card in facts().cards.values():
        for option in layouts.instances(card, 1):
            assert option.capacity_bytes * option.runs_in_parallel <= card.usable_bytes.value


@pytest.mark.parametrize(
    ("card_id", "cards", "bridging", "found"),
    [
        ("h200_nvl", 2, TWO, [2]),
        ("h200_nvl", 8, ISLANDS, [4, 2]),
        ("h200_nvl", 2, None, []),
        ("h200_sxm", 8, None, [8, 4, 2]),
        ("rtx_pro_6000_blackwell_se", 4, None, []),
    ],
)
def test_that_layers_are_split_only_over_cards_that_nvlink_joins(
    card_id: str, cards: int, bridging: Bridging | None, found: list[int]
) -> None:
    card = facts().cards[card_id]
    assert widths(layouts.tensor_parallel(card, cards, bridging, lora_70b(), MEGATRON)) == found


def test_that_heads_must_divide() -> None:
    falcon = task("falcon", "falcon-7b", Recipe(Method.LORA), 1, 40)  # 71 heads
    assert layouts.tensor_parallel(facts().cards["h200_sxm"], 8, None, falcon, MEGATRON) == ()


@pytest.mark.parametrize(
    ("recipe", "stack", "offered"),
    [
        (Recipe(Method.LORA), StackClass.VENDOR_TUNED, True),
        (Recipe(Method.LORA), StackClass.TUNED_PYTORCH, False),
        (Recipe(Method.FULL), StackClass.TUNED_PYTORCH, True),
        (Recipe(Method.FULL), StackClass.PLAIN_HF, False),
        (Recipe(Method.FULL), None, False),
        (Recipe(Method.QLORA), StackClass.VENDOR_TUNED, False),
        (Recipe(Method.FULL, offload=Offload.OPTIMIZER), StackClass.VENDOR_TUNED, False),
        (EIGHT_BIT, StackClass.VENDOR_TUNED, False),
    ],
)
def test_that_only_software_with_published_runs_splits_layers(
    recipe: Recipe, stack: StackClass | None, offered: bool
) -> None:
    found = layouts.tensor_parallel(facts().cards["h200_sxm"], 8, None, lora_70b(recipe=recipe), stack)
    assert bool(found) is offered


def test_that_islands_train_as_replicas_only_where_there_are_several() -> None:
    card = facts().cards["h200_nvl"]
    assert [item.layout for item in layouts.hybrid(card, 8, ISLANDS, lora_70b())] == [Layout(8, Sharding.HYBRID, 4)]
    assert layouts.hybrid(card, 2, TWO, lora_70b()) == ()
    assert layouts.hybrid(card, 8, None, lora_70b()) == ()
    offloaded = lora_70b(recipe=Recipe(Method.LORA, offload=Offload.ALL))
    assert layouts.hybrid(card, 8, ISLANDS, offloaded) == ()


def test_that_one_long_run_uses_both_islands_and_says_so() -> None:
    found = [item for _, item in placements(run(lora_70b()), Sharding.HYBRID) if item.layout.cards == 8]
    assert found
    for item in found:
        said = next(one for one in item.reasons if one.code is ReasonCode.SHARDED_IN_ISLANDS)
        assert (said.value("cards"), said.value("group_cards")) == (8, 4)
        # every group holds a whole copy: a quarter of 141.1 GB of weights on each card
        assert item.estimate.card.weights == pytest.approx(141.1e9 / 4, rel=0.01)


def test_that_split_layers_are_taken_where_they_end_the_month_clearly_sooner_and_say_what_they_need() -> None:
    long = lora_70b(sequence_length=16_384)
    found = placements(run(long, stack=MEGATRON), Sharding.TENSOR)
    assert found
    for _, item in found:
        said = {one.code for one in item.reasons}
        assert ReasonCode.TENSOR_PARALLEL in said
        assert ReasonCode.HOLDS_WITHOUT_SHARDING not in said
    assert placements(run(long), Sharding.TENSOR) == []


def test_that_a_checkpoint_of_replicas_is_written_once() -> None:
    result = run(lora_70b())
    hybrid = next(item for _, item in placements(result, Sharding.HYBRID) if item.layout.cards == 8)
    whole = next(item for _, item in placements(result, Sharding.FSDP))
    assert checkpoint_bytes(hybrid.estimate) == pytest.approx(checkpoint_bytes(whole.estimate), rel=0.001)


def test_that_runs_side_by_side_still_prefer_islands_of_their_own() -> None:
    # with runs enough for every island nothing has to cross PCIe at all
    found = placements(run(lora_70b(runs_per_month=Decimal(8))), Sharding.FSDP)
    assert any(card == "h200_nvl" and item.runs_in_parallel > 1 for card, item in found)
