"""The one shape of a fact: value, unit, source, grade, basis. Every catalogue figure carries its origin with it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

T_co = TypeVar("T_co", covariant=True)  # a frozen fact: a Figure[int] is a Figure[object]


class Grade(StrEnum):
    """How far a figure can be trusted."""

    A = "A"  # vendor text or vendor source code seen directly
    B = "B"  # vendor figure transcribed in a dated public file; vendor page itself not seen
    C = "C"  # trade press, retailer, measurement or other third party
    D = "D"  # derived by us, formula in the note
    M = "M"  # from memory, unverified: never in a customer document without a visible mark


class Basis(StrEnum):
    """How a figure came about; told apart wherever it is shown."""

    PUBLISHED = "published"
    DERIVED = "derived"
    ESTIMATED = "estimated"
    ASSUMED = "assumed"


@dataclass(frozen=True, slots=True)
class Source:
    """Where a figure was read."""

    id: str
    title: str
    url: str  # empty when the page address was not recorded
    document_date: str  # ISO date, possibly only year or year-month; "not recorded" otherwise
    read_date: str = ""
    read_via: str = ""


@dataclass(frozen=True, slots=True)
class Figure(Generic[T_co]):
    """A sourced value. `unit` is empty for words and flags."""

    value: T_co
    unit: str
    source: Source
    grade: Grade
    basis: Basis
    note: str = ""
    contradicts: tuple[str, ...] = ()  # other published values, recorded and shown, never averaged
