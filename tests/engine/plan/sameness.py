"""Tells two recommendations apart to the last digit: 2 is not 2.0, and Decimal("2") is not Decimal("2.0")."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum


class Fingerprints:
    """Fingerprints of values; what many plans share is read once."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[object, str]] = {}

    def of(self, value: object) -> str:
        """A digest of types and contents, all the way down."""
        if value is None or (isinstance(value, str | int | float) and not isinstance(value, Enum)):
            return f"{type(value).__name__}:{value!r}"
        known = self._known.get(id(value))
        if known is None:
            known = (value, hashlib.sha256(self._text(value).encode()).hexdigest())
            self._known[id(value)] = known
        return known[1]

    def _text(self, value: object) -> str:
        name = type(value).__name__
        if isinstance(value, Enum):
            return f"{name}.{value.name}"
        if is_dataclass(value):
            return name + "|".join(f"{item.name}={self.of(getattr(value, item.name))}" for item in fields(value))
        if isinstance(value, tuple | list):
            return name + "|".join([self.of(item) for item in value])
        if isinstance(value, Mapping):
            return name + "|".join([f"{self.of(key)}={self.of(item)}" for key, item in value.items()])
        if isinstance(value, set | frozenset):
            return name + "|".join(sorted(self.of(item) for item in value))
        return f"{name}:{value!r}"
