"""Which state may follow which, and how the calendar ends an offer."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from catalog.register.types import State
from catalog.register.words import StateError

FOLLOWING: Mapping[State, frozenset[State]] = {
    State.DRAFT: frozenset({State.SENT, State.ACCEPTED, State.DECLINED}),
    State.SENT: frozenset({State.ACCEPTED, State.DECLINED}),
    # The answer can be taken back when it was recorded by mistake; the history keeps both.
    State.ACCEPTED: frozenset({State.SENT}),
    State.DECLINED: frozenset({State.SENT}),
    State.EXPIRED: frozenset(),
    State.SUPERSEDED: frozenset(),
}
REVISABLE = frozenset({State.DRAFT, State.SENT, State.DECLINED, State.EXPIRED})
OPEN = frozenset({State.DRAFT, State.SENT, State.EXPIRED})
"""States in which the customer has not answered."""


def state_on(stored: State, valid_until: date, day: date) -> State:
    """The state on a day. An offer holds to the end of its last day."""
    if stored in {State.DRAFT, State.SENT} and day > valid_until:
        return State.EXPIRED
    return stored


def check_change(number: str, stored: State, wanted: State, valid_until: date, day: date) -> None:
    """Raise `StateError` unless the change of `day` is allowed."""
    if wanted is State.EXPIRED:
        raise StateError(
            "{number} expires by itself after {date}; nobody has to record it.", number=number, date=valid_until
        )
    if wanted is State.SUPERSEDED:
        raise StateError("{number} is superseded by storing its next revision.", number=number)
    current = state_on(stored, valid_until, day)
    if current is State.EXPIRED:
        raise StateError(
            "{number} expired after {date}. Store a new revision, or give the day the answer came.",
            number=number,
            date=valid_until,
        )
    if wanted not in FOLLOWING[current]:
        raise StateError(
            "{number} is {current}; it cannot become {wanted}.",
            number=number,
            current=current,
            wanted=wanted,
        )
