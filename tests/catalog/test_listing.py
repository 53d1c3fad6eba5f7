"""What `catalog check`, `list` and `show` print."""

from __future__ import annotations

from datetime import date

import pytest

from catalog import field_words, integrity, listing
from catalog.catalog import Catalog, UnknownIdError
from engine.wording.translator import Language
from resources import translations

TODAY = date(2026, 11, 30)


@pytest.fixture(scope="module", params=["de", "en"])
def view(request: pytest.FixtureRequest) -> listing.View:
    return listing.View(translations(request.param), Language(request.param), "EUR", TODAY)


@pytest.mark.parametrize("what", sorted(listing.LISTS))
def test_that_every_row_has_as_many_cells_as_there_are_headings(
    bundled: Catalog, view: listing.View, what: str
) -> None:
    table = listing.LISTS[what](bundled, view)
    assert table.rows
    assert {len(row) for row in table.rows} == {len(table.headings)}
    assert len(table.text().splitlines()) == len(table.rows) + 1


def test_that_a_price_is_shown_in_the_readers_format_and_a_missing_one_as_on_request(
    bundled: Catalog, view: listing.View
) -> None:
    rows = {row[0]: row for row in listing.cards(bundled, view).rows}
    # the middle of 31,000 and 32,000 USD is 31,500 USD; / 1.1206 = 28,109.94 EUR
    shown = {"de": "28.110\u00a0EUR", "en": "EUR\u00a028,110"}
    assert rows["h200_nvl"][-1] == shown[view.language.value]
    assert rows["gaudi3"][-1] in {"auf Anfrage", "on request"}


def test_that_show_names_source_grade_contradiction_and_memory(bundled: Catalog, view: listing.View) -> None:
    text = listing.show(bundled, "h200_nvl", view)
    assert "NVIDIA MIG user guide" in text
    assert "16.5 GB (product page)" in text
    supported = {"de": "vGPU: unterstützt (!)", "en": "vGPU: supported (!)"}
    assert supported[view.language.value] in text
    assert "reference_tower_without_cards" in listing.show(bundled, "bto_tower_2", view)


def test_that_show_speaks_german_of_fields_units_sources_and_prices(bundled: Catalog) -> None:
    view = listing.View(translations("de"), Language.DE, "EUR", TODAY)
    card, machine = listing.show(bundled, "h200_nvl", view), listing.show(bundled, "bto_4u_8", view)
    for line in (
        "  Speicher laut Datenblatt: 141\u00a0GB  [",
        "  Kühlung: passiv, braucht den Luftstrom eines Servers  [",
        "  Nutzbar laut Treiber: 150.754.820.096\u00a0Byte  [Aus anderen Angaben dieses Katalogs abgeleitet",
        "  ECC: ja  [NVIDIA GPU memory error management, supported GPUs · 30.11.2026 · A · abgeleitet]",
        "  Preis: 33.500,00\u00a0USD netto · Straßenpreis · September\u00a02026 · Onlineshop von ViperaTech · C",
    ):
        assert f"\n{line}" in card
    assert "\n  Freigegeben: H200 NVL: bis 8 Karten  [" in machine


def test_that_every_figure_of_the_catalogue_has_words_for_its_field(bundled: Catalog) -> None:
    facts, english = bundled.facts, translations("en")
    listed = (row for key in (*facts.cards, *facts.systems) for row in bundled.all_provenance(key))
    details = {row.field.removeprefix("details.") for row in listed if row.field.startswith("details.")}
    unnamed = {key for key in details if not key.startswith("part_number_")} - field_words.DETAILS.keys()
    assert not unnamed
    assert field_words.field_name("details.nvsmi_mib", english) == "Memory as nvidia-smi reports it"


@pytest.mark.parametrize("item_id", ["bto_4u_8", "nvlink_bridge_2way", "llama-3.3-70b", "dgx_spark"])
def test_that_show_knows_machines_items_and_models(bundled: Catalog, view: listing.View, item_id: str) -> None:
    assert item_id in listing.show(bundled, item_id, view).splitlines()[0]


def test_that_show_of_an_unknown_id_is_an_error(bundled: Catalog, view: listing.View) -> None:
    with pytest.raises(UnknownIdError):
        listing.show(bundled, "h300", view)


def test_that_every_entry_can_be_shown(bundled: Catalog, view: listing.View) -> None:
    facts = bundled.facts
    for item_id in (*facts.cards, *facts.systems, *facts.items, *facts.models):
        assert listing.show(bundled, item_id, view)


def test_that_the_summary_counts_what_is_there(bundled: Catalog, view: listing.View) -> None:
    text = listing.check_summary(integrity.check(bundled, TODAY), bundled, view)
    assert f"{len(bundled.facts.cards)} " in text
    assert text.splitlines()[-1] in {"0 errors, 0 warnings.", "0 Fehler, 0 Warnungen."}


def test_that_wide_signs_count_twice_when_columns_are_aligned() -> None:
    table = listing.Table(("a", "b"), (("日本", "1"), ("xxxx", "2")), frozenset({1}))
    assert table.text().splitlines()[1:] == ["日本  1", "xxxx  2"]
