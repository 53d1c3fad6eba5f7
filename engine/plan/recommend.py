"""From a scenario and the catalogue's facts to a recommendation."""

from __future__ import annotations

from dataclasses import replace

from engine.errors import InvalidInputError
from engine.facts import Facts
from engine.plan.beyond import beyond_one_machine
from engine.plan.candidates import enumerate_candidates
from engine.plan.dominance import without_dominated
from engine.plan.judgement import Judge
from engine.plan.misses import nearest_first
from engine.plan.rank import Contender, best_of_each_card, in_order
from engine.plan.sharing import SharingJudge
from engine.plan.types import Plan, Recommendation, Rejection
from engine.plan.why import label, with_reasons
from engine.progress import Progress, silent
from engine.reasons import ReasonCode, reason
from engine.workload import Scenario


def recommend(scenario: Scenario, facts: Facts, progress: Progress = silent) -> Recommendation:
    """Plan every card in every machine in every count, and order what carries all workloads.

    `progress` is called before every candidate and may raise CancelledError. Raises InvalidInputError without a
    workload, or for a budget in another currency than the scenario's.
    """
    _check(scenario)
    field = enumerate_candidates(scenario, facts)
    judge = SharingJudge(scenario, facts) if scenario.serving else Judge(scenario, facts)
    contenders: list[Contender] = []
    unsure: list[Contender] = []
    rejected: list[Rejection] = []
    total = len(field.candidates)
    for done, candidate in enumerate(field.candidates):
        progress(done, total)
        judged = judge.judge(candidate)
        if isinstance(judged, Contender):
            contenders.append(judged)
        else:
            rejected.append(judged)
            possible = judge.unsure(candidate)
            if possible is not None:
                unsure.append(possible)
    progress(total, total)
    ordered, dominated = without_dominated(in_order(contenders, scenario))
    ranked = tuple(with_reasons(ordered, unsure, scenario))
    separate = separately(scenario, facts) if scenario.serving and scenario.workloads else None
    if ranked:
        ranked = (with_separate(ranked[0], separate), *ranked[1:])
    return Recommendation(
        scenario=scenario,
        chosen=ranked[0] if ranked else None,
        alternatives=best_of_each_card(ranked),
        ranked=ranked,
        rejected=nearest_first(field.rejected, [*rejected, *dominated]),
        separate=separate,
        beyond=() if ranked else beyond_one_machine(scenario, facts, field, rejected, lambda asked: best(asked, facts)),
    )


def best(scenario: Scenario, facts: Facts) -> Plan | None:
    """The plan that stands first; None where none carries everything."""
    return recommend(scenario, facts).chosen


def separately(scenario: Scenario, facts: Facts) -> tuple[Plan, Plan] | None:
    """The best machine for training alone and the best for serving alone; None when one of them has none."""
    training = best(replace(scenario, serving=()), facts)
    serving = best(replace(scenario, workloads=()), facts)
    return None if training is None or serving is None else (training, serving)


def with_separate(chosen: Plan, separate: tuple[Plan, Plan] | None) -> Plan:
    """The chosen plan, with the remark that two machines cost less where they do and every price is known."""
    if separate is None or any(plan.price.gaps for plan in (chosen, *separate)):
        return chosen
    training, serving = separate
    saving = chosen.price.priced.amount - training.price.priced.amount - serving.price.priced.amount
    if saving <= 0:
        return chosen
    two = reason(
        ReasonCode.TWO_MACHINES,
        other=f"{label(training)} + {label(serving)}",
        saving_amount=float(saving),
        currency=chosen.price.priced.currency,
    )
    return replace(chosen, reasons=(*chosen.reasons, two))


def _check(scenario: Scenario) -> None:
    if not scenario.workloads and not scenario.serving:
        raise InvalidInputError("Add at least one workload: a model, a method and a sequence length.")
    budget = scenario.budget
    if budget is not None and budget.currency != scenario.currency:
        raise InvalidInputError(
            "Budget: expected {expected}, got {given}.", expected=scenario.currency, given=budget.currency
        )
