"""The published advice per use, reached by reasoning on the real catalogue.

Each scenario states what a customer would state: place, power, budget, load, priority. Nothing in the planner knows
these answers; a change of a price or a figure may rightly change them, and then the scenario's words are what to check.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from engine.fit import Verdict
from engine.hardware import Bridging
from engine.methods import Method, Offload, Optimizer, Recipe, Sharding, StateRecipe
from engine.plan.recommend import recommend
from engine.plan.types import Plan, Recommendation
from engine.reasons import ReasonCode
from engine.units import GB, Money
from engine.workload import MustHave, Place, Priority, Scenario, Site, Workload
from tests.engine.plan.real import facts, task

SERVER_EDITION = "rtx_pro_6000_blackwell_se"
MAX_Q = "rtx_pro_6000_blackwell_maxq"
WORKSTATION_EDITION = "rtx_pro_6000_blackwell_ws"
SMALLER = "rtx_pro_5000_blackwell_72"
H200 = "h200_nvl"

RACK = Site(Place.RACK)
DESK = Site(Place.DESK)
SERVER_ROOM = Site(Place.DATA_CENTRE, cooling_watts=8000, free_rack_units=4)


def answer(
    *tasks: Workload, site: Site, priority: Priority, budget: int | None = None, **changes: object
) -> Recommendation:
    plain = Scenario(
        workloads=tasks,
        site=site,
        must_have=frozenset(),
        priority=priority,
        currency="EUR",
        as_of=date(2026, 11, 30),
        budget=None if budget is None else Money(Decimal(budget), "EUR"),
    )
    return recommend(replace(plain, **changes), facts())


def chosen(result: Recommendation) -> Plan:
    assert result.chosen is not None
    assert result.chosen is result.ranked[0]
    return result.chosen


def alternative(result: Recommendation, card_id: str) -> Plan:
    return next(plan for plan in result.alternatives if plan.card.id == card_id)


def department() -> tuple[Workload, ...]:
    """A dozen 8B and half a dozen 32B runs a month, 60 million tokens each."""
    return (
        task("LoRA 8B", "llama-3.1-8b", Recipe(Method.LORA), 12, 60),
        task("LoRA 32B", "qwen3-32b", Recipe(Method.LORA), 6, 60),
    )


def test_that_a_department_in_the_rack_gets_one_or_two_server_editions() -> None:
    plan = chosen(answer(*department(), site=RACK, priority=Priority.PURCHASE_PRICE))
    assert plan.card.id == SERVER_EDITION
    assert plan.cards in (1, 2)
    assert plan.verdict is Verdict.FITS


def test_that_a_team_at_the_desk_gets_a_max_q() -> None:
    # Several people share the machine, so the card has to be divisible.
    result = answer(*department(), site=DESK, priority=Priority.PURCHASE_PRICE, must_have=frozenset({MustHave.MIG}))
    plan = chosen(result)
    assert (plan.card.id, plan.verdict) == (MAX_Q, Verdict.FITS)
    passive = [item for item in result.rejected if item.card.id in (SERVER_EDITION, H200)]
    assert {item.reasons[0].code for item in passive} == {ReasonCode.PASSIVE_CARD_AT_DESK}
    assert alternative(result, WORKSTATION_EDITION).reasons[0].code is ReasonCode.DEARER_BUT_FASTER


def test_that_the_month_is_too_short_for_the_smallest_computer() -> None:
    # DGX Spark holds both runs and costs a fifth; its month would need more than 730 hours.
    result = answer(*department(), site=DESK, priority=Priority.PURCHASE_PRICE)
    spark = next(item for item in result.rejected if item.card.id == "dgx_spark_gb10" and item.placements)
    assert spark.reasons[0].code is ReasonCode.LOAD
    assert float(spark.reasons[0].value("need_h")) > 730


def test_that_a_70b_qlora_at_the_desk_gets_a_72_gb_card_or_an_rtx_pro_6000() -> None:
    recipe = Recipe(Method.QLORA)
    result = answer(task("QLoRA 70B", "llama-3.3-70b", recipe, 10, 20), site=DESK, priority=Priority.PURCHASE_PRICE)
    plan = chosen(result)
    assert plan.card.id in (SMALLER, MAX_Q, WORKSTATION_EDITION)
    assert (plan.cards, plan.verdict) == (1, Verdict.FITS)
    others = {SMALLER, MAX_Q, WORKSTATION_EDITION} - {plan.card.id}
    assert others <= {item.card.id for item in result.alternatives}
    assert alternative(result, MAX_Q).cards == 1


def lora_70b() -> Recommendation:
    """Eight runs a month; the customer wants them as fast as 80,000 EUR allow."""
    return answer(
        task("LoRA 70B", "llama-3.3-70b", Recipe(Method.LORA), 8, 40),
        site=RACK,
        priority=Priority.TIME,
        budget=80_000,
    )


def test_that_a_70b_lora_gets_two_h200_nvl_with_a_bridge() -> None:
    plan = chosen(lora_70b())
    assert (plan.card.id, plan.cards, plan.bridging) == (H200, 2, Bridging(2, 1, 1))
    assert plan.placements[0].layout.sharding is Sharding.FSDP
    assert plan.verdict is Verdict.FITS


def test_that_four_server_editions_are_the_alternative_for_a_70b_lora() -> None:
    plan = alternative(lora_70b(), SERVER_EDITION)
    assert (plan.cards, plan.placements[0].layout.sharding) == (4, Sharding.FSDP)


def test_that_two_server_editions_hold_a_70b_lora_and_their_seconds_are_stated() -> None:
    result = lora_70b()
    named = [item for item in chosen(result).reasons if item.code is ReasonCode.CHEAPER_BUT_SLOWER]
    two = next(item for item in named if str(item.value("other")).startswith("2 × RTX PRO 6000"))
    assert float(two.value("other_step_s")) > 2 * float(two.value("step_s"))
    assert float(two.value("saving_amount")) > 20_000
    # 72.2 GB of states and the activations are expected to fit 102.6 GB; the high estimate decides the rest.
    sized = [item for item in (*result.ranked, *result.rejected) if (item.card.id, item.cards) == (SERVER_EDITION, 2)]
    assert sized
    for item in sized:
        required = item.placements[0].estimate.required
        assert required.expected <= item.placements[0].capacity_bytes


def full_8b(optimizer: Optimizer = Optimizer.ADAMW) -> Workload:
    states = StateRecipe.BF16_MASTER if optimizer is Optimizer.ADAMW else StateRecipe.BF16_8BIT
    return task("full 8B", "llama-3.1-8b", Recipe(Method.FULL, states=states, optimizer=optimizer), 8, 100)


def test_that_full_fine_tuning_of_8b_gets_one_h200_nvl() -> None:
    # As fast as 50,000 EUR allow, with 10 % headroom, since the states alone are 128.5 of 150.8 GB.
    result = answer(full_8b(), site=RACK, priority=Priority.TIME, budget=50_000, headroom=0.10)
    plan = chosen(result)
    assert (plan.card.id, plan.cards, plan.verdict) == (H200, 1, Verdict.FITS)
    assert plan.placements[0].layout.cards == 1
    other = alternative(result, SERVER_EDITION)
    assert (other.cards, other.placements[0].layout.sharding) == (2, Sharding.FSDP)


def test_that_8_bit_adam_brings_full_fine_tuning_of_8b_onto_one_rtx_pro_6000() -> None:
    result = answer(full_8b(Optimizer.ADAMW_8BIT), site=RACK, priority=Priority.PURCHASE_PRICE, headroom=0.10)
    plan = next(item for item in result.ranked if (item.card.id, item.cards) == (SERVER_EDITION, 1))
    assert plan.verdict is Verdict.FITS


def test_that_full_fine_tuning_of_32b_gets_eight_h200_nvl_in_two_islands() -> None:
    # 4 U and 8 kW of cooling are free: an HGX machine is larger and draws more, or does not say.
    result = answer(
        task("full 32B", "qwen3-32b", Recipe(Method.FULL), 8, 100),
        site=SERVER_ROOM,
        priority=Priority.TIME,
        budget=330_000,
    )
    plan = chosen(result)
    assert (plan.card.id, plan.cards, plan.bridging) == (H200, 8, Bridging(4, 2, 2))
    assert (plan.placements[0].layout.cards, plan.verdict) == (8, Verdict.FITS)
    assert ReasonCode.ISLANDS in {item.code for item in plan.reasons}
    # 16 B x 32,762,123,264 / 8 = 65.5 GB of states per card; 14 of the 16 B are there all the time: 57.3 GB.
    parts = plan.placements[0].estimate.card
    assert parts.weights + parts.master_weights + parts.optimizer == pytest.approx(65.5 * GB * 14 / 16, rel=0.001)


def test_that_full_fine_tuning_of_70b_with_8_bit_adam_gets_eight_h200_nvl() -> None:
    recipe = Recipe(Method.FULL, states=StateRecipe.BF16_8BIT, optimizer=Optimizer.ADAMW_8BIT)
    result = answer(
        task("full 70B", "llama-3.3-70b", recipe, 4, 100),
        site=SERVER_ROOM,
        priority=Priority.TIME,
        budget=330_000,
    )
    plan = chosen(result)
    assert (plan.card.id, plan.cards, plan.verdict) == (H200, 8, Verdict.FITS)
    # 10 B x 70,553,706,496 / 8 = 88.2 GB of states per card; without the 2 B of the gradients 70.6 GB.
    parts = plan.placements[0].estimate.card
    assert parts.weights + parts.master_weights + parts.optimizer == pytest.approx(88.2 * GB * 8 / 10, rel=0.01)
    assert SERVER_EDITION not in {item.card.id for item in result.ranked if item.verdict is Verdict.FITS}


def test_that_full_fine_tuning_of_70b_with_32_bit_adam_does_not_fit_eight_h200_nvl() -> None:
    # 141.1 GB of states per card of 150.8 GB leave nothing for activations and headroom.
    result = answer(
        task("full 70B", "llama-3.3-70b", Recipe(Method.FULL), 1, 100), site=SERVER_ROOM, priority=Priority.TIME
    )
    assert not [item for item in result.ranked if item.card.id == H200 and item.verdict is Verdict.FITS]


def test_that_an_offloaded_optimiser_needs_988_gb_of_host_memory() -> None:
    recipe = Recipe(Method.FULL, offload=Offload.OPTIMIZER)
    result = answer(
        task("full 70B", "llama-3.3-70b", recipe, 2, 100),
        site=SERVER_ROOM,
        priority=Priority.TIME,
        budget=330_000,
    )
    plan = chosen(result)
    assert (plan.card.id, plan.cards) == (H200, 8)
    assert plan.placements[0].estimate.host == pytest.approx(988 * GB, rel=0.001)


@pytest.mark.parametrize(
    ("at_once", "card_id", "instances", "profile"), [(4, SERVER_EDITION, 4, "1g.24gb"), (7, H200, 7, "1g.18gb")]
)
def test_that_many_small_experiments_share_cards_by_mig(
    at_once: int, card_id: str, instances: int, profile: str
) -> None:
    small = task("QLoRA 8B", "llama-3.1-8b", Recipe(Method.QLORA), 120, 2, runs_at_once=at_once)
    result = answer(
        small,
        site=RACK,
        priority=Priority.PURCHASE_PRICE,
        must_have=frozenset({MustHave.MIG, MustHave.ECC}),
    )
    plan = chosen(result) if card_id == chosen(result).card.id else alternative(result, card_id)
    placement = plan.placements[0]
    assert plan.cards == 1
    assert placement.mig is not None
    assert (placement.mig.name, placement.mig.instances, placement.layout.cards) == (profile, instances, 1)
    assert placement.runs_in_parallel == instances
    assert plan.verdict is Verdict.FITS
