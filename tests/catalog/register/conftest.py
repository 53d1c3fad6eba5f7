"""A register on SQLite and on a real PostgreSQL."""

from __future__ import annotations

import os
import subprocess
import uuid
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from catalog.register.database import Database, database_at
from catalog.register.register import Register

ROOT = Path(__file__).parents[3]
SCRIPT = ROOT / "scripts" / "postgres-for-tests.sh"
NEEDED = "PASSFORM_NEEDS_POSTGRESQL"
CANNOT_INSTALL = 3  # the script's answer where PostgreSQL is not there and cannot be installed


@pytest.fixture(scope="session")
def postgresql_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A temporary cluster that listens on a socket in its own folder; the address of its database."""
    started = subprocess.run([SCRIPT, "start"], capture_output=True, text=True, check=False)
    if started.returncode == CANNOT_INSTALL and not os.environ.get(NEEDED):
        pytest.skip(f"PostgreSQL is not here and cannot be installed: {started.stderr.strip()}")
    assert started.returncode == 0, started.stderr
    folder = started.stdout.strip()
    try:
        yield f"postgresql://postgres@/postgres?host={folder}"
    finally:
        subprocess.run([SCRIPT, "stop", folder], capture_output=True, check=True)


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database, once of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'register.sqlite'}"
    server: str = request.getfixturevalue("postgresql_server")
    name = f"register_{uuid.uuid4().hex}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}")
    return f"{server}&options=-csearch_path%3D{name}"


@pytest.fixture
def database(address: str) -> Iterator[Database]:
    opened = database_at(address)
    yield opened
    opened.close()


@pytest.fixture
def register(database: Database) -> Register:
    return Register(database)
