"""What editions of one product differ by while serving, only where somebody measured both the same way."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from engine.editions import EditionRange, Pair, ranges_of
from engine.facts import Facts
from engine.serving.facts import Anchor


@dataclass(frozen=True, slots=True)
class ServedPair(Pair[Anchor]):
    """One setup served on two editions by the same source, with the same software."""

    @property
    def ratio(self) -> float:
        """Output tokens/s of the edition over the other's."""
        return self.record.tokens_per_s / self.beside.tokens_per_s


def served_pairs(facts: Facts, family: str) -> tuple[ServedPair, ...]:
    """Every pair of editions of a family that one source measured alike.

    The same model, formats, software with its version, lengths, users and split. A setup that was measured several
    times on an edition is paired as often.
    """
    cards = sorted(card.id for card in facts.cards.values() if card.family == family)
    pairs: list[ServedPair] = []
    for at, card_id in enumerate(cards):
        for other_id in cards[at + 1 :]:
            pairs += _pairs(facts, card_id, other_id)
    return tuple(pairs)


def served_ranges(facts: Facts, card_ids: Collection[str]) -> tuple[EditionRange[ServedPair], ...]:
    """What was measured of these cards beside other editions of the same product."""
    families = dict.fromkeys(facts.cards[card].family for card in card_ids)
    return ranges_of((pair for family in families for pair in served_pairs(facts, family)), card_ids)


def unserved_editions(
    facts: Facts, card_ids: Collection[str], served: Iterable[EditionRange[ServedPair]]
) -> tuple[str, ...]:
    """Those of the cards that stand beside another edition of their family and are in none of their `served_ranges`."""
    families = [facts.cards[card].family for card in card_ids]
    measured = {card for found in served for card in (found.card_id, found.other_id)}
    return tuple(card for card in card_ids if families.count(facts.cards[card].family) > 1 and card not in measured)


def _pairs(facts: Facts, card_id: str, other_id: str) -> Iterator[ServedPair]:
    others: dict[tuple[object, ...], list[Anchor]] = {}
    for anchor in facts.serving.anchors.get(other_id, ()):
        others.setdefault(_setup(anchor), []).append(anchor)
    for anchor in facts.serving.anchors.get(card_id, ()):
        for other in others.get(_setup(anchor), ()):
            yield ServedPair(anchor, other)


def _setup(anchor: Anchor) -> tuple[object, ...]:
    return (
        *(anchor.source.id, anchor.model, anchor.weights, anchor.engine, anchor.software, anchor.prompt),
        *(anchor.output, anchor.offline, anchor.users, anchor.tensor, anchor.pipeline),
    )
