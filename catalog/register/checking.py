"""Whether the register is whole: numbers without gaps, revisions in order, PDFs with their fingerprints."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from sqlalchemy import Connection, func, select

from catalog.register.database import Database
from catalog.register.tables import counters, documents, papers, revisions
from catalog.register.types import State
from catalog.register.values import whole_values

MOST_MISSING = 1_000  # of one gap that are named: a damaged counter may be astronomical


class FlawKind(StrEnum):
    """What can be wrong."""

    GAP = "gap"  # a counter without its document
    COUNTER = "counter"  # the counter and the last document disagree
    REVISIONS = "revisions"  # not 1, 2, 3 ..., or not exactly the last one in force
    CHANGED = "changed"  # the PDF is not the one that was issued
    LOST = "lost"  # no PDF although nothing was erased


@dataclass(frozen=True, slots=True)
class Flaw:
    """One finding; `where` is a document number, or kind, year and counter."""

    kind: FlawKind
    where: str


@whole_values()
def flaws(database: Database) -> tuple[Flaw, ...]:
    """Everything that is wrong; empty for a whole register."""
    with database.reading() as connection:
        return (*_numbers(connection), *_revisions(connection), *_papers(connection))


def _numbers(connection: Connection) -> Iterator[Flaw]:
    last = {(row.kind, row.year): row.last for row in connection.execute(select(counters))}
    rows = connection.execute(
        select(documents.c.kind, documents.c.year, documents.c.counter).order_by(
            documents.c.kind, documents.c.year, documents.c.counter
        )
    ).all()
    seen = {}
    for key, group in groupby(rows, key=lambda row: (row.kind, row.year)):
        expected = 1
        for counter in sorted(row.counter for row in group):
            for missing in range(expected, min(counter, expected + MOST_MISSING)):
                yield Flaw(FlawKind.GAP, f"{key[0]} {key[1]} {missing}")
            expected = counter + 1
        seen[key] = expected - 1
    for key in sorted(last.keys() | seen.keys()):
        if last.get(key) != seen.get(key):
            yield Flaw(FlawKind.COUNTER, f"{key[0]} {key[1]}")


def _revisions(connection: Connection) -> Iterator[Flaw]:
    joined = documents.join(revisions, revisions.c.document_id == documents.c.id, isouter=True)
    rows = connection.execute(
        select(documents.c.number, revisions.c.revision, revisions.c.state)
        .select_from(joined)
        .order_by(documents.c.id, revisions.c.revision)
    ).all()
    for number, group in groupby(rows, key=lambda row: row.number):
        listed = list(group)
        in_order = [row.revision for row in listed] == list(range(1, len(listed) + 1))
        in_force = [row.state != State.SUPERSEDED.value for row in listed]
        if not in_order or in_force != [False] * (len(listed) - 1) + [True]:
            yield Flaw(FlawKind.REVISIONS, number)


def _papers(connection: Connection) -> Iterator[Flaw]:
    joined = documents.join(revisions, revisions.c.document_id == documents.c.id)
    expected = connection.execute(
        select(documents.c.number, documents.c.erased_on, revisions.c.id, revisions.c.revision, revisions.c.pdf_sha256)
        .select_from(joined)
        .order_by(documents.c.id, revisions.c.revision)
    ).all()
    for row in expected:
        # One at a time: a register can hold more PDFs than fit into memory.
        pdf = connection.execute(select(papers.c.pdf).where(papers.c.revision_id == row.id)).scalar_one_or_none()
        if pdf is None:
            if row.erased_on is None:
                yield Flaw(FlawKind.LOST, row.number)
        elif hashlib.sha256(bytes(pdf)).hexdigest() != row.pdf_sha256:
            yield Flaw(FlawKind.CHANGED, row.number)


def count(database: Database) -> int:
    """How many documents the register holds."""
    with database.reading() as connection:
        return int(connection.execute(select(func.count()).select_from(documents)).scalar_one())
