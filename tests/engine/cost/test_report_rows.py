"""The report's rows of assumptions: what is said of a default, of an entry, of both and of the exchange rate."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from types import SimpleNamespace
from typing import Any, cast

import pytest

from catalog.economics_data import load_economics
from catalog.load import load_catalog
from engine.cost.compare import RentOrBuyReport
from engine.cost.plain import assumptions_form, money_band_form, money_form
from engine.cost.types import CostAssumptions, EconomicsKey, OwnershipAnswers
from engine.facts import Facts
from engine.prices import ExchangeRate
from engine.units import Money, MoneyBand

DEFAULT, BOTH, ENTERED = EconomicsKey.PUE_RACK, EconomicsKey.ELECTRICITY_PER_KWH, EconomicsKey.WAGE_PER_HOUR


@pytest.fixture(scope="module")
def facts() -> Facts:
    economics = load_economics()
    known = {key: economics.assumptions[key] for key in (DEFAULT, BOTH)}
    return replace(load_catalog().facts, economics=replace(economics, assumptions=known))


def _rows(facts: Facts, assumptions: CostAssumptions) -> list[dict[str, Any]]:
    answers = OwnershipAnswers(overrides={BOTH: Decimal("0.31"), ENTERED: Decimal("42.50")})
    report = SimpleNamespace(scenario=SimpleNamespace(ownership=answers))
    return assumptions_form(assumptions, cast("RentOrBuyReport", report), facts)


def test_that_a_default_an_entry_and_an_entry_without_a_default_are_told_apart(facts: Facts, assume: Any) -> None:
    assert facts.economics is not None
    default, both = (facts.economics.assumptions[key].figure for key in (DEFAULT, BOTH))
    rows = {row["key"]: row for row in _rows(facts, assume())}
    assert rows == {
        DEFAULT.value: {
            "key": DEFAULT.value,
            "value": str(default.value),
            "entered": False,
            "unit": default.unit,
            "source": default.source.title,
            "date": default.source.document_date,
            "grade": default.grade.value,
            "basis": default.basis.value,
            "note": default.note,
        },
        BOTH.value: {
            "key": BOTH.value,
            "value": "0.31",
            "entered": True,
            "unit": both.unit,
            "source": "",
            "date": "",
            "grade": None,
            "basis": "entered",
            "note": both.note,
        },
        ENTERED.value: {
            "key": ENTERED.value,
            "value": "42.50",
            "entered": True,
            "unit": "",
            "source": "",
            "date": "",
            "grade": None,
            "basis": "entered",
            "note": "",
        },
    }
    assert default.source.title
    assert default.source.document_date


def test_that_the_exchange_rate_is_published_and_never_entered(
    facts: Facts, assume: Any, euro_rate: ExchangeRate
) -> None:
    row = _rows(facts, assume(rate=euro_rate))[-1]
    assert row == {
        "key": "exchange_rate",
        "value": "1.25",
        "entered": False,
        "unit": "USD/EUR",
        "source": "test",
        "date": date(2026, 11, 1).isoformat(),
        "grade": "A",
        "basis": "published",
        "note": "",
    }


def test_that_without_economics_only_what_was_entered_is_listed(facts: Facts, assume: Any) -> None:
    rows = _rows(replace(facts, economics=None), assume())
    assert {row["key"] for row in rows} == {BOTH.value, ENTERED.value}
    assert {row["unit"] for row in rows} == {""}


def test_that_amounts_are_rounded_to_the_cent_and_nothing_stays_nothing() -> None:
    low, expected, high = (Money(Decimal(amount), "EUR") for amount in ("1.004", "1.006", "2.995"))
    band = {"low": "1.00", "expected": "1.01", "high": "3.00", "currency": "EUR"}
    assert money_band_form(MoneyBand(low, expected, high)) == band
    assert money_form(expected) == {"amount": "1.01", "currency": "EUR"}
    assert money_band_form(None) is money_form(None) is None
