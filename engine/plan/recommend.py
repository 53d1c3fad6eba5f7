"""From a scenario and the catalogue's facts to a recommendation."""

from __future__ import annotations

from dataclasses import replace

from engine.cost.assumptions import assumptions_in_force
from engine.cost.plan_costs import PlanCosts, RunLoad, plan_costs
from engine.cost.types import CostAssumptions
from engine.errors import InvalidInputError
from engine.facts import Facts
from engine.plan.candidates import Candidate, enumerate_candidates
from engine.plan.load import MONTH_H, MonthLoad, machine_share, month_load
from engine.plan.placement import Placed, Placer, placement_of
from engine.plan.purchase import PriceClass, Prices, Purchase
from engine.plan.rank import Contender, best_of_each_card, in_order, is_unchecked
from engine.plan.types import Placement, Plan, Recommendation, Rejection, Verdict
from engine.plan.why import with_reasons
from engine.progress import Progress, silent
from engine.reasons import Reason, ReasonCode, reason
from engine.units import FloatBand, Money
from engine.workload import Scenario


def recommend(scenario: Scenario, facts: Facts, progress: Progress = silent) -> Recommendation:
    """Plan every card in every machine in every count, and order what carries all workloads.

    `progress` is called before every candidate and may raise CancelledError. Raises InvalidInputError without a
    workload, or for a budget in another currency than the scenario's.
    """
    _check(scenario)
    field = enumerate_candidates(scenario, facts)
    desk = _Desk(scenario, facts)
    contenders: list[Contender] = []
    rejected = list(field.rejected)
    total = len(field.candidates)
    for done, candidate in enumerate(field.candidates):
        progress(done, total)
        judged = desk.judge(candidate)
        if isinstance(judged, Contender):
            contenders.append(judged)
        else:
            rejected.append(judged)
    progress(total, total)
    ranked = tuple(with_reasons(in_order(contenders, scenario), scenario))
    return Recommendation(
        scenario=scenario,
        chosen=ranked[0] if ranked else None,
        alternatives=best_of_each_card(ranked),
        ranked=ranked,
        rejected=tuple(rejected),
    )


class _Desk:
    """What is looked up once per scenario and used for every candidate."""

    def __init__(self, scenario: Scenario, facts: Facts) -> None:
        self._scenario = scenario
        self._placer = Placer(scenario, facts)
        self._prices = Prices(scenario, facts)
        self._assumptions: CostAssumptions | None = None
        if facts.economics is not None:
            self._assumptions = assumptions_in_force(facts.economics, scenario, facts)

    def judge(self, candidate: Candidate) -> Contender | Rejection:
        """Place, load, price and build the plan; or say why not."""
        placed = self._placer.place(candidate)
        if placed.objections:
            return _rejected(candidate, placed.objections, placed.nearest)
        loads = placed.loads
        month = None if loads is None else month_load(loads, candidate.cards)
        purchase = self._prices.purchase(candidate)
        objections = [*_overload(month), *self._over_budget(purchase)]
        if objections:
            return _rejected(candidate, tuple(objections), tuple(placement_of(choice) for choice in placed.choices))
        costs = self._costs(candidate, placed, purchase, month)
        plan = _plan(candidate, placed, purchase, month, costs)
        return Contender(
            plan=plan,
            price_class=purchase.price_class,
            unchecked=is_unchecked(plan),
            done_h=None if month is None else month.done_h.expected,
            cost_per_month=None if plan.cost_per_month is None else plan.cost_per_month.amount,
        )

    def _over_budget(self, purchase: Purchase) -> list[Reason]:
        budget = self._scenario.budget
        amount = purchase.least
        if budget is None or amount <= budget.amount:
            return []
        return [
            reason(
                ReasonCode.BUDGET,
                need_amount=float(amount),
                limit_amount=float(budget.amount),
                currency=budget.currency,
            )
        ]

    def _costs(
        self, candidate: Candidate, placed: Placed, purchase: Purchase, month: MonthLoad | None
    ) -> PlanCosts | None:
        """Ownership spread over the runs; None without a price for cards or machine, or without known times."""
        loads = placed.loads
        if self._assumptions is None or loads is None or month is None:
            return None
        if purchase.price_class is not PriceClass.COMPLETE:
            return None
        runs = [
            RunLoad(_scaled(load.hours, machine_share(load.option, candidate.cards)), load.workload.runs_per_month)
            for load in loads
        ]
        price = Money(purchase.price.ranking, self._scenario.currency)
        return plan_costs(price, candidate.power_w, runs, self._assumptions, month.busy_h.expected)


def _check(scenario: Scenario) -> None:
    if not scenario.workloads:
        raise InvalidInputError("Add at least one workload: a model, a method and a sequence length.")
    budget = scenario.budget
    if budget is not None and budget.currency != scenario.currency:
        raise InvalidInputError(
            "Budget: expected {expected}, got {given}.", expected=scenario.currency, given=budget.currency
        )


def _overload(month: MonthLoad | None) -> list[Reason]:
    if month is None or month.fits:
        return []
    return [reason(ReasonCode.LOAD, need_h=month.done_h.expected, limit_h=MONTH_H)]


def _plan(
    candidate: Candidate, placed: Placed, purchase: Purchase, month: MonthLoad | None, costs: PlanCosts | None
) -> Plan:
    placements = [placement_of(choice) for choice in placed.choices]
    if costs is not None and costs.per_run:
        placements = [
            replace(placement, cost_per_run=cost) for placement, cost in zip(placements, costs.per_run, strict=True)
        ]
    remarks = [*_utilisation(month), *candidate.remarks, *purchase.remarks]
    return Plan(
        card=candidate.card,
        cards=candidate.cards,
        system=candidate.system,
        power_cap_w=candidate.power_cap_w,
        bridging=candidate.bridging,
        placements=tuple(placements),
        verdict=_worst(placements),
        free_bytes=min(placement.free_bytes for placement in placements),
        price=purchase.price,
        power_w=candidate.power_w,
        monthly_hours=None if month is None else month.done_h,
        monthly_utilisation=None if month is None else month.utilisation,
        cost_per_month=None if costs is None else costs.per_month,
        reasons=tuple(remarks),
    )


def _worst(placements: list[Placement]) -> Verdict:
    order = list(Verdict)
    return max((placement.verdict for placement in placements), key=order.index)


def _utilisation(month: MonthLoad | None) -> list[Reason]:
    if month is None:
        return []
    return [
        reason(
            ReasonCode.UTILISATION,
            utilisation=month.utilisation.expected,
            need_h=month.done_h.expected,
            slow_h=month.done_h.high,
            limit_h=MONTH_H,
            nearly_full=int(month.nearly_full),
        )
    ]


def _rejected(candidate: Candidate, objections: tuple[Reason, ...], placements: tuple[Placement, ...]) -> Rejection:
    return Rejection(candidate.card, candidate.cards, candidate.system, objections, placements)


def _scaled(band: FloatBand, factor: float) -> FloatBand:
    return FloatBand(band.low * factor, band.expected * factor, band.high * factor)
