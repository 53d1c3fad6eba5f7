"""Raw consultation data of an older schema to the newest one. A migration uses no live code, only plain data.

`MIGRATIONS[n]` turns schema n into n + 1. Schema 1 is the first one released, so the table is empty as yet.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

RawDocument = dict[str, Any]
Migration = Callable[[RawDocument], RawDocument]

MIGRATIONS: Mapping[int, Migration] = {}


def migrate(raw: RawDocument, found: int, newest: int, migrations: Mapping[int, Migration] = MIGRATIONS) -> RawDocument:
    """Apply every migration from schema `found` up to `newest`; `raw` itself stays as it is."""
    for number in range(found, newest):
        raw = {**migrations[number](dict(raw)), "schema": number + 1}
    return raw
