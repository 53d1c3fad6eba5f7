"""What keeps a machine, or a number of cards in it, out of a place."""

from __future__ import annotations

from math import ceil

from engine.facts import Facts
from engine.hardware import Card, CardForm, System, SystemKind
from engine.reasons import Reason, ReasonCode, reason
from engine.workload import Place, Site

_RACK_KINDS = frozenset({SystemKind.SERVER, SystemKind.RACK})
_SLOTTED_FORMS = frozenset({CardForm.PCIE})


def machine_objections(system: System, site: Site) -> tuple[Reason, ...]:
    """Every reason against the machine at this place, whatever cards it carries."""
    found: list[Reason] = []
    at_desk = site.place is Place.DESK
    if at_desk and system.kind in _RACK_KINDS:
        found.append(reason(ReasonCode.RACK_MACHINE_AT_DESK, system=system.id))
    if not at_desk and system.kind not in _RACK_KINDS:
        found.append(reason(ReasonCode.DESK_MACHINE_IN_RACK, system=system.id))
    if site.free_rack_units is not None and system.rack_units is not None:
        need = system.rack_units.value
        if need > site.free_rack_units:
            found.append(
                reason(ReasonCode.RACK_UNITS, system=system.id, need_units=need, limit_units=site.free_rack_units)
            )
    if site.noise_limit_db_a is not None and system.noise_db_a is not None:
        loud = system.noise_db_a.value
        if loud > site.noise_limit_db_a:
            found.append(reason(ReasonCode.NOISE, system=system.id, need_db_a=loud, limit_db_a=site.noise_limit_db_a))
    return tuple(found)


def count_objections(card: Card, system: System, cards: int, site: Site, facts: Facts) -> tuple[Reason, ...]:
    """Reasons against this many cards in the machine: slots and the host each card needs. Power has its own module."""
    found: list[Reason] = []
    if card.form in _SLOTTED_FORMS and site.slots is not None:
        need = double_width_slots(card, cards)
        if need > site.slots:
            found.append(reason(ReasonCode.SLOTS, card=card.id, need_slots=need, limit_slots=site.slots))
    minimum = facts.host_minimum
    if minimum is not None and system.host_memory_max_gb is not None and system.kind in _RACK_KINDS:
        need_gb = minimum.memory_gb_per_card.value * cards
        limit_gb = system.host_memory_max_gb.value
        if need_gb > limit_gb:
            found.append(reason(ReasonCode.HOST_MEMORY, system=system.id, need_gb=need_gb, limit_gb=limit_gb))
    return tuple(found)


def unchecked_limits(system: System, site: Site) -> tuple[Reason, ...]:
    """Limits of the place that the machine's document gives no figure for; to be confirmed before ordering."""
    gaps = (
        ("noise_db_a", site.noise_limit_db_a is not None and system.noise_db_a is None),
        ("rack_units", site.free_rack_units is not None and system.rack_units is None),
    )
    return tuple(reason(ReasonCode.NOT_CHECKED, system=system.id, figure=figure) for figure, missing in gaps if missing)


def double_width_slots(card: Card, cards: int) -> int:
    """Double-width slots that this many cards take; two single-width cards share one."""
    return ceil(cards * card.slot_width / 2)
