"""What a plan costs to buy: its positions with guide prices, what is missing, and the figure that orders plans."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from enum import IntEnum

from engine.facts import Facts
from engine.hardware import Item, ItemKind
from engine.plan.candidates import Candidate
from engine.plan.memo import Key, shelf_for
from engine.plan.types import PlanPrice, Position, PositionKind
from engine.prices import GuidePrice, PriceBasis
from engine.pricing import guide_price
from engine.reasons import Reason, ReasonCode, reason
from engine.units import Money
from engine.workload import Scenario

WEAKEST_FIRST = (PriceBasis.ON_REQUEST, PriceBasis.ESTIMATED, PriceBasis.PUBLISHED, PriceBasis.SELLER)


class PriceClass(IntEnum):
    """How far two plans' prices compare; only plans of one class are ordered by price."""

    COMPLETE = 0  # cards and machine have a price or a stand-in
    WITHOUT_MACHINE = 1  # no figure for the machine: left out on every side
    WITHOUT_CARDS = 2  # no figure for the cards


@dataclass(frozen=True, slots=True)
class Purchase:
    """A plan's price and how it may be compared."""

    price: PlanPrice
    price_class: PriceClass
    least: Decimal  # what it costs at least, by whatever is known: judged against a budget, never shown as its price
    remarks: tuple[Reason, ...]


class Prices:
    """Guide prices of one scenario, and what candidates cost by them, each made once."""

    def __init__(self, scenario: Scenario, facts: Facts) -> None:
        self._scenario = scenario
        self._facts = facts
        self._known: dict[str, GuidePrice] = {}
        self._included: dict[str, tuple[Item, ...]] = {}
        self._purchases: dict[Key, Purchase] = {}

    def of(self, item_id: str) -> GuidePrice:
        """The item's guide price in the scenario's currency."""
        known = self._known.get(item_id)
        if known is None:
            scenario = self._scenario
            known = guide_price(item_id, self._facts, scenario.currency, scenario.as_of, scenario.price_overrides)
            self._known[item_id] = known
        return known

    def purchase(self, candidate: Candidate) -> Purchase:
        """Positions in the order of the offer: cards, bridges, what comes with the cards, machine, kits."""
        known = self._purchases.get(candidate.key)
        if known is None:
            known = self._purchase(candidate)
            self._purchases[candidate.key] = known
        return known

    def _purchase(self, candidate: Candidate) -> Purchase:
        positions = tuple(self._positions(candidate))
        priced = sum(
            (item.unit.net.amount * item.quantity for item in positions if item.unit.net is not None), Decimal(0)
        )
        stand_ins = sum(
            (
                item.unit.stand_in_for_ranking.amount * item.quantity
                for item in positions
                if item.unit.net is None and item.unit.stand_in_for_ranking is not None
            ),
            Decimal(0),
        )
        price = PlanPrice(
            positions=positions,
            priced=Money(priced, self._scenario.currency),
            gaps=tuple(item.item_id for item in positions if item.unit.net is None),
            basis=min((item.unit.basis for item in positions), key=WEAKEST_FIRST.index),
            ranking=priced + stand_ins,
        )
        known_class = _price_class(positions, populated=candidate.system.fixed_cards)
        return Purchase(price, known_class, self._least(candidate, price), tuple(_remarks(positions)))

    def _least(self, candidate: Candidate, price: PlanPrice) -> Decimal:
        """A populated machine without a price costs at least what its cards do."""
        card = self.of(candidate.card.id)
        known = card.net or card.stand_in_for_ranking
        if not candidate.system.fixed_cards or known is None:
            return price.ranking
        return max(price.ranking, known.amount * candidate.cards) if price.gaps else price.ranking

    def _positions(self, candidate: Candidate) -> list[Position]:
        card, system, cards = candidate.card, candidate.system, candidate.cards
        if system.fixed_cards:
            return [self._populated_machine(candidate)]
        found = [self._position(PositionKind.CARD, card.id, card.name, cards)]
        if candidate.bridging is not None:
            bridge = self._bridge(card.id, candidate.bridging.size)
            if bridge is not None:
                quantity = candidate.bridging.count
                found.append(self._position(PositionKind.BRIDGE, bridge.id, bridge.name, quantity))
        found += [
            self._position(PositionKind.SOFTWARE, item.id, item.name, cards) for item in self._included_with(card.id)
        ]
        found.append(self._position(PositionKind.SYSTEM, system.id, system.name, 1))
        for kit in system.kits:
            if kit.card_id == card.id and cards >= kit.cards_from:
                name = self._facts.items[kit.item_id].name
                found.append(self._position(PositionKind.ACCESSORY, kit.item_id, name, kit.quantity))
        return found

    def _position(self, kind: PositionKind, item_id: str, name: str, quantity: int) -> Position:
        return Position(kind, item_id, name, quantity, self.of(item_id))

    def _populated_machine(self, candidate: Candidate) -> Position:
        """A machine whose price includes its cards; a sibling's price orders it only if that one has the same cards."""
        position = self._position(PositionKind.SYSTEM, candidate.system.id, candidate.system.name, 1)
        sibling = self._facts.systems.get(position.unit.stand_in_item_id)
        if sibling is None or sibling.options_for(candidate.card.id):
            return position
        return replace(position, unit=replace(position.unit, stand_in_for_ranking=None, stand_in_item_id=""))

    def _bridge(self, card_id: str, size: int) -> Item | None:
        return next(
            (
                item
                for item in self._facts.items.values()
                if item.kind is ItemKind.NVLINK_BRIDGE and item.bridge_size == size and card_id in item.for_cards
            ),
            None,
        )

    def _included_with(self, card_id: str) -> tuple[Item, ...]:
        known = self._included.get(card_id)
        if known is None:
            items = self._facts.items.values()
            known = tuple(item for item in items if item.included_with_card and card_id in item.for_cards)
            self._included[card_id] = known
        return known


def prices_for(scenario: Scenario, facts: Facts) -> Prices:
    """The prices of a scenario; those of the last scenarios are kept."""
    own = tuple((item, str(price.amount), price.currency) for item, price in scenario.price_overrides.items())
    key = (scenario.currency, scenario.as_of, own)
    return shelf_for(facts).prices.get(key, lambda: Prices(scenario, facts))


def is_known(price: GuidePrice) -> bool:
    """Whether a figure exists that orders plans: a price or a sibling's."""
    return price.net is not None or price.stand_in_for_ranking is not None


def _price_class(positions: tuple[Position, ...], *, populated: bool) -> PriceClass:
    unknown = {item.kind for item in positions if not is_known(item.unit)}
    if PositionKind.CARD in unknown or (populated and PositionKind.SYSTEM in unknown):
        return PriceClass.WITHOUT_CARDS
    if PositionKind.SYSTEM in unknown:
        return PriceClass.WITHOUT_MACHINE
    return PriceClass.COMPLETE


def _remarks(positions: tuple[Position, ...]) -> list[Reason]:
    """What is on request, and how each such position enters the order of plans."""
    found = []
    for item in positions:
        if item.unit.net is not None:
            continue
        found.append(reason(ReasonCode.PRICE_ON_REQUEST, item=item.item_id))
        if item.unit.stand_in_for_ranking is not None:
            found.append(reason(ReasonCode.PRICE_STAND_IN, item=item.item_id, stand_in=item.unit.stand_in_item_id))
        elif item.kind is not PositionKind.SOFTWARE:
            found.append(reason(ReasonCode.PRICE_NOT_COMPARABLE, item=item.item_id))
    return found
