"""How large a price list may be. Everything beyond is refused before it is read."""

from __future__ import annotations

from engine.errors import PassformError

MAX_FILE_BYTES = 20_000_000
MAX_UNPACKED_BYTES = 200_000_000
MAX_PART_RATIO = 300  # unpacked bytes per packed byte; real sheets stay below 60
MAX_PARTS = 2_000
MAX_ROWS = 60_000
MAX_COLUMNS = 80
MAX_CELL = 2_000


class PriceListError(PassformError):
    """A price list cannot be read; the message says why and what would help."""
