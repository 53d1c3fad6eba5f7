"""Reading the register: one document, a search, a history, a paper."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from decimal import Decimal
from itertools import groupby
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, and_, false, func, or_, select

from catalog.register.states import OPEN, state_on
from catalog.register.tables import documents, events, papers, revisions
from catalog.register.types import Entry, Event, EventKind, Revision, Search, State
from catalog.register.values import whole_values
from engine.quote.draft import DocumentKind
from engine.units import Money

ESCAPE = "\\"


@whole_values()
def by_number(connection: Connection, number: str, today: date) -> Entry | None:
    """One document."""
    found = list(_entries(connection, documents.c.number == number, today))
    return found[0] if found else None


def of_request(connection: Connection, request: str) -> str | None:
    """The number stored for a request."""
    joined = documents.join(revisions, revisions.c.document_id == documents.c.id)
    return connection.execute(
        select(documents.c.number).select_from(joined).where(revisions.c.request == request)
    ).scalar_one_or_none()


@whole_values()
def of_customer(connection: Connection, name: str, today: date) -> tuple[Entry, ...]:
    """Documents whose company or customer number is exactly `name`, but for upper and lower case."""
    wanted = name.strip().casefold()
    if not wanted:
        return ()
    rough = _entries(connection, documents.c.search.like(_containing(wanted), escape=ESCAPE), today)
    return tuple(
        entry
        for entry in rough
        if wanted in {entry.company.strip().casefold(), entry.customer_number.strip().casefold()}
    )


@whole_values()
def matching(connection: Connection, search: Search, today: date) -> tuple[Entry, ...]:
    """Documents that match a search, newest number first."""
    conditions: list[ColumnElement[bool]] = []
    for word in search.text.casefold().split():
        conditions.append(documents.c.search.like(_containing(word), escape=ESCAPE))
    if search.kind is not None:
        conditions.append(documents.c.kind == search.kind.value)
    if search.states:
        conditions.append(_latest_in(search.states, today))
    if search.follow_up_by is not None:
        conditions.append(and_(documents.c.follow_up <= search.follow_up_by, _latest_in(OPEN, today)))
    wanted = (
        select(documents.c.id)
        .where(*conditions)
        .order_by(documents.c.year.desc(), documents.c.counter.desc(), documents.c.kind)
        .limit(search.limit)
    )
    ids = list(connection.execute(wanted).scalars())
    return tuple(_entries(connection, documents.c.id.in_(ids), today)) if ids else ()


@whole_values()
def history(connection: Connection, number: str) -> tuple[Event, ...]:
    """Events of a document, oldest first."""
    joined = events.join(documents, events.c.document_id == documents.c.id)
    rows = connection.execute(
        select(events).select_from(joined).where(documents.c.number == number).order_by(events.c.id)
    )
    return tuple(Event(row.happened_on, row.revision, _event(row.what), row.author) for row in rows)


@whole_values()
def paper(connection: Connection, number: str, revision: int | None) -> Row[Any] | None:
    """The stored paper of a revision with its fingerprint; the latest one when `revision` is None."""
    joined = papers.join(revisions, papers.c.revision_id == revisions.c.id)
    joined = joined.join(documents, revisions.c.document_id == documents.c.id)
    wanted: Select[Any] = (
        select(papers, revisions.c.pdf_sha256, revisions.c.revision)
        .select_from(joined)
        .where(documents.c.number == number)
        .order_by(revisions.c.revision.desc())
        .limit(1)
    )
    if revision is not None:
        wanted = wanted.where(revisions.c.revision == revision)
    return connection.execute(wanted).one_or_none()


def _entries(connection: Connection, condition: ColumnElement[bool], today: date) -> Iterator[Entry]:
    joined = documents.join(revisions, revisions.c.document_id == documents.c.id)
    rows = connection.execute(
        select(documents, *(column for column in revisions.c if column.name != "id"))
        .select_from(joined)
        .where(condition)
        .order_by(
            *(documents.c.year.desc(), documents.c.counter.desc(), documents.c.kind),
            *(documents.c.id, revisions.c.revision),
        )
    )
    for _, group in groupby(rows, key=lambda row: row.id):
        yield _entry(list(group), today)


def _entry(rows: list[Row[Any]], today: date) -> Entry:
    row = rows[0]
    return Entry(
        number=row.number,
        kind=DocumentKind(row.kind),
        company=row.company,
        contact=row.contact,
        customer_number=row.customer_number,
        reference=row.reference,
        subject=row.subject,
        author=row.author,
        follow_up=row.follow_up,
        remark=row.remark,
        erased_on=row.erased_on,
        revisions=tuple(_revision(item, today) for item in rows),
    )


def _revision(row: Row[Any], today: date) -> Revision:
    return Revision(
        revision=row.revision,
        state=state_on(State(row.state), row.valid_until, today),
        issued_on=row.issued_on,
        valid_until=row.valid_until,
        language=row.language,
        net=None if row.net is None else Money(Decimal(row.net), row.currency),
        gross=None if row.gross is None else Money(Decimal(row.gross), row.currency),
        pdf_sha256=row.pdf_sha256,
        pdf_bytes=row.pdf_bytes,
        catalogue=row.catalogue,
        on_request=row.on_request,
    )


def _latest_in(states: Iterable[State], today: date) -> ColumnElement[bool]:
    """Whether the latest revision is in one of the states on a day; mirrors `states.state_on` in SQL."""
    wanted = set(states)
    latest, later = revisions.alias(), revisions.alias()
    choices: list[ColumnElement[bool]] = []
    for state in wanted - {State.EXPIRED}:
        holds = latest.c.state == state.value
        if state in {State.DRAFT, State.SENT}:
            holds = and_(holds, latest.c.valid_until >= today)
        choices.append(holds)
    if State.EXPIRED in wanted:
        running = latest.c.state.in_([State.DRAFT.value, State.SENT.value])
        choices.append(and_(running, latest.c.valid_until < today))
    newest = select(func.max(later.c.revision)).where(later.c.document_id == latest.c.document_id).scalar_subquery()
    return (
        select(latest.c.id)
        .where(latest.c.document_id == documents.c.id, latest.c.revision == newest, or_(false(), *choices))
        .exists()
    )


def _containing(text: str) -> str:
    for sign in (ESCAPE, "%", "_"):
        text = text.replace(sign, ESCAPE + sign)
    return f"%{text}%"


def _event(what: str) -> State | EventKind:
    return State(what) if what in set(State) else EventKind(what)
