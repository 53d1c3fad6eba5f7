"""The facts the planner works on, as the catalogue hands them over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.cost.types import Economics, FineTuningApi, RentalOffer
from engine.hardware import Card, Item, System
from engine.models import ModelSpec
from engine.prices import DEFAULT_LIMITS, AgeLimits, ExchangeRate, Price, VatRate
from engine.serving.facts import NO_SERVING_FACTS, ServingFacts
from engine.site_rules import Circuit, HostMinimum, NoiseLimit
from engine.speed.types import NO_SPEED_FACTS, SpeedFacts


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
    speed: SpeedFacts = NO_SPEED_FACTS
    economics: Economics | None = None  # defaults of the cost side; None: no cost is computed
    rental_offers: tuple[RentalOffer, ...] = ()
    fine_tuning_apis: tuple[FineTuningApi, ...] = ()
    items: Mapping[str, Item] = field(default_factory=dict)  # bridges, kits, included software
    vat_rates: tuple[VatRate, ...] = ()
    circuits: tuple[Circuit, ...] = ()
    host_minimum: HostMinimum | None = None
    noise_limits: tuple[NoiseLimit, ...] = ()
    serving: ServingFacts = NO_SERVING_FACTS
    age_limits: AgeLimits = DEFAULT_LIMITS  # when a price is marked as old or expired

    @property
    def priceable_ids(self) -> frozenset[str]:
        """Ids that may carry a price: cards, machines, items and whatever has a price record."""
        return frozenset(self.cards) | frozenset(self.systems) | frozenset(self.items) | frozenset(self.prices)
