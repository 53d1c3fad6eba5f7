"""How agreement with measurements is counted: which records, in which groups, with which weights."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from engine.memory.estimate import estimate
from engine.memory.evidence import (
    FitScore,
    Measurement,
    Outcome,
    Reading,
    score,
    score_fits,
    weighted_median,
)
from engine.memory.types import MemoryEstimate
from engine.methods import Method
from tests.engine.memory.builders import LLAMA_1B, run


@cache
def _estimate() -> MemoryEstimate:
    one = estimate(run(LLAMA_1B, sequence=16))
    return replace(one, allocated_peak=1000, allocator_reserve=30, driver_shows=1600)


def _measured(name: str, source: str, measured_bytes: int = 1000, **changes: object) -> Measurement:
    one = Measurement(
        id=name,
        source_id=source,
        model="m",
        method=Method.LORA,
        cards=1,
        high_confidence=True,
        offloaded=False,
        outcome=Outcome.PEAK,
        reading=Reading.ALLOCATED,
        measured_bytes=measured_bytes,
        estimate=_estimate(),
    )
    return replace(one, **changes)  # type: ignore[arg-type]  # fields are given by name


def test_that_an_estimate_is_compared_with_the_figure_of_the_same_kind() -> None:
    found = {reading: _measured("a", "a", reading=reading).estimated_bytes for reading in Reading}
    assert found == {Reading.ALLOCATED: 1000, Reading.RESERVED: 1030, Reading.DRIVER: 1600}
    assert _measured("a", "a", 800).error == pytest.approx(0.25)
    assert _measured("a", "a", 1250).error == pytest.approx(-0.2)


# Source a: errors +25 % and -37.5 %; source b: -16.7 %; source c: +5.3 % twice. Each source weighs a third, so a's
# records a sixth each. Sorted: 5.3 (1/3), 16.7 (2/3 reached), 25, 37.5. Signed: -37.5 (1/6), -16.7 (1/2 reached).
def test_that_every_source_weighs_alike() -> None:
    records = [
        _measured("a1", "a", 800),
        _measured("a2", "a", 1600),
        _measured("b1", "b", 1200),
        _measured("c1", "c", 950),
        _measured("c2", "c", 950),
    ]
    whole = next(one for one in score(records) if one.group == "all")
    assert (whole.records, whole.sources) == (5, 3)
    assert whole.within_10_percent == pytest.approx(1 / 3)
    assert whole.within_20_percent == pytest.approx(2 / 3)
    assert whole.median_error == pytest.approx(1 / 6)
    assert whole.bias == pytest.approx(-1 / 6)


def test_that_groups_are_method_cards_and_source() -> None:
    records = [
        _measured("a", "a"),
        _measured("b", "b", cards=2),
        _measured("c", "b", method=Method.QLORA),
        _measured("d", "c", high_confidence=False),
        _measured("e", "c", offloaded=True),
        _measured("f", "c", outcome=Outcome.RAN),
    ]
    assert {one.group: one.records for one in score(records)} == {
        "all": 3,
        "lora, one card": 1,
        "lora, several cards": 1,
        "qlora, one card": 1,
        "source a": 1,
        "source b": 2,
    }
    assert [one.group for one in score(records)] == sorted(one.group for one in score(records))
    assert score(records[3:]) == ()


def test_that_a_doubtful_verdict_is_neither_a_false_fit_nor_a_false_refusal() -> None:
    def verdict(one: Measurement) -> bool | None:
        return {"yes": True, "no": False}.get(one.id)

    failed, ran = ({"outcome": outcome} for outcome in (Outcome.OUT_OF_MEMORY, Outcome.RAN))
    records = [
        *(_measured(name, "a", **failed) for name in ("yes", "no", "doubt")),
        *(_measured(name, "a", **ran) for name in ("yes", "no", "doubt")),
        _measured("yes", "a", high_confidence=False, **failed),
        _measured("no", "a", offloaded=True, **ran),
        _measured("no", "a"),
    ]
    assert score_fits(records, verdict) == FitScore(3, ("yes",), 3, ("no",))


def test_that_a_median_is_the_first_value_at_half_of_the_weight() -> None:
    assert weighted_median([(3.0, 1), (1.0, 1), (2.0, 2)]) == 2.0
    assert weighted_median([(1.0, 2), (5.0, 2)]) == 1.0
    assert weighted_median([(1.0, 1), (5.0, 2)]) == 5.0
    assert weighted_median([]) == 0.0
