"""How the cards of a machine are joined, in the reader's language."""

from __future__ import annotations

from catalog.figure_words import value_words
from catalog.load import load_catalog
from engine.compare import Better, Cell, Row, Unit
from engine.wording.comparison import cell_text
from engine.wording.topologies import DESCRIPTIONS, topology_text
from engine.wording.translator import Language
from resources import translations

DE = translations("de")


def test_that_every_topology_of_the_catalogue_has_german_words_and_no_other_is_kept() -> None:
    systems = load_catalog().facts.systems.values()
    stated = {system.topology.value for system in systems if system.topology is not None}
    assert stated == DESCRIPTIONS
    assert not any(topology_text(one, DE) == one for one in stated)


def test_that_what_the_seller_typed_stays_as_it_is() -> None:
    assert topology_text("zwei Switches, Marke Eigenbau", DE) == "zwei Switches, Marke Eigenbau"


def test_that_the_comparison_and_the_sheet_of_a_machine_say_it_in_german() -> None:
    catalog = load_catalog()
    found = catalog.provenance("bto_2u_4", "topology")
    german = topology_text(found.value, DE)
    assert value_words(found, DE, Language.DE) == german
    row = Row("topology", "connections", Unit.NONE, Better.NEITHER, (), differs=True)
    assert cell_text(row, Cell(found.value), DE, Language.DE) == german
