"""The report behind `rent-or-buy`: one recommendation against everything that could do its work elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from engine.cost.assumptions import assumptions_in_force
from engine.cost.decision import Decision, DecisionCode, undecided
from engine.cost.equivalents import Equivalents
from engine.cost.exact import exact
from engine.cost.npv import buying_against_renting, net_present_value
from engine.cost.offers import OfferComparison, OwnFigures, OwnMachine, own_figures
from engine.cost.ownership import Ownership, drawn_power_w, ownership
from engine.cost.rent import RentOrBuy, rent_or_buy
from engine.cost.results import (
    CheckpointCost,
    ComputePrice,
    compute_prices,
    cost_per_million_tokens,
    validated_checkpoint,
)
from engine.cost.sensitivity import (
    Case,
    CaseInput,
    CostOverTime,
    CurvePoint,
    Range,
    Swing,
    break_even_curve,
    cost_over_time,
    tornado,
)
from engine.cost.services import ApiJob
from engine.cost.types import (
    HOURS_PER_YEAR,
    MONTHS_PER_YEAR,
    CostAssumptions,
    Economics,
    RentalOffer,
    RentalTerm,
)
from engine.errors import InvalidInputError
from engine.facts import Facts
from engine.methods import Objective
from engine.plan.types import Placement, Plan, PositionKind, Recommendation
from engine.units import Money, MoneyBand, round_money
from engine.workload import Scenario


@dataclass(frozen=True, slots=True)
class WorkloadCost:
    """What one workload's results cost on the owned machine and on the best rented one. None: not known."""

    workload: str
    runs_per_month: Decimal
    own_per_run: MoneyBand | None
    own_per_million_tokens: MoneyBand | None
    own_checkpoint: CheckpointCost | None
    rent_checkpoint: CheckpointCost | None


@dataclass(frozen=True, slots=True)
class PresentValue:
    """What buying saves over the horizon against the best offer, plain and discounted; negative: renting saves."""

    interest_per_year: Decimal
    plain: Money
    discounted: Money


@dataclass(frozen=True, slots=True)
class RentOrBuyReport:
    """Everything `rent-or-buy` prints. Amounts net, in `currency`."""

    scenario: Scenario
    plan: Plan | None
    currency: str
    as_of: date
    assumptions: CostAssumptions
    useful_hours_per_year: Decimal | None  # None: no step time, no stated utilisation
    price_is_complete: bool
    price_uses_stand_ins: bool  # a sibling's price fills a gap
    ownership: Ownership | None
    comparison: RentOrBuy | None  # None when the work of a year is unknown
    decision: Decision
    compute_prices: tuple[ComputePrice, ...]  # on demand, cheapest provider of each card that holds the job
    break_even_price: Money | None  # highest purchase price at which buying equals the best offer
    workloads: tuple[WorkloadCost, ...]
    present_value: PresentValue | None
    tornado: tuple[Swing, ...]
    over_time: CostOverTime | None
    curve: tuple[CurvePoint, ...]


@dataclass(frozen=True, slots=True)
class _Owned:
    """The owned side as the report uses it."""

    machine: OwnMachine
    nameplate_w: int
    figures: OwnFigures
    complete: bool
    stand_ins: bool


def compare(recommendation: Recommendation, facts: Facts, plan: Plan | None = None) -> RentOrBuyReport:
    """Compare a plan of the recommendation (the chosen one unless given) with renting and services.

    Raises InvalidInputError when the catalogue has no economics, or a currency has no rate.
    """
    economics = facts.economics
    if economics is None:
        raise InvalidInputError("The catalogue has no assumptions about cost.")
    scenario = recommendation.scenario
    assumptions = assumptions_in_force(economics, scenario, facts)
    chosen = plan or recommendation.chosen
    equivalents = Equivalents(scenario, facts, chosen, assumptions)
    planned = equivalents.reference_hours(facts.rental_offers)
    hours = _useful_hours(assumptions, planned)
    work = _share_of_planned_work(hours, planned)
    owned = None if chosen is None or hours is None else _owned(chosen, scenario, assumptions, hours)
    comparison = None
    if hours is not None:
        comparison = rent_or_buy(
            None if owned is None or not owned.complete else owned.machine,
            hours,
            facts.rental_offers,
            equivalents.match,
            assumptions,
            facts.rates,
            scenario.as_of,
            jobs=_jobs(scenario, work),
            apis=facts.fine_tuning_apis,
            serves=bool(scenario.serving),
            answers=scenario.ownership,
            checkpoints_per_year=_checkpoints_per_year(scenario) * work,
            ownable=chosen is not None,
            stand_ins=owned is not None and owned.stand_ins,
            overloaded=work < 1,
            limits=facts.age_limits,
        )
    best = None if comparison is None else comparison.decision.best_offer
    priced = owned if owned is not None and owned.complete else None
    return RentOrBuyReport(
        scenario=scenario,
        plan=chosen,
        currency=scenario.currency,
        as_of=scenario.as_of,
        assumptions=assumptions,
        useful_hours_per_year=hours,
        price_is_complete=priced is not None,
        price_uses_stand_ins=priced is not None and priced.stand_ins,
        ownership=None if priced is None else _statement(priced, assumptions),
        comparison=comparison,
        decision=undecided(DecisionCode.NO_TIME) if comparison is None else comparison.decision,
        compute_prices=() if comparison is None else _compute_prices(comparison, facts),
        break_even_price=None if owned is None or best is None else break_even_price(owned.machine, best, assumptions),
        workloads=() if chosen is None else _workload_costs(chosen, priced, best, hours, assumptions),
        present_value=None if priced is None or best is None else _present_value(priced, best, assumptions),
        tornado=_tornado(priced, best, scenario, facts, economics, comparison),
        over_time=None
        if priced is None or best is None
        else cost_over_time(priced.figures, best.rent_per_year.expected.amount, assumptions),
        curve=() if priced is None or best is None else _curve(priced.figures, best),
    )


def _useful_hours(assumptions: CostAssumptions, busy_per_month: float | None) -> Decimal | None:
    if assumptions.useful_hours_per_year is not None:
        return assumptions.useful_hours_per_year
    if busy_per_month is None:
        return None
    return min(exact(busy_per_month) * MONTHS_PER_YEAR, HOURS_PER_YEAR)


def _share_of_planned_work(hours: Decimal | None, planned_per_month: float | None) -> Decimal:
    """A stated utilisation means more or less of the same work; results and services scale with it."""
    if hours is None or not planned_per_month:
        return Decimal(1)
    return hours / min(exact(planned_per_month) * MONTHS_PER_YEAR, HOURS_PER_YEAR)


def _owned(plan: Plan, scenario: Scenario, assumptions: CostAssumptions, hours: Decimal) -> _Owned:
    on_w, idle_w = drawn_power_w(plan.power_w, assumptions)
    price = Money(plan.price.ranking, scenario.currency)
    machine = OwnMachine(price, on_w, idle_w, hours, scenario.ownership.lease_per_month)
    needed = (PositionKind.CARD, PositionKind.SYSTEM)
    units = [position.unit for position in plan.price.positions if position.kind in needed]
    complete = bool(units) and all(unit.net is not None or unit.stand_in_for_ranking is not None for unit in units)
    return _Owned(
        machine=machine,
        nameplate_w=plan.power_w,
        figures=own_figures(machine, assumptions),
        complete=complete or machine.lease_per_month is not None,
        stand_ins=any(unit.net is None for unit in units),
    )


def _statement(owned: _Owned, assumptions: CostAssumptions) -> Ownership:
    machine = owned.machine
    return ownership(
        machine.purchase,
        machine.power_on_w,
        machine.power_idle_w,
        machine.useful_hours_per_year,
        assumptions,
        lease_per_month=machine.lease_per_month,
    )


def _jobs(scenario: Scenario, work: Decimal) -> tuple[ApiJob, ...]:
    return tuple(
        ApiJob(
            parameters=workload.model.parameters,
            method=workload.recipe.method,
            tokens_per_run=workload.tokens_per_run,
            runs_per_year=workload.runs_per_month * MONTHS_PER_YEAR * work,
            supervised=workload.recipe.objective is Objective.SFT,
        )
        for workload in scenario.workloads
    )


def _checkpoints_per_year(scenario: Scenario) -> Decimal:
    return sum((workload.runs_per_month for workload in scenario.workloads), Decimal(0)) * MONTHS_PER_YEAR


def break_even_price(machine: OwnMachine, best: OfferComparison, assumptions: CostAssumptions) -> Money | None:
    """The purchase price at which a year of owning costs as much as the offer; None when no price above 0 does.

    Owned cost is linear in the price, so two prices give the line.
    """
    bare = replace(machine, lease_per_month=None)

    def per_year(price: Decimal) -> Decimal:
        purchase = Money(price, machine.purchase.currency)
        return own_figures(replace(bare, purchase=purchase), assumptions).per_year

    without = per_year(Decimal(0))
    slope = per_year(Decimal(1)) - without
    room = best.rent_per_year.expected.amount - without
    if room <= 0 or slope <= 0:
        return None
    return Money(round_money(room / slope), machine.purchase.currency)


def _workload_costs(
    plan: Plan,
    priced: _Owned | None,
    best: OfferComparison | None,
    hours: Decimal | None,
    assumptions: CostAssumptions,
) -> tuple[WorkloadCost, ...]:
    own_hour = None
    if priced is not None and hours:
        own_hour = Money(priced.figures.per_year / hours, assumptions.currency)
    rent_hour = None if best is None or not hours else _rent_hour(best, hours)
    costs = []
    for placement in plan.placements:
        machine_hours = machine_hours_per_run(placement, plan)
        per_run = _as_owned(placement.cost_per_run, machine_hours, priced, own_hour, assumptions)
        tokens = placement.workload.tokens_per_run
        costs.append(
            WorkloadCost(
                workload=placement.workload.name,
                runs_per_month=placement.workload.runs_per_month,
                own_per_run=per_run,
                own_per_million_tokens=None if per_run is None else cost_per_million_tokens(per_run, tokens),
                own_checkpoint=_checkpoint(machine_hours, own_hour, assumptions),
                rent_checkpoint=_checkpoint(machine_hours, rent_hour, assumptions),
            )
        )
    return tuple(costs)


def _as_owned(
    per_run: MoneyBand | None,
    machine_hours: Decimal | None,
    priced: _Owned | None,
    own_hour: Money | None,
    assumptions: CostAssumptions,
) -> MoneyBand | None:
    """The planner's cost of a run, which spreads the purchase price, under the lease where there is one.

    A run's expected cost is its hours' share of the year's. What its length adds or saves is energy and stays; with a
    stated utilisation it is whole hours, as in `plan_costs`.
    """
    leased = priced is not None and priced.machine.lease_per_month is not None
    if not leased or per_run is None or machine_hours is None or own_hour is None:
        return per_run
    expected = machine_hours * (1 + assumptions.failed_run_share) * own_hour.amount
    known = per_run.expected.amount
    whole_hours = assumptions.useful_hours_per_year is not None and known > 0

    def moved(end: Money) -> Money:
        amount = end.amount * expected / known if whole_hours else end.amount + expected - known
        return Money(round_money(amount), end.currency)

    return MoneyBand(moved(per_run.low), moved(per_run.expected), moved(per_run.high))


def _rent_hour(best: OfferComparison, hours: Decimal) -> Money:
    """Rent for one hour of the owned machine's work; a committed rent is spread over the work of the year."""
    rent = best.rent_per_year.expected
    return Money(rent.amount / hours, rent.currency)


def _checkpoint(
    machine_hours: Decimal | None, per_hour: Money | None, assumptions: CostAssumptions
) -> CheckpointCost | None:
    if machine_hours is None or per_hour is None:
        return None
    return validated_checkpoint(machine_hours, per_hour, assumptions)


def machine_hours_per_run(placement: Placement, plan: Plan) -> Decimal | None:
    """Expected hours of one run in hours of the whole machine, failed runs not counted."""
    if placement.hours_per_run is None:
        return None
    cards = exact(placement.layout.cards) if placement.mig is None else 1 / Decimal(placement.mig.instances)
    return exact(placement.hours_per_run.expected) * cards / plan.cards


def _present_value(priced: _Owned, best: OfferComparison, assumptions: CostAssumptions) -> PresentValue:
    # Interest is the discount rate here; counted as a cost as well it would be counted twice.
    without_interest = replace(assumptions, interest_per_year=Decimal(0))
    figures = own_figures(priced.machine, without_interest)
    running = figures.per_year - (figures.capital_per_year if figures.upfront else Decimal(0))
    flows = buying_against_renting(
        figures.upfront, figures.residual, running, best.rent_per_year.expected.amount, assumptions.years
    )
    interest = assumptions.interest_per_year
    return PresentValue(
        interest_per_year=interest,
        plain=Money(round_money(sum(flows, Decimal(0))), assumptions.currency),
        discounted=Money(round_money(net_present_value(flows, interest)), assumptions.currency),
    )


def _compute_prices(comparison: RentOrBuy, facts: Facts) -> tuple[ComputePrice, ...]:
    cheapest: dict[str, Decimal] = {}
    for entry in comparison.offers:
        if entry.offer.term is not RentalTerm.ON_DEMAND or len(entry.offer.card_ids) != 1:
            continue
        per_card = entry.rent_per_hour.amount / entry.match.cards
        card_id = entry.offer.card_ids[0]
        cheapest[card_id] = min(per_card, cheapest.get(card_id, per_card))
    ranked, _ = compute_prices(((facts.cards[card_id], price) for card_id, price in cheapest.items()), lambda _: True)
    return ranked


def _curve(figures: OwnFigures, best: OfferComparison) -> tuple[CurvePoint, ...]:
    committed = best.rent_per_year.expected.amount if best.committed else None
    return break_even_curve(figures, best.rent_per_owned_hour.expected.amount, committed_per_year=committed)


def _tornado(
    priced: _Owned | None,
    best: OfferComparison | None,
    scenario: Scenario,
    facts: Facts,
    economics: Economics,
    comparison: RentOrBuy | None,
) -> tuple[Swing, ...]:
    if priced is None or best is None or comparison is None:
        return ()
    case = Case(
        purchase=priced.machine.purchase,
        nameplate_w=priced.nameplate_w,
        useful_hours_per_year=priced.machine.useful_hours_per_year,
        offer=best.offer,
        match=best.match,
        assumptions=assumptions_in_force(economics, scenario, facts),
        rates=facts.rates,
        as_of=scenario.as_of,
        place=scenario.site.place,
        lease_per_month=priced.machine.lease_per_month,
    )
    return tornado(case, economics, _case_ranges(case, comparison, best))


LONG_HORIZON_YEARS = 5
"""Upper end of the useful lives the sources name (3 to 5 years)."""

TRIED_PRICE_SHARE = Decimal("0.10")
TRIED_LOAD_FACTOR = 2
"""What-if steps of the tornado, not forecasts: a tenth of the price either way, half and twice the load."""


def _case_ranges(case: Case, comparison: RentOrBuy, best: OfferComparison) -> Sequence[tuple[CaseInput, Range]]:
    price, hours = case.purchase.amount, case.useful_hours_per_year
    same = [entry.offer for entry in comparison.offers if entry.offer.card_ids == best.offer.card_ids]
    rents = [offer.middle for offer in _like(same, best.offer)]
    speed = best.match.speed
    ranges = [
        (CaseInput.PURCHASE_PRICE, Range(price * (1 - TRIED_PRICE_SHARE), price * (1 + TRIED_PRICE_SHARE))),
        (CaseInput.USEFUL_HOURS, Range(hours / TRIED_LOAD_FACTOR, min(hours * TRIED_LOAD_FACTOR, HOURS_PER_YEAR))),
        (CaseInput.RENT, Range(min(rents), max(rents))),
        (CaseInput.SPEED_RATIO, Range(exact(speed.low), exact(speed.high))),
        (CaseInput.HORIZON_YEARS, Range(Decimal(case.assumptions.years), Decimal(LONG_HORIZON_YEARS))),
    ]
    return [(name, tried) for name, tried in ranges if tried.low < tried.high]


def _like(offers: Sequence[RentalOffer], like: RentalOffer) -> Sequence[RentalOffer]:
    """Offers of the same currency and term: the market's own range."""
    return [offer for offer in offers if offer.currency == like.currency and offer.term is like.term]
