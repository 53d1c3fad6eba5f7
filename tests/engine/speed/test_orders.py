"""Orders and lower bounds a customer can check against published statements."""

from dataclasses import replace

import pytest

from engine.hardware import Bridging, LinkKind
from engine.methods import Method, Precision, Recipe, Sharding
from engine.speed.run import tokens_per_second
from engine.speed.step import step_time
from engine.speed.work import gradient_bytes_each
from engine.units import GB
from tests.engine.speed.builders import (
    H200_NVL,
    LLAMA_8B,
    LLAMA_70B,
    MAX_Q,
    SERVER,
    TWO_WAY_BRIDGE,
    WORKSTATION,
    Case,
    setup_of,
    step_of,
)

MS = 1e-3
ADAPTERS = 207_093_760  # rank 16 on every linear layer of Llama 3.3 70B


def sharded_70b(card, cards, system=None, bridging=None, tokens=2048):
    return Case(LLAMA_70B, card, tokens=tokens, cards=cards, sharding=Sharding.FSDP, system=system, bridging=bridging)


@pytest.mark.parametrize("model", [LLAMA_8B, "qwen3-32b"])
def test_that_a_max_q_stands_between_a_capped_and_a_full_workstation_edition(facts, model):
    full = step_of(Case(model, WORKSTATION), facts).total_s.expected
    capped = step_of(Case(model, WORKSTATION, cap_w=300), facts).total_s.expected
    max_q = step_of(Case(model, MAX_Q), facts).total_s.expected
    assert full < max_q < capped
    # published matrix work: 1.2 to 1.4 times the 600 W card; a capped card 1/0.55 = 1.8 times at most
    assert 1.15 < max_q / full < 1.41
    assert capped / full < 1.82


def test_that_a_server_edition_capped_at_450_w_is_slower_than_at_600_w(facts):
    full = step_of(Case(LLAMA_8B, SERVER), facts).total_s.expected
    capped = step_of(Case(LLAMA_8B, SERVER, cap_w=450), facts).total_s.expected
    # matrix rate at 450 W is 0.916 of full; memory traffic is not slowed
    assert full < capped < full / 0.916


@pytest.mark.parametrize("sharding", [Sharding.TENSOR, Sharding.FSDP])
def test_that_the_xe7740_is_faster_than_the_xe7745_for_layouts_that_exchange_inside_a_pass(facts, sharding):
    def step(system):
        return step_of(
            Case(LLAMA_70B, H200_NVL, cards=2, sharding=sharding, system=system, bridging=TWO_WAY_BRIDGE), facts
        )

    # MLPerf v6.0, same cards, software and layout: 4.16 s against 5.58 s
    ratio = step("dell_xe7740").total_s.expected / step("dell_xe7745").total_s.expected
    assert ratio == pytest.approx(4.16 / 5.58, rel=0.01)


def test_that_pure_data_parallel_suffers_less_from_the_slower_host(facts):
    def step(system):
        return step_of(Case(LLAMA_8B, H200_NVL, cards=8, sharding=Sharding.DDP, system=system), facts).total_s.expected

    # MLPerf v6.0, 8B, pure data parallel: 0.885
    assert step("dell_xe7740") / step("dell_xe7745") == pytest.approx(0.885, rel=0.01)


def test_that_qlora_catches_up_with_lora_as_the_micro_batch_grows(facts):
    def ratio(tokens):
        case = Case(LLAMA_8B, "a100_sxm_80", tokens=tokens, micro_batch=1)
        lora = step_of(case, facts).total_s.expected
        return lora / step_of(replace(case, method=Method.QLORA), facts).total_s.expected

    ratios = [ratio(tokens) for tokens in (256, 512, 1024, 2048, 4096, 8192)]
    assert ratios == sorted(ratios)
    # Qwen's tables for 7B: 0.40 at 256, 0.74 at 2,048, 0.96 at 8,192 tokens
    assert ratios[0] < 0.65
    assert 0.65 < ratios[3] < 0.9
    assert ratios[5] > 0.9


def test_that_a_bridged_pair_of_h200_nvl_beats_four_server_editions_on_a_70b_lora(facts):
    bridged = step_of(sharded_70b(H200_NVL, 2, "dell_xe7740", TWO_WAY_BRIDGE), facts)
    pcie = step_of(sharded_70b(SERVER, 4, "dell_xe7740"), facts)
    assert tokens_per_second(bridged).expected > tokens_per_second(pcie).expected
    assert bridged.link is LinkKind.NVLINK_BRIDGE
    assert pcie.link is LinkKind.PCIE


@pytest.mark.parametrize(
    ("card", "cards", "bridging", "gathered_gb", "seconds"),
    [
        (H200_NVL, 2, TWO_WAY_BRIDGE, 141, 0.3136),
        (H200_NVL, 2, None, 141, 2.2048),
        (SERVER, 4, None, 212, 3.3072),
    ],
)
def test_that_the_all_gather_of_a_sharded_70b_is_as_printed(facts, card, cards, bridging, gathered_gb, seconds):
    # 70,553,706,496 weights x 2 B x 2 gathers x (n - 1)/n: 141.107 GB for two cards, 211.661 GB for four;
    # 141.107/450 = 0.3136 s, 141.107/64 = 2.2048 s, 211.661/64 = 3.3072 s.
    # Beside it the step scatters the adapters' gradients: 207,093,760 x 2 B x (n - 1)/n.
    recipe = Recipe(Method.LORA, adapter_dtype=Precision.BF16)
    step = step_of(sharded_70b(card, cards, bridging=bridging), facts, recipe)
    gradients = ADAPTERS * 2 * (cards - 1) / cards
    assert (step.link_bytes - gradients) / GB == pytest.approx(gathered_gb, abs=0.5)
    rate = (450 if bridging else 64) * GB
    assert step.lower_bound_link_s - gradients / rate == pytest.approx(seconds, abs=0.00005)
    assert step.lower_bound_link_s <= step.total_s.low


def test_that_gradients_and_their_all_reduce_are_as_printed(facts):
    # 207,093,760 adapter weights x 2 B = 0.414 GB of gradients; an all-reduce reduces them and sends them back, twice
    # the gradients (ZeRO paper, section 7): 0.828 GB, over PCIe's 64 GB/s at most 13 ms. A ring of n cards carries
    # (n - 1)/n of it: 1/2 on two cards, 7/8 on eight.
    recipe = Recipe(Method.QLORA, adapter_dtype=Precision.BF16)
    assert ADAPTERS * gradient_bytes_each(recipe) / GB == pytest.approx(0.41, abs=0.005)
    for cards in (2, 8):
        step = step_of(Case(LLAMA_70B, SERVER, cards=cards, sharding=Sharding.DDP), facts, recipe)
        share = (cards - 1) / cards
        assert step.link_bytes / share / GB == pytest.approx(0.83, abs=0.005)
        assert step.lower_bound_link_s / share / MS == pytest.approx(13, abs=0.5)


def test_that_one_card_exchanges_nothing(facts):
    step = step_of(Case(LLAMA_70B, H200_NVL, method=Method.QLORA), facts)
    assert (step.link, step.link_bytes, step.lower_bound_link_s) == (LinkKind.NONE, 0, 0)


def test_that_two_islands_are_slower_than_one_switch_and_faster_than_pcie_alone(facts):
    islands = step_of(sharded_70b(H200_NVL, 8, bridging=Bridging(size=4, count=2, islands=2)), facts)
    plain = step_of(sharded_70b(H200_NVL, 8), facts)
    switched = step_of(sharded_70b("h200_sxm", 8), facts)
    assert switched.communication_s < islands.communication_s < plain.communication_s


def test_that_cards_without_a_published_rate_get_no_time(facts):
    silent = [
        card for card in facts.cards.values() if card.bf16_dense_tflops is None and card.measured_bf16_tflops is None
    ]
    assert silent
    for card in silent:
        if card.id in facts.speed.rates:
            continue
        setup = setup_of(Case(LLAMA_8B, card.id), facts)
        assert step_time(setup, facts.speed) is None


def test_that_the_rtx_pro_5000_says_its_rate_is_scaled_and_no_measurement_compares(facts):
    step = step_of(Case(LLAMA_8B, "rtx_pro_5000_blackwell_72"), facts)
    assert {note.value for note in step.notes} >= {"rate-scaled", "incomplete-record"}
    assert step.record is None
