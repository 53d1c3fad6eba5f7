"""What a target of the fuzzing is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from catalog.load import load_catalog
from engine.facts import Facts

ROOT = Path(__file__).resolve().parents[2]
Consume = Callable[[bytes, Path], object]


@cache
def facts() -> Facts:
    """The bundled catalogue."""
    return load_catalog().facts


@dataclass(frozen=True, slots=True)
class Target:
    """One reader: how it takes bytes, and valid inputs to start from."""

    name: str
    consume: Consume
    seeds: Callable[[], list[bytes]]
