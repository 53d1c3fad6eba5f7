"""Step times and operating points: what must be faster than what, and where no figure is given."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.serving.formats import ComputeClass, bytes_read, compute_class, format_problem
from engine.serving.machine import serving_card
from engine.serving.shape import serving_shape
from engine.serving.speed import ServingNote, SpeedBasis, notes_for
from engine.serving.terms import Work, copy_rate, decode_step, fastest_rate, prefill_s
from engine.serving.types import (
    ONE_CARD,
    CacheFormat,
    Lengths,
    ServeLayout,
    ServingEngine,
    WeightFormat,
)
from tests.engine.serving.builders import CHAT, H200_NVL, SERVER, WORKSTATION, memory_of, setup_of, speed_of

NVFP4 = {"weights": WeightFormat.NVFP4, "cache": CacheFormat.FP8, "engine": ServingEngine.TENSORRT_LLM}


def work_of(facts, model="llama-3.1-8b", card=SERVER, weights=WeightFormat.BF16, layout=ONE_CARD):
    seen = serving_card(facts.cards[card], bridged=True)
    return Work(serving_shape(facts.models[model]), weights, CacheFormat.BF16, ServingEngine.VLLM, seen, layout)


def test_that_one_user_reads_the_weights_once_per_token(facts):
    # Llama 3.1 8B without its embedding: 7,504,924,672 weights of 2 bytes at 1,597 GB/s
    fitted = facts.serving.coefficients
    step = decode_step(work_of(facts), 1, 1, fitted)
    assert step.weights_s == pytest.approx(7_504_924_672 * 2 / (1597e9 * fitted.bandwidth_share))


def test_that_a_batch_soon_reads_nearly_all_experts(facts):
    shape = serving_shape(facts.models["qwen3-30b-a3b"])  # 8 of 128 experts
    assert shape.read_share(1) == pytest.approx(8 / 128)
    assert shape.read_share(32) == pytest.approx(1 - (1 - 8 / 128) ** 32)
    assert shape.read_share(64) > 0.98
    one, many = (bytes_read(shape, WeightFormat.BF16, batch)[1] for batch in (1, 64))
    assert many > 15 * one


def test_that_copies_scale_straight(facts):
    setup = setup_of(facts, "llama-3.3-70b", **NVFP4)
    one = speed_of(facts, setup)
    four = speed_of(facts, setup, layout=ServeLayout(4))
    assert four.full.tokens_per_s.expected == pytest.approx(4 * one.full.tokens_per_s.expected)
    assert four.one_user.tokens_per_s.expected == pytest.approx(one.one_user.tokens_per_s.expected)


def test_that_ranks_over_pcie_are_slower_than_over_a_bridge(facts):
    setup, two = setup_of(facts, "llama-3.3-70b"), ServeLayout(1, 1, 2)
    bridged = speed_of(facts, setup, H200_NVL, two)
    apart = speed_of(facts, setup, H200_NVL, two, bridged=False)
    assert apart.one_user.tokens_per_s.expected < bridged.one_user.tokens_per_s.expected
    assert ServingNote.TENSOR_OVER_PCIE in apart.notes
    assert ServingNote.TENSOR_OVER_PCIE not in bridged.notes


def test_that_stages_do_not_speed_up_a_single_user_and_ranks_do(facts):
    setup = setup_of(facts, "llama-3.3-70b")
    stages = speed_of(facts, setup, H200_NVL, ServeLayout(1, 2, 1))
    ranks = speed_of(facts, setup, H200_NVL, ServeLayout(1, 1, 2))
    assert ranks.one_user.tokens_per_s.expected > 1.5 * stages.one_user.tokens_per_s.expected


def test_that_the_server_edition_decodes_slower_by_its_bandwidth(facts):
    # 1,597 against 1,792 GB/s; the fixed terms dampen it
    server, workstation = (speed_of(facts, setup_of(facts), card) for card in (SERVER, WORKSTATION))
    ratio = server.one_user.tokens_per_s.expected / workstation.one_user.tokens_per_s.expected
    assert 1597 / 1792 < ratio < 1


def test_that_a_published_70b_q8_rate_lies_in_the_range(facts):
    # llama-bench, Workstation Edition at 600 W: 20.54 tokens/s of Llama 3.3 70B in Q8_0
    setup = setup_of(facts, "llama-3.3-70b", weights=WeightFormat.Q8_0, engine=ServingEngine.LLAMA_CPP)
    rate = speed_of(facts, setup, WORKSTATION).one_user.tokens_per_s
    assert rate.low < 20.54 < rate.high


def test_that_nvidias_table_of_four_counts_lies_in_the_range(facts):
    # TensorRT-LLM 1.0, Llama 3.3 70B NVFP4, 1000/1000, one RTX PRO 6000 Server Edition: 1,787 tokens/s
    setup = setup_of(facts, "llama-3.3-70b", lengths=Lengths(1000, 1000, 1000, 1000), **NVFP4)
    full = speed_of(facts, setup).full
    assert full.tokens_per_s.low < 1787 < full.tokens_per_s.high
    assert full.basis in {SpeedBasis.SCALED, SpeedBasis.MEASURED}
    assert full.record.source.id.startswith("trtllm")


def test_that_a_card_without_measurements_is_computed_and_says_so(facts):
    speed = speed_of(facts, setup_of(facts), "rtx_pro_4500_blackwell")
    assert speed.full.basis is SpeedBasis.COMPUTED
    assert speed.full.record is None
    assert ServingNote.NO_RECORD in speed.notes


def test_that_no_speed_is_stated_for_compressed_attention(facts):
    eight = ServeLayout(1, 1, 8)
    setup = setup_of(facts, "deepseek-v3", weights=WeightFormat.FP8)
    assert memory_of(facts, setup, "h200_sxm", eight).starts
    assert speed_of(facts, setup, "h200_sxm", eight) is None
    assert ServingNote.LATENT_NOT_STATED in notes_for(setup, serving_card(facts.cards["h200_sxm"]), eight)


@pytest.mark.parametrize("card", ["rtx_pro_4000_blackwell", "gb200_nvl72", "mi300x"])
def test_that_no_speed_is_stated_without_published_or_evidenced_rates(facts, card):
    assert speed_of(facts, setup_of(facts), card) is None


def test_that_formats_are_gated_by_the_cards_generation(facts):
    def problem(weights, card, engine=ServingEngine.VLLM, cache=CacheFormat.BF16):
        return format_problem(weights, cache, engine, facts.cards[card])

    assert problem(WeightFormat.FP8, "a100_pcie_80") is not None
    assert problem(WeightFormat.FP8, "l40s") is None
    assert problem(WeightFormat.NVFP4, "h200_nvl") is not None
    assert problem(WeightFormat.NVFP4, SERVER) is None
    assert problem(WeightFormat.AWQ, "a100_pcie_80") is None
    assert problem(WeightFormat.AWQ, "mi300x") is not None
    assert problem(WeightFormat.Q8_0, SERVER) is not None
    assert problem(WeightFormat.Q8_0, SERVER, ServingEngine.LLAMA_CPP) is None
    assert problem(WeightFormat.BF16, "a100_pcie_80", cache=CacheFormat.FP8) is not None


def test_that_only_data_centre_blackwell_multiplies_mxfp4_directly(facts):
    def kind(card):
        seen = serving_card(facts.cards[card])
        return compute_class(WeightFormat.MXFP4, eight_bit=seen.eight_bit, wide_four_bit=seen.wide_four_bit)

    assert kind("b200_hgx") is ComputeClass.FP8
    assert kind(SERVER) is ComputeClass.WEIGHT_ONLY
    assert kind("h100_sxm") is ComputeClass.WEIGHT_ONLY


def test_that_an_instance_has_its_share_of_bandwidth_and_rate(facts):
    card = facts.cards["h200_nvl"]
    profile = next(entry for entry in card.mig if entry.instances == 7)
    whole, part = serving_card(card), serving_card(card, mig=profile)
    # seven fit, but each has one of eight slices of 4.8 TB/s, and 16 of 132 multiprocessors (0.121, near 1 / 8)
    assert part.bandwidth_b_per_s == pytest.approx(600e9)
    assert part.rates[ComputeClass.BF16] == pytest.approx(whole.rates[ComputeClass.BF16] / 8)
    assert part.usable_bytes == 16 * 2**30


def test_that_a_power_cap_takes_prefill_and_leaves_decoding(facts):
    # measured on the Workstation Edition: 300 W against 600 W, prefill 907 against 1,735, decoding 19.3 against 20.5
    fitted = facts.serving.coefficients
    full = work_of(facts, "llama-3.3-70b", WORKSTATION, WeightFormat.FP8)
    capped = replace(full, card=serving_card(facts.cards[WORKSTATION], rate_factor=0.55))
    assert prefill_s(capped, 4000, fitted) == pytest.approx(prefill_s(full, 4000, fitted) / 0.55)
    assert decode_step(capped, 1, 100, fitted).total_s < 1.1 * decode_step(full, 1, 100, fitted).total_s


def test_that_an_unknown_catalogue_gives_no_speed(facts):
    empty = replace(facts, serving=replace(facts.serving, coefficients=None))
    assert speed_of(empty, setup_of(facts)) is None


USERS = st.floats(1, 400)


@settings(max_examples=60, deadline=None)
@given(users=USERS, more=st.floats(0, 400), model=st.sampled_from(["llama-3.1-8b", "qwen3-30b-a3b", "qwen3.5-9b"]))
def test_that_more_users_get_more_in_all_and_less_each(facts, users, more, model):
    setup = setup_of(facts, model)
    few, many = (speed_of(facts, setup, users=count).planned for count in (users, users + more))
    assert many.tokens_per_s.expected >= few.tokens_per_s.expected * (1 - 1e-9)
    assert many.tokens_per_s_per_user.expected <= few.tokens_per_s_per_user.expected * (1 + 1e-9)


@settings(max_examples=60, deadline=None)
@given(prompt=st.integers(1, 8000), more=st.integers(0, 8000), output=st.integers(1, 2000))
def test_that_longer_prompts_never_come_out_faster(facts, prompt, more, output):
    def each(length):
        setup = setup_of(facts, lengths=Lengths(length, length, output, output))
        return speed_of(facts, setup, users=4).planned.tokens_per_s.expected

    assert each(prompt + more) <= each(prompt) * (1 + 1e-9)


@settings(max_examples=40, deadline=None)
@given(sequences=st.floats(1, 300), stages=st.sampled_from([1, 2, 4, 8]), ranks=st.sampled_from([1, 2, 4]))
def test_that_ranges_enclose_their_middle_and_rates_are_positive(facts, sequences, stages, ranks):
    layout = ServeLayout(1, stages, ranks)
    rate = copy_rate(work_of(facts, layout=layout), sequences, 1000, 500, facts.serving.coefficients)
    assert rate > 0
    speed = speed_of(facts, setup_of(facts, lengths=CHAT), layout=layout, users=sequences)
    band = speed.planned.tokens_per_s
    assert 0 < band.low < band.expected < band.high


def test_that_no_computed_range_passes_what_the_memory_can_read(facts):
    # Llama 3.3 70B in FP8 reads 68.45e9 layer weights of one byte and an output layer of 1.05e9 two-byte ones:
    # 70.6 GB; at 1,597 GB/s no more than 22.6 tokens/s for one user, cache not counted.
    speed = speed_of(facts, setup_of(facts, "llama-3.3-70b", weights=WeightFormat.FP8))
    assert speed.one_user.basis is SpeedBasis.COMPUTED
    assert speed.one_user.tokens_per_s.expected < speed.one_user.tokens_per_s.high < 22.7


@given(
    st.sampled_from(["llama-3.1-8b", "qwen3-32b", "qwen3-30b-a3b", "mixtral-8x7b", "gemma-3-27b"]),
    st.sampled_from([SERVER, WORKSTATION, H200_NVL]),
    st.floats(1, 300),
)
@settings(max_examples=60, deadline=None)
def test_that_what_is_expected_stays_below_what_the_memory_can_read(facts, model, card, users):
    work, fitted = work_of(facts, model, card), facts.serving.coefficients
    assert copy_rate(work, users, 1000, 300, fitted) < fastest_rate(work, users, 1000, 300)
