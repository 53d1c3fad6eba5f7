"""The whole comparison, on the bundled catalogue: what holds the job, what it costs, what is advised."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from catalog.load import load_catalog
from engine.cost.compare import RentOrBuyReport, compare, machine_hours_per_run
from engine.cost.decision import DecisionCode, DecisionVerdict
from engine.cost.equivalents import busy_hours_per_month
from engine.cost.offers import SpeedBasis
from engine.cost.plain import break_even_form, ownership_form, report_form
from engine.cost.rent import LeftOutCode
from engine.cost.sensitivity import CaseInput
from engine.cost.types import EconomicsKey, OwnershipAnswers
from engine.errors import InvalidInputError
from engine.facts import Facts
from engine.methods import Method, Recipe
from engine.plan.recommend import recommend
from engine.units import Money
from engine.workload import Place, Priority, Scenario, Site, Workload

D = Decimal


@pytest.fixture(scope="module")
def facts() -> Facts:
    return load_catalog().facts


@pytest.fixture(scope="module")
def scenario(facts: Facts) -> Callable[..., Scenario]:
    def build(
        model: str = "llama-3.1-8b", method: Method = Method.LORA, runs: object = 4, **fields: object
    ) -> Scenario:
        workload = Workload("Job", facts.models[model], Recipe(method), 4096, runs_per_month=D(str(runs)))
        plain = Scenario(
            workloads=(workload,),
            site=Site(Place.RACK),
            must_have=frozenset(),
            priority=Priority.PURCHASE_PRICE,
            currency="EUR",
            as_of=date(2026, 11, 30),
        )
        return replace(plain, **fields)

    return build


@pytest.fixture(scope="module")
def reported(facts: Facts, scenario: Callable[..., Scenario]) -> Callable[..., RentOrBuyReport]:
    def build(**fields: object) -> RentOrBuyReport:
        return compare(recommend(scenario(**fields), facts), facts)

    return build


@pytest.fixture(scope="module")
def small(reported) -> RentOrBuyReport:
    return reported()


@pytest.fixture(scope="module")
def large(reported) -> RentOrBuyReport:
    return reported(model="llama-3.3-70b")


def own_prices(report: RentOrBuyReport, total: object) -> dict[str, Money]:
    """Price every position of the plan so that the sum is `total`."""
    positions = report.plan.price.positions
    share = D(str(total)) / sum(position.quantity for position in positions)
    return {position.item_id: Money(share, "EUR") for position in positions}


def test_that_every_offer_is_compared_or_left_out_with_a_reason(facts, large):
    compared = {entry.offer.id for entry in large.comparison.offers}
    left_out = {entry.offer.id: entry.why for entry in large.comparison.left_out}
    assert compared | set(left_out) == {offer.id for offer in facts.rental_offers}
    assert not compared & set(left_out)
    assert all(left_out.values())


# 70B in bf16 is 141 GB: a single 24 GB card does not hold it, nor eight of them with room for the rest of a step.
def test_that_only_cards_that_hold_the_job_are_compared(large):
    why = {entry.offer.id: entry.why for entry in large.comparison.left_out}
    assert why["aws-l40s-g6e-2xlarge-on-demand"] == "memory"
    assert why["nebius-h100-sxm-2025-on-demand"] == LeftOutCode.SUPERSEDED
    assert why["lambda-gh200-on-demand"] == LeftOutCode.UNKNOWN_CARD
    assert all("l4" not in entry.offer.card_ids for entry in large.comparison.offers)


def test_that_a_fixed_shape_is_rented_whole(large):
    shapes = [entry for entry in large.comparison.offers if entry.offer.cards is not None]
    assert shapes
    assert all(entry.match.cards == entry.offer.cards * entry.match.machines for entry in shapes)


def test_that_the_same_card_runs_at_the_same_speed_and_others_carry_a_band(facts, scenario):
    asked = scenario(model="llama-3.3-70b", method=Method.QLORA)
    recommendation = recommend(asked, facts)
    plan = next(
        plan for plan in recommendation.ranked if (plan.card.id, plan.cards) == ("h100_nvl", 1) and not plan.power_cap_w
    )
    report = compare(recommendation, facts, plan)
    found = {entry.offer.id: entry.match for entry in report.comparison.offers}
    same = found["runpod-h100-nvl-on-demand"]
    assert (same.basis, same.speed.low, same.speed.high) == (SpeedBasis.SAME_CARD, 1.0, 1.0)
    other = found["runpod-b200-hgx-on-demand"]
    assert other.basis is SpeedBasis.MODELLED
    assert other.speed.high / other.speed.expected == pytest.approx(1.25)


# 4 runs of 20 million tokens are rented by the hour for less than any machine costs to own.
def test_that_little_work_is_not_a_reason_to_buy(small):
    assert small.decision.verdict in (DecisionVerdict.RENT, DecisionVerdict.API)
    assert small.decision.own_per_year.amount > small.decision.rent_per_year.amount


def test_that_the_works_of_a_year_are_the_plans_busy_hours(small):
    assert float(small.useful_hours_per_year) == pytest.approx(busy_hours_per_month(small.plan) * 12)


def test_that_ownership_and_planner_agree_on_the_month(small):
    assert abs(small.ownership.per_year.amount / 12 - small.plan.cost_per_month.amount) < D("0.05")


def test_that_the_runs_of_a_year_pay_for_the_year(small):
    paid = sum(cost.own_checkpoint.total.amount * cost.runs_per_month * 12 for cost in small.workloads)
    assert paid == pytest.approx(small.ownership.per_year.amount, rel=D("0.001"))


def test_that_at_the_break_even_price_both_sides_cost_the_same(reported):
    start = reported(runs=400)
    assert start.break_even_price is not None
    priced = reported(runs=400, price_overrides=own_prices(start, start.break_even_price.amount))
    assert priced.plan.id == start.plan.id
    own, rent = priced.decision.own_per_year.amount, priced.decision.rent_per_year.amount
    assert own == pytest.approx(rent, rel=D("0.0001"))
    assert priced.decision.verdict is DecisionVerdict.UNDECIDED


def test_that_a_cheap_machine_with_much_work_is_bought(reported):
    start = reported(runs=400)
    cheap = reported(
        runs=400,
        price_overrides=own_prices(start, start.break_even_price.amount / 3),
        ownership=OwnershipAnswers(data_may_leave=True),
    )
    assert cheap.decision.verdict is DecisionVerdict.BUY
    assert not cheap.price_uses_stand_ins
    assert cheap.over_time.crossing_month is not None
    assert cheap.present_value.plain.amount > 0


# Without interest the saving is three times (rent - own) a year.
def test_that_the_plain_present_value_is_the_saving_over_the_horizon(small):
    best = small.decision.best_offer
    saving = (best.rent_per_year.expected.amount - small.ownership.per_year.amount) * 3
    assert small.present_value.plain.amount == pytest.approx(saving, abs=D("0.10"))
    assert small.present_value.discounted == small.present_value.plain


def test_that_interest_makes_a_later_saving_smaller(reported):
    keys = {EconomicsKey.INTEREST_PER_YEAR: D("0.06")}
    with_interest = reported(ownership=OwnershipAnswers(overrides=keys)).present_value
    assert with_interest.discounted.amount != with_interest.plain.amount


def test_that_data_that_must_stay_leave_buying(reported):
    report = reported(ownership=OwnershipAnswers(data_may_leave=False))
    assert report.decision.verdict is DecisionVerdict.BUY


def test_that_a_job_too_large_for_the_desk_is_rented(reported):
    report = reported(model="llama-3.3-70b", method=Method.FULL, site=Site(Place.DESK))
    assert report.plan is None
    assert report.decision.reasons[0].code is DecisionCode.NOTHING_FITS_HERE
    assert report.decision.verdict in (DecisionVerdict.RENT, DecisionVerdict.API, DecisionVerdict.UNDECIDED)
    assert report.decision.rent_per_year is not None
    assert report.ownership is None
    band = report.decision.best_offer.rent_per_year
    assert band.low.amount < band.expected.amount < band.high.amount, "the step time's own uncertainty"


def test_that_no_runs_mean_do_not_train(reported):
    assert reported(runs=0).decision.verdict is DecisionVerdict.DO_NOT_TRAIN


# Half of a year's hours instead of the planned few: services and results grow in the same proportion.
def test_that_a_stated_utilisation_scales_the_work_on_every_side(reported, small):
    stated = reported(ownership=OwnershipAnswers(overrides={EconomicsKey.UTILISATION: D("0.5")}))
    assert stated.useful_hours_per_year == 4380
    factor = stated.useful_hours_per_year / small.useful_hours_per_year
    assert stated.comparison.apis[0].per_year.amount == pytest.approx(
        small.comparison.apis[0].per_year.amount * factor, rel=D("0.001")
    )


def test_that_a_utilisation_below_the_planned_load_is_pointed_out(reported):
    low = reported(runs=400, ownership=OwnershipAnswers(overrides={EconomicsKey.UTILISATION: D("0.001")}))
    assert DecisionCode.LOAD_ABOVE_MONTH in [reason.code for reason in low.decision.reasons]


def test_that_a_lease_stands_in_for_the_purchase(reported):
    leased = reported(ownership=OwnershipAnswers(lease_per_month=Money(D(500), "EUR")))
    assert leased.ownership.lines[0].kind.value == "lease"
    assert leased.over_time.points[0].owning.amount == 0


def test_that_the_tornado_names_price_load_and_rent(small):
    keys = {swing.key for swing in small.tornado}
    assert {CaseInput.PURCHASE_PRICE, CaseInput.USEFUL_HOURS, CaseInput.RENT} <= keys
    assert len(small.tornado) >= 3


def test_that_cost_per_tflop_hour_is_ranked_among_holders_only(large):
    cards = [entry.card_id for entry in large.compute_prices]
    compared = {card for entry in large.comparison.offers for card in entry.offer.card_ids}
    assert cards
    assert set(cards) <= compared
    prices = [entry.per_tflop_hour for entry in large.compute_prices]
    assert prices == sorted(prices)


def test_that_other_currencies_are_converted_on_both_sides(reported):
    report = reported(currency="CHF")
    assert report.currency == "CHF"
    assert {entry.rent_per_year.expected.currency for entry in report.comparison.offers} == {"CHF"}
    assert report.assumptions.rate.quote == "CHF"


def test_that_a_currency_without_a_rate_is_refused(reported):
    with pytest.raises(InvalidInputError, match="no exchange rate from EUR to XAU"):
        reported(currency="XAU")


def test_that_a_catalogue_without_economics_is_refused(facts, scenario):
    with pytest.raises(InvalidInputError):
        compare(recommend(scenario(), facts), replace(facts, economics=None))


@pytest.mark.parametrize(("key", "value"), [("residual_share", "1.1"), ("pue_rack", "0.9"), ("wage_per_hour", "-1")])
def test_that_an_override_out_of_range_is_refused_by_name(reported, key, value):
    answers = OwnershipAnswers(overrides={EconomicsKey(key): D(value)})
    with pytest.raises(InvalidInputError, match=key):
        reported(ownership=answers)


def test_that_an_override_is_in_force_and_marked_as_entered(facts, reported):
    report = reported(ownership=OwnershipAnswers(overrides={EconomicsKey.ELECTRICITY_PER_KWH: D("0.22")}))
    assert report.assumptions.electricity_per_kwh == D("0.22")
    rows = {row["key"]: row for row in report_form(report, facts)["assumptions"]}
    assert rows["electricity_per_kwh"]["entered"] is True
    assert rows["electricity_per_kwh"]["basis"] == "entered"
    assert rows["pue_rack"]["source"]


def test_that_the_report_is_plain_json_that_adds_up(facts, large):
    form = json.loads(json.dumps(report_form(large, facts)))
    lines = form["ownership"]["lines"]
    assert sum(D(line["per_year"]["amount"]) for line in lines) == D(form["ownership"]["per_year"]["amount"])
    assert form["decision"]["verdict"] in {verdict.value for verdict in DecisionVerdict}
    assert len(form["offers"]) + len(form["left_out"]) == len(facts.rental_offers)
    assert [row["utilisation"] for row in form["break_even"]["table"]] == [0.2, 0.4, 0.6, 0.8, 1.0]
    assert form["provider_questions"]
    assert any("tax adviser" in note for note in form["notes"])
    assert form["benchmark_plan"][0] == "memory-fit"
    assert ownership_form(large.ownership)["co2_kg_per_year"] > 0


def test_that_there_is_no_break_even_without_a_machine(reported):
    report = reported(model="llama-3.3-70b", method=Method.FULL, site=Site(Place.DESK))
    assert break_even_form(report) is None


def test_that_a_run_on_part_of_the_machine_counts_its_part(large):
    placement = large.plan.placements[0]
    hours = machine_hours_per_run(placement, large.plan)
    share = placement.layout.cards / large.plan.cards
    assert float(hours) == pytest.approx(placement.hours_per_run.expected * share)
    assert machine_hours_per_run(replace(placement, hours_per_run=None), large.plan) is None


def test_that_a_plan_without_a_step_time_decides_nothing(facts, scenario, small):
    timeless = replace(small.plan, monthly_utilisation=None)
    report = compare(recommend(scenario(), facts), facts, timeless)
    assert report.comparison is None
    assert report.useful_hours_per_year is None
    assert [reason.code for reason in report.decision.reasons] == [DecisionCode.NO_TIME]
    assert json.dumps(report_form(report, facts))


def test_that_a_plan_without_a_price_is_not_counted_as_free(facts, scenario, small):
    price = replace(
        small.plan.price,
        positions=tuple(
            replace(position, unit=replace(position.unit, net=None, stand_in_for_ranking=None))
            for position in small.plan.price.positions
        ),
        ranking=D(0),
    )
    unpriced = replace(small.plan, price=price)
    report = compare(recommend(scenario(), facts), facts, unpriced)
    assert not report.price_is_complete
    assert report.decision.verdict is DecisionVerdict.UNDECIDED
    assert report.decision.reasons[0].code is DecisionCode.PRICE_ON_REQUEST
    assert report.decision.own_per_year is None
    assert report.break_even_price is None or report.break_even_price.amount > 0
