"""Opening a register: wrong addresses, files of another kind, newer and older schemas, erased bytes."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from catalog.register import database as module
from catalog.register.database import Database, database_at, sqlite_database
from catalog.register.numbering import NumberPattern
from catalog.register.register import Register
from catalog.register.tables import SCHEMA
from catalog.register.types import RegisterError, Search
from engine.quote.draft import DocumentKind
from tests.catalog.register.samples import CUSTOMER, TODAY, maker

PATTERN = NumberPattern("AN-{year}-{counter:04d}")


@pytest.mark.parametrize("address", ["", "not an address", "oracle+nothing://x", "http://example.org"])
def test_that_a_wrong_address_is_refused_without_repeating_it(address: str) -> None:
    with pytest.raises(RegisterError) as raised:
        database_at(address)
    assert "database URL" in str(raised.value)


def test_that_a_missing_driver_is_named() -> None:
    with pytest.raises(RegisterError, match="needs the Python package"):
        database_at("mysql+pymysql://team:geheim@localhost/passform")


def test_that_a_password_is_never_shown() -> None:
    with pytest.raises(RegisterError) as raised:
        database_at("postgresql://team:geheim@127.0.0.1:1/passform?connect_timeout=2")
    assert "geheim" not in str(raised.value)


def test_that_a_file_of_another_kind_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "register.sqlite"
    path.write_bytes(b"a letter, not a database" * 100)
    with pytest.raises(RegisterError, match="not a database"):
        sqlite_database(path)
    assert path.read_bytes().startswith(b"a letter")


def test_that_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(RegisterError, match="cannot be made"):
        sqlite_database(tmp_path / "file" / "register.sqlite")


def test_that_a_register_of_a_newer_program_is_refused_and_left_alone(address: str) -> None:
    with closing(database_at(address)) as database, database.writing() as connection:
        connection.execute(text("UPDATE passform_register SET schema_number = 99"))
    with pytest.raises(RegisterError, match="newer Passform"):
        database_at(address)


@pytest.mark.parametrize("damaged", ["'x'", "x'00ff'", "0", "-3"])
def test_that_a_register_whose_schema_number_is_damaged_is_refused(damaged: str, tmp_path: Path) -> None:
    path = tmp_path / "register.sqlite"
    sqlite_database(path).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"UPDATE passform_register SET schema_number = {damaged}")
    with pytest.raises(RegisterError, match="damaged"):
        sqlite_database(path)


def test_that_an_older_register_is_brought_up_to_date_once(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(database_at(address)) as database:
        Register(database).store(DocumentKind.OFFER, 2026, PATTERN, maker(), today=TODAY)
    runs = []

    def migrate(connection: Connection) -> None:
        connection.execute(text("ALTER TABLE passform_documents ADD COLUMN colour TEXT"))
        runs.append(1)

    monkeypatch.setattr(module, "SCHEMA", SCHEMA + 1)
    monkeypatch.setattr(module, "MIGRATIONS", {SCHEMA: migrate})
    for _ in range(2):
        with closing(database_at(address)) as database:
            assert Register(database).entry("AN-2026-0001", TODAY).company
    assert runs == [1]


def test_that_a_migration_that_fails_leaves_the_old_register(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    database_at(address).close()

    def fail(connection: Connection) -> None:
        connection.execute(text("ALTER TABLE passform_documents ADD COLUMN colour TEXT"))
        raise RuntimeError("half way")

    monkeypatch.setattr(module, "SCHEMA", SCHEMA + 1)
    monkeypatch.setattr(module, "MIGRATIONS", {SCHEMA: fail})
    with pytest.raises(RuntimeError):
        database_at(address)
    monkeypatch.undo()
    with closing(database_at(address)) as database:
        assert Register(database).entries(Search(), TODAY) == ()


def test_that_a_locked_register_asks_to_try_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BUSY_SECONDS", 0.1)
    path = tmp_path / "register.sqlite"
    with closing(sqlite_database(path)) as database, closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(RegisterError, match="try again"):
            Register(database).store(DocumentKind.OFFER, 2026, PATTERN, maker(), today=TODAY)


def test_that_erased_customers_are_gone_from_the_very_file(tmp_path: Path) -> None:
    path = tmp_path / "register.sqlite"
    marks = [b"CANARY-COMPANY", b"CANARY-PDF", b"CANARY-REFERENCE"]
    customer = replace(CUSTOMER, company="CANARY-COMPANY AG", reference="CANARY-REFERENCE")
    with closing(sqlite_database(path)) as database:
        register = Register(database)
        make = maker(b"CANARY-PDF" * 10_000, customer=customer)
        register.store(DocumentKind.OFFER, 2026, PATTERN, make, today=TODAY)
        register.revise("AN-2026-0001", make, today=TODAY)
        assert all(mark in path.read_bytes() for mark in marks)
        register.erase_customer("CANARY-COMPANY AG", today=TODAY)
    left = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert not [mark for mark in marks if mark in left]
    assert not [mark for mark in marks if mark.lower() in left]


def test_that_a_database_closes_twice_without_complaint(database: Database) -> None:
    database.close()
    database.close()
