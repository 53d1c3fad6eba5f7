"""How long calculations report progress and learn that they were cancelled."""

from collections.abc import Callable

Progress = Callable[[int, int], None]
"""Called with (steps done, steps in all). It may raise `engine.errors.CancelledError` to stop the calculation."""


def silent(_done: int, _total: int) -> None:
    """Ignore progress."""
