"""`evidence --speed`: computed training speeds against published ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, TextIO

from catalog.commands.evidence_listing import record_form, unscored_form, write_groups, write_unscored, write_worst
from catalog.load import load_catalog
from catalog.speed_evidence import score_speed
from catalog.user_folder import user_folder
from engine.speed.evidence import RecordScore, SpeedScore, Summary
from engine.wording.speed import unscored_text
from engine.wording.translator import Language
from resources import translations

SCHEMA = 1
PROMISED_MEDIAN, PROMISED_90, PROMISED_IN_BAND = 0.11, 0.35, 0.80


def report(path: Path | None, out: TextIO, language: Language, *, as_json: bool) -> int:
    """Print the score of the bundled records or of a file; 1 when the promised errors are not kept.

    Raises `FileFormatError` for a file that cannot be read.
    """
    result = score_speed(path, load_catalog(user_folder()).facts.models)
    if as_json:
        json.dump(score_document(result), out, indent=1, ensure_ascii=False)
        out.write("\n")
    else:
        _print(result, language, out)
    return 0 if kept(result) else 1


def kept(result: SpeedScore) -> bool:
    """Whether median error, nine-in-ten error and the share inside the printed bands are as promised."""
    overall = result.overall
    return (
        overall.median_error <= PROMISED_MEDIAN
        and overall.error_90 <= PROMISED_90
        and overall.inside_band >= PROMISED_IN_BAND
    )


def score_document(result: SpeedScore) -> dict[str, Any]:
    """The score as plain JSON data. Errors and shares are fractions, rates tokens/s per card."""
    return {
        "schema": SCHEMA,
        "overall": _summary(result.overall),
        "kept": kept(result),
        "by_source": {name: _summary(group) for name, group in result.by_family.items()},
        "by_stack": {name: _summary(group) for name, group in result.by_stack.items()},
        "by_method": {name: _summary(group) for name, group in result.by_method.items()},
        "never_used": None if result.never_used is None else _summary(result.never_used),
        "median_of_sources": result.median_of_families,
        "records": [_record(score) for score in result.scores],
        "context": [_record(score) for score in result.context],
        "unscored": unscored_form(result.unscored),
    }


def _summary(group: Summary) -> dict[str, Any]:
    return {
        "records": group.records,
        "median_error": round(group.median_error, 4),
        "error_80": round(group.error_80, 4),
        "error_90": round(group.error_90, 4),
        "worst_factor": round(group.worst_factor, 3),
        "inside_band": round(group.inside_band, 4),
    }


def _record(score: RecordScore) -> dict[str, Any]:
    form = record_form(score, score.record.family, score.record.tokens_per_s_per_card)
    return {**form, "source_left_out": score.left_out}


def _print(result: SpeedScore, language: Language, out: TextIO) -> None:
    tr = translations(language)
    out.write(tr.gettext("Tokens/s per card, computed against published; each source judged without itself:") + "\n")
    groups = {tr.gettext("all"): result.overall, **result.by_family, **result.by_stack, **result.by_method}
    if result.never_used is not None:
        groups[tr.gettext("never used for a fit")] = result.never_used
    write_groups(groups, tr, language, out)
    write_worst(result.scores, tr, language, out)
    write_unscored(result.unscored, unscored_text, tr, out)
