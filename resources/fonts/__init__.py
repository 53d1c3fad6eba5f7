"""The two fonts of window and paper."""

from __future__ import annotations

from functools import cache
from pathlib import Path

REGULAR = Path(__file__).parent / "Inter-Regular.ttf"
BOLD = Path(__file__).parent / "Inter-Bold.ttf"


@cache
def paper_fonts() -> tuple[bytes, bytes]:
    """Regular and bold, as the paper embeds them."""
    return REGULAR.read_bytes(), BOLD.read_bytes()
