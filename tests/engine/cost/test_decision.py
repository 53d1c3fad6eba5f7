"""Buy, rent, use a service or do not train: every verdict and its ground."""

from datetime import date
from decimal import Decimal

import pytest

from engine.cost.decision import DecisionCode, DecisionVerdict
from engine.cost.offers import OwnMachine, RentalMatch, SpeedBasis
from engine.cost.rent import rent_or_buy
from engine.cost.services import ApiJob, compare_apis
from engine.cost.types import FineTuningApi, OwnershipAnswers, RentalTerm
from engine.errors import InvalidInputError
from engine.figures import Grade, Source
from engine.methods import Method
from engine.prices import PriceAge
from engine.units import FloatBand, Money

D = Decimal
TODAY = date(2026, 11, 30)
USD = "USD"
LLAMA_8B, LLAMA_70B = 8_030_261_248, 70_553_706_496
SOURCE = Source("test", "test", "", "2026-07-13")


def tier(provider, method, first, last, price, minimum=None):
    return FineTuningApi(
        f"{provider}-{method}-{first}",
        provider,
        method,
        first,
        last,
        D(price),
        USD,
        "2026-07-13",
        SOURCE,
        Grade.B,
        None if minimum is None else D(minimum),
    )


TIERS = (
    tier("Together", Method.LORA, 1, 16_000_000_000, "0.48", "4.00"),
    tier("Together", Method.LORA, 69_000_000_001, 100_000_000_000, "2.90", "4.00"),
    tier("Ori", Method.LORA, 1, 10_000_000_000, "0.46"),
)


def same_card(_offer):
    return RentalMatch(1, FloatBand(1.0, 1.0, 1.0), SpeedBasis.SAME_CARD)


def decide(assume, offers, hours=5256, match=same_card, price=25_000, answers=None, **named):
    own = None if price is None else OwnMachine(Money(D(price), USD), 900, 0, D(hours))
    assumptions = assume(electricity_per_kwh=D("0.10"))
    return rent_or_buy(own, D(hours), offers, match, assumptions, (), TODAY, answers=answers, **named)


def codes(result):
    return [reason.code for reason in result.decision.reasons]


# Owning costs 8,333.33 + 0.09 h; renting 3.15 h. At 5,256 h 8,806 against 16,556; at 1,000 h 8,423 against 3,150.
def test_that_much_use_is_bought_and_little_is_rented(assume, offer):
    much = decide(assume, [offer()])
    assert much.decision.verdict is DecisionVerdict.BUY
    assert codes(much) == [DecisionCode.CHEAPEST_SIDE, DecisionCode.BREAK_EVEN, DecisionCode.OFFERS_CHEAPER]
    sides = dict(much.decision.reasons[0].values)
    assert (sides["side"], sides["other"]) == ("buy", "rent")
    assert [round(sides[key], 2) for key in ("first", "second")] == [D("8806.37"), D("16556.40")]
    assert DecisionCode.PRICE_STAND_IN in codes(decide(assume, [offer()], stand_ins=True))
    assert DecisionCode.LOAD_ABOVE_MONTH in codes(decide(assume, [offer()], overloaded=True))
    little = decide(assume, [offer()], hours=1_000)
    assert little.decision.verdict is DecisionVerdict.RENT
    assert DecisionCode.ASSUMES_DATA_MAY_LEAVE in codes(little)


# At 2,800 h owning costs 8,585.33 and renting 8,820.00: 2.7 % apart.
def test_that_a_difference_within_the_margin_recommends_neither(assume, offer):
    close = decide(assume, [offer()], hours=2_800)
    assert close.decision.verdict is DecisionVerdict.UNDECIDED
    assert codes(close)[0] is DecisionCode.WITHIN_MARGIN


# 3,300 h: owning 8,630.33, renting 10,395 at the expected speed and 8,316 at the fast end.
def test_that_a_verdict_that_turns_within_the_rents_range_is_none(assume, offer):
    def unsure(_offer):
        return RentalMatch(1, FloatBand(0.8, 1.0, 1.25), SpeedBasis.MODELLED)

    result = decide(assume, [offer()], hours=3_300, match=unsure)
    assert result.decision.verdict is DecisionVerdict.UNDECIDED
    assert codes(result)[0] is DecisionCode.FLIPS_IN_RANGE


def test_that_nothing_to_train_means_do_not_train(assume, offer):
    result = decide(assume, [offer()], hours=0)
    assert result.decision.verdict is DecisionVerdict.DO_NOT_TRAIN
    assert codes(result)[0] is DecisionCode.NO_LOAD


def test_that_nobody_trains_who_needs_no_weights_of_his_own(assume, offer):
    result = decide(assume, [offer()], answers=OwnershipAnswers(needs_own_weights=False))
    assert result.decision.verdict is DecisionVerdict.DO_NOT_TRAIN
    assert codes(result)[0] is DecisionCode.NO_OWN_WEIGHTS_NEEDED


# The cheapest side, 8,806.37 a year, over 48 checkpoints is 183.47 each.
@pytest.mark.parametrize(("worth", "verdict"), [("183", "do-not-train"), ("184", "buy")])
def test_that_a_checkpoint_must_be_worth_its_cost(assume, offer, worth, verdict):
    answers = OwnershipAnswers(checkpoint_value=Money(D(worth), USD))
    result = decide(assume, [offer()], answers=answers, checkpoints_per_year=D(48))
    assert result.decision.verdict.value == verdict


def test_that_a_checkpoints_value_is_not_compared_across_currencies(assume, offer):
    answers = OwnershipAnswers(checkpoint_value=Money(D(1), "EUR"))
    with pytest.raises(InvalidInputError, match="expected USD, got EUR"):
        decide(assume, [offer()], answers=answers, checkpoints_per_year=D(48))


def test_that_a_machine_on_request_decides_nothing_but_lists_the_rents(assume, offer):
    result = decide(assume, [offer()], price=None)
    assert result.decision.verdict is DecisionVerdict.UNDECIDED
    assert codes(result) == [DecisionCode.PRICE_ON_REQUEST]
    assert result.offers[0].rent_per_year.expected.amount == D("16556.40")
    assert result.offers[0].break_even is None


def test_that_data_that_must_stay_rule_out_renting(assume, offer):
    result = decide(assume, [offer("0.10")], answers=OwnershipAnswers(data_may_leave=False))
    assert result.decision.verdict is DecisionVerdict.BUY
    assert codes(result)[0] is DecisionCode.DATA_STAYS_IN_HOUSE


def test_that_no_offer_that_holds_the_job_leaves_it_open(assume, offer):
    result = decide(assume, [offer()], match=lambda _offer: "memory")
    assert result.decision.verdict is DecisionVerdict.UNDECIDED
    assert codes(result) == [DecisionCode.NO_OFFER_HOLDS_THE_JOB]
    assert [entry.why for entry in result.left_out] == ["memory"]


def test_that_a_job_no_machine_here_carries_is_rented(assume, offer):
    result = decide(assume, [offer()], price=None, ownable=False)
    assert result.decision.verdict is DecisionVerdict.RENT
    assert codes(result)[0] is DecisionCode.NOTHING_FITS_HERE


def test_that_spot_counts_only_when_runs_may_be_interrupted(assume, offer):
    offers = [offer("3.15"), offer("0.50", id="spot", term=RentalTerm.SPOT)]
    careful = decide(assume, offers)
    assert careful.decision.verdict is DecisionVerdict.BUY
    assert DecisionCode.INTERRUPTIBLE_CHEAPER in codes(careful)
    daring = decide(assume, offers, answers=OwnershipAnswers(allow_spot=True))
    assert daring.decision.verdict is DecisionVerdict.RENT


def test_that_superseded_offers_and_missing_rates_are_left_out_with_a_reason(assume, offer):
    offers = [offer("0.01", id="old", superseded=True), offer("0.01", id="yen", currency="JPY"), offer()]
    result = decide(assume, offers)
    assert {entry.offer.id: entry.why for entry in result.left_out} == {"old": "superseded", "yen": "no-rate"}
    assert [entry.offer.id for entry in result.offers] == ["offer"]


# A guide's used A100: 15,000 against 0.72 at 60 %: h* = 5,000 / 0.63 = 7,937 h, above the planned 5,256; payback
# 15,000 / 0.63 = 23,810 h = 54 months.
def test_that_the_used_a100_is_rented_and_its_payback_lies_beyond_its_life(assume, offer):
    result = decide(assume, [offer("0.72")], price=15_000)
    assert result.decision.verdict is DecisionVerdict.RENT
    assert DecisionCode.PAYBACK_BEYOND_LIFE in codes(result)
    assert result.decision.best_offer.payback.months == D(15_000) / D("0.63") / 5256 * 12


def test_that_the_cheapest_year_comes_first(assume, offer):
    offers = [offer("4.00", id="b", provider="Beta"), offer("3.00", id="a", provider="Alpha"), offer("5.00", id="c")]
    result = decide(assume, offers)
    assert [entry.offer.id for entry in result.offers] == ["a", "b", "c"]
    count = dict(next(r for r in result.decision.reasons if r.code is DecisionCode.OFFERS_CHEAPER).values)
    assert (count["cheaper"], count["offers"], count["median_per_year"]) == (0, 3, D("21024.00"))


def job(parameters=LLAMA_8B, method=Method.LORA, tokens=20_000_000, runs=48, **fields):
    return ApiJob(parameters, method, tokens, D(runs), **fields)


# 20 million tokens x 0.48 = 9.60 a run, x 48 = 460.80; Ori 0.46: 441.60.
def test_that_services_are_priced_by_their_tier(assume):
    found = compare_apis([job()], TIERS, {}, USD, (), TODAY)
    assert [(entry.provider, entry.per_year.amount) for entry in found] == [
        ("Ori", D("441.60")),
        ("Together", D("460.80")),
    ]


def test_that_a_job_below_the_minimum_pays_the_minimum(assume):
    found = compare_apis([job(tokens=1_000_000)], TIERS[:1], {}, USD, (), TODAY)
    assert found[0].per_year.amount == D("192.00")


def test_that_a_provider_must_train_every_job(assume):
    found = compare_apis([job(), job(LLAMA_70B)], TIERS, {}, USD, (), TODAY)
    assert [entry.provider for entry in found] == ["Together"]


def test_that_a_tier_includes_its_largest_and_its_smallest_model(assume):
    for parameters, provider in ((16_000_000_000, "Together"), (69_000_000_001, "Together")):
        found = compare_apis([job(parameters)], TIERS, {}, USD, (), TODAY)
        assert [entry.provider for entry in found] == [provider]
    assert compare_apis([job(16_000_000_001)], TIERS, {}, USD, (), TODAY) == ()


def test_that_qlora_is_asked_as_lora_and_full_needs_its_own_tier(assume):
    assert compare_apis([job(method=Method.QLORA)], TIERS, {}, USD, (), TODAY)
    assert compare_apis([job(method=Method.FULL)], TIERS, {}, USD, (), TODAY) == ()


def test_that_other_objectives_have_no_published_tier(assume):
    assert compare_apis([job(supervised=False)], TIERS, {}, USD, (), TODAY) == ()


# 960 million tokens a year x 0.30.
def test_that_an_entered_price_covers_every_job(assume):
    found = compare_apis([job(LLAMA_70B)], (), {"House": Money(D("0.30"), USD)}, USD, (), TODAY)
    assert found[0].entered
    assert found[0].per_year.amount == D("288.00")
    with pytest.raises(InvalidInputError, match="API price of House"):
        compare_apis([job()], (), {"House": Money(D(1), "JPY")}, USD, (), TODAY)


# 960 million tokens x 0.30 EUR at 1 EUR = 1.25 USD; the published tier in USD for a euro customer: 460.80 / 1.25.
def test_that_services_are_converted_at_the_dated_rate(euro_rate):
    entered = compare_apis([job()], (), {"House": Money(D("0.30"), "EUR")}, USD, (euro_rate,), TODAY)
    assert entered[0].per_year.amount == D("360.00")
    published = compare_apis([job()], TIERS[:1], {}, "EUR", (euro_rate,), TODAY)
    assert published[0].per_year == Money(D("368.64"), "EUR")
    assert published[0].rate is euro_rate
    assert compare_apis([job()], TIERS[:1], {}, "CHF", (), TODAY) == ()
    assert compare_apis([], TIERS, {}, USD, (), TODAY) == ()


def test_that_a_cheap_service_wins(assume, offer):
    result = decide(assume, [offer()], hours=1_000, jobs=[job()], apis=TIERS)
    assert result.decision.verdict is DecisionVerdict.API
    assert result.decision.best_api.provider == "Ori"


def test_that_an_expired_price_decides_only_when_there_is_no_other(assume, offer):
    old, current = offer("0.10", id="old", as_of="2026-01"), offer("3.15", id="current")
    both = decide(assume, [old, current])
    assert both.decision.best_offer.offer.id == "current"
    assert both.offers[0].offer.id == "old", "listed, with its age"
    assert both.offers[0].age is PriceAge.EXPIRED
    alone = decide(assume, [old])
    assert alone.decision.best_offer.offer.id == "old"
    assert DecisionCode.EXPIRED_PRICES in codes(alone)


def test_that_a_card_without_evidence_for_its_software_does_not_decide(assume, offer):
    def match(asked):
        speed = FloatBand(1.0, 1.0, 1.0)
        return RentalMatch(1, speed, SpeedBasis.MODELLED, proven=asked.id != "amd")

    result = decide(assume, [offer("0.10", id="amd"), offer("3.15", id="nvidia")], match=match)
    assert result.decision.best_offer.offer.id == "nvidia"
    assert decide(assume, [offer("0.10", id="amd")], match=match).decision.best_offer.offer.id == "amd"
