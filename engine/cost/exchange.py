"""Amounts of another currency, brought over at a dated rate."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from decimal import Decimal

from engine.prices import ExchangeRate


def factor(
    amount_in: str, wanted: str, rates: Iterable[ExchangeRate], as_of: date
) -> tuple[Decimal, ExchangeRate | None] | None:
    """What one unit of `amount_in` is worth in `wanted`, and the rate it rests on.

    The newest rate that is not later than `as_of` decides, or else the oldest; None when there is none at all.
    A rate is read in either direction.
    """
    if amount_in == wanted:
        return Decimal(1), None
    known = [rate for rate in rates if {rate.base, rate.quote} == {amount_in, wanted} and rate.rate > 0]
    if not known:
        return None
    known.sort(key=lambda rate: rate.as_of)
    chosen = next((rate for rate in reversed(known) if rate.as_of <= as_of), known[0])
    return (chosen.rate if chosen.base == amount_in else 1 / chosen.rate), chosen
