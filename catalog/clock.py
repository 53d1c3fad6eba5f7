"""The calendar. The engine has no clock; every date reaches it from here."""

from __future__ import annotations

import datetime


def today() -> datetime.date:
    """The date on this machine's calendar."""
    return datetime.datetime.now().astimezone().date()
