"""Units: the only place where sizes are converted and money is rounded.

Bytes, parameters and tokens are `int`, seconds and hours `float`, watts `int`, money `Decimal`.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

GB, TB = 10**9, 10**12
KIB, MIB, GIB = 2**10, 2**20, 2**30
CENT = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class Money:
    """An amount in one currency (ISO 4217 code), net of VAT unless a name says otherwise."""

    amount: Decimal
    currency: str

    def rounded(self) -> Money:
        """Round half up to the cent."""
        return Money(round_money(self.amount), self.currency)

    def __add__(self, other: Money) -> Money:
        if other.currency != self.currency:
            raise ValueError(f"cannot add {other.currency} to {self.currency}")
        return Money(self.amount + other.amount, self.currency)

    def __mul__(self, factor: Decimal | int) -> Money:
        return Money(self.amount * factor, self.currency)


@dataclass(frozen=True, slots=True)
class ByteBand:
    """A byte figure with its uncertainty."""

    low: int
    expected: int
    high: int


@dataclass(frozen=True, slots=True)
class FloatBand:
    """A measured or computed quantity with its uncertainty; the owner's name carries the unit."""

    low: float
    expected: float
    high: float

    def scaled(self, factor: float) -> FloatBand:
        """All three times a factor."""
        return FloatBand(self.low * factor, self.expected * factor, self.high * factor)


@dataclass(frozen=True, slots=True)
class MoneyBand:
    """An amount of money with its uncertainty; all three in one currency."""

    low: Money
    expected: Money
    high: Money


def round_money(amount: Decimal) -> Decimal:
    """Round half up to two places (commercial rounding)."""
    return amount.quantize(CENT, rounding=ROUND_HALF_UP)


def gigabytes(size_bytes: int) -> float:
    """Decimal gigabytes (10^9 bytes)."""
    return size_bytes / GB


def gibibytes(size_bytes: int) -> float:
    """Binary gibibytes (2^30 bytes)."""
    return size_bytes / GIB
