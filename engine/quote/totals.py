"""The one calculation of every sum on screen, on paper and in exports.

A line is `round(quantity * unit price * (1 - discount))`, half up to the cent, once. Net is the sum of the lines. VAT
is `round(net of one case and rate * rate)`, once per case and rate; gross is net plus VAT. Nothing is ever recomputed
from printed figures. What is on request has no amount and is named, never counted as zero.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from engine.errors import InvalidInputError
from engine.quote.vat import VatCase
from engine.units import Money, round_money


@dataclass(frozen=True, slots=True)
class Charge:
    """What one line adds to the sums. `net` None: on request."""

    label: str  # the line's number, named among the gaps
    net: Decimal | None
    before_discount: Decimal | None
    case: VatCase | None
    rate: Decimal


@dataclass(frozen=True, slots=True)
class VatSum:
    """VAT of one case and rate."""

    case: VatCase
    rate: Decimal
    net: Money
    vat: Money


@dataclass(frozen=True, slots=True)
class Totals:
    """The sums of one quote or variant. `vat` and `gross` are None while the treatment is not settled."""

    before_discount: Money
    discount: Money  # what the discounts take off; zero without any
    net: Money
    vat: tuple[VatSum, ...] | None
    gross: Money | None
    gaps: tuple[str, ...]  # lines on request, not in the sums
    priced: int = 0  # how many lines have a price

    @property
    def nothing_priced(self) -> bool:
        """Whether there are lines and all of them are on request: the sum is then on request too, not zero."""
        return bool(self.gaps) and not self.priced

    @property
    def complete(self) -> bool:
        """Whether every line that counts has a price."""
        return not self.gaps


def line_net(quantity: Decimal, unit_price: Decimal, discount: Decimal = Decimal(0)) -> Decimal:
    """The amount of one line. `discount` is a fraction from 0 to 1; a surcharge is a line of its own."""
    if not 0 <= discount <= 1:
        raise InvalidInputError("A discount must lie between 0 and 100 percent.")
    return round_money(quantity * unit_price * (1 - discount))


def sum_up(charges: Iterable[Charge], currency: str, document_discount: Decimal = Decimal(0)) -> Totals:
    """Sum the lines that count. The document discount is taken off per VAT case, each rounded once."""
    if not 0 <= document_discount <= 1:
        raise InvalidInputError("A discount must lie between 0 and 100 percent.")
    listed = list(charges)
    priced = [charge for charge in listed if charge.net is not None]
    nets: dict[tuple[VatCase | None, Decimal], Decimal] = {}
    for charge in priced:
        key = (charge.case, charge.rate)
        nets[key] = nets.get(key, Decimal(0)) + (charge.net or Decimal(0))
    if document_discount:
        nets = {key: net - round_money(net * document_discount) for key, net in nets.items()}
    net = sum(nets.values(), Decimal(0))
    before = sum((charge.before_discount or Decimal(0) for charge in priced), Decimal(0))
    vat = None
    if all(case is not None for case, _ in nets):
        vat = tuple(
            VatSum(case, rate, Money(amount, currency), Money(round_money(amount * rate), currency))
            for (case, rate), amount in nets.items()
            if case is not None
        )
    return Totals(
        before_discount=Money(before, currency),
        discount=Money(before - net, currency),
        net=Money(net, currency),
        vat=vat,
        gross=None if vat is None else Money(net + sum((item.vat.amount for item in vat), Decimal(0)), currency),
        gaps=tuple(charge.label for charge in listed if charge.net is None),
        priced=len(priced),
    )
