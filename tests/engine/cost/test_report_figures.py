"""The report's figures by hand: a position costs 1,000 EUR, half of a year is useful, power and upkeep are free.

Owning then costs the purchase over three years, a rented hour of the same cards 2.00 EUR a card.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from catalog.load import load_catalog
from engine.cost.compare import RentOrBuyReport, compare
from engine.cost.decision import DecisionCode, DecisionVerdict
from engine.cost.plain import break_even_form, report_form
from engine.cost.sensitivity import CaseInput
from engine.cost.types import EconomicsKey, OwnershipAnswers, RentalOffer, RentalTerm
from engine.facts import Facts
from engine.methods import Method, Objective, Recipe
from engine.plan.recommend import recommend
from engine.plan.types import Recommendation
from engine.units import Money
from engine.workload import Place, Priority, Scenario, Site, Workload

D = Decimal
HOURS = D(4380)
FREE = {
    key: D(0)
    for key in (
        EconomicsKey.ELECTRICITY_PER_KWH,
        EconomicsKey.RESIDUAL_SHARE,
        EconomicsKey.MAINTENANCE_SHARE,
        EconomicsKey.LICENCES_PER_YEAR,
        EconomicsKey.STAFF_PER_YEAR,
        EconomicsKey.ROOM_PER_YEAR,
        EconomicsKey.INTEREST_PER_YEAR,
        EconomicsKey.FAILED_RUN_SHARE,
        EconomicsKey.SEARCH_FACTOR,
        EconomicsKey.STORAGE_PER_CHECKPOINT,
        EconomicsKey.TRANSFER_PER_CHECKPOINT,
        EconomicsKey.ORCHESTRATION_PER_CHECKPOINT,
        EconomicsKey.RENTAL_EXTRA_PER_HOUR,
    )
} | {EconomicsKey.UTILISATION: D("0.5")}


@pytest.fixture(scope="module")
def bundled() -> Facts:
    return load_catalog().facts


def _scenario(facts: Facts, **fields: Any) -> Scenario:
    recipe = Recipe(Method.LORA, objective=fields.pop("objective", Objective.SFT))
    overrides = FREE | fields.pop("overrides", {})
    plain = Scenario(
        workloads=(Workload("Job", facts.models["llama-3.1-8b"], recipe, 4096, runs_per_month=D(4)),),
        site=Site(Place.RACK),
        must_have=frozenset(),
        priority=Priority.PURCHASE_PRICE,
        currency="EUR",
        as_of=date(2026, 11, 30),
        ownership=OwnershipAnswers(overrides=overrides, **fields.pop("answers", {})),
    )
    return replace(plain, **fields)


@pytest.fixture(scope="module")
def priced(bundled: Facts) -> Callable[..., Recommendation]:
    """The recommendation with every position at 1,000 EUR."""
    first = recommend(_scenario(bundled), bundled).chosen
    assert first is not None
    prices = {position.item_id: Money(D(1000), "EUR") for position in first.price.positions}

    def build(**fields: Any) -> Recommendation:
        found = recommend(_scenario(bundled, price_overrides=prices, **fields), bundled)
        assert found.chosen is not None
        assert found.chosen.id == first.id
        return found

    return build


@pytest.fixture(scope="module")
def plain(priced: Callable[..., Recommendation]) -> Recommendation:
    return priced()


@pytest.fixture(scope="module")
def offers(plain: Recommendation, offer: Callable[..., RentalOffer]) -> tuple[RentalOffer, ...]:
    plan = plain.chosen
    assert plan is not None
    own = {"card_ids": (plan.card.id,), "cards": plan.cards, "currency": "EUR"}
    foreign = {"card_ids": ("h100_sxm",), "currency": "EUR"}
    return (
        offer("2.00", id="same", region="EU", shape="x1", note="n", network_gbit_per_s=100, **own),
        offer("3.00", id="same-dearer", **own),
        offer("50.00", id="other", cards=1, **foreign),
        offer("40.00", id="other-pair", cards=2, **foreign),
        offer("35.00", id="reserved", cards=1, term=RentalTerm.RESERVED_1Y, **foreign),
        offer("1.00", id="spot", term=RentalTerm.SPOT, **own),
        offer("0.50", id="either", card_ids=("h100_sxm", "h100_nvl"), cards=1, currency="EUR", term=RentalTerm.SPOT),
    )


@pytest.fixture(scope="module")
def facts(bundled: Facts, offers: tuple[RentalOffer, ...]) -> Facts:
    return replace(bundled, rental_offers=offers, fine_tuning_apis=())


@pytest.fixture(scope="module")
def report(plain: Recommendation, facts: Facts) -> RentOrBuyReport:
    return compare(plain, facts)


def _purchase(report: RentOrBuyReport) -> Decimal:
    assert report.plan is not None
    return D(1000) * sum(position.quantity for position in report.plan.price.positions)


def _rent(report: RentOrBuyReport) -> Decimal:
    """Of a year."""
    assert report.plan is not None
    return D(2) * report.plan.cards * HOURS


def _cent(value: Decimal) -> Decimal:
    return round(value, 2)


def test_that_both_sides_of_a_year_are_the_plain_products(report: RentOrBuyReport) -> None:
    assert report.useful_hours_per_year == HOURS
    assert report.price_is_complete
    assert not report.price_uses_stand_ins
    assert report.decision.own_per_year == Money(_cent(_purchase(report) / 3), "EUR")
    assert report.decision.rent_per_year == Money(_rent(report), "EUR")
    best = report.decision.best_offer
    assert best is not None
    assert best.offer.id == "same"
    assert report.ownership is not None
    assert report.ownership.purchase.amount == _purchase(report)


def test_that_the_break_even_price_is_three_years_of_rent(report: RentOrBuyReport) -> None:
    assert report.break_even_price == Money(3 * _rent(report), "EUR")


def test_that_a_rent_below_the_running_cost_has_no_break_even_price(
    priced: Callable[..., Recommendation], facts: Facts
) -> None:
    costly = compare(priced(overrides={EconomicsKey.STAFF_PER_YEAR: D(1_000_000)}), facts)
    assert costly.break_even_price is None
    rent = _rent(costly)
    level = compare(priced(overrides={EconomicsKey.STAFF_PER_YEAR: rent}), facts)
    assert level.break_even_price is None
    above = compare(priced(overrides={EconomicsKey.STAFF_PER_YEAR: rent - 1}), facts)
    assert above.break_even_price == Money(D(3), "EUR")


# At 10 % a year: rent / 1.1 + rent / 1.21 + rent / 1.331 less the purchase; interest is not counted as a cost again.
def test_that_the_present_value_discounts_each_years_saving(
    priced: Callable[..., Recommendation], facts: Facts, report: RentOrBuyReport
) -> None:
    value = compare(priced(overrides={EconomicsKey.INTEREST_PER_YEAR: D("0.10")}), facts).present_value
    assert value is not None
    rent, purchase = _rent(report), _purchase(report)
    assert value.plain.amount == 3 * rent - purchase
    assert value.discounted.amount == _cent(rent / D("1.1") + rent / D("1.21") + rent / D("1.331") - purchase)
    assert value.interest_per_year == D("0.10")


# A lease of 100 a month costs 1,200 a year and nothing on the first day.
def test_that_a_lease_is_a_running_cost_and_no_purchase(
    priced: Callable[..., Recommendation], facts: Facts, report: RentOrBuyReport
) -> None:
    leased = compare(priced(answers={"lease_per_month": Money(D(100), "EUR")}), facts)
    assert leased.decision.own_per_year == Money(D(1200), "EUR")
    assert leased.present_value is not None
    assert leased.present_value.plain.amount == 3 * (_rent(report) - 1200)
    assert leased.over_time is not None
    assert [leased.over_time.points[month].owning.amount for month in (0, 12, 36)] == [0, 1200, 3600]
    assert leased.break_even_price == report.break_even_price


# Half the year is 4,380 useful hours: of a lease of 1,200 an hour costs 0.274, of the purchase its third over 4,380.
# A checkpoint without recovery, storage and failed runs costs as much as its run.
def test_that_a_run_under_a_lease_costs_its_hours_of_the_lease(
    priced: Callable[..., Recommendation], facts: Facts, report: RentOrBuyReport
) -> None:
    leased = compare(priced(answers={"lease_per_month": Money(D(100), "EUR")}), facts)
    (run,), (bought,) = leased.workloads, report.workloads
    assert leased.plan is not None
    (placement,) = leased.plan.placements
    assert placement.hours_per_run is not None
    assert placement.layout.cards == leased.plan.cards
    hours = placement.hours_per_run
    assert run.own_per_run is not None
    assert bought.own_per_run is not None
    assert float(run.own_per_run.expected.amount) == pytest.approx(hours.expected * 1200 / 4380, abs=0.01)
    assert float(run.own_per_run.high.amount) == pytest.approx(hours.high * 1200 / 4380, rel=0.03)
    assert float(bought.own_per_run.expected.amount) == pytest.approx(
        hours.expected * float(_purchase(report)) / 3 / 4380, abs=0.01
    )
    assert run.own_checkpoint is not None
    assert run.own_checkpoint.total.amount == pytest.approx(run.own_per_run.expected.amount, abs=D("0.01"))


def test_that_cost_over_time_starts_with_the_purchase_and_crosses_where_the_rent_has_caught_up(
    report: RentOrBuyReport,
) -> None:
    series = report.over_time
    assert series is not None
    rent, purchase = _rent(report) / 12, _purchase(report)
    assert len(series.points) == 37
    assert [point.month for point in series.points] == list(range(37))
    assert {point.owning.amount for point in series.points} == {purchase}
    assert series.points[7].renting.amount == _cent(rent * 7)
    assert series.crossing_month == next(month for month in range(37) if rent * month >= purchase)


def test_that_the_curve_has_twenty_points_up_to_full_use(report: RentOrBuyReport) -> None:
    assert report.plan is not None
    assert [point.utilisation for point in report.curve] == [D(step) / 20 for step in range(1, 21)]
    assert {point.rent_per_hour.amount for point in report.curve} == {2 * report.plan.cards}
    yearly = _purchase(report) / 3
    assert [point.own_per_hour.amount for point in report.curve] == [
        _cent(yearly / (D(step) / 20 * 8760)) for step in range(1, 21)
    ]


# 40.00 a card in the pair is less than 50.00 alone; spot and reserved prices, and cards that may be another, stay out.
def test_that_the_cheapest_card_hour_on_demand_is_divided_by_the_data_sheets_rate(
    report: RentOrBuyReport, facts: Facts
) -> None:
    assert report.plan is not None
    prices = {"h100_sxm": D(40), report.plan.card.id: D(2)}
    found = {entry.card_id: (entry.per_tflop_hour, entry.tflops) for entry in report.compute_prices}
    rates = {card: facts.cards[card].bf16_dense_tflops.value for card in prices}  # type: ignore[union-attr]  # both have one
    assert found == {card: (price / rates[card], rates[card]) for card, price in prices.items()}
    assert [entry.per_tflop_hour for entry in report.compute_prices] == sorted(value for value, _ in found.values())


def test_that_the_tornado_tries_a_tenth_of_the_price_half_and_twice_the_load_and_five_years(
    report: RentOrBuyReport,
) -> None:
    tried = {swing.key: (swing.low_value, swing.high_value) for swing in report.tornado}
    purchase = _purchase(report)
    assert tried[CaseInput.PURCHASE_PRICE] == (purchase * D("0.9"), purchase * D("1.1"))
    assert tried[CaseInput.USEFUL_HOURS] == (2190, 8760)
    assert tried[CaseInput.RENT] == (2, 3), "offers of the same card, currency and term"
    assert tried[CaseInput.HORIZON_YEARS] == (3, 5)
    assert CaseInput.SPEED_RATIO not in tried, "the same card has no range"
    swings = {swing.key: swing for swing in report.tornado}
    rent = _rent(report)
    assert swings[CaseInput.PURCHASE_PRICE].saving_at_low.amount == 3 * rent - purchase * D("0.9")
    assert swings[CaseInput.HORIZON_YEARS].saving_at_high.amount == 5 * rent - purchase
    assert swings[CaseInput.USEFUL_HOURS].saving_at_high.amount == 6 * rent - purchase


def test_that_more_than_half_a_year_doubles_to_a_full_one(priced: Callable[..., Recommendation], facts: Facts) -> None:
    busy = compare(priced(overrides={EconomicsKey.UTILISATION: D("0.75")}), facts)
    tried = {swing.key: (swing.low_value, swing.high_value) for swing in busy.tornado}
    assert tried[CaseInput.USEFUL_HOURS] == (3285, 8760)


# A run's machine hours at purchase / 3 / 4,380 an hour, or at 2.00 a card.
def test_that_a_result_costs_its_hours_on_both_sides(report: RentOrBuyReport) -> None:
    assert report.plan is not None
    (cost,) = report.workloads
    (placement,) = report.plan.placements
    assert placement.hours_per_run is not None
    hours = D(repr(placement.hours_per_run.expected)) * placement.layout.cards / report.plan.cards
    assert cost.own_checkpoint is not None
    assert cost.rent_checkpoint is not None
    assert cost.own_checkpoint.total.amount == _cent(hours * _purchase(report) / 3 / HOURS)
    assert cost.rent_checkpoint.total.amount == _cent(hours * 2 * report.plan.cards)
    assert cost.runs_per_month == 4


def test_that_published_tiers_are_not_offered_for_preference_training(
    priced: Callable[..., Recommendation], facts: Facts, bundled: Facts
) -> None:
    with_services = replace(facts, fine_tuning_apis=bundled.fine_tuning_apis)
    supervised = compare(priced(), with_services).comparison
    assert supervised is not None
    assert supervised.apis
    preference = recommend(_scenario(bundled, objective=Objective.DPO), bundled)
    compared = compare(preference, with_services).comparison
    assert compared is not None
    assert compared.apis == ()


# Sold again for what it cost, with free money and no upkeep, it costs nothing at any price.
def test_that_a_machine_that_loses_no_value_has_no_break_even_price(
    priced: Callable[..., Recommendation], facts: Facts
) -> None:
    report = compare(priced(overrides={EconomicsKey.RESIDUAL_SHARE: D(1)}), facts)
    assert report.ownership is not None
    assert report.ownership.per_year.amount == 0
    assert report.break_even_price is None


# Four runs of 20 million tokens a month at 10 EUR a million. Without a step time nobody knows how much of the planned
# work a stated year holds, so it holds just that.
def test_that_the_work_of_a_year_is_the_planned_work_where_its_hours_are_unknown(
    priced: Callable[..., Recommendation], facts: Facts
) -> None:
    found = priced(answers={"api_prices": {"House": Money(D(10), "EUR")}})
    assert found.chosen is not None
    comparison = compare(found, facts, replace(found.chosen, monthly_utilisation=None)).comparison
    assert comparison is not None
    (service,) = comparison.apis
    assert service.per_year == Money(D(4 * 12 * 20 * 10), "EUR")


def test_that_a_plan_without_any_position_has_no_price(plain: Recommendation, facts: Facts) -> None:
    assert plain.chosen is not None
    empty = replace(plain.chosen, price=replace(plain.chosen.price, positions=(), ranking=D(0)))
    report = compare(plain, facts, empty)
    assert not report.price_is_complete
    assert report.decision.verdict is DecisionVerdict.UNDECIDED
    leased = replace(plain.scenario, ownership=replace(plain.scenario.ownership, lease_per_month=Money(D(9), "EUR")))
    assert compare(replace(plain, scenario=leased), facts, empty).price_is_complete


def test_that_one_price_of_a_sibling_marks_the_whole_price(plain: Recommendation, facts: Facts) -> None:
    assert plain.chosen is not None
    first, *others = plain.chosen.price.positions
    unit = replace(first.unit, net=None, stand_in_for_ranking=Money(D(1000), "EUR"))
    price = replace(plain.chosen.price, positions=(replace(first, unit=unit), *others))
    report = compare(plain, facts, replace(plain.chosen, price=price))
    assert report.price_is_complete
    assert report.price_uses_stand_ins
    gone = replace(unit, stand_in_for_ranking=None)
    price = replace(plain.chosen.price, positions=(replace(first, unit=gone), *others))
    assert not compare(plain, facts, replace(plain.chosen, price=price)).price_is_complete


@pytest.fixture(scope="module")
def form(report: RentOrBuyReport, facts: Facts) -> dict[str, Any]:
    return json.loads(json.dumps(report_form(report, facts)))


def test_that_the_data_name_the_plan_the_sides_and_what_is_missing(
    form: dict[str, Any], report: RentOrBuyReport, plain: Recommendation, facts: Facts
) -> None:
    assert report.plan is not None
    assert form["schema"] == 1
    assert form["plan"]["card"] == report.plan.card.id
    assert form["useful_hours_per_year"] == 4380
    assert form["price"]["complete"] is True
    assert form["price"]["break_even_price"] == {"amount": f"{3 * _rent(report):.2f}", "currency": "EUR"}
    assert form["decision"]["best_offer"] == "same"
    assert form["decision"]["best_api"] is None
    assert form["decision"]["api_per_year"] is None
    assert form["present_value"]["interest_per_year"] == 0
    assert len(form["over_time"]["points"]) == 37
    assert len(form["curve"]) == 20
    included = {line["kind"]: line["included"] for line in form["ownership"]["lines"]}
    assert [kind for kind, there in included.items() if there] == ["capital"]
    assert {entry["card"] for entry in form["per_tflop_hour"]} == {"h100_sxm", report.plan.card.id}
    for entry in form["per_tflop_hour"]:
        # 40.00 for each card of the pair, 2.00 for the plan's own
        rent = 2 if entry["card"] == report.plan.card.id else 40
        assert entry["price"] == round(rent / entry["tflops"], 6)
    without = report_form(compare(replace(plain, chosen=None), facts), facts)
    assert without["plan"] is None
    assert without["ownership"] is without["present_value"] is without["over_time"] is None
    assert break_even_form(report) == form["break_even"]


def test_that_an_offers_data_say_what_is_known_and_null_for_the_rest(
    form: dict[str, Any], report: RentOrBuyReport
) -> None:
    assert report.plan is not None
    rows = {row["id"]: row for row in form["offers"]}
    same, pair, reserved, spot = (rows[name] for name in ("same", "other-pair", "reserved", "spot"))
    assert (same["region"], same["shape"], same["network_gbit_per_s"], same["note"]) == ("EU", "x1", 100, "n")
    assert (pair["region"], pair["shape"], pair["form"], pair["link"], pair["network_gbit_per_s"]) == (None,) * 5
    assert same["exchange_rate"] is None
    assert same["speed"] == {"low": 1.0, "expected": 1.0, "high": 1.0, "basis": "same-card"}
    assert pair["cards"] == 2
    assert pair["speed"]["basis"] == "modelled"
    assert same["price_per_card_hour"] == {"low": "2.00", "high": "2.00", "currency": "EUR"}
    assert same["rent_per_hour"] == {"amount": f"{2 * report.plan.cards:.2f}", "currency": "EUR"}
    assert (reserved["committed"], reserved["break_even"]["status"]) == (True, "committed")
    assert (spot["interruptible"], same["interruptible"]) == (True, False)
    assert same["break_even"]["status"] == "reached"
    # purchase / 3 over 2.00 a card
    hours = float(_purchase(report) / 3 / (2 * report.plan.cards))
    assert same["break_even"]["hours_per_year"] == pytest.approx(hours)
    assert same["break_even"]["utilisation"] == pytest.approx(hours / 8760)
    assert same["payback"]["months"] == pytest.approx(float(_purchase(report) / _rent(report) * 12))
    assert same["buying_is_cheaper"] is (_purchase(report) / 3 < _rent(report))


def test_that_every_assumption_is_listed_with_its_origin(form: dict[str, Any]) -> None:
    rows = {row["key"]: row for row in form["assumptions"]}
    entered = {key for key, row in rows.items() if row["entered"]}
    assert entered == {key.value for key in FREE}
    for key, row in rows.items():
        assert (row["basis"] == "entered") is (key in entered)
        assert bool(row["source"]) is (key not in entered)
        assert (row["grade"] is None) is (key in entered)
    assert rows["utilisation"]["value"] == "0.5"
    assert rows["pue_rack"]["value"] == "1.63"
    assert "exchange_rate" not in rows


# Half a year is stated, the runs take 48 times their hours: so many times 48 checkpoints share the cost of the year.
def test_that_a_checkpoints_cost_is_shared_by_all_the_work_of_a_stated_year(
    priced: Callable[..., Recommendation], facts: Facts, report: RentOrBuyReport
) -> None:
    assert report.plan is not None
    (placement,) = report.plan.placements
    assert placement.hours_per_run is not None
    planned = D(repr(placement.hours_per_run.expected)) * placement.layout.cards / report.plan.cards * 48
    cost = min(_purchase(report) / 3, _rent(report)) / (48 * HOURS / planned)
    tiny = compare(priced(answers={"checkpoint_value": Money(D("0.000001"), "EUR")}), facts).decision
    assert tiny.verdict is DecisionVerdict.DO_NOT_TRAIN
    (reason,) = [reason for reason in tiny.reasons if reason.code is DecisionCode.VALUE_BELOW_COST]
    assert float(dict(reason.values)["cost"]) == pytest.approx(float(cost), rel=1e-6)


def test_that_the_planned_load_and_more_are_no_overload_and_less_is(
    priced: Callable[..., Recommendation], facts: Facts, report: RentOrBuyReport
) -> None:
    def codes(**fields: Any) -> set[DecisionCode]:
        return {reason.code for reason in compare(priced(**fields), facts).decision.reasons}

    assert report.plan is not None
    (placement,) = report.plan.placements
    assert placement.hours_per_run is not None
    planned = D(repr(placement.hours_per_run.expected)) * placement.layout.cards / report.plan.cards * 48 / 8760
    assert DecisionCode.LOAD_ABOVE_MONTH not in codes(overrides={EconomicsKey.UTILISATION: planned * D("1.5")})
    assert DecisionCode.LOAD_ABOVE_MONTH in codes(overrides={EconomicsKey.UTILISATION: planned * D("0.9")})
    stated = {key: value for key, value in FREE.items() if key is not EconomicsKey.UTILISATION}
    unstated = replace(priced().scenario, ownership=OwnershipAnswers(overrides=stated))
    found = compare(replace(priced(), scenario=unstated), facts)
    assert DecisionCode.LOAD_ABOVE_MONTH not in {reason.code for reason in found.decision.reasons}
    assert float(found.useful_hours_per_year or 0) == pytest.approx(float(planned * 8760))


# 8,760 hours at 1.00 a card whatever is used: at half use 2.00 for an hour's work.
def test_that_a_committed_rent_falls_with_use_on_the_curve(
    plain: Recommendation, facts: Facts, offer: Callable[..., RentalOffer]
) -> None:
    plan = plain.chosen
    assert plan is not None
    only = offer("1.00", card_ids=(plan.card.id,), cards=plan.cards, currency="EUR", term=RentalTerm.RESERVED_1Y)
    curve = compare(plain, replace(facts, rental_offers=(only,))).curve
    assert curve[9].rent_per_hour.amount == 2 * plan.cards
    assert curve[19].rent_per_hour.amount == plan.cards
