"""The evidence: all measured runs, filtered to the customer's, with the band that follows from what is shown."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from catalog.catalog import Catalog
from catalog.evidence import load_measured
from engine.evidence import agreement, is_like
from engine.memory.evidence import Outcome
from gui.app import App
from gui.evidence.records import Evidence, Quantity, load_evidence, runs_of
from gui.evidence.window import SEVERAL, EvidenceWindow
from tests.gui.conftest import EXAMPLES, PATIENCE_MS, OpenApp

EXAMPLE = EXAMPLES / "mixed-portfolio.passform.yaml"


KNOWN: dict[Quantity, Evidence] = {}


@pytest.fixture
def app(open_app: OpenApp, monkeypatch: pytest.MonkeyPatch) -> App:
    """The measurements are estimated once for all tests of this file."""

    def load(quantity: Quantity, catalog: Catalog) -> Evidence:
        if quantity not in KNOWN:
            KNOWN[quantity] = load_evidence(quantity, catalog)
        return KNOWN[quantity]

    monkeypatch.setattr("gui.evidence.window.load_evidence", load)
    return open_app(EXAMPLE)


@pytest.fixture
def window(app: App, qtbot: QtBot) -> EvidenceWindow:
    app.window.tools.show_evidence()
    made = app.window.tools.evidence
    assert made is not None
    qtbot.waitUntil(lambda: not made.busy, timeout=PATIENCE_MS)
    return made


def test_that_every_peak_that_counts_is_a_point_and_a_row(app: App, window: EvidenceWindow) -> None:
    loaded = load_measured(app.context.catalog.facts.models)
    peaks = [one for one in loaded.measurements if one.outcome is Outcome.PEAK]
    counting = {one.id for one in peaks if one.scored}
    assert {record.id for record in window.shown} == counting
    assert len(window.chart.picture.spots) == len(counting)
    window.counting.setChecked(False)
    assert {record.id for record in window.shown} == {one.id for one in peaks}


def test_that_the_summary_agrees_with_the_score_of_the_command_line(app: App, window: EvidenceWindow) -> None:
    score = next(one for one in load_measured(app.context.catalog.facts.models).scores if one.group == "all")
    found = agreement([(record.source, record.error) for record in window.shown])
    assert found is not None
    assert (found.records, found.sources) == (score.records, score.sources)
    assert found.within_20_percent == pytest.approx(score.within_20_percent)
    assert found.median_error == pytest.approx(score.median_error)
    assert f"{score.records} runs of {score.sources} sources" in window.summary.text()


def test_that_only_runs_like_the_customers_can_be_shown(app: App, window: EvidenceWindow) -> None:
    wanted = runs_of(app.planner.recommendation)
    every = window.shown
    window.like.setChecked(True)
    assert window.shown == tuple(record for record in every if is_like(record.run, wanted))
    assert 0 < len(window.shown) < len(every)
    window.cards.show_value(SEVERAL)
    window.cards.chosen.emit(SEVERAL)
    assert all(record.run.cards > 1 for record in window.shown)


def test_that_a_point_chooses_its_row_and_a_row_its_point(window: EvidenceWindow) -> None:
    record = window.model.rows[7]
    window.choose(record.id)
    assert window.proxy.mapToSource(window.table.currentIndex()).row() == 7
    assert window._chosen == record.id


def test_that_speed_is_shown_with_its_own_figures(window: EvidenceWindow, qtbot: QtBot) -> None:
    window.tabs.bar.setCurrentIndex(1)
    qtbot.waitUntil(lambda: not window.busy, timeout=PATIENCE_MS)
    assert window.quantity is Quantity.SPEED
    assert len(window.shown) > 100
    assert "sources" in window.chart.accessibleDescription()
