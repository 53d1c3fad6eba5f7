"""Amounts of money: exact, and never of two currencies."""

from __future__ import annotations

from decimal import Decimal

import pytest

from engine.units import Money


def test_that_amounts_of_two_currencies_have_no_sum() -> None:
    assert Money(Decimal("0.10"), "EUR") + Money(Decimal("0.20"), "EUR") == Money(Decimal("0.30"), "EUR")
    with pytest.raises(ValueError, match="cannot add CHF to EUR"):
        Money(Decimal(1), "EUR") + Money(Decimal(1), "CHF")
