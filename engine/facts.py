"""The facts the planner works on, as the catalogue hands them over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.hardware import Card, System
from engine.models import ModelSpec
from engine.prices import ExchangeRate, Price


@dataclass(frozen=True, slots=True)
class Facts:
    """Cards, machines, models and prices by id; one immutable snapshot of the catalogue."""

    version: str  # date of the catalogue
    cards: Mapping[str, Card]
    systems: Mapping[str, System]
    models: Mapping[str, ModelSpec]
    prices: Mapping[str, tuple[Price, ...]]  # item id -> records, newest first
    rates: tuple[ExchangeRate, ...]
    ranking_stand_ins: Mapping[str, str]  # item without a price -> sibling whose price orders it

    @property
    def priceable_ids(self) -> frozenset[str]:
        """Ids that may carry a price: cards, machines and every item that has a price record."""
        return frozenset(self.cards) | frozenset(self.systems) | frozenset(self.prices)
