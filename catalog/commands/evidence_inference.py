"""`evidence --inference`: computed serving speeds and memory against published ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, TextIO

from catalog.commands.evidence_listing import record_form, unscored_form, write_groups, write_unscored, write_worst
from catalog.load import load_catalog
from catalog.serving_evidence import InferenceScore, score
from catalog.user_folder import user_folder
from engine.serving.evidence import RecordScore, SpeedScore, Summary
from engine.serving.evidence_memory import MemoryScore
from engine.wording import numbers
from engine.wording.serving import unscored_text
from engine.wording.translator import Language, Translator
from resources import translations

SCHEMA = 1
PROMISED_MEDIAN, PROMISED_90, PROMISED_IN_BAND = 0.16, 0.40, 0.80
PROMISED_POOL_MEDIAN = 0.03


def report(path: Path | None, out: TextIO, language: Language, *, as_json: bool) -> int:
    """Print the score of the bundled records or of a file; 1 when the promised errors are not kept.

    Raises `FileFormatError` for a file that cannot be read.
    """
    result = score(path, load_catalog(user_folder()).facts)
    if as_json:
        json.dump(score_document(result), out, indent=1, ensure_ascii=False)
        out.write("\n")
    else:
        _print(result, language, out)
    return 0 if kept(result) else 1


def kept(result: InferenceScore) -> bool:
    """Whether throughput and memory are met as promised, as far as there are records of them."""
    speed, memory = result.speed, result.memory
    if speed is not None:
        overall = speed.overall
        if overall.median_error > PROMISED_MEDIAN or overall.error_90 > PROMISED_90:
            return False
        if overall.inside_band < PROMISED_IN_BAND:
            return False
    if memory is None:
        return True
    exact = memory.per_token_within == memory.per_token_exact and memory.bounds_kept == memory.bounds
    return exact and (memory.pool_median is None or memory.pool_median <= PROMISED_POOL_MEDIAN)


def score_document(result: InferenceScore) -> dict[str, Any]:
    """The score as plain JSON data. Errors and shares are fractions, rates output tokens/s of the whole system."""
    return {
        "schema": SCHEMA,
        "kept": kept(result),
        "speed": None if result.speed is None else _speed(result.speed),
        "memory": None if result.memory is None else _memory(result.memory),
    }


def _speed(result: SpeedScore) -> dict[str, Any]:
    return {
        "weighted_by_source": _summary(result.overall),
        "weighted_by_record": _summary(result.by_record),
        "by_source": {name: _summary(group) for name, group in result.by_source.items()},
        "records": [_record(entry) for entry in result.scores],
        "unscored": unscored_form(result.unscored),
    }


def _summary(group: Summary) -> dict[str, Any]:
    return {
        "records": group.records,
        "median_error": round(group.median_error, 4),
        "error_90": round(group.error_90, 4),
        "within_40": round(group.within_40, 4),
        "inside_band": round(group.inside_band, 4),
        "bias": round(group.bias, 4),
    }


def _record(entry: RecordScore) -> dict[str, Any]:
    form = record_form(entry, entry.record.source, entry.record.tokens_per_s)
    return {**form, "scaled_from": entry.anchor_id or None}


def _memory(result: MemoryScore) -> dict[str, Any]:
    return {
        "bytes_per_token": {
            "records": result.per_token_exact,
            "within_1_percent": result.per_token_within,
            "upper_bounds": result.bounds,
            "upper_bounds_kept": result.bounds_kept,
            "details": [
                {
                    "id": entry.record.id,
                    "printed": round(entry.printed, 1),
                    "computed": entry.computed,
                    "bound": entry.record.bounds_only,
                }
                for entry in result.per_token
            ],
        },
        "cache_pool": {
            "records": len(result.pools),
            "median_error": None if result.pool_median is None else round(result.pool_median, 4),
            "worst_error": None if result.pool_worst is None else round(result.pool_worst, 4),
            "details": [
                {"id": pool.record.id, "printed_bytes": pool.printed, "computed_bytes": pool.computed}
                for pool in result.pools
            ],
        },
    }


def _print(result: InferenceScore, language: Language, out: TextIO) -> None:
    tr = translations(language)
    if result.memory is not None:
        _print_memory(result.memory, tr, language, out)
    if result.speed is not None:
        _print_speed(result.speed, tr, language, out)


def _print_memory(result: MemoryScore, tr: Translator, language: Language, out: TextIO) -> None:
    out.write(
        tr.gettext(
            "KV bytes per token: {within} of {records} start-up logs within 1 %; {kept} of {bounds} upper bounds kept "
            "(logs of one rank, tokens of the poorest)."
        ).format(
            within=result.per_token_within,
            records=result.per_token_exact,
            kept=result.bounds_kept,
            bounds=result.bounds,
        )
        + "\n"
    )
    if result.pool_median is None or result.pool_worst is None:
        return
    out.write(
        tr.gettext("KV pool: {records} logs with all settings, median error {median}, worst {worst}.").format(
            records=len(result.pools),
            median=numbers.percent(result.pool_median, language, 1),
            worst=numbers.percent(result.pool_worst, language, 1),
        )
        + "\n"
    )


def _print_speed(result: SpeedScore, tr: Translator, language: Language, out: TextIO) -> None:
    out.write(tr.gettext("Output tokens/s, computed against published; each source judged without itself:") + "\n")
    groups = {
        tr.gettext("every source alike"): result.overall,
        tr.gettext("every record alike"): result.by_record,
        **result.by_source,
    }
    write_groups(groups, tr, language, out)
    write_worst(result.scores, tr, language, out)
    write_unscored(result.unscored, unscored_text, tr, out)
