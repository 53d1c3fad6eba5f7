"""Paths between cards."""

import pytest

from engine.hardware import Bridging, LinkKind
from engine.methods import Layout, Sharding
from engine.speed.links import host_factor, link_between
from engine.speed.types import NO_LINK
from tests.engine.speed.builders import H200_NVL, SERVER, TWO_WAY_BRIDGE


def test_that_one_card_has_no_link(facts):
    assert link_between(facts.cards[SERVER], None, 1, None, facts.speed) is NO_LINK


def test_that_pcie_defaults_to_the_untuned_rate_and_tuning_doubles_it_nearly(facts):
    card = facts.cards[SERVER]
    plain = link_between(card, None, 4, None, facts.speed)
    tuned = link_between(card, None, 4, None, facts.speed, tuned_pcie=True)
    assert plain.kind is LinkKind.PCIE
    # 22.2 GB/s with NCCL's defaults, 41.1 GB/s tuned, both on eight RTX PRO 6000 (rtx6kpro)
    assert plain.effective_expected_gb_per_s == pytest.approx(22.2, rel=0.01)
    assert tuned.effective_expected_gb_per_s == pytest.approx(41.1, rel=0.01)


def test_that_two_cards_alone_exchange_faster_than_a_ring_but_not_faster_than_one_direction(facts):
    card = facts.cards[SERVER]
    pair = link_between(card, None, 2, None, facts.speed).effective_expected_gb_per_s
    ring = link_between(card, None, 4, None, facts.speed).effective_expected_gb_per_s
    # 55.5 GB/s in one direction between two RTX PRO 6000 (rtx6kpro)
    assert ring < pair < 55.5


def test_that_a_bridge_joins_a_pair_and_four_ways_join_four(facts):
    card = facts.cards[H200_NVL]
    pair = link_between(card, None, 2, TWO_WAY_BRIDGE, facts.speed)
    four = link_between(card, None, 4, Bridging(size=4, count=1, islands=1), facts.speed)
    assert (pair.kind, pair.islands, pair.outer) == (LinkKind.NVLINK_BRIDGE, 1, None)
    assert (four.kind, four.islands, four.outer) == (LinkKind.NVLINK_BRIDGE, 1, None)
    assert pair.theoretical_gb_per_s == 450


def test_that_eight_bridged_cards_are_two_islands_with_pcie_between_them(facts):
    link = link_between(facts.cards[H200_NVL], None, 8, Bridging(size=4, count=2, islands=2), facts.speed)
    assert link.islands == 2
    assert link.outer is not None
    assert link.outer.kind is LinkKind.PCIE


def test_that_cards_without_bridges_stay_on_pcie(facts):
    assert link_between(facts.cards[H200_NVL], None, 2, None, facts.speed).kind is LinkKind.PCIE


def test_that_sxm_cards_share_a_switch_whatever_the_count(facts):
    link = link_between(facts.cards["h200_sxm"], None, 8, None, facts.speed)
    assert (link.kind, link.islands) == (LinkKind.NVSWITCH, 1)


def test_that_an_unmeasured_machine_stands_between_the_two_measured_ones(facts):
    card = facts.cards[H200_NVL]
    layout = Layout(4, Sharding.FSDP)
    named = [facts.systems[name] for name in ("dell_xe7745", "hpe_dl380a_gen12", "dell_xe7740")]
    slow, unknown, fast = (host_factor(system, card, layout, facts.speed) for system in named)
    assert slow < unknown < fast == 1.0


def test_that_one_card_and_switched_cards_pay_no_host_factor(facts):
    one = Layout(1, Sharding.NONE)
    assert host_factor(facts.systems["dell_xe7745"], facts.cards[H200_NVL], one, facts.speed) == 1.0
    eight = Layout(8, Sharding.FSDP)
    assert host_factor(None, facts.cards["h200_sxm"], eight, facts.speed) == 1.0
