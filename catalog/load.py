"""Loads the catalogue: bundled files, overlaid by the user's own entries, validated, as engine types."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

from pydantic import BaseModel

from catalog.catalog import Catalog, Documents, Origin
from catalog.cloud_data import load_cloud
from catalog.compiled import Store, user_store
from catalog.convert import Converter, UnknownSourceError
from catalog.documents import Document, read_document, read_fields
from catalog.economics_data import load_economics
from catalog.findings import Finding, Level
from catalog.models_data import load_models
from catalog.price_ages import FILE_NAME as AGES_FILE
from catalog.price_ages import load_age_limits
from catalog.schema import (
    CardsFile,
    ItemsFile,
    PricesFile,
    RatesFile,
    RulesFile,
    SourceEntry,
    SourcesFile,
    SystemsFile,
)
from catalog.serving_data import load_serving_facts
from catalog.speed_data import load_speed_facts
from catalog.text_files import is_given
from catalog.versions import DATA_FOLDER, active_data_folder
from engine.errors import PassformError
from engine.facts import Facts
from engine.models import ModelSpec
from engine.prices import DEFAULT_LIMITS, AgeLimits, Price
from engine.pricing import first_day
from engine.wording.translator import mark

FILES: Mapping[str, type[BaseModel]] = MappingProxyType(
    {
        "sources.yaml": SourcesFile,
        "cards.yaml": CardsFile,
        "systems.yaml": SystemsFile,
        "items.yaml": ItemsFile,
        "prices.yaml": PricesFile,
        "exchange_rates.yaml": RatesFile,
        "rules.yaml": RulesFile,
    }
)
OWN_FILES = ("sources.yaml", "cards.yaml", "systems.yaml", "items.yaml", "prices.yaml", "exchange_rates.yaml")
OWN_PRICE_LIST = "own_price_list"

Shape = TypeVar("Shape", bound=BaseModel)
Row = TypeVar("Row", bound=BaseModel)
Made = TypeVar("Made")


class CatalogUnusableError(PassformError):
    """The bundled catalogue is damaged; the message names file and line."""


def load_catalog(
    user_folder: Path | None = None, *, data_folder: Path | None = None, store: Store | None = None
) -> Catalog:
    """Read, validate and convert the catalogue: the one of the last update, or the bundled one, or `data_folder`.

    Own entries of `user_folder` stand beside the bundled ones; one with the id of a bundled entry replaces it. Wrong
    own rows are left out and reported in `findings`, as is an update that is damaged: the bundled catalogue takes its
    place. Raises `CatalogUnusableError` when a bundled file cannot be used.
    """
    kept = store or user_store()
    if data_folder is not None:
        return _load(_Reader(kept, data_folder, user_folder))
    active = active_data_folder(user_folder)
    try:
        return _load(_Reader(kept, active, user_folder))
    except PassformError as error:
        if active == DATA_FOLDER:
            raise
        reader = _Reader(kept, DATA_FOLDER, user_folder)
        reader.findings.append(_damaged_update(active, error))
        return _load(reader)


def _damaged_update(folder: Path, error: PassformError) -> Finding:
    template = mark("the updated catalogue is damaged, so the bundled one is used ({problem})")
    return Finding(Level.ERROR, "damaged-update", folder.name, 0, "", template, {"problem": str(error)})


def _load(reader: _Reader) -> Catalog:
    documents = Documents(
        sources=reader.read("sources.yaml", SourcesFile),
        cards=reader.read("cards.yaml", CardsFile),
        systems=reader.read("systems.yaml", SystemsFile),
        items=reader.read("items.yaml", ItemsFile),
        prices=reader.read("prices.yaml", PricesFile),
        rates=reader.read("exchange_rates.yaml", RatesFile),
        rules=reader.read("rules.yaml", RulesFile),
    )
    converter = Converter(_sources(documents.sources))
    made = _Made(converter, reader.findings)
    cards = made.table(documents.cards, "cards", lambda file: file.cards, converter.card)
    systems = made.table(documents.systems, "systems", lambda file: file.systems, converter.system)
    items = made.table(documents.items, "items", lambda file: file.items, converter.item)
    rules = documents.rules[0].content
    cloud = load_cloud(reader.data_folder / "cloud_offers.yaml", reader.store)
    facts = Facts(
        version=rules.version,
        age_limits=_age_limits(reader),
        cards=MappingProxyType(cards),
        systems=MappingProxyType(systems),
        models=_models(reader),
        prices=MappingProxyType(_prices(made, documents.prices)),
        rates=tuple(made.rows(documents.rates, "rates", lambda file: file.rates, converter.rate)),
        ranking_stand_ins=MappingProxyType({key: row.item for key, row in rules.ranking_stand_ins.items()}),
        speed=load_speed_facts(),
        serving=load_serving_facts(),
        economics=load_economics(reader.data_folder / "economics.yaml", reader.store),
        rental_offers=cloud.offers,
        fine_tuning_apis=cloud.fine_tuning_apis,
        items=MappingProxyType(items),
        vat_rates=tuple(made.rows(documents.rules, "vat_rates", lambda file: file.vat_rates, converter.vat)),
        circuits=tuple(made.rows(documents.rules, "circuits", lambda file: file.circuits, converter.circuit)),
        host_minimum=None if rules.host_minimum is None else converter.host_minimum(rules.host_minimum),
        noise_limits=tuple(made.rows(documents.rules, "noise_limits", lambda file: file.noise_limits, converter.noise)),
    )
    own = frozenset(key for key, origin in made.origins.items() if origin.own)
    return Catalog(
        facts=facts,
        findings=tuple(reader.findings),
        documents=documents,
        origins=MappingProxyType(made.origins),
        sources=MappingProxyType(converter.sources),
        own_ids=own,
    )


class _Reader:
    """Reads a bundled file and the own file beside it, collecting findings."""

    def __init__(self, store: Store, data_folder: Path, user_folder: Path | None) -> None:
        self.store = store
        self.data_folder = data_folder
        self.user_folder = user_folder
        self.findings: list[Finding] = []

    def read(self, name: str, shape: type[Shape]) -> tuple[Document[Shape], ...]:
        bundled, findings = read_document(self.data_folder / name, shape, self.store, own=False)
        if bundled is None or findings:
            problem = findings[0].located() if findings else name
            raise CatalogUnusableError("The bundled catalogue cannot be used. {problem}", problem=problem)
        own_path = None if self.user_folder is None else self.user_folder / name
        if own_path is None or name not in OWN_FILES or not is_given(own_path):
            return (bundled,)
        own, findings = read_document(own_path, shape, self.store, own=True)
        self.findings.extend(findings)
        return (bundled,) if own is None else (bundled, own)

    def raw(self, path: Path) -> Mapping[str, object]:
        """The plain data of a file that is validated elsewhere."""
        return read_fields(path, self.store)


class _Made:
    """Converts rows, leaving out and reporting those whose source does not resolve."""

    def __init__(self, converter: Converter, findings: list[Finding]) -> None:
        self.converter = converter
        self._findings = findings
        self.origins: dict[str, Origin] = {}

    def rows(
        self,
        documents: Iterable[Document[Shape]],
        list_name: str,
        rows: Callable[[Shape], Iterable[Row]],
        convert: Callable[[Row], Made],
    ) -> Iterable[Made]:
        for document in documents:
            for index, row in _numbered(document, list_name, rows(document.content)):
                made = self._one(document, list_name, index, row, convert)
                if made is not None:
                    yield made

    def table(
        self,
        documents: Iterable[Document[Shape]],
        list_name: str,
        rows: Callable[[Shape], Iterable[Row]],
        convert: Callable[[Row], Made],
    ) -> dict[str, Made]:
        table: dict[str, Made] = {}
        for document in documents:
            seen: set[str] = set()
            for index, row in _numbered(document, list_name, rows(document.content)):
                key = str(getattr(row, "id", ""))
                if key in seen:
                    self._report(document, (list_name, index), "double-id", "{id} stands twice in this file", id=key)
                    continue
                seen.add(key)
                made = self._one(document, list_name, index, row, convert)
                if made is not None:
                    table[key] = made
                    self.origins[key] = Origin(document.path, index, list_name, document.own)
        return table

    def _one(
        self, document: Document[Shape], list_name: str, index: int, row: Row, convert: Callable[[Row], Made]
    ) -> Made | None:
        try:
            return convert(row)
        except UnknownSourceError as error:
            self._report(document, (list_name, index), "unknown-source", error.template, **error.values)
            return None

    def _report(
        self, document: Document[Shape], place: tuple[str | int, ...], code: str, template: str, **values: object
    ) -> None:
        self._findings.append(
            Finding(
                Level.ERROR,
                code,
                document.path.name,
                document.line(place),
                ".".join(str(step) for step in place),
                template,
                values,
            )
        )


def _numbered(document: Document[Shape], list_name: str, rows: Iterable[Row]) -> Iterable[tuple[int, Row]]:
    """Rows with their index in the file: rows left out by the reader still count."""
    dropped = {index for name, index in document.dropped if name == list_name}
    index = 0
    for row in rows:
        while index in dropped:
            index += 1
        yield index, row
        index += 1


def _sources(documents: Iterable[Document[SourcesFile]]) -> dict[str, SourceEntry]:
    merged = {
        OWN_PRICE_LIST: SourceEntry(title="Own price list", document_date="not recorded"),
    }
    for document in documents:
        merged.update(document.content.sources)
    return merged


def _prices(made: _Made, documents: Sequence[Document[PricesFile]]) -> dict[str, tuple[Price, ...]]:
    """Newest first; of one day, the user's own record before the bundled one it corrects."""
    found: dict[str, list[Price]] = {}
    for price in made.rows(reversed(documents), "prices", lambda file: file.prices, made.converter.price):
        found.setdefault(price.item_id, []).append(price)
    return {item_id: tuple(sorted(prices, key=_newest_first)) for item_id, prices in found.items()}


def _newest_first(price: Price) -> int:
    day = first_day(price.as_of)
    return 0 if day is None else -day.toordinal()


def _age_limits(reader: _Reader) -> AgeLimits:
    if reader.user_folder is None:
        return DEFAULT_LIMITS
    try:
        return load_age_limits(reader.user_folder)
    except PassformError as error:
        finding = Finding(Level.ERROR, "unreadable", AGES_FILE, 0, "", error.template, dict(error.values))
        reader.findings.append(finding)
        return DEFAULT_LIMITS


def _models(reader: _Reader) -> Mapping[str, ModelSpec]:
    try:
        bundled = load_models(reader.raw(reader.data_folder / "models.yaml"))
    except PassformError as error:
        raise CatalogUnusableError("The bundled catalogue cannot be used. {problem}", problem=error) from error
    own_path = None if reader.user_folder is None else reader.user_folder / "models.yaml"
    if own_path is None or not is_given(own_path):
        return bundled
    try:
        own = load_models(reader.raw(own_path))
    except PassformError as error:
        reader.findings.append(
            Finding(Level.ERROR, "unreadable", own_path.name, 0, "", error.template, dict(error.values))
        )
        return bundled
    return MappingProxyType({**bundled, **own})
