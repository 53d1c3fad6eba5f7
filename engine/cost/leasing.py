"""Instalments of a lease or loan."""

from __future__ import annotations

from decimal import Decimal

from engine.cost.types import MONTHS_PER_YEAR
from engine.errors import InvalidInputError


def annuity_per_month(purchase: Decimal, residual: Decimal, months: int, interest_per_year: Decimal) -> Decimal:
    """Unrounded instalment at the end of each month that pays off `purchase` down to `residual`.

    a = (C0 - R/(1+j)^n) j / (1 - (1+j)^-n) with j = i/12; without interest (C0 - R)/n. Shares, not per cent.
    """
    if months < 1:
        raise InvalidInputError("The leasing term must be at least 1 month.")
    if interest_per_year < 0:
        raise InvalidInputError("The interest must not be negative.")
    monthly = interest_per_year / MONTHS_PER_YEAR
    discount = (1 + monthly) ** -months
    if discount == 1:  # no interest, or too little for Decimal's 28 digits to see
        return (purchase - residual) / months
    return (purchase - residual * discount) * monthly / (1 - discount)
