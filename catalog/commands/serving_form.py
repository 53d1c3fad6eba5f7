"""A served model as plain JSON data and as lines of text, for every command that shows one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.plan.types import ServingPlacement
from engine.serving.speed import OperatingPoint
from engine.serving.summary import memory_parts
from engine.units import FloatBand, MoneyBand
from engine.wording import labels, numbers
from engine.wording.filling import Reader
from engine.wording.reasons import sentence
from engine.wording.serving import layout_text, load_text, note_text, rate_text

Form = dict[str, Any]


def serving_form(placement: ServingPlacement, words: Reader) -> Form:
    """The public JSON form; sizes in whole bytes, rates in output tokens/s."""
    workload, memory, layout, speed = placement.workload, placement.memory, placement.layout, placement.speed
    setup = workload.setup
    return {
        "name": workload.name,
        "model": {"id": setup.model.id, "parameters": setup.model.parameters},
        "engine": setup.engine.value,
        "weights": setup.weights.value,
        "cache": setup.cache.value,
        "load": setup.load.kind.value,
        "verdict": placement.verdict.value,
        "cards": placement.cards,
        "mig": None if placement.mig is None else placement.mig.name,
        "sharing": None if placement.sharing is None else placement.sharing.value,
        "layout": {"replicas": layout.replicas, "pipeline": layout.pipeline, "tensor": layout.tensor},
        "per_card": {f"{part}_bytes": size for part, size in memory_parts(memory.card)},
        "usable_bytes": memory.usable_bytes,
        "free_bytes": placement.free_bytes,
        "kv_bytes_per_token": memory.bytes_per_token,
        "kv_bytes_per_token_and_card": memory.card_bytes_per_token,
        "state_bytes_per_sequence": memory.state_bytes,
        "kv_tokens": memory.cache_tokens,
        "sequences_at_mean_length": memory.sequences_mean * layout.replicas,
        "sequences_at_maximum_length": memory.sequences_max * layout.replicas,
        "max_sequences": memory.max_sequences,
        "starts": memory.starts,
        "problems": [problem.value for problem in memory.problems],
        "speed": None
        if speed is None
        else {
            "one_user": _point(speed.one_user),
            "planned": None if speed.planned is None else _point(speed.planned),
            "full_batch": _point(speed.full),
            "prefill_lower_bound_s": speed.prefill_s,
            "prefill_longest_lower_bound_s": speed.prefill_longest_s,
        },
        "hours_per_month": _band(placement.hours_per_month),
        "tokens_per_month": None if placement.tokens_per_month is None else _band(placement.tokens_per_month),
        "utilisation": workload.utilisation,
        "night_hours": None if placement.night_h is None else _band(placement.night_h),
        "cost_per_million_tokens": _money(placement.cost_per_million_tokens),
        "notes": [] if speed is None else [note_text(note, words.tr) for note in speed.notes],
        "reasons": [
            {"code": reason.code.value, "message": sentence(reason, words.tr, words.language, words.names)}
            for reason in placement.reasons
        ],
    }


def serving_lines(placement: ServingPlacement, words: Reader) -> Iterator[str]:
    """Name and verdict, then load, layout, room and rates, then the reasons."""
    tr, language = words.tr, words.language
    memory, layout, speed = placement.memory, placement.layout, placement.speed
    setup = placement.workload.setup
    yield f"{placement.workload.name}: {labels.label(placement.verdict, tr)}"
    yield f"- {load_text(setup, tr, language)}; {layout_text(layout, tr)}"
    room = tr.gettext("{mean} of mean length, {most} of maximum length").format(
        mean=numbers.integer(memory.sequences_mean * layout.replicas, language),
        most=numbers.integer(memory.sequences_max * layout.replicas, language),
    )
    yield f"- {tr.gettext('Requests at once')}: {room}"
    rate = tr.gettext("speed not stated") if speed is None else rate_text(speed.full.tokens_per_s, tr, language)
    yield f"- {tr.gettext('Full batch')}: {rate}"
    if placement.cost_per_million_tokens is not None:
        cost = numbers.money(placement.cost_per_million_tokens.expected, language)
        yield f"- {tr.gettext('Million output tokens')}: {cost}"
    for reason in placement.reasons:
        yield f"- {sentence(reason, tr, language, words.names)}"


def _point(point: OperatingPoint) -> Form:
    return {
        "users": point.users,
        "tokens_per_s": _band(point.tokens_per_s),
        "tokens_per_s_per_user": _band(point.tokens_per_s_per_user),
        "basis": point.basis.value,
        "record": None if point.record is None else point.record.record_id,
        "source": None if point.record is None else point.record.source.id,
    }


def _band(band: FloatBand) -> dict[str, float]:
    return {"low": round(band.low, 3), "expected": round(band.expected, 3), "high": round(band.high, 3)}


def _money(band: MoneyBand | None) -> Form | None:
    if band is None:
        return None
    return {
        "low": str(band.low.amount),
        "expected": str(band.expected.amount),
        "high": str(band.high.amount),
        "currency": band.expected.currency,
    }
