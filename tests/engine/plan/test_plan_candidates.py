"""What may be planned with, and why the rest may not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.hardware import Availability, Bridging, Cooling, PsuRule
from engine.methods import Method, Optimizer, Recipe
from engine.plan.candidates import Candidate, enumerate_candidates
from engine.plan.types import Rejection
from engine.reasons import Reason, ReasonCode, reason
from engine.workload import MustHave, Place, Site
from tests.engine.plan.builders import (
    bridged_card,
    card,
    facts,
    figure,
    mig_profile,
    option,
    scenario,
    server,
    system,
    workload,
)

RACK = Site(Place.RACK)


def rejections(rejected: tuple[Rejection, ...]) -> set[tuple[str, int, str | None, str]]:
    return {
        (item.card.id, item.cards, item.system.id if item.system else None, said.code.value)
        for item in rejected
        for said in item.reasons
    }


def only(rejected: tuple[Rejection, ...], code: ReasonCode) -> Rejection:
    found = [item for item in rejected if item.reasons[0].code is code]
    assert len(found) == 1
    return found[0]


def counts(candidates: tuple[Candidate, ...]) -> list[tuple[str, int]]:
    return [(item.system.id, item.cards) for item in candidates]


def test_that_every_listed_count_is_a_candidate_and_the_next_one_is_rejected() -> None:
    field = enumerate_candidates(scenario(), facts((card(),), (system(),)))
    assert counts(field.candidates) == [("machine", 1), ("machine", 2), ("machine", 3), ("machine", 4)]
    assert rejections(field.rejected) == {("plain", 5, "machine", "count-not-listed")}
    assert only(field.rejected, ReasonCode.COUNT_NOT_LISTED).reasons[0].value("limit_cards") == 4


def test_that_every_pair_of_card_and_machine_is_a_candidate_or_a_rejection() -> None:
    catalogue = facts(
        (card(), card("other"), card("old", availability=Availability.END_OF_LIFE), card("homeless")),
        (system(), system("second", option("other")), server("third", option("other"))),
    )
    field = enumerate_candidates(scenario(), catalogue)
    answered = {(item.card.id, item.system.id) for item in field.candidates}
    answered |= {(item.card.id, item.system.id) for item in field.rejected if item.system is not None}
    whole_card = {item.card.id for item in field.rejected if item.system is None}
    for card_id in catalogue.cards:
        for system_id in catalogue.systems:
            assert card_id in whole_card or (card_id, system_id) in answered


def test_that_a_machine_not_listed_for_the_edition_is_named() -> None:
    field = enumerate_candidates(
        scenario(), facts((card(), card("other")), (system(), system("second", option("other"))))
    )
    assert ("plain", 1, "second", "not-listed") in rejections(field.rejected)


def test_that_a_card_no_machine_lists_has_no_system() -> None:
    field = enumerate_candidates(scenario(), facts((card("homeless"),), (system(),)))
    assert rejections(field.rejected) == {("homeless", 1, None, "no-system")}


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"availability": Availability.END_OF_LIFE}, ReasonCode.END_OF_LIFE),
        ({"availability": Availability.PRELIMINARY}, ReasonCode.PRELIMINARY),
        ({"bf16_dense_tflops": None}, ReasonCode.MISSING_FIGURE),
        ({"cooling": figure(Cooling.PASSIVE)}, ReasonCode.PASSIVE_CARD_AT_DESK),
    ],
)
def test_that_a_card_unfit_for_the_desk_is_rejected_once_for_all_machines(
    changes: dict[str, Any], code: ReasonCode
) -> None:
    field = enumerate_candidates(scenario(), facts((card(**changes),), (system(), system("second"))))
    assert not field.candidates
    assert rejections(field.rejected) == {("plain", 1, None, code.value)}


def stated_absent(key: str) -> Any:
    """A card whose maker states that it lacks the feature."""
    return card(details={key: figure("none")})


@pytest.mark.parametrize(
    ("feature", "without", "code", "with_it"),
    [
        (
            MustHave.NVLINK,
            stated_absent("nvlink_text"),
            "must-have",
            bridged_card("plain", cooling=figure(Cooling.BLOWER), power_w=figure(300)),
        ),
        (MustHave.MIG, stated_absent("mig_text"), "must-have", card(mig=(mig_profile(4, 24),))),
        (MustHave.MIG, card(), "must-have-unstated", card(mig=(mig_profile(4, 24),))),
        (MustHave.MIG, card(vendor="AMD"), "must-have", card(mig=(mig_profile(4, 24),))),  # NVIDIA's own
        (MustHave.VGPU, card(supports_vgpu=False), "must-have", card(supports_vgpu=True)),
        (MustHave.VGPU, card(), "must-have-unstated", card(supports_vgpu=True)),
        (MustHave.ECC, card(ecc=figure(value=False)), "must-have", card()),
        (MustHave.ECC, card(ecc=None), "must-have-unstated", card()),
        (MustHave.FP8, card(fp8=None), "must-have-unstated", card()),
        (MustHave.NVFP4, card(nvfp4=False), "must-have", card()),
    ],
)
def test_that_a_must_have_needs_a_statement_that_the_card_has_it(
    feature: MustHave, without: Any, code: str, with_it: Any
) -> None:
    asked = scenario(must_have=frozenset({feature}))
    machine = system("machine", option(nvlink_bridges=True))
    missing = enumerate_candidates(asked, facts((without,), (machine,)))
    assert not missing.candidates
    assert missing.rejected[0].reasons[0].value("feature") == feature.value
    assert missing.rejected[0].reasons[0].code.value == code
    assert enumerate_candidates(asked, facts((with_it,), (machine,))).candidates


def test_that_other_vendors_are_refused_where_bitsandbytes_would_be_needed() -> None:
    catalogue = facts((card(vendor="AMD"),), (system(),))
    for recipe in (Recipe(Method.QLORA), Recipe(Method.FULL, optimizer=Optimizer.ADAMW_8BIT)):
        field = enumerate_candidates(scenario(workload(recipe=recipe)), catalogue)
        assert rejections(field.rejected) == {("plain", 1, None, "method-unsupported")}
    assert enumerate_candidates(scenario(workload(recipe=Recipe(Method.LORA))), catalogue).candidates


def test_that_a_rack_machine_stays_away_from_a_desk_and_a_tower_from_a_rack() -> None:
    catalogue = facts((card(),), (system(), server("rack_machine")))
    at_desk = enumerate_candidates(scenario(), catalogue)
    assert {item.system.id for item in at_desk.candidates} == {"machine"}
    assert ("plain", 1, "rack_machine", "rack-machine-at-desk") in rejections(at_desk.rejected)
    in_rack = enumerate_candidates(scenario(site=RACK), catalogue)
    assert {item.system.id for item in in_rack.candidates} == {"rack_machine"}
    assert ("plain", 1, "machine", "desk-machine-in-rack") in rejections(in_rack.rejected)


def test_that_an_ordinary_socket_limits_the_desk_without_being_asked() -> None:
    # 500 W machine + 4 x 600 W = 2,900 W against 2,300 W sustained; three cards need exactly 2,300 W.
    field = enumerate_candidates(scenario(), facts((card(power_w=figure(600)),), (system(),)))
    assert [item.cards for item in field.candidates] == [1, 2, 3]
    refused = only(field.rejected, ReasonCode.CIRCUIT_POWER)
    assert (refused.cards, refused.reasons[0].value("need_w"), refused.reasons[0].value("limit_w")) == (4, 2900, 2300)


def test_that_a_stated_circuit_replaces_the_socket() -> None:
    catalogue = facts((card(power_w=figure(600)),), (system(),))
    field = enumerate_candidates(scenario(site=Site(Place.DESK, circuit_watts=3680)), catalogue)
    assert [item.cards for item in field.candidates] == [1, 2, 3, 4]


def test_that_a_vendors_lower_setting_is_used_before_a_plan_is_refused() -> None:
    # 4 x 450 W + 500 W = 2,300 W: the 450 W mode keeps the socket.
    edition = card(power_w=figure(600), power_limits_w=(450,))
    field = enumerate_candidates(scenario(), facts((edition,), (system(),)))
    by_count = {item.cards: item for item in field.candidates}
    assert by_count[3].power_cap_w is None
    assert (by_count[4].power_cap_w, by_count[4].power_w) == (450, 2300)
    assert by_count[4].remarks[0].code is ReasonCode.POWER_CAPPED


def test_that_a_machines_cap_holds_and_the_uncapped_listing_wins_where_both_apply() -> None:
    options = (option(max_cards=4, power_cap_w=450), option(max_cards=2))
    machine = server("machine", *options)
    field = enumerate_candidates(scenario(site=RACK), facts((card(power_w=figure(600)),), (machine,)))
    assert [(item.cards, item.power_cap_w) for item in field.candidates] == [(1, None), (2, None), (3, 450), (4, 450)]


def test_that_supplies_follow_the_vendors_table() -> None:
    # Two to four cards on 5 supplies of 400 W = 2,000 W; 500 + 3 x 600 = 2,300 W is too much, 500 + 2 x 600 is not.
    machine = server(psu_rules=(PsuRule(2, 4, 5, 400),))
    field = enumerate_candidates(scenario(site=RACK), facts((card(power_w=figure(600)),), (machine,)))
    assert [item.cards for item in field.candidates] == [1, 2]
    assert {item.reasons[0].code for item in field.rejected if item.cards in (3, 4)} == {ReasonCode.PSU_POWER}


@pytest.mark.parametrize(
    ("site", "changes", "code"),
    [
        (Site(Place.RACK, cooling_watts=600), {}, ReasonCode.COOLING),
        (Site(Place.RACK, free_rack_units=2), {}, ReasonCode.RACK_UNITS),
        (Site(Place.RACK, noise_limit_db_a=55), {"noise_db_a": figure(70)}, ReasonCode.NOISE),
        (Site(Place.RACK, slots=0), {}, ReasonCode.SLOTS),
        (Site(Place.RACK), {"host_memory_max_gb": figure(100)}, ReasonCode.HOST_MEMORY),
    ],
)
def test_that_a_limit_of_the_place_or_host_rejects(site: Site, changes: dict[str, Any], code: ReasonCode) -> None:
    field = enumerate_candidates(scenario(site=site), facts((card(),), (server(**changes),)))
    assert not field.candidates
    assert code in {reason.code for item in field.rejected for reason in item.reasons}


def test_that_a_limit_without_a_figure_is_said_not_to_be_checked() -> None:
    site = Site(Place.RACK, cooling_watts=9000, free_rack_units=8, noise_limit_db_a=55)
    machine = server(base_power_w=None, rack_units=None)
    field = enumerate_candidates(scenario(site=site), facts((card(),), (machine,)))
    gaps = {reason.value("figure") for reason in field.candidates[0].remarks if reason.code is ReasonCode.NOT_CHECKED}
    assert gaps == {"noise_db_a", "rack_units", "base_power_w"}


def test_that_power_without_the_machine_is_said_to_be_that_of_the_cards() -> None:
    for site in (RACK, Site(Place.RACK, cooling_watts=9000)):
        field = enumerate_candidates(scenario(site=site), facts((card(),), (server(base_power_w=None),)))
        said = [item for plan in field.candidates for item in plan.remarks]
        assert reason(ReasonCode.POWER_OF_CARDS_ALONE, system="server") in said
        known = enumerate_candidates(scenario(site=site), facts((card(),), (server(),)))
        assert ReasonCode.POWER_OF_CARDS_ALONE not in {item.code for plan in known.candidates for item in plan.remarks}


def test_that_two_single_width_cards_share_a_slot() -> None:
    site = Site(Place.DESK, slots=2)
    field = enumerate_candidates(scenario(site=site), facts((card(slot_width=1),), (system(),)))
    assert [item.cards for item in field.candidates] == [1, 2, 3, 4]


def test_that_eight_bridged_cards_are_two_islands_and_odd_counts_have_no_bridge() -> None:
    machine = server("machine", option("bridged", max_cards=8, nvlink_bridges=True), host_memory_max_gb=None)
    field = enumerate_candidates(scenario(site=RACK), facts((bridged_card(),), (machine,)))
    bridging = {item.cards: item.bridging for item in field.candidates}
    assert bridging[1] is None
    assert bridging[2] == Bridging(2, 1, 1)
    assert bridging[3] is None
    assert bridging[4] == Bridging(4, 1, 1)
    assert bridging[6] == Bridging(2, 3, 3)
    assert bridging[8] == Bridging(4, 2, 2)
    eight = next(item for item in field.candidates if item.cards == 8)
    assert (eight.remarks[0].code, eight.remarks[0].value("islands")) == (ReasonCode.ISLANDS, 2)


def test_that_a_must_have_nvlink_refuses_counts_no_bridge_joins() -> None:
    machine = server("machine", option("bridged", max_cards=4, nvlink_bridges=True))
    asked = scenario(site=RACK, must_have=frozenset({MustHave.NVLINK}))
    field = enumerate_candidates(asked, facts((bridged_card(),), (machine,)))
    assert [item.cards for item in field.candidates] == [1, 2, 4]
    refused = only(field.rejected, ReasonCode.BRIDGE_LIMIT)
    assert (refused.cards, refused.reasons[0].value("limit_cards")) == (3, 4)


def test_that_bridges_need_a_document_for_the_machine() -> None:
    machine = server("machine", option("bridged", max_cards=2))
    field = enumerate_candidates(scenario(site=RACK), facts((bridged_card(),), (machine,)))
    assert {item.bridging for item in field.candidates} == {None}
    asked = scenario(site=RACK, must_have=frozenset({MustHave.NVLINK}))
    strict = enumerate_candidates(asked, facts((bridged_card(),), (machine,)))
    assert [item.cards for item in strict.candidates] == [1]
    assert ("bridged", 2, "machine", "must-have-unstated") in rejections(strict.rejected)


def test_that_a_machine_sold_fully_populated_has_one_count() -> None:
    machine = server("machine", option(max_cards=8, min_cards=8), fixed_cards=True, host_memory_max_gb=None)
    field = enumerate_candidates(scenario(site=RACK), facts((card(),), (machine,)))
    assert [item.cards for item in field.candidates] == [8]
    unknown = replace(machine, options=(option(max_cards=None),))
    field = enumerate_candidates(scenario(site=RACK), facts((card(),), (unknown,)))
    assert rejections(field.rejected) == {("plain", 1, "machine", "missing-figure")}


def test_that_a_card_named_without_a_count_counts_as_one() -> None:
    field = enumerate_candidates(scenario(), facts((card(),), (system("machine", option(max_cards=None)),)))
    assert [item.cards for item in field.candidates] == [1]


def host_remarks(candidate: Candidate) -> list[Reason]:
    codes = (ReasonCode.HOST_MINIMUM, ReasonCode.HOST_BELOW_MINIMUM)
    return [item for item in candidate.remarks if item.code in codes]


def test_that_every_plan_says_what_its_host_needs() -> None:
    # seven cores and 128 GB for each of four cards
    field = enumerate_candidates(scenario(), facts((card(),), (system(),)))
    four = next(item for item in field.candidates if item.cards == 4)
    assert host_remarks(four) == [reason(ReasonCode.HOST_MINIMUM, cards=4, need_cores=28, need_gb=512)]


def test_that_a_host_below_the_minimum_is_remarked_upon_and_not_refused() -> None:
    machine = system(host_memory_max_gb=figure(256), host_cores_max=figure(24))
    field = enumerate_candidates(scenario(), facts((card(),), (machine,)))
    below = {item.cards: host_remarks(item)[1:] for item in field.candidates}
    assert below[1] == below[2] == []
    memory = reason(ReasonCode.HOST_BELOW_MINIMUM, system="machine", need_gb=384, limit_gb=256)
    assert below[3] == [memory]
    assert below[4][0] == reason(ReasonCode.HOST_BELOW_MINIMUM, system="machine", need_cores=28, limit_cores=24)


def test_that_a_machine_sold_with_its_cards_needs_no_advice_on_its_host() -> None:
    machine = server("full", option(max_cards=8), fixed_cards=True, host_cores_max=figure(8))
    field = enumerate_candidates(scenario(site=RACK), facts((card(),), (machine,)))
    assert [host_remarks(item) for item in field.candidates] == [[]]
