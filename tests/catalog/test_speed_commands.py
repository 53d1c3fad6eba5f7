"""What the command line prints of speeds and clusters."""

import argparse
import io
import json
import re

import pytest

from catalog.commands import cluster, evidence_speed
from engine.errors import PassformError
from engine.wording.translator import Language


def evidence(language=Language.DE, *, as_json):
    out = io.StringIO()
    code = evidence_speed.report(None, out, language, as_json=as_json)
    return code, out.getvalue()


def cluster_of(**changes):
    arguments = argparse.Namespace(
        **{
            "model": "llama-3.3-70b",
            "method": "full",
            "states": "bf16-master",
            "optimizer": "adamw",
            "sequence_length": 4096,
            "tokens": 1_000_000_000,
            "batch_tokens": 1_000_000,
            "deadline_days": None,
            "card": "h200_nvl",
            "cards_per_node": 8,
            "network_gbit": 3200,
            "fabric": "infiniband",
            "most_nodes": 8,
            "stack": "tuned-pytorch",
            "test_runs": None,
            "compute": "bf16",
            "price": None,
            "currency": "EUR",
            "language": "de",
            "json": True,
            **changes,
        }
    )
    out = io.StringIO()
    return cluster.run(arguments, out), out.getvalue()


def test_that_the_evidence_is_printed_and_kept():
    code, text = evidence(as_json=False)
    assert code == 0
    assert "328 Einträge" in text
    assert "nie für eine Anpassung benutzt" in text


def test_that_the_evidence_as_json_names_every_record_with_its_band():
    code, text = evidence(as_json=True)
    document = json.loads(text)
    assert code == 0
    assert document["kept"] is True
    assert document["overall"]["records"] == len(document["records"]) == 328
    for record in document["records"]:
        band = record["predicted"]
        assert band["low"] < band["expected"] < band["high"]
        assert record["inside_band"] == (band["low"] <= record["published"] <= band["high"])


def test_that_a_cluster_plan_as_json_carries_need_time_network_and_questions():
    code, text = cluster_of(price=3.5)
    document = json.loads(text)
    assert code == 0
    chosen = document["chosen"]
    assert chosen["nodes"] == 2
    assert chosen["need_bytes"]["high"] <= chosen["usable_bytes"]
    assert chosen["hours_per_run"]["low"] < chosen["hours_per_run"]["expected"] < chosen["hours_per_run"]["high"]
    assert chosen["network"]["least_gb_per_s"] > 0
    assert {question["code"] for question in chosen["questions"]} >= {"fabric-rate", "placement", "checkpoint-storage"}
    assert document["cost_per_run"]["expected"]["currency"] == "EUR"


def test_that_the_network_of_a_machine_is_shared_by_its_cards():
    # 3,200 Gbit/s of eight cards are 400 for each, 50 GB/s: the received bytes of a step at that rate are its floor.
    wide, narrow = (json.loads(cluster_of(network_gbit=gbit)[1]) for gbit in (3200, 400))
    step = wide["chosen"]["step"]
    assert step["least_across_s"] == pytest.approx(step["across_bytes"] / 50e9)
    assert narrow["options"][-1]["step"]["across_s"] > 7 * wide["options"][-1]["step"]["across_s"]


def test_that_a_provider_is_asked_for_rates_in_rates():
    _, text = cluster_of(json=False, language="en")
    asked = [line for line in text.replace("\N{NO-BREAK SPACE}", " ").splitlines() if "NCCL tests" in line]
    assert len(asked) == 2
    assert all(re.search(r"At least [0-9,]+(\.[0-9])? GB/s per card is needed\.", line) for line in asked)


def test_that_one_node_is_no_plural():
    _, text = cluster_of(json=False, language="en", model="llama-3.1-8b", batch_tokens=4_194_304)
    assert "1 node, 8 cards" in text
    assert "1 nodes" not in text


def test_that_a_cluster_plan_is_printed_in_german():
    code, text = cluster_of(json=False, price=3.5)
    assert code == 0
    assert "2 Knoten, 16 Karten" in text
    assert "Fragen vor der Bindung:" in text


def test_that_a_missed_deadline_is_said_with_the_times_there_are():
    code, text = cluster_of(json=False, deadline_days=0.1)
    assert code == 1
    assert "verfehlt" in text
    assert "8 Knoten, 64 Karten" in text


@pytest.mark.parametrize("changes", [{"model": "h200_nvl"}, {"card": "llama-3.3-70b"}, {"card": "abacus"}])
def test_that_a_wrong_id_is_refused(changes):
    with pytest.raises(PassformError):
        cluster_of(**changes)


TEST_RUNS = """\
schema: 1
calibrations:
  - {name: pilot, model: llama-3.1-8b, method: full, sequence_length: 4096, card: h200_nvl, cards: 8, sharding: fsdp,
     bridge_cards: 4, stack: plain-hf, tokens_per_second: 9000}
"""


def test_that_test_runs_of_a_consultation_correct_a_cluster(tmp_path):
    path = tmp_path / "pilot.passform.yaml"
    path.write_text(TEST_RUNS, encoding="utf-8")
    plain = json.loads(cluster_of(stack="plain-hf")[1])["chosen"]
    moved = json.loads(cluster_of(stack=None, test_runs=path)[1])["chosen"]
    assert plain["calibration"] is None
    run = moved["calibration"]
    assert (run["run"], run["measured_tokens_per_second"]) == ("pilot", 9000)
    slower = run["modelled_tokens_per_second"] / run["measured_tokens_per_second"]
    # The wire stays as it is, so only what happens inside a machine is moved.
    assert (moved["nodes"], moved["layout"]) == (plain["nodes"], plain["layout"])
    assert moved["step"]["compute_s"] == pytest.approx(plain["step"]["compute_s"] * slower)
    assert (moved["tokens_per_second"]["expected"] < plain["tokens_per_second"]["expected"]) == (slower > 1)
    text = cluster_of(stack=None, test_runs=path, json=False)[1]
    assert "Testlauf des Kunden (pilot): 9.000 Token/s gemessen" in text
    assert "Das Netz zwischen den Maschinen" in text


def test_that_a_cluster_names_the_memory_that_was_measured_on_one_machine(tmp_path):
    path = tmp_path / "pilot.passform.yaml"
    path.write_text(TEST_RUNS.replace("9000}", "9000, peak_gib: 139}"), encoding="utf-8")
    (run,) = json.loads(cluster_of(stack=None, test_runs=path)[1])["test_runs"]
    assert (run["peak"]["side"], run["peak"]["measured_bytes"]) == ("above", 139 * 2**30)
    text = cluster_of(stack=None, test_runs=path, json=False)[1].replace("\N{NO-BREAK SPACE}", " ")
    assert "pilot: Speicher je Karte: 139,0 GiB gemessen" in text
    assert "Die Messung liegt über der geschätzten Spanne" in text
    assert json.loads(cluster_of()[1])["test_runs"] == []


def test_that_a_consultation_without_test_runs_is_refused(tmp_path):
    path = tmp_path / "none.passform.yaml"
    path.write_text("schema: 1\n", encoding="utf-8")
    with pytest.raises(PassformError, match="no test runs"):
        cluster_of(test_runs=path)
