"""Which NVLink bridges join the cards of a plan."""

from __future__ import annotations

from engine.hardware import Bridging, Card, CardOption, LinkKind, System
from engine.reasons import Reason, ReasonCode, reason
from engine.workload import MustHave


def bridging_for(card: Card, option: CardOption, cards: int) -> Bridging | None:
    """The largest bridges that join all cards into equal islands; None where no bridge is documented or none fits.

    Eight H200 NVL form two islands of four: no bridge joins more than four.
    """
    sizes = _sizes(card, option)
    fitting = [size for size in sizes if size <= cards and cards % size == 0]
    if cards < 2 or not fitting:
        return None
    size = max(fitting)
    return Bridging(size=size, count=cards // size, islands=cards // size)


def bridge_objection(card: Card, option: CardOption, system: System, cards: int) -> Reason | None:
    """Why a must-have NVLink cannot be met with this many cards; None when it can or when one card needs none.

    A machine whose document names no bridge does not count as having the feature.
    """
    if cards < 2 or card.nvlink is None or card.nvlink.kind is not LinkKind.NVLINK_BRIDGE:
        return None
    if bridging_for(card, option, cards) is not None:
        return None
    sizes = _sizes(card, option)
    if not sizes:
        return reason(ReasonCode.MUST_HAVE_UNSTATED, card=card.id, system=system.id, feature=MustHave.NVLINK.value)
    return reason(ReasonCode.BRIDGE_LIMIT, card=card.id, limit_cards=max(sizes), need_cards=cards)


def island_remark(bridging: Bridging | None) -> tuple[Reason, ...]:
    """Say that the bridged cards are several islands."""
    if bridging is None or bridging.islands < 2:
        return ()
    return (reason(ReasonCode.ISLANDS, islands=bridging.islands, island_cards=bridging.size),)


def _sizes(card: Card, option: CardOption) -> tuple[int, ...]:
    if card.nvlink is None or card.nvlink.kind is not LinkKind.NVLINK_BRIDGE or not option.nvlink_bridges:
        return ()
    return card.nvlink.bridge_sizes or (card.nvlink.max_cards,)
