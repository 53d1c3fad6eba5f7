"""What a comparison and a refusal say on the real catalogue: like with like, and only help that is still open."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from engine.fit import Verdict
from engine.methods import Loss, Method, Offload, Recipe
from engine.plan.recommend import recommend
from engine.plan.types import Recommendation
from engine.reasons import MemoryHelp, Reason, ReasonCode
from engine.units import Money
from engine.wording.reasons import sentence
from engine.wording.translator import Language
from engine.workload import MustHave, Place, Priority, Scenario, Site, Workload
from resources import translations
from tests.engine.plan.real import facts, task

RELATIONS = (ReasonCode.CHEAPER_BUT_SLOWER, ReasonCode.DEARER_BUT_FASTER, ReasonCode.DEARER_AND_SLOWER)


def said(item: Reason) -> str:
    return sentence(item, translations(Language.EN), Language.EN)


def experiments() -> Scenario:
    """Many small runs of which four are wanted at once, so that cards are divided into different numbers."""
    small = task("trial", "llama-3.1-8b", Recipe(Method.QLORA), 120, 2)
    return Scenario(
        workloads=(replace(small, runs_at_once=4),),
        site=Site(Place.RACK),
        must_have=frozenset({MustHave.MIG, MustHave.ECC}),
        priority=Priority.PURCHASE_PRICE,
        currency="EUR",
        as_of=date(2026, 11, 30),
    )


def test_that_plans_with_other_numbers_of_runs_side_by_side_compare_by_the_month() -> None:
    result = recommend(experiments(), facts())
    chosen = result.chosen
    assert chosen is not None
    compared = 0
    for plan in result.alternatives:
        first = plan.reasons[0]
        if first.code not in RELATIONS or plan.monthly_hours is None or chosen.monthly_hours is None:
            continue
        sooner = plan.monthly_hours.expected < chosen.monthly_hours.expected
        assert (first.code is ReasonCode.DEARER_BUT_FASTER) == sooner
        if plan.placements[0].runs_in_parallel != chosen.placements[0].runs_in_parallel:
            compared += 1
            assert first.value("other_need_h") == plan.monthly_hours.expected
            assert first.value("need_h") == chosen.monthly_hours.expected
            assert "the month's runs take" in said(first)
            assert "step" not in said(first)
    assert compared >= 2


@pytest.mark.parametrize(
    ("method", "card_id", "way", "helps", "helps_not"),
    [
        (Method.QLORA, "l4", MemoryHelp.FOUR_BIT_ALREADY, "More cards with FSDP", "4-bit base"),
        (Method.LORA, "gaudi3", MemoryHelp.ONE_CARD, "A shorter sequence", "More cards"),
        (Method.LORA, "l4", None, "a 4-bit base", "smaller model"),
    ],
)
def test_that_a_refusal_for_memory_names_only_what_is_open(
    method: Method, card_id: str, way: MemoryHelp | None, helps: str, helps_not: str
) -> None:
    scenario = replace(
        experiments(), workloads=(task("big", "llama-3.3-70b", Recipe(method), 1, 1),), must_have=frozenset()
    )
    short = [
        item
        for rejection in recommend(scenario, facts()).rejected
        if rejection.card.id == card_id
        for item in rejection.reasons
        if item.code is ReasonCode.MEMORY
    ]
    assert short
    for item in short:
        assert dict(item.values).get("helps") == way
        assert helps in said(item)
        assert helps_not not in said(item)


def asked(workload: Workload, **changes: object) -> Recommendation:
    plain = replace(experiments(), workloads=(workload,), must_have=frozenset())
    return recommend(replace(plain, **changes), facts())  # type: ignore[arg-type]  # names of fields with their values


def test_that_cards_without_any_price_are_no_answer_to_a_budget() -> None:
    # 70B weights of 141 GB at 8,192 tokens fit on one MI300X, which nobody prices; nothing else costs 9,000 EUR.
    big = replace(task("big", "llama-3.3-70b", Recipe(Method.LORA), 1, 1), sequence_length=8192)
    result = asked(big, budget=Money(Decimal(9_000), "EUR"))
    assert result.chosen is None
    unproven = [item for item in result.rejected if item.reasons[0].code is ReasonCode.BUDGET_UNPROVEN]
    assert {item.card.id for item in unproven} >= {"mi300x"}
    assert "cannot be held to the budget of EUR" in said(unproven[0].reasons[0])
    assert asked(big).chosen is not None


def test_that_nothing_unpriced_is_called_cheapest_or_worth_its_price() -> None:
    # Logits of 131,072 tokens need 200 GB beside the model: only a B300 holds them, and nobody prices that machine.
    long = replace(task("long", "llama-3.1-8b", Recipe(Method.LORA, loss=Loss.PLAIN), 1, 1), sequence_length=131_072)
    for priority in Priority:
        chosen = asked(long, priority=priority).chosen
        assert chosen is not None
        assert chosen.card.id == "b300_hgx"
        assert chosen.reasons[0].code is ReasonCode.NONE_PRICED


@pytest.mark.parametrize("budget", [300_000])
def test_that_a_faster_system_set_aside_is_named_beside_the_claim_to_be_fastest(budget: int) -> None:
    full = task("full", "qwen3-32b", Recipe(Method.FULL), 8, 50)
    result = asked(full, priority=Priority.TIME, site=Site(Place.DATA_CENTRE), budget=Money(Decimal(budget), "EUR"))
    chosen = result.chosen
    assert chosen is not None
    assert chosen.monthly_hours is not None
    assert chosen.reasons[0].code is ReasonCode.FASTEST
    faster = [
        plan
        for plan in result.ranked
        if plan.verdict is Verdict.FITS
        and plan.monthly_hours is not None
        and plan.monthly_hours.expected < 0.99 * chosen.monthly_hours.expected
    ]
    named = [item for item in chosen.reasons if item.code is ReasonCode.FASTER_SET_ASIDE]
    assert bool(named) == bool(faster)


def test_that_no_cheaper_choice_is_named_that_misses_the_deadline() -> None:
    urgent = replace(task("urgent", "llama-3.3-70b", Recipe(Method.QLORA), 4, 20), sequence_length=4096, deadline_h=2.0)
    relaxed = replace(urgent, deadline_h=None)
    without = asked(urgent).chosen
    free = asked(relaxed).chosen
    assert without is not None
    assert free is not None
    assert free.price.ranking < without.price.ranking
    slow = 2.0 * 1.01
    for item in without.reasons:
        if item.code is ReasonCode.CHEAPER_BUT_SLOWER:
            hours = without.placements[0].hours_per_run
            assert hours is not None
            assert hours.high * float(item.value("other_step_s")) / float(item.value("step_s")) <= slow


def test_that_no_time_is_said_to_be_taken_instead_of_itself() -> None:
    urgent = replace(task("urgent", "llama-3.3-70b", Recipe(Method.QLORA), 4, 20), sequence_length=4096, deadline_h=2.0)
    for workload in (urgent, replace(urgent, deadline_h=None)):
        result = asked(workload)
        for plan in result.ranked:
            for item in plan.reasons:
                if item.code not in RELATIONS:
                    continue
                values = dict(item.values)
                pair = [float(values[key]) for key in values if key.endswith(("step_s", "need_h"))]
                assert len({f"{value:.2g}" for value in pair}) == 2


def test_that_a_unit_with_one_memory_offloads_into_what_the_run_leaves_of_it() -> None:
    # 14.8e9 parameters x 16 bytes are 236 GB of states, wherever they lie: a unit of 128 GB never holds them.
    heavy = task("heavy", "qwen2.5-14b", Recipe(Method.FULL, offload=Offload.OPTIMIZER), 1, 1)
    result = asked(heavy, site=Site(Place.DESK))
    assert "dgx_spark_gb10" not in {plan.card.id for plan in result.ranked}
    units = [item for item in result.rejected if item.system is not None and item.system.id == "dgx_spark"]
    turned_away = [item for item in units if item.card.id == "dgx_spark_gb10"]
    assert {item.reasons[0].code for item in turned_away} == {ReasonCode.HOST_MEMORY}


def test_that_a_unit_says_that_its_memory_is_shared() -> None:
    light = task("light", "llama-3.1-8b", Recipe(Method.LORA), 1, 1)
    result = asked(light, site=Site(Place.DESK))
    units = [plan for plan in result.ranked if plan.card.id == "dgx_spark_gb10"]
    assert units
    for plan in result.ranked:
        said_so = any(item.code is ReasonCode.SHARED_MEMORY for item in plan.reasons)
        assert said_so == (plan in units)
