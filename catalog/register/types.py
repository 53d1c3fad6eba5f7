"""What the register keeps and answers with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import TYPE_CHECKING

from engine.errors import PassformError
from engine.quote.draft import DocumentKind
from engine.units import Money
from engine.wording.translator import mark

if TYPE_CHECKING:  # the command line reads the states at every start, and a quote brings the whole planner along
    from engine.quote.document import Quote

DAMAGED = mark("The register's file is damaged. Bring back its last copy, or ask whoever looks after it.")


class RegisterError(PassformError):
    """The register cannot do what was asked; the message says why and what would be right."""


class State(StrEnum):
    """Where a revision stands."""

    DRAFT = "draft"  # stored, not yet sent
    SENT = "sent"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    EXPIRED = "expired"  # draft or sent after its last day; follows from the date and is never stored
    SUPERSEDED = "superseded"  # a later revision took its place


class EventKind(StrEnum):
    """What the history records beside the states."""

    ISSUED = "issued"
    ERASED = "erased"


@dataclass(frozen=True, slots=True)
class Issue:
    """The number and revision a document is made for."""

    number: str
    revision: int


@dataclass(frozen=True, slots=True)
class Made:
    """A finished document. `consultation` is the seller's own file, kept beside it and never given away."""

    quote: Quote
    pdf: bytes
    consultation: str


Maker = Callable[[Issue], Made]
"""Makes the document once its number is known. An exception leaves the number unused."""


@dataclass(frozen=True, slots=True)
class Revision:
    """One issued revision. Amounts are None while nothing is priced or the VAT is open."""

    revision: int
    state: State  # as of the day asked
    issued_on: date
    valid_until: date  # to the end of that day
    language: str
    net: Money | None
    gross: Money | None
    pdf_sha256: str
    pdf_bytes: int
    catalogue: str
    on_request: int | None = 0  # positions the sums leave out; None: not known any more

    @property
    def complete(self) -> bool:
        """Whether the sums are known to hold every position."""
        return self.on_request == 0


@dataclass(frozen=True, slots=True)
class Event:
    """One entry of a document's history."""

    on: date
    revision: int
    what: State | EventKind
    author: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A document with its revisions, oldest first. Customer fields are empty once erased."""

    number: str
    kind: DocumentKind
    company: str
    contact: str
    customer_number: str
    reference: str
    subject: str
    author: str
    follow_up: date | None
    remark: str
    erased_on: date | None
    revisions: tuple[Revision, ...]

    @property
    def latest(self) -> Revision:
        """The revision that holds."""
        return self.revisions[-1]

    @property
    def state(self) -> State:
        """The state of the latest revision."""
        return self.latest.state


@dataclass(frozen=True, slots=True)
class Search:
    """What to list. Empty fields do not restrict; `text` is looked for in number, customer, reference and subject."""

    text: str = ""
    states: frozenset[State] = frozenset()
    kind: DocumentKind | None = None
    follow_up_by: date | None = None  # only open documents whose follow-up date has come
    limit: int = 200
