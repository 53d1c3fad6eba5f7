"""What a product has cost so far: an amount far from it is asked about, whatever brought it there.

Bundles, accessories, prices per hundred, sums and swapped columns all show in the amount.
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from engine.facts import Facts
from engine.pricing import guide_price

FACTOR = 4  # prices of cards have doubled within a year; a fourfold one is more often a mistake


class UsualPrices:
    """Guide prices of the catalogue, worked out once per item and currency."""

    def __init__(self, facts: Facts, today: date) -> None:
        self._facts = facts
        self._today = today
        self._known: dict[tuple[str, str], Decimal | None] = {}

    def is_far(self, item_id: str, amount: Decimal | None, currency: str) -> bool:
        """Whether an amount is below a quarter or above four times what is known; never when nothing is."""
        key = (item_id, currency)
        if key not in self._known:
            net = guide_price(item_id, self._facts, currency, self._today).net
            self._known[key] = None if net is None or net.amount <= 0 else net.amount
        usual = self._known[key]
        return amount is not None and usual is not None and not usual / FACTOR <= amount <= usual * FACTOR
