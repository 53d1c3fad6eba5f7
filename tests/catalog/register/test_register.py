"""Numbers, revisions, states, search and erasure, on SQLite and PostgreSQL alike."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

import pytest
from sqlalchemy import text

from catalog.register.checking import Flaw, FlawKind, count, flaws
from catalog.register.database import Database
from catalog.register.numbering import NumberPattern
from catalog.register.register import Register
from catalog.register.types import Entry, EventKind, Issue, Made, Maker, RegisterError, Search, State
from engine.prices import PriceBasis
from engine.quote.draft import DocumentKind, DraftLine, DraftSection, PriceOrigin, SectionRole
from engine.units import Money
from tests.catalog.register.samples import CUSTOMER, TODAY, maker

PATTERN = NumberPattern("AN-{year}-{counter:04d}")


def store(register: Register, make: Maker | None = None, **more: object) -> Entry:
    return register.store(DocumentKind.OFFER, 2026, PATTERN, make or maker(), today=TODAY, **more)  # type: ignore[arg-type]  # keywords of store


def broken(_issue: Issue) -> Made:
    raise RuntimeError("the paper could not be made")


def test_that_numbers_count_up_from_one_within_kind_and_year(register: Register) -> None:
    assert [store(register).number for _ in range(3)] == ["AN-2026-0001", "AN-2026-0002", "AN-2026-0003"]
    recommended = register.store(
        DocumentKind.RECOMMENDATION,
        2026,
        NumberPattern("KE-{year}-{counter:04d}"),
        maker(kind=DocumentKind.RECOMMENDATION),
        today=TODAY,
    )
    assert recommended.number == "KE-2026-0001"
    later = register.store(DocumentKind.OFFER, 2027, PATTERN, maker(as_of=date(2027, 1, 4)), today=date(2027, 1, 4))
    assert later.number == "AN-2027-0001"


def test_that_a_document_that_cannot_be_made_uses_no_number(register: Register, database: Database) -> None:
    store(register)
    with pytest.raises(RuntimeError):
        store(register, broken)
    assert store(register).number == "AN-2026-0002"
    assert flaws(database) == ()


def test_that_the_paper_must_carry_the_number_it_is_stored_under(register: Register, database: Database) -> None:
    def wrong(_issue: Issue) -> Made:
        return maker()(Issue("AN-2026-0099", 1))

    with pytest.raises(ValueError, match="another number"):
        store(register, wrong)
    assert count(database) == 0


def test_that_the_same_request_is_served_once(register: Register, database: Database) -> None:
    first = store(register, request="click-1")
    again = store(register, broken, request="click-1")
    assert again == first
    assert count(database) == 1
    assert register.revise(first.number, maker(), today=TODAY, request="click-2").latest.revision == 2
    assert register.revise(first.number, broken, today=TODAY, request="click-2").latest.revision == 2


def test_that_a_revision_keeps_the_old_paper_byte_for_byte(register: Register, database: Database) -> None:
    number = store(register, maker(b"first")).number
    revised = register.revise(number, maker(b"second"), today=TODAY)
    assert [item.revision for item in revised.revisions] == [1, 2]
    assert [item.state for item in revised.revisions] == [State.SUPERSEDED, State.DRAFT]
    assert register.pdf(number, 1) == b"first AN-2026-0001/1"
    assert register.pdf(number) == b"second AN-2026-0001/2"
    assert revised.revisions[0].pdf_sha256 == hashlib.sha256(b"first AN-2026-0001/1").hexdigest()
    assert flaws(database) == ()


def test_that_a_paper_changed_behind_the_registers_back_is_refused(register: Register, database: Database) -> None:
    number = store(register).number
    with database.writing() as connection:
        connection.execute(text("UPDATE passform_papers SET pdf = :pdf"), {"pdf": b"forged"})
    with pytest.raises(RegisterError, match="fingerprint differs"):
        register.pdf(number)
    assert flaws(database) == (Flaw(FlawKind.CHANGED, number),)


def test_that_lost_documents_and_revisions_are_found(register: Register, database: Database) -> None:
    for _ in range(3):
        store(register)
    with database.writing() as connection:
        connection.execute(text("DELETE FROM passform_papers WHERE revision_id IN (2, 3)"))
        for table in ("events", "revisions", "documents"):
            column = "id" if table == "documents" else "document_id"
            connection.execute(text(f"DELETE FROM passform_{table} WHERE {column} = 2"))
        connection.execute(text("UPDATE passform_revisions SET revision = 5 WHERE document_id = 1"))
        connection.execute(text("UPDATE passform_counters SET last = 7"))
    assert set(flaws(database)) == {
        Flaw(FlawKind.GAP, "offer 2026 2"),
        Flaw(FlawKind.COUNTER, "offer 2026"),
        Flaw(FlawKind.REVISIONS, "AN-2026-0001"),
        Flaw(FlawKind.LOST, "AN-2026-0003"),
    }


def test_that_prices_are_written_down_with_their_source_and_date(register: Register) -> None:
    origin = PriceOrigin(PriceBasis.PUBLISHED, "2026-09-12", "Preisliste", "https://example.org/p")
    lines = (DraftLine("1", "Karte", unit_price=Decimal("8899.00"), item_id="card", origin=origin),)
    make = maker(kind=DocumentKind.RECOMMENDATION, sections=(DraftSection(SectionRole.SYSTEM, lines),))
    entry = register.store(DocumentKind.RECOMMENDATION, 2026, PATTERN, make, today=TODAY)
    (price,) = json.loads(register.prices(entry.number))["lines"]
    assert price["unit_price"] == "8899.00"
    assert price["source"] == "Preisliste"
    assert price["as_of"] == "2026-09-12"


def test_that_the_sums_of_the_register_are_those_of_the_quote(register: Register) -> None:
    latest = store(register).latest
    assert latest.net == Money(Decimal("100.00"), "EUR")
    assert latest.gross == Money(Decimal("119.00"), "EUR")
    assert json.loads(register.quote_data("AN-2026-0001"))["totals"]["gross"] == "119.00"


def test_that_an_offer_holds_to_the_end_of_its_last_day(register: Register) -> None:
    entry = store(register)
    last = entry.latest.valid_until
    assert last == date(2026, 12, 30)
    register.set_state(entry.number, State.SENT, on=TODAY)
    assert register.entry(entry.number, last).state is State.SENT
    assert register.entry(entry.number, last + timedelta(days=1)).state is State.EXPIRED


def test_that_an_expired_offer_cannot_be_accepted_but_an_answer_in_time_counts(register: Register) -> None:
    entry = store(register)
    late = entry.latest.valid_until + timedelta(days=1)
    with pytest.raises(RegisterError, match="expired after"):
        register.set_state(entry.number, State.ACCEPTED, on=late)
    register.set_state(entry.number, State.ACCEPTED, on=entry.latest.valid_until)
    assert register.entry(entry.number, late).state is State.ACCEPTED


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ((State.SENT, State.ACCEPTED), State.DECLINED),
        ((State.DECLINED,), State.ACCEPTED),
        ((), State.EXPIRED),
        ((), State.SUPERSEDED),
        ((State.SENT,), State.SENT),
    ],
)
def test_that_states_follow_only_where_they_may(register: Register, path: tuple[State, ...], wanted: State) -> None:
    number = store(register).number
    for state in path:
        register.set_state(number, state, on=TODAY)
    with pytest.raises(RegisterError):
        register.set_state(number, wanted, on=TODAY)


def test_that_a_wrong_answer_can_be_taken_back_and_stays_in_the_history(register: Register) -> None:
    number = store(register, author="Karin Kontakt").number
    for state in (State.SENT, State.ACCEPTED, State.SENT, State.DECLINED):
        register.set_state(number, state, on=TODAY, author="KK")
    assert [event.what for event in register.history(number)] == [
        *(EventKind.ISSUED, State.SENT, State.ACCEPTED, State.SENT, State.DECLINED)
    ]


def test_that_an_accepted_offer_takes_no_revision(register: Register) -> None:
    number = store(register).number
    register.set_state(number, State.ACCEPTED, on=TODAY)
    with pytest.raises(RegisterError, match="takes no revision"):
        register.revise(number, maker(), today=TODAY)
    assert len(register.entry(number, TODAY).revisions) == 1


def test_that_documents_are_found_by_what_people_remember(register: Register) -> None:
    names = ("Müller & Söhne KG", "100%_Technik GmbH", "Straße AG")
    numbers = [store(register, maker(customer=replace(CUSTOMER, company=name))).number for name in names]

    def found(words: str) -> list[str]:
        return [entry.number for entry in register.entries(Search(words), TODAY)]

    assert found("MÜLLER") == [numbers[0]]
    assert found("söhne größer") == [numbers[0]]
    assert found("100%_") == [numbers[1]]
    assert found("%") == [numbers[1]]
    assert found("STRASSE") == [numbers[2]]
    assert found("2026-0002") == [numbers[1]]
    assert found("anfrage 7") == numbers[::-1]
    assert found("'; DROP TABLE passform_documents; --") == []


def test_that_lists_filter_by_the_state_of_the_day(register: Register) -> None:
    numbers = [store(register).number for _ in range(4)]
    register.set_state(numbers[0], State.SENT, on=TODAY)
    register.set_state(numbers[1], State.ACCEPTED, on=TODAY)
    register.revise(numbers[2], maker(as_of=date(2026, 12, 20)), today=date(2026, 12, 20))

    def listed(*states: State, day: date = TODAY) -> list[str]:
        return [entry.number for entry in register.entries(Search(states=frozenset(states)), day)]

    assert listed(State.DRAFT) == [numbers[3], numbers[2]]
    assert listed(State.SENT) == [numbers[0]]
    assert listed(State.SUPERSEDED) == []
    new_year = date(2027, 1, 1)
    assert listed(State.EXPIRED, day=new_year) == [numbers[3], numbers[0]]
    assert listed(State.DRAFT, day=new_year) == [numbers[2]]
    assert listed(State.ACCEPTED, State.DRAFT, day=new_year) == [numbers[2], numbers[1]]


def test_that_follow_ups_are_due_only_while_the_customer_has_not_answered(register: Register) -> None:
    first, second = store(register).number, store(register).number
    for number in (first, second):
        register.set_follow_up(number, date(2026, 12, 7), "anrufen")
    register.set_state(second, State.DECLINED, on=TODAY)
    due = Search(follow_up_by=date(2026, 12, 7))
    assert [entry.number for entry in register.entries(due, date(2026, 12, 7))] == [first]
    assert register.entries(Search(follow_up_by=date(2026, 12, 6)), TODAY) == ()
    assert register.entry(first, TODAY).remark == "anrufen"


def test_that_erasing_a_customer_keeps_number_and_fingerprint(register: Register, database: Database) -> None:
    number = store(register).number
    register.revise(number, maker(), today=TODAY)
    other = store(register, maker(customer=replace(CUSTOMER, company="Andere GmbH", number="K-2"))).number
    register.set_follow_up(number, TODAY, "Frau Größer anrufen")
    before = register.entry(number, TODAY)
    assert register.erase_customer(" beispiel MASCHINENBAU ag ", today=TODAY) == (number,)
    after = register.entry(number, TODAY)
    assert after.number == number
    assert [item.pdf_sha256 for item in after.revisions] == [item.pdf_sha256 for item in before.revisions]
    assert (after.company, after.contact, after.reference, after.customer_number, after.remark) == ("",) * 5
    assert after.erased_on == TODAY
    with pytest.raises(RegisterError, match="erased"):
        register.pdf(number, 1)
    with pytest.raises(RegisterError, match="erased"):
        register.revise(number, maker(), today=TODAY)
    assert register.pdf(other)
    assert register.entries(Search("größer"), TODAY)[0].number == other
    assert flaws(database) == ()


def test_that_erasing_needs_the_exact_name_and_can_spare_accepted_orders(register: Register) -> None:
    kept, gone = store(register).number, store(register).number
    register.set_state(kept, State.ACCEPTED, on=TODAY)
    assert register.erase_customer("Beispiel", today=TODAY) == ()
    assert register.erase_customer("", today=TODAY) == ()
    assert [entry.number for entry in register.customers("k-1042")] == [gone, kept]
    assert register.erase_customer("K-1042", today=TODAY, keep_accepted=True) == (gone,)
    assert register.pdf(kept)


@pytest.mark.parametrize("ask", ["pdf", "prices", "consultation", "quote_data"])
def test_that_an_unknown_number_or_revision_is_named(register: Register, ask: str) -> None:
    number = store(register).number
    with pytest.raises(RegisterError, match="no document AN-1"):
        getattr(register, ask)("AN-1")
    with pytest.raises(RegisterError, match="no revision 7"):
        getattr(register, ask)(number, 7)


def test_that_texts_no_database_takes_are_stored_without_the_offending_characters(register: Register) -> None:
    entry = store(register, maker(customer=replace(CUSTOMER, contact="Dr.\x00 Größer 🙂")))
    assert entry.contact == "Dr. Größer 🙂"
