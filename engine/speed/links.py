"""How cards reach each other, and what the machine round them costs."""

from __future__ import annotations

from dataclasses import replace
from math import ceil

from engine.hardware import Bridging, Card, LinkKind, System
from engine.methods import Layout, Sharding
from engine.speed.types import NO_LINK, Link, LinkRate, MachineLink, SpeedFacts

_SWITCHED = frozenset({LinkKind.NVSWITCH, LinkKind.INFINITY_FABRIC})
EXCHANGE_INSIDE_PASS = frozenset({Sharding.FSDP, Sharding.TENSOR, Sharding.HYBRID})


def link_between(
    card: Card,
    system: System | None,
    cards: int,
    bridging: Bridging | None,
    facts: SpeedFacts,
    *,
    tuned_pcie: bool = False,
) -> Link:
    """The path between `cards` cards of one run in this machine; `NO_LINK` for one card or an unknown PCIe rate.

    Bridged cards beyond the bridge's size form islands with PCIe between them. `tuned_pcie` takes the rate somebody
    reached by tuning NCCL's channels instead of its defaults.
    """
    if cards <= 1:
        return NO_LINK
    nvlink = card.nvlink
    if nvlink is not None and nvlink.kind in _SWITCHED:
        return _scaled(facts.links.get(nvlink.kind), nvlink.kind, float(nvlink.gb_per_s_per_direction.value))
    pcie = _pcie(card, system, cards, facts, tuned=tuned_pcie)
    if nvlink is None or bridging is None or bridging.size < 2:
        return pcie
    rate = facts.links.get(LinkKind.NVLINK_BRIDGE)
    theoretical = float(nvlink.gb_per_s_per_direction.value)
    islands = ceil(cards / bridging.size)
    return _scaled(rate, LinkKind.NVLINK_BRIDGE, theoretical, islands, pcie if islands > 1 else None)


def link_of(card: Card, system: System | None, layout: Layout, bridging: Bridging | None, facts: SpeedFacts) -> Link:
    """The path between the cards of a layout; hybrid sharding exchanges inside its groups, and `outer` joins those."""
    if layout.sharding is not Sharding.HYBRID:
        return link_between(card, system, layout.cards, bridging, facts)
    inside = link_between(card, system, layout.group, bridging, facts)
    between = link_between(card, system, layout.cards, bridging, facts)
    return replace(inside, outer=between.outer or between)


def host_factor(system: System | None, card: Card, layout: Layout, facts: SpeedFacts) -> float:
    """Speed of this machine with this layout, 1 being the best machine measured; 1 for a run on one card.

    A machine nobody compared gets the middle of what was measured on its kind, as an assumption.
    """
    if layout.cards <= 1 or layout.sharding is Sharding.NONE or _switched(card):
        return 1.0
    inside = layout.sharding in EXCHANGE_INSIDE_PASS
    known = _machine(system, card, facts)
    if known is not None:
        return known.sharded_factor if inside else known.data_parallel_factor
    assumed = facts.assumptions.get("host_factor_sharded" if inside else "host_factor_data_parallel")
    return assumed.value if assumed is not None else 1.0


def _switched(card: Card) -> bool:
    return card.nvlink is not None and card.nvlink.kind in _SWITCHED


def _machine(system: System | None, card: Card, facts: SpeedFacts) -> MachineLink | None:
    if system is None:
        return None
    return next(
        (
            machine
            for machine in facts.machines
            if machine.system_id == system.id and machine.card_id in (None, card.id)
        ),
        None,
    )


def _pcie(card: Card, system: System | None, cards: int, facts: SpeedFacts, *, tuned: bool) -> Link:
    if card.pcie_gb_per_s is None:
        return NO_LINK
    theoretical = float(card.pcie_gb_per_s.value)
    machine = _machine(system, card, facts)
    measured = machine.pcie_gb_per_s if machine is not None else None
    if measured is not None:
        return Link(LinkKind.PCIE, theoretical, measured, measured, measured, measured=True)
    rate = facts.pcie_pair if cards == 2 else facts.links.get(LinkKind.PCIE)
    link = _scaled(rate, LinkKind.PCIE, theoretical)
    if not tuned:
        return link
    return Link(
        LinkKind.PCIE,
        theoretical,
        link.effective_low_gb_per_s,
        link.effective_high_gb_per_s,
        link.effective_high_gb_per_s,
    )


def _scaled(
    rate: LinkRate | None,
    kind: LinkKind,
    theoretical: float,
    islands: int = 1,
    outer: Link | None = None,
) -> Link:
    """A link at the shares of its theoretical rate that were measured on its kind; without any, `NO_LINK`."""
    if rate is None:
        return NO_LINK
    return Link(
        kind,
        theoretical,
        theoretical * rate.low,
        theoretical * rate.expected,
        theoretical * rate.high,
        islands,
        outer,
    )
