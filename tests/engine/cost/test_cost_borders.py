"""Every comparison of the cost side exactly at its border, by hand.

The plain case: a machine of 3,000 over three years costs 1,000 a year, whatever it does; 1,000 useful hours of rent at
r cost 1,000 r.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from catalog.consultation.open import open_consultation
from catalog.economics_data import load_economics
from catalog.load import load_catalog
from engine.cost.assumptions import assumptions_in_force, check
from engine.cost.break_even import BreakEvenStatus, break_even
from engine.cost.compare import compare, machine_hours_per_run
from engine.cost.decision import Decision, DecisionCode, DecisionVerdict, decide
from engine.cost.equivalents import Equivalents, rented_machine
from engine.cost.exchange import factor
from engine.cost.leasing import annuity_per_month
from engine.cost.offers import OwnMachine, RentalMatch, SpeedBasis, compare_offer, own_figures
from engine.cost.ownership import ownership, yearly_cost
from engine.cost.rent import LeftOutCode, rent_or_buy
from engine.cost.results import cost_per_million_tokens, cost_per_run, cost_per_tflop_hour, validated_checkpoint
from engine.cost.sensitivity import Case, CaseInput, Range, cost_over_time, tornado
from engine.cost.services import ApiComparison, ApiJob, compare_apis
from engine.cost.types import EconomicsKey, FineTuningApi, OwnershipAnswers, RentalTerm
from engine.errors import InvalidInputError
from engine.facts import Facts
from engine.figures import Grade, Source
from engine.methods import Method, Recipe
from engine.plan.recommend import recommend
from engine.prices import ExchangeRate
from engine.units import FloatBand, Money, MoneyBand
from engine.workload import Place, Priority, Scenario, Site, Workload

D = Decimal
TODAY = date(2026, 11, 30)
HOURS = D(1000)
SAME = RentalMatch(1, FloatBand(1.0, 1.0, 1.0), SpeedBasis.SAME_CARD)
SOURCE = Source("test", "test", "", "2026-11-30")
EXAMPLE = Path(__file__).parents[3] / "examples" / "serve-and-train.passform.yaml"


def usd(amount: object) -> Money:
    return Money(D(str(amount)), "USD")


@pytest.fixture
def weigh(assume: Any, offer: Any) -> Any:
    """A decision between the plain machine and some offers: (price, speed low, speed high, other fields)."""

    def build(
        *offers: tuple[Any, ...], apis: tuple[ApiComparison, ...] = (), owned: bool = True, **named: Any
    ) -> Decision:
        assumptions = assume()
        own = own_figures(OwnMachine(usd(3000), 0, 0, HOURS), assumptions) if owned else None
        compared = []
        for number, (price, low, high, fields) in enumerate(offers):
            match = RentalMatch(1, FloatBand(low, fields.pop("speed", 1.0), high), SpeedBasis.MODELLED)
            entry = compare_offer(
                own,
                offer(price, id=str(number), **fields),
                match,
                assumptions,
                (),
                TODAY,
                useful_hours_per_year=HOURS,
            )
            compared.append(entry)
        answers = named.pop("answers", OwnershipAnswers(data_may_leave=True))
        return decide(own, compared, apis, answers, assumptions, useful_hours_per_year=HOURS, **named)

    return build


def codes(decision: Decision) -> list[DecisionCode]:
    return [reason.code for reason in decision.reasons]


def plain(price: object, **fields: Any) -> tuple[Any, ...]:
    return (price, 1.0, 1.0, fields)


# 10 % above 1,000 is 1,100: as near as that recommends neither.
def test_that_the_margin_itself_is_still_within_it(weigh: Any) -> None:
    assert codes(weigh(plain("1.10")))[0] is DecisionCode.WITHIN_MARGIN
    assert weigh(plain("1.11")).verdict is DecisionVerdict.BUY


# Rent of 500, at the slow end 1,000: no more than owning. At a third of the speed 1,500: more than owning.
def test_that_a_range_that_only_touches_the_other_side_turns_nothing(weigh: Any) -> None:
    assert weigh(("0.50", 0.5, 1.0, {})).verdict is DecisionVerdict.RENT
    service = ApiComparison("House", (), None, usd(2000))
    crossing = weigh(("0.50", 1 / 3, 1.0, {}), apis=(service,))
    assert codes(crossing)[0] is DecisionCode.FLIPS_IN_RANGE, "more than the cheaper of the others"
    assert weigh(("2.00", 1.0, 2.0, {})).verdict is DecisionVerdict.BUY, "at the fast end both cost 1,000"


def test_that_a_checkpoint_worth_exactly_its_cost_is_worth_training(weigh: Any) -> None:
    def worth(amount: str) -> DecisionVerdict:
        answers = OwnershipAnswers(checkpoint_value=usd(amount))
        return weigh(plain("2.00"), answers=answers, checkpoints_per_year=D(10)).verdict

    assert worth("100.00") is DecisionVerdict.BUY
    assert worth("99.99") is DecisionVerdict.DO_NOT_TRAIN


def test_that_only_interruptible_offers_below_owning_are_pointed_out(weigh: Any) -> None:
    spot = {"term": RentalTerm.SPOT}
    cheap = weigh(plain("0.50", **spot), plain("3.00", **spot))
    (found,) = [reason for reason in cheap.reasons if reason.code is DecisionCode.INTERRUPTIBLE_CHEAPER]
    assert dict(found.values) == {"per_year": D("500.00"), "own": D(1000)}
    assert DecisionCode.INTERRUPTIBLE_CHEAPER not in codes(weigh(plain("1.00", **spot)))
    slow = ("0.05", 0.1, 0.1, {"speed": 0.1})  # 500 a year, but 876 hours of a year are too few
    assert DecisionCode.INTERRUPTIBLE_CHEAPER not in codes(weigh(slow, plain("2.00")))


def test_that_what_is_not_stated_is_not_weighed(weigh: Any) -> None:
    tiny = OwnershipAnswers(checkpoint_value=usd("0.01"), data_may_leave=True)
    found = weigh(plain("2.00"), answers=tiny)
    assert found.verdict is DecisionVerdict.BUY
    assert codes(found) == [DecisionCode.CHEAPEST_SIDE, DecisionCode.BREAK_EVEN, DecisionCode.OFFERS_CHEAPER]
    assert codes(weigh(plain("2.00"), owned=False)) == [DecisionCode.PRICE_ON_REQUEST]


def test_that_a_single_offer_that_was_left_out_is_told(weigh: Any) -> None:
    told = {"without_speed": DecisionCode.NO_SPEED_FOR_SOME, "other_cards": DecisionCode.SERVED_ON_OWN_CARD}
    for name, code in told.items():
        (found,) = [one for one in weigh(plain("2.00"), **{name: 1}).reasons if one.code is code]
        assert dict(found.values) == {"offers": 1}
        assert code not in codes(weigh(plain("2.00"), **{name: 0}))


def test_that_a_comparison_without_checkpoints_does_not_weigh_their_value(assume: Any, offer: Any) -> None:
    answers = OwnershipAnswers(checkpoint_value=usd("0.01"))
    machine = OwnMachine(usd(3000), 0, 0, HOURS)
    found = rent_or_buy(machine, HOURS, [offer("2.00")], lambda _: SAME, assume(), (), TODAY, answers=answers)
    assert found.decision.verdict is DecisionVerdict.BUY


# 17,520 / (3 - 1) = 8,760 hours: the whole year, and not more.
def test_that_a_break_even_at_full_use_is_reached() -> None:
    found = break_even(D(17_520), D(3), D(1))
    assert (found.status, found.utilisation) == (BreakEvenStatus.REACHED, 1)


@pytest.mark.parametrize("key", [EconomicsKey.WAGE_PER_HOUR, EconomicsKey.STAFF_PER_YEAR])
def test_that_amounts_end_at_a_million_million(key: EconomicsKey) -> None:
    check(key, D(1_000_000_000_000))
    with pytest.raises(InvalidInputError, match="between 0 and 1000000000000"):
        check(key, D(1_000_000_000_001))


@pytest.mark.parametrize("key", [EconomicsKey.PUE_DESK, EconomicsKey.PUE_RACK, EconomicsKey.PUE_DATA_CENTRE])
def test_that_a_pue_lies_between_1_and_5(key: EconomicsKey) -> None:
    for fine in ("1", "5"):
        check(key, D(fine))
    for wrong in ("0.99", "5.01"):
        with pytest.raises(InvalidInputError):
            check(key, D(wrong))


def test_that_waiting_costs_nothing_unless_it_is_said(assume: Any) -> None:
    assert assume().waiting_per_hour == 0


def _rate(base: str, quote: str, value: str, day: date = TODAY) -> ExchangeRate:
    return ExchangeRate(base, quote, D(value), day, SOURCE, Grade.A)


def test_that_a_direct_rate_needs_no_euro_and_todays_counts_and_nothing_is_worth_nothing() -> None:
    direct = _rate("USD", "CHF", "0.80")
    assert factor("USD", "CHF", (direct,), TODAY) == (D("0.80"), direct)
    older = _rate("USD", "CHF", "0.70", date(2026, 11, 29))
    assert factor("USD", "CHF", (older, direct), TODAY) == (D("0.80"), direct)
    assert factor("USD", "CHF", (older, direct), date(2026, 11, 29)) == (D("0.70"), older)
    assert factor("CHF", "USD", (_rate("USD", "CHF", "0"),), TODAY) is None


# One month at 12 % a year is 1 %.
def test_that_a_lease_may_last_one_month() -> None:
    assert annuity_per_month(D(100), D(0), 1, D("0.12")) == D(101)
    assert annuity_per_month(D(100), D(0), 1, D(0)) == 100


# 5 % of 100,000 for maintenance and twelve instalments of 3,000; the interest of the purchase is gone with it.
def test_that_a_lease_takes_the_place_of_capital_and_interest(assume: Any) -> None:
    assumptions = assume(interest_per_year=D("0.06"), maintenance_share=D("0.05"))
    leased = own_figures(OwnMachine(usd(100_000), 0, 0, HOURS, usd(3000)), assumptions)
    assert round(leased.fixed_per_year, 9) == 41_000
    assert (leased.depreciable, leased.upfront, leased.residual) == (108_000, 0, 0)


@pytest.mark.parametrize("amount", ["NaN", "-0.01", "Infinity"])
def test_that_a_leasing_rate_is_an_amount_of_at_least_nothing(assume: Any, amount: str) -> None:
    free = ownership(usd(1), 0, 0, D(1), assume(), lease_per_month=usd(0))
    assert free.per_year.amount == 0
    with pytest.raises(InvalidInputError, match="leasing rate must be a finite amount"):
        ownership(usd(1), 0, 0, D(1), assume(), lease_per_month=usd(amount))


# 1,000 x 5 % + 11 + 12 + 13 = 86 beside the capital of 900 / 3 and the energy: 1 kW x 100 h x 0.30 and
# 0.1 kW x 8,660 h x 0.30.
def test_that_a_year_is_the_sum_of_its_parts(assume: Any) -> None:
    year = yearly_cost(
        D(1000),
        1000,
        100,
        D(100),
        assume(
            residual_share=D("0.1"),
            maintenance_share=D("0.05"),
            licences_per_year=D(11),
            staff_per_year=D(12),
            room_per_year=D(13),
            electricity_per_kwh=D("0.30"),
        ),
    )
    assert (year.capital, year.other, year.energy_load, year.energy_idle) == (300, 86, 30, D("259.8"))
    assert year.total == D("675.8")


def test_that_interest_is_part_of_the_year(assume: Any) -> None:
    year = yearly_cost(D(36_000), 0, 0, D(0), assume(interest_per_year=D("0.06")))
    assert year.interest > 0
    assert year.total == year.capital + year.interest


def test_that_equal_costs_do_not_make_buying_cheaper(assume: Any, offer: Any) -> None:
    assumptions = assume()
    own = own_figures(OwnMachine(usd(3000), 0, 0, HOURS), assumptions)
    level = compare_offer(own, offer("1.00"), SAME, assumptions, (), TODAY, useful_hours_per_year=HOURS)
    assert level is not None
    assert level.buying_is_cheaper is False
    # 26,280 over three years are 8,760 a year: 1.00 an hour at full use
    full = own_figures(OwnMachine(usd(26_280), 0, 0, D(8760)), assumptions)
    entry = compare_offer(full, offer("1.00"), SAME, assumptions, (), TODAY, useful_hours_per_year=D(8760))
    assert entry is not None
    assert [row.buying_is_cheaper for row in entry.table] == [False] * 5


# At 3.15 and the expected speed: 1,000 / 3.15 = 317 hours, however wide the band.
def test_that_break_even_and_table_stand_at_the_expected_speed(assume: Any, offer: Any) -> None:
    assumptions = assume()
    own = own_figures(OwnMachine(usd(3000), 0, 0, HOURS), assumptions)
    unsure = RentalMatch(1, FloatBand(0.5, 1.0, 2.0), SpeedBasis.MODELLED)
    entry = compare_offer(own, offer("3.15"), unsure, assumptions, (), TODAY, useful_hours_per_year=HOURS)
    assert entry is not None
    assert entry.break_even is not None
    assert entry.break_even.hours_per_year == D(1000) / D("3.15")
    certain = compare_offer(own, offer("3.15"), SAME, assumptions, (), TODAY, useful_hours_per_year=HOURS)
    assert certain is not None
    assert entry.payback is not None
    assert entry.payback == certain.payback
    assert {row.rent_per_hour.amount for row in entry.table} == {D("3.15")}
    monthly = offer("1.00", term=RentalTerm.MONTHLY)
    committed = compare_offer(own, monthly, unsure, assumptions, (), TODAY, useful_hours_per_year=HOURS)
    assert committed is not None
    assert committed.table[-1].rent_per_hour.amount == D("1.00")


def test_that_a_match_is_one_proven_machine_unless_it_says_more() -> None:
    assert (SAME.proven, SAME.machines) == (True, 1)


def test_that_a_run_may_take_no_time_and_a_checkpoint_one_run(assume: Any) -> None:
    assert cost_per_run(FloatBand(0.0, 0.0, 0.0), usd(5)).expected.amount == 0
    assert cost_per_run(FloatBand(0.5, 0.5, 0.5), usd(5)).low.amount == D("2.50")
    for low, expected, high in ((1.0, 0.5, 2.0), (0.5, 2.0, 1.0)):
        with pytest.raises(InvalidInputError):
            cost_per_run(FloatBand(low, expected, high), usd(5))
    assert validated_checkpoint(D(0), usd(5), assume()).total.amount == 0
    assert validated_checkpoint(D(1), usd(5), assume(), successful_runs=3, validated=3).compute.amount == 5
    with pytest.raises(InvalidInputError):
        validated_checkpoint(D("-0.01"), usd(5), assume())


# A million for one token is a million million for a million of them.
def test_that_a_million_tokens_are_exactly_a_million() -> None:
    run = MoneyBand(usd(1_000_000), usd(1_000_000), usd(1_000_000))
    assert cost_per_million_tokens(run, 1).expected.amount == 10**12
    job = ApiJob(8, Method.LORA, 1, D(1))
    (entered,) = compare_apis([job], (), {"House": usd(10**12)}, "USD", (), TODAY)
    assert entered.per_year.amount == 1_000_000
    tier = FineTuningApi("t", "T", Method.LORA, 1, None, D(10**12), "USD", "2026-07-13", SOURCE, Grade.B)
    (published,) = compare_apis([job], [tier], {}, "USD", (), TODAY)
    assert published.per_year.amount == 1_000_000


def test_that_a_tier_without_a_minimum_has_none() -> None:
    tier = FineTuningApi("t", "T", Method.LORA, 1, None, D("0.50"), "USD", "2026-07-13", SOURCE, Grade.B)
    (found,) = compare_apis([ApiJob(8, Method.LORA, 1_000_000, D(1))], [tier], {}, "USD", (), TODAY)
    assert found.per_year.amount == D("0.50")


def test_that_one_tflops_is_enough_for_a_price() -> None:
    assert cost_per_tflop_hour(D(3), D(1)) == 3
    assert cost_per_tflop_hour(D(3), D("0.5")) == 6


@pytest.fixture
def case(assume: Any, offer: Any) -> Case:
    return Case(usd(3000), 0, HOURS, offer("1.00"), SAME, assume(), (), TODAY, Place.RACK)


def test_that_a_saving_of_nothing_is_no_loss(case: Case) -> None:
    economics = replace(load_economics(), assumptions={})

    def flips(low: str, high: str) -> bool:
        (swing,) = tornado(case, economics, [(CaseInput.RENT, Range(D(low), D(high)))])
        return swing.flips

    assert not flips("1.00", "2.00"), "even at one end, a gain at the other"
    assert flips("0.50", "1.00"), "a loss at one end, even at the other"
    assert not flips("0.50", "0.90")


# 3,600 at once or 100 a month: even after 36 months.
def test_that_owning_crosses_in_the_month_in_which_both_cost_the_same(assume: Any) -> None:
    own = own_figures(OwnMachine(usd(3600), 0, 0, HOURS), assume())
    assert cost_over_time(own, D(1200), assume()).crossing_month == 36
    assert cost_over_time(own, D(1199), assume()).crossing_month is None


@pytest.fixture(scope="module")
def facts() -> Facts:
    return load_catalog().facts


def _scenario(facts: Facts, *jobs: tuple[str, Method, int]) -> Scenario:
    workloads = tuple(
        Workload(f"Job {number}", facts.models[model], Recipe(method), 2048, runs_per_month=D(runs))
        for number, (model, method, runs) in enumerate(jobs)
    )
    return Scenario(workloads, Site(Place.RACK), frozenset(), Priority.PURCHASE_PRICE, "EUR", TODAY)


def _equivalents(facts: Facts, scenario: Scenario, *, planned: bool = True) -> Equivalents:
    plan = recommend(scenario, facts).chosen if planned else None
    return Equivalents(scenario, facts, plan, assumptions_in_force(load_economics(), scenario, facts))


# States: 42.8 GB fit one card of 80 GB. 128.5 GB need four of them (64.2 GB each on two leave no room for the rest of a
# step), and eight of 40 GB (32.1 GB each on four likewise).
@pytest.mark.parametrize(
    ("model", "method", "card", "cards"),
    [
        ("llama-3.3-70b", Method.QLORA, "h100_sxm", 1),
        ("llama-3.1-8b", Method.FULL, "h100_sxm", 4),
        ("llama-3.1-8b", Method.FULL, "a100_sxm_40", 8),
    ],
)
def test_that_up_to_eight_cards_are_tried_where_the_source_names_no_shape(
    facts: Facts, offer: Any, model: str, method: Method, card: str, cards: int
) -> None:
    matcher = _equivalents(facts, _scenario(facts, (model, method, 1)))
    found = matcher.match(offer(card_ids=(card,), cards=None))
    assert isinstance(found, RentalMatch)
    assert (found.cards, found.machines) == (cards, 1)


def test_that_an_offer_that_may_be_either_card_counts_as_the_slower_and_must_be_known_whole(
    facts: Facts, offer: Any
) -> None:
    matcher = _equivalents(facts, _scenario(facts, ("llama-3.1-8b", Method.LORA, 4)))
    fast, slow = (matcher.match(offer(card_ids=(card,), cards=1)) for card in ("h200_sxm", "l40s"))
    either = matcher.match(offer(card_ids=("h200_sxm", "l40s"), cards=1))
    assert isinstance(fast, RentalMatch)
    assert isinstance(slow, RentalMatch)
    assert isinstance(either, RentalMatch)
    assert (
        either.speed == slow.speed if slow.basis is SpeedBasis.MODELLED else either.speed.expected < fast.speed.expected
    )
    assert fast.speed.expected > either.speed.expected
    assert matcher.match(offer(card_ids=("h200_sxm", "nobody"), cards=1)) == LeftOutCode.UNKNOWN_CARD
    assert matcher.match(offer(card_ids=(), cards=1)) == LeftOutCode.UNKNOWN_CARD


def test_that_a_rented_machine_is_no_listing(facts: Facts) -> None:
    machine = rented_machine(facts.cards["h100_sxm"], 4)
    assert not machine.built_to_order
    assert not machine.fixed_cards
    assert machine.id == "rented-4xh100_sxm"


def test_that_served_models_are_compared_on_their_own_card_alone(offer: Any) -> None:
    opened = open_consultation(EXAMPLE, TODAY)
    facts, scenario = opened.catalog.facts, opened.scenario
    plan = recommend(scenario, facts).chosen
    assert plan is not None
    assumptions = assumptions_in_force(load_economics(), scenario, facts)
    matcher = Equivalents(scenario, facts, plan, assumptions)
    same = matcher.match(offer(card_ids=(plan.card.id,)))
    assert same == RentalMatch(plan.cards, FloatBand(1.0, 1.0, 1.0), SpeedBasis.SAME_CARD, True, 1)
    other = next(card for card in facts.cards if card != plan.card.id)
    assert matcher.match(offer(card_ids=(other,))) == LeftOutCode.SERVES_ON_OWN_CARD
    assert matcher.match(offer(card_ids=(plan.card.id, other))) == LeftOutCode.SERVES_ON_OWN_CARD
    without = Equivalents(scenario, facts, None, assumptions)
    assert without.match(offer(card_ids=(plan.card.id,))) == LeftOutCode.NO_SPEED


# A service would train 4 x 20 million tokens a month and answer no request; the machine also serves 252 hours a month.
def test_that_no_fine_tuning_service_stands_against_a_machine_that_also_serves() -> None:
    opened = open_consultation(EXAMPLE, TODAY)
    facts, scenario = opened.catalog.facts, opened.scenario
    assert scenario.workloads
    assert scenario.serving
    assert facts.fine_tuning_apis
    entered = replace(scenario.ownership, api_prices={"Own price": Money(Decimal(1), scenario.currency)})
    for answers in (scenario.ownership, entered):
        report = compare(recommend(replace(scenario, ownership=answers), facts), facts)
        assert report.comparison is not None
        assert report.comparison.apis == ()
        assert report.decision.verdict is not DecisionVerdict.API
        assert report.decision.api_per_year is None
        grounds = {ground.code: dict(ground.values) for ground in report.decision.reasons}
        assert DecisionCode.SERVICE_SERVES_NOBODY in grounds
        assert DecisionCode.NO_SPEED_FOR_SOME not in grounds
        others = [entry for entry in report.comparison.left_out if entry.why == LeftOutCode.SERVES_ON_OWN_CARD]
        assert grounds[DecisionCode.SERVED_ON_OWN_CARD] == {"offers": len(others)}
    trained = replace(scenario, serving=())
    alone = compare(recommend(trained, facts), facts)
    assert alone.comparison is not None
    assert alone.comparison.apis
    assert DecisionCode.SERVICE_SERVES_NOBODY not in {ground.code for ground in alone.decision.reasons}


# A seventh of one card is a seventh of the machine's hours.
def test_that_an_instance_takes_its_part_of_the_machine(facts: Facts) -> None:
    plan = recommend(_scenario(facts, ("llama-3.1-8b", Method.QLORA, 4)), facts).chosen
    assert plan is not None
    placement = replace(plan.placements[0], mig=SimpleNamespace(instances=7), hours_per_run=FloatBand(7.0, 14.0, 21.0))
    assert round(machine_hours_per_run(placement, plan), 9) == D(2) / plan.cards
