"""The customer's own test runs, from the rows of the consultation to what the engine compares with."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

from catalog.consultation.document import CalibrationRow
from engine.errors import InvalidInputError
from engine.facts import Facts
from engine.hardware import Bridging, Card
from engine.memory.estimate import estimate
from engine.memory.evidence import Reading
from engine.memory.own_peak import OwnPeak, own_peak
from engine.memory.types import MemoryEstimate, TrainingSetup
from engine.methods import Layout, Sharding
from engine.speed.calibration import own_run
from engine.speed.links import host_factor, link_of
from engine.speed.types import OwnRun, SpeedSetup, StackClass
from engine.units import GIB

_Item = TypeVar("_Item")


def to_own_run(row: CalibrationRow, training: TrainingSetup, facts: Facts) -> OwnRun:
    """The row's run beside what the model says for it. `training` is what ran, on one card as yet.

    Raises `InvalidInputError` for a card or machine the catalogue does not know, and for a rate or a peak of memory no
    such card can reach.
    """
    card = _known(facts.cards.get(row.card), row.card)
    system = None if row.system is None else _known(facts.systems.get(row.system), row.system)
    training = replace(training, layout=Layout(row.cards, row.sharding, _group(row)))
    bridging = None
    if row.bridge_cards is not None:
        islands = -(-row.cards // row.bridge_cards)
        bridging = Bridging(row.bridge_cards, islands, islands)
    sized = estimate(training)
    setup = SpeedSetup(
        training,
        card,
        sized.trainable_parameters,
        link_of(card, system, training.layout, bridging, facts.speed),
        stack=row.stack,
        power_cap_w=row.power_limit_watts,
        host_factor=host_factor(system, card, training.layout, facts.speed),
    )
    name = row.name or f"{training.model.name}, {row.cards} × {card.short_name}"
    return replace(own_run(name, setup, row.tokens_per_second, facts.speed), peak=_peak(row, sized, card))


def _peak(row: CalibrationRow, sized: MemoryEstimate, card: Card) -> OwnPeak | None:
    if row.peak_gib is None:
        return None
    measured = round(row.peak_gib * GIB)
    if measured > card.memory_gb.value * GIB:
        raise InvalidInputError("{measured} GiB are more than {card} has.", measured=row.peak_gib, card=card.name)
    return own_peak(sized, row.peak_reading or Reading.DRIVER, measured)


def _group(row: CalibrationRow) -> int:
    return row.bridge_cards or 0 if row.sharding is Sharding.HYBRID else 0


def measured_stack(rows: Iterable[CalibrationRow]) -> StackClass | None:
    """The software all test runs used; None without one, or where they differ."""
    stacks = {row.stack for row in rows}
    return stacks.pop() if len(stacks) == 1 else None


def _known(item: _Item | None, item_id: str) -> _Item:
    if item is None:
        raise InvalidInputError("calibrations: {id} is no item of the catalogue.", id=item_id)
    return item
