"""What would make a near miss fit: bytes that add up, verdicts that hold, and nothing a card cannot do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.fit import Verdict, judge
from engine.memory.estimate import estimate
from engine.memory.remedies import LEAST_SHARE, RemedyKind, remedies, steps_to_fit
from engine.memory.types import TrainingSetup
from engine.methods import Method, Optimizer, Recipe, StateRecipe
from engine.plan.nearly import FARTHEST, NEAREST, shortfall, with_remedies, would_fit
from engine.plan.recommend import recommend
from engine.plan.types import Placement, Recommendation, Rejection
from engine.reasons import ReasonCode, reason
from engine.workload import Place, Site, Workload
from tests.engine.plan.builders import scenario
from tests.engine.plan.real import facts, task

CARD_96 = 102_641_958_912


def run(*tasks: Workload, **changes: object) -> Recommendation:
    asked = replace(scenario(*tasks), site=Site(Place.RACK))
    return with_remedies(recommend(replace(asked, **changes), facts()))


def lora_70b() -> Workload:
    return task("LoRA 70B", "llama-3.3-70b", Recipe(Method.LORA), 4, 20)


def near(result: Recommendation) -> list[Rejection]:
    return [item for item in result.rejected if item.would_fit]


def test_that_a_named_change_really_makes_the_run_fit() -> None:
    result = run(lora_70b())
    single = next(item for item in near(result) if (item.card.id, item.cards) == ("h200_nvl", 1))
    placement = single.placements[0]
    named = {item.value("remedy"): item for item in single.would_fit}
    assert {"one-more-card", "qlora"} <= set(named)
    for remedy in remedies(placement.estimate.setup, placement.capacity_bytes, 0.15):
        if remedy.kind.value in named:
            found = estimate(remedy.setup)
            assert judge(found, placement.capacity_bytes, 0.15) is Verdict.FITS
            saved = placement.estimate.required.expected - found.required.expected
            assert named[remedy.kind.value].value("saved_bytes") == saved > 0


def test_that_the_8_bit_optimiser_saves_three_quarters_of_the_moments() -> None:
    # Full fine-tuning of 8B: 8,030,261,248 parameters x two moments x (4 B - 1 B) = 48.2 GB less at the step's end
    model = facts().models["llama-3.1-8b"]
    setup = TrainingSetup(model, Recipe(Method.FULL), 2048)
    found = {remedy.kind: remedy for remedy in remedies(setup, CARD_96, 0.15)}
    eight_bit = found[RemedyKind.EIGHT_BIT_OPTIMIZER]
    states = [estimate(one).states.optimizer for one in (setup, eight_bit.setup)]
    assert states[0] - states[1] == pytest.approx(2 * 3 * 8_030_261_248, rel=0.02)


def test_that_steps_add_up_and_only_the_last_one_fits() -> None:
    model = facts().models["llama-3.1-8b"]
    recipe = Recipe(Method.FULL, states=StateRecipe.BF16_8BIT, optimizer=Optimizer.ADAMW_8BIT)
    setup = TrainingSetup(model, recipe, 8192, micro_batch=2)
    steps = steps_to_fit(setup, CARD_96, 0.15)
    assert [step.verdict is Verdict.FITS for step in steps] == [False] * (len(steps) - 1) + [True]
    before = estimate(setup).required.expected
    for step in steps:
        after = estimate(step.setup).required.expected
        assert step.saved_bytes == before - after >= LEAST_SHARE * before
        before = after
    assert before * 1.15 / 1.05 <= CARD_96  # the headroom is kept on the live bytes, which lie a little below the need


def test_that_no_steps_are_named_where_all_of_them_do_not_suffice() -> None:
    setup = TrainingSetup(facts().models["llama-3.1-405b"], Recipe(Method.FULL), 2048)
    assert steps_to_fit(setup, CARD_96, 0.15) == ()


def test_that_several_steps_are_named_where_none_suffices_alone() -> None:
    # 8B LoRA, 4 x 8,192 tokens, needs some 64 GB: on 30 GB the fused loss alone leaves it too large
    result = run(lora_8b())
    assert result.chosen is not None
    setup = TrainingSetup(facts().models["llama-3.1-8b"], Recipe(Method.LORA), 8192, micro_batch=4)
    placement = replace(
        result.chosen.placements[0], estimate=estimate(setup), verdict=Verdict.NO, capacity_bytes=30 * 10**9
    )
    found = would_fit(placement, result.chosen.card, 0.15)
    steps = [item for item in found if item.code is ReasonCode.WOULD_SAVE]
    assert found == (*steps, found[-1])
    assert [item.value("remedy") for item in steps[:2]] == ["fused-loss", "smaller-micro-batch"]
    assert found[-1].code is ReasonCode.WOULD_FIT_TOGETHER
    assert sum(int(item.value("saved_bytes")) for item in steps) == found[-1].value("saved_bytes")
    impossible = would_fit(replace(placement, capacity_bytes=10**9), result.chosen.card, 0.15)
    assert [item.code for item in impossible] == [ReasonCode.WOULD_NOT_FIT]


def test_that_only_the_nearest_misses_by_memory_are_looked_into() -> None:
    result = run(lora_70b())
    found = near(result)
    assert 0 < len({(item.card.id, item.cards) for item in found}) <= NEAREST
    for item in found:
        assert ReasonCode.MEMORY in {one.code for one in item.reasons}
        assert 1 < shortfall(item) <= FARTHEST
    plain = recommend(replace(scenario(lora_70b()), site=Site(Place.RACK)), facts())
    assert [item.would_fit for item in plain.rejected if item.would_fit] == []


def test_that_machines_with_the_same_cards_share_the_answer() -> None:
    answers: dict[tuple[str, int], set[object]] = {}
    for item in near(run(lora_70b())):
        answers.setdefault((item.card.id, item.cards), set()).add(item.would_fit)
    assert all(len(found) == 1 for found in answers.values())


def is_spare(rejection: Rejection) -> bool:
    """It misses nothing: fewer of its cards do as well."""
    return rejection.reasons[0].code is ReasonCode.DOMINATED


def test_that_the_nearest_miss_comes_first() -> None:
    sized = [item for item in run(lora_70b()).rejected if item.placements and not is_spare(item)]
    shares = [round(shortfall(item), 3) for item in sized]
    assert shares == sorted(shares)


def test_that_cards_of_other_vendors_get_no_bitsandbytes_and_no_second_card() -> None:
    found = [item for item in near(run(lora_70b())) if item.card.vendor != "NVIDIA"]
    assert found
    named = {dict(one.values).get("remedy") for item in found for one in item.would_fit}
    assert not named & {"one-more-card", "eight-bit-optimizer", "qlora"}


def test_that_a_tight_plan_says_what_would_restore_the_headroom() -> None:
    # 8B LoRA with a stated micro-batch of 20: logits of 20 x 2,048 tokens over 128,256 words fill a 96 GB card
    result = run(replace(lora_8b(), micro_batch=20), headroom=0.3)
    tight = [plan for plan in result.alternatives if plan.verdict is Verdict.TIGHT]
    assert tight
    for plan in tight:
        assert {item.code for item in plan.would_fit} == {ReasonCode.WOULD_FIT}
    roomy = [plan for plan in result.alternatives if plan.verdict is Verdict.FITS]
    assert roomy
    assert all(plan.would_fit == () for plan in roomy)


def lora_8b() -> Workload:
    return task("LoRA 8B", "llama-3.1-8b", Recipe(Method.LORA), 4, 20)


def test_that_an_instance_is_never_offered_a_second_card() -> None:
    single = next(item for item in near(run(lora_70b())) if (item.card.id, item.cards) == ("h200_nvl", 1))
    alone = single.placements[0]
    inside = replace(alone, mig=single.card.mig[0])

    def named(placement: Placement) -> set[object]:
        return {dict(item.values).get("remedy") for item in would_fit(placement, single.card, 0.15)}

    assert "one-more-card" in named(alone)
    assert named(inside) == named(alone) - {"one-more-card"}


@pytest.mark.parametrize(
    ("values", "share"),
    [
        ({"need_bytes": 110, "usable_bytes": 100}, 1.1),
        ({"need_h": 1460.0, "limit_h": 730.0}, 2.0),
        ({"need_amount": 90_000.0, "limit_amount": 80_000.0}, 1.125),
        ({"feature": "mig"}, 1.0),
    ],
)
def test_that_the_distance_is_the_need_over_the_limit(values: dict[str, object], share: float) -> None:
    miss = Rejection(facts().cards["h200_nvl"], 1, None, (reason(ReasonCode.MEMORY, **values),))
    assert shortfall(miss) == pytest.approx(share)
