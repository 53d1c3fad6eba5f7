"""Amounts of another currency, brought over at a dated rate."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from decimal import Decimal

from engine.figures import Grade
from engine.prices import ExchangeRate

PIVOT = "EUR"  # reference rates are published against the euro


def factor(
    amount_in: str, wanted: str, rates: Iterable[ExchangeRate], as_of: date
) -> tuple[Decimal, ExchangeRate | None] | None:
    """What one unit of `amount_in` is worth in `wanted`, and the rate it rests on.

    The newest rate that is not later than `as_of` decides, or else the oldest, read in either direction. Without a
    direct rate the two against the euro are multiplied, dated by the older one. None when there is no way.
    """
    if amount_in == wanted:
        return Decimal(1), None
    known = tuple(rates)
    direct = _direct(amount_in, wanted, known, as_of)
    if direct is not None or PIVOT in (amount_in, wanted):
        return direct
    first, second = _direct(amount_in, PIVOT, known, as_of), _direct(PIVOT, wanted, known, as_of)
    if first is None or second is None:
        return None
    older = min(first[1], second[1], key=lambda rate: rate.as_of)
    cross = ExchangeRate(amount_in, wanted, first[0] * second[0], older.as_of, older.source, Grade.D)
    return cross.rate, cross


def _direct(
    amount_in: str, wanted: str, rates: Iterable[ExchangeRate], as_of: date
) -> tuple[Decimal, ExchangeRate] | None:
    known = [rate for rate in rates if {rate.base, rate.quote} == {amount_in, wanted} and rate.rate > 0]
    if not known:
        return None
    known.sort(key=lambda rate: rate.as_of)
    chosen = next((rate for rate in reversed(known) if rate.as_of <= as_of), known[0])
    return (chosen.rate if chosen.base == amount_in else 1 / chosen.rate), chosen
