"""Editions side by side, only where one source measured both."""

import pytest

from engine.serving.editions import measured_pairs


@pytest.fixture(scope="module")
def pairs(facts):
    return measured_pairs(facts, facts.cards["rtx_pro_6000_blackwell_ws"].family)


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
    pair = next(pair for pair in pairs if pair.users == users and pair.output == output)
    assert 1 / pair.ratio - 1 == pytest.approx(workstation_gain, abs=0.005)


def test_that_nothing_is_said_of_the_server_edition(pairs):
    assert not any("blackwell_se" in (pair.card_id + pair.other_id) for pair in pairs)
