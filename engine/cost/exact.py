"""From binary floats to decimals."""

from decimal import Decimal


def exact(value: float) -> Decimal:
    """The decimal a float is written as: 3.3 and not 3.29999..., so that 3.3 h x 3.15 rounds to 10.40."""
    return Decimal(repr(value))
