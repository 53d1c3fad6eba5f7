"""Changes of a document: always valid, never in place."""

from __future__ import annotations

from decimal import Decimal

import pytest

from catalog.catalog import Catalog
from catalog.consultation.document import Consultation, WorkloadRow
from engine.cost.types import EconomicsKey
from engine.errors import InvalidInputError
from engine.methods import Method
from gui.draft import (
    Severity,
    amended,
    amended_recipe,
    amended_row,
    moved_row,
    problems,
    row_for,
    with_assumption,
    with_price,
    with_row,
    with_rows,
    without_rows,
)


def row(name: str) -> WorkloadRow:
    return WorkloadRow(name=name, model="llama-3.1-8b", method=Method.LORA, sequence_length=4096)


@pytest.fixture
def document() -> Consultation:
    return Consultation(workloads=(row("a"), row("b"), row("c")))


def names(document: Consultation) -> str:
    return "".join(item.name for item in document.workloads)


def test_that_rows_are_inserted_moved_and_removed_in_place(document: Consultation) -> None:
    assert names(with_row(document, row("d"))) == "abcd"
    assert names(with_row(document, row("d"), 0)) == "dabc"
    assert names(with_rows(document, [row("x"), row("y")], 1)) == "axybc"
    assert names(moved_row(document, 0, 2)) == "bca"
    assert names(without_rows(document, [0, 2])) == "b"
    assert names(document) == "abc"


def test_that_a_change_outside_the_limits_is_refused_with_what_would_be_right(document: Consultation) -> None:
    with pytest.raises(InvalidInputError, match="at least 1"):
        amended_row(document, 0, sequence_length=0)
    with pytest.raises(InvalidInputError, match="at most 15"):
        amended(document, horizon_years=99)
    with pytest.raises(InvalidInputError):
        amended_recipe(document, 0, rank=0)


def test_that_prices_and_assumptions_can_be_set_and_taken_away(document: Consultation) -> None:
    priced = with_price(document, "h200_nvl", Decimal("28000.50"))
    assert priced.prices == {"h200_nvl": Decimal("28000.50")}
    assert with_price(priced, "h200_nvl", None).prices == {}
    assumed = with_assumption(document, EconomicsKey.ELECTRICITY_PER_KWH, Decimal("0.19"))
    assert assumed.ownership.assumptions == {EconomicsKey.ELECTRICITY_PER_KWH: Decimal("0.19")}
    assert with_assumption(assumed, EconomicsKey.ELECTRICITY_PER_KWH, None).ownership.assumptions == {}


def test_that_a_first_row_never_exceeds_the_models_limit(catalogue: Catalog) -> None:
    for model in catalogue.facts.models.values():
        made = row_for(model)
        assert made.model == model.id
        assert made.sequence_length <= (model.max_position or 4096)


def test_that_problems_name_their_field(catalogue: Catalog) -> None:
    assert problems(Consultation(), [])[0].field == "workloads"
    model = catalogue.facts.models["llama-3.1-8b"]
    long = WorkloadRow(model="llama-3.1-8b", method=Method.LORA, sequence_length=1_000_000)
    unknown = WorkloadRow(model="no-such-model", method=Method.LORA, sequence_length=512)
    found = problems(Consultation(workloads=(long, unknown)), [model, None])
    assert [(item.field, item.severity) for item in found] == [
        ("workloads.0.sequence_length", Severity.HINT),
        ("workloads.1.model", Severity.ERROR),
    ]
