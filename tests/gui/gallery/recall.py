"""Computes once what is the same in every theme, so that four looks at a window cost little more than one.

Recommendations, papers and measured runs depend on the consultation, the catalogue, the seller and the language alone.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from pathlib import Path
from typing import TypeVar
from unittest.mock import patch

from catalog.catalog import Catalog
from catalog.consultation.document import Consultation
from catalog.seller import load_seller
from engine.facts import Facts
from engine.plan.recommend import recommend
from engine.plan.types import Recommendation, Scenario
from engine.progress import Progress, silent
from gui.evidence.records import Evidence, Quantity, load_evidence
from gui.proposal import Paper, make_paper

Answer = TypeVar("Answer")


class Recall:
    """Answers already given, by what was asked."""

    def __init__(self) -> None:
        self._known: dict[Hashable, tuple[object, object]] = {}

    def install(self) -> None:
        """Answer in place of the functions themselves, for the rest of the process."""
        for place in ("engine.plan.recommend", "gui.catalogue.desk", "gui.catalogue.since_dialog"):
            patch(f"{place}.recommend", self.recommend).start()
        patch("gui.pages.offer.make_paper", self.paper).start()
        patch("gui.evidence.window.load_evidence", self.evidence).start()

    def recommend(self, scenario: Scenario, facts: Facts, progress: Progress = silent) -> Recommendation:
        """As `engine.plan.recommend.recommend`."""
        key = "plan", repr(scenario), id(facts)
        return self._answer(key, lambda: recommend(scenario, facts, progress), facts)

    def paper(
        self, document: Consultation, folder: Path, recommendation: Recommendation, facts: Facts, language: str
    ) -> Paper:
        """As `gui.proposal.make_paper`."""
        asked = document.model_dump_json(), repr(load_seller()), folder, language
        key = "paper", *asked, id(recommendation), id(facts)
        made = (recommendation, facts)
        return self._answer(key, lambda: make_paper(document, folder, recommendation, facts, language), made)

    def evidence(self, quantity: Quantity, catalog: Catalog) -> Evidence:
        """As `gui.evidence.records.load_evidence`."""
        return self._answer(("runs", quantity, id(catalog)), lambda: load_evidence(quantity, catalog), catalog)

    def _answer(self, key: Hashable, compute: Callable[[], Answer], kept: object) -> Answer:
        """The answer; `kept` stays alive, since it is known by its identity."""
        if key not in self._known:
            self._known[key] = compute(), kept
        found: Answer = self._known[key][0]  # type: ignore[assignment]  # of the function that the key names
        return found
