"""The consultation inside the PDF: what a paper carries along, and reading it back.

Whoever has a Passform PDF can open it again as a consultation. Nothing in it is trusted: size, encryption, filters,
nesting and the content itself are checked, and what is wrong is said.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from stat import S_ISREG

from pydantic import ValidationError

from catalog.consultation.config_paths import config_path, keep_content
from catalog.consultation.customer_side import config_rows, customer_side, with_configs
from catalog.consultation.document import SCHEMA, Consultation
from catalog.consultation.migrations import migrate
from catalog.huggingface.convert import model_from_config
from catalog.huggingface.files import parse_config, read_config
from catalog.user_folder import user_folder
from catalog.validation_words import problem_words
from engine.errors import PassformError
from engine.quote.document import Quote
from engine.report.assets import Attachment

NAME = "passform-consultation.json"
CONFIG_NAMES = tuple(f"passform-model-{number}.json" for number in range(1, 1_101))
"""Enough for every row a consultation can have."""
MAX_PDF_BYTES = 60_000_000
MAX_CONTENT_BYTES = 2_000_000
HUB_NAME = re.compile(r"[\w.-]{1,96}/[\w.-]{1,96}")
PATH_LIKE = re.compile(r"[/\\~]|[A-Za-z]:[/\\]|file:")


class AttachmentError(PassformError):
    """A PDF cannot be opened as a consultation; the message says why."""


def carried_files(consultation: Consultation, quote: Quote, folder: Path) -> tuple[Attachment, ...]:
    """What the paper of `quote` carries so that it can be opened again: customer-side facts alone.

    `folder` is where the consultation's paths to model configurations start. Raises `PassformError` when one of them is
    gone or lies elsewhere.
    """
    public = customer_side(consultation, quote)
    files: dict[bytes, Attachment] = {}
    names: list[str | None] = []
    for row in config_rows(public):
        if row.config is None:
            names.append(None)
            continue
        content = json.dumps(_without_paths(read_config(config_path(row.config, folder))), indent=1).encode()
        file = files.setdefault(content, Attachment(CONFIG_NAMES[len(files)], "application/json", content))
        names.append(file.name)
    public = with_configs(public, names[: len(public.workloads)], names[len(public.workloads) :])
    raw = public.model_dump(mode="json", by_alias=True, exclude_none=True)
    content = (json.dumps(raw, ensure_ascii=False, indent=1) + "\n").encode()
    return (Attachment(NAME, "application/json", content), *files.values())


def consultation_from_pdf(path: Path, folder: Path | None = None) -> Consultation:
    """The consultation a Passform PDF carries.

    Configurations of own models are written into `folder` (the user's own when None), since a consultation names them
    by path. Raises `AttachmentError` or `ConfigError`.
    """
    try:
        if not S_ISREG(path.stat().st_mode):
            raise AttachmentError("{file} is not a file.", file=path.name)
        with path.open("rb") as stream:
            content = stream.read(MAX_PDF_BYTES + 1)
    except OSError as error:
        raise AttachmentError(
            "{file}: cannot be read: {problem}.", file=path.name, problem=error.strerror or str(error)
        ) from error
    return consultation_from_bytes(content, path.name, folder or user_folder())


def consultation_from_bytes(content: bytes, name: str, folder: Path) -> Consultation:
    """As `consultation_from_pdf`; `name` stands in messages."""
    if len(content) > MAX_PDF_BYTES:
        raise AttachmentError(
            "{file}: the PDF has more than {limit} MB; no proposal has.", file=name, limit=MAX_PDF_BYTES // 10**6
        )
    if b"%PDF-" not in content[:1024]:
        raise AttachmentError("{file} is no PDF.", file=name)
    from catalog.embedded_files import embedded_files  # noqa: PLC0415  # pypdf: only opening a PDF should cost it

    files = embedded_files(content, name, frozenset({NAME, *CONFIG_NAMES}), MAX_CONTENT_BYTES)
    if NAME not in files:
        raise AttachmentError(
            "{file} carries no consultation. Either Passform did not make it, or its attachments were removed, "
            "for example by printing it to a new PDF.",
            file=name,
        )
    consultation = _parsed(files[NAME], name)
    paths = [
        None if row.config is None else _placed(row.config, row.name, files, folder)
        for row in config_rows(consultation)
    ]
    rows = len(consultation.workloads)
    return with_configs(consultation, paths[:rows], paths[rows:])


def _without_paths(value: object, key: str = "") -> object:
    """A configuration without names of places on the seller's or the customer's machine."""
    if isinstance(value, Mapping):
        return {
            name: _without_paths(item, name)
            for name, item in value.items()
            if not (isinstance(item, str) and _is_path(name, item))
        }
    if isinstance(value, list):
        return [_without_paths(item, key) for item in value if not (isinstance(item, str) and _is_path(key, item))]
    return value


def _is_path(key: str, text: str) -> bool:
    if key == "_name_or_path":
        return not HUB_NAME.fullmatch(text)
    return bool(PATH_LIKE.match(text)) or "\\" in text


def _parsed(content: bytes, name: str) -> Consultation:
    try:
        raw = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise AttachmentError("{file}: the consultation in it cannot be read.", file=name) from error
    number = raw.get("schema") if isinstance(raw, dict) else None
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        raise AttachmentError("{file}: the consultation in it cannot be read.", file=name)
    if number > SCHEMA:
        raise AttachmentError("{file} was made by a newer Passform. Please update the program to open it.", file=name)
    try:
        return Consultation.model_validate(migrate(raw, number, SCHEMA))
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        raise AttachmentError(
            "{file}: {field}: {problem}",
            file=name,
            field=".".join(str(step) for step in problem["loc"]),
            problem=problem_words(problem),
        ) from error


def _placed(config: str, model: str, files: Mapping[str, bytes], folder: Path) -> str:
    """Write a carried configuration where the consultation can name it; the same content has the same place."""
    if config not in files:
        raise AttachmentError("The configuration {name} of an own model is missing in the PDF.", name=config)
    content = files[config]
    model_from_config(parse_config(content, config), id=config, name=config)
    return str(keep_content(content, model, folder))
