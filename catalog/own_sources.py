"""Ids of the user's own sources."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container


def new_source_id(title: str, known: Container[str], *, prefix: str = "own_", ending: str = "") -> str:
    """An id made of a title's letters and digits that no known source has."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    base = prefix + (re.sub(r"[^a-z0-9]+", "_", plain).strip("_") or "source")[:60] + ending
    number, source_id = 1, base
    while source_id in known:
        number += 1
        source_id = f"{base}_{number}"
    return source_id
