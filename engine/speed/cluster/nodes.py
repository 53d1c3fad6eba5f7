"""Node types from what can be bought or rented."""

from __future__ import annotations

from engine.hardware import Bridging, Card, System
from engine.speed.cluster.types import NodeType
from engine.speed.links import link_between
from engine.speed.types import Fabric, SpeedFacts

BITS_PER_BYTE = 8


def node_of(
    card: Card,
    cards: int,
    gbit_per_s_per_card: float,
    facts: SpeedFacts,
    *,
    system: System | None = None,
    bridging: Bridging | None = None,
    fabric: Fabric = Fabric.INFINIBAND,
) -> NodeType:
    """A machine with `cards` cards and a network of so many Gbit/s per card; offers state that of all cards."""
    name = system.id if system is not None else f"{cards}x{card.id}"
    inner = link_between(card, system, cards, bridging, facts)
    return NodeType(name, card, cards, inner, fabric, gbit_per_s_per_card / BITS_PER_BYTE)
