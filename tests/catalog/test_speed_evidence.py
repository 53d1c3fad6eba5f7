"""The speed model on published measurements, each judged by constants that never saw its source."""

import math
import random

import pytest
import yaml

from benchmarks.fit_speed import FREE, fit, log_error, usable_terms
from catalog.load import load_catalog
from catalog.speed_evidence import EVIDENCE_FILE, load_evidence, score_speed
from catalog.yaml_nodes import FileFormatError
from engine.methods import Method, Sharding
from engine.speed.evidence import RecordUse
from engine.speed.types import ComputeFormat, StackClass


@pytest.fixture(scope="module")
def scored():
    return score_speed()


@pytest.fixture(scope="module")
def models():
    return load_catalog().facts.models


@pytest.fixture(scope="module")
def evidence():
    return load_evidence()


def test_that_every_record_marked_fit_is_scored(scored, evidence):
    marked = {record.id for record in evidence.records if record.use is RecordUse.FIT}
    assert {score.record.id for score in scored.scores} == marked
    assert len(marked) == 328


def test_that_unseen_sources_are_met_within_the_promised_errors(scored):
    assert scored.overall.median_error <= 0.11
    assert scored.overall.error_90 <= 0.35
    assert all(score.left_out for score in scored.scores)


def test_that_sources_nobody_tuned_for_are_met_as_well(scored):
    assert scored.never_used is not None
    assert scored.never_used.records == 34
    assert scored.never_used.median_error <= 0.15
    assert scored.never_used.error_90 <= 0.30
    assert scored.never_used.worst_factor <= 1.75


def test_that_printed_bands_hold_the_truth_in_four_of_five_cases_for_each_stack(scored):
    assert scored.overall.inside_band >= 0.8
    for stack, group in scored.by_stack.items():
        assert group.inside_band >= 0.8, stack


def test_that_no_source_counts_only_because_another_is_large(scored):
    # every source alike: the median of the sources' medians
    assert scored.median_of_families <= 0.15


def test_that_impossible_rates_are_refused(scored):
    refused = {left.record_id for left in scored.unscored if left.reason == "impossible-rate"}
    assert any(name.startswith("dgxspark") for name in refused)


def test_that_the_bundled_constants_come_from_the_fit(evidence):
    terms, never_used = usable_terms()
    without = [raw for raw in terms if raw.family not in never_used | {"mlperf"}]
    again = dict(zip((free.name for free in FREE), fit(without), strict=True))
    bundled = evidence.circumstances.without["mlperf"]
    assert bundled.nvlink_share == pytest.approx(again["nvlink_share"], rel=1e-3)
    assert bundled.coefficients.attention_efficiency == pytest.approx(again["attention_efficiency"], rel=1e-3)
    for stack in StackClass:
        fitted = bundled.coefficients.stacks[stack]
        assert fitted.matmul_efficiency == pytest.approx(again[f"{stack.value} matmul_efficiency"], rel=1e-3)
        assert fitted.launch_s == pytest.approx(again[f"{stack.value} launch_s"], rel=1e-3)


def test_that_the_score_could_fail():
    terms, _ = usable_terms()
    start = [free.start for free in FREE]
    shuffled = [raw.seconds for raw in terms]
    random.Random(7).shuffle(shuffled)
    honest = sorted(abs(log_error(raw, start)) for raw in terms)
    wrong = sorted(
        abs(log_error(raw, start) + math.log(seconds / raw.seconds))
        for raw, seconds in zip(terms, shuffled, strict=True)
    )
    assert wrong[len(wrong) // 2] > 3 * honest[len(honest) // 2]


def test_that_records_are_read_as_their_sources_describe_them(evidence):
    by_id = {record.id: record for record in evidence.records}
    nvl = by_id["mlperf-v5.0-dell-1xxe7745x4h200nvl141gb-l270blora"]
    assert (nvl.method, nvl.stack, nvl.compute) == (Method.LORA, StackClass.VENDOR_TUNED, ComputeFormat.FP8)
    assert (nvl.tensor_parallel, nvl.sequence_parallel, nvl.over_pcie) == (1, 2, False)
    qwen = by_id["qwen-72b-qlora-s256-1xa100"]
    assert (qwen.method, qwen.accumulation, qwen.checkpointing) == (Method.QLORA, 8, True)
    shard = next(record for record in evidence.records if record.family == "llm-foundry")
    assert shard.sharding is Sharding.FSDP


def test_that_a_file_of_the_same_fields_is_scored_and_strangers_are_named(tmp_path):
    bundled = yaml.safe_load(EVIDENCE_FILE.read_text(encoding="utf-8"))["records"]
    rows = [row for row in bundled if row["source_key"] == "xtuner"]
    unknown = dict(rows[0], id="stranger", model="Unheard-of-9B")
    no_card = dict(rows[0], id="no-card", card="Abacus")
    no_stack = dict(rows[0], id="no-stack", stack_class="handmade")
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump({"records": [*rows, unknown, no_card, no_stack]}), encoding="utf-8")
    result = score_speed(path)
    assert result.overall.records == len(rows)
    assert {(left.record_id, left.reason) for left in result.unscored} == {
        ("stranger", "unknown-model"),
        ("no-card", "unknown-card"),
        ("no-stack", "unknown-stack"),
    }


def test_that_a_model_of_the_catalogue_is_recognised_by_its_name(tmp_path, models):
    row = {
        "id": "mistral",
        "source_key": "someone",
        "model": "Mistral-7B",
        "method": "LoRA",
        "stack_class": "tuned_pytorch",
        "card": "RTX 4090",
        "cards": 1,
        "precision": "BF16",
        "seq": 2048,
        "micro_batch": 1,
        "tokens_per_s_per_card": 2000,
        "use": "fit",
    }
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump({"records": [row]}), encoding="utf-8")
    assert score_speed(path, models).overall.records == 1


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("records: []", "records"),
        ("records:\n- {id: a}", "mine.yaml:2"),
        ("nothing: here", "records"),
    ],
)
def test_that_a_wrong_file_is_refused_with_its_place(tmp_path, text, says):
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FileFormatError, match=says):
        score_speed(path)


# One submitter of one round, the layout stated in the log, everything else equal, two editions of one product.
# llm-foundry's A100 of 40 and 80 GB never run the same micro-batch, and MLPerf's MI300X and MI325X leave their layout
# open: neither says what the edition alone does.
def test_that_every_setup_trained_on_two_editions_is_in_the_catalogue(evidence):
    facts = load_catalog().facts
    rows = {row["id"]: row for row in yaml.safe_load(EVIDENCE_FILE.read_text(encoding="utf-8"))["records"]}
    setups = {}
    for record in evidence.records:
        row, card = rows[record.id], facts.cards.get(record.card.card_id)
        if record.use is not RecordUse.FIT or card is None or "not in log" in str(row.get("notes")):
            continue
        who = row["source_key"], str(row.get("source")).partition("/results")[0]
        setup = (
            *(card.family, who, record.model, record.method, record.dora, record.stack, record.cards),
            *(record.tensor_parallel, record.sequence_parallel, record.compute, record.sequence_length),
            *(record.micro_batch, record.accumulation, record.checkpointing),
        )
        setups.setdefault(setup, []).append(record)
    assert len(setups) > 100
    twice = [group for group in setups.values() if len({one.card.card_id for one in group}) > 1]
    measured = {(one.card.card_id, one.id, one.tokens_per_s_per_card) for group in twice for one in group}
    shipped = {(one.card_id, one.record_id, one.tokens_per_s_per_card) for one in facts.speed.editions}
    assert shipped == measured
