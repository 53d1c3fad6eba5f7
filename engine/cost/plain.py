"""Results of the cost side as plain JSON values: amounts as text with two decimals, shares and hours as numbers."""

from __future__ import annotations

from decimal import Decimal

from engine.cost.break_even import BreakEven, Payback
from engine.cost.compare import PresentValue, RentOrBuyReport, WorkloadCost
from engine.cost.decision import Decision
from engine.cost.offers import OfferComparison
from engine.cost.ownership import Ownership
from engine.cost.procurement import BenchmarkStep, ProviderQuestion
from engine.cost.rent import RentOrBuy
from engine.cost.results import CheckpointCost
from engine.cost.sensitivity import CostOverTime, CurvePoint, Swing
from engine.cost.services import ApiComparison
from engine.cost.types import CostAssumptions, EconomicsKey
from engine.facts import Facts
from engine.units import Money, MoneyBand

SCHEMA = 1

Plain = dict[str, object]


def report_form(report: RentOrBuyReport, facts: Facts) -> Plain:
    """The whole report, schema 1."""
    plan = report.plan
    comparison = report.comparison
    return {
        "schema": SCHEMA,
        "currency": report.currency,
        "as_of": report.as_of.isoformat(),
        "plan": None
        if plan is None
        else {"card": plan.card.id, "cards": plan.cards, "system": plan.system.id, "power_w": plan.power_w},
        "useful_hours_per_year": _number(report.useful_hours_per_year),
        "price": {
            "complete": report.price_is_complete,
            "uses_stand_ins": report.price_uses_stand_ins,
            "break_even_price": money_form(report.break_even_price),
        },
        "decision": _decision(report.decision),
        "ownership": None if report.ownership is None else ownership_form(report.ownership),
        "break_even": break_even_form(report),
        "workloads": [_workload(cost) for cost in report.workloads],
        "offers": [] if comparison is None else [offer_form(entry) for entry in comparison.offers],
        "left_out": [] if comparison is None else _left_out(comparison),
        "apis": [] if comparison is None else [_api(entry) for entry in comparison.apis],
        "present_value": None if report.present_value is None else _present_value(report.present_value),
        "per_tflop_hour": [
            {"card": entry.card_id, "price": float(round(entry.per_tflop_hour, 6)), "tflops": float(entry.tflops)}
            for entry in report.compute_prices
        ],
        "tornado": [_swing(swing) for swing in report.tornado],
        "over_time": None if report.over_time is None else _over_time(report.over_time),
        "curve": [_curve_point(point) for point in report.curve],
        "assumptions": assumptions_form(report.assumptions, report, facts),
        "notes": [] if facts.economics is None else [note.value for note in facts.economics.notes],
        "provider_questions": [question.value for question in ProviderQuestion],
        "benchmark_plan": [step.value for step in BenchmarkStep],
    }


def ownership_form(statement: Ownership) -> Plain:
    """An ownership statement; the lines add up to the sums to the cent."""
    return {
        "purchase": money_form(statement.purchase),
        "years": statement.years,
        "useful_hours_per_year": _number(statement.useful_hours_per_year),
        "lines": [
            {
                "kind": line.kind.value,
                "per_year": money_form(line.per_year),
                "over_horizon": money_form(line.over_horizon),
                "included": line.kind not in statement.not_included,
            }
            for line in statement.lines
        ],
        "per_year": money_form(statement.per_year),
        "over_horizon": money_form(statement.over_horizon),
        "fixed_per_year": money_form(statement.fixed_per_year),
        "variable_per_year": money_form(statement.variable_per_year),
        "per_useful_hour": money_form(statement.per_useful_hour),
        "energy_kwh_per_year": _number(statement.energy_kwh_per_year),
        "co2_kg_per_year": _number(statement.co2_kg_per_year),
        "not_included": [kind.value for kind in statement.not_included],
        "beyond_life": statement.beyond_life,
    }


def break_even_form(report: RentOrBuyReport) -> Plain | None:
    """The break-even against the best offer; None when there is none."""
    comparison = report.comparison
    best = None if comparison is None else comparison.decision.best_offer
    if best is None or best.break_even is None or best.payback is None:
        return None
    return {
        "offer": best.offer.id,
        "provider": best.offer.provider,
        **_break_even(best.break_even),
        "payback": _payback(best.payback),
        "table": [
            {
                "utilisation": _number(row.utilisation),
                "own_per_hour": money_form(row.own_per_hour),
                "rent_per_hour": money_form(row.rent_per_hour),
                "buying_is_cheaper": row.buying_is_cheaper,
            }
            for row in best.table
        ],
    }


def offer_form(entry: OfferComparison) -> Plain:
    """One offer with its topology, price origin, and what it would cost."""
    offer = entry.offer
    return {
        "id": offer.id,
        "provider": offer.provider,
        "card": offer.card_name,
        "cards": entry.match.cards,
        "machines": entry.match.machines,
        "proven": entry.match.proven,
        "region": offer.region or None,
        "shape": offer.shape or None,
        "form": None if offer.form is None else offer.form.value,
        "link": None if offer.link is None else offer.link.value,
        "network_gbit_per_s": offer.network_gbit_per_s,
        "term": offer.term.value,
        "price_per_card_hour": {"low": str(offer.low), "high": str(offer.high), "currency": offer.currency},
        "as_of": offer.as_of,
        "age": entry.age.value,
        "source": offer.source.title,
        "grade": offer.grade.value,
        "note": offer.note,
        "contradicts": list(offer.contradicts),
        "exchange_rate": None
        if entry.rate is None
        else {
            "base": entry.rate.base,
            "quote": entry.rate.quote,
            "rate": str(entry.rate.rate),
            "as_of": entry.rate.as_of.isoformat(),
        },
        "speed": {
            "low": entry.match.speed.low,
            "expected": entry.match.speed.expected,
            "high": entry.match.speed.high,
            "basis": entry.match.basis.value,
        },
        "rent_per_hour": money_form(entry.rent_per_hour),
        "rent_per_owned_hour": money_band_form(entry.rent_per_owned_hour),
        "rent_per_year": money_band_form(entry.rent_per_year),
        "interruptible": entry.interruptible,
        "committed": entry.committed,
        "enough_hours": entry.enough_hours,
        "buying_is_cheaper": entry.buying_is_cheaper,
        "break_even": None if entry.break_even is None else _break_even(entry.break_even),
        "payback": None if entry.payback is None else _payback(entry.payback),
    }


def assumptions_form(assumptions: CostAssumptions, report: RentOrBuyReport, facts: Facts) -> list[Plain]:
    """Every assumption with its value in force, origin and whether the customer entered it."""
    overrides = report.scenario.ownership.overrides
    defaults = {} if facts.economics is None else facts.economics.assumptions
    rows: list[Plain] = []
    for key in EconomicsKey:
        given, default = overrides.get(key), defaults.get(key)
        if given is None and default is None:
            continue
        rows.append(
            {
                "key": key.value,
                "value": str(given) if given is not None or default is None else str(default.figure.value),
                "entered": given is not None,
                "unit": "" if default is None else default.figure.unit,
                "source": "" if default is None or given is not None else default.figure.source.title,
                "date": "" if default is None or given is not None else default.figure.source.document_date,
                "grade": None if default is None or given is not None else default.figure.grade.value,
                "basis": "entered" if given is not None or default is None else default.figure.basis.value,
                "note": "" if default is None else default.figure.note,
            }
        )
    if assumptions.rate is not None:
        rate = assumptions.rate
        rows.append(
            {
                "key": "exchange_rate",
                "value": str(rate.rate),
                "entered": False,
                "unit": f"{rate.quote}/{rate.base}",
                "source": rate.source.title,
                "date": rate.as_of.isoformat(),
                "grade": rate.grade.value,
                "basis": "published",
                "note": "",
            }
        )
    return rows


def _decision(decision: Decision) -> Plain:
    best, api = decision.best_offer, decision.best_api
    return {
        "verdict": decision.verdict.value,
        "reasons": [
            {
                "code": reason.code.value,
                "values": {
                    key: _number(value) if isinstance(value, Decimal) else value for key, value in reason.values
                },
            }
            for reason in decision.reasons
        ],
        "own_per_year": money_form(decision.own_per_year),
        "rent_per_year": money_form(decision.rent_per_year),
        "api_per_year": money_form(decision.api_per_year),
        "best_offer": None if best is None else best.offer.id,
        "best_api": None if api is None else api.provider,
    }


def _left_out(comparison: RentOrBuy) -> list[Plain]:
    return [{"id": entry.offer.id, "why": entry.why} for entry in comparison.left_out]


def _api(entry: ApiComparison) -> Plain:
    return {
        "provider": entry.provider,
        "entered": entry.entered,
        "per_year": money_form(entry.per_year),
        "tiers": [
            {
                "id": tier.id,
                "per_million_tokens": str(tier.per_million_tokens),
                "currency": tier.currency,
                "as_of": tier.as_of,
                "source": tier.source.title,
                "grade": tier.grade.value,
            }
            for tier in entry.tiers
        ],
    }


def _workload(cost: WorkloadCost) -> Plain:
    return {
        "name": cost.workload,
        "runs_per_month": str(cost.runs_per_month),
        "own_per_run": money_band_form(cost.own_per_run),
        "own_per_million_tokens": money_band_form(cost.own_per_million_tokens),
        "own_per_validated_checkpoint": _checkpoint(cost.own_checkpoint),
        "rent_per_validated_checkpoint": _checkpoint(cost.rent_checkpoint),
    }


def _checkpoint(cost: CheckpointCost | None) -> Plain | None:
    if cost is None:
        return None
    return {
        "runs": _number(cost.runs),
        "compute": money_form(cost.compute),
        "recovery": money_form(cost.recovery),
        "storage": money_form(cost.storage),
        "transfer": money_form(cost.transfer),
        "orchestration": money_form(cost.orchestration),
        "total": money_form(cost.total),
    }


def _present_value(value: PresentValue) -> Plain:
    return {
        "interest_per_year": _number(value.interest_per_year),
        "plain": money_form(value.plain),
        "discounted": money_form(value.discounted),
    }


def _swing(swing: Swing) -> Plain:
    return {
        "input": swing.key.value,
        "low": str(swing.low_value),
        "high": str(swing.high_value),
        "saving_at_low": money_form(swing.saving_at_low),
        "saving_at_high": money_form(swing.saving_at_high),
        "flips": swing.flips,
    }


def _over_time(series: CostOverTime) -> Plain:
    return {
        "crossing_month": series.crossing_month,
        "points": [
            {"month": point.month, "owning": money_form(point.owning), "renting": money_form(point.renting)}
            for point in series.points
        ],
    }


def _curve_point(point: CurvePoint) -> Plain:
    return {
        "utilisation": _number(point.utilisation),
        "own_per_hour": money_form(point.own_per_hour),
        "rent_per_hour": money_form(point.rent_per_hour),
    }


def _break_even(found: BreakEven) -> Plain:
    return {
        "status": found.status.value,
        "hours_per_year": _number(found.hours_per_year),
        "utilisation": _number(found.utilisation),
    }


def _payback(found: Payback) -> Plain:
    return {
        "status": found.status.value,
        "useful_hours": _number(found.useful_hours),
        "months": _number(found.months),
    }


def money_form(money: Money | None) -> Plain | None:
    """An amount rounded to the cent."""
    return None if money is None else {"amount": str(money.rounded().amount), "currency": money.currency}


def money_band_form(band: MoneyBand | None) -> Plain | None:
    """An amount with its uncertainty, rounded to the cent."""
    if band is None:
        return None
    return {
        "low": str(band.low.rounded().amount),
        "expected": str(band.expected.rounded().amount),
        "high": str(band.high.rounded().amount),
        "currency": band.expected.currency,
    }


def _number(value: Decimal | None) -> float | None:
    return None if value is None else float(value)
