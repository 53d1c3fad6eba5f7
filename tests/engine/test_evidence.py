"""Agreement of estimates with measurements: every source weighs alike, and likeness has edges."""

from __future__ import annotations

import pytest

from engine.evidence import Run, agreement, is_like, quantile
from engine.methods import Method

LORA = Run(Method.LORA, 8_000_000_000, 1, 4096)


def test_that_nothing_measured_gives_no_summary() -> None:
    assert agreement([]) is None


def test_that_a_source_with_many_records_weighs_like_one_with_few() -> None:
    """Source a: nine records 50 % off; source b: one record exact. Each source has half of the weight."""
    found = agreement([*(("a", 0.5) for _ in range(9)), ("b", 0.0)])
    assert found is not None
    assert found.within_10_percent == pytest.approx(0.5)
    assert (found.records, found.sources) == (10, 2)
    assert found.median_error == 0.0  # half of the weight is reached with b's record


def test_that_the_band_leaves_a_tenth_out_on_each_side() -> None:
    """Ten sources, errors -0.5, -0.4 ... 0.4: a tenth of the weight is reached at -0.5, nine tenths at 0.3."""
    found = agreement([(str(n), (n - 5) / 10) for n in range(10)])
    assert found is not None
    assert (found.low, found.high) == (-0.5, 0.3)
    assert found.within_20_percent == pytest.approx(0.5)  # -0.2 ... 0.2


def test_that_a_quantile_is_the_first_value_that_reaches_the_share() -> None:
    assert quantile([(3.0, 1), (1.0, 1), (2.0, 2)], 0.25) == 1.0
    assert quantile([(3.0, 1), (1.0, 1), (2.0, 2)], 0.26) == 2.0
    assert quantile([(3.0, 1), (1.0, 1), (2.0, 2)], 1.0) == 3.0


@pytest.mark.parametrize(
    ("run", "like"),
    [
        (LORA, True),
        (Run(Method.QLORA, 8_000_000_000, 1, 4096), False),
        (Run(Method.LORA, 24_000_000_000, 1, 4096), True),
        (Run(Method.LORA, 24_000_000_001, 1, 4096), False),
        (Run(Method.LORA, 8_000_000_000, 2, 4096), False),
        (Run(Method.LORA, 8_000_000_000, 1, 16_384), True),
        (Run(Method.LORA, 8_000_000_000, 1, 1023), False),
    ],
)
def test_that_likeness_means_method_cards_size_and_length(run: Run, like: bool) -> None:
    assert is_like(run, [LORA]) is like
    assert not is_like(run, [])
