"""The recommendation as a whole, on the real catalogue: complete, repeatable, honest about what it cannot carry."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from engine.errors import CancelledError, InvalidInputError
from engine.fit import Verdict
from engine.hardware import LinkKind
from engine.methods import Method, Offload, Recipe, Sharding
from engine.plan import memo
from engine.plan.candidates import enumerate_candidates
from engine.plan.recommend import recommend
from engine.plan.types import Recommendation, Rejection
from engine.reasons import ReasonCode
from engine.speed.types import SpeedNote, StackClass, StepTime
from engine.units import Money
from engine.workload import MustHave, Place, Priority, Scenario, Site, Workload
from tests.engine.plan.builders import scenario
from tests.engine.plan.real import facts, task

RACK = Site(Place.RACK)


def lora_8b() -> Workload:
    return task("LoRA 8B", "llama-3.1-8b", Recipe(Method.LORA), 4, 20)


def lora_70b() -> Workload:
    return task("LoRA 70B", "llama-3.3-70b", Recipe(Method.LORA), 4, 20)


def qlora_70b() -> Workload:
    return task("QLoRA 70B", "llama-3.3-70b", Recipe(Method.QLORA), 4, 20)


def run(*tasks: Workload, **changes: object) -> Recommendation:
    return recommend(replace(scenario(*tasks), **{"site": RACK, **changes}), facts())


def codes(rejection: Rejection) -> set[ReasonCode]:
    return {item.code for item in rejection.reasons}


def rejected(result: Recommendation, card_id: str, system_id: str | None = None) -> list[Rejection]:
    return [
        item
        for item in result.rejected
        if item.card.id == card_id and (system_id is None or (item.system is not None and item.system.id == system_id))
    ]


def test_that_every_candidate_ends_up_ranked_or_rejected() -> None:
    asked = replace(scenario(lora_70b(), lora_8b()), site=RACK)
    result = recommend(asked, facts())
    field = enumerate_candidates(asked, facts())
    sized = [item for item in result.rejected if item.placements]
    assert len(result.ranked) + len(sized) == len(field.candidates)
    assert len(result.rejected) == len(sized) + len(field.rejected)


def test_that_every_card_meets_every_machine_or_is_out_everywhere() -> None:
    result = run(lora_8b())
    met = {(plan.card.id, plan.system.id) for plan in result.ranked}
    met |= {(item.card.id, item.system.id) for item in result.rejected if item.system is not None}
    out = {item.card.id for item in result.rejected if item.system is None}
    assert all(
        card_id in out or (card_id, system_id) in met for card_id in facts().cards for system_id in facts().systems
    )


def test_that_a_second_run_gives_the_same_answer_from_what_was_kept() -> None:
    memo._SHELVES.clear()
    cold = run(lora_8b(), qlora_70b(), priority=Priority.TIME)
    warm = run(lora_8b(), qlora_70b(), priority=Priority.TIME)
    assert cold == warm


def test_that_load_and_names_do_not_mix_up_what_was_kept() -> None:
    first = run(lora_8b())
    renamed = replace(lora_8b(), name="other", runs_per_month=Decimal(8))
    second = run(renamed)
    assert first.chosen is not None
    assert second.chosen is not None
    assert second.chosen.placements[0].workload is renamed
    assert second.chosen.monthly_hours is not None
    assert first.chosen.monthly_hours is not None
    assert second.chosen.monthly_hours.expected == pytest.approx(2 * first.chosen.monthly_hours.expected)


def test_that_progress_rises_to_the_end() -> None:
    seen: list[tuple[int, int]] = []
    recommend(replace(scenario(lora_8b()), site=RACK), facts(), lambda done, total: seen.append((done, total)))
    assert seen[0][0] == 0
    assert seen[-1][0] == seen[-1][1] > 10
    assert seen == sorted(seen)


def test_that_cancelling_stops_the_calculation() -> None:
    def cancel(done: int, _total: int) -> None:
        if done == 5:
            raise CancelledError

    with pytest.raises(CancelledError):
        recommend(replace(scenario(lora_8b()), site=RACK), facts(), cancel)


def test_that_a_scenario_without_a_workload_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="at least one workload"):
        recommend(Scenario((), RACK, frozenset(), Priority.TIME, "EUR", scenario().as_of), facts())


def test_that_a_budget_in_another_currency_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="expected EUR, got USD"):
        run(lora_8b(), budget=Money(Decimal(1), "USD"))


def test_that_nothing_is_recommended_when_nothing_fits() -> None:
    huge = task("full 671B", "deepseek-v3", Recipe(Method.FULL), 1, 20)
    result = run(huge, site=Site(Place.DESK))
    assert (result.chosen, result.ranked, result.alternatives) == (None, (), ())
    sized = [item for item in result.rejected if item.placements]
    assert sized
    assert {code for item in sized for code in codes(item)} <= {ReasonCode.MEMORY, ReasonCode.NO_MULTI_CARD_EVIDENCE}
    assert all(item.placements[0].free_bytes < 0 for item in sized)


def test_that_a_memory_rejection_states_need_and_capacity() -> None:
    result = run(lora_70b())
    one = next(item for item in rejected(result, "h200_nvl", "bto_2u_4") if item.cards == 1)
    reason = one.reasons[0]
    assert reason.code is ReasonCode.MEMORY
    # 144.4 GB of states and the activations against 150.8 GB.
    assert float(reason.value("need_bytes")) > 144_000_000_000
    assert reason.value("usable_bytes") == 150_754_820_096


def test_that_more_runs_need_more_cards() -> None:
    few = run(replace(qlora_70b(), runs_per_month=Decimal(4)), must_have=frozenset({MustHave.NVFP4}))
    many = run(replace(qlora_70b(), runs_per_month=Decimal(100)), must_have=frozenset({MustHave.NVFP4}))
    assert few.chosen is not None
    assert many.chosen is not None
    assert few.chosen.cards == 1
    assert many.chosen.cards > 1
    overloaded = [item for item in rejected(many, few.chosen.card.id) if item.cards == 1 and item.placements]
    assert overloaded
    assert all(ReasonCode.LOAD in codes(item) for item in overloaded)
    assert many.chosen.monthly_hours is not None
    assert many.chosen.monthly_hours.expected <= 730


def test_that_a_plan_beyond_the_budget_is_rejected_with_both_amounts() -> None:
    result = run(lora_70b(), budget=Money(Decimal(70_000), "EUR"))
    over = next(item for item in rejected(result, "h200_nvl", "bto_2u_4") if item.cards == 2)
    reason = next(item for item in over.reasons if item.code is ReasonCode.BUDGET)
    assert float(reason.value("need_amount")) > 70_000 == float(reason.value("limit_amount"))
    assert all(plan.price.ranking <= 70_000 for plan in result.ranked)


def test_that_a_populated_machine_without_a_price_costs_at_least_its_cards() -> None:
    # Eight B200 at 45,000 to 55,000 USD each cannot be had for 100,000 EUR, whatever the machine's price is.
    result = run(lora_8b(), budget=Money(Decimal(100_000), "EUR"))
    assert "b200_hgx" not in {plan.card.id for plan in result.ranked}
    assert all(ReasonCode.BUDGET in codes(item) for item in rejected(result, "b200_hgx") if item.placements)


def test_that_an_unpriced_position_is_a_gap_and_never_zero() -> None:
    result = run(lora_8b())
    for plan in result.ranked:
        for position in plan.price.positions:
            assert (position.unit.net is None) == (position.item_id in plan.price.gaps)
        known = sum(
            (item.unit.net.amount * item.quantity for item in plan.price.positions if item.unit.net is not None),
            Decimal(0),
        )
        assert plan.price.priced.amount == known


def test_that_a_populated_machine_is_one_position() -> None:
    result = run(lora_8b())
    hgx = next(plan for plan in result.ranked if plan.system.id == "generic_hgx_h200")
    assert [(item.item_id, item.quantity) for item in hgx.price.positions] == [("generic_hgx_h200", 1)]


# A DGX H200 is rated 10.2 kW; its eight cards are 8 x 700 W = 5.6 kW of it, so the machine around them draws 4.6 kW. A
# B200 board's machine draws 14.3 - 8 x 1.0 = 6.3 kW.
def test_that_a_populated_machine_draws_more_than_its_cards() -> None:
    power = {(plan.system.id, plan.card.id): plan.power_w for plan in run(lora_8b()).ranked}
    assert power["generic_hgx_h200", "h200_sxm"] == power["dell_xe9680", "h200_sxm"] == 10_200
    assert power["generic_hgx_h100", "h100_sxm"] == 10_200
    assert power["dell_xe9780", "b200_hgx"] == 14_300
    tight = run(lora_8b(), site=Site(Place.RACK, cooling_watts=8000))
    assert not [plan for plan in tight.ranked if plan.card.id == "h200_sxm"]
    turned_away = rejected(tight, "h200_sxm", "generic_hgx_h200")
    assert [item.value("need_w") for entry in turned_away for item in entry.reasons] == [10_200]


# Four Max-Q in the Z8 Fury count 4 x 300 = 1,200 W, as its own consumption is not known; in the seller's tower 500 W
# more. Price, time and slots are the same, so the smaller figure must not decide.
def test_that_an_unknown_consumption_is_no_advantage_among_equals() -> None:
    wanted = frozenset({MustHave.MIG})
    result = run(lora_8b(), site=Site(Place.DESK, noise_limit_db_a=55), must_have=wanted)
    four = [plan for plan in result.ranked if (plan.card.id, plan.cards) == ("rtx_pro_6000_blackwell_maxq", 4)]
    power = {plan.system.id: plan.power_w for plan in four}
    assert power == {"bto_tower_4": 1700, "hp_z8_fury_g6i": 1200}
    assert [plan.system.id for plan in four] == ["bto_tower_4", "hp_z8_fury_g6i"]


def test_that_bridges_and_included_software_are_positions() -> None:
    result = run(lora_70b())
    pair = next(plan for plan in result.ranked if (plan.card.id, plan.cards) == ("h200_nvl", 2))
    found = {item.item_id: item.quantity for item in pair.price.positions}
    assert found["h200_nvl"] == 2
    assert found["nvlink_bridge_2way"] == 1
    assert found["nvaie_h200_nvl"] == 2
    assert pair.placements[0].step is not None
    assert pair.placements[0].step.link is LinkKind.NVLINK_BRIDGE


def test_that_the_vendors_kit_is_added_where_its_count_asks_for_it() -> None:
    result = run(lora_8b())
    plans = {
        plan.cards: plan
        for plan in result.ranked
        if (plan.card.id, plan.system.id) == ("rtx_pro_6000_blackwell_se", "hpe_dl380a_gen12")
    }
    assert "hpe_front_fan_kit" in {item.item_id for item in plans[8].price.positions}
    assert "hpe_front_fan_kit" not in {item.item_id for item in plans[4].price.positions}


def test_that_a_price_of_the_customer_changes_the_order() -> None:
    cheap = run(lora_8b(), price_overrides={"h200_nvl": Money(Decimal(1_000), "EUR")})
    assert cheap.chosen is not None
    assert cheap.chosen.card.id == "h200_nvl"


def test_that_tight_plans_come_after_all_others_and_say_so() -> None:
    result = run(lora_70b(), headroom=0.30)
    verdicts = [plan.verdict for plan in result.ranked]
    assert verdicts == sorted(verdicts, key=[Verdict.FITS, Verdict.TIGHT].index)
    tight = [plan for plan in result.ranked if plan.verdict is Verdict.TIGHT]
    assert tight
    for plan in tight:
        worst = next(item for item in plan.placements if item.verdict is Verdict.TIGHT)
        assert ReasonCode.HEADROOM in {item.code for item in worst.reasons}
        assert ReasonCode.HEADROOM in {item.code for item in plan.reasons}


def test_that_headroom_is_kept_when_the_micro_batch_is_chosen() -> None:
    for plan in run(lora_8b(), headroom=0.30).ranked:
        if plan.verdict is Verdict.FITS:
            item = plan.placements[0]
            assert item.estimate.required.high <= item.capacity_bytes
            assert item.estimate.allocated_peak * 1.30 <= item.capacity_bytes


def test_that_a_stated_micro_batch_and_accumulation_are_kept() -> None:
    recipe = Recipe(Method.LORA, gradient_accumulation=3)
    stated = replace(task("stated", "llama-3.1-8b", recipe, 4, 20), micro_batch=2)
    for plan in run(stated).ranked:
        setup = plan.placements[0].estimate.setup
        assert (setup.micro_batch, setup.recipe.gradient_accumulation) == (2, 3)


def test_that_a_step_has_the_same_sequences_whatever_the_layout() -> None:
    for plan in run(lora_70b()).ranked:
        item = plan.placements[0]
        width = item.layout.cards if item.layout.sharding is not Sharding.NONE else 1
        sequences = item.micro_batch * width * item.estimate.setup.recipe.gradient_accumulation
        assert 16 <= sequences < 16 + item.micro_batch * width


def test_that_cards_of_another_vendor_never_share_a_run() -> None:
    for recipe in (Recipe(Method.LORA), Recipe(Method.FULL)):
        result = run(task("task", "llama-3.1-8b", recipe, 4, 20))
        others = [plan for plan in result.ranked if plan.card.vendor != "NVIDIA"]
        assert all(item.layout.cards == 1 for plan in others for item in plan.placements)
    wide = run(task("full 70B", "llama-3.3-70b", Recipe(Method.FULL), 1, 20))
    assert any(ReasonCode.NO_MULTI_CARD_EVIDENCE in codes(item) for item in rejected(wide, "mi300x") if item.placements)


def test_that_too_few_places_for_runs_at_once_are_counted() -> None:
    four = task("LoRA 32B", "qwen3-32b", Recipe(Method.LORA), 8, 20, runs_at_once=4)
    result = run(four, must_have=frozenset({MustHave.NVFP4}))
    one = [item for item in rejected(result, "rtx_pro_6000_blackwell_se", "bto_2u_4") if item.cards == 1]
    # 67.7 GB of states fit the card once, and neither a half nor a quarter of it.
    assert {ReasonCode.RUNS_AT_ONCE, ReasonCode.NO_SHARDING_ON_MIG} <= codes(one[0])
    assert (one[0].reasons[0].value("need_runs"), one[0].reasons[0].value("limit_runs")) == (4, 1)
    for plan in result.ranked:
        assert plan.placements[0].runs_in_parallel >= 4


def test_that_host_memory_limits_what_is_offloaded() -> None:
    offloaded = task("full 32B", "qwen3-32b", Recipe(Method.FULL, offload=Offload.OPTIMIZER), 1, 20)
    # 14 B x 32.76e9 = 459 GB: more than one such run does not fit the 512 GB machine, one does.
    result = run(offloaded)
    fixed = [plan for plan in result.ranked if plan.system.id == "lenovo_sr650i_v4"]
    assert all(plan.placements[0].runs_in_parallel == 1 for plan in fixed)
    assert all(ReasonCode.HOST_MEMORY_CAUTION in {item.code for item in plan.reasons} for plan in fixed)


# ZeRO-Offload: 14 B x 70,553,706,496 = 987,751,890,944 B is the floor; DeepSpeed's buffers: x 1.5 of 16 B = 24 B,
# 1,693,288,955,904 B, is the cautious figure. 128 GB per card are for the host itself and hold neither.
def test_that_what_an_offload_keeps_in_host_memory_is_said_beside_the_minimum_for_the_cards() -> None:
    offloaded = task("full 70B", "llama-3.3-70b", Recipe(Method.FULL, offload=Offload.OPTIMIZER), 1, 20)
    result = run(offloaded)
    plan = next(plan for plan in result.ranked if plan.system.id == "bto_2u_4" and plan.cards == 2)
    said = {item.code: item for item in plan.reasons}
    assert said[ReasonCode.HOST_MINIMUM].value("need_gb") == 256
    need = said[ReasonCode.HOST_MEMORY_NEED]
    assert need.value("need_bytes") == 987_751_890_944
    assert need.value("cautious_bytes") == 1_693_288_955_904


def test_that_a_known_software_stack_narrows_the_band() -> None:
    assumed, known = run(lora_8b()), run(lora_8b(), stack=StackClass.TUNED_PYTORCH)
    assert assumed.chosen is not None
    assert known.chosen is not None
    wide, narrow = assumed.chosen.placements[0].step, known.chosen.placements[0].step
    assert wide is not None
    assert narrow is not None
    assert wide.total_s.expected == pytest.approx(narrow.total_s.expected)
    assert wide.total_s.high >= narrow.total_s.high


def test_that_a_capped_card_in_a_two_unit_machine_is_slower_and_says_so() -> None:
    result = run(lora_8b())
    plans = [plan for plan in result.ranked if plan.card.id == "rtx_pro_6000_blackwell_se" and plan.cards == 4]
    capped = next(plan for plan in plans if plan.system.id == "lenovo_sr650a_v4")
    free = next(plan for plan in plans if plan.system.id == "hpe_dl380a_gen12")
    assert (capped.power_cap_w, free.power_cap_w) == (450, None)
    assert ReasonCode.POWER_CAPPED in {item.code for item in capped.reasons}
    slow, quick = capped.placements[0].hours_per_run, free.placements[0].hours_per_run
    assert slow is not None
    assert quick is not None
    assert slow.expected > quick.expected


def test_that_the_plan_without_a_known_time_stands_behind_those_with_one() -> None:
    result = run(lora_8b())
    known = [plan.monthly_hours is not None for plan in result.ranked if plan.verdict is Verdict.FITS]
    assert known == sorted(known, reverse=True)


def test_that_cost_per_run_times_runs_is_the_monthly_cost() -> None:
    result = run(lora_8b(), qlora_70b(), priority=Priority.COST_PER_RUN)
    plan = result.chosen
    assert plan is not None
    assert plan.cost_per_month is not None
    spent = sum(
        item.cost_per_run.expected.amount * item.workload.runs_per_month
        for item in plan.placements
        if item.cost_per_run is not None
    )
    assert float(spent) == pytest.approx(float(plan.cost_per_month.amount), rel=0.01)
    costs = [item.cost_per_month.amount for item in result.ranked if item.cost_per_month is not None]
    assert min(costs) == plan.cost_per_month.amount


def test_that_the_nearest_misses_are_listed_first() -> None:
    steps = [
        0 if item.placements else 1 if item.system is not None else 2
        for item in run(lora_70b()).rejected
        if item.reasons[0].code is not ReasonCode.NOT_LISTED
    ]
    assert steps == sorted(steps)


def test_that_a_deadline_is_checked_at_the_slow_end() -> None:
    free = run(qlora_70b())
    slow = {plan.id: plan.placements[0].hours_per_run for plan in free.ranked}
    limited = run(replace(qlora_70b(), deadline_h=12.0))
    assert limited.chosen is not None
    for plan in limited.ranked:
        hours = plan.placements[0].hours_per_run
        assert hours is None or hours.high <= 12
    late = [item for item in limited.rejected if item.reasons[0].code is ReasonCode.DEADLINE]
    assert late
    for item in late:
        assert float(item.reasons[0].value("need_h")) > 12 == item.reasons[0].value("limit_h")
    # Some of those would be in time if the expected hours were enough.
    assert any(hours is not None and hours.expected <= 12 < hours.high for hours in slow.values())


def test_that_a_deadline_may_call_for_data_parallel_cards() -> None:
    # One at a time is as much work as side by side, but each run is done sooner.
    limited = run(replace(qlora_70b(), deadline_h=16.0), must_have=frozenset({MustHave.NVFP4}))
    wide = [plan for plan in limited.ranked if plan.placements[0].layout.sharding is Sharding.DDP]
    assert wide


def test_that_a_rejected_candidate_shows_every_workload() -> None:
    result = run(lora_8b(), lora_70b(), task("full 70B", "llama-3.3-70b", Recipe(Method.FULL), 1, 20))
    one = next(item for item in rejected(result, "h200_nvl", "bto_2u_4") if item.cards == 1)
    assert [item.workload.name for item in one.placements] == ["LoRA 8B", "LoRA 70B", "full 70B"]
    assert [item.verdict for item in one.placements] == [Verdict.FITS, one.placements[1].verdict, Verdict.NO]
    assert {item.value("workload") for item in one.reasons if item.code is ReasonCode.MEMORY} == {
        "LoRA 70B",
        "full 70B",
    }


def test_that_a_mig_instance_has_its_share_of_the_speed_and_a_wide_band() -> None:
    small = task("QLoRA 8B", "llama-3.1-8b", Recipe(Method.QLORA), 8, 2)
    alone = run(replace(small, micro_batch=1), stack=StackClass.TUNED_PYTORCH)
    shared = run(replace(small, micro_batch=1, runs_at_once=4), stack=StackClass.TUNED_PYTORCH)

    def step(result: Recommendation) -> StepTime:
        plan = next(plan for plan in result.ranked if (plan.card.id, plan.cards) == ("rtx_pro_6000_blackwell_se", 1))
        found = plan.placements[0].step
        assert found is not None
        return found

    whole, quarter = step(alone), step(shared)
    assert quarter.total_s.expected == pytest.approx(4 * whole.total_s.expected)
    assert quarter.total_s.high == pytest.approx(2 * quarter.total_s.expected)
    assert SpeedNote.NO_INSTANCE_RECORD in quarter.notes
