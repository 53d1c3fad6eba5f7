"""The register's tables, schema 2. Amounts are text, so that no database turns cents into binary fractions."""

from __future__ import annotations

from sqlalchemy import (
    Column,
    Date,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)
from sqlalchemy.dialects.mysql import LONGTEXT

SCHEMA = 2

LONG_TEXT = Text().with_variant(LONGTEXT(), "mysql", "mariadb")  # whose plain TEXT ends at 64 KB

metadata = MetaData()

version = Table(
    "passform_register",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),  # always 1
    Column("schema_number", Integer, nullable=False),
)

counters = Table(
    "passform_counters",
    metadata,
    Column("kind", String(20), primary_key=True),
    Column("year", Integer, primary_key=True, autoincrement=False),
    Column("last", Integer, nullable=False),
)

documents = Table(
    "passform_documents",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("kind", String(20), nullable=False),
    Column("year", Integer, nullable=False),
    Column("counter", Integer, nullable=False),
    Column("number", String(80), nullable=False, unique=True),
    Column("company", Text, nullable=False, default=""),
    Column("contact", Text, nullable=False, default=""),
    Column("customer_number", Text, nullable=False, default=""),
    Column("reference", Text, nullable=False, default=""),
    Column("subject", Text, nullable=False, default=""),
    Column("search", Text, nullable=False, default=""),  # all of the above, case folded
    Column("author", Text, nullable=False, default=""),
    Column("follow_up", Date),
    Column("remark", Text, nullable=False, default=""),
    Column("erased_on", Date),
    UniqueConstraint("kind", "year", "counter"),
)

revisions = Table(
    "passform_revisions",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("document_id", ForeignKey(documents.c.id), nullable=False),
    Column("revision", Integer, nullable=False),
    Column("state", String(20), nullable=False),
    Column("issued_on", Date, nullable=False),
    Column("valid_until", Date, nullable=False),
    Column("language", String(2), nullable=False),
    Column("currency", String(3), nullable=False),
    Column("net", String(40)),
    Column("gross", String(40)),
    Column("on_request", Integer),  # positions that the sums leave out; null where that was erased before schema 2
    Column("pdf_sha256", String(64), nullable=False),
    Column("pdf_bytes", Integer, nullable=False),
    Column("catalogue", Text, nullable=False),
    Column("request", String(80), unique=True),
    UniqueConstraint("document_id", "revision"),
)

papers = Table(
    "passform_papers",
    metadata,
    Column("revision_id", ForeignKey(revisions.c.id), primary_key=True),
    Column("pdf", LargeBinary(2**31 - 1), nullable=False),
    Column("quote", LONG_TEXT, nullable=False),  # the customer's data form of the document, JSON
    Column("prices", LONG_TEXT, nullable=False),  # what stood behind each price on that day, JSON
    Column("consultation", LONG_TEXT, nullable=False),  # the seller's own file, YAML
)

events = Table(
    "passform_events",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("document_id", ForeignKey(documents.c.id), nullable=False, index=True),
    Column("revision", Integer, nullable=False),
    Column("happened_on", Date, nullable=False),
    Column("what", String(20), nullable=False),
    Column("author", Text, nullable=False, default=""),
)
