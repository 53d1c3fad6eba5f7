"""The errors S1 to S26 of published buyer's guides and the checks W7: for each, that our figure is the right one.

The guides are trade texts with US prices of early 2026; their prices are test data here and stand in no catalogue.
"""

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from math import ceil
from types import SimpleNamespace

import pytest

from catalog.economics_data import load_economics
from catalog.load import load_catalog
from engine.adapters import adapter_parameters
from engine.cost.break_even import break_even, own_cost_per_hour, payback
from engine.cost.offers import OwnMachine, RentalMatch, SpeedBasis, compare_offer, own_figures
from engine.cost.results import compute_prices, cost_per_tflop_hour, validated_checkpoint
from engine.facts import Facts
from engine.fit import Verdict, judge
from engine.hardware import LinkKind
from engine.memory.estimate import estimate
from engine.memory.types import MemoryEstimate, TrainingSetup
from engine.methods import SINGLE_CARD, Layout, Method, Recipe, Sharding, StateRecipe
from engine.plan.recommend import recommend
from engine.units import FloatBand, Money
from engine.workload import Place, Priority, Scenario, Site, Workload

D = Decimal
ZERO = D(0)
GB = 10**9
EIGHT = Layout(8, Sharding.FSDP)


@pytest.fixture(scope="module")
def facts() -> Facts:
    return load_catalog().facts


@pytest.fixture(scope="module")
def sized(facts: Facts) -> Callable[..., MemoryEstimate]:
    def build(model: str, method: Method, layout: Layout = SINGLE_CARD, sequence: int = 2048) -> MemoryEstimate:
        return estimate(TrainingSetup(facts.models[model], Recipe(method), sequence, 1, layout))

    return build


@pytest.fixture(scope="module")
def hour(assume) -> Callable[..., Decimal]:
    """Cost of an owned hour over three years at 0.10 per kWh, to three places."""

    def build(price: object, power_w: int, utilisation: str) -> Decimal:
        machine = OwnMachine(Money(D(str(price)), "USD"), power_w, 0, ZERO)
        own = own_figures(machine, assume(electricity_per_kwh=D("0.10")))
        return round(own_cost_per_hour(own.fixed_per_year, own.variable_per_hour, D(utilisation)), 3)

    return build


# S1. 25,000 / 26,280 + 0.09 = 1.041 is the figure at full use; at 60 % it is 25,000 / 15,768 + 0.09 = 1.675.
def test_s1_that_the_effective_price_depends_on_use(hour):
    assert hour(25_000, 900, "1") == D("1.041")
    assert hour(25_000, 900, "0.6") == D("1.675")


# S2. 30,000 / 26,280 + 0.07 = 1.212 and 40,000 / 26,280 + 0.07 = 1.592; at 60 % 1.973 and 2.607.
def test_s2_that_an_h200_costs_more_per_hour_than_an_h100(hour):
    assert [hour(30_000, 700, "1"), hour(40_000, 700, "1")] == [D("1.212"), D("1.592")]
    assert [hour(30_000, 700, "0.6"), hour(40_000, 700, "0.6")] == [D("1.973"), D("2.607")]
    assert hour(30_000, 700, "1") > hour(25_000, 700, "1")


# S3. On a card three times as fast the job takes a third of the hours: 3.15 / (1,000 / 330) = 1.04 per owned hour
# against 0.60, 1.73 times as much.
def test_s3_that_cards_are_compared_per_job_and_not_per_hour(assume, offer):
    slow = OwnMachine(Money(D(1_600), "USD"), 450, 0, D(1_000))
    assumptions = assume()
    entry = compare_offer(
        own_figures(slow, assumptions),
        offer("3.15"),
        RentalMatch(1, FloatBand(1000 / 330, 1000 / 330, 1000 / 330), SpeedBasis.MODELLED),
        assumptions,
        (),
        date(2026, 11, 30),
        useful_hours_per_year=D(1_000),
    )
    assert round(entry.rent_per_owned_hour.expected.amount / D("0.60"), 2) == D("1.73")


# S4. 15,000 / 26,280 = 0.571 of capital alone.
def test_s4_that_an_a100_cannot_cost_less_than_its_capital(hour):
    assert hour(15_000, 0, "1") == D("0.571")
    assert hour(15_000, 300, "1") > D("0.55")


# S5. 1,600 / 26,280 + 0.045 = 0.106; 8,000 / 26,280 + 0.035 = 0.339: one method for all rows.
def test_s5_that_all_cards_are_computed_alike(hour):
    assert hour(1_600, 450, "1") == D("0.106")
    assert hour(8_000, 350, "1") == D("0.339")


# S6. 45,000 / 26,280 + 0.10 = 1.812, 50,000: 2.003; at 60 % 2.954 and 3.271.
def test_s6_that_a_b200_carries_its_whole_price_range(hour):
    assert [hour(45_000, 1_000, "1"), hour(50_000, 1_000, "1")] == [D("1.812"), D("2.003")]
    assert [hour(45_000, 1_000, "0.6"), hour(50_000, 1_000, "0.6")] == [D("2.954"), D("3.271")]


# S7. 25,000 / 3.06 = 8,170 h and not 25,000 / 3.15 = 7,937 h.
def test_s7_that_the_own_hour_is_subtracted_before_dividing():
    found = payback(D(25_000), ZERO, D("3.15"), D("0.09"), D(8_760), D(3)).useful_hours
    assert round(found) == 8_170
    assert found > D(25_000) / D("3.15")


# S8. H100: 8,403 / 8,117 = +3.5 %; 4090: 3,282 / 2,883 = +13.8 %.
@pytest.mark.parametrize(
    ("price", "rent", "kilowatt", "rise"), [(25_000, "3.15", "0.7", "0.035"), (1_600, "0.60", "0.45", "0.138")]
)
def test_s8_that_electricity_moves_the_break_even_little(price, rent, kilowatt, rise):
    cheap, dear = (
        payback(D(price), ZERO, D(rent), D(kilowatt) * per_kwh, D(8_760), D(3)).useful_hours
        for per_kwh in (D("0.10"), D("0.25"))
    )
    assert round(dear / cheap - 1, 3) == D(rise)


# S9. 13 billion parameters x 16 B = 208 GB: five times a 40 GB card.
def test_s9_that_an_a100_40_does_not_hold_full_fine_tuning_of_13b(facts, sized):
    need = sized("llama-2-13b", Method.FULL)
    assert need.required.expected > 208 * GB
    for card in ("a100_pcie_40", "a100_sxm_40", "a100_sxm_80"):
        assert judge(need, facts.cards[card].usable_bytes.value, 0.15) is Verdict.NO
    priced = [offer for offer in facts.rental_offers if "a100_sxm_40" in offer.card_ids and len(offer.card_ids) == 1]
    assert all(offer.low > D("0.72") for offer in priced), "0.72 was the price of an 80 GB card"


# S10. 6.74 billion x 16 B = 107.8 GB, not 28 GB.
def test_s10_that_training_takes_16_bytes_per_parameter_and_not_4(sized):
    need = sized("llama-2-7b", Method.FULL)
    assert need.card.model_states / need.parameters == pytest.approx(16, rel=0.01)


# S11. 70.55 billion x 16 B = 1,129 GB; the largest single card has 288 GB.
def test_s11_that_no_single_card_pretrains_70b(facts, sized):
    need = sized("llama-3.3-70b", Method.FULL)
    assert need.card.model_states / GB == pytest.approx(1_129, rel=0.01)
    assert all(
        judge(need, card.usable_bytes.value, 0.15) is Verdict.NO
        for card in facts.cards.values()
        if card.form.value != "rack-scale"
    )


def test_s12_that_both_published_capacities_of_a_b200_are_recorded(facts):
    memory = facts.cards["b200_hgx"].memory_gb
    assert memory.value == 180
    assert any("192" in text for text in memory.contradicts)


# S13. 0.60 / 165.2 = 0.00363 against the guide's 0.60 / 330 = 0.00182; an H100 at 3.15 / 989.5 = 0.00318.
def test_s13_that_a_4090_is_rated_with_fp32_accumulation_and_loses_its_lead(facts):
    gaming, datacentre = (facts.cards[card].bf16_dense_tflops.value for card in ("rtx_4090", "h100_sxm"))
    assert round(cost_per_tflop_hour(D("0.60"), gaming), 5) == D("0.00363")
    assert cost_per_tflop_hour(D("0.60"), gaming) > cost_per_tflop_hour(D("3.15"), datacentre)


def test_s13_that_a_tflop_hour_on_a_card_without_room_is_no_offer(facts, sized):
    need = sized("llama-3.1-8b", Method.FULL)
    priced = [(facts.cards["rtx_4090"], D("0.60")), (facts.cards["h200_sxm"], D("3.80"))]
    ranked, left_out = compute_prices(
        priced, lambda card: judge(need, card.usable_bytes.value, 0.15) in (Verdict.FITS, Verdict.TIGHT)
    )
    assert [entry.card_id for entry in ranked] == ["h200_sxm"]
    assert left_out == ("rtx_4090",)


def test_s14_that_an_l40s_has_gddr6_with_ecc(facts):
    card = facts.cards["l40s"]
    assert card.details["memory_type"].value == "GDDR6"
    assert card.ecc is not None
    assert card.ecc.value is True


# S15. Neither 438 h nor 500 h a month: 8,333.33 / 3.06 = 2,723 h a year = 227 h a month, computed from the inputs.
def test_s15_that_there_is_one_threshold_and_it_is_computed():
    found = break_even(D(25_000) / 3, D("3.15"), D("0.09"))
    assert round(found.hours_per_year / 12) == 227


# S16. Half the use: 2 x 0.951 + 0.09 = 1.993, not 2 x 1.041 = 2.083: the variable part does not double.
def test_s16_that_idling_doubles_only_the_fixed_part(hour):
    assert hour(25_000, 900, "0.5") == D("1.993")
    assert hour(25_000, 900, "0.5") < 2 * hour(25_000, 900, "1")


# S17. 16 B a parameter throughout; the table's 9.6 B is no recipe of ours.
def test_s17_that_every_recipe_is_named_and_none_takes_9_6_bytes(sized):
    per_parameter = {
        model: sized(model, Method.FULL).card.model_states / sized(model, Method.FULL).parameters
        for model in ("llama-2-7b", "llama-2-13b", "qwen3-14b")
    }
    assert all(value == pytest.approx(16, rel=0.01) for value in per_parameter.values())
    assert StateRecipe("bf16-master") is Recipe(Method.FULL).states


# S18. 1,600 / 0.72 = 2,222 h and 1,800 / 0.72 = 2,500 h; and 24 GB do not hold what 80 GB hold.
def test_s18_that_a_4090_breaks_even_with_an_a100_rent_earlier_but_holds_less(facts, sized):
    hours = [round(payback(D(price), ZERO, D("0.72"), ZERO, D(8_760), D(3)).useful_hours) for price in (1_600, 1_800)]
    assert hours == [2_222, 2_500]
    job = sized("llama-3.1-8b", Method.LORA, sequence=8192)
    assert judge(job, facts.cards["a100_sxm_80"].usable_bytes.value, 0.15) is Verdict.FITS
    smaller = judge(job, facts.cards["rtx_4090"].usable_bytes.value, 0.15)
    assert smaller is not Verdict.FITS


# S19. 3,500 h of a 4090 (165.2) are 3,500 x 165.2 / 989.5 = 584 h of an H100: 1,169 to 2,337 at 2 to 4 an hour.
def test_s19_that_a_faster_card_is_rented_for_fewer_hours(facts, assume, offer):
    speed = float(facts.cards["h100_sxm"].bf16_dense_tflops.value / facts.cards["rtx_4090"].bf16_dense_tflops.value)
    assumptions = assume()
    own = own_figures(OwnMachine(Money(D(1_700), "USD"), 450, 0, D(3_500)), assumptions)
    bills = [
        compare_offer(
            own,
            offer(price),
            RentalMatch(1, FloatBand(speed, speed, speed), SpeedBasis.MODELLED),
            assumptions,
            (),
            date(2026, 11, 30),
            useful_hours_per_year=D(3_500),
        ).rent_per_year.expected.amount
        for price in ("2", "4")
    ]
    assert [round(bill) for bill in bills] == [1_169, 2_337]
    assert max(bills) < 7_000


# S20. The guide's 125 GB are six 24 GB cards, eight only of 16 GB; our 208 GB of states are at least nine, QLoRA one.
def test_s20_that_the_step_from_full_to_qlora_is_stated_in_cards_of_one_size(facts, sized):
    usable = facts.cards["rtx_4090"].usable_bytes.value
    assert ceil(sized("llama-2-13b", Method.FULL).card.model_states / usable) >= 9
    assert judge(sized("llama-2-13b", Method.QLORA), usable, 0.15) is Verdict.FITS


# S21. 70.55 billion x 2 B = 141.1 GB; 280 GB are fp32.
def test_s21_that_70b_weights_are_141_gb_in_bf16(sized):
    assert sized("llama-3.3-70b", Method.LORA).card.weights / GB == pytest.approx(141.1, abs=0.05)


def test_s22_that_an_h200_has_141_gb_and_an_h100_80(facts):
    assert [facts.cards[card].memory_gb.value for card in ("h200_sxm", "h200_nvl", "h100_sxm")] == [141, 141, 80]


# S23. "1.600 TKP" and "771 TP3T" were $ and % before translation. Here prices carry a currency, shares are fractions.
def test_s23_that_every_price_has_a_currency_and_every_share_is_a_fraction(facts):
    known = {"USD", "EUR", "CHF", "GBP", "CNY", "KRW", "JPY"}
    assert {price.currency for prices in facts.prices.values() for price in prices} <= known
    assert {offer.currency for offer in facts.rental_offers} <= known
    shares = [entry for key, entry in load_economics().assumptions.items() if key.value.endswith("_share")]
    assert shares
    assert all(0 <= entry.low <= entry.high <= 1 for entry in shares)


def test_s24_that_no_cost_figure_rests_on_the_list_that_breaks_off():
    assert "seed001" not in {entry.figure.source.id for entry in load_economics().assumptions.values()}


# S25. The guide's sum: 10 h + 5 + 80 (hours added to money, not divided). Ours: 2 x 10 h x 3.00 / 2 + 80 / 2 + 5.
def test_s25_that_a_checkpoints_cost_is_money_and_divided_by_results(assume, usd):
    assumptions = assume(
        storage_per_checkpoint=D(5), failed_run_share=D("0.5"), recovery_hours=D(1), wage_per_hour=D(80)
    )
    cost = validated_checkpoint(D(10), usd("3.00"), assumptions, successful_runs=2, validated=2)
    # 2 x 1.5 runs x 10 h x 3.00 / 2 = 45.00; 1 failed run x 80 / 2 = 40.00; 5.00.
    assert cost.total == usd("90.00")
    dearer_hour = validated_checkpoint(D(10), usd("6.00"), assumptions, successful_runs=2, validated=2)
    assert dearer_hour.total == usd("135.00"), "hours count by their price, not by their number"


# S26. 1,129 GB / 8 = 141.1 GB of states alone, before a single activation: 150.8 GB usable do not hold it.
def test_s26_that_70b_full_does_not_fit_on_eight_h200_nvl(facts, sized):
    need = sized("llama-3.3-70b", Method.FULL, EIGHT, sequence=4096)
    assert need.card.model_states / GB == pytest.approx(141.1, abs=0.2)
    assert judge(need, facts.cards["h200_nvl"].usable_bytes.value, 0.15) is Verdict.NO


# W7. Rank 16 on all linear layers of a 70B Llama: 207,093,760; 141.1 + 207.1e6 x 16 B = 144.4; halves 72.2, quarters
# 36.1; 70.55e9 x 16 = 1,128.9; x 14 = 988; 8.03e9 x 16 = 128.5.
def test_w7_parameters_and_states_of_the_sizing_rules(facts):
    model = facts.models["llama-3.3-70b"]
    adapters = adapter_parameters(model, 16)
    assert adapters == 207_093_760
    states = (model.parameters * 2 + adapters * 16) / GB
    assert [round(states, 1), round(states / 2, 1), round(states / 4, 1)] == [144.4, 72.2, 36.1]
    assert round(model.parameters * 16 / GB, 1) == 1_128.9
    assert round(model.parameters * 14 / GB) == 988
    assert round(facts.models["llama-3.1-8b"].parameters * 16 / GB, 1) == 128.5


# W7. Two passes of half the weights from the other card: 2 x 1/2 x 141.1 = 141 GB, over 450 GB/s 0.31 s; from three
# others 2 x 3/4 x 141.1 = 212 GB, over 64 GB/s 3.3 s. Adapter gradients add 0.83 GB x 3/4 on four cards.
@pytest.mark.parametrize(
    ("card", "cards", "link", "gigabytes", "seconds"),
    [
        ("h200_nvl", 2, LinkKind.NVLINK_BRIDGE, 141, 0.31),
        ("rtx_pro_6000_blackwell_se", 4, LinkKind.PCIE, 212, 3.3),
    ],
)
def test_w7_traffic_of_a_sharded_70b_lora(facts, card, cards, link, gigabytes, seconds):
    workload = Workload("70B", facts.models["llama-3.3-70b"], Recipe(Method.LORA), 4096, micro_batch=1)
    scenario = Scenario((workload,), Site(Place.RACK), frozenset(), Priority.PURCHASE_PRICE, "EUR", date(2026, 11, 30))
    step = next(
        plan.placements[0].step
        for plan in recommend(scenario, facts).ranked
        if plan.card.id == card
        and plan.cards == cards
        and plan.placements[0].layout == Layout(cards, Sharding.FSDP)
        and plan.placements[0].step.link is link
    )
    assert step.link_bytes / GB == pytest.approx(gigabytes, rel=0.01)
    assert step.lower_bound_link_s == pytest.approx(seconds, rel=0.03)


# W7. 438.9 / 503.8 = 87 %; 835.5 / 503.8 = 1.66; 835.5 / 438.9 = 1.90.
def test_w7_ratios_of_published_rates(facts):
    workstation, maxq, nvl = (
        facts.cards[card].bf16_dense_tflops.value
        for card in ("rtx_pro_6000_blackwell_ws", "rtx_pro_6000_blackwell_maxq", "h200_nvl")
    )
    assert [round(maxq / workstation, 2), round(nvl / workstation, 2), round(nvl / maxq, 2)] == [
        D("0.87"),
        D("1.66"),
        D("1.90"),
    ]


def test_that_a_card_without_rate_is_left_out_and_not_ranked_first():
    rateless = SimpleNamespace(id="rateless", bf16_dense_tflops=None)
    assert compute_prices([(rateless, D("0.01"))], lambda _: True) == ((), ("rateless",))


def test_that_no_offer_of_the_catalogue_comes_from_a_buyers_guide(facts):
    assert not [offer.id for offer in facts.rental_offers if offer.source.id.startswith("seed")]
