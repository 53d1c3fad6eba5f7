"""What people type into number fields."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.wording import numbers
from engine.wording.translator import Language
from gui.entry import parse_decimal, parse_integer


@pytest.mark.parametrize(
    ("text", "language", "value"),
    [
        ("8192", Language.DE, 8192),
        ("8.192", Language.DE, 8192),
        ("8,192", Language.EN, 8192),
        ("8k", Language.DE, 8000),
        ("20 Mio.", Language.DE, 20_000_000),
        ("1,5 Mio", Language.DE, 1_500_000),
        ("1.5 million", Language.EN, 1_500_000),
        ("2 Mrd.", Language.DE, 2_000_000_000),
        ("70.550.000.000", Language.DE, 70_550_000_000),
        ("1 234 567", Language.DE, 1_234_567),
    ],
)
def test_that_whole_numbers_are_read_as_they_are_meant(text: str, language: Language, value: int) -> None:
    assert parse_integer(text, language) == value


@pytest.mark.parametrize("text", ["", "acht", "1.5", "1,5", "12.34", "1..000", "-5", "5 Äpfel", "1.0000", "0x10"])
def test_that_what_is_no_whole_number_in_german_is_refused(text: str) -> None:
    assert parse_integer(text, Language.DE) is None


def test_that_a_decimal_comma_is_read_in_german_and_a_point_in_english() -> None:
    assert parse_decimal("1.234,50", Language.DE) == Decimal("1234.50")
    assert parse_decimal("1,234.50", Language.EN) == Decimal("1234.50")
    assert parse_decimal("1,234.50", Language.DE) is None


@given(st.integers(min_value=0, max_value=10**15), st.sampled_from(list(Language)))
def test_that_a_number_as_it_is_shown_is_read_back(value: int, language: Language) -> None:
    assert parse_integer(numbers.integer(value, language), language) == value


@given(st.text(max_size=30), st.sampled_from(list(Language)))
def test_that_no_text_brings_the_reader_down(text: str, language: Language) -> None:
    found = parse_decimal(text, language)
    assert found is None or found >= 0
