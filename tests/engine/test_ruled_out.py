"""A card that place or listing keeps out is still held against the tasks: its memory, and why it is out."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from catalog.load import load_catalog
from engine.facts import Facts
from engine.fit import Verdict
from engine.hardware import Card
from engine.methods import Method, Recipe
from engine.plan.recommend import recommend
from engine.plan.types import Recommendation
from engine.reasons import ReasonCode
from engine.ruled_out import RuledOut, ruled_out
from engine.workload import Place, Priority, Scenario, Site, Workload

DAY = date(2026, 11, 30)
WS, SE, H200 = "rtx_pro_6000_blackwell_ws", "rtx_pro_6000_blackwell_se", "h200_nvl"


@pytest.fixture(scope="module")
def facts() -> Facts:
    return load_catalog().facts


def asked(facts: Facts, place: Place, *recipes: tuple[str, Recipe, int]) -> Recommendation:
    works = tuple(
        Workload(f"task {number}", facts.models[model], recipe, length)
        for number, (model, recipe, length) in enumerate(recipes)
    )
    return recommend(Scenario(works, Site(place), frozenset(), Priority.PURCHASE_PRICE, "EUR", DAY), facts)


def out_of(recommendation: Recommendation, card: Card, facts: Facts) -> RuledOut:
    found = ruled_out(recommendation, card, facts)
    assert found is not None
    return found


def test_that_a_passive_edition_at_the_desk_needs_what_its_sister_needs(facts: Facts) -> None:
    # The editions share chip and 96 GB, so the same run on one card needs and leaves the same bytes on both.
    planned = asked(facts, Place.DESK, ("llama-3.1-8b", Recipe(Method.LORA), 2048))
    plan = next(plan for plan in planned.ranked if (plan.card.id, plan.cards) == (WS, 1))
    out = out_of(planned, facts.cards[SE], facts)
    assert [item.code for item in out.reasons] == [ReasonCode.PASSIVE_CARD_AT_DESK]
    assert out.cards == 1
    sister, held = plan.placements[0], out.placement(planned.scenario.workloads[0])
    assert held is not None
    assert held.verdict is Verdict.FITS
    assert (held.micro_batch, held.estimate.required) == (sister.micro_batch, sister.estimate.required)
    assert held.free_bytes == facts.cards[SE].usable_bytes.value - held.estimate.required.expected


def test_that_a_tower_edition_is_held_against_the_tasks_in_the_rack(facts: Facts) -> None:
    # 70B in LoRA keeps 2 B x 70.55 G = 141 GB of frozen weights: more than one card of 96 GB, less than two.
    planned = asked(facts, Place.RACK, ("llama-3.3-70b", Recipe(Method.LORA), 2048))
    out = out_of(planned, facts.cards["rtx_pro_6000_blackwell_maxq"], facts)
    assert [item.code for item in out.reasons] == [ReasonCode.DESK_MACHINE_IN_RACK]
    assert out.cards >= 2
    assert out.placements[0].verdict in {Verdict.FITS, Verdict.TIGHT}


def test_that_what_no_listed_number_of_cards_holds_is_held_where_least_is_missing(facts: Facts) -> None:
    # Full training of 70B with fp32 master weights keeps 16 B x 70.55 G = 1,129 GB: no two or four cards of 96 GB.
    planned = asked(facts, Place.RACK, ("llama-3.3-70b", Recipe(Method.FULL), 2048))
    out = out_of(planned, facts.cards["rtx_pro_6000_blackwell_maxq"], facts)
    most = max(
        option.max_cards or 1
        for system in facts.systems.values()
        for option in system.options_for("rtx_pro_6000_blackwell_maxq")
    )
    assert (out.cards, out.placements[0].verdict) == (most, Verdict.NO)
    assert out.placements[0].free_bytes < 0


def test_that_cards_that_were_planned_or_sized_are_not_ruled_out(facts: Facts) -> None:
    planned = asked(facts, Place.RACK, ("llama-3.1-8b", Recipe(Method.FULL), 2048))
    sized = {item.card.id for item in planned.rejected if item.placements}
    carried = {plan.card.id for plan in planned.ranked}
    assert H200 in carried
    for card in sorted(sized | carried):
        assert ruled_out(planned, facts.cards[card], facts) is None


def test_that_a_method_that_does_not_run_on_a_card_has_no_memory_there(facts: Facts) -> None:
    planned = asked(facts, Place.RACK, ("llama-3.1-8b", Recipe(Method.QLORA), 2048))
    out = out_of(planned, facts.cards["mi300x"], facts)
    assert ReasonCode.METHOD_UNSUPPORTED in {item.code for item in out.reasons}
    assert (out.cards, out.placements) == (0, ())


def test_that_a_card_without_a_machine_has_its_reason_and_no_memory(facts: Facts) -> None:
    unlisted = replace(facts, systems={key: item for key, item in facts.systems.items() if not item.options_for(WS)})
    work = Workload("task", facts.models["llama-3.1-8b"], Recipe(Method.LORA), 2048)
    scenario = Scenario((work,), Site(Place.RACK), frozenset(), Priority.PURCHASE_PRICE, "EUR", DAY)
    out = out_of(recommend(scenario, unlisted), facts.cards[WS], unlisted)
    assert [item.code for item in out.reasons] == [ReasonCode.NO_SYSTEM]
    assert out.cards == 0
    assert out.placement(work) is None
