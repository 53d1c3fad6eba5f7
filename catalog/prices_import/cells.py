"""The cells of a price list, whatever file they came from."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

Value = str | Decimal | date | None


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: text, number or date. `formula` means: computed in the file, the value is the one saved with it."""

    value: Value = None
    currency: str = ""  # from the cell's number format
    formula: bool = False

    @property
    def text(self) -> str:
        """The cell as text, without surrounding blanks."""
        if self.value is None:
            return ""
        if isinstance(self.value, date):
            return self.value.isoformat()
        if isinstance(self.value, Decimal):
            return format(self.value, "f")
        return self.value.strip()


EMPTY = Cell()


@dataclass(frozen=True, slots=True)
class Line:
    """One row with the number it has in the file."""

    number: int
    cells: tuple[Cell, ...]

    def at(self, column: int) -> Cell:
        """A cell, empty beyond the row's end."""
        return self.cells[column] if column < len(self.cells) else EMPTY

    @property
    def is_blank(self) -> bool:
        """No cell holds anything."""
        return all(not cell.text for cell in self.cells)


@dataclass(frozen=True, slots=True)
class Sheet:
    """The rows of one table. `notes` are remarks about how the file was read."""

    name: str
    lines: tuple[Line, ...]
    notes: tuple[str, ...] = ()
    title: str = ""  # of the sheet of a workbook
    sheets: tuple[str, ...] = field(default=())  # every visible sheet of the workbook, in its order
    other_sheets: tuple[str, ...] = field(default=())  # further sheets that look like price lists; they are not read
    hidden_sheets: tuple[str, ...] = field(default=())  # never read
