"""A register on SQLite and on a real PostgreSQL, and documents small enough to store thousands of them."""

from __future__ import annotations

import os
import subprocess
import uuid
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

import psycopg
import pytest

from catalog.register.database import Database, database_at
from catalog.register.register import Register
from catalog.register.types import Issue, Made
from engine.prices import PriceBasis
from engine.quote.draft import DocumentKind, DraftLine, DraftSection, PriceOrigin, QuoteDraft, SectionRole
from engine.quote.parties import Address, Contact, Customer, LegalForm, RegisterEntry, Seller
from engine.quote.release import release
from engine.quote.vat import VatCase, VatTreatment

ROOT = Path(__file__).parents[3]
SCRIPT = ROOT / "scripts" / "postgres-for-tests.sh"
NEEDED = "PASSFORM_NEEDS_POSTGRESQL"
CANNOT_INSTALL = 3  # the script's answer where PostgreSQL is not there and cannot be installed
TODAY = date(2026, 11, 30)

SELLER = Seller(
    name="Muster Systemhaus GmbH",
    legal_form=LegalForm.GMBH,
    address=Address("Industriestraße 12", "10115", "Berlin"),
    register=RegisterEntry("Berlin", "Amtsgericht Charlottenburg", "HRB 123456"),
    directors=("Erika Mustermann",),
    vat_id="DE123456789",
    contact=Contact("Karin Kontakt", "+49 30 1234567", "karin@example.org"),
)
CUSTOMER = Customer(
    company="Beispiel Maschinenbau AG",
    contact="Frau Dr. Sabine Größer",
    lines=("Königstraße 5", "70173 Stuttgart"),
    number="K-1042",
    reference="Anfrage 7",
)


def draft(**changes: object) -> QuoteDraft:
    """An offer of one position at 100 EUR."""
    line = DraftLine("1", "Artikel", unit_price=Decimal("100.00"), origin=PriceOrigin(PriceBasis.SELLER, "2026-11-30"))
    made = QuoteDraft(
        kind=DocumentKind.OFFER,
        seller=SELLER,
        customer=CUSTOMER,
        language="de",
        currency="EUR",
        as_of=TODAY,
        sections=(DraftSection(SectionRole.FREE, (line,)),),
        vat=VatTreatment(VatCase.DOMESTIC, VatCase.DOMESTIC, Decimal("0.19"), confirmed=True),
    )
    return replace(made, **changes)  # type: ignore[arg-type]  # names checked by replace itself


def maker(pdf: bytes = b"%PDF-1.4 sample", **changes: object) -> Callable[[Issue], Made]:
    """Makes a document for whatever number it is given; the number stands in its bytes."""

    def make(issue: Issue) -> Made:
        quote = release(draft(number=issue.number, revision=issue.revision, **changes))
        return Made(quote, pdf + f" {issue.number}/{issue.revision}".encode(), "schema: 1\n")

    return make


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
