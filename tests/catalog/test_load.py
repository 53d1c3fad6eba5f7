"""Loading: the bundled facts are what their sources say, own entries overlay them, wrong ones are reported."""

from __future__ import annotations

import json
import shutil
from decimal import Decimal
from pathlib import Path

import pytest
import yaml

from catalog.catalog import Catalog, Provenance, UnknownIdError, shown
from catalog.compiled import JsonStore
from catalog.findings import Level
from catalog.load import FILES, CatalogUnusableError, load_catalog
from catalog.versions import DATA_FOLDER
from engine.figures import Basis, Grade
from engine.hardware import Cooling

ROOT = Path(__file__).parents[1]
FIGURES: list[tuple[str, str, object, str]] = [
    tuple(row) for row in json.loads((ROOT / "data/hardware_figures.json").read_text(encoding="utf-8"))
]
SOURCED_SINCE = {("h200_nvl", "ecc"): "A"}  # from memory when transcribed; a document was found on 2026-11-30
CHANGED = {  # what the catalogue states otherwise than the transcription, with the reason
    ("dgx_spark_gb10", "price"),  # a complete computer: the price belongs to the machine, not to its chip
    ("gb200_nvl72", "price"),  # the price of a whole rack belongs to the rack
}


def _value(raw: object) -> str:
    if isinstance(raw, bool):
        return "yes" if raw else "no"
    return shown(Decimal(str(raw))) if isinstance(raw, int | float) else str(raw)


def _figure(catalog: Catalog, card_id: str, field: str) -> Provenance:
    return next(row for row in catalog.all_provenance(card_id) if row.field == field)


@pytest.mark.parametrize(
    ("card_id", "field", "value", "grade"),
    [row for row in FIGURES if row[1] != "price"],
    ids=lambda part: str(part)[:40],
)
def test_that_every_transcribed_figure_stands_in_the_catalogue(
    bundled: Catalog, card_id: str, field: str, value: object, grade: str
) -> None:
    row = _figure(bundled, card_id, field)
    wanted = "blower" if value == "active blower" and field == "cooling" else _value(value)
    assert row.value == wanted
    assert row.grade.value == SOURCED_SINCE.get((card_id, field), grade)


@pytest.mark.parametrize(
    ("card_id", "price"),
    [(row[0], row[2]) for row in FIGURES if row[1] == "price" and (row[0], "price") not in CHANGED],
)
def test_that_every_transcribed_price_stands_in_the_catalogue(
    bundled: Catalog, card_id: str, price: tuple[str, str, str, str]
) -> None:
    low, high, currency, date = price
    found = [
        record
        for record in bundled.facts.prices[card_id]
        if (record.low, record.high, record.currency) == (Decimal(low), Decimal(high), currency)
    ]
    assert len(found) == 1
    if date != "launch":
        assert found[0].as_of == date


def test_that_coverage_is_what_was_asked_for(bundled: Catalog) -> None:
    assert len(bundled.facts.cards) >= 38
    assert len(bundled.facts.systems) >= 25
    assert len(bundled.facts.models) >= 70


def test_that_figures_from_memory_are_assumed_and_need_a_mark(bundled: Catalog) -> None:
    rows = [row for card_id in bundled.facts.cards for row in bundled.all_provenance(card_id) if row.grade is Grade.M]
    assert {(row.item_id, row.field) for row in rows} >= {("h200_nvl", "vgpu")}
    assert all(row.basis is Basis.ASSUMED and row.needs_mark for row in rows)


def test_that_contradictions_are_recorded_beside_the_chosen_value(bundled: Catalog) -> None:
    memory = _figure(bundled, "b200_hgx", "memory_gb")
    assert memory.value == "180"
    assert any("192" in other for other in memory.contradicts)


def test_that_no_chassis_of_the_seller_takes_a_passive_card_at_the_desk(bundled: Catalog) -> None:
    for system_id in ("bto_tower_2", "bto_tower_4"):
        system = bundled.facts.systems[system_id]
        assert system.built_to_order
        coolings = {bundled.facts.cards[option.card_id].cooling.value for option in system.options}
        assert Cooling.PASSIVE not in coolings
        assert all(option.basis is Basis.ASSUMED for option in system.options)


def test_that_the_sr650a_takes_four_server_editions_only_at_450_w(bundled: Catalog) -> None:
    options = bundled.facts.systems["lenovo_sr650a_v4"].options_for("rtx_pro_6000_blackwell_se")
    assert [(option.max_cards, option.power_cap_w) for option in options] == [(4, 450), (2, None)]


def test_that_an_unknown_id_names_the_nearest(bundled: Catalog) -> None:
    with pytest.raises(UnknownIdError, match="did you mean h200_nvl"):
        bundled.entry("h200-nvl")


def test_that_the_cached_reading_equals_the_direct_one(tmp_path: Path) -> None:
    direct = load_catalog()
    load_catalog(store=JsonStore(tmp_path))
    assert {path.name.split(".")[0] for path in tmp_path.glob("*.json")} >= {
        name.removesuffix(".yaml") for name in FILES
    }
    cached = load_catalog(store=JsonStore(tmp_path))
    assert cached.facts == direct.facts
    assert cached.sources == direct.sources
    assert cached.documents.rules[0].content == direct.documents.rules[0].content


def test_that_a_damaged_cache_is_passed_over(tmp_path: Path) -> None:
    load_catalog(store=JsonStore(tmp_path))
    for path in tmp_path.glob("*.json"):
        path.write_text("{ not json", encoding="utf-8")
    assert load_catalog(store=JsonStore(tmp_path)).facts == load_catalog().facts


def test_that_a_changed_file_is_not_read_from_the_cache(tmp_path: Path) -> None:
    data, cache = tmp_path / "data", tmp_path / "cache"
    shutil.copytree(DATA_FOLDER, data)
    load_catalog(data_folder=data, store=JsonStore(cache))
    rates = data / "exchange_rates.yaml"
    rates.write_text(rates.read_text(encoding="utf-8").replace('"1.1206"', '"1.2"'), encoding="utf-8")
    changed = load_catalog(data_folder=data, store=JsonStore(cache))
    assert max(rate.rate for rate in changed.facts.rates if rate.quote == "USD") == Decimal("1.2")


OWN_PRICES = """
schema: 1
prices:
  - {item: h200_nvl, amount: "27500.00", currency: EUR, kind: seller, includes_vat: false, as_of: "2026-11-20",
     source: own_price_list, grade: A}
  - {item: h200_nvl, amount: "twenty", currency: EUR, kind: seller, includes_vat: false, as_of: "2026-11-20",
     source: own_price_list, grade: A}
  - {item: l4, amount: "2500", currency: EUR, kind: seller, includes_vat: false, as_of: "2026-11-20",
     source: nobody, grade: A}
"""


def test_that_own_prices_stand_beside_the_bundled_and_wrong_rows_are_reported_with_their_line(tmp_path: Path) -> None:
    (tmp_path / "prices.yaml").write_text(OWN_PRICES, encoding="utf-8")
    catalog = load_catalog(tmp_path)
    own = [price for price in catalog.facts.prices["h200_nvl"] if price.source.id == "own_price_list"]
    assert [price.low for price in own] == [Decimal("27500.00")]
    assert "l4" not in catalog.facts.prices
    assert [(finding.code, finding.line) for finding in catalog.findings] == [("wrong-field", 6), ("unknown-source", 8)]
    assert all(finding.level is Level.ERROR for finding in catalog.findings)


def test_that_an_own_machine_replaces_the_bundled_one_of_its_id(tmp_path: Path) -> None:
    raw = yaml.load((DATA_FOLDER / "systems.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    tower = next(row for row in raw["systems"] if row["id"] == "bto_tower_2")
    tower["name"] = "Our own tower"
    (tmp_path / "systems.yaml").write_text(
        yaml.dump({"schema": 1, "systems": [tower]}, Dumper=yaml.CSafeDumper, allow_unicode=True), encoding="utf-8"
    )
    catalog = load_catalog(tmp_path)
    assert catalog.facts.systems["bto_tower_2"].name == "Our own tower"
    assert catalog.own_ids == {"bto_tower_2"}
    assert len(catalog.facts.systems) == len(load_catalog().facts.systems)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        ("schema: 9\nprices: []\n", "newer Passform"),
        ("- 1\n- 2\n", "fields with values"),
        ("schema: 1\nprices: &a []\nmore: *a\n", "aliases"),
        ("schema: 1\nschema: 1\nprices: []\n", "given twice"),
        ("schema: 1\nprices: [\n", "not valid YAML"),
    ],
)
def test_that_an_own_file_that_cannot_be_read_is_reported_and_passed_over(
    tmp_path: Path, text: str, words: str
) -> None:
    (tmp_path / "prices.yaml").write_text(text, encoding="utf-8")
    catalog = load_catalog(tmp_path)
    assert words in " ".join(finding.text() for finding in catalog.findings)
    assert catalog.facts.prices == load_catalog().facts.prices


def test_that_an_own_file_in_another_encoding_is_reported(tmp_path: Path) -> None:
    (tmp_path / "cards.yaml").write_bytes("schema: 1\ncards: [] # grün".encode("cp1252"))
    assert "UTF-8" in load_catalog(tmp_path).findings[0].text()


def test_that_a_damaged_bundled_file_names_its_place(tmp_path: Path) -> None:
    data = tmp_path / "data"
    shutil.copytree(DATA_FOLDER, data)
    cards = data / "cards.yaml"
    cards.write_text(cards.read_text(encoding="utf-8").replace("form: pcie", "form: pci", 1), encoding="utf-8")
    with pytest.raises(CatalogUnusableError, match=r"cards\.yaml:14: cards\.0\.form"):
        load_catalog(data_folder=data)


def test_that_a_figure_from_memory_cannot_call_itself_published(tmp_path: Path) -> None:
    raw = yaml.load((DATA_FOLDER / "cards.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    card = next(row for row in raw["cards"] if row["id"] == "l4")
    card["power_w"] = {"value": 72, "unit": "W", "source": "memory", "grade": "M", "basis": "published"}
    (tmp_path / "cards.yaml").write_text(
        yaml.dump({"schema": 1, "cards": [card]}, Dumper=yaml.CSafeDumper, allow_unicode=True), encoding="utf-8"
    )
    assert "from memory" in load_catalog(tmp_path).findings[0].text()


def test_that_two_own_entries_of_one_id_are_reported(tmp_path: Path) -> None:
    row = "{id: cable, name: Cable, kind: kit, source: derived, grade: D, basis: assumed}"
    (tmp_path / "items.yaml").write_text(f"schema: 1\nitems:\n  - {row}\n  - {row}\n", encoding="utf-8")
    catalog = load_catalog(tmp_path)
    assert [(finding.code, finding.line) for finding in catalog.findings] == [("double-id", 4)]
    assert "cable" in catalog.facts.items
    assert catalog.has_errors
    assert catalog.line("cable") == 3
    assert catalog.line("llama-3.3-70b") == 0


def test_that_own_models_that_cannot_be_read_are_reported(tmp_path: Path) -> None:
    (tmp_path / "models.yaml").write_text("schema: 1\nmodels: 5\n", encoding="utf-8")
    catalog = load_catalog(tmp_path)
    assert [finding.file for finding in catalog.findings] == ["models.yaml"]
    assert len(catalog.facts.models) >= 70


def test_that_damaged_bundled_models_name_the_problem(tmp_path: Path) -> None:
    data = tmp_path / "data"
    shutil.copytree(DATA_FOLDER, data)
    (data / "models.yaml").write_text("schema: 1\nmodels: 5\n", encoding="utf-8")
    with pytest.raises(CatalogUnusableError, match="Models file"):
        load_catalog(data_folder=data)


def test_that_a_missing_bundled_file_is_named(tmp_path: Path) -> None:
    data = tmp_path / "data"
    shutil.copytree(DATA_FOLDER, data)
    (data / "prices.yaml").unlink()
    with pytest.raises(CatalogUnusableError, match=r"prices\.yaml"):
        load_catalog(data_folder=data)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("amount: 5", "quoted text"),
        ('low: "5", high: "4"', "low is above high"),
        ('amount: "5", low: "4", high: "6"', "either amount"),
        ('amount: "0"', "zero is only for"),
        ('amount: "5", includes_vat: true', "needs vat_country"),
    ],
)
def test_that_a_contradictory_price_says_what_would_be_right(tmp_path: Path, change: str, words: str) -> None:
    vat = "" if "includes_vat" in change else ", includes_vat: false"
    row = f"item: l4, currency: EUR, kind: seller, as_of: '2026-11-30', source: own_price_list, grade: A, {change}{vat}"
    (tmp_path / "prices.yaml").write_text(f"schema: 1\nprices:\n  - {{{row}}}\n", encoding="utf-8")
    assert words in load_catalog(tmp_path).findings[0].text()


@pytest.mark.parametrize(
    ("card_id", "ecc", "mig", "vgpu"),
    [
        # error containment and row remapping of GA100 and GH100 act on uncorrectable ECC errors; the MIG guide lists
        # A100-SXM4 and H100-SXM5 with seven instances; HGX baseboards are platforms of vGPU for Compute
        ("a100_sxm_80", True, 7, True),
        ("h100_sxm", True, 7, True),
        ("h200_sxm", True, 7, True),
        ("h100_pcie", True, 7, True),
        # 23,034 of 24,576 MiB are left: a sixteenth is taken by ECC; the MIG guide does not list the card
        ("l4", True, 0, None),
    ],
)
def test_that_no_data_centre_card_is_ruled_out_for_a_feature_it_is_documented_to_have(
    bundled: Catalog, card_id: str, ecc: bool, mig: int, vgpu: bool | None
) -> None:
    card = bundled.facts.cards[card_id]
    assert card.ecc is not None
    assert card.ecc.value is ecc
    assert max((profile.instances for profile in card.mig), default=0) == mig
    assert card.supports_vgpu is vgpu
