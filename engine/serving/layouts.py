"""How a model may be spread over the cards it has: copies first, then stages or ranks.

A model that fits one card is copied: copies scale straight. Over PCIe a larger one is cut into stages for throughput
(as NVIDIA's own tables do for Llama 70B on the RTX PRO 6000); ranks are for latency or fit, and for NVLink.
"""

from __future__ import annotations

from engine.hardware import Card, LinkKind
from engine.serving.types import ServeLayout

_SWITCHED = frozenset({LinkKind.NVSWITCH, LinkKind.INFINITY_FABRIC})
GROUPS = (1, 2, 4, 8)  # cards of one copy: head counts are powers of two almost everywhere


def layouts_on(cards: int, *, nvlink_cards: int) -> tuple[ServeLayout, ...]:
    """Layouts that use as many of the cards as they can, in the order of preference.

    `nvlink_cards`: cards joined by NVLink, 1 without any.
    """
    found: list[ServeLayout] = []
    for group in GROUPS:
        if group > cards:
            break
        copies = cards // group
        if group == 1:
            found.append(ServeLayout(copies))
            continue
        stages, ranks = ServeLayout(copies, group, 1), ServeLayout(copies, 1, group)
        found += [ranks, stages] if group <= nvlink_cards else [stages, ranks]
    return tuple(found)


def nvlink_group(card: Card, bridge_size: int | None, cards: int) -> int:
    """Cards of this machine that NVLink joins: all of a switched board, a bridge's size, else 1."""
    if card.nvlink is None:
        return 1
    if card.nvlink.kind in _SWITCHED:
        return cards
    return min(bridge_size or 1, cards)
