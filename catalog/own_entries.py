"""Own cards, machines and models: the plain fields of an entry to start from, and writing them with their sources."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Any

from catalog.catalog import Catalog
from catalog.exclusive import alone
from catalog.huggingface.convert import model_from_config
from catalog.huggingface.files import read_config
from catalog.models_data import SCHEMA as MODELS_SCHEMA
from catalog.own_files import MODELS, OwnEntryError, Step, read_own, remove_entry, write_own
from catalog.own_sources import new_source_id
from catalog.schema import CardRow, ItemRow, SystemRow
from engine.hardware import Card, Item, System
from engine.models import ModelSpec

Raw = dict[str, Any]


def file_of(catalog: Catalog, item_id: str) -> str:
    """The file an entry of this id stands in. Raises `UnknownIdError`."""
    entry = catalog.entry(item_id)
    return {Card: "cards.yaml", System: "systems.yaml", Item: "items.yaml", ModelSpec: MODELS}[type(entry)]


def raw_entry(catalog: Catalog, item_id: str) -> Raw:
    """The fields of a card, a machine or an item as its file has them, only those that were set.

    Raises `UnknownIdError`, and `OwnEntryError` for a model, which is described by its configuration.
    """
    documents = catalog.documents
    files: dict[str, list[CardRow] | list[SystemRow] | list[ItemRow]] = {
        "cards.yaml": [row for document in documents.cards for row in document.content.cards],
        "systems.yaml": [row for document in documents.systems for row in document.content.systems],
        "items.yaml": [row for document in documents.items for row in document.content.items],
    }
    file = file_of(catalog, item_id)
    if file not in files:
        raise OwnEntryError("{id} is a model: it is described by its config.json.", id=item_id)
    row = [row for row in files[file] if row.id == item_id][-1]  # an own entry stands after the bundled one
    return {key: _plain(value) for key, value in row.model_dump(exclude_unset=True).items()}


@alone
def save_with_sources(
    folder: Path, file: str, entry: Mapping[str, Any], sources: Mapping[str, Mapping[str, str]]
) -> Step:
    """Write an own entry and the new sources it names, together. Raises `OwnEntryError` naming the field.

    The entry is written as the last one of its file, so that `<list>.<last>.<field>` in a message is this entry.
    """
    name = file.removesuffix(".yaml")
    fields, known = read_own(folder, file), read_own(folder, "sources.yaml")
    rows = [row for row in fields[name] if row.get("id") != entry.get("id")]
    changed: dict[str, Mapping[str, Any]] = {file: {**fields, name: [*rows, dict(entry)]}}
    if sources:
        changed["sources.yaml"] = {
            **known,
            "sources": {**known["sources"], **{key: dict(row) for key, row in sources.items()}},
        }
    return write_own(folder, changed)


@alone
def save_model(
    folder: Path,
    config: Path,
    *,
    model_id: str,
    name: str,
    family: str,
    size: str,
    source_title: str,
    source_date: str = "",
    source_url: str = "",
    licence: str = "",
) -> Step:
    """Write an own model from its `config.json`; parameters are counted, never typed in.

    Raises `ConfigError` naming fields of the configuration, `OwnEntryError` naming fields of the entry.
    """
    raw = read_config(config)
    spec = model_from_config(raw, id=model_id, name=name, hf_id=str(raw.get("_name_or_path") or model_id))
    source = {"title": source_title, "document_date": source_date or "not recorded", "url": source_url}
    entry: Raw = {
        "id": model_id,
        "name": name,
        "hf_id": spec.hf_id,
        "family": family,
        "size": size,
        "grade": "C",
        "exact_parameters": spec.parameters,
        "sources": [source],
        "config": dict(raw),
    }
    if licence:
        entry["licence"] = {"name": licence, "grade": "C"}
    fields = read_own(folder, MODELS)
    rows = [row for row in fields["models"] if row.get("id") != model_id]
    return write_own(folder, {MODELS: {**fields, "schema": MODELS_SCHEMA, "models": [*rows, entry]}})


def own_model_ids(folder: Path) -> frozenset[str]:
    """Ids of the user's own models. Raises `FileFormatError` when the own file is damaged."""
    return frozenset(str(row.get("id")) for row in read_own(folder, MODELS)["models"])


def remove_own(folder: Path, catalog: Catalog, item_id: str) -> Step:
    """Take an own entry away; a bundled one of the same id shows again. Raises `OwnEntryError` for a bundled entry."""
    if item_id not in catalog.own_ids and item_id not in own_model_ids(folder):
        raise OwnEntryError("{id} belongs to the bundled catalogue and cannot be removed.", id=item_id)
    return remove_entry(folder, file_of(catalog, item_id), item_id)


def number(value: Decimal) -> int | float | str:
    """A decimal as a file writes it: as a number where that keeps every digit, else as text."""
    if value == value.to_integral_value() and value.as_tuple().exponent == 0:
        return int(value)
    plain = float(value)
    return plain if Decimal(repr(plain)) == value else format(value, "f")


def _plain(value: object) -> object:
    """A value as YAML writes it. A decimal stays a number: as text it would read as words where both are allowed."""
    if isinstance(value, dict):
        return {key: _plain(member) for key, member in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(member) for member in value]
    if isinstance(value, Enum):
        return value.value
    return number(value) if isinstance(value, Decimal) else value


def free_id(catalog: Catalog, wanted: str) -> str:
    """The wanted id, or with a number, so that no entry is replaced by accident."""
    facts = catalog.facts
    known = {*facts.cards, *facts.systems, *facts.items, *facts.models}
    base = new_source_id(wanted, ()).removeprefix("own_")[:70]
    number, item_id = 1, f"own_{base}"
    while item_id in known:
        number += 1
        item_id = f"own_{base}_{number}"
    return item_id
