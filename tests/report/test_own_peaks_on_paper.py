"""The annex sets the memory a customer measured beside the estimate of the same run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from catalog.config_model import model_from_file
from catalog.consultation.files import parse_text
from catalog.consultation.scenario import to_scenario
from catalog.load import load_catalog
from engine.plan.recommend import recommend
from engine.quote.build import build_quote
from engine.quote.parties import Customer, Seller

TODAY = date(2026, 11, 30)
TASK = """\
schema: 1
site: {place: rack}
workloads:
  - {name: chat, model: llama-3.1-8b, method: lora, sequence_length: 2048, micro_batch: 2}
calibrations:
  - {name: pilot, workload: chat, card: h200_nvl, stack: plain-hf, tokens_per_second: 2000, peak_gib: 140}
"""
TITLES = {"en": "Measured by the customer", "de": "Vom Kunden gemessen"}
FINDINGS = {
    "en": "The measurement lies above the estimated range.",
    "de": "Die Messung liegt über der geschätzten Spanne.",
}


@pytest.mark.parametrize("language", ["en", "de"])
def test_that_the_annex_names_measurement_range_and_finding(draw_quote: Callable[..., Any], language: str) -> None:
    facts = load_catalog().facts
    asked = to_scenario(parse_text(TASK, "a.passform.yaml"), facts, TODAY, model_from_file)
    (run,) = asked.calibrations
    assert run.peak is not None
    papers = []
    for scenario in (asked, replace(asked, calibrations=(replace(run, peak=None),))):
        quote = build_quote(recommend(scenario, facts), facts, Seller(), Customer(company="B"), language, TODAY)
        papers.append(" ".join(draw_quote(quote, language).text.replace("\N{NO-BREAK SPACE}", " ").split()))
    told, silent = papers
    point = "." if language == "en" else ","
    low, expected, high = (
        f"{value / 2**30:.1f} GiB".replace(".", point)
        for value in (run.peak.estimated.low, run.peak.estimated.expected, run.peak.estimated.high)
    )
    chapter = told[told.index(TITLES[language]) :]
    for words in ("pilot: ", f"140{point}0 GiB", low, expected, high, FINDINGS[language]):
        assert words in chapter
    assert TITLES[language] not in silent
