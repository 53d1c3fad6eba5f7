"""Days as price lists write them."""

from __future__ import annotations

from datetime import date, datetime

from catalog.prices_import.cells import Cell

_FORMATS = ("%Y-%m-%d", "%d.%m.%Y", "%d.%m.%y", "%d/%m/%Y", "%Y/%m/%d", "%d-%m-%Y", "%d. %B %Y", "%B %d, %Y")


def date_in(cell: Cell) -> date | None:
    """The day in a cell; None when it holds none."""
    return cell.value if isinstance(cell.value, date) else parsed_date(cell.text)


def parsed_date(text: str) -> date | None:
    """The day a text means; None when it means none."""
    for form in _FORMATS:
        try:
            return datetime.strptime(text, form).date()  # noqa: DTZ007 - a day, not a moment
        except ValueError:
            continue
    return None
