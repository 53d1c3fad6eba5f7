"""What is fuzzed: every reader of files that others may have written, each with seeds that reach deep into it.

A target takes bytes and either understands them or raises `PassformError`, which is a message to a person. Anything
else is a defect, as is taking longer than two seconds or opening a file outside the folder it was given.
"""

from __future__ import annotations

import io
import json
import logging
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from functools import cache
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from benchmarks.fuzz.own_targets import OWN_TARGETS
from benchmarks.fuzz.target import ROOT, Target, facts
from catalog import updates
from catalog.attachments import consultation_from_bytes
from catalog.compiled import Uncached
from catalog.consultation import journal, locks
from catalog.consultation.config_paths import OutsideError, config_path
from catalog.consultation.files import parse_text, read, to_text
from catalog.consultation.newer import is_newer, read_newer
from catalog.documents import read_document
from catalog.huggingface.convert import model_from_config
from catalog.huggingface.files import parse_config
from catalog.keys import Publisher, fingerprint
from catalog.models_data import read_models
from catalog.prices_import.files import read_content
from catalog.prices_import.preview import preview
from catalog.schema import PricesFile
from engine.errors import PassformError

DAY = date(2026, 11, 30)
LIMIT_S = 2.0  # of computing
PATIENCE_S = 20.0  # by the clock: other programs may have had the processor meanwhile
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
KEYS = {fingerprint(KEY.public_key()): Publisher("fuzzer", KEY.public_key())}


class HangError(Exception):
    """An input took longer than the limit."""


class EscapeError(Exception):
    """An input made the reader open a file outside its folder."""


def _consultation(content: bytes, folder: Path) -> None:
    path = folder / "any.passform.yaml"
    path.write_bytes(content)
    consultation = (read_newer(path).consultation) if is_newer(path) else read(path)
    if parse_text(to_text(consultation), "again") != consultation:
        raise AssertionError("what was read is not what is written")
    for row in consultation.workloads:
        if row.config is not None:
            try:
                config_path(row.config, folder, folder)
            except OutsideError:
                continue


def _config(content: bytes, _folder: Path) -> None:
    model_from_config(parse_config(content, "config.json"), id="any", name="any")


def _prices(content: bytes, _folder: Path) -> None:
    preview(read_content(content, "list.csv"), "list.csv", facts(), DAY)


def _prices_yaml(content: bytes, _folder: Path) -> None:
    preview(read_content(content, "list.yaml"), "list.yaml", facts(), DAY)


def _workbook(content: bytes, _folder: Path) -> None:
    """The sheet inside an intact archive: mutating the archive itself rarely gets past its checksums."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(_workbook_seed())) as old, zipfile.ZipFile(stream, "w") as new:
        for part in old.infolist():
            new.writestr(part.filename, content if part.filename == _SHEET else old.read(part.filename))
    preview(read_content(stream.getvalue(), "list.xlsx"), "list.xlsx", facts(), DAY)


def _archive(content: bytes, _folder: Path) -> None:
    read_content(b"PK\x03\x04" + content, "list.xlsx")


def _update(content: bytes, folder: Path) -> None:
    path = folder / "any.passform-update"
    path.write_bytes(content)
    updates.verify(path, KEYS)


def _update_inside(content: bytes, folder: Path) -> None:
    """What a trusted key signed may still be damaged."""
    import base64

    signed = {
        "passform_update": updates.FORMAT,
        "payload": base64.b64encode(content).decode(),
        "signature": base64.b64encode(KEY.sign(content)).decode(),
        "key": fingerprint(KEY.public_key()),
    }
    _update(json.dumps(signed).encode(), folder)


def _pdf(content: bytes, folder: Path) -> None:
    consultation_from_bytes(content, "any.pdf", folder)


def _own_prices(content: bytes, folder: Path) -> None:
    path = folder / "prices.yaml"
    path.write_bytes(content)
    read_document(path, PricesFile, Uncached(), own=True)


def _own_models(content: bytes, folder: Path) -> None:
    path = folder / "models.yaml"
    path.write_bytes(content)
    read_models(path)


def _leftovers(content: bytes, folder: Path) -> None:
    (folder / journal.FOLDER).mkdir(exist_ok=True)
    (folder / journal.FOLDER / "any.json").write_bytes(content)
    (folder / ".any.lock").write_bytes(content)
    journal.left_behind(folder)
    locks.holder(folder / "any")


_SHEET = "xl/worksheets/sheet1.xml"


@cache
def _workbook_seed() -> bytes:
    from openpyxl import Workbook

    book, stream = Workbook(), io.BytesIO()
    sheet = book.active
    assert sheet is not None
    for row in (
        ("Artikel", "Preis EUR netto"),
        ("H200 NVL", 28000.5),
        ("L4", "2.400,00 EUR"),
        ("RTX PRO 6000", "=1+1"),
    ):
        sheet.append(row)
    book.save(stream)
    return stream.getvalue()


def _examples() -> list[bytes]:
    folders = (ROOT / "examples", ROOT / "tests" / "data" / "consultations")
    return [path.read_bytes() for folder in folders for path in sorted(folder.glob("*.passform.yaml"))]


def _head(name: str, entries: str) -> bytes:
    """A bundled file with only its first entries."""
    import yaml

    fields = yaml.load((ROOT / "catalog" / "data" / name).read_bytes(), Loader=yaml.CSafeLoader)
    return yaml.safe_dump({**fields, entries: fields[entries][:4]}, sort_keys=False, allow_unicode=True).encode()


def _config_seeds() -> list[bytes]:
    """The configurations of the catalogue's models, one per model type."""
    found: dict[str, bytes] = {}
    for row in read_models().models:
        if isinstance(row.config, dict):
            found.setdefault(str(row.config.get("model_type")), json.dumps(row.config).encode())
    return list(found.values())


def _price_seeds() -> list[bytes]:
    return [
        "Artikel;Art.-Nr.;Preis EUR netto\nNVIDIA H200 NVL 141GB;900-21010;28.450,00\nNVIDIA L4;;2.399,00 €\n".encode(),
        b'"Product","SKU","Unit price (USD)"\n"RTX PRO 6000 Blackwell","X1","8,565.00"\n"L40S","X2","on request"\n',
        "Bezeichnung\tNetto\tgültig bis\nH200 NVL\t28450\t31.12.2026\n".encode("utf-16"),
        "Art;Preis\nKühler;12,50\n".encode("cp1252"),
    ]


def _payload() -> bytes:
    texts = dict.fromkeys(updates.CARRIED, "schema: 1\n")
    return json.dumps({"version": "2027-01-15", "files": texts}).encode()


def _signed() -> bytes:
    import base64

    payload = _payload()
    return json.dumps(
        {
            "passform_update": updates.FORMAT,
            "payload": base64.b64encode(payload).decode(),
            "signature": base64.b64encode(KEY.sign(payload)).decode(),
            "key": fingerprint(KEY.public_key()),
        }
    ).encode()


def _pdf_seeds() -> list[bytes]:
    """A small PDF with a consultation in it, as plain and as packed streams."""
    from pypdf import PdfWriter

    seeds = []
    for packed in (False, True):
        writer = PdfWriter()
        writer.add_blank_page(100, 100)
        content = json.dumps({"schema": 1, "title": "Kunde", "workloads": []}).encode()
        writer.add_attachment("passform-consultation.json", content)
        if packed:
            writer.compress_identical_objects()
        stream = io.BytesIO()
        writer.write(stream)
        seeds.append(stream.getvalue())
    return seeds


def _journal_seed() -> list[bytes]:
    from dataclasses import replace

    from catalog.consultation.document import Consultation

    with tempfile.TemporaryDirectory() as name:
        me = replace(locks.this_window(), process=2**22 + 11, birth="")
        journal.Journal(Path(name), me).write(Consultation(title="x"), None)
        return [path.read_bytes() for path in (Path(name) / journal.FOLDER).iterdir()]


def _sheet_seed() -> list[bytes]:
    with zipfile.ZipFile(io.BytesIO(_workbook_seed())) as book:
        return [book.read(_SHEET)]


TARGETS = (
    Target("consultation", _consultation, _examples),
    Target("config.json", _config, _config_seeds),
    Target("price list, text", _prices, _price_seeds),
    Target(
        "price list, YAML", _prices_yaml, lambda: [b"prices:\n  - {name: H200 NVL, price: '28450', currency: EUR}\n"]
    ),
    Target("price list, sheet", _workbook, _sheet_seed),
    Target("price list, archive", _archive, lambda: [_workbook_seed()[4:]]),
    Target("update package", _update, lambda: [_signed()]),
    Target("update, signed content", _update_inside, lambda: [_payload()]),
    Target("PDF", _pdf, _pdf_seeds),
    Target("own prices", _own_prices, lambda: [_head("prices.yaml", "prices")]),
    Target("own models", _own_models, lambda: [_head("models.yaml", "models")]),
    Target("left work and locks", _leftovers, _journal_seed),
    *OWN_TARGETS,
)


_watched: list[Path] = []
_escaped: list[str] = []


def _on_event(event: str, arguments: tuple[object, ...]) -> None:
    if not _watched:
        return
    if event.startswith("socket."):
        _escaped.append(event)
    elif event == "open" and isinstance(arguments[0], str | bytes):
        name = arguments[0].decode(errors="replace") if isinstance(arguments[0], bytes) else arguments[0]
        if not _is_harmless(Path(name)):
            _escaped.append(name)


def _is_harmless(path: Path) -> bool:
    """Inside the folder, or part of the program: Python imports modules when they are first needed."""
    own = (
        _watched[0],
        ROOT,
        Path(sys.prefix),
        Path(sys.base_prefix),
        Path("/proc/self"),
        Path("/usr"),
        Path("/etc/mime.types"),
    )
    return not path.is_absolute() or any(path.is_relative_to(place) for place in own)


@contextmanager
def watched(folder: Path) -> Iterator[None]:
    """Notice files opened outside `folder`."""
    _watched.append(folder)
    try:
        yield
    finally:
        _watched.clear()
    if _escaped:
        names = sorted(set(_escaped))
        _escaped.clear()
        raise EscapeError(", ".join(names))


def install_watch() -> None:
    """Begin to listen; a hook cannot be taken away again. The catalogue is read before, from where it lies."""
    facts()
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    sys.addaudithook(_on_event)


def try_one(target: Target, content: bytes, folder: Path) -> bool:
    """Feed one input; whether it was understood. Raises whatever is a defect."""
    started, begun = time.perf_counter(), time.process_time()
    understood = True
    with watched(folder):
        try:
            target.consume(content, folder)
        except PassformError as error:
            str(error)
            understood = False
    waited, computed = time.perf_counter() - started, time.process_time() - begun
    if computed > LIMIT_S or waited > PATIENCE_S:
        raise HangError(f"{computed:.1f} s of computing, {waited:.1f} s by the clock")
    return understood
