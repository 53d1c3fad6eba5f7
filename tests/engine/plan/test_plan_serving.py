"""Training and serving on one machine: by time, by card, by instance, or on two machines."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from engine.cost.compare import compare
from engine.errors import InvalidInputError
from engine.fit import Verdict
from engine.methods import Loss, Method, Recipe
from engine.plan.recommend import recommend
from engine.plan.serving import serving_hours
from engine.reasons import ReasonCode
from engine.serving.summary import energy_per_million, heat, summaries
from engine.serving.types import CacheFormat, Lengths, LoadKind, ServeLimits, ServeLoad, ServeSetup, WeightFormat
from engine.units import Money
from engine.workload import Place, Priority, Scenario, ServingSharing, ServingWorkload, Site
from tests.engine.plan.real import facts, task

CHAT = Lengths(1500, 8000, 400, 2000)


def served(model="llama-3.3-70b", users=24, load=None, **changes):
    setup = ServeSetup(
        facts().models[model],
        CHAT,
        load or ServeLoad(LoadKind.USERS, users=users),
        weights=WeightFormat.FP8,
        cache=CacheFormat.FP8,
    )
    return replace(ServingWorkload(model, setup, service_h_per_day=12, days_per_month=21), **changes)


def scenario(*serving, workloads=None, **changes):
    train = (task("training", "llama-3.3-70b", Recipe(Method.LORA), 4, 20),) if workloads is None else workloads
    plain = Scenario(
        train, Site(Place.RACK), frozenset(), Priority.PURCHASE_PRICE, "EUR", date(2026, 11, 30), serving=serving
    )
    return replace(plain, **changes)


def codes(reasons):
    return {reason.code for reason in reasons}


def test_that_a_machine_in_the_day_trains_in_the_other_hours():
    chosen = recommend(scenario(served()), facts()).chosen
    placement = chosen.serving[0]
    assert placement.sharing is ServingSharing.TIME
    shared = next(reason for reason in placement.reasons if reason.code is ReasonCode.SHARED_BY_TIME)
    assert shared.value("serving_h") == pytest.approx(12 * 21)
    assert shared.value("training_h") == pytest.approx(730 - 12 * 21)


# An 8B LoRA leaves 20 GB of an L40S free, more than 15 % of what it needs: the headroom is not what is missing. Of 10
# tokens a second for each of 50 users the computed band is only sure of its slow end.
def test_that_a_plan_that_may_serve_too_slowly_is_not_said_to_lack_headroom():
    chat = served(users=50, service_h_per_day=10)
    setup = replace(chat.setup, lengths=Lengths(2000, 16000, 500, 2000), limits=ServeLimits(tokens_per_s_per_user=10.0))
    trained = task("nightly", "llama-3.1-8b", Recipe(Method.LORA, loss=Loss.FUSED), 30, 20)
    result = recommend(scenario(replace(chat, setup=setup), workloads=(trained,)), facts())
    slow = next(plan for plan in result.ranked if (plan.card.id, plan.cards) == ("l40s", 4))
    assert (slow.verdict, slow.placements[0].verdict) == (Verdict.TIGHT, Verdict.FITS)
    assert slow.placements[0].free_bytes > 0.15 * slow.placements[0].estimate.required.expected
    assert ReasonCode.HEADROOM not in codes(slow.reasons)
    said = next(item for item in slow.reasons if item.code is ReasonCode.SERVING_USER_RATE)
    each = slow.serving[0].speed.planned.tokens_per_s_per_user
    assert said.value("need_rate") == 10
    assert said.value("limit_rate") == pytest.approx(each.low)
    assert each.low < 10 <= each.expected


# A GB200 of the rack has no published bandwidth, so no rate per user can be promised; 72 cards leave room for a model.
def test_that_a_rate_that_cannot_be_computed_is_not_said_to_be_a_want_of_cards():
    chat = served(users=50)
    limited = replace(chat, setup=replace(chat.setup, limits=ServeLimits(tokens_per_s_per_user=10.0)))
    trained = task("nightly", "llama-3.1-8b", Recipe(Method.LORA, loss=Loss.FUSED), 30, 20)
    assert facts().cards["gb200_nvl72"].bandwidth_gb_per_s is None
    result = recommend(scenario(limited, workloads=(trained,)), facts())
    rack = next(item for item in result.rejected if item.card.id == "gb200_nvl72" and item.cards == 72)
    assert codes(rack.reasons) == {ReasonCode.SERVING_NOT_STATED}


def test_that_utilisation_counts_training_and_serving():
    both = recommend(scenario(served()), facts()).chosen
    alone = next(plan for plan in recommend(scenario(), facts()).ranked if plan.id == both.id)
    added = serving_hours(both.serving, both.cards).expected / 730
    assert both.monthly_utilisation.expected == pytest.approx(alone.monthly_utilisation.expected + added)


def test_that_a_model_served_round_the_clock_gets_cards_of_its_own():
    always = served(service_h_per_day=24, days_per_month=30.4)
    chosen = recommend(scenario(always), facts()).chosen
    placement = chosen.serving[0]
    assert placement.sharing is ServingSharing.CARDS
    trained = chosen.placements[0]
    assert placement.cards + trained.layout.cards <= chosen.cards


def test_that_instances_are_shared_where_asked():
    small = served("llama-3.1-8b", users=4, sharing=ServingSharing.MIG)
    train = (task("small", "llama-3.1-8b", Recipe(Method.LORA), 4, 20),)
    chosen = recommend(scenario(small, workloads=train), facts()).chosen
    placement, trained = chosen.serving[0], chosen.placements[0]
    assert placement.sharing is ServingSharing.MIG
    assert placement.mig == trained.mig
    places = chosen.cards * placement.mig.instances
    assert trained.runs_in_parallel + placement.layout.replicas <= places
    # a copy in an instance shares its card, so it is not said to serve alone on one
    assert codes(placement.reasons) == {ReasonCode.SHARED_BY_MIG}


def test_that_a_nightly_job_takes_its_hours_alone():
    job = served("llama-3.1-8b", load=ServeLoad(LoadKind.BATCH, requests_per_night=20_000, night_h=6))
    chosen = recommend(scenario(served(), job), facts()).chosen
    nightly = chosen.serving[1]
    assert nightly.night_h.high <= 6
    assert nightly.hours_per_month.expected == pytest.approx(nightly.night_h.expected * 21)


def test_that_serving_alone_needs_no_training():
    chosen = recommend(scenario(served(), workloads=()), facts()).chosen
    assert chosen.placements == ()
    assert chosen.serving[0].sharing is None
    assert chosen.verdict in {Verdict.FITS, Verdict.TIGHT}


def test_that_nothing_to_do_is_refused():
    with pytest.raises(InvalidInputError):
        recommend(scenario(workloads=()), facts())


def test_that_what_nobody_can_serve_is_rejected_with_the_reason():
    million = served(users=1_000_000)
    recommendation = recommend(scenario(million), facts())
    assert recommendation.chosen is None
    found = set().union(*(codes(rejection.reasons) for rejection in recommendation.rejected))
    assert ReasonCode.SERVING_USERS in found


def test_that_serving_never_makes_a_machine_cheaper():
    without = recommend(scenario(), facts()).chosen
    with_serving = recommend(scenario(served()), facts()).chosen
    assert with_serving.price.ranking >= without.price.ranking


def test_that_two_machines_are_worked_out_beside_the_one():
    recommendation = recommend(scenario(served()), facts())
    training, serving = recommendation.separate
    assert training.serving == ()
    assert serving.placements == ()


def test_that_two_machines_are_said_to_cost_less_where_they_do():
    always = served(service_h_per_day=24, days_per_month=30.4)
    recommendation = recommend(scenario(always), facts())
    chosen, (training, serving) = recommendation.chosen, recommendation.separate
    prices = [plan.price for plan in (chosen, training, serving)]
    known = not any(price.gaps for price in prices)
    saving = prices[0].priced.amount - prices[1].priced.amount - prices[2].priced.amount
    assert (ReasonCode.TWO_MACHINES in codes(chosen.reasons)) == (known and saving > 0)


def test_that_a_million_tokens_cost_their_hours_over_their_number():
    chosen = recommend(scenario(served()), facts()).chosen
    placement = chosen.serving[0]
    busy_h = chosen.monthly_utilisation.expected * 730
    hours = serving_hours((placement,), chosen.cards).expected
    share = float(chosen.cost_per_month.amount) * hours / busy_h
    expected = share / placement.tokens_per_month.expected * 1e6
    assert float(placement.cost_per_million_tokens.expected.amount) == pytest.approx(expected, rel=0.01)
    cost = placement.cost_per_million_tokens
    assert cost.low.amount < cost.expected.amount < cost.high.amount


def test_that_the_summary_carries_bar_points_energy_and_dated_prices_elsewhere():
    priced = served(api_price=Money(Decimal(2), "EUR"), api_price_as_of="2026-11-15")
    asked = scenario(priced)
    chosen = recommend(asked, facts()).chosen
    summary = summaries(chosen, asked, facts())[0]
    assert sum(size for _, size in summary.parts) == summary.placement.memory.usable_bytes
    assert summary.planned.users == 24
    hours = serving_hours(chosen.serving, chosen.cards).expected
    tokens = summary.placement.tokens_per_month.expected
    assert energy_per_million(chosen.serving[0], chosen) == pytest.approx(chosen.power_w / 1000 * hours / tokens * 1e6)
    entered = next(entry for entry in summary.baselines if entry.source is None)
    assert entered.as_of == "2026-11-15"
    rented = next((entry for entry in summary.baselines if entry.source is not None), None)
    assert rented is None or rented.per_million.amount > 0
    assert [cell.verdict for cell in heat(chosen)] == [entry.verdict for entry in chosen.serving]


def test_that_rent_compares_the_plans_own_edition_for_the_same_hours():
    asked = scenario(served())
    recommendation = recommend(asked, facts())
    report = compare(recommendation, facts())
    offers = report.comparison.offers
    assert offers
    assert {offer.offer.card_ids for offer in offers} == {(recommendation.chosen.card.id,)}
    assert all(offer.match.cards == recommendation.chosen.cards for offer in offers)


def test_that_rent_is_compared_where_nothing_is_trained():
    recommendation = recommend(scenario(served(), workloads=()), facts())
    assert compare(recommendation, facts()).comparison is not None
