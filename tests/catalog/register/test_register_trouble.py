"""The register when its disk or the clock fails: nothing is numbered twice, and the message says what to do."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest
from sqlalchemy import Table, event

from catalog.register import database as module
from catalog.register.checking import flaws
from catalog.register.database import Database, sqlite_database
from catalog.register.numbering import NumberPattern
from catalog.register.register import Register
from catalog.register.tables import counters, documents, events, papers, revisions
from catalog.register.types import RegisterError, Search, State
from engine.quote.draft import DocumentKind
from resources import translations
from tests.catalog.register.samples import TODAY, maker

PATTERN = NumberPattern("AN-{year}-{counter:04d}")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "share" / "register.sqlite"


def _store(register: Register, day: date = TODAY, make: object = None) -> str:
    made = make or maker(as_of=day)
    return register.store(DocumentKind.OFFER, day.year, PATTERN, made, today=day).number  # type: ignore[arg-type]  # a maker


def _on_every_connection(database: Database, pragma: str) -> None:
    """SQLite's own switches bring about its own errors."""

    def switch(connection: sqlite3.Connection, _entry: object) -> None:
        connection.execute(f"PRAGMA {pragma}")

    event.listen(database._engine, "connect", switch)
    database.close()


def _fails(path: Path, spoil: Callable[[Database], None], english: str, german: str) -> None:
    with closing(sqlite_database(path)) as database:
        register = Register(database)
        assert _store(register) == "AN-2026-0001"
        spoil(database)
        with pytest.raises(RegisterError, match=english) as caught:
            _store(register, make=maker(b"%PDF" * 100_000))
        assert german in caught.value.text(translations("de").gettext)
        assert "nichts nummeriert" in caught.value.text(translations("de").gettext)
        database.close()
    with closing(sqlite_database(path)) as database:
        assert [entry.number for entry in Register(database).entries(Search(), TODAY)] == ["AN-2026-0001"]
        assert flaws(database) == ()
        assert _store(Register(database)) == "AN-2026-0002"


def test_that_a_full_disk_numbers_nothing_and_is_named(path: Path) -> None:
    _fails(path, lambda database: _on_every_connection(database, "max_page_count = 1"), "disk is full", "voll")


def test_that_a_read_only_register_numbers_nothing_and_is_named(path: Path) -> None:
    _fails(path, lambda database: _on_every_connection(database, "query_only = ON"), "read-only", "schreibgeschützt")


def test_that_a_register_one_may_only_read_can_be_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A colleague's register on a share, or one on a disk that the system made read-only."""
    with closing(sqlite_database(path)) as database:
        _store(Register(database))
    when = path.stat().st_mtime_ns

    def refuse(*_arguments: object, **_more: object) -> None:
        raise PermissionError(13, os.strerror(13))

    switch = module._on_connect

    def only_reading(connection: sqlite3.Connection, entry: object) -> None:
        switch(connection, entry)  # type: ignore[arg-type]  # as SQLAlchemy hands it on
        connection.execute("PRAGMA query_only = ON")

    monkeypatch.setattr(Path, "touch", refuse)
    monkeypatch.setattr(Path, "mkdir", refuse)
    monkeypatch.setattr(module, "_on_connect", only_reading)
    with closing(sqlite_database(path)) as database:
        register = Register(database)
        assert [entry.number for entry in register.entries(Search(), TODAY)] == ["AN-2026-0001"]
        assert register.pdf("AN-2026-0001")
        assert flaws(database) == ()
        with pytest.raises(RegisterError, match="read-only for you"):
            _store(register)
    assert path.stat().st_mtime_ns == when


def test_that_a_register_opens_while_another_window_writes_to_it(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BUSY_SECONDS", 0)
    with closing(sqlite_database(path)) as database:
        _store(Register(database))
        with database.writing(), closing(sqlite_database(path)) as other:
            assert len(Register(other).entries(Search(), TODAY)) == 1


def test_that_a_vanished_network_drive_numbers_nothing_and_is_named(path: Path) -> None:
    away = path.parent.with_name("away")

    def unplug(database: Database) -> None:
        database.close()
        path.parent.rename(away)

    with closing(sqlite_database(path)) as database:
        register = Register(database)
        _store(register)
        unplug(database)
        with pytest.raises(RegisterError, match="network drive") as caught:
            _store(register)
        assert "Netzlaufwerk" in caught.value.text(translations("de").gettext)
        away.rename(path.parent)
        assert _store(register) == "AN-2026-0002", "connected again, it goes on where it was"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("SQLITE_IOERR_FSYNC", "network drive"),
        ("SQLITE_READONLY_DIRECTORY", "read-only"),
        ("SQLITE_BUSY_SNAPSHOT", "try again"),
    ],
)
def test_that_every_kind_of_a_disk_error_has_its_words(name: str, words: str) -> None:
    class DiskError(sqlite3.OperationalError):
        sqlite_errorname = name

    with pytest.raises(RegisterError, match=words), module._worded():
        raise module.DBAPIError("INSERT", (), DiskError("as SQLite says it"))


def test_that_a_folder_without_the_right_to_write_is_named(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object, **_more: object) -> None:
        raise PermissionError(13, os.strerror(13))

    monkeypatch.setattr(Path, "touch", refuse)
    with pytest.raises(RegisterError, match=r"register\.sqlite: the register cannot be made: Permission denied"):
        sqlite_database(path)


def test_that_a_clock_moved_back_repeats_no_number(register: Register, database: Database) -> None:
    later, now = date(2027, 1, 4), date(2026, 11, 30)
    assert [_store(register, day) for day in (now, later, later)] == ["AN-2026-0001", "AN-2027-0001", "AN-2027-0002"]
    assert [_store(register, day) for day in (now, later)] == ["AN-2026-0002", "AN-2027-0003"]
    assert flaws(database) == ()


def test_that_a_clock_moved_back_keeps_revisions_in_their_order(register: Register) -> None:
    number = _store(register, date(2026, 12, 20))
    register.revise(number, maker(b"%PDF-1.4 second", as_of=TODAY), today=TODAY)
    entry = register.entry(number, TODAY)
    assert [revision.revision for revision in entry.revisions] == [1, 2]
    assert [revision.state for revision in entry.revisions] == [State.SUPERSEDED, State.DRAFT]
    assert b"second" in register.pdf(number)
    assert b"second" not in register.pdf(number, 1)


VALUES = ["x", 2**62, b"\xff\xfe"]


@pytest.mark.parametrize("table", [documents, revisions, papers, events, counters], ids=lambda table: table.name)
def test_that_no_value_in_a_damaged_register_ends_in_a_trace(path: Path, table: Table) -> None:
    """Synchronisation and other people's tools write into it; every column gets what Passform never writes."""
    with closing(sqlite_database(path)) as database:
        _store(Register(database))
    whole = path.read_bytes()
    said = set()
    for column in table.c:
        for value in VALUES:
            path.write_bytes(whole)
            with closing(sqlite3.connect(path)) as direct:
                try:
                    direct.execute("PRAGMA ignore_check_constraints = ON")
                    direct.execute(f"UPDATE {table.name} SET {column.name} = ?", (value,))
                    direct.commit()
                except sqlite3.Error:
                    continue  # the table itself refuses it
            said |= _use(path, write=value == "x")
    assert all("damaged" in words or "no document" in words or "fingerprint" in words for words in said), said


def _use(path: Path, *, write: bool) -> set[str]:
    """Whatever a window or command does with it; the words of what is refused."""
    said = set()
    with closing(sqlite_database(path)) as database:
        register = Register(database)
        reads: list[Callable[[], object]] = [
            lambda: register.entries(Search(states=frozenset(State), follow_up_by=TODAY), TODAY),
            lambda: register.entry("AN-2026-0001", TODAY),
            lambda: register.history("AN-2026-0001"),
            lambda: register.pdf("AN-2026-0001"),
            lambda: register.customers("Kunde"),
            lambda: flaws(database),
        ]
        writes: list[Callable[[], object]] = [
            lambda: register.set_state("AN-2026-0001", State.SENT, on=TODAY),
            lambda: register.revise("AN-2026-0001", maker(), today=TODAY),
            lambda: _store(register),
        ]
        for use in reads + writes * write:
            try:
                use()
            except RegisterError as error:
                said.add(str(error))
    return said


def test_that_damage_sqlite_quotes_in_no_known_writing_is_named(path: Path) -> None:
    with closing(sqlite_database(path)) as database:
        _store(Register(database))
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b"CREATE TABLE", b"CREATE \xf3ABLE", 1))
    with closing(sqlite3.connect(path)) as plain, pytest.raises(UnicodeDecodeError):
        plain.execute("SELECT * FROM documents")  # what SQLite reports holds the damaged byte
    with pytest.raises(RegisterError, match="damaged"):
        sqlite_database(path)
