"""Dates as people type them: 30.11.2026, 2026-11-30. No Qt."""

from __future__ import annotations

import re
from datetime import date

from engine.wording.translator import Language

_FORMS = (
    (re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})"), (0, 1, 2)),
    (re.compile(r"(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})"), (2, 1, 0)),
)


def parse_day(text: str) -> date | None:
    """The day somebody meant, or None."""
    for form, order in _FORMS:
        found = form.fullmatch(text.strip())
        if found is not None:
            year, month, day = (int(found.groups()[place]) for place in order)
            try:
                return date(year, month, day)
            except ValueError:
                return None
    return None


def day_text(day: date | None, language: Language) -> str:
    """A day as the fields show it, in digits."""
    if day is None:
        return ""
    return f"{day:%d.%m.%Y}" if language is Language.DE else day.isoformat()


def recorded(text: str) -> str:
    """A typed date as files keep it; what is no day stays as it was typed."""
    day = parse_day(text)
    return text.strip() if day is None else day.isoformat()
