"""The catalogue's meaning: the bundled one is clean, and every kind of damage is found."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml

from catalog import integrity
from catalog.catalog import Catalog
from catalog.findings import Finding, Level, worst
from catalog.load import load_catalog
from catalog.versions import DATA_FOLDER

TODAY = date(2026, 11, 30)
Change = Callable[[dict[str, Any]], object]


@pytest.fixture(scope="module")
def raw() -> dict[str, dict[str, Any]]:
    names = ("cards", "systems", "items", "prices", "exchange_rates")
    return {
        name: yaml.load((DATA_FOLDER / f"{name}.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
        for name in names
    }


def _with(
    raw: dict[str, dict[str, Any]], folder: Path, file: str, entry_id: str, change: Change
) -> tuple[Finding, ...]:
    """Findings after one bundled entry was replaced by a changed own one."""
    rows = raw[file][file]
    row = deepcopy(next(row for row in rows if row["id"] == entry_id))
    change(row)
    (folder / f"{file}.yaml").write_text(
        yaml.dump({"schema": 1, file: [row]}, Dumper=yaml.CSafeDumper, allow_unicode=True), encoding="utf-8"
    )
    catalog = load_catalog(folder)
    assert catalog.findings == ()
    return integrity.check(catalog, TODAY)


def test_that_the_bundled_catalogue_has_neither_errors_nor_warnings(bundled: Catalog) -> None:
    loud = [finding.located() for finding in integrity.check(bundled, TODAY) if finding.level is not Level.NOTE]
    assert loud == []


def test_that_errors_come_first(raw: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    found = _with(raw, tmp_path, "cards", "l4", lambda row: row["power_w"].update(value=5))
    assert found[0].level is Level.ERROR
    assert worst(found) is Level.ERROR


CARD_DAMAGE: list[tuple[str, str, Change]] = [
    ("l4", "implausible", lambda row: row["power_w"].update(value=5)),
    ("l4", "implausible", lambda row: row["usable_bytes"].update(value=30_000_000_000)),
    ("l4", "implausible", lambda row: row["details"]["nvsmi_mib"].update(value=23_035)),
    ("l4", "implausible", lambda row: row["fp8_dense_tflops"].update(value=121)),
    ("l4", "implausible", lambda row: row["bandwidth_gb_per_s"].update(value=3)),
    ("l4", "implausible", lambda row: row.update(slot_width=0)),
    ("h200_nvl", "implausible", lambda row: row["mig"][0].update(instances=8)),
    ("h200_nvl", "implausible", lambda row: row["nvlink"].update(bridge_sizes=[2, 8])),
    ("h200_nvl", "implausible", lambda row: row.update(power_limits_w=[600])),
    ("rtx_pro_6000_blackwell_ws", "implausible", lambda row: row["measured_bf16_tflops"].update(value=600)),
    ("rtx_pro_6000_blackwell_ws", "format-gate", lambda row: row["formats"].update(mxfp8=True)),
    ("b200_hgx", "format-gate", lambda row: row["formats"].update(nvfp4=False)),
    ("l4", "no-unit", lambda row: row["power_w"].pop("unit")),
]


@pytest.mark.parametrize(("card_id", "code", "change"), CARD_DAMAGE)
def test_that_a_damaged_card_is_found(
    raw: dict[str, dict[str, Any]], tmp_path: Path, card_id: str, code: str, change: Change
) -> None:
    found = _with(raw, tmp_path, "cards", card_id, change)
    assert {(finding.code, finding.level) for finding in found if finding.level is not Level.NOTE} == {
        (code, Level.ERROR)
    }
    assert all(finding.line > 0 for finding in found if finding.level is Level.ERROR)


SYSTEM_DAMAGE: list[tuple[str, str, Level, Change]] = [
    ("bto_2u_4", "unresolved", Level.ERROR, lambda row: row["options"][0].update(card="h300_nvl")),
    ("bto_2u_4", "implausible", Level.ERROR, lambda row: row["options"][0].update(min_cards=5)),
    ("bto_4u_8", "implausible", Level.ERROR, lambda row: row["options"][0].update(power_cap_w=600)),
    ("bto_2u_4", "implausible", Level.ERROR, lambda row: row["options"][0].update(nvlink_bridges=True)),
    ("bto_2u_4", "implausible", Level.ERROR, lambda row: row.pop("base_power_w")),
    ("bto_2u_4", "implausible", Level.ERROR, lambda row: row["slots"].update(value=3)),
    ("bto_2u_4", "implausible", Level.WARNING, lambda row: row["psu_watts_usable"].update(value=2000)),
    ("bto_tower_2", "implausible", Level.WARNING, lambda row: row["options"][0].update(card="l40s")),
    ("hpe_dl380a_gen12", "unresolved", Level.ERROR, lambda row: row["kits"][0].update(item="fan")),
    ("hpe_dl380a_gen12", "implausible", Level.ERROR, lambda row: row["psu_rules"][0].update(cards_from=9)),
]


@pytest.mark.parametrize(("system_id", "code", "level", "change"), SYSTEM_DAMAGE)
def test_that_a_damaged_machine_is_found(
    raw: dict[str, dict[str, Any]], tmp_path: Path, system_id: str, code: str, level: Level, change: Change
) -> None:
    found = _with(raw, tmp_path, "systems", system_id, change)
    assert {(finding.code, finding.level) for finding in found if finding.level is not Level.NOTE} == {(code, level)}


def test_that_an_item_for_an_unknown_card_is_found(raw: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    found = _with(raw, tmp_path, "items", "nvlink_bridge_2way", lambda row: row.update(for_cards=["h300"]))
    assert [finding.code for finding in found if finding.level is Level.ERROR] == ["unresolved"]


PRICE = (
    '  - {{item: {item}, amount: "100", currency: EUR, kind: seller, includes_vat: false, as_of: "{as_of}", '
    "source: own_price_list, grade: A{more}}}\n"
)


@pytest.mark.parametrize(
    ("item", "as_of", "more", "code", "level"),
    [
        ("h300", "2026-11-01", "", "unresolved", Level.ERROR),
        ("l4", "2026-12-01", "", "future-price", Level.WARNING),
        ("l4", "2026-11-01", ', valid_until: "2026-11-29"', "invalid-price", Level.NOTE),
        ("l4", "2026-03-01", "", "expired-price", Level.NOTE),
    ],
)
def test_that_a_price_with_a_wrong_date_or_item_is_found(
    tmp_path: Path, item: str, as_of: str, more: str, code: str, level: Level
) -> None:
    text = "schema: 1\nprices:\n" + PRICE.format(item=item, as_of=as_of, more=more)
    (tmp_path / "prices.yaml").write_text(text, encoding="utf-8")
    own = [finding for finding in integrity.check(load_catalog(tmp_path), TODAY) if f"{item}" in finding.field]
    assert (code, level) in {(finding.code, finding.level) for finding in own}


def test_that_old_exchange_rates_ask_for_newer_ones(bundled: Catalog) -> None:
    found = list(integrity.find_old_rates(bundled, date(2027, 6, 1)))
    assert {finding.field for finding in found} == {"EUR/USD", "EUR/CHF", "EUR/GBP", "EUR/CNY"}
    assert "2026-10-09" in found[0].text()


def test_that_an_unused_source_is_noted(tmp_path: Path) -> None:
    (tmp_path / "sources.yaml").write_text(
        "schema: 1\nsources:\n  lonely: {title: Lonely, document_date: '2026'}\n", encoding="utf-8"
    )
    found = [finding for finding in integrity.check(load_catalog(tmp_path), TODAY) if finding.code == "unused-source"]
    assert [finding.field for finding in found] == ["lonely"]


def test_that_every_figure_has_a_source_with_a_title(bundled: Catalog) -> None:
    facts = bundled.facts
    rows = [row for key in (*facts.cards, *facts.systems, *facts.items) for row in bundled.all_provenance(key)]
    assert len(rows) > 800
    assert all(row.source.title and row.source.id in bundled.sources for row in rows)


def test_that_offers_for_unknown_cards_are_found(bundled: Catalog) -> None:
    offer = replace(bundled.facts.rental_offers[0], card_ids=("h300",))
    assert [finding.code for finding in integrity.find_unresolved_offers(bundled, [offer])] == ["unresolved"]


def test_that_at_least_a_hundred_rental_offers_are_known(bundled: Catalog) -> None:
    assert len(bundled.facts.rental_offers) >= 100
