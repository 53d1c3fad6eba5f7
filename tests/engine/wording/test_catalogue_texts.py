"""Texts of the catalogue that are English words have their German; names, titles and typed texts stay."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import fields, is_dataclass

import pytest

from catalog.catalog import Catalog
from catalog.figure_words import value_words
from catalog.load import load_catalog
from engine.compare import Better, Cell, Row, Unit
from engine.figures import Source
from engine.wording.catalogue_texts import (
    ITEM_NAMES,
    SOURCE_TITLES,
    TOPOLOGIES,
    item_name,
    source_title,
    topology_text,
)
from engine.wording.comparison import cell_text
from engine.wording.translator import Language
from resources import translations

DE = translations("de")
ENGLISH = re.compile(r"\b(with|without|for|servers?|cards?|years?|boards|general|workstations|fixed|price)\b")


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog()


def test_that_no_english_words_are_left_in_german_names(catalog: Catalog) -> None:
    facts = catalog.facts
    names = [*facts.systems.values(), *facts.items.values(), *facts.cards.values()]
    left = [item.name for item in names if ENGLISH.search(item_name(item.name, DE))]
    assert left == []


def test_that_every_translated_name_is_one_of_the_catalogue(catalog: Catalog) -> None:
    facts = catalog.facts
    assert {item.name for item in (*facts.systems.values(), *facts.items.values())} >= ITEM_NAMES


def test_that_a_sellers_own_title_is_never_translated() -> None:
    assert item_name("Date", DE) == "Date"


def test_that_every_topology_of_the_catalogue_has_german_words_and_no_other_is_kept(catalog: Catalog) -> None:
    stated = {system.topology.value for system in catalog.facts.systems.values() if system.topology is not None}
    assert stated == TOPOLOGIES
    assert not any(topology_text(one, DE) == one for one in stated)


def test_that_a_topology_the_seller_typed_stays_as_it_is() -> None:
    assert topology_text("zwei Switches, Marke Eigenbau", DE) == "zwei Switches, Marke Eigenbau"


def test_that_the_comparison_and_the_sheet_of_a_machine_say_its_topology_in_german(catalog: Catalog) -> None:
    found = next(row for row in catalog.all_provenance("bto_2u_4") if row.field == "topology")
    german = topology_text(found.value, DE)
    assert value_words(found, DE, Language.DE) == german
    row = Row("topology", "connections", Unit.NONE, Better.NEITHER, (), differs=True)
    assert cell_text(row, Cell(found.value), DE, Language.DE) == german


def _titles(catalog: Catalog) -> set[str]:
    """Of every source the catalogue cites anywhere: prices, speeds, costs, rents, models."""
    found, seen, waiting = set[str](), set[int](), [catalog.facts, catalog.sources]
    while waiting:
        one: object = waiting.pop()
        if isinstance(one, Source):
            found.add(one.title)
        elif id(one) not in seen and not isinstance(one, str):
            seen.add(id(one))
            if is_dataclass(one):
                waiting += [getattr(one, field.name) for field in fields(one)]
            elif isinstance(one, Mapping):
                waiting += one.values()
            elif isinstance(one, Collection):
                waiting += one
    return found


def test_that_every_description_of_a_source_is_one_of_the_catalogue(catalog: Catalog) -> None:
    assert _titles(catalog) >= SOURCE_TITLES


def test_that_every_title_in_our_own_words_has_german_ones(catalog: Catalog) -> None:
    ours = re.compile(
        r"\b(quoted|quoting|quotes|summarised|reported|derived|older|unverified|measurements?|prices?|benchmarks"
        r"|catalogue|shop|logs|by us|for fine-tuning|of 20\d\d)\b"
    )
    assert sorted(title for title in _titles(catalog) - SOURCE_TITLES if ours.search(title)) == []


def test_that_a_description_of_a_source_is_german_and_a_documents_own_title_stays(catalog: Catalog) -> None:
    assert source_title(catalog.sources["memory"], DE) == "Aus dem Gedächtnis, ungeprüft"
    guide = catalog.sources["nv_mig"]
    assert source_title(guide, DE) == guide.title
