"""The inference advice of a published buyer's guide, recomputed on the catalogue's facts and prices."""

from __future__ import annotations

import datetime
from typing import TextIO

from catalog.load import load_catalog
from catalog.user_folder import user_folder
from engine.serving.advice import recompute
from engine.wording.serving_advice import finding_lines
from engine.wording.translator import Language
from resources import translations

CURRENCY = "EUR"


def report(as_of: datetime.date, out: TextIO, language: Language) -> int:
    """Print every claim with its verdict; 1 when none of them holds any more."""
    tr = translations(language)
    findings = recompute(load_catalog(user_folder()).facts, CURRENCY, as_of)
    for finding in findings:
        first, *more = finding_lines(finding, CURRENCY, tr, language)
        out.write(first + "\n")
        out.writelines(f"  {line}\n" for line in more)
    return 0 if any(finding.holds_to_buy or finding.holds_to_rent for finding in findings) else 1
