"""What a plan draws, and whether circuit, power supplies and cooling carry it."""

from __future__ import annotations

from dataclasses import dataclass

from engine.facts import Facts
from engine.hardware import Card, CardOption, System
from engine.reasons import Reason, ReasonCode, reason
from engine.workload import Place, Site


@dataclass(frozen=True, slots=True)
class PowerLimits:
    """What may be drawn, in watts; None: not limited or not known."""

    circuit_w: int | None
    cooling_w: int | None
    psu_w: int | None


@dataclass(frozen=True, slots=True)
class PowerPlan:
    """Power of a machine with its cards under load. `cap_w` is set when the cards run below their full power."""

    total_w: int
    cap_w: int | None
    objections: tuple[Reason, ...]


def circuit_limit_w(site: Site, facts: Facts) -> int | None:
    """What one circuit of the place gives for days on end. At a desk that is an ordinary socket unless stated."""
    if site.circuit_watts is not None or site.place is not Place.DESK:
        return site.circuit_watts
    return min((circuit.sustained_w.value for circuit in facts.circuits), default=None)


def plan_power(card: Card, option: CardOption, system: System, cards: int, site: Site, facts: Facts) -> PowerPlan:
    """The highest power setting of the cards that every limit allows.

    Settings are the card's full power, the machine's cap, and the lower limits the card's vendor names. When none
    is low enough, the objections are those of the lowest.
    """
    limits = PowerLimits(circuit_limit_w(site, facts), site.cooling_watts, psu_limit_w(system, cards))
    base_w = 0 if system.base_power_w is None else system.base_power_w.value
    full_w = card.power_w.value
    plan = PowerPlan(0, None, ())
    for setting_w in power_settings(card, option):
        total_w = base_w + cards * setting_w
        plan = PowerPlan(total_w, setting_w if setting_w < full_w else None, _objections(card, system, total_w, limits))
        if not plan.objections:
            break
    return plan


def power_settings(card: Card, option: CardOption) -> tuple[int, ...]:
    """Watts the card may be set to in this machine, highest first."""
    highest = min(card.power_w.value, option.power_cap_w or card.power_w.value)
    lower = [limit_w for limit_w in card.power_limits_w if limit_w < highest]
    return tuple(sorted({highest, *lower}, reverse=True))


def psu_limit_w(system: System, cards: int) -> int | None:
    """Watts of the supplies that the vendor's table prescribes for this many cards, else of all usable ones."""
    row = next(
        (row for row in sorted(system.psu_rules, key=lambda row: row.cards_to) if cards <= row.cards_to),
        None,
    )
    if row is not None and row.watts_each is not None:
        return row.supplies * row.watts_each
    return None if system.psu_watts_usable is None else system.psu_watts_usable.value


def unchecked_power(system: System, site: Site, facts: Facts) -> tuple[Reason, ...]:
    """Say that the machine's own consumption is unknown: power and energy leave it out, and so did the limits."""
    if system.base_power_w is not None:
        return ()
    alone = reason(ReasonCode.POWER_OF_CARDS_ALONE, system=system.id)
    if circuit_limit_w(site, facts) is None and site.cooling_watts is None:
        return (alone,)
    return (alone, reason(ReasonCode.NOT_CHECKED, system=system.id, figure="base_power_w"))


def _objections(card: Card, system: System, total_w: int, limits: PowerLimits) -> tuple[Reason, ...]:
    checks = (
        (ReasonCode.CIRCUIT_POWER, limits.circuit_w),
        (ReasonCode.PSU_POWER, limits.psu_w),
        (ReasonCode.COOLING, limits.cooling_w),
    )
    return tuple(
        reason(code, card=card.id, system=system.id, need_w=total_w, limit_w=limit_w)
        for code, limit_w in checks
        if limit_w is not None and total_w > limit_w
    )
