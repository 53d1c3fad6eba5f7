"""Rules about the place and the host that hold for every machine."""

from __future__ import annotations

from dataclasses import dataclass

from engine.figures import Figure


@dataclass(frozen=True, slots=True)
class Circuit:
    """A kind of power circuit. `sustained_w` is what may be drawn for days, not what trips the breaker."""

    id: str
    name: str
    amps: Figure[int]
    nominal_w: Figure[int]
    sustained_w: Figure[int]


@dataclass(frozen=True, slots=True)
class HostMinimum:
    """What a host needs at least for each card."""

    cores_per_card: Figure[int]  # physical cores
    memory_gb_per_card: Figure[int]


@dataclass(frozen=True, slots=True)
class NoiseLimit:
    """Upper limit of the rating level at a workplace."""

    id: str
    db_a: Figure[int]
