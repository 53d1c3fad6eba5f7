"""The register's database: opening, locking, schema, and errors in words.

A change is one transaction that holds a lock from its first statement: on SQLite the whole file (`BEGIN IMMEDIATE`),
elsewhere the rows it touches. Whatever ends it early - an exception, a kill, a power cut - leaves nothing behind.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine, create_engine, event, inspect, select
from sqlalchemy.engine import URL, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry

from catalog.register.migrations import MIGRATIONS
from catalog.register.tables import SCHEMA, metadata, version
from catalog.register.types import DAMAGED, RegisterError
from engine.wording.translator import mark

BUSY_SECONDS = 60
ATTEMPTS = 5
WRITES = "passform_writes"

_DISK_PROBLEMS = {
    "SQLITE_BUSY": mark("Another Passform is writing to the register. Please try again."),
    "SQLITE_LOCKED": mark("Another Passform is writing to the register. Please try again."),
    "SQLITE_FULL": mark(
        "The register cannot be written: the disk is full. Nothing was numbered or changed. "
        "Free some space and try again."
    ),
    "SQLITE_READONLY": mark(
        "The register is read-only for you. Nothing was numbered or changed. "
        "Ask whoever looks after its folder for the right to write, or free the file from the other program."
    ),
    "SQLITE_CANTOPEN": mark(
        "The register cannot be reached. Nothing was numbered or changed. "
        "If it lies on a network drive, connect it again."
    ),
    "SQLITE_IOERR": mark(
        "The register cannot be reached. Nothing was numbered or changed. "
        "If it lies on a network drive, connect it again."
    ),
}


class Database:
    """A register's database, made ready on opening. Safe to use from several threads."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        try:
            with _worded():
                self._prepare()
        except BaseException:
            engine.dispose()
            raise

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A consistent look at the register."""
        with _worded(), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """One change: stored as a whole when the block ends, not at all when it raises."""
        with _worded(), self._engine.connect().execution_options(**{WRITES: True}) as connection, connection.begin():
            yield connection

    def close(self) -> None:
        """Let go of all connections."""
        self._engine.dispose()

    def _is_ready(self) -> bool:
        with self._engine.connect() as connection:
            if not inspect(connection).has_table(version.name):
                return False
            found: object = connection.execute(select(version.c.schema_number)).scalar_one_or_none()
            return found == SCHEMA

    def _prepare(self) -> None:
        if self._is_ready():  # so that a register that is read-only for somebody can be read, and waits for no writer
            return
        for attempt in range(1, ATTEMPTS + 1):
            try:
                with self._engine.connect().execution_options(**{WRITES: True}) as connection, connection.begin():
                    _bring_up_to_date(connection)
            except DBAPIError:
                # Two programs created the tables at once: the second one finds them made.
                if attempt == ATTEMPTS or not inspect(self._engine).has_table(version.name):
                    raise
            else:
                return


def sqlite_database(path: Path) -> Database:
    """The register in one file, made when it is missing and readable by its owner alone."""
    try:
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(mode=0o600, exist_ok=True)
    except OSError as error:
        raise RegisterError(
            "{file}: the register cannot be made: {problem}.", file=path.name, problem=error.strerror or str(error)
        ) from error
    return Database(_engine(URL.create("sqlite+pysqlite", database=str(path))))


def database_at(address: str) -> Database:
    """The register at a SQLAlchemy URL. Raises `RegisterError` when the URL or its driver cannot be used."""
    try:
        url = make_url(address)
        if url.drivername in {"postgres", "postgresql"}:
            url = url.set(drivername="postgresql+psycopg")
        return Database(_engine(url))
    except (ArgumentError, NoSuchModuleError) as error:
        # The URL itself stays out of the message: it can hold a password.
        raise RegisterError("The register's address is no database URL that Passform knows.") from error
    except ModuleNotFoundError as error:
        raise RegisterError(
            "The register's database needs the Python package {package}, which is not installed.", package=error.name
        ) from error


def _engine(url: URL) -> Engine:
    if url.get_backend_name() != "sqlite":
        return create_engine(url, pool_pre_ping=True)
    engine = create_engine(url, connect_args={"timeout": BUSY_SECONDS})
    event.listen(engine, "connect", _on_connect)
    event.listen(engine, "begin", _on_begin)
    return engine


def _on_connect(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    """Transactions are begun by us, not by the driver's guess; erased data are overwritten on the disk."""
    if isinstance(connection, sqlite3.Connection):
        connection.isolation_level = None
        for pragma in ("foreign_keys = ON", "secure_delete = ON", "synchronous = FULL"):
            connection.execute(f"PRAGMA {pragma}")


def _on_begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.get_execution_options().get(WRITES) else "BEGIN")


def _bring_up_to_date(connection: Connection) -> None:
    """Create the tables, or migrate older ones. Raises `RegisterError` for tables of a newer Passform."""
    if not inspect(connection).has_table(version.name):
        metadata.create_all(connection)
        connection.execute(version.insert().values(id=1, schema_number=SCHEMA))
        return
    found = connection.execute(select(version.c.schema_number).with_for_update()).scalar_one()
    if not isinstance(found, int) or found < 1:
        raise RegisterError(DAMAGED)
    if found > SCHEMA:
        raise RegisterError(
            "The register was written by a newer Passform (schema {found}, this one knows {newest}). "
            "Please update the program.",
            found=found,
            newest=SCHEMA,
        )
    for number in range(found, SCHEMA):
        MIGRATIONS[number](connection)
    if found < SCHEMA:
        connection.execute(version.update().values(schema_number=SCHEMA))


def is_conflict(error: Exception) -> bool:
    """Whether another seller's change came in between, so that trying again helps."""
    return isinstance(error.__cause__, IntegrityError)


def _disk_problem(error: DBAPIError) -> str | None:
    """What SQLite says about the file or its disk (https://sqlite.org/rescode.html), as a message that helps."""
    name = getattr(error.orig, "sqlite_errorname", "")
    return next((template for start, template in _DISK_PROBLEMS.items() if name.startswith(start)), None)


@contextmanager
def _worded() -> Iterator[None]:
    """Database errors as `RegisterError`."""
    try:
        yield
    except DBAPIError as error:
        problem = str(error.orig or error).splitlines()[0]
        raise RegisterError(
            _disk_problem(error) or "The register's database reports: {problem}", problem=problem
        ) from error
    except UnicodeDecodeError as error:  # SQLite quotes the damaged bytes, and Python cannot read the quotation
        raise RegisterError(DAMAGED) from error
    except SQLAlchemyError as error:
        raise RegisterError(
            "The register's database cannot be used: {problem}", problem=type(error).__name__
        ) from error
