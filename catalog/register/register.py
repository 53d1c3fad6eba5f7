"""The register itself: store documents and revisions, change states, search, erase, check."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import date
from typing import Any

from sqlalchemy import Connection, Row, func, select

from catalog.register import queries
from catalog.register.database import ATTEMPTS, Database, is_conflict
from catalog.register.numbering import NumberPattern, initials_of
from catalog.register.snapshot import Row as Fields
from catalog.register.snapshot import head, paper_row, plain, revision_row
from catalog.register.states import REVISABLE, check_change, state_on
from catalog.register.tables import counters, documents, events, papers, revisions
from catalog.register.types import DAMAGED, Entry, Event, EventKind, Issue, Made, Maker, RegisterError, Search, State
from catalog.register.values import whole_values
from catalog.register.words import StateError
from engine.quote.draft import DocumentKind

HIGHEST_COUNTER = 999_999_999  # beyond it the register is damaged, not busy


class Register:
    """All documents of one seller or team. Every change is one transaction; safe across threads and processes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def close(self) -> None:
        """Let go of the database."""
        self._database.close()

    def store(
        self,
        kind: DocumentKind,
        year: int,
        pattern: NumberPattern,
        make: Maker,
        *,
        today: date,
        author: str = "",
        request: str = "",
        follow_up: date | None = None,
    ) -> Entry:
        """Take the next number of `kind` and `year`, make the document with it, and store it: together or not at all.

        `request` names the wish, for example one press of a button: when a document of that request is stored
        already, that one is the answer and nothing is made. Raises `RegisterError`, and whatever `make` raises.
        """

        def change(connection: Connection) -> str:
            counter = _next(connection, kind, year)
            number = pattern.write(year, counter, initials_of(author))
            made = _checked(make(Issue(number, 1)), Issue(number, 1), kind, year)
            inserted = connection.execute(
                documents.insert().values(
                    kind=kind.value,
                    year=year,
                    counter=counter,
                    number=number,
                    author=plain(author),
                    follow_up=follow_up,
                    **head(made.quote),
                )
            )
            (document_id,) = inserted.inserted_primary_key or (None,)
            _insert_revision(connection, document_id, 1, made, request)
            _record(connection, document_id, 1, EventKind.ISSUED, today, author)
            return number

        return self._stored(change, request, today)

    def revise(self, number: str, make: Maker, *, today: date, author: str = "", request: str = "") -> Entry:
        """Store the next revision under the same number; the one before is kept as it is and superseded."""

        def change(connection: Connection) -> str:
            document = _locked(connection, number)
            latest = _latest(connection, document.id)
            with whole_values():
                current = state_on(State(latest.state), latest.valid_until, today)
                issue = Issue(number, latest.revision + 1)
                kind = DocumentKind(document.kind)
            if document.erased_on is not None:
                raise RegisterError("The customer data of {number} were erased; it takes no revision.", number=number)
            if current not in REVISABLE:
                raise StateError(
                    "{number} is {current}; it takes no revision. Make a new document instead.",
                    number=number,
                    current=current,
                )
            made = _checked(make(issue), issue, kind, None)
            connection.execute(
                revisions.update().where(revisions.c.id == latest.id).values(state=State.SUPERSEDED.value)
            )
            connection.execute(documents.update().where(documents.c.id == document.id).values(**head(made.quote)))
            _insert_revision(connection, document.id, issue.revision, made, request)
            _record(connection, document.id, latest.revision, State.SUPERSEDED, today, author)
            _record(connection, document.id, issue.revision, EventKind.ISSUED, today, author)
            return number

        return self._stored(change, request, today)

    def set_state(self, number: str, state: State, *, on: date, author: str = "") -> None:
        """Record what became of the latest revision on a day. Raises `RegisterError` for a change that cannot be."""
        with self._database.writing() as connection:
            document = _locked(connection, number)
            latest = _latest(connection, document.id)
            with whole_values():
                found = State(latest.state)
            check_change(number, found, state, latest.valid_until, on)
            connection.execute(revisions.update().where(revisions.c.id == latest.id).values(state=state.value))
            _record(connection, document.id, latest.revision, state, on, author)

    def set_follow_up(self, number: str, day: date | None, remark: str = "") -> None:
        """When to ask the customer again, and about what; None: not at all."""
        with self._database.writing() as connection:
            document = _locked(connection, number)
            connection.execute(
                documents.update().where(documents.c.id == document.id).values(follow_up=day, remark=plain(remark))
            )

    def entry(self, number: str, today: date) -> Entry:
        """One document. Raises `RegisterError` for an unknown number."""
        with self._database.reading() as connection:
            found = queries.by_number(connection, number, today)
        if found is None:
            raise RegisterError("There is no document {number} in the register.", number=number)
        return found

    def entries(self, search: Search, today: date) -> tuple[Entry, ...]:
        """The documents that match, newest number first; states are those of `today`."""
        with self._database.reading() as connection:
            return queries.matching(connection, search, today)

    def history(self, number: str) -> tuple[Event, ...]:
        """What happened to a document, oldest first."""
        with self._database.reading() as connection:
            return queries.history(connection, number)

    def pdf(self, number: str, revision: int | None = None) -> bytes:
        """The document as it was issued; the latest revision unless one is named.

        Raises `RegisterError` when it was erased or its bytes no longer have the fingerprint they were stored with.
        """
        row = self._paper(number, revision)
        with whole_values():
            content = bytes(row.pdf)
        if hashlib.sha256(content).hexdigest() != row.pdf_sha256:
            raise RegisterError(
                "The stored PDF of {number} was changed after it was issued; its fingerprint differs.", number=number
            )
        return content

    def quote_data(self, number: str, revision: int | None = None) -> str:
        """The customer's data form of a revision, JSON."""
        return str(self._paper(number, revision).quote)

    def prices(self, number: str, revision: int | None = None) -> str:
        """What stood behind each price on the day of issue, JSON."""
        return str(self._paper(number, revision).prices)

    def consultation(self, number: str, revision: int | None = None) -> str:
        """The seller's own consultation file of a revision, YAML, to continue from."""
        return str(self._paper(number, revision).consultation)

    def customers(self, name: str) -> tuple[Entry, ...]:
        """Documents of exactly this company or customer number, whatever the case of its letters."""
        with self._database.reading() as connection:
            return queries.of_customer(connection, name, date.max)

    def erase_customer(
        self, name: str, *, today: date, author: str = "", keep_accepted: bool = False
    ) -> tuple[str, ...]:
        """Erase the customer data of every document of a company or customer number; answers the numbers.

        Number, revisions, states, dates, sums and fingerprints stay; names, references, remarks, PDF, data and
        consultation go. `keep_accepted` leaves accepted documents, for which a duty to keep records may hold.
        """
        with self._database.writing() as connection:
            erased = []
            for entry in queries.of_customer(connection, name, today):
                if keep_accepted and any(revision.state is State.ACCEPTED for revision in entry.revisions):
                    continue
                document_id = _locked(connection, entry.number).id
                _erase(connection, document_id, today)
                _record(connection, document_id, entry.latest.revision, EventKind.ERASED, today, author)
                erased.append(entry.number)
        return tuple(erased)

    def _paper(self, number: str, revision: int | None) -> Row[Any]:
        with self._database.reading() as connection:
            row = queries.paper(connection, number, revision)
            if row is not None:
                return row
            known = queries.by_number(connection, number, date.max)
        if known is None:
            raise RegisterError("There is no document {number} in the register.", number=number)
        if known.erased_on is not None:
            raise RegisterError("The customer data of {number} were erased, and its PDF with them.", number=number)
        if revision is None:
            raise RegisterError(DAMAGED)
        raise RegisterError("{number} has no revision {revision}.", number=number, revision=revision)

    def _stored(self, change: Callable[[Connection], str], request: str, today: date) -> Entry:
        """Run a change, again when another seller was faster; a request that was served before is not served twice."""
        for attempt in range(1, ATTEMPTS + 1):
            try:
                with self._database.writing() as connection:
                    number = queries.of_request(connection, request) if request else None
                    if number is None:
                        number = change(connection)
            except RegisterError as error:
                if not is_conflict(error):
                    raise
                if attempt == ATTEMPTS:  # nobody else is that fast: the counter lags behind its documents
                    raise RegisterError(DAMAGED) from error
            else:
                return self.entry(number, today)
        raise AssertionError("unreachable")


@whole_values()
def _next(connection: Connection, kind: DocumentKind, year: int) -> int:
    """The next counter. The row stays locked until the transaction ends, so nobody else can take the same."""
    this = (counters.c.kind == kind.value) & (counters.c.year == year)
    if connection.execute(counters.update().where(this).values(last=counters.c.last + 1)).rowcount == 0:
        connection.execute(counters.insert().values(kind=kind.value, year=year, last=1))
    last = connection.execute(select(counters.c.last).where(this)).scalar_one()
    if not isinstance(last, int) or not 0 < last <= HIGHEST_COUNTER:
        raise ValueError(last)
    return last


@whole_values()
def _locked(connection: Connection, number: str) -> Row[Any]:
    row = connection.execute(select(documents).where(documents.c.number == number).with_for_update()).one_or_none()
    if row is None:
        raise RegisterError("There is no document {number} in the register.", number=number)
    return row


@whole_values()
def _latest(connection: Connection, document_id: int) -> Row[Any]:
    newest = select(func.max(revisions.c.revision)).where(revisions.c.document_id == document_id).scalar_subquery()
    row = connection.execute(
        select(revisions).where((revisions.c.document_id == document_id) & (revisions.c.revision == newest))
    ).one_or_none()
    if row is None:
        raise RegisterError(DAMAGED)
    return row


def _checked(made: Made, issue: Issue, kind: DocumentKind, year: int | None) -> Made:
    """What was made must be what was asked for: a paper with another number would make the register lie."""
    quote = made.quote
    if (quote.number, quote.revision, quote.kind) != (issue.number, issue.revision, kind):
        raise ValueError("the document carries another number, revision or kind than it was made for")
    if year is not None and quote.as_of.year != year:
        raise ValueError("the document is dated in another year than its number")
    return made


def _insert_revision(connection: Connection, document_id: int | None, revision: int, made: Made, request: str) -> None:
    row: Fields = {
        "document_id": document_id,
        "revision": revision,
        "state": State.DRAFT.value,
        "request": request or None,
        **revision_row(made),
    }
    (revision_id,) = connection.execute(revisions.insert().values(**row)).inserted_primary_key or (None,)
    connection.execute(papers.insert().values(revision_id=revision_id, **paper_row(made)))


def _record(
    connection: Connection, document_id: int | None, revision: int, what: State | EventKind, on: date, author: str
) -> None:
    connection.execute(
        events.insert().values(
            document_id=document_id, revision=revision, happened_on=on, what=what.value, author=plain(author)
        )
    )


def _erase(connection: Connection, document_id: int, today: date) -> None:
    own = select(revisions.c.id).where(revisions.c.document_id == document_id)
    connection.execute(papers.delete().where(papers.c.revision_id.in_(own)))
    blank = dict.fromkeys(("company", "contact", "customer_number", "reference", "subject", "search", "remark"), "")
    connection.execute(
        documents.update().where(documents.c.id == document_id).values(**blank, follow_up=None, erased_on=today)
    )
