"""The files of the user's own folder, which editors, synchronisation and other people's hands may have damaged."""

from __future__ import annotations

import io
import tempfile
from datetime import date
from functools import cache
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from benchmarks.fuzz.target import ROOT, Target, facts
from benchmarks.kill_harness import PATTERN, make_paper
from catalog import keys, price_ages, quote_templates
from catalog.attachments import NAME, consultation_from_bytes
from catalog.config_model import model_from_file
from catalog.consultation.files import parse_text, read
from catalog.consultation.quote_rows import SectionRow
from catalog.consultation.scenario import to_scenario
from catalog.register import settings as register_settings
from catalog.register.database import sqlite_database
from catalog.register.register import Register
from catalog.register.types import Search
from catalog.seller import TERMS_FILE, load_seller
from engine.prices import AgeLimits
from engine.quote.draft import DocumentKind
from gui.settings import load_settings

DAY = date(2026, 11, 30)
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32, 64)))
WORDS = "geheim"


def _test_runs(content: bytes, folder: Path) -> None:
    """Read, and compared with what the model says for the same run."""
    path = folder / "runs.passform.yaml"
    path.write_bytes(content)
    to_scenario(read(path), facts(), DAY, model_from_file, folder)


def _public_key(content: bytes, folder: Path) -> None:
    path = folder / "any.passform-key"
    path.write_bytes(content)
    keys.read_public(path)


def _private_key(content: bytes, folder: Path) -> None:
    path = folder / "any.pem"
    path.write_bytes(content)
    if keys.needs_passphrase(path):
        keys.read_private(path, WORDS)
    else:
        keys.read_private(path)


def _trusted(content: bytes, folder: Path) -> None:
    (folder / keys.KEYS_FILE).write_bytes(content)
    keys.trusted_keys(folder / "nothing", folder)


def _seller(content: bytes, folder: Path) -> None:
    (folder / "seller.yaml").write_bytes(content)
    load_seller(folder)


def _terms(content: bytes, folder: Path) -> None:
    (folder / "seller.yaml").write_text("schema: 1\n", encoding="utf-8")
    (folder / TERMS_FILE.format(language="de")).write_bytes(content)
    load_seller(folder)


def _templates(content: bytes, folder: Path) -> None:
    (folder / quote_templates.FILE_NAME).write_bytes(content)
    quote_templates.templates(folder)


def _ages(content: bytes, folder: Path) -> None:
    (folder / price_ages.FILE_NAME).write_bytes(content)
    price_ages.load_age_limits(folder)


def _register_settings(content: bytes, folder: Path) -> None:
    (folder / register_settings.FILE_NAME).write_bytes(content)
    register_settings.load_settings(folder)


def _window_settings(content: bytes, folder: Path) -> None:
    path = folder / "settings.json"
    path.write_bytes(content)
    load_settings(path)


def _register(content: bytes, folder: Path) -> None:
    """A damaged database: whatever is still found in it is read, as the window and the command line do."""
    for left in folder.glob("register.sqlite*"):
        left.unlink()
    (folder / "register.sqlite").write_bytes(content)
    register = Register(sqlite_database(folder / "register.sqlite"))
    try:
        for entry in register.entries(Search(), DAY):
            register.history(entry.number)
            register.pdf(entry.number)
            register.quote_data(entry.number)
            register.prices(entry.number)
            register.consultation(entry.number)
    finally:
        register.close()


def _carried(content: bytes, folder: Path) -> None:
    """The consultation inside an intact PDF."""
    from pypdf import PdfWriter

    writer, stream = PdfWriter(), io.BytesIO()
    writer.add_blank_page(100, 100)
    writer.add_attachment(NAME, content)
    writer.write(stream)
    consultation_from_bytes(stream.getvalue(), "any.pdf", folder)


def _public_seed() -> bytes:
    with tempfile.TemporaryDirectory() as name:
        _, public = keys.create_key(Path(name) / "seed", "Fuzz GmbH", DAY)
        return public.read_bytes()


def _private_seed() -> bytes:
    return KEY.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def _trusted_seed() -> bytes:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        publisher = keys.Publisher("Fuzz GmbH", KEY.public_key(), DAY)
        keys.trust(folder, publisher, publisher.fingerprint, DAY, folder / "nothing")
        return (folder / keys.KEYS_FILE).read_bytes()


def _templates_seed() -> bytes:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        row = {"title": "Dienste", "lines": [{"id": "a1", "title": "Einbau", "quantity": 2, "price": "120.50"}]}
        quote_templates.keep_template(folder, "Dienste", SectionRow.model_validate(row))
        return (folder / quote_templates.FILE_NAME).read_bytes()


def _ages_seed() -> bytes:
    with tempfile.TemporaryDirectory() as name:
        price_ages.save_age_limits(Path(name), AgeLimits(30, 90))
        return (Path(name) / price_ages.FILE_NAME).read_bytes()


@cache
def _register_seed() -> bytes:
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "register.sqlite"
        register = Register(sqlite_database(path))
        for request in ("one", "two"):
            register.store(DocumentKind.RECOMMENDATION, DAY.year, PATTERN, make_paper, today=DAY, request=request)
        register.close()
        return path.read_bytes()


def _carried_seeds() -> list[bytes]:
    seeds = []
    for path in sorted((ROOT / "examples").glob("*.passform.yaml")):
        consultation = parse_text(path.read_text(encoding="utf-8"), path.name)
        seeds.append(consultation.model_dump_json(by_alias=True, exclude_none=True).encode())
    return seeds


TERMS = "Allgemeine Geschäftsbedingungen\n\n1. Geltung\nDiese Bedingungen gelten.\n\n2. Preise\nNetto, ab Werk.\n"
REGISTER_SETTINGS = (
    b"schema: 1\nnumbers:\n  offer: 'AN-{year}-{counter:04d}'\n  recommendation: 'KE-{year}-{counter:04d}'\n"
    b"database: ''\nfollow_up_days: 14\n"
)
WINDOW_SETTINGS = (
    b'{"schema": 1, "language": "de", "theme": "dark", "recent": ["a.passform.yaml"], "tour_seen": true, '
    b'"folded_rows": false}'
)

TEST_RUNS = b"""schema: 1
site: {place: desk}
workloads:
  - {name: chat, model: llama-3.1-8b, method: lora, sequence_length: 2048, micro_batch: 2}
calibrations:
  - {name: pilot, workload: chat, card: h200_nvl, stack: plain-hf, tokens_per_second: 5200}
  - {model: qwen3-8b, method: qlora, sequence_length: 2048, micro_batch: 2, card: l40s, cards: 2, sharding: fsdp,
     stack: plain-hf, tokens_per_second: 900}
"""

OWN_TARGETS = (
    Target("customer's test runs", _test_runs, lambda: [TEST_RUNS]),
    Target("PDF, carried consultation", _carried, _carried_seeds),
    Target("publisher's public key", _public_key, lambda: [_public_seed()]),
    Target("publisher's private key", _private_key, lambda: [_private_seed()]),
    Target("trusted keys", _trusted, lambda: [_trusted_seed()]),
    Target("seller's profile", _seller, lambda: [(ROOT / "resources" / "seller.yaml").read_bytes()]),
    Target("general terms", _terms, lambda: [TERMS.encode()]),
    Target("quote templates", _templates, lambda: [_templates_seed()]),
    Target("price ages", _ages, lambda: [_ages_seed()]),
    Target("register's settings", _register_settings, lambda: [REGISTER_SETTINGS]),
    Target("window's settings", _window_settings, lambda: [WINDOW_SETTINGS]),
    Target("register", _register, lambda: [_register_seed()]),
)
