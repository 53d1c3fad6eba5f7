"""The public JSON form of a recommendation; ids are the catalogue's, sizes whole bytes, money strings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from catalog.commands.edition_form import edition_form
from catalog.commands.plain import plain
from catalog.commands.serving_form import serving_form
from engine.compare import compare_cards
from engine.cost.compare import compare
from engine.cost.plain import break_even_form, money_band_form, money_form, ownership_form
from engine.editions import compared_cards
from engine.facts import Facts
from engine.methods import Sharding
from engine.plan.types import Placement, Plan, PlanPrice, Recommendation, Rejection
from engine.reasons import Reason
from engine.speed.types import Calibration, OwnRun
from engine.units import FloatBand
from engine.wording.filling import Reader
from engine.wording.own_runs import peak_text
from engine.wording.reasons import sentence

SCHEMA = 1

Form = dict[str, Any]


def as_json(recommendation: Recommendation, facts: Facts, words: Reader) -> Form:
    """Recommendation, alternatives, what leads beyond one machine, rejections, workloads and editions.

    Messages are in the words of `words`.
    """
    chosen = recommendation.chosen
    cards = compared_cards(facts, None if chosen is None else chosen.card)
    return {
        "schema": SCHEMA,
        "recommendation": None if chosen is None else _priced(chosen, recommendation, facts, words),
        "alternatives": [_priced(plan, recommendation, facts, words) for plan in recommendation.alternatives],
        "beyond": [
            {"code": reason.code.value, **dict(reason.values), "message": say(reason, words)}
            for reason in recommendation.beyond
        ],
        "rejected": [_rejection(rejection, words) for rejection in recommendation.rejected],
        "workloads": [] if chosen is None else [placement_form(placement, words) for placement in chosen.placements],
        "test_runs": [test_run_form(run, words) for run in recommendation.scenario.calibrations],
        "editions": edition_form(compare_cards(cards, {}, facts, recommendation), words),
    }


def _priced(plan: Plan, recommendation: Recommendation, facts: Facts, words: Reader) -> Form:
    """A plan with what owning it costs and when buying it pays against the best rent."""
    report = compare(recommendation, facts, plan)
    return {
        **plan_form(plan, words),
        "ownership": None if report.ownership is None else ownership_form(report.ownership),
        "break_even": break_even_form(report),
    }


def plan_form(plan: Plan, words: Reader) -> Form:
    """One plan."""
    return {
        "card": plan.card.id,
        "edition": plan.card.name,
        "cards": plan.cards,
        "system": plan.system.id,
        "bridge": None
        if plan.bridging is None
        else {"size": plan.bridging.size, "count": plan.bridging.count, "islands": plan.bridging.islands},
        "sharding": _sharding(plan),
        "verdict": plan.verdict.value,
        "free_bytes": plan.free_bytes,
        "price": _price(plan.price),
        "power_w": plan.power_w,
        "power_cap_w": plan.power_cap_w,
        "monthly_utilisation": _band(plan.monthly_utilisation),
        "cost_per_month": money_form(plan.cost_per_month),
        "reasons": [{"code": reason.code.value, "message": say(reason, words)} for reason in plan.reasons],
        "workloads": [placement_form(placement, words) for placement in plan.placements],
        "serving": [serving_form(served, words) for served in plan.serving],
        "would_fit": [_change(item, words) for item in plan.would_fit],
    }


def placement_form(placement: Placement, words: Reader) -> Form:
    """One workload on one plan."""
    workload, required = placement.workload, placement.estimate.required
    return {
        "name": workload.name,
        "model": workload.model.id,
        "method": workload.recipe.method.value,
        "recipe": workload.recipe.states.value,
        "sequence_length": workload.sequence_length,
        "micro_batch": placement.micro_batch,
        "cards": placement.layout.cards,
        "sharding": placement.layout.sharding.value,
        "mig": None if placement.mig is None else placement.mig.name,
        "runs_in_parallel": placement.runs_in_parallel,
        "verdict": placement.verdict.value,
        "required_bytes": {"low": required.low, "expected": required.expected, "high": required.high},
        "usable_bytes": placement.capacity_bytes,
        "free_bytes": placement.free_bytes,
        "step_seconds": None if placement.step is None else _band(placement.step.total_s),
        "tokens_per_second": _band(placement.tokens_per_second),
        "hours_per_run": _band(placement.hours_per_run),
        "cost_per_run": money_band_form(placement.cost_per_run),
        "speed_notes": [] if placement.step is None else [note.value for note in placement.step.notes],
        "calibration": calibration_form(None if placement.step is None else placement.step.calibration),
        "reasons": [{"code": reason.code.value, "message": say(reason, words)} for reason in placement.reasons],
    }


def calibration_form(run: Calibration | None) -> Form | None:
    """The customer's own test run that moved the times."""
    if run is None:
        return None
    return {
        "run": run.name,
        "alike": run.alike,
        "measured_tokens_per_second": run.measured_tokens_per_s,
        "modelled_tokens_per_second": run.modelled_tokens_per_s,
    }


def peak_lines(runs: Iterable[OwnRun], words: Reader) -> Iterator[str]:
    """The memory the customer measured, beside the estimates of the same runs."""
    for run in runs:
        if run.peak is not None:
            yield f"{run.name}: {peak_text(run.peak, words.tr, words.language)}"


def test_run_form(run: OwnRun, words: Reader) -> Form:
    """A test run of the customer's with what the model says for the same run."""
    peak = run.peak
    return {
        "name": run.name,
        "measured_tokens_per_second": run.measured_tokens_per_s,
        "modelled_tokens_per_second": run.modelled_tokens_per_s,
        "peak": None
        if peak is None
        else {
            "reading": peak.reading.value,
            "measured_bytes": peak.measured_bytes,
            "estimated_bytes": plain(peak.estimated),
            "side": peak.side.value,
            "message": peak_text(peak, words.tr, words.language),
        },
    }


def _rejection(rejection: Rejection, words: Reader) -> Form:
    return {
        "card": rejection.card.id,
        "cards": rejection.cards,
        "system": None if rejection.system is None else rejection.system.id,
        "reason": rejection.reasons[0].code.value,
        "reasons": [reason.code.value for reason in rejection.reasons],
        "message": " ".join(say(reason, words) for reason in rejection.reasons),
        "would_fit": [_change(item, words) for item in rejection.would_fit],
    }


def _change(item: Reason, words: Reader) -> Form:
    """A change that would help: what it is, the bytes per card that it saves, and whether it suffices."""
    return {"code": item.code.value, **dict(item.values), "message": say(item, words)}


def _sharding(plan: Plan) -> str:
    """The widest sharding any workload of the plan uses; none where it only serves."""
    if not plan.placements:
        return Sharding.NONE.value
    widest = max(plan.placements, key=lambda placement: placement.layout.cards)
    return widest.layout.sharding.value


def _price(price: PlanPrice) -> Form:
    return {
        "net": str(price.priced.rounded().amount) if price.priced.amount else None,
        "currency": price.priced.currency,
        "basis": price.basis.value,
        "on_request": list(price.gaps),
    }


def _band(band: FloatBand | None) -> Form | None:
    return None if band is None else {"low": band.low, "expected": band.expected, "high": band.high}


def say(reason: Reason, words: Reader) -> str:
    """A reason as a sentence, ids by their names."""
    return sentence(reason, words.tr, words.language, words.names)
