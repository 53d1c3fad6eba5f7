"""From older schemas of the register to today's, inside the transaction that opens it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from sqlalchemy import Connection, column, select, table, text

Migration = Callable[[Connection], None]

# The tables as schema 2 has them: a later change of `tables` must not change what this step does.
_revisions = table("passform_revisions", column("id"), column("on_request"))
_papers = table("passform_papers", column("revision_id"), column("quote"))


def _count_what_is_on_request(connection: Connection) -> None:
    """1 to 2: how many positions the sums of a revision leave out, read from its own stored data.

    Revisions whose data were erased stay without a count, and so do those whose data say nothing of it.
    """
    # Without the word COLUMN, which not every database takes.
    connection.execute(text("ALTER TABLE passform_revisions ADD on_request INTEGER"))
    for revision in list(connection.execute(select(_papers.c.revision_id)).scalars()):
        # One at a time: all of them together may not fit into memory.
        stored = connection.execute(select(_papers.c.quote).where(_papers.c.revision_id == revision)).scalar_one()
        found = _left_out(str(stored))
        if found is not None:
            connection.execute(_revisions.update().where(_revisions.c.id == revision).values(on_request=found))


def _left_out(quote: str) -> int | None:
    try:
        listed = json.loads(quote)["totals"]["on_request"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return None
    return len(listed) if isinstance(listed, list) else None


MIGRATIONS: Mapping[int, Migration] = {1: _count_what_is_on_request}
"""`MIGRATIONS[n]` turns schema n into n + 1."""
