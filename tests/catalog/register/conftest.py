"""A register on SQLite and on a real PostgreSQL."""

from __future__ import annotations

import os
import subprocess
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import psycopg
import pytest

from catalog.config_model import model_from_file
from catalog.consultation.document import Consultation
from catalog.consultation.files import read
from catalog.consultation.quote_draft import taken_over
from catalog.consultation.scenario import to_scenario
from catalog.load import load_catalog
from catalog.register.database import Database, database_at
from catalog.register.issuing import Proposal
from catalog.register.register import Register
from engine.facts import Facts
from engine.plan.recommend import recommend
from engine.plan.types import Recommendation
from engine.quote.draft import LineKind
from tests.catalog.register.samples import SELLER, TODAY

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


@dataclass(frozen=True)
class Case:
    """A consultation with everything an offer needs, in a seller's folder of its own."""

    consultation: Consultation
    recommendation: Recommendation
    facts: Facts
    folder: Path

    @property
    def proposal(self) -> Proposal:
        return Proposal(self.consultation, self.recommendation, self.facts, SELLER, self.folder)


@pytest.fixture(scope="session")
def planned() -> tuple[Consultation, Recommendation, Facts]:
    """The bundled example, planned once."""
    consultation = read(ROOT / "examples" / "lora-department-rack.passform.yaml")
    facts = load_catalog().facts
    recommendation = recommend(to_scenario(consultation, facts, TODAY, model_from_file), facts)
    return consultation, recommendation, facts


@pytest.fixture
def case(planned: tuple[Consultation, Recommendation, Facts], tmp_path: Path) -> Case:
    consultation, recommendation, facts = planned
    taken = taken_over(consultation, recommendation, facts, SELLER)
    assert taken.sections is not None
    sections = tuple(
        section.model_copy(
            update={
                "lines": tuple(
                    line if line.kind is LineKind.INCLUDED else line.model_copy(update={"price": Decimal("1234.50")})
                    for line in section.lines
                )
            }
        )
        for section in taken.sections
    )
    stored = taken.model_copy(update={"sections": sections, "currency": "EUR", "vat_confirmed": True})
    return Case(consultation.model_copy(update={"quote": stored}), recommendation, facts, tmp_path)
