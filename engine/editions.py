"""Two editions of one product that somebody measured alike, and the range of what they differ by."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any, Generic, Protocol, Self, TypeVar

from engine.facts import Facts
from engine.figures import Source
from engine.hardware import Card

COMPARED_FAMILY = "rtx_pro_6000_blackwell"
COMPARED_CARD = "h200_nvl"
"""Paper and command line always set these editions side by side, beside the card they recommend."""


class Measurement(Protocol):
    """What somebody published of a setup on one edition."""

    @property
    def card_id(self) -> str:
        """The edition."""

    @property
    def source(self) -> Source:
        """Who measured."""


M = TypeVar("M", bound=Measurement)


@dataclass(frozen=True, slots=True)
class Pair(ABC, Generic[M]):
    """One setup measured on two editions by the same source."""

    record: M
    beside: M

    @property
    def card_id(self) -> str:
        """The edition whose output is stated."""
        return self.record.card_id

    @property
    def other_id(self) -> str:
        """The edition it is stated against."""
        return self.beside.card_id

    @property
    def source(self) -> Source:
        """Who measured both."""
        return self.record.source

    @property
    @abstractmethod
    def ratio(self) -> float:
        """Tokens/s of the edition over the other's."""

    def turned(self) -> Self:
        """The same pair stated for the other edition."""
        return type(self)(self.beside, self.record)


P = TypeVar("P", bound=Pair[Any])


@dataclass(frozen=True, slots=True)
class EditionRange(Generic[P]):
    """All setups in which one source measured two editions; at least one, in the order of the records."""

    pairs: tuple[P, ...]

    @property
    def card_id(self) -> str:
        """The edition whose output is stated."""
        return self.pairs[0].card_id

    @property
    def other_id(self) -> str:
        """The edition it is stated against."""
        return self.pairs[0].other_id

    @property
    def source(self) -> Source:
        """Who measured both."""
        return self.pairs[0].source

    @property
    def low(self) -> float:
        """The least share of the other edition's output."""
        return min(pair.ratio for pair in self.pairs)

    @property
    def high(self) -> float:
        """The greatest share."""
        return max(pair.ratio for pair in self.pairs)

    @property
    def contradictory(self) -> bool:
        """Whether either edition came out ahead in some setup: then no range says what a buyer may expect."""
        return self.low < 1 < self.high


def compared_cards(facts: Facts, chosen: Card | None) -> list[Card]:
    """The cards that paper and command line set side by side."""
    cards = [card for card in facts.cards.values() if card.family == COMPARED_FAMILY or card.id == COMPARED_CARD]
    return cards if chosen is None or chosen in cards else [*cards, chosen]


def ranges_of(pairs: Iterable[P], card_ids: Collection[str]) -> tuple[EditionRange[P], ...]:
    """Per two editions and source one range, stated for the slower of the two; only where one of these cards is in."""
    groups: dict[tuple[str, str, str], list[P]] = {}
    for pair in pairs:
        if pair.card_id not in card_ids and pair.other_id not in card_ids:
            continue
        groups.setdefault((pair.card_id, pair.other_id, pair.source.id), []).append(pair)
    return tuple(_slower_first(EditionRange(tuple(found))) for found in groups.values())


def _slower_first(found: EditionRange[P]) -> EditionRange[P]:
    return found if found.low < 1 else EditionRange(tuple(pair.turned() for pair in found.pairs))
