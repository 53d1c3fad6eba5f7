"""What the window asks of the register, each step in one function for the worker thread. No Qt."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum

from catalog.register.issuing import Issued, Proposal, hindrances, issue, quote_of, reissue
from catalog.register.register import Register
from catalog.register.settings import load_settings, open_database
from catalog.register.states import REVISABLE
from catalog.register.types import Entry, Search
from engine.quote.draft import DocumentKind
from engine.wording.quotes import vat_text
from gui.texts import Texts


class Wish(StrEnum):
    """What is to be issued."""

    REVISION = "revision"
    OFFER = "offer"
    RECOMMENDATION = "recommendation"


@dataclass(frozen=True, slots=True)
class Prospect:
    """What can be issued of a consultation now."""

    vat: tuple[str, ...]  # the VAT treatment in words; empty while it is not clarified
    hindrances: tuple[str, ...]  # to an offer, with the VAT treatment as the consultation has it
    hindrances_confirmed: tuple[str, ...]  # to an offer, once the VAT treatment is confirmed
    earlier: Entry | None = None  # the document the consultation was issued as before
    unknown: str = ""  # a number of the consultation that this register does not hold

    @property
    def revisable(self) -> bool:
        """Whether the earlier document takes another revision."""
        return self.earlier is not None and self.earlier.erased_on is None and self.earlier.state in REVISABLE

    def left(self, *, confirmed: bool) -> tuple[str, ...]:
        """What stands between the consultation and an offer."""
        return self.hindrances_confirmed if confirmed else self.hindrances


@contextmanager
def opened() -> Iterator[Register]:
    """The register of the user's settings, for the calling thread. Raises `PassformError` when it cannot be used."""
    with closing(open_database(load_settings())) as database:
        yield Register(database)


def prospect(proposal: Proposal, today: date, texts: Texts) -> Prospect:
    """What can be issued. Raises `PassformError`."""
    confirmed = replace(proposal, vat_confirmed=True)
    quote = quote_of(confirmed, DocumentKind.RECOMMENDATION)
    number = proposal.consultation.quote.number
    earlier = _known(number, today) if number else None
    return Prospect(
        vat=tuple(vat_text(one, texts.tr, texts.language) for one in quote.totals.vat or ()),
        hindrances=hindrances(proposal, texts.tr),
        hindrances_confirmed=hindrances(confirmed, texts.tr),
        earlier=earlier,
        unknown=number if earlier is None else "",
    )


def carry_out(proposal: Proposal, wish: Wish, number: str, today: date, request: str) -> Issued:
    """Number and store the document, or the next revision of `number`. Raises `PassformError`; then nothing is."""
    with opened() as register:
        if wish is Wish.REVISION:
            return reissue(register, number, proposal, today=today, request=request)
        kind = DocumentKind.OFFER if wish is Wish.OFFER else DocumentKind.RECOMMENDATION
        return issue(register, load_settings(), proposal, kind, today=today, request=request)


def _known(number: str, today: date) -> Entry | None:
    with opened() as register:
        found = register.entries(Search(text=number), today)
    return next((entry for entry in found if entry.number == number), None)
