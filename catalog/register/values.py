"""Stored values that are none Passform writes: synchronisation, other tools and broken disks leave them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from catalog.register.types import DAMAGED, RegisterError


@contextmanager
def whole_values() -> Iterator[None]:
    """What is done inside, or by the function decorated with it, reads the register: odd values are `RegisterError`."""
    try:
        yield
    except (ValueError, TypeError, AttributeError, ArithmeticError, MemoryError) as error:
        raise RegisterError(DAMAGED) from error
