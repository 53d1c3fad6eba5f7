"""What a step costs beyond the plain one: offloading, DoRA, caps above a sweep, windows cut into chunks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.facts import Facts
from engine.methods import Method, Offload, Recipe, Sharding
from engine.speed.links import link_between
from engine.speed.power import power_factor
from engine.speed.shape import AttentionGroup, ModelShape
from engine.speed.step import step_time
from engine.speed.types import NO_LINK
from tests.engine.speed.builders import H200_NVL, LLAMA_8B, SERVER, Case, setup_of, step_of

CASE = Case(LLAMA_8B, H200_NVL)
FULL = Case(LLAMA_8B, H200_NVL, method=Method.FULL)


def _offloaded_s(facts: Facts, offload: Offload) -> float:
    return step_of(FULL, facts, Recipe(Method.FULL, offload=offload)).total_s.expected


def test_that_each_further_part_outside_the_card_takes_longer(facts: Facts) -> None:
    """Optimiser states cross once, streamed weights in every pass, states on NVMe are read and written besides."""
    times = [_offloaded_s(facts, offload) for offload in (Offload.NONE, Offload.OPTIMIZER, Offload.ALL, Offload.NVME)]
    assert times == sorted(times)
    assert len(set(times)) == 4


def test_that_dora_takes_as_much_longer_as_was_measured(facts: Facts) -> None:
    """3,525 tokens/s with DoRA against 4,457 with LoRA (the source's own figures): 0.79 of the speed."""
    plain = step_of(CASE, facts, Recipe(Method.LORA)).total_s.expected
    dora = step_of(CASE, facts, Recipe(Method.LORA, dora=True)).total_s.expected
    assert dora / plain == pytest.approx(1 / 0.79, rel=0.01)


def test_that_without_constants_or_a_link_between_cards_there_is_no_step_time(facts: Facts) -> None:
    setup = setup_of(CASE, facts)
    assert step_time(setup, replace(facts.speed, coefficients=None)) is None
    two = setup_of(Case(LLAMA_8B, SERVER, cards=2, sharding=Sharding.FSDP), facts)
    assert two.link == link_between(facts.cards[SERVER], None, 2, None, facts.speed)
    assert step_time(two, facts.speed) is not None
    assert step_time(replace(two, link=NO_LINK), facts.speed) is None


def test_that_a_cap_above_the_sweep_keeps_the_sweeps_best_rate(facts: Facts) -> None:
    """Between the sweep's last point and full power nothing was measured; nothing beyond the last point is claimed."""
    card_id, table = next(iter(facts.speed.power.items()))
    card = facts.cards[card_id]
    short = replace(table, points=table.points[:-1])
    known = replace(facts.speed, power={card_id: short})
    above = short.points[-1].limit_w + 1
    assert above < card.power_w.value
    assert power_factor(card, above, known) == (short.points[-1].relative_rate, None)


def test_that_a_token_in_a_chunk_looks_back_half_of_it_on_average() -> None:
    """A window slides along: 100 of 400 positions, less what the first hundred lack. A chunk starts anew: 50."""
    slid = AttentionGroup(layers=1, width=1, window=100, chunked=False)
    for group, positions in ((slid, 100 - 100 * 100 / 800), (replace(slid, chunked=True), 50)):
        shape = ModelShape(1, 1, 1, 1, 1, attention=(group,))
        assert shape.attention_work(400) == pytest.approx(positions)
