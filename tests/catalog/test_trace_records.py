"""Traces at reduced depth, and plain data of any result."""

from __future__ import annotations

import datetime
from decimal import Decimal
from enum import Enum

import pytest

from catalog.commands.plain import plain
from catalog.evidence_models import EvidenceModels, UnmappableError
from catalog.evidence_oracle import OracleRow, oracle_setup
from catalog.load import load_catalog
from catalog.models_data import load_models
from engine.units import Money

CONFIG = {
    "model_type": "gemma3_text",
    "hidden_size": 64,
    "intermediate_size": 96,
    "num_hidden_layers": 6,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 16,
    "vocab_size": 100,
    "layer_types": ["sliding_attention"] * 5 + ["full_attention"],
}


@pytest.fixture(scope="module")
def models() -> EvidenceModels:
    return EvidenceModels(load_models(), {})


def _row(**fields: object) -> OracleRow:
    return OracleRow.model_validate({"options": {"method": "lora", "seq": 64, "layers": 2}, **fields})


@pytest.mark.parametrize("config", [CONFIG, {"model_type": "gemma3", "text_config": CONFIG}])
def test_that_a_trace_of_a_shallower_model_cuts_its_lists_too(
    models: EvidenceModels, config: dict[str, object]
) -> None:
    assert oracle_setup(_row(model="own", config=config), models).model.layers == 2
    assert CONFIG["num_hidden_layers"] == 6


def test_that_a_model_of_the_catalogue_is_cut_where_its_layers_are_alike(models: EvidenceModels) -> None:
    assert oracle_setup(_row(model="llama-3.1-8b"), models).model.layers == 2
    with pytest.raises(UnmappableError, match="layers of several kinds and was traced at 2"):
        oracle_setup(_row(model="gemma-3-27b"), models)


class _Colour(Enum):
    RED = "red"


def test_that_results_become_plain_data_with_ids_for_what_the_catalogue_has() -> None:
    facts = load_catalog().facts
    card = facts.cards["h200_nvl"]
    offer = facts.rental_offers[0]
    assert plain(card) == "h200_nvl"
    assert plain(Money(Decimal("1.005"), "EUR")) == {"amount": "1.01", "currency": "EUR"}
    assert plain({_Colour.RED: [Decimal("1E+2"), datetime.date(2026, 11, 30), None]}) == {
        "red": ["100", "2026-11-30", None]
    }
    shown = plain(offer)
    assert isinstance(shown, dict)
    assert shown["id"] == offer.id
    assert sorted(plain(frozenset({"b", "a"}))) == ["a", "b"]  # type: ignore[type-var,arg-type]  # a list of texts
