"""What editions of one product differ by while serving, only where somebody measured both the same way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.facts import Facts
from engine.figures import Source
from engine.serving.facts import Anchor


@dataclass(frozen=True, slots=True)
class EditionPair:
    """One setup measured on two editions by the same source."""

    card_id: str
    other_id: str
    model: str
    prompt: int
    output: int
    users: float
    ratio: float  # tokens/s of the card over the other
    records: tuple[str, str]
    source: Source


def measured_pairs(facts: Facts, family: str) -> tuple[EditionPair, ...]:
    """Every pair of editions of a family that one source measured with the same model, formats, lengths and users."""
    cards = sorted(card.id for card in facts.cards.values() if card.family == family)
    pairs: list[EditionPair] = []
    for at, card_id in enumerate(cards):
        for other_id in cards[at + 1 :]:
            pairs += _pairs(facts, card_id, other_id)
    return tuple(pairs)


def _pairs(facts: Facts, card_id: str, other_id: str) -> Iterator[EditionPair]:
    others = {_setup(anchor): anchor for anchor in facts.serving.anchors.get(other_id, ())}
    for anchor in facts.serving.anchors.get(card_id, ()):
        other = others.get(_setup(anchor))
        if other is not None:
            yield EditionPair(
                card_id=card_id,
                other_id=other_id,
                model=anchor.model,
                prompt=anchor.prompt,
                output=anchor.output,
                users=anchor.users,
                ratio=anchor.tokens_per_s / other.tokens_per_s,
                records=(anchor.record_id, other.record_id),
                source=anchor.source,
            )


def _setup(anchor: Anchor) -> tuple[object, ...]:
    return (
        *(anchor.source.id, anchor.model, anchor.weights, anchor.engine, anchor.prompt, anchor.output),
        *(anchor.offline, anchor.users, anchor.tensor, anchor.pipeline),
    )
