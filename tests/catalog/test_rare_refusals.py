"""Refusals and borders that few files reach: each ends in words, and nothing is lost."""

from __future__ import annotations

import errno
import json
import os
from datetime import date
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from catalog import documents
from catalog.catalog import Catalog
from catalog.commands.evidence_inference import (
    PROMISED_90,
    PROMISED_IN_BAND,
    PROMISED_MEDIAN,
    PROMISED_POOL_MEDIAN,
    kept,
)
from catalog.consultation.document import Consultation
from catalog.consultation.files import ConsultationError, parse_text, read, write
from catalog.consultation.scenario import to_scenario
from catalog.disk import DiskError
from catalog.load import load_catalog
from catalog.own_entries import OwnEntryError, free_id, raw_entry, save_model
from catalog.own_files import read_own
from catalog.own_prices import OwnPrice, save_price
from engine.errors import InvalidInputError
from engine.facts import Facts

TODAY = date(2026, 11, 30)
WORKLOADS = "workloads:\n- {model: llama-3.1-8b, method: lora, sequence_length: 2048}\n"


def _scenario(text: str, facts: Facts, folder: Path) -> object:
    def no_file(_path: Path, *_more: object) -> Any:
        raise AssertionError

    return to_scenario(parse_text("schema: 1\n" + text, "a.passform.yaml"), facts, TODAY, no_file, folder)


def test_that_a_consultation_without_workloads_says_what_to_add(bundled: Catalog, tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="has no workload yet: add a model, a method and a sequence length"):
        _scenario("title: empty\n", bundled.facts, tmp_path)


def test_that_a_price_of_nothing_in_the_catalogue_is_named(bundled: Catalog, tmp_path: Path) -> None:
    known = "prices: {h200_nvl: '30000'}\n"
    assert _scenario(WORKLOADS + known, bundled.facts, tmp_path)
    with pytest.raises(InvalidInputError, match="prices: h900 is no item of the catalogue"):
        _scenario(WORKLOADS + known.replace("h200_nvl", "h900"), bundled.facts, tmp_path)


def test_that_a_folder_is_no_consultation(tmp_path: Path) -> None:
    with pytest.raises(ConsultationError, match="is not a file"):
        read(tmp_path)


def test_that_a_disk_error_after_the_name_was_taken_asks_for_another_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file may be there and may not survive a power cut: said, not hidden."""
    flush, opened = os.fsync, os.open
    path = tmp_path / "a.passform.yaml"

    def fail(handle: int) -> None:
        if Path(f"/proc/self/fd/{handle}").is_dir():
            raise OSError(errno.EIO, "Input/output error")
        flush(handle)

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(DiskError, match=r"the disk reports an error: Input/output error\. Please save"):
        write(Consultation(title="new"), path)
    monkeypatch.undo()

    def unlistable(name: Any, *more: Any, **named: Any) -> int:
        if Path(name) == tmp_path:
            raise PermissionError(errno.EACCES, "Permission denied")
        return opened(name, *more, **named)

    monkeypatch.setattr(os, "open", unlistable)
    write(Consultation(title="newer"), path)
    monkeypatch.undo()
    assert read(path).title == "newer", "a folder that may not be listed is no obstacle"


def test_that_an_own_price_keeps_its_last_day_and_its_note(tmp_path: Path) -> None:
    price = OwnPrice("h200_nvl", Decimal(30000), "EUR", TODAY, valid_until=date(2026, 12, 31), note="project price")
    save_price(tmp_path, price)
    (row,) = read_own(tmp_path, "prices.yaml")["prices"]
    assert (row["valid_until"], row["note"]) == ("2026-12-31", "project price")
    found = load_catalog(tmp_path).facts.prices["h200_nvl"][0]
    assert (found.valid_until, found.note) == (date(2026, 12, 31), "project price")


def test_that_an_own_model_keeps_its_licence_and_is_described_by_its_file(tmp_path: Path) -> None:
    config = tmp_path / "config.json"
    config.write_text(
        json.dumps(
            {
                "model_type": "llama",
                "hidden_size": 64,
                "intermediate_size": 128,
                "num_hidden_layers": 2,
                "num_attention_heads": 4,
                "vocab_size": 100,
            }
        ),
        encoding="utf-8",
    )
    named = {"family": "Llama", "size": "0.1M", "source_title": "In house", "licence": "MIT"}
    save_model(tmp_path, config, model_id="own_tiny", name="Tiny", **named)
    catalog = load_catalog(tmp_path)
    assert catalog.facts.models["own_tiny"].licence == "MIT"
    with pytest.raises(OwnEntryError, match=r"own_tiny is a model: it is described by its config\.json"):
        raw_entry(catalog, "own_tiny")
    assert free_id(catalog, "tiny") == "own_tiny_2"
    assert free_id(catalog, "other") == "own_other"


def test_that_a_catalogue_file_of_another_shape_or_size_is_left_out_as_a_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "prices.yaml"
    own.write_text("schema: 1\nprices: none\n", encoding="utf-8")
    catalog = load_catalog(tmp_path)
    assert [finding.file for finding in catalog.findings if finding.file == "prices.yaml"]
    assert catalog.facts.prices == load_catalog().facts.prices
    own.write_text("schema: 1\nprices: []\n" + "#" * 200, encoding="utf-8")
    monkeypatch.setattr(documents, "MAX_BYTES", 100)
    with pytest.raises(documents.FileFormatError, match=r"prices\.yaml: larger than 100 bytes"):
        documents.line_in(own, ("prices",))


def test_that_one_wrong_source_costs_only_itself(tmp_path: Path) -> None:
    good = "  own_good: {title: Good, document_date: '2026-11-01', read_date: '2026-11-02'}\n"
    text = "schema: 1\nsources:\n" + good + "  own_bad: {title: 5, wormhole: 1}\n"
    (tmp_path / "sources.yaml").write_text(text, encoding="utf-8")
    catalog = load_catalog(tmp_path)
    places = [finding.field for finding in catalog.findings if finding.file == "sources.yaml"]
    assert places
    assert all("own_bad" in place for place in places)


def _speed(**changes: float) -> Any:
    overall = {"median_error": PROMISED_MEDIAN, "error_90": PROMISED_90, "inside_band": PROMISED_IN_BAND, **changes}
    return SimpleNamespace(overall=SimpleNamespace(**overall))


def _memory(**changes: Any) -> Any:
    exact = {"per_token_within": 5, "per_token_exact": 5, "bounds_kept": 3, "bounds": 3}
    return SimpleNamespace(**{**exact, "pool_median": PROMISED_POOL_MEDIAN, **changes})


@pytest.mark.parametrize(
    ("speed", "memory", "promise"),
    [
        (_speed(), _memory(), True),
        (None, _memory(), True),
        (_speed(), None, True),
        (None, None, True),
        (_speed(median_error=PROMISED_MEDIAN + 0.001), _memory(), False),
        (_speed(error_90=PROMISED_90 + 0.001), None, False),
        (_speed(inside_band=PROMISED_IN_BAND - 0.001), _memory(), False),
        (_speed(), _memory(per_token_within=4), False),
        (_speed(), _memory(bounds_kept=2), False),
        (_speed(), _memory(pool_median=PROMISED_POOL_MEDIAN + 0.001), False),
        (_speed(), _memory(pool_median=None), True),
    ],
)
def test_that_a_promise_is_kept_up_to_its_border(speed: Any, memory: Any, promise: bool) -> None:
    assert kept(SimpleNamespace(speed=speed, memory=memory)) is promise  # type: ignore[arg-type]  # the fields it reads


@pytest.mark.parametrize("field", ["as_of", "valid_until"])
@pytest.mark.parametrize("day", ["2026-02-31", "0000-01-01"])
def test_that_a_day_no_calendar_has_costs_only_its_own_price(tmp_path: Path, field: str, day: str) -> None:
    """Whoever types 31 February must still be able to start the program."""
    days = {"as_of": "2026-11-01", "valid_until": "2027-01-31", field: day}
    stated = ", ".join(f"{name}: '{stated}'" for name, stated in days.items())
    plain = "currency: EUR, kind: offer, includes_vat: false, source: spark, grade: C"
    row = f"{{item: l40s, amount: '5', {stated}, {plain}}}"
    (tmp_path / "prices.yaml").write_text(f"schema: 1\nprices:\n- {row}\n", encoding="utf-8")
    catalog = load_catalog(tmp_path)
    (finding,) = catalog.findings
    assert finding.located() == f"prices.yaml:3: prices.0.{field}: '{day}' is not a date; write it as 2026-11-30"
    assert catalog.facts.prices == load_catalog().facts.prices


@pytest.mark.parametrize(
    "ends",
    ['amount: "5", low: "3", ', 'amount: "5", high: "6", ', 'amount: "5", low: "3", high: "6", ', 'low: "3", ', ""],
)
def test_that_a_price_is_one_amount_or_a_whole_range_and_nothing_between(tmp_path: Path, ends: str) -> None:
    """Half a range beside an amount leaves open which of the two was meant."""
    stated = "currency: EUR, kind: offer, includes_vat: false, as_of: '2026-11-01', source: spark, grade: C"
    text = f"schema: 1\nprices:\n- {{item: l40s, {ends}{stated}}}\n"
    (tmp_path / "prices.yaml").write_text(text, encoding="utf-8")
    catalog = load_catalog(tmp_path)
    assert ["give either amount, or low and high" in finding.located() for finding in catalog.findings] == [True]
    assert catalog.facts.prices == load_catalog().facts.prices
