"""What the window says about a served model: requests at once, speed as a range with its basis, cost. No Qt."""

from __future__ import annotations

from engine.fit import Verdict
from engine.plan.types import Plan, Recommendation, ServingPlacement
from engine.reasons import Reason, ReasonCode
from engine.serving.speed import OperatingPoint, SpeedBasis
from engine.serving.summary import ServingSummary
from engine.serving.types import LoadKind
from engine.wording import numbers
from engine.wording.serving import (
    baseline_text,
    basis_text,
    engine_name,
    format_name,
    layout_text,
    lengths_text,
    load_text,
    rate_text,
)
from gui.texts import Texts

NamedText = tuple[str, str]


def at_once(placement: ServingPlacement) -> int:
    """Requests of mean length that all copies hold at once."""
    return placement.memory.sequences_mean * placement.layout.replicas


def at_once_text(placement: ServingPlacement, texts: Texts) -> str:
    """Requests of mean length at once, short."""
    return texts.gettext("{count} at once").format(count=texts.integer(at_once(placement)))


def requests_text(placement: ServingPlacement, texts: Texts) -> str:
    """Requests at once of mean length and, as the guarantee, of maximum length."""
    copies = placement.layout.replicas
    return texts.gettext("{mean} of mean length, {most} of maximum length").format(
        mean=texts.integer(at_once(placement)), most=texts.integer(placement.memory.sequences_max * copies)
    )


def main_point(placement: ServingPlacement) -> OperatingPoint | None:
    """The point of operation that matters: the planned load, or the full batch of a nightly job."""
    return None if placement.speed is None else placement.speed.planned or placement.speed.full


def point_name(placement: ServingPlacement, texts: Texts) -> str:
    """What the point that matters is called."""
    planned = placement.speed is not None and placement.speed.planned is not None
    return texts.gettext("Planned load") if planned else texts.gettext("Full batch")


def short_basis(point: OperatingPoint, texts: Texts) -> str:
    """What a range rests on, without the record."""
    _ = texts.gettext
    match point.basis:
        case SpeedBasis.MEASURED:
            return _("measured on this card")
        case SpeedBasis.SCALED:
            return _("scaled from a measurement on this card")
        case SpeedBasis.COMPUTED:
            return _("computed from the data sheet")


def point_text(point: OperatingPoint, texts: Texts) -> str:
    """A point of operation: all together, each user, how many at once, and the basis with its record."""
    return texts.gettext("{rate} in all, {each} per user at {users} at once; {basis}").format(
        rate=rate_text(point.tokens_per_s, texts.tr, texts.language),
        each=rate_text(point.tokens_per_s_per_user, texts.tr, texts.language),
        users=texts.integer(round(point.users)),
        basis=basis_text(point, texts.tr, texts.language),
    )


def verdict_text(placement: ServingPlacement | None, texts: Texts) -> str:
    """Verdict and requests at once."""
    if placement is None:
        return texts.gettext("not examined")
    word = texts.label(placement.verdict)
    return word if placement.verdict is Verdict.NO else f"{word}, {requests_text(placement, texts)}"


def summary_rows(summary: ServingSummary, texts: Texts) -> list[NamedText]:
    """Everything about a served model on a plan, one line each."""
    _ = texts.gettext
    placement = summary.placement
    setup = placement.workload.setup
    load = load_text(setup, texts.tr, texts.language)
    return [
        (_("Verdict"), texts.label(placement.verdict)),
        (_("Serving load"), f"{load}; {lengths_text(setup, texts.tr, texts.language)}"),
        (_("Weights and KV cache"), f"{format_name(setup.weights)} · {setup.cache.value.upper()}"),
        (_("Inference server"), engine_name(setup.engine)),
        (_("Serving layout"), layout_text(placement.layout, texts.tr)),
        (_("KV cache per token"), numbers.byte_count(placement.memory.bytes_per_token, texts.language)),
        (_("Requests at once"), requests_text(placement, texts)),
        *_point_rows(summary, texts),
        *_cost_rows(summary, texts),
    ]


def _point_rows(summary: ServingSummary, texts: Texts) -> list[NamedText]:
    _ = texts.gettext
    if summary.one_user is None or summary.full is None or summary.prefill_s is None:
        return [(_("Output tokens/s"), _("speed not stated"))]
    rows = [(_("One user"), point_text(summary.one_user, texts))]
    if summary.planned is not None:
        rows.append((_("Planned load"), point_text(summary.planned, texts)))
    rows.append((_("Full batch"), point_text(summary.full, texts)))
    bound = _("{seconds} (prompt computed alone)").format(seconds=texts.seconds(summary.prefill_s))
    rows.append((_("First token, lower bound"), bound))
    if summary.placement.night_h is not None:
        rows.append((_("Nightly job"), texts.hours_band(summary.placement.night_h)))
    return rows


def _cost_rows(summary: ServingSummary, texts: Texts) -> list[NamedText]:
    _ = texts.gettext
    rows: list[NamedText] = []
    placement, language = summary.placement, texts.language
    cost = placement.cost_per_million_tokens
    if cost is not None:
        template = _("{expected} ({low} to {high})")
        if placement.workload.setup.load.kind is LoadKind.USERS:
            template = _("{expected} ({low} to {high}), at {share} utilisation of {hours} a month")
        text = template.format(
            expected=numbers.money(cost.expected, language),
            low=numbers.money(cost.low, language),
            high=numbers.money(cost.high, language),
            share=texts.percent(placement.workload.utilisation),
            hours=texts.hours(placement.hours_per_month.expected),
        )
        rows.append((_("Million output tokens"), text))
    if summary.energy_kwh_per_million is not None:
        energy = numbers.with_unit(numbers.significant(summary.energy_kwh_per_million, language, 2), "kWh")
        rows.append((_("Energy per million"), _("{energy} at nameplate power").format(energy=energy)))
    return rows + [(_("Elsewhere"), baseline_text(entry, texts.tr, language)) for entry in summary.baselines]


def two_machines(plan: Plan) -> Reason | None:
    """The remark that a machine each for training and serving is the better answer; None when it is not."""
    return next((reason for reason in plan.reasons if reason.code is ReasonCode.TWO_MACHINES), None)


def task_names(recommendation: Recommendation) -> list[str]:
    """What is trained, then what is served: the columns of the heat map and the numbers of a selection."""
    scenario = recommendation.scenario
    return [*(row.name for row in scenario.workloads), *(row.name for row in scenario.serving)]
