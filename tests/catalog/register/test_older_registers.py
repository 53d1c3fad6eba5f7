"""A register written before schema 2 stays readable, and its sums say what they leave out."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from sqlalchemy import text

from catalog.register.checking import flaws
from catalog.register.comparing import compare
from catalog.register.database import database_at, sqlite_database
from catalog.register.numbering import NumberPattern
from catalog.register.register import Register
from catalog.register.tables import SCHEMA
from catalog.register.types import Revision, Search, State
from catalog.register.words import sum_text
from engine.quote.draft import DocumentKind, DraftLine, DraftSection, SectionRole
from engine.units import Money
from engine.wording.translator import Language
from resources import translations
from tests.catalog.register.samples import TODAY, draft, maker

OLD = Path(__file__).parents[2] / "data" / "register_schema1.sql"
"""Written by the program before schema 2: whole sums (0001), one and then two positions on request (0002), nothing
priced (0003), and one on request whose data were erased (0004)."""
PATTERN = NumberPattern("KE-{year}-{counter:04d}")
GAP = (DraftSection(SectionRole.FREE, (draft().sections[0].lines[0], DraftLine("2", "Karte"))),)


@pytest.fixture
def old_file(tmp_path: Path) -> Path:
    path = tmp_path / "register.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(OLD.read_text(encoding="utf-8"))
    return path


def test_that_an_old_file_is_read_and_says_what_its_sums_leave_out(old_file: Path) -> None:
    with closing(sqlite_database(old_file)) as database:
        register = Register(database)
        left_out = {
            entry.number[-1]: [one.on_request for one in entry.revisions] for entry in register.entries(Search(), TODAY)
        }
        assert left_out == {"1": [0], "2": [1, 2], "3": [1], "4": [None]}
        assert register.pdf("KE-2026-0002", 1) == b"%PDF-1.4 sample KE-2026-0002/1"
        assert not flaws(database)
    with closing(sqlite3.connect(old_file)) as connection:
        assert connection.execute("SELECT schema_number FROM passform_register").fetchall() == [(SCHEMA,)]


def test_that_an_old_file_takes_the_next_document(old_file: Path) -> None:
    with closing(sqlite_database(old_file)) as database:
        register = Register(database)
        made = maker(kind=DocumentKind.RECOMMENDATION, sections=GAP)
        entry = register.store(DocumentKind.RECOMMENDATION, 2026, PATTERN, made, today=TODAY)
        assert (entry.number, entry.latest.on_request) == ("KE-2026-0005", 1)


def test_that_any_database_is_brought_up_to_date(address: str) -> None:
    with closing(database_at(address)) as database:
        made = maker(kind=DocumentKind.RECOMMENDATION, sections=GAP)
        Register(database).store(DocumentKind.RECOMMENDATION, 2026, PATTERN, made, today=TODAY)
        with database.writing() as connection:
            connection.execute(text("ALTER TABLE passform_revisions DROP COLUMN on_request"))
            connection.execute(text("UPDATE passform_register SET schema_number = 1"))
    with closing(database_at(address)) as database:
        assert Register(database).entry("KE-2026-0001", TODAY).latest.on_request == 1


@pytest.mark.parametrize("stored", ["", "no json", "[]", '{"totals": {}}', '{"totals": {"on_request": 3}}'])
def test_that_data_that_say_nothing_of_it_stop_no_register(old_file: Path, stored: str) -> None:
    with closing(sqlite3.connect(old_file)) as connection, connection:
        connection.execute("UPDATE passform_papers SET quote = ?", (stored,))
    with closing(sqlite_database(old_file)) as database:
        assert Register(database).entry("KE-2026-0001", TODAY).latest.on_request is None


def _revision(net: str | None = "100", gross: str | None = "119", on_request: int | None = 0) -> Revision:
    def euros(amount: str | None) -> Money | None:
        return None if amount is None else Money(Decimal(amount), "EUR")

    day = date(2026, 11, 30)
    return Revision(1, State.DRAFT, day, day, "de", euros(net), euros(gross), "", 0, "", on_request)


@pytest.mark.parametrize(
    ("revision", "shown"),
    [
        (_revision(), "119,00\N{NO-BREAK SPACE}EUR"),
        (_revision(on_request=1), "119,00\N{NO-BREAK SPACE}EUR + 1 auf Anfrage"),
        (_revision(on_request=2), "119,00\N{NO-BREAK SPACE}EUR + 2 auf Anfrage"),
        (_revision(on_request=None), "119,00\N{NO-BREAK SPACE}EUR, vielleicht unvollständig"),
        (_revision(net=None, gross=None, on_request=2), "auf Anfrage"),
        (_revision(gross=None), "noch nicht geklärt"),
    ],
)
def test_that_a_sum_never_looks_whole_while_positions_are_missing(revision: Revision, shown: str) -> None:
    assert sum_text(revision.gross, revision, translations("de"), Language.DE) == shown


def test_that_sums_that_leave_out_different_things_are_not_subtracted() -> None:
    earlier, later = _revision(on_request=1), replace(_revision(net="150", gross="178.50"), revision=2)
    assert compare(earlier, later).net is None
    assert compare(replace(earlier, on_request=0), later).net == Money(Decimal(50), "EUR")
