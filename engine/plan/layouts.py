"""How a workload may be laid out on the cards of a plan."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from engine.hardware import Card, MigProfile
from engine.memory.mig import instance_bytes
from engine.methods import SINGLE_CARD, Layout, Sharding
from engine.plan.card_rules import may_share_a_run


@dataclass(frozen=True, slots=True)
class Option:
    """One way to run a workload: cards per run, runs side by side, bytes each run has on each of its cards."""

    layout: Layout
    runs_in_parallel: int
    capacity_bytes: int
    mig: MigProfile | None = None

    @property
    def card_share(self) -> float:
        """Cards one run occupies; a fraction inside a MIG instance."""
        return self.layout.cards if self.mig is None else 1 / self.mig.instances


def single(card: Card, cards: int) -> Option:
    """One run per card, side by side."""
    return Option(SINGLE_CARD, cards, card.usable_bytes.value)


def replicas(card: Card, cards: int) -> tuple[Option, ...]:
    """Data-parallel runs, widest first."""
    return _groups(card, cards, Sharding.DDP)


def sharded(card: Card, cards: int) -> tuple[Option, ...]:
    """Fully sharded runs, widest first."""
    return _groups(card, cards, Sharding.FSDP)


def instances(card: Card, cards: int) -> tuple[Option, ...]:
    """One run per MIG instance, most instances first. An instance never joins a run over several cards."""
    divided = [profile for profile in card.mig if profile.instances > 1]
    return tuple(
        Option(SINGLE_CARD, cards * profile.instances, _instance_bytes(card, profile), profile)
        for profile in sorted(divided, key=lambda profile: -profile.instances)
    )


def _groups(card: Card, cards: int, sharding: Sharding) -> tuple[Option, ...]:
    """Equal groups of cards; uneven ones would leave cards idle."""
    return _equal_groups(cards, sharding, card.usable_bytes.value) if may_share_a_run(card) else ()


@lru_cache(maxsize=1024)
def _equal_groups(cards: int, sharding: Sharding, capacity_bytes: int) -> tuple[Option, ...]:
    sizes = [size for size in range(cards, 1, -1) if cards % size == 0]
    return tuple(Option(Layout(size, sharding), cards // size, capacity_bytes) for size in sizes)


def _instance_bytes(card: Card, profile: MigProfile) -> int:
    return instance_bytes(card.usable_bytes.value, card.memory_gb.value, profile.memory_gb)
