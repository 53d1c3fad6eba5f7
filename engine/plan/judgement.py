"""Judges a candidate: placed, loaded, priced and costed it is a plan, or it is rejected with the reason."""

from __future__ import annotations

from engine.cost.assumptions import assumptions_in_force
from engine.cost.plan_costs import PlanCosts, plan_costs
from engine.cost.types import CostAssumptions
from engine.facts import Facts
from engine.fit import SAFEST_FIRST, Verdict
from engine.plan.candidates import Candidate
from engine.plan.host import host_remarks
from engine.plan.load import MONTH_H, MonthLoad
from engine.plan.placement import Placed, Placer
from engine.plan.purchase import PriceClass, Purchase, prices_for
from engine.plan.rank import Contender, is_unchecked
from engine.plan.types import Placement, Plan, Rejection
from engine.reasons import Reason, ReasonCode, reason
from engine.units import Money, MoneyBand
from engine.workload import Scenario


class Judge:
    """Judges the candidates of one scenario; not shared between threads."""

    def __init__(self, scenario: Scenario, facts: Facts) -> None:
        self._scenario = scenario
        self._prices = prices_for(scenario, facts)
        self._assumptions: CostAssumptions | None = None
        if facts.economics is not None:
            self._assumptions = assumptions_in_force(facts.economics, scenario, facts)
        known = self._assumptions
        failed = None if known is None else float(known.failed_run_share)
        self._waiting_per_hour = None if known is None else known.waiting_per_hour
        self._placer = Placer(scenario, facts, failed)

    def judge(self, candidate: Candidate) -> Contender | Rejection:
        """Place, load, price and build the plan; or say why not."""
        placed = self._placer.place(candidate)
        if placed.objections:
            return _rejected(candidate, placed.objections, placed)
        month = placed.month
        purchase = self._prices.purchase(candidate)
        objections = [*_overload(month), *self._over_budget(purchase)]
        if objections:
            return _rejected(candidate, tuple(objections), placed)
        return self._contender(candidate, placed, purchase, month)

    def unsure(self, candidate: Candidate) -> Contender | None:
        """The plan that a rejected candidate would be if only the high end of a memory estimate stood against it.

        It is never ranked; it shows what a cheaper choice would cost in time. None in every other case.
        """
        placed = self._placer.place(candidate)
        month = placed.month
        if not placed.uncertain or month is None:
            return None
        purchase = self._prices.purchase(candidate)
        if not month.fits or self._over_budget(purchase):
            return None
        return self._contender(candidate, placed, purchase, month)

    def _contender(
        self, candidate: Candidate, placed: Placed, purchase: Purchase, month: MonthLoad | None
    ) -> Contender:
        costs = self._costs(candidate, placed, purchase, month)
        plan = build_plan(candidate, placed, purchase, month, costs)
        return Contender(
            plan=plan,
            price_class=purchase.price_class,
            unchecked=is_unchecked(plan),
            done_h=None if month is None else month.done_h.expected,
            cost_per_month=None if plan.cost_per_month is None else plan.cost_per_month.amount,
            waiting_per_hour=self._waiting_per_hour,
        )

    def _over_budget(self, purchase: Purchase) -> list[Reason]:
        budget = self._scenario.budget
        if budget is None:
            return []
        amount = purchase.least
        if amount <= budget.amount:
            if purchase.price_class is not PriceClass.WITHOUT_CARDS:
                return []
            limit = float(budget.amount)
            return [reason(ReasonCode.BUDGET_UNPROVEN, limit_amount=limit, currency=budget.currency)]
        return [
            reason(
                ReasonCode.BUDGET,
                need_amount=float(amount),
                limit_amount=float(budget.amount),
                currency=budget.currency,
                stand_ins=int(bool(purchase.price.gaps)),
            )
        ]

    def _costs(
        self, candidate: Candidate, placed: Placed, purchase: Purchase, month: MonthLoad | None
    ) -> PlanCosts | None:
        """Ownership spread over the runs; None without a price for cards or machine, or without known times."""
        if self._assumptions is None or placed.loads is None or month is None:
            return None
        if purchase.price_class is not PriceClass.COMPLETE:
            return None
        price = Money(purchase.price.ranking, self._scenario.currency)
        return plan_costs(price, candidate.power_w, placed.runs, self._assumptions, month.busy_h.expected)


def _overload(month: MonthLoad | None) -> list[Reason]:
    if month is None or month.fits:
        return []
    return [reason(ReasonCode.LOAD, need_h=month.done_h.expected, limit_h=MONTH_H)]


def build_plan(
    candidate: Candidate, placed: Placed, purchase: Purchase, month: MonthLoad | None, costs: PlanCosts | None
) -> Plan:
    """The plan of what was placed, loaded, priced and costed; a plan that only serves has no placement."""
    placements = list(placed.placements)
    if costs is not None and costs.per_run:
        placements = [with_cost(placement, cost) for placement, cost in zip(placements, costs.per_run, strict=True)]
    host = [
        remark
        for choice in placed.choices
        if choice.sized.estimate.host_high
        for remark in host_remarks(choice.sized, candidate.system, choice.workload.name)
    ]
    remarks = dict.fromkeys([*_utilisation(month), *candidate.remarks, *host, *purchase.remarks])
    return Plan(
        card=candidate.card,
        cards=candidate.cards,
        system=candidate.system,
        power_cap_w=candidate.power_cap_w,
        bridging=candidate.bridging,
        placements=tuple(placements),
        verdict=_worst(placements),
        free_bytes=min((placement.free_bytes for placement in placements), default=0),
        price=purchase.price,
        power_w=candidate.power_w,
        monthly_hours=None if month is None else month.done_h,
        monthly_utilisation=None if month is None else month.utilisation,
        cost_per_month=None if costs is None else costs.per_month,
        reasons=tuple(remarks),
    )


def with_cost(placement: Placement, cost: MoneyBand) -> Placement:
    """The placement with what a run costs. Written out: it is made a thousand times while a slider moves."""
    return Placement(
        workload=placement.workload,
        layout=placement.layout,
        micro_batch=placement.micro_batch,
        estimate=placement.estimate,
        capacity_bytes=placement.capacity_bytes,
        verdict=placement.verdict,
        free_bytes=placement.free_bytes,
        mig=placement.mig,
        runs_in_parallel=placement.runs_in_parallel,
        step=placement.step,
        tokens_per_second=placement.tokens_per_second,
        hours_per_run=placement.hours_per_run,
        cost_per_run=cost,
        reasons=placement.reasons,
    )


def _worst(placements: list[Placement]) -> Verdict:
    return max((placement.verdict for placement in placements), key=SAFEST_FIRST.index, default=Verdict.FITS)


def _utilisation(month: MonthLoad | None) -> list[Reason]:
    if month is None:  # without a time neither load nor deadline could be judged
        return [reason(ReasonCode.NOT_CHECKED, figure="hours_per_run")]
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


def _rejected(candidate: Candidate, objections: tuple[Reason, ...], placed: Placed) -> Rejection:
    return Rejection(candidate.card, candidate.cards, candidate.system, objections, placed.placements)
