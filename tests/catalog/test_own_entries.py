"""Own prices, cards and models: validated, sourced, undoable, and tried out before anything is written."""

from __future__ import annotations

import json
from datetime import date
from decimal import Decimal
from functools import partial
from pathlib import Path

import pytest

from catalog.load import load_catalog
from catalog.own_entries import file_of, free_id, own_model_ids, raw_entry, remove_own, save_model, save_with_sources
from catalog.own_files import OwnEntryError, undo
from catalog.own_prices import OwnPrice, own_prices, remove_price, save_price
from catalog.trial import trial
from engine.prices import PriceBasis, PriceKind
from engine.pricing import guide_price

TODAY = date(2026, 11, 30)
PRICE = OwnPrice("h200_nvl", Decimal("31000.50"), "EUR", TODAY, source_title="Offer Nord 4711")


def test_that_an_own_price_becomes_the_guide_price_with_its_source(tmp_path: Path) -> None:
    save_price(tmp_path, PRICE)
    catalog = load_catalog(tmp_path)
    guide = guide_price("h200_nvl", catalog.facts, "EUR", TODAY)
    assert (guide.net.amount, guide.basis) == (Decimal("31000.50"), PriceBasis.SELLER)
    assert guide.price.source.title == "Offer Nord 4711"
    assert own_prices(tmp_path) == (("h200_nvl", "2026-11-30", guide.price.source.id),)


def test_that_a_newer_own_price_keeps_the_older_as_history(tmp_path: Path) -> None:
    save_price(tmp_path, PRICE)
    save_price(tmp_path, OwnPrice("h200_nvl", Decimal(30000), "EUR", TODAY))
    own = [price for price in load_catalog(tmp_path).facts.prices["h200_nvl"] if price.kind is PriceKind.SELLER]
    assert [(price.low, price.superseded) for price in own] == [(30000, False), (Decimal("31000.50"), True)]
    assert undo(tmp_path)
    assert guide_price("h200_nvl", load_catalog(tmp_path).facts, "EUR", TODAY).net.amount == Decimal("31000.50")


def test_that_a_removed_own_price_gives_way_to_the_published_one(tmp_path: Path) -> None:
    before = guide_price("h200_nvl", load_catalog(tmp_path).facts, "EUR", TODAY).net
    save_price(tmp_path, PRICE)
    item, day, source = own_prices(tmp_path)[0]
    remove_price(tmp_path, item, day, source)
    assert guide_price("h200_nvl", load_catalog(tmp_path).facts, "EUR", TODAY).net == before
    with pytest.raises(OwnEntryError):
        remove_price(tmp_path, item, day, source)


@pytest.mark.parametrize("amount", [Decimal(0), Decimal(-5)])
def test_that_a_price_of_nothing_is_refused(tmp_path: Path, amount: Decimal) -> None:
    with pytest.raises(OwnEntryError, match="above zero"):
        save_price(tmp_path, OwnPrice("h200_nvl", amount, "EUR", TODAY))
    assert not list(tmp_path.iterdir())


def test_that_a_gross_price_names_the_country_of_its_vat(tmp_path: Path) -> None:
    """119.00 with 19 % VAT is 100.00 net."""
    save_price(tmp_path, OwnPrice("h200_nvl", Decimal("119.00"), "EUR", TODAY, gross=True))
    assert guide_price("h200_nvl", load_catalog(tmp_path).facts, "EUR", TODAY).net.amount == Decimal("100.00")


@pytest.mark.parametrize("item_id", ["h200_nvl", "rtx_pro_6000_blackwell_se", "lenovo_sr650a_v4"])
def test_that_an_entry_written_as_it_is_reads_the_same(tmp_path: Path, item_id: str) -> None:
    bundled = load_catalog()
    save_with_sources(tmp_path, file_of(bundled, item_id), raw_entry(bundled, item_id), {})
    own = load_catalog(tmp_path)
    assert own.findings == ()
    assert item_id in own.own_ids
    assert own.entry(item_id) == bundled.entry(item_id)
    remove_own(tmp_path, own, item_id)
    assert item_id not in load_catalog(tmp_path).own_ids


def test_that_an_own_card_with_a_new_source_stands_beside_the_bundled_ones(tmp_path: Path) -> None:
    bundled = load_catalog()
    raw = raw_entry(bundled, "h200_nvl") | {"id": free_id(bundled, "H200 NVL special"), "name": "H200 NVL special"}
    raw["power_w"] = {"value": 500, "unit": "W", "source": "own_note", "grade": "C", "basis": "published"}
    source = {"title": "Letter of the maker", "document_date": "2026-11-29"}
    save_with_sources(tmp_path, "cards.yaml", raw, {"own_note": source})
    card = load_catalog(tmp_path).facts.cards[raw["id"]]
    assert (card.power_w.value, card.power_w.source.title) == (500, "Letter of the maker")


def test_that_a_wrong_figure_is_refused_with_its_field(tmp_path: Path) -> None:
    raw = raw_entry(load_catalog(), "h200_nvl")
    raw["memory_gb"] = {**raw["memory_gb"], "value": "-3"}
    with pytest.raises(OwnEntryError, match="memory_gb") as caught:
        save_with_sources(tmp_path, "cards.yaml", raw, {})
    assert str(caught.value.values["field"]).startswith("cards.0.memory_gb")
    assert not (tmp_path / "cards.yaml").exists()


def test_that_bundled_entries_cannot_be_removed(tmp_path: Path) -> None:
    with pytest.raises(OwnEntryError, match="bundled"):
        remove_own(tmp_path, load_catalog(tmp_path), "h200_nvl")


def test_that_an_own_model_is_counted_from_its_configuration(tmp_path: Path) -> None:
    """2 layers of width 64: the count is the library's own rule, checked against the same configuration elsewhere."""
    config = tmp_path / "config.json"
    config.write_text(
        json.dumps(
            {
                "model_type": "llama",
                "hidden_size": 64,
                "intermediate_size": 128,
                "num_hidden_layers": 2,
                "num_attention_heads": 4,
                "num_key_value_heads": 4,
                "vocab_size": 100,
                "tie_word_embeddings": False,
                "max_position_embeddings": 2048,
            }
        )
    )
    save_model(tmp_path, config, model_id="own_tiny", name="Tiny", family="Llama", size="0.1M", source_title="In house")
    model = load_catalog(tmp_path).facts.models["own_tiny"]
    # embedding and head 2 x 100 x 64; per layer 4 x 64 x 64 attention, 3 x 64 x 128 MLP, 2 x 64 norms; final norm 64
    assert model.parameters == 2 * 100 * 64 + 2 * (4 * 64 * 64 + 3 * 64 * 128 + 2 * 64) + 64
    assert own_model_ids(tmp_path) == {"own_tiny"}
    remove_own(tmp_path, load_catalog(tmp_path), "own_tiny")
    assert "own_tiny" not in load_catalog(tmp_path).facts.models


def test_that_a_trial_shows_the_change_and_writes_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "user"
    folder.mkdir()
    tried = trial(folder, partial(save_price, price=PRICE))
    assert guide_price("h200_nvl", tried.facts, "EUR", TODAY).net.amount == Decimal("31000.50")
    assert not list(folder.iterdir())
