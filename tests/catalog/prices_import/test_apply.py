"""Taking a list over, taking it back, and what an export gives back."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
import yaml

from catalog.catalog import Catalog
from catalog.disk import DiskError
from catalog.exporting import ExportError, export, price_table
from catalog.load import load_catalog
from catalog.own_entries import save_with_sources
from catalog.own_files import OwnEntryError, read_own, remove_entry, undo, write_own
from catalog.prices_import import apply as applying
from catalog.prices_import.files import read_content
from catalog.prices_import.limits import PriceListError
from catalog.prices_import.preview import Preview, Settings, Vat, preview, read_list
from catalog.versions import DATA_FOLDER
from engine.prices import PriceAge, PriceBasis, PriceKind
from engine.pricing import guide_price

TODAY = date(2026, 11, 30)
LIST = (
    "Preise Stand 20.11.2026;;\nArtikelnummer;Bezeichnung;Netto EUR\n4X67A97315;H200 NVL;27.500,00\nX;L40S;6.100,00\n"
)


def read(bundled: Catalog, text: str = LIST, name: str = "Köln & Söhne.csv", wanted: Settings | None = None) -> Preview:
    return preview(read_content(text.encode(), name), name, bundled.facts, TODAY, wanted)


def test_that_nothing_is_written_before_apply(bundled: Catalog, tmp_path: Path) -> None:
    read(bundled)
    assert list(tmp_path.iterdir()) == []


def test_that_an_applied_list_overrides_the_published_price_and_undo_brings_it_back(
    bundled: Catalog, tmp_path: Path
) -> None:
    folder = tmp_path / "own"
    applied = applying.apply(read(bundled), folder)
    assert (applied.prices, applied.replaced) == (2, 0)
    guide = guide_price("h200_nvl", load_catalog(folder).facts, "EUR", TODAY)
    assert guide.net is not None
    assert (guide.net.amount, guide.basis, guide.age) == (Decimal("27500.00"), PriceBasis.SELLER, PriceAge.FRESH)
    assert guide.price is not None
    assert guide.price.as_of == "2026-11-20"
    assert guide.price.source.title == "Price list Köln & Söhne.csv"
    assert sorted(applying.undo(folder)) == ["prices.yaml", "sources.yaml"]
    assert load_catalog(folder).facts == bundled.facts
    assert applying.undo(folder) == ()


def test_that_the_bundled_files_are_never_written(bundled: Catalog, tmp_path: Path) -> None:
    before = {path.name: path.read_bytes() for path in DATA_FOLDER.iterdir() if path.is_file()}
    applying.apply(read(bundled), tmp_path)
    assert {path.name: path.read_bytes() for path in DATA_FOLDER.iterdir() if path.is_file()} == before


def test_that_a_newer_list_makes_the_older_one_history(bundled: Catalog, tmp_path: Path) -> None:
    applying.apply(read(bundled), tmp_path)
    second = applying.apply(read(bundled, LIST.replace("27.500", "28.000")), tmp_path)
    assert second.replaced == 2
    own = [price for price in load_catalog(tmp_path).facts.prices["h200_nvl"] if price.kind.value == "seller"]
    assert sorted((price.low, price.superseded) for price in own) == [(Decimal(27500), True), (Decimal(28000), False)]
    applying.undo(tmp_path)
    guide = guide_price("h200_nvl", load_catalog(tmp_path).facts, "EUR", TODAY)
    assert guide.net is not None
    assert guide.net.amount == 27500


def test_that_a_list_without_vat_must_be_decided_first(bundled: Catalog, tmp_path: Path) -> None:
    text = "Bezeichnung;Preis EUR\nL40S;7.259,00\n"
    with pytest.raises(PriceListError, match="VAT"):
        applying.apply(read(bundled, text), tmp_path)
    applying.apply(read(bundled, text, wanted=Settings(vat=Vat.GROSS, vat_country="DE")), tmp_path)
    guide = guide_price("l40s", load_catalog(tmp_path).facts, "EUR", TODAY)
    assert guide.net is not None
    assert guide.net.amount == Decimal("6100.00")  # 7,259 / 1.19


def test_that_a_list_without_ready_rows_is_refused(bundled: Catalog, tmp_path: Path) -> None:
    with pytest.raises(PriceListError, match="No row"):
        applying.apply(read(bundled, "Bezeichnung;Netto EUR\nKabel;5,00\n"), tmp_path)


def test_that_confirmed_names_are_remembered(bundled: Catalog, tmp_path: Path) -> None:
    text = "Bezeichnung;Netto EUR\nRTX PRO 6000 Blackwell;12.000,50\n"
    applying.apply(read(bundled, text).with_choice(2, "rtx_pro_6000_blackwell_maxq"), tmp_path)
    known = applying.remembered(tmp_path)
    assert known == {"rtx pro 6000": "rtx_pro_6000_blackwell_maxq"}
    again = preview(read_content(text.encode(), "l.csv"), "l.csv", bundled.facts, TODAY, remembered=known)
    assert [row.item_id for row in again.ready] == ["rtx_pro_6000_blackwell_maxq"]


def test_that_damaged_memory_of_names_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / applying.NAMES_FILE).write_text("[1]", encoding="utf-8")
    assert applying.remembered(tmp_path) == {}
    (tmp_path / applying.NAMES_FILE).write_text("{", encoding="utf-8")
    assert applying.remembered(tmp_path) == {}


def test_that_control_signs_do_not_reach_the_own_files(bundled: Catalog, tmp_path: Path) -> None:
    applying.apply(read(bundled, "Bezeichnung;Netto EUR\nL40S \u202e\u0007 48GB;6.100,00\n"), tmp_path)
    assert "\u202e" not in (tmp_path / "prices.yaml").read_text(encoding="utf-8")


def test_that_only_thirty_steps_back_are_kept(tmp_path: Path) -> None:
    for number in range(33):
        write_own(tmp_path, {"prices.yaml": {"schema": 1, "prices": [_price(str(number + 1))]}})
    assert len(list((tmp_path / "history").iterdir())) == 30
    for _ in range(30):
        assert undo(tmp_path) == ("prices.yaml",)
    assert undo(tmp_path) == ()
    assert read_own(tmp_path, "prices.yaml")["prices"][0]["amount"] == "3"


def _price(amount: str) -> dict[str, object]:
    return {
        "item": "l40s",
        "amount": amount,
        "currency": "EUR",
        "kind": "seller",
        "includes_vat": False,
        "as_of": "2026-11-30",
        "source": "own_price_list",
        "grade": "A",
    }


def test_that_an_own_machine_is_saved_changed_and_removed(tmp_path: Path) -> None:
    raw = yaml.load((DATA_FOLDER / "systems.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    tower = next(row for row in raw["systems"] if row["id"] == "bto_tower_2")
    save_with_sources(tmp_path, "systems.yaml", {**tower, "name": "Tower A"}, {})
    save_with_sources(tmp_path, "systems.yaml", {**tower, "name": "Tower B"}, {})
    assert load_catalog(tmp_path).facts.systems["bto_tower_2"].name == "Tower B"
    assert len(read_own(tmp_path, "systems.yaml")["systems"]) == 1
    remove_entry(tmp_path, "systems.yaml", "bto_tower_2")
    assert load_catalog(tmp_path).facts.systems["bto_tower_2"].name == tower["name"]
    undo(tmp_path)
    assert load_catalog(tmp_path).facts.systems["bto_tower_2"].name == "Tower B"


def test_that_an_own_model_is_saved_like_a_machine(tmp_path: Path) -> None:
    raw = yaml.load((DATA_FOLDER / "models.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    row = {**raw["models"][0], "id": "our-own-model", "name": "Our own model"}
    save_with_sources(tmp_path, "models.yaml", row, {})
    assert load_catalog(tmp_path).facts.models["our-own-model"].name == "Our own model"
    with pytest.raises(Exception, match="config"):
        save_with_sources(tmp_path, "models.yaml", {**row, "config": "nonsense"}, {})


def test_that_an_own_entry_without_a_source_is_refused_with_its_field(tmp_path: Path) -> None:
    price = {key: value for key, value in _price("5").items() if key != "source"}
    with pytest.raises(OwnEntryError, match=r"prices\.0\.source: this field is missing"):
        save_with_sources(tmp_path, "prices.yaml", price, {})
    with pytest.raises(OwnEntryError, match="no file for own entries"):
        save_with_sources(tmp_path, "../rules.yaml", price, {})
    assert not list(tmp_path.glob("*.yaml"))


@pytest.mark.parametrize("suffix", [".csv", ".xlsx", ".yaml"])
def test_that_an_export_of_prices_can_be_read_again(bundled: Catalog, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"prices{suffix}"
    export(price_table(bundled, ["l40s", "rtx_5090"]), path)
    found = read_list(path, bundled.facts, TODAY)
    assert {row.item_id for row in found.rows if row.item_id} == {"l40s", "rtx_5090"}


def test_that_an_export_of_another_kind_is_refused(bundled: Catalog, tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="must end in"):
        export(price_table(bundled), tmp_path / "prices.docx")
    with pytest.raises(DiskError, match="cannot be written"):
        export(price_table(bundled), tmp_path / "missing" / "prices.csv")


@pytest.mark.parametrize("suffix", [".csv", ".xlsx", ".yaml"])
def test_that_every_row_of_the_own_export_is_the_record_it_was_made_from(
    bundled: Catalog, tmp_path: Path, suffix: str
) -> None:
    path = tmp_path / f"prices{suffix}"
    export(price_table(bundled), path)
    found = read_list(path, bundled.facts, TODAY)
    records = [price for prices in bundled.facts.prices.values() for price in prices]
    assert [row.record for row in found.rows] == records
    assert {row.detail for row in found.ready} == {"known"}
    assert len(found.ready) == len(records) > 50
    assert applying.apply(found, tmp_path / "own").prices == 0  # nothing new, so nothing is written twice
    assert load_catalog(tmp_path / "own").facts == bundled.facts


def test_that_a_changed_row_of_the_own_export_keeps_range_kind_source_and_vat(bundled: Catalog, tmp_path: Path) -> None:
    # As German Excel leaves the file: decimal commas, German days and words; one source is new.
    lines = (
        "item;low;high;currency;kind;includes_vat;vat_country;as_of;valid_until;grade;superseded;source;note",
        "l40s;6.100,50;7.200,00;EUR;offer;WAHR;DE;20.11.2026;31.12.2026;A;FALSCH;Angebot Köln;'=A1+1",
        "l40s;5999;7569;USD;street;FALSCH;;2026;;C;FALSCH;GPU Dojo L40S page;",
        "l40s;5999;7569;USD;shop;FALSCH;;2026;;C;FALSCH;Angebot Köln;",
        "no_such_card;5999;7569;USD;street;FALSCH;;2026;;C;FALSCH;Angebot Köln;",
        "l40s;7000;6000;USD;street;FALSCH;;2026;;C;FALSCH;Angebot Köln;",
    )
    found = read(bundled, "\r\n".join(lines))
    assert [row.status.value for row in found.rows] == ["ready", "ready", "bad-field", "unknown", "bad-field"]
    assert [row.detail for row in found.rows][2] == "kind"
    applying.apply(found, tmp_path)
    (offer,) = [price for price in load_catalog(tmp_path).facts.prices["l40s"] if price.kind is PriceKind.OFFER]
    assert (offer.low, offer.high, offer.currency) == (Decimal("6100.5"), Decimal(7200), "EUR")
    assert (offer.includes_vat, offer.vat_country, offer.as_of) == (True, "DE", "2026-11-20")
    assert (offer.valid_until, offer.source.title, offer.note) == (date(2026, 12, 31), "Angebot Köln", "=A1+1")
    # A new source's price of the same day or later stands before the bundled one: the mean of the range, net of 19 %.
    guide = guide_price("l40s", load_catalog(tmp_path).facts, "EUR", TODAY)
    assert guide.net is not None
    assert guide.net.amount == Decimal("5588.45")  # (6,100.50 + 7,200.00) / 2 / 1.19
