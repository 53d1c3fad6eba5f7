"""Engine results as plain JSON data: decimals as text, enums by value, parties and facts by id."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Mapping
from decimal import Decimal
from enum import Enum
from typing import Any

from engine.cost.types import RentalOffer
from engine.figures import Source
from engine.hardware import Card, System
from engine.models import ModelSpec
from engine.plan.types import Plan
from engine.units import Money
from engine.workload import Scenario

_BY_ID = (Card, System, ModelSpec, Plan, Source)
Plain = Any


def plain(value: object) -> Plain:
    """Nested dataclasses, mappings and sequences as dictionaries, lists and JSON scalars.

    Cards, machines, models, plans and sources stand as their ids; scenarios are left out (None), since whoever asked
    has them.
    """
    if isinstance(value, _BY_ID):
        return value.id
    if isinstance(value, Money):
        return {"amount": str(value.rounded().amount), "currency": value.currency}
    if isinstance(value, RentalOffer):
        return _offer(value)
    if isinstance(value, Scenario):
        return None
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, datetime.date):
        return value.isoformat()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(plain(key)): plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(entry) for entry in value]
    return value


def _offer(offer: RentalOffer) -> Plain:
    return {
        field.name: plain(getattr(offer, field.name))
        for field in dataclasses.fields(offer)
        if getattr(offer, field.name) not in (None, "", ())
    }
