"""Files of every released schema stay readable; newer ones are shown as far as they are understood."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.consultation.document import SCHEMA, Consultation
from catalog.consultation.files import ConsultationError, parse_text, read, stated_schema, to_text, write
from catalog.consultation.migrations import MIGRATIONS
from catalog.consultation.newer import is_newer, read_newer
from engine.methods import Checkpointing, Method, Offload, Optimizer, Precision
from engine.speed.types import StackClass
from engine.workload import MustHave, Place, Priority

SAMPLES = Path(__file__).parents[1] / "data" / "consultations"
NEWER = SAMPLES / "newer-schema.passform.yaml"


def test_that_every_released_schema_has_a_stored_sample_and_a_way_to_the_newest() -> None:
    stored = {stated_schema(path) for path in SAMPLES.glob("schema-*.passform.yaml")}
    assert stored == set(range(1, SCHEMA + 1))
    assert set(MIGRATIONS) == set(range(1, SCHEMA))


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("schema-*.passform.yaml")), ids=lambda path: path.name)
def test_that_a_stored_sample_is_read_and_written_in_the_newest_schema(path: Path, tmp_path: Path) -> None:
    consultation = read(path)
    target = tmp_path / path.name
    write(consultation, target)
    assert stated_schema(target) == SCHEMA
    assert read(target) == consultation


def test_that_nothing_of_the_first_schema_is_lost_or_understood_differently() -> None:
    found = read(SAMPLES / "schema-1-first.passform.yaml")
    first, second = found.workloads
    assert found.customer.company == "Kanzlei Beispiel PartG mbB"
    assert found.customer.address == ("Königsallee 1", "40212 Düsseldorf")
    assert (found.currency, str(found.date), found.budget) == ("CHF", "2026-10-05", Decimal("75000.10"))
    assert (first.method, first.sequence_length, first.micro_batch) == (Method.QLORA, 4096, 2)
    assert (first.runs_per_month, first.runs_at_once, first.deadline_hours) == (Decimal("6.5"), 2, 11.5)
    recipe = first.recipe
    assert (recipe.optimizer, recipe.rank, recipe.targets) == (Optimizer.ADAMW_8BIT, 64, ("q_proj", "v_proj"))
    assert (recipe.checkpointing, recipe.offload, recipe.packing) == (Checkpointing.OFF, Offload.OPTIMIZER, False)
    assert (recipe.adapter_dtype, recipe.gradient_accumulation) == (Precision.BF16, 8)
    assert (second.config, second.model, second.recipe.rank) == ("modelle/config.json", None, 16)
    assert (found.site.place, found.site.circuit_watts, found.site.slots) == (Place.DESK, 3600, 2)
    assert found.must_have == (MustHave.ECC, MustHave.FP8)
    assert (found.priority, found.horizon_years, found.headroom_percent) == (Priority.COST_PER_RUN, 5, 20)
    assert found.prices == {"h200_nvl": Decimal("28000.00")}
    assert found.stack is StackClass.TUNED_PYTORCH
    assert found.ownership.lease_per_month == Decimal("900.50")
    assert found.notes == "Erste Zeile\nzweite Zeile mit Umlaut: ä\n"


def test_that_a_newer_file_is_refused_for_editing_and_shown_as_far_as_understood() -> None:
    assert is_newer(NEWER)
    with pytest.raises(ConsultationError, match="newer Passform"):
        read(NEWER)
    newer = read_newer(NEWER)
    assert newer.schema_number == 4
    assert [row.name for row in newer.consultation.workloads] == ["bekannt"]
    assert newer.consultation.customer.company == "Beispiel AG"
    assert newer.consultation.must_have == (MustHave.ECC,)
    assert newer.consultation.priority is Priority.PURCHASE_PRICE  # the default, as `happiness` is unknown


def test_that_no_unknown_part_of_a_newer_file_goes_unnamed_or_lost() -> None:
    newer = read_newer(NEWER)
    assert newer.unknown["wormhole"] == {"depth": 3}
    assert newer.unknown["priority"] == "happiness"
    assert newer.unknown["customer.mood"] == "happy"
    assert newer.unknown["workloads.0.curriculum"] == ["short", "long"]
    assert newer.unknown["workloads.0.recipe.galore"] == {"projections": 4}
    assert newer.unknown["workloads.1.method"] == "telepathy"
    assert newer.unknown["must_have.1"] == "teleport"
    assert newer.text == NEWER.read_text(encoding="utf-8")


def test_that_a_file_of_this_schema_is_not_taken_for_a_newer_one() -> None:
    path = SAMPLES / "schema-1-first.passform.yaml"
    assert not is_newer(path)
    with pytest.raises(ConsultationError, match="not written by a newer"):
        read_newer(path)


def test_that_a_newer_file_of_which_nothing_is_understood_asks_for_an_update(tmp_path: Path) -> None:
    path = tmp_path / "a.passform.yaml"
    path.write_text("schema: 9\n1: {2: 3}\n", encoding="utf-8")
    with pytest.raises(ConsultationError, match="update the program"):
        read_newer(path)


trees = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text("abc\n:- ", max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abcxyz", min_size=1, max_size=4), inner),
    max_leaves=12,
)
fields = st.dictionaries(st.sampled_from(sorted(Consultation.model_fields)) | st.text("xyz", min_size=1), trees)


@given(fields)
def test_that_whatever_a_newer_file_holds_is_shown_or_refused_in_words(tmp_path_factory, content: dict) -> None:
    import yaml

    path = tmp_path_factory.getbasetemp() / "any.passform.yaml"
    path.write_text(yaml.safe_dump({**content, "schema": 3}), encoding="utf-8")
    try:
        newer = read_newer(path)
    except ConsultationError:
        return
    assert parse_text(to_text(newer.consultation), "a") == newer.consultation
