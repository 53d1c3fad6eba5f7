"""What editions of one product differ by while serving, only where somebody measured both the same way."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from engine.facts import Facts
from engine.figures import Source
from engine.serving.facts import Anchor


@dataclass(frozen=True, slots=True)
class EditionPair:
    """One setup measured on two editions by the same source, with the same software."""

    anchor: Anchor
    beside: Anchor

    @property
    def card_id(self) -> str:
        """The edition whose output is stated."""
        return self.anchor.card_id

    @property
    def other_id(self) -> str:
        """The edition it is stated against."""
        return self.beside.card_id

    @property
    def source(self) -> Source:
        """Who measured both."""
        return self.anchor.source

    @property
    def ratio(self) -> float:
        """Tokens/s of the edition over the other's."""
        return self.anchor.tokens_per_s / self.beside.tokens_per_s


@dataclass(frozen=True, slots=True)
class EditionRange:
    """All setups in which one source measured two editions; at least one, in the order of the records."""

    pairs: tuple[EditionPair, ...]

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


def measured_pairs(facts: Facts, family: str) -> tuple[EditionPair, ...]:
    """Every pair of editions of a family that one source measured alike.

    The same model, formats, software with its version, lengths, users and split. A setup that was measured several
    times on an edition is paired as often.
    """
    cards = sorted(card.id for card in facts.cards.values() if card.family == family)
    pairs: list[EditionPair] = []
    for at, card_id in enumerate(cards):
        for other_id in cards[at + 1 :]:
            pairs += _pairs(facts, card_id, other_id)
    return tuple(pairs)


def measured_ranges(facts: Facts, card_ids: Collection[str]) -> tuple[EditionRange, ...]:
    """Per two of these cards and source what was measured side by side, stated for the slower of the two."""
    families = dict.fromkeys(facts.cards[card].family for card in card_ids)
    groups: dict[tuple[str, str, str], list[EditionPair]] = {}
    for family in families:
        for pair in measured_pairs(facts, family):
            if pair.card_id in card_ids and pair.other_id in card_ids:
                groups.setdefault((pair.card_id, pair.other_id, pair.source.id), []).append(pair)
    return tuple(_slower_first(EditionRange(tuple(pairs))) for pairs in groups.values())


def unmeasured_editions(facts: Facts, card_ids: Collection[str]) -> tuple[str, ...]:
    """Those of the cards that stand beside another edition of their family and were measured beside none of them."""
    families = [facts.cards[card].family for card in card_ids]
    measured = {card for found in measured_ranges(facts, card_ids) for card in (found.card_id, found.other_id)}
    return tuple(card for card in card_ids if families.count(facts.cards[card].family) > 1 and card not in measured)


def _slower_first(found: EditionRange) -> EditionRange:
    if found.low < 1:
        return found
    return EditionRange(tuple(EditionPair(pair.beside, pair.anchor) for pair in found.pairs))


def _pairs(facts: Facts, card_id: str, other_id: str) -> Iterator[EditionPair]:
    others: dict[tuple[object, ...], list[Anchor]] = {}
    for anchor in facts.serving.anchors.get(other_id, ()):
        others.setdefault(_setup(anchor), []).append(anchor)
    for anchor in facts.serving.anchors.get(card_id, ()):
        for other in others.get(_setup(anchor), ()):
            yield EditionPair(anchor, other)


def _setup(anchor: Anchor) -> tuple[object, ...]:
    return (
        *(anchor.source.id, anchor.model, anchor.weights, anchor.engine, anchor.software, anchor.prompt),
        *(anchor.output, anchor.offline, anchor.users, anchor.tensor, anchor.pipeline),
    )
