"""Layouts and verdicts: copies first, stages over PCIe, ranks over NVLink; what cannot be served, and why."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import InvalidInputError
from engine.fit import Verdict
from engine.reasons import ReasonCode
from engine.serving.layouts import layouts_on
from engine.serving.place import ServingHost, fewest_cards, serve_on
from engine.serving.types import (
    CacheFormat,
    EngineSettings,
    Lengths,
    LoadKind,
    ServeLayout,
    ServeLimits,
    ServeLoad,
    WeightFormat,
)
from engine.workload import ServingWorkload
from tests.engine.serving.builders import H200_NVL, SERVER, placed, setup_of


def codes(placement):
    return {reason.code for reason in placement.reasons}


def test_that_a_model_that_fits_a_card_is_copied(facts):
    found = placed(facts, setup_of(facts, users=64), cards=4)
    assert found.layout == ServeLayout(4)
    assert ReasonCode.SERVING_REPLICAS in codes(found)


def test_that_a_larger_model_is_cut_into_stages_over_pcie_and_ranks_over_a_bridge(facts):
    setup = setup_of(facts, "llama-3.3-70b")
    assert placed(facts, setup, SERVER, 2).layout == ServeLayout(1, 2, 1)
    assert placed(facts, setup, H200_NVL, 2).layout == ServeLayout(1, 2, 1)
    bridged = placed(facts, setup, H200_NVL, 2, bridge=2)
    assert bridged.layout == ServeLayout(1, 1, 2)
    assert ReasonCode.SERVING_TENSOR in codes(bridged)


def test_that_a_limit_per_user_turns_stages_into_ranks(facts):
    # about 9 tokens/s in two stages and 16 on two ranks over PCIe, for one user of a 16-bit 70B
    wanted = setup_of(facts, "llama-3.3-70b", users=1, limits=ServeLimits(tokens_per_s_per_user=10))
    found = placed(facts, wanted, SERVER, 2)
    assert found.layout.tensor == 2
    assert found.verdict in {Verdict.FITS, Verdict.TIGHT}


def test_that_ranks_are_preferred_within_an_nvlink_group_only():
    assert layouts_on(4, nvlink_cards=2) == (
        ServeLayout(4),
        ServeLayout(2, 1, 2),
        ServeLayout(2, 2, 1),
        ServeLayout(1, 4, 1),
        ServeLayout(1, 1, 4),
    )


def test_that_the_users_need_room_and_headroom(facts):
    room = placed(facts, setup_of(facts, users=1)).memory.sequences_mean
    assert placed(facts, setup_of(facts, users=int(room / 1.15) - 1)).verdict is Verdict.FITS
    tight = placed(facts, setup_of(facts, users=int(room * 0.95)))
    assert tight.verdict is Verdict.TIGHT
    said = next(item for item in tight.reasons if item.code is ReasonCode.SERVING_USERS)
    assert (said.value("need_users"), said.value("limit_users")) == (int(room * 0.95), room)
    assert said.value("headroom") == 0.15  # there is room for all; only the headroom is missing
    beyond = placed(facts, setup_of(facts, users=room + 1))
    assert beyond.verdict is Verdict.NO
    assert ReasonCode.SERVING_USERS in codes(beyond)
    assert "headroom" not in dict(next(item for item in beyond.reasons).values)


def test_that_a_limit_is_held_at_the_slow_end(facts):
    middle = placed(facts, setup_of(facts, users=8)).speed.planned.tokens_per_s_per_user
    kept = placed(facts, setup_of(facts, users=8, limits=ServeLimits(tokens_per_s_per_user=middle.low * 0.99)))
    unsure = placed(facts, setup_of(facts, users=8, limits=ServeLimits(tokens_per_s_per_user=middle.expected * 0.99)))
    missed = placed(facts, setup_of(facts, users=8, limits=ServeLimits(tokens_per_s_per_user=middle.expected * 1.01)))
    assert (kept.verdict, unsure.verdict, missed.verdict) == (Verdict.FITS, Verdict.TIGHT, Verdict.NO)
    assert ReasonCode.SERVING_USER_RATE in codes(missed)


def test_that_a_first_token_faster_than_the_prompt_is_refused(facts):
    lower_bound = placed(facts, setup_of(facts)).speed.prefill_s
    found = placed(facts, setup_of(facts, limits=ServeLimits(first_token_s=lower_bound / 2)))
    assert found.verdict is Verdict.NO
    assert ReasonCode.SERVING_FIRST_ANSWER in codes(found)


def test_that_a_rate_is_met_with_the_users_in_flight_it_takes(facts):
    load = ServeLoad(LoadKind.RATE, requests_per_s=1.0)
    found = placed(facts, setup_of(facts, load=load))
    assert found.verdict is Verdict.FITS
    need = 1.0 * 500
    assert found.speed.planned.tokens_per_s.expected >= need
    fewer = placed(facts, setup_of(facts, users=max(round(found.users) - 1, 1))).speed.planned
    assert fewer.tokens_per_s.expected < need or found.users == 1


def test_that_a_rate_beyond_four_fifths_of_a_full_batch_is_refused(facts):
    full = placed(facts, setup_of(facts)).speed.full.tokens_per_s.expected
    load = ServeLoad(LoadKind.RATE, requests_per_s=full * 0.81 / 500)
    found = placed(facts, setup_of(facts, load=load))
    assert found.verdict is Verdict.NO
    assert ReasonCode.SERVING_THROUGHPUT in codes(found)


def test_that_a_night_is_held_at_the_slow_end(facts):
    def night(hours):
        load = ServeLoad(LoadKind.BATCH, requests_per_night=10_000, night_h=hours)
        return placed(facts, setup_of(facts, load=load))

    hours = night(24).night_h
    # 10,000 answers of 500 tokens at the full batch's rate
    rate = night(24).speed.full.tokens_per_s
    assert hours.expected == pytest.approx(10_000 * 500 / rate.expected / 3600)
    assert hours.high == pytest.approx(10_000 * 500 / rate.low / 3600)
    assert night(hours.high * 1.01).verdict is Verdict.FITS
    assert night(hours.expected * 1.01).verdict is Verdict.TIGHT
    late = night(hours.expected * 0.99)
    assert late.verdict is Verdict.NO
    assert ReasonCode.SERVING_NIGHT in codes(late)


def test_that_a_format_the_card_lacks_is_the_reason(facts):
    found = placed(facts, setup_of(facts, weights=WeightFormat.NVFP4), H200_NVL)
    assert found.verdict is Verdict.NO
    assert codes(found) == {ReasonCode.SERVING_FORMAT}


def test_that_a_model_without_a_stated_speed_is_judged_by_memory_alone(facts):
    setup = setup_of(facts, "deepseek-v3", weights=WeightFormat.FP8)
    found = placed(facts, setup, "h200_sxm", 8)
    assert found.verdict is Verdict.FITS
    assert found.speed is None
    assert ReasonCode.SERVING_NOT_STATED in codes(found)
    limited = setup_of(facts, "deepseek-v3", weights=WeightFormat.FP8, limits=ServeLimits(tokens_per_s_per_user=1))
    assert placed(facts, limited, "h200_sxm", 8).verdict is Verdict.UNCERTAIN


def test_that_the_fewest_cards_are_taken(facts):
    setup = setup_of(facts, "llama-3.3-70b", users=4)
    host = ServingHost(facts.cards[SERVER], 8)
    found = fewest_cards(ServingWorkload("served", setup), host, 0.15, facts.serving)
    assert found.cards == 2  # 141 GB in 16 bit on cards of 103 GB
    alone = ServingHost(facts.cards[SERVER], 1)
    assert fewest_cards(ServingWorkload("served", setup), alone, 0.15, facts.serving) is None


def test_that_tokens_of_a_month_follow_from_hours_and_utilisation(facts):
    row = ServingWorkload("served", setup_of(facts), service_h_per_day=10, days_per_month=20, utilisation=0.5)
    found = serve_on(row, ServingHost(facts.cards[SERVER], 1), 0.15, facts.serving)
    assert found.hours_per_month.expected == 200
    rate = found.speed.planned.tokens_per_s.expected
    assert found.tokens_per_month.expected == pytest.approx(rate * 200 * 3600 * 0.5)


@settings(max_examples=40, deadline=None)
@given(users=st.integers(1, 2000), more=st.integers(0, 2000))
def test_that_more_users_never_fit_better(facts, users, more):
    order = list(Verdict)
    few, many = (placed(facts, setup_of(facts, users=count)) for count in (users, users + more))
    assert order.index(many.verdict) >= order.index(few.verdict)


BAD = [
    {"lengths": Lengths(0, 10, 1, 1)},
    {"lengths": Lengths(20, 10, 1, 1)},
    {"lengths": Lengths(1, 10, 5, 1)},
    {"lengths": Lengths(1, 10**9, 1, 1)},
    {"load": ServeLoad(LoadKind.USERS, users=0)},
    {"load": ServeLoad(LoadKind.RATE, requests_per_s=0)},
    {"load": ServeLoad(LoadKind.RATE, requests_per_s=math.nan)},
    {"load": ServeLoad(LoadKind.RATE, requests_per_s=math.inf)},
    {"load": ServeLoad(LoadKind.BATCH, requests_per_night=0)},
    {"load": ServeLoad(LoadKind.BATCH, requests_per_night=1, night_h=25)},
    {"load": ServeLoad(LoadKind.BATCH, requests_per_night=1, night_h=math.nan)},
    {"limits": ServeLimits(first_token_s=0)},
    {"limits": ServeLimits(tokens_per_s_per_user=math.inf)},
    {"adapters": -1},
    {"settings": EngineSettings(memory_share=0)},
    {"settings": EngineSettings(memory_share=math.nan)},
    {"settings": EngineSettings(max_sequences=0)},
    {"settings": EngineSettings(batched_tokens=-5)},
]


@pytest.mark.parametrize("changes", BAD, ids=lambda changes: str(next(iter(changes.values()))))
def test_that_bad_input_is_refused_with_a_message(facts, changes):
    with pytest.raises(InvalidInputError) as refused:
        placed(facts, setup_of(facts, **changes))
    assert str(refused.value)


def test_that_an_8_bit_cache_needs_a_card_that_has_it(facts):
    found = placed(facts, setup_of(facts, cache=CacheFormat.FP8), "a100_pcie_80")
    assert codes(found) == {ReasonCode.SERVING_FORMAT}
