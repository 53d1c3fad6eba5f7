"""The consultation file: located errors, nothing guessed, nothing lost, nothing torn."""

from __future__ import annotations

import os
from contextlib import suppress
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.consultation.document import Consultation, Customer, RecipeSettings, WorkloadRow
from catalog.consultation.files import (
    MAX_BYTES,
    ConsultationError,
    InvalidConsultationError,
    parse_text,
    read,
    to_text,
    write,
)
from catalog.consultation.migrations import migrate
from catalog.consultation.scenario import default_states
from catalog.disk import DiskError
from catalog.yaml_nodes import FileFormatError
from engine.methods import Checkpointing, Method, Optimizer, StateRecipe
from engine.workload import MustHave, Priority

SMALL = """\
schema: 1
workloads:
  - model: llama-3.3-70b
    method: qlora
    sequence_length: 4096
"""


def _error(text: str) -> str:
    with pytest.raises(FileFormatError) as caught:
        parse_text(text, "a.passform.yaml")
    return str(caught.value)


def test_that_a_small_file_gets_the_documented_defaults() -> None:
    consultation = parse_text(SMALL, "a")
    row = consultation.workloads[0]
    assert (row.method, row.recipe.rank, row.runs_at_once) == (Method.QLORA, 16, 1)
    assert (consultation.currency, consultation.headroom_percent) == ("EUR", 15)


def test_that_an_error_names_file_line_field_and_what_would_be_right() -> None:
    assert _error(SMALL.replace("qlora", "qlorra")) == (
        "a.passform.yaml:4: workloads.0.method: 'qlorra' is not one of 'full', 'lora' or 'qlora'"
    )


def test_that_an_unknown_key_is_an_error_at_its_line() -> None:
    assert _error(SMALL + "bugdet: '5'\n") == ("a.passform.yaml:6: bugdet: this field is not known; check its spelling")


def test_that_every_problem_is_reported_not_only_the_first() -> None:
    text = SMALL.replace("4096", "0") + "horizon_years: 99\n"
    assert [line.split(": ")[1] for line in _error(text).splitlines()] == [
        "workloads.0.sequence_length",
        "horizon_years",
    ]


def test_that_errors_speak_german() -> None:
    with pytest.raises(InvalidConsultationError) as caught:
        parse_text(SMALL + "bugdet: '5'\n", "a")
    assert "unbekannt" in caught.value.text({"this field is not known; check its spelling": "unbekannt"}.__getitem__)


def test_that_money_written_as_a_binary_float_is_refused() -> None:
    assert "in quotes" in _error(SMALL + "budget: 75000.5\n")


def test_that_a_model_is_either_an_id_or_a_config_file() -> None:
    assert "either model" in _error(SMALL + "    config: config.json\n")


@pytest.mark.parametrize("number", ["", "schema: one\n", "schema: true\n", "schema: 0\n", "schema: -1\n"])
def test_that_a_missing_or_odd_schema_number_is_named(number: str) -> None:
    assert "schema" in _error(SMALL.replace("schema: 1\n", number))


def test_that_a_newer_file_says_that_the_program_is_too_old() -> None:
    assert "newer Passform" in _error(SMALL.replace("schema: 1", "schema: 2"))


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "empty"),
        ("just words", "list of fields"),
        ("schema: 1\nschema: 1\n", "given twice"),
        ("a: [1, 2", "not valid YAML"),
        ("a: &x [1]\nb: *x\n", "aliases"),
        ("? [a]\n: 1\n", "key must be a word"),
        ("a: !!python/object:os.system {}", "marks of types"),
        ("a: " + "[" * 40 + "]" * 40, "nested deeper"),
        ("a: 2026-99-99", "not valid YAML"),
        ("a: " + "9" * 5000, "digits"),
        ("a: 0x" + "f" * 5000, "digits"),
    ],
)
def test_that_bad_yaml_is_refused_with_a_reason(text: str, part: str) -> None:
    assert part in _error(text)


def test_that_a_yaml_bomb_is_refused_before_it_unfolds() -> None:
    bomb = "a0: &a0 [x]\n" + "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 30))
    assert "aliases" in _error(bomb)


def test_that_an_oversized_file_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "big.passform.yaml"
    path.write_bytes(b"#" * (MAX_BYTES + 1))
    with pytest.raises(ConsultationError, match="at most"):
        read(path)


def test_that_a_missing_file_and_a_binary_file_are_named(tmp_path: Path) -> None:
    with pytest.raises(ConsultationError, match=r"gone\.passform\.yaml"):
        read(tmp_path / "gone.passform.yaml")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00\x81")
    with pytest.raises(ConsultationError, match="UTF-8"):
        read(tmp_path / "binary")


texts = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), max_size=60)
amounts = st.decimals(min_value=0, max_value=10**9, places=2)
rows = st.builds(
    WorkloadRow,
    name=texts,
    model=texts,
    method=st.sampled_from(Method),
    sequence_length=st.integers(1, 10**6),
    micro_batch=st.none() | st.integers(1, 1000),
    tokens_per_run=st.integers(1, 10**12),
    runs_per_month=amounts,
    runs_at_once=st.integers(1, 100),
    recipe=st.builds(
        RecipeSettings, rank=st.integers(1, 512), checkpointing=st.sampled_from(Checkpointing), targets=st.tuples(texts)
    ),
)
consultations = st.builds(
    Consultation,
    title=texts,
    customer=st.builds(Customer, company=texts, address=st.lists(texts, max_size=6).map(tuple)),
    workloads=st.lists(rows, max_size=4).map(tuple),
    must_have=st.lists(st.sampled_from(MustHave), max_size=3).map(tuple),
    budget=st.none() | amounts,
    priority=st.sampled_from(Priority),
    prices=st.dictionaries(texts, amounts, max_size=3),
    notes=texts,
)


@given(consultations)
def test_that_what_is_written_is_read_back_equal(consultation: Consultation) -> None:
    assert parse_text(to_text(consultation), "a") == consultation


@given(st.binary(max_size=400))
def test_that_no_bytes_crash_the_reader(content: bytes) -> None:
    text = content.decode("utf-8", errors="replace")
    with suppress(FileFormatError):
        assert isinstance(parse_text(text, "a"), Consultation)


def test_that_a_failed_write_leaves_the_old_file_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.passform.yaml"
    write(parse_text(SMALL, "a"), path)
    before = path.read_bytes()

    def full_disk(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(DiskError, match="disk is full"):
        write(Consultation(title="new"), path)
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


def test_that_writing_into_a_missing_folder_says_so(tmp_path: Path) -> None:
    with pytest.raises(DiskError, match="cannot be written"):
        write(Consultation(), tmp_path / "gone" / "a.passform.yaml")


def test_that_migrations_are_applied_one_after_the_other_and_leave_the_original_alone() -> None:
    raw = {"schema": 1, "length": 5}
    steps = {
        1: lambda old: {"schema": 1, "sequence_length": old["length"]},
        2: lambda old: {**old, "micro_batch": 1},
    }
    assert migrate(raw, 1, 3, steps) == {"schema": 3, "sequence_length": 5, "micro_batch": 1}
    assert raw == {"schema": 1, "length": 5}


def test_that_the_default_state_recipe_follows_method_and_optimiser() -> None:
    assert default_states(Method.FULL, Optimizer.ADAMW) is StateRecipe.BF16_MASTER
    assert default_states(Method.FULL, Optimizer.ADAMW_8BIT) is StateRecipe.BF16_8BIT
    assert default_states(Method.LORA, Optimizer.ADAMW_8BIT) is StateRecipe.BF16_MASTER


def test_that_amounts_keep_their_digits() -> None:
    consultation = parse_text(SMALL + 'budget: "75000.10"\nprices: {h200_nvl: "28000.00"}\n', "a")
    assert consultation.budget == Decimal("75000.10")
    assert str(consultation.prices["h200_nvl"]) == "28000.00"
    assert consultation.priority is Priority.PURCHASE_PRICE
