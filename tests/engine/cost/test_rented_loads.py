"""Rented machines in hours of work: which offers hold the job, how fast they are, how many of them a month takes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from catalog.economics_data import load_economics
from catalog.load import load_catalog
from engine.cost.assumptions import assumptions_in_force
from engine.cost.equivalents import Equivalents, RentedLoad
from engine.cost.offers import RentalMatch, SpeedBasis
from engine.cost.rent import LeftOutCode
from engine.cost.types import RentalOffer
from engine.facts import Facts
from engine.methods import Method, Recipe
from engine.reasons import ReasonCode
from engine.workload import Place, Priority, Scenario, Site, Workload

MONTH_H = 730  # 8,760 hours of a year by twelve


@pytest.fixture(scope="module")
def facts() -> Facts:
    return load_catalog().facts


def _matcher(facts: Facts, *workloads: Workload) -> Equivalents:
    """Without a plan of one's own, so that rented machines are compared with each other."""
    scenario = Scenario(workloads, Site(Place.RACK), frozenset(), Priority.PURCHASE_PRICE, "EUR", date(2026, 11, 30))
    return Equivalents(scenario, facts, None, assumptions_in_force(load_economics(), scenario, facts))


def _job(facts: Facts, runs: object = 4, **fields: Any) -> Workload:
    return Workload(
        "Job", facts.models["llama-3.1-8b"], Recipe(Method.LORA), 2048, runs_per_month=Decimal(str(runs)), **fields
    )


def _load(facts: Facts, card: str, *workloads: Workload) -> RentedLoad:
    found = _matcher(facts, *workloads)._load(facts.cards[card], 1)
    assert isinstance(found, RentedLoad)
    return found


# The quickest rented machine is what the others are measured by: it does an hour's work in an hour, they take longer.
def test_that_without_a_machine_of_ones_own_the_quickest_rented_one_is_the_measure(
    facts: Facts, offer: Callable[..., RentalOffer]
) -> None:
    offers = tuple(offer(card_ids=(card,), cards=1) for card in ("l40s", "h200_sxm", "h100_sxm"))
    matcher = _matcher(facts, _job(facts))
    hours = matcher.reference_hours(offers)
    loads = [_load(facts, card, _job(facts)).hours_per_month for card in ("l40s", "h200_sxm", "h100_sxm")]
    assert hours == min(loads) == loads[1]
    for one, load in zip(offers, loads, strict=True):
        found = matcher.match(one)
        assert isinstance(found, RentalMatch)
        assert found.basis is SpeedBasis.MODELLED
        assert found.speed.expected == pytest.approx(hours / load)
        assert found.speed.low < found.speed.expected < found.speed.high


def test_that_an_offer_is_proven_only_when_every_card_it_may_be_is(
    facts: Facts, offer: Callable[..., RentalOffer]
) -> None:
    matcher = _matcher(facts, _job(facts))
    matcher.reference_hours((offer(card_ids=("h100_sxm",), cards=1),))
    for cards, proven in ((("h100_sxm", "h200_sxm"), True), (("h100_sxm", "mi300x"), False), (("mi300x",), False)):
        found = matcher.match(offer(card_ids=cards, cards=1))
        assert isinstance(found, RentalMatch)
        assert found.proven is proven


# What speaks against buying a card speaks against renting it, its age excepted.
def test_that_a_card_is_left_out_for_what_speaks_against_it_and_not_for_its_age(
    facts: Facts, offer: Callable[..., RentalOffer]
) -> None:
    matcher = _matcher(facts, _job(facts))
    matcher.reference_hours((offer(card_ids=("h100_sxm",), cards=1),))
    assert matcher.match(offer(card_ids=("arc_pro_b60",), cards=1)) == ReasonCode.MISSING_FIGURE.value
    assert isinstance(matcher.match(offer(card_ids=("a100_sxm_80",), cards=1)), RentalMatch)


# Runs are independent of each other. Two and a half months of them take three machines, each busy for a third of the
# hours; as many as fill a month exactly take one.
def test_that_more_than_a_month_of_runs_is_shared_by_several_machines(facts: Facts) -> None:
    each = _load(facts, "h100_sxm", _job(facts, 1)).hours_per_month
    assert 0 < each < MONTH_H / 100
    many = _load(facts, "h100_sxm", _job(facts, Decimal(repr(2.5 * MONTH_H / each))))
    assert (many.machines, many.cards) == (3, 3)
    assert many.hours_per_month == pytest.approx(2.5 * MONTH_H / 3)
    few = _load(facts, "h100_sxm", _job(facts, Decimal(repr(0.999 * MONTH_H / each))))
    assert (few.machines, few.cards) == (1, 1)
    assert few.hours_per_month == pytest.approx(0.999 * MONTH_H)


# The step time's own range, whatever the number of runs: the fast end takes less than the expected hours.
def test_that_the_hours_keep_the_range_of_the_step_time(facts: Facts) -> None:
    one, many = (_load(facts, "h100_sxm", _job(facts, runs)) for runs in (1, 40))
    assert 0 < one.fast_share < 1 < one.slow_share
    assert (many.fast_share, many.slow_share) == pytest.approx((one.fast_share, one.slow_share))
    idle = _load(facts, "h100_sxm", _job(facts, 0))
    assert (idle.hours_per_month, idle.fast_share, idle.slow_share) == (0, 1, 1)


# A run that takes longer than a month is not shared: whatever else is asked for, the longest counts.
def test_that_one_run_of_more_than_a_month_is_too_slow(facts: Facts, offer: Callable[..., RentalOffer]) -> None:
    each = _load(facts, "h100_sxm", _job(facts, 1)).hours_per_month
    tokens = int(20_000_000 * 2 * MONTH_H / each)
    long, short = _job(facts, 1, tokens_per_run=tokens), _job(facts, 1)
    for workloads in ((long,), (long, replace(short, name="Short")), (replace(short, name="Short"), long)):
        matcher = _matcher(facts, *workloads)
        assert matcher._load(facts.cards["h100_sxm"], 1) == LeftOutCode.TOO_SLOW
        assert matcher.match(offer(card_ids=("h100_sxm",), cards=1)) == LeftOutCode.TOO_SLOW
