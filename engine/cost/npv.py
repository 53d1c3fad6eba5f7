"""Discounting: what a series of yearly payments is worth today."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from engine.errors import InvalidInputError


def net_present_value(payments: Sequence[Decimal], interest_per_year: Decimal) -> Decimal:
    """Sum of payments[t] / (1 + i)^t; payments[0] is paid today, the others at the end of their year."""
    if not interest_per_year > -1:
        raise InvalidInputError("The interest must be greater than -100 %.")
    factor = Decimal(1)
    total = Decimal(0)
    for payment in payments:
        total += payment * factor
        factor /= 1 + interest_per_year
    return total


def buying_against_renting(
    purchase: Decimal, residual: Decimal, own_running_per_year: Decimal, rent_per_year: Decimal, years: int
) -> tuple[Decimal, ...]:
    """Yearly differences rent minus own: positive years are saved by buying. Purchase today, residual at the end."""
    yearly = rent_per_year - own_running_per_year
    flows = [-purchase, *([yearly] * years)]
    flows[-1] += residual
    return tuple(flows)
