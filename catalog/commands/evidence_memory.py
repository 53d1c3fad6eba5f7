"""`evidence`: estimated memory against published measurements and exact traces."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TextIO

from catalog.evidence import Evidence, as_json, load_measured, load_oracle
from catalog.load import load_catalog
from catalog.user_folder import user_folder
from engine.memory.evidence import Score
from engine.wording import numbers
from engine.wording.translator import Language
from resources import translations

PROMISED_MEDIAN = 0.08
UNMAPPED_SHOWN = 10


def report(measured: Path | None, oracle: Path | None, out: TextIO, language: Language, *, as_json_form: bool) -> int:
    """Print the score of the bundled measurements, of a file of measurements or of traces.

    1 when a scored out-of-memory run is called a fit, or the median error of all scored records is above the promise.
    Raises `FileFormatError` for a file that cannot be read.
    """
    models = load_catalog(user_folder()).facts.models
    evidence = load_measured(models, measured) if oracle is None else load_oracle(models, oracle)
    if as_json_form:
        json.dump(as_json(evidence), out, indent=1, ensure_ascii=False)
        out.write("\n")
    else:
        _print(evidence, language, out)
    return 0 if kept(evidence) else 1


def kept(evidence: Evidence) -> bool:
    """Whether the promised errors are kept over all scored records."""
    whole = next((score for score in evidence.scores if score.group == "all"), None)
    return not evidence.fits.false_fits and (whole is None or whole.median_error <= PROMISED_MEDIAN)


def _print(evidence: Evidence, language: Language, out: TextIO) -> None:
    tr = translations(language)
    out.write(
        tr.gettext("{records} records compared, {unmapped} not comparable.").format(
            records=numbers.integer(len(evidence.measurements), language),
            unmapped=numbers.integer(len(evidence.unmapped), language),
        )
        + "\n"
    )
    for score in evidence.scores:
        out.write(f"  {score.group:<32}{_line(score, language)}\n")
    fits = evidence.fits
    out.write(
        tr.gettext("Out of memory: {count} records, wrongly called a fit: {wrong}.").format(
            count=fits.out_of_memory, wrong=", ".join(fits.false_fits) or "0"
        )
        + "\n"
    )
    out.write(
        tr.gettext("Ran: {count} records, wrongly refused: {wrong}.").format(
            count=fits.ran, wrong=", ".join(fits.false_refusals) or "0"
        )
        + "\n"
    )
    for left in evidence.unmapped[:UNMAPPED_SHOWN]:
        out.write(f"  - {left.id}: {left.reason}\n")
    hidden = len(evidence.unmapped) - UNMAPPED_SHOWN
    if hidden > 0:
        out.write(
            "  "
            + tr.ngettext("and {count} more (--json lists all)", "and {count} more (--json lists all)", hidden).format(
                count=hidden
            )
            + "\n"
        )


def _line(score: Score, language: Language) -> str:
    tr = translations(language)
    return tr.gettext("{records} records, {sources} sources: median error {median}, within 20 %: {share}").format(
        records=score.records,
        sources=score.sources,
        median=numbers.percent(score.median_error, language, 1),
        share=numbers.percent(score.within_20_percent, language),
    )
