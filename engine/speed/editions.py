"""What editions of one product differ by while training, only where the same people measured both the same way."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from engine.editions import EditionRange, Pair, ranges_of
from engine.facts import Facts
from engine.speed.types import CardRecord


@dataclass(frozen=True, slots=True)
class TrainedPair(Pair[CardRecord]):
    """One setup trained on two editions."""

    @property
    def ratio(self) -> float:
        """Tokens/s per card of the edition over the other's."""
        return self.record.tokens_per_s_per_card / self.beside.tokens_per_s_per_card


def trained_ranges(facts: Facts, card_ids: Collection[str]) -> tuple[EditionRange[TrainedPair], ...]:
    """What was measured of these cards beside other editions of the same product."""
    return ranges_of(_pairs(facts), card_ids)


def _pairs(facts: Facts) -> Iterator[TrainedPair]:
    records = sorted(facts.speed.editions, key=lambda record: record.card_id)
    for at, record in enumerate(records):
        for beside in records[at + 1 :]:
            if record.card_id != beside.card_id and _setup(record, facts) == _setup(beside, facts):
                yield TrainedPair(record, beside)


def _setup(record: CardRecord, facts: Facts) -> tuple[object, ...]:
    return (
        *(facts.cards[record.card_id].family, record.source.id, record.model, record.method, record.stack),
        *(record.compute, record.cards, record.sequence_length, record.micro_batch),
    )
