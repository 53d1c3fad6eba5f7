"""How a workload may be laid out on the cards of a plan."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from engine.hardware import Bridging, Card, LinkKind, MigProfile
from engine.memory.mig import profile_bytes
from engine.methods import SINGLE_CARD, Layout, Method, Offload, Recipe, Sharding
from engine.plan.card_rules import BITSANDBYTES_OPTIMIZERS, may_share_a_run
from engine.speed.types import StackClass
from engine.workload import Workload


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


def tensor_parallel(
    card: Card, cards: int, bridging: Bridging | None, workload: Workload, stack: StackClass | None
) -> tuple[Option, ...]:
    """Runs whose layers are split over cards that NVLink joins, widest first.

    Only where the customer's software is known to offer it, and the heads divide. Nothing over PCIe, where two
    reductions per layer and pass would cost more than they save.
    """
    if not _stack_offers(stack, workload.recipe):
        return ()
    most = island_cards(card, cards, bridging)
    groups = _groups(card, cards, Sharding.TENSOR)
    return tuple(one for one in groups if one.layout.cards <= most and workload.model.divides_over(one.layout.cards))


def _stack_offers(stack: StackClass | None, recipe: Recipe) -> bool:
    """Published runs with tensor parallelism: NeMo and Megatron for LoRA and full training, torchtitan for full.

    None with a 4-bit base, bitsandbytes' optimisers or offload.
    """
    if recipe.method is Method.QLORA or recipe.optimizer in BITSANDBYTES_OPTIMIZERS:
        return False
    if recipe.offload is not Offload.NONE:
        return False
    if stack is StackClass.TUNED_PYTORCH:
        return recipe.method is Method.FULL
    return stack is StackClass.VENDOR_TUNED


def hybrid(card: Card, cards: int, bridging: Bridging | None, workload: Workload) -> tuple[Option, ...]:
    """One run over several bridged islands: sharded inside each, replicated across them."""
    if bridging is None or bridging.islands < 2 or not may_share_a_run(card):
        return ()
    if workload.recipe.offload is not Offload.NONE:
        return ()
    return (Option(Layout(cards, Sharding.HYBRID, bridging.size), 1, card.usable_bytes.value),)


def island_cards(card: Card, cards: int, bridging: Bridging | None) -> int:
    """Cards that NVLink joins without PCIe in between; 1 where it joins none."""
    if card.nvlink is not None and card.nvlink.kind is LinkKind.NVSWITCH:
        return cards
    return 1 if bridging is None else bridging.size


def instances(card: Card, cards: int) -> tuple[Option, ...]:
    """One run per MIG instance, most instances first. An instance never joins a run over several cards."""
    divided = [profile for profile in card.mig if profile.instances > 1]
    return tuple(
        Option(SINGLE_CARD, cards * profile.instances, profile_bytes(card, profile), profile)
        for profile in sorted(divided, key=lambda profile: -profile.instances)
    )


def _groups(card: Card, cards: int, sharding: Sharding) -> tuple[Option, ...]:
    """Equal groups of cards; uneven ones would leave cards idle."""
    return _equal_groups(cards, sharding, card.usable_bytes.value) if may_share_a_run(card) else ()


@lru_cache(maxsize=1024)
def _equal_groups(cards: int, sharding: Sharding, capacity_bytes: int) -> tuple[Option, ...]:
    sizes = [size for size in range(cards, 1, -1) if cards % size == 0]
    return tuple(Option(Layout(size, sharding), cards // size, capacity_bytes) for size in sizes)
