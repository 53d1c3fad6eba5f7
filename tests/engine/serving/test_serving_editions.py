"""Editions side by side, only where one source measured both."""

from dataclasses import replace

import pytest

from engine.serving.editions import ServedPair, served_pairs, served_ranges, unserved_editions


@pytest.fixture(scope="module")
def pairs(facts):
    return served_pairs(facts, facts.cards["rtx_pro_6000_blackwell_ws"].family)


def test_that_max_q_against_workstation_was_measured_on_eight_setups(pairs):
    assert len(pairs) == 8
    assert {(pair.card_id, pair.other_id) for pair in pairs} == {
        ("rtx_pro_6000_blackwell_maxq", "rtx_pro_6000_blackwell_ws")
    }
    assert {pair.source.id for pair in pairs} == {"maxq-vs-ws"}


@pytest.mark.parametrize(("users", "workstation_gain"), [(1, 0.06), (8, 0.135)])
def test_that_the_workstation_edition_gains_what_the_source_says(pairs, users, workstation_gain):
    # decoding +6 % with one user, +13.5 % with eight and short answers
    output = 1024 if users == 1 else 128
    pair = next(pair for pair in pairs if pair.record.users == users and pair.record.output == output)
    assert 1 / pair.ratio - 1 == pytest.approx(workstation_gain, abs=0.005)


def test_that_nothing_is_said_of_the_server_edition(pairs):
    assert not any("blackwell_se" in (pair.card_id + pair.other_id) for pair in pairs)


EDITIONS = ("rtx_pro_6000_blackwell_ws", "rtx_pro_6000_blackwell_maxq", "rtx_pro_6000_blackwell_se", "h200_nvl")


def test_that_the_eight_setups_make_one_range_for_the_slower_edition(facts):
    # Records of maxq-vs-ws, output tokens/s: least 324.48 / 368.42 (1024 in, 128 out, eight users), greatest
    # 114.10 / 120.50 (256 in, 1024 out, two users).
    (found,) = served_ranges(facts, EDITIONS)
    assert (found.card_id, found.other_id) == ("rtx_pro_6000_blackwell_maxq", "rtx_pro_6000_blackwell_ws")
    assert found.low == pytest.approx(324.48 / 368.42)
    assert found.high == pytest.approx(114.10 / 120.50)
    assert len(found.pairs) == 8
    assert not found.contradictory
    assert {pair.record.software for pair in found.pairs} == {"vLLM 0.27.1"}


def test_that_the_edition_nobody_measured_beside_the_others_is_named(facts):
    assert unserved_editions(facts, EDITIONS, served_ranges(facts, EDITIONS)) == ("rtx_pro_6000_blackwell_se",)
    others = ("h200_nvl", "l40s")  # no two editions of one product
    assert unserved_editions(facts, others, served_ranges(facts, others)) == ()


def test_that_a_version_of_the_software_is_part_of_the_setup(facts):
    # The source measured the A100 80 GB with vLLM 0.7.3 and again with 0.20.1, the A100 40 GB with 0.7.3 alone.
    (found,) = served_ranges(facts, ("a100_sxm_40", "a100_sxm_80"))
    assert {pair.beside.software for pair in found.pairs} == {"vLLM 0.7.3"}
    ratios = sorted(pair.ratio for pair in found.pairs)
    assert ratios == pytest.approx([70.08 / 75.82, 317.46 / 261.10, 55.68 / 32.71])
    assert found.contradictory


def test_that_a_range_is_stated_for_the_slower_edition_whichever_way_the_ids_stand(facts):
    (found,) = served_ranges(facts, EDITIONS)
    turned = _with(facts, [ServedPair(pair.beside, pair.record) for pair in found.pairs])
    (again,) = served_ranges(turned, EDITIONS)
    assert again.other_id == "rtx_pro_6000_blackwell_maxq"  # its figures are the Workstation edition's now
    assert (again.low, again.high) == pytest.approx((found.low, found.high))


def test_that_a_setup_measured_twice_widens_the_range(facts):
    (found,) = served_ranges(facts, EDITIONS)
    first = found.pairs[0]
    slower = replace(first.record, record_id="again", tokens_per_s=first.record.tokens_per_s / 2)
    (wider,) = served_ranges(_with(facts, [*found.pairs, ServedPair(slower, first.beside)]), EDITIONS)
    assert wider.low == pytest.approx(first.ratio / 2)
    assert wider.high == pytest.approx(found.high)


def test_that_an_edition_is_measured_beside_one_that_is_not_compared(facts):
    (found,) = served_ranges(facts, ("rtx_pro_6000_blackwell_maxq", "h200_nvl"))
    assert found.other_id == "rtx_pro_6000_blackwell_ws"


def _with(facts, pairs):
    """The facts with nothing measured but these pairs: the first of each on the Max-Q, the second on the other."""
    maxq = [replace(pair.record, card_id="rtx_pro_6000_blackwell_maxq") for pair in pairs]
    ws = [replace(pair.beside, card_id="rtx_pro_6000_blackwell_ws") for pair in pairs]
    anchors = {"rtx_pro_6000_blackwell_maxq": tuple(maxq), "rtx_pro_6000_blackwell_ws": tuple(dict.fromkeys(ws))}
    return replace(facts, serving=replace(facts.serving, anchors=anchors))
