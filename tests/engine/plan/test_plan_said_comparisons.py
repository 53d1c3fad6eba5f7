"""What a comparison and a refusal say on the real catalogue: like with like, and only help that is still open."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from engine.methods import Method, Recipe
from engine.plan.recommend import recommend
from engine.reasons import MemoryHelp, Reason, ReasonCode
from engine.wording.reasons import sentence
from engine.wording.translator import Language
from engine.workload import MustHave, Place, Priority, Scenario, Site
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
