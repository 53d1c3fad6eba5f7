"""The memory a customer measured: beside the estimate in file, command line and paper, and never moving it."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from catalog.config_model import model_from_file
from catalog.consultation.document import Consultation
from catalog.consultation.files import parse_text, to_text
from catalog.consultation.scenario import to_scenario
from catalog.evidence import load_measured
from catalog.load import load_catalog
from engine.errors import PassformError
from engine.memory.estimate import estimate
from engine.memory.evidence import Outcome, Reading
from engine.memory.own_peak import OwnPeak, Side, expected_reading, own_peak
from engine.memory.types import TrainingSetup
from engine.methods import Layout, Method, Recipe, Sharding
from engine.plan.recommend import recommend
from engine.units import GIB, ByteBand
from engine.workload import Scenario
from tests.catalog.plan_command import CHAT_AT_THE_DESK, MAX_Q, planned

FACTS = load_catalog().facts
RUN = f"name: pilot, workload: chat, card: {MAX_Q}, stack: plain-hf, tokens_per_second: 2000"


def consultation(extra: str = "") -> Consultation:
    return parse_text(f"{CHAT_AT_THE_DESK}calibrations:\n  - {{{RUN}{extra}}}\n", "test.passform.yaml")


def scenario(extra: str = "") -> Scenario:
    return to_scenario(consultation(extra), FACTS, date(2026, 11, 30), model_from_file)


def peak(extra: str) -> OwnPeak:
    found = scenario(extra).calibrations[0].peak
    assert found is not None
    return found


def band(reading: Reading, layout: Layout | None = None) -> tuple[ByteBand, TrainingSetup]:
    setup = TrainingSetup(
        FACTS.models["llama-3.1-8b"], Recipe(Method.LORA), 2048, 2, layout or Layout(1, Sharding.NONE)
    )
    return expected_reading(estimate(setup), reading), setup


def test_that_each_reading_has_the_band_of_its_kind() -> None:
    driver, setup = band(Reading.DRIVER)
    figure = estimate(setup)
    assert driver.low == figure.required.low
    assert driver.expected == figure.driver_shows
    assert driver.high - driver.expected == figure.required.high - figure.required.expected
    # One card: 300, 500 and 900 MiB of context lie outside the allocator.
    reserved, _ = band(Reading.RESERVED)
    less = [driver.low - reserved.low, driver.expected - reserved.expected, driver.high - reserved.high]
    assert less == [300 * 2**20, 500 * 2**20, 900 * 2**20]
    allocated, _ = band(Reading.ALLOCATED)
    assert allocated.expected == figure.allocated_peak
    assert allocated.low / allocated.expected == pytest.approx(driver.low / driver.expected)
    assert allocated.high / allocated.expected == pytest.approx(driver.high / driver.expected)


@pytest.mark.parametrize("reading", list(Reading))
@pytest.mark.parametrize("layout", [Layout(1, Sharding.NONE), Layout(4, Sharding.FSDP)])
def test_that_only_beyond_its_ends_a_measurement_lies_outside(reading: Reading, layout: Layout) -> None:
    expected, setup = band(reading, layout)
    assert 0 < expected.low < expected.expected < expected.high
    sides = [
        own_peak(estimate(setup), reading, measured).side
        for measured in (expected.low - 1, expected.low, expected.expected, expected.high, expected.high + 1)
    ]
    assert sides == [Side.BELOW, Side.WITHIN, Side.WITHIN, Side.WITHIN, Side.ABOVE]


def test_that_most_published_peaks_lie_within_and_hardly_any_below() -> None:
    # 236 published peaks on 30 November 2026. Those above were mostly read with nvidia-smi, which counts cached blocks.
    sides: Counter[tuple[Reading, Side]] = Counter()
    for one in load_measured(FACTS.models).measurements:
        if one.outcome is Outcome.PEAK and one.scored:
            sides[one.reading, own_peak(one.estimate, one.reading, one.measured_bytes).side] += 1
    total = sum(sides.values())
    assert total > 200
    assert sum(count for (_, side), count in sides.items() if side is Side.BELOW) <= 0.02 * total
    own = [sides[Reading.ALLOCATED, side] for side in Side]
    assert sides[Reading.ALLOCATED, Side.WITHIN] >= 0.85 * sum(own)
    assert sum(count for (_, side), count in sides.items() if side is Side.WITHIN) >= 0.8 * total


def test_that_a_measured_peak_stands_beside_the_estimate_of_the_same_run() -> None:
    found = peak(", peak_gib: 20.5, peak_reading: allocated")
    assert (found.reading, found.measured_bytes) == (Reading.ALLOCATED, 41 * 2**29)
    assert found.estimated == band(Reading.ALLOCATED)[0]
    assert peak(", peak_gib: 20.5").reading is Reading.DRIVER
    assert scenario().calibrations[0].peak is None


def test_that_a_measured_peak_moves_nothing() -> None:
    plain = recommend(scenario(), FACTS)
    for gib in (1, 90):
        measured = recommend(scenario(f", peak_gib: {gib}"), FACTS)
        assert measured.ranked == plain.ranked
        assert measured.rejected == plain.rejected


def test_that_files_without_a_peak_stay_as_they_were() -> None:
    assert "peak" not in to_text(consultation())
    kept = consultation(", peak_gib: 61.2, peak_reading: reserved")
    assert parse_text(to_text(kept), "again.passform.yaml") == kept


@pytest.mark.parametrize(
    ("extra", "words"),
    [
        (", peak_gib: 97", "97.0 GiB are more than"),
        (", peak_gib: 0", "peak_gib"),
        (", peak_gib: .inf", "peak_gib"),
        (", peak_gib: 10, peak_reading: guessed", "peak_reading"),
        (", peak_reading: driver", "give peak_reading together with peak_gib"),
    ],
)
def test_that_a_peak_that_cannot_have_been_is_refused(extra: str, words: str) -> None:
    with pytest.raises(PassformError) as caught:
        scenario(extra)
    assert words in str(caught.value)


def told(folder: Path, extra: str, *arguments: str, language: str = "en") -> str:
    return planned(folder, to_text(consultation(extra)), *arguments, language=language)


def test_that_the_plan_says_measured_and_estimated_and_whether_it_lies_outside(tmp_path: Path) -> None:
    estimated = band(Reading.ALLOCATED)[0]
    inside = f", peak_gib: {estimated.expected / GIB:.1f}, peak_reading: allocated"
    text = told(tmp_path, inside)
    low, expected, high = (f"{value / GIB:.1f} GiB" for value in (estimated.low, estimated.expected, estimated.high))
    sentence = f"pilot: Memory per card: {expected} measured, {expected} estimated ({low} to {high})"
    assert sentence in text.replace("\N{NO-BREAK SPACE}", " ")
    assert "lies above" not in text
    above = told(tmp_path, ", peak_gib: 90")
    assert "The measurement lies above the estimated range" in above
    assert "nvidia-smi also counts blocks" in above
    below = told(tmp_path, ", peak_gib: 2", language="de")
    assert "Die Messung liegt unter der geschätzten Spanne" in below
    assert "nvidia-smi zählt" not in below
    assert "Memory per card" not in told(tmp_path, "")


def test_that_the_plan_as_data_carries_the_measurement(tmp_path: Path) -> None:
    (run,) = json.loads(told(tmp_path, ", peak_gib: 90", "--json"))["test_runs"]
    assert (run["name"], run["measured_tokens_per_second"]) == ("pilot", 2000)
    assert (run["peak"]["reading"], run["peak"]["side"], run["peak"]["measured_bytes"]) == ("driver", "above", 90 * GIB)
    assert run["peak"]["estimated_bytes"]["high"] < 90 * GIB
    (run,) = json.loads(told(tmp_path, "", "--json"))["test_runs"]
    assert run["peak"] is None


def test_that_the_run_itself_is_kept_apart_from_its_peak() -> None:
    with_peak, without = scenario(", peak_gib: 20").calibrations[0], scenario().calibrations[0]
    assert replace(with_peak, peak=None) == without
