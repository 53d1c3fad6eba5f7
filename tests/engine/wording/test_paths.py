"""The words for the path between cards."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from catalog.consultation.open import open_consultation
from catalog.load import load_catalog
from engine.plan.recommend import recommend
from engine.wording.paths import path
from resources import translations

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "NVLink bridge, PCIe between the islands"), ("de", "NVLink-Brücke, PCIe zwischen den Inseln")],
)
def test_that_a_run_larger_than_its_bridges_names_what_joins_the_islands(language: str, words: str) -> None:
    # Bridges join at most four H200 NVL; eight cards are two islands, so the run also waits for PCIe.
    opened = open_consultation(EXAMPLES / "full-70b-data-centre.passform.yaml", date(2026, 11, 30))
    plan = recommend(opened.scenario, load_catalog().facts).chosen
    assert plan is not None
    assert plan.bridging is not None
    placement = plan.placements[0]
    assert placement.step is not None
    tr = translations(language)
    assert path(placement.step, placement.layout, plan.bridging, tr) == words
    within = replace(placement.layout, cards=plan.bridging.size)
    assert path(placement.step, within, plan.bridging, tr) == words.split(",", maxsplit=1)[0]
