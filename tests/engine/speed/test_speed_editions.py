"""Editions side by side while training, only where the same people measured both in one setup."""

from __future__ import annotations

from dataclasses import replace

import pytest

from catalog.load import load_catalog
from engine.facts import Facts
from engine.speed.editions import trained_ranges


@pytest.fixture(scope="module")
def facts() -> Facts:
    return load_catalog().facts


def test_that_eight_h200_nvl_train_nine_tenths_of_eight_h200_sxm(facts: Facts) -> None:
    # MLPerf Training v5.0, Llama 2 70B LoRA in FP8, Dell, TP1 PP1 CP2: 2,369.1 tokens/s and card in the XE7740 with
    # 4-way bridges, 2,616.4 in the XE9680, 2,601.0 in the XE9680L.
    for cards in (("h200_nvl",), ("h200_sxm",), ("h200_nvl", "h200_sxm")):
        (found,) = trained_ranges(facts, cards)
        assert (found.card_id, found.other_id) == ("h200_nvl", "h200_sxm")
        assert found.low == pytest.approx(2369.1 / 2616.4)
        assert found.high == pytest.approx(2369.1 / 2601.0)
        assert not found.contradictory


def test_that_nothing_is_said_of_editions_that_nobody_trained_on_alike(facts: Facts) -> None:
    assert trained_ranges(facts, tuple(card for card in facts.cards if not card.startswith("h200"))) == ()


@pytest.mark.parametrize(
    "change", [{"cards": 4}, {"micro_batch": 2}, {"sequence_length": 4096}, {"model": "Llama-3-70B"}]
)
def test_that_another_setup_makes_no_pair(facts: Facts, change: dict[str, object]) -> None:
    nvl, *others = facts.speed.editions
    other = replace(nvl, **change)
    changed = replace(facts, speed=replace(facts.speed, editions=(other, *others)))
    assert trained_ranges(changed, ("h200_nvl",)) == ()


def test_that_the_slower_edition_is_the_one_that_is_stated(facts: Facts) -> None:
    records = tuple(replace(one, tokens_per_s_per_card=1 / one.tokens_per_s_per_card) for one in facts.speed.editions)
    (found,) = trained_ranges(replace(facts, speed=replace(facts.speed, editions=records)), ("h200_nvl",))
    assert (found.card_id, found.other_id) == ("h200_sxm", "h200_nvl")
    assert found.high < 1
