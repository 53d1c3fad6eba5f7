"""How large a price list may be. Everything beyond is refused before it is read."""

from __future__ import annotations

from engine.errors import PassformError

MAX_FILE_BYTES = 20_000_000
MAX_UNPACKED_BYTES = 80_000_000
MAX_TAGS = 6_000_000  # of all XML parts: four per cell and as many again for texts
MAX_PART_RATIO = 300  # unpacked bytes per packed byte; real sheets stay below 60
MAX_PARTS = 2_000
MAX_ROWS = 60_000
MAX_COLUMNS = 80
MAX_CELLS = 1_000_000  # filled ones; ten thousand rows of twenty columns are a fifth
MAX_CELL = 2_000
MAX_LINE = MAX_COLUMNS * MAX_CELL


class PriceListError(PassformError):
    """A price list cannot be read; the message says why and what would help."""


class CellBudget:
    """Counts the filled cells of a file; so the memory a list takes is bounded, however it is packed."""

    def __init__(self) -> None:
        self._left = MAX_CELLS

    def spend(self, cells: int) -> None:
        """Raises `PriceListError` when the file holds more than a price list can."""
        self._left -= cells
        if self._left < 0:
            raise PriceListError("The list has more than {limit} filled cells; please split it.", limit=MAX_CELLS)
