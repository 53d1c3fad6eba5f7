"""Memory of a serving copy against hand calculations and start-up logs."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.serving.facts import LARGE_CARD_BYTES
from engine.serving.formats import cache_bytes, weight_bytes
from engine.serving.memory import StartProblem, adapter_bytes, cache_pool, state_slots
from engine.serving.shape import serving_shape
from engine.serving.types import (
    CacheFormat,
    EngineSettings,
    Lengths,
    ServeLayout,
    ServingEngine,
    WeightFormat,
)
from engine.units import GIB
from tests.engine.serving.builders import CHAT, H200_NVL, SERVER, memory_of, setup_of

# 2 x layers x KV heads x head size x 2 bytes
PER_TOKEN = {
    "llama-3.1-8b": 2 * 32 * 8 * 128 * 2,
    "llama-3.3-70b": 2 * 80 * 8 * 128 * 2,
    "qwen3-235b-a22b": 2 * 94 * 4 * 128 * 2,
    "deepseek-v3": (512 + 64) * 61 * 2,  # one compressed vector for all heads
    "qwen3.5-27b": 2 * 16 * 4 * 256 * 2,  # only the 16 layers of full attention
}


@pytest.mark.parametrize(("model", "expected"), PER_TOKEN.items())
def test_that_the_cache_of_a_token_follows_from_the_architecture(facts, model, expected):
    assert memory_of(facts, setup_of(facts, model), "b200_hgx", ServeLayout(1, 1, 8)).bytes_per_token == expected


def test_that_an_8_bit_cache_is_half(facts):
    wide = memory_of(facts, setup_of(facts))
    narrow = memory_of(facts, setup_of(facts, cache=CacheFormat.FP8))
    assert narrow.bytes_per_token * 2 == wide.bytes_per_token
    assert narrow.cache_tokens == pytest.approx(2 * wide.cache_tokens, rel=1e-3)


def test_that_ranks_divide_heads_but_not_a_compressed_cache(facts):
    eight = ServeLayout(1, 1, 8)
    heads = memory_of(facts, setup_of(facts, "llama-3.3-70b"), "b200_hgx", eight)
    latent = memory_of(facts, setup_of(facts, "deepseek-v3"), "b200_hgx", eight)
    assert heads.card_bytes_per_token == heads.bytes_per_token / 8
    assert latent.card_bytes_per_token == latent.bytes_per_token


def test_that_more_ranks_than_heads_add_nothing_to_the_cache(facts):
    # Qwen3 235B has 4 KV heads: on 8 ranks every one keeps a whole head
    memory = memory_of(facts, setup_of(facts, "qwen3-235b-a22b"), "b200_hgx", ServeLayout(1, 1, 8))
    assert memory.card_bytes_per_token == memory.bytes_per_token / 4


def test_that_windowed_layers_stop_growing_at_their_window(facts):
    # gpt-oss 120B: 18 layers with a window of 128, 18 without; 8 KV heads of 64
    shape = serving_shape(facts.models["gpt-oss-120b"])
    layer_token = 2 * 8 * 64 * 2
    assert cache_bytes(shape, CacheFormat.BF16, 1000) == 18 * layer_token * 1000 + 18 * layer_token * 128


def test_that_a_hybrid_keeps_a_state_for_every_sequence(facts):
    # Qwen3.5 27B: 48 linear layers x 48 value heads x 128 x 128, 32 bit
    memory = memory_of(facts, setup_of(facts, "qwen3.5-27b"))
    assert memory.state_bytes == 48 * 48 * 128 * 128 * 4


@pytest.mark.parametrize(
    ("weights", "loaded_gib"),
    [(WeightFormat.BF16, 14.99), (WeightFormat.FP8, 8.49)],  # vLLM's own lines for Llama 3.1 8B
)
def test_that_weights_load_as_the_logs_say(facts, weights, loaded_gib):
    loaded = weight_bytes(serving_shape(facts.models["llama-3.1-8b"]), weights)
    assert loaded / GIB == pytest.approx(loaded_gib, rel=0.005)


def test_that_all_experts_sit_in_memory(facts):
    shape = serving_shape(facts.models["gpt-oss-120b"])
    # 114.7 billion expert weights at 4.25 bit, the rest in 16 bit
    assert weight_bytes(shape, WeightFormat.MXFP4) == round(
        shape.expert_parameters * 0.53125 + (shape.parameters - shape.expert_parameters) * 2
    )


@pytest.mark.parametrize(
    ("total", "share", "taken", "printed"),
    [
        (23.58, 0.9, 14.99 + 0.35 + 2.07, 3.81),  # RTX 3090
        (79.22, 0.9, 14.96 + 1.79 + 1.26, 53.29),  # H100 80 GB
    ],
)
def test_that_the_pool_is_what_vllm_printed(facts, total, share, taken, printed):
    setup = setup_of(facts, settings=EngineSettings(memory_share=share))
    engine = facts.serving.engines[ServingEngine.VLLM]
    pool = cache_pool(setup, engine, round(total * GIB), round(taken * GIB), 0)
    assert pool / GIB == pytest.approx(printed, abs=0.006)


def test_that_the_parts_add_up_to_the_card(facts):
    for engine in (ServingEngine.VLLM, ServingEngine.SGLANG, ServingEngine.TENSORRT_LLM):
        memory = memory_of(facts, setup_of(facts, engine=engine))
        card = memory.card
        assert card.start_up + card.cache + card.reserve == memory.usable_bytes
        assert card.reserve >= 0


def test_that_the_three_engines_do_not_divide_a_card_alike(facts):
    pools = {
        engine: memory_of(facts, setup_of(facts, engine=engine, settings=EngineSettings(memory_share=0.8))).card.cache
        for engine in (ServingEngine.VLLM, ServingEngine.SGLANG, ServingEngine.TENSORRT_LLM)
    }
    assert len(set(pools.values())) == 3
    assert pools[ServingEngine.SGLANG] > pools[ServingEngine.VLLM]  # activations live outside its share


def test_that_70b_in_16_bit_does_not_start_on_96_gb(facts):
    memory = memory_of(facts, setup_of(facts, "llama-3.3-70b"))
    assert memory.problems == (StartProblem.WEIGHTS,)
    # 141 GB of weights and start-up memory against 0.9 of the 95.2 GiB that CUDA offers
    assert memory.card.start_up - memory.short_bytes == pytest.approx(0.9 * 95.16 * GIB, rel=0.001)
    assert memory.sequences_mean == 0


def test_that_a_start_does_not_prove_use(facts):
    # an 8B model in 16 bit leaves an RTX 4090 about 38,000 tokens: a request of 100,000 can never be served
    memory = memory_of(facts, setup_of(facts, lengths=Lengths(1000, 100_000, 500, 1000)), "rtx_4090")
    assert memory.cache_tokens > 1500
    assert memory.problems == (StartProblem.ONE_REQUEST,)


def test_that_a_request_longer_than_the_trained_positions_is_refused(facts):
    memory = memory_of(facts, setup_of(facts, "llama-3-8b", lengths=Lengths(1000, 8000, 500, 1000)), H200_NVL)
    assert memory.problems == (StartProblem.POSITIONS,)  # 9,000 of 8,192


def test_that_ranks_must_divide_the_heads(facts):
    # Qwen2.5 0.5B has 14 heads
    memory = memory_of(facts, setup_of(facts, "qwen2.5-0.5b"), SERVER, ServeLayout(1, 1, 4))
    assert StartProblem.HEADS in memory.problems


def test_that_too_many_states_keep_a_hybrid_from_starting(facts):
    # a block holds 16 of the 48 recurrent layers: 50 MB, so 1,024 need 51.5 GB
    many = setup_of(facts, "qwen3.5-27b", settings=EngineSettings(max_sequences=1024))
    assert StartProblem.STATES in memory_of(facts, many).problems
    few = setup_of(facts, "qwen3.5-27b", settings=EngineSettings(max_sequences=64))
    assert memory_of(facts, few).starts


@pytest.mark.parametrize(
    # as printed for a 27B of this architecture on a Max-Q card, memory share 0.85 taken; the NVFP4 checkpoint (1,011)
    # keeps parts of the blocks in 16 bit and is not computed
    ("weights", "blocks"),
    [(WeightFormat.BF16, 556), (WeightFormat.FP8, 939)],
)
def test_that_the_default_number_of_sequences_does_not_start_a_hybrid_on_a_max_q_card(facts, weights, blocks):
    setup = setup_of(facts, "qwen3.5-27b", weights=weights, settings=EngineSettings(memory_share=0.85))
    memory = memory_of(facts, setup, "rtx_pro_6000_blackwell_maxq")
    slots = state_slots(serving_shape(facts.models["qwen3.5-27b"]), memory.card.cache)
    assert slots == pytest.approx(blocks, rel=0.15)


def test_that_a_hybrids_sequences_are_limited_to_what_starts(facts):
    memory = memory_of(facts, setup_of(facts, "qwen3.5-27b"), "rtx_pro_6000_blackwell_maxq")
    assert not memory.default_starts
    assert memory.max_sequences < 1024
    assert memory.starts


def test_that_adapters_loaded_apart_need_memory_and_a_merged_one_none(facts):
    assert adapter_bytes(setup_of(facts)) == 0
    # rank 16 on every linear layer of Llama 3.1 8B: 41,943,040 parameters (PEFT), 2 bytes each
    assert adapter_bytes(setup_of(facts, adapters=3)) == 3 * 41_943_040 * 2


def test_that_large_cards_have_the_larger_defaults(facts):
    assert facts.cards["l40s"].usable_bytes.value < LARGE_CARD_BYTES < facts.cards[SERVER].usable_bytes.value
    assert memory_of(facts, setup_of(facts), "l40s").max_sequences == 256
    assert memory_of(facts, setup_of(facts)).max_sequences == 1024


LENGTH = st.integers(1, 20_000)


@settings(max_examples=60, deadline=None)
@given(prompt=LENGTH, more=st.integers(0, 20_000), output=st.integers(1, 4000))
def test_that_longer_prompts_never_leave_room_for_more_requests(facts, prompt, more, output):
    short = memory_of(facts, setup_of(facts, lengths=Lengths(prompt, prompt, output, output)))
    long = memory_of(facts, setup_of(facts, lengths=Lengths(prompt + more, prompt + more, output, output)))
    assert long.sequences_mean <= short.sequences_mean


@settings(max_examples=60, deadline=None)
@given(tokens=st.integers(1, 100_000), more=st.integers(0, 100_000), sequences=st.integers(1, 4096))
def test_that_larger_steps_never_leave_more_cache(facts, tokens, more, sequences):
    small = memory_of(facts, setup_of(facts, settings=EngineSettings(None, sequences, tokens)))
    large = memory_of(facts, setup_of(facts, settings=EngineSettings(None, sequences + more, tokens + more)))
    assert large.card.cache <= small.card.cache


@settings(max_examples=40, deadline=None)
@given(share=st.floats(0.05, 1.0), more=st.floats(0, 0.9), engine=st.sampled_from(list(ServingEngine)))
def test_that_a_larger_share_never_leaves_less_cache(facts, share, more, engine):
    def pool(given_share):
        setup = setup_of(facts, engine=engine, lengths=CHAT, settings=EngineSettings(memory_share=given_share))
        return memory_of(facts, setup).card.cache

    assert pool(min(share + more, 1.0)) >= pool(share)
