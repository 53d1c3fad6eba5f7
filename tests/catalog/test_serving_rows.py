"""Serving rows in consultation files, and the estimate on the command line."""

import argparse
import io
import json
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from catalog.commands import serve_advice, serve_estimate, serve_options
from catalog.config_model import model_from_file
from catalog.consultation.files import ConsultationError, parse_text, to_text
from catalog.consultation.open import open_consultation
from catalog.consultation.scenario import to_scenario
from engine.errors import InvalidInputError
from engine.serving.types import LoadKind, ServingEngine, WeightFormat
from engine.units import Money
from engine.wording.translator import Language
from engine.workload import ServingSharing

EXAMPLE = Path(__file__).parents[2] / "examples" / "serve-and-train.passform.yaml"
PLAIN = """schema: 1
serving:
  - {model: llama-3.1-8b, users: 4}
"""


def scenario_of(text, bundled):
    return to_scenario(parse_text(text, "a.yaml"), bundled.facts, date(2026, 11, 30), model_from_file)


def test_that_the_example_trains_and_serves():
    opened = open_consultation(EXAMPLE, date(2026, 11, 30))
    assert len(opened.scenario.workloads) == 1
    day, night = opened.scenario.serving
    assert day.setup.weights is WeightFormat.FP8
    assert day.setup.load.users == 24
    assert night.setup.load.kind is LoadKind.BATCH
    assert night.setup.load.night_h == 6


def test_that_a_file_without_serving_is_written_as_before():
    text = to_text(parse_text("schema: 1\n", "a.yaml"))
    assert "serving" not in text


def test_that_serving_rows_survive_writing_and_reading():
    first = parse_text(EXAMPLE.read_text(encoding="utf-8"), "a.yaml")
    assert parse_text(to_text(first), "b.yaml") == first


def test_that_a_row_carries_every_setting(bundled):
    text = (
        "schema: 1\nserving:\n  - {model: llama-3.1-8b, requests_per_s: 2.5, engine: sglang, adapters: 3, "
        "adapter_rank: 8, memory_percent: 80, max_sequences: 64, batched_tokens: 4096, first_token_s: 2, "
        'tokens_per_s_per_user: 10, sharing: cards, api_price_per_million: "1.50", api_price_date: 2026-11-01}\n'
    )
    row = scenario_of(text, bundled).serving[0]
    assert row.setup.engine is ServingEngine.SGLANG
    assert row.setup.load.requests_per_s == 2.5
    assert (row.setup.adapters, row.setup.adapter_rank) == (3, 8)
    assert row.setup.settings.memory_share == 0.8
    assert row.setup.limits.first_token_s == 2
    assert row.sharing is ServingSharing.CARDS
    assert row.api_price == Money(Decimal("1.50"), "EUR")
    assert row.api_price_as_of == "2026-11-01"


def test_that_serving_alone_is_enough(bundled):
    assert scenario_of(PLAIN, bundled).workloads == ()


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ("users: 4", "users: 0", "users"),
        ("users: 4", "users: 4, requests_per_s: 1", "serving.0"),
        ("users: 4", "name: nobody", "serving.0"),
        ("users: 4", "users: 4, weights: int3", "weights"),
        ("users: 4", "users: 4, prompt_mean: 9000", "serving.0"),
        ("users: 4", "users: 4, wheels: 4", "wheels"),
        ("users: 4", "users: 4, api_price_per_million: 1.5", "api_price_per_million"),
        ("users: 4", 'users: 4, api_price_per_million: "1.5"', "serving.0"),
        ("users: 4", "requests_per_s: .inf", "requests_per_s"),
        ("users: 4", "requests_per_s: .nan", "requests_per_s"),
        ("users: 4", "requests_per_night: 10, night_hours: 25", "night_hours"),
        ("model: llama-3.1-8b, ", "", "serving.0"),
    ],
)
def test_that_bad_rows_are_refused_with_line_and_field(old, new, field):
    assert old in PLAIN
    with pytest.raises(ConsultationError) as refused:
        parse_text(PLAIN.replace(old, new), "a.yaml")
    message = str(refused.value)
    assert message.startswith("a.yaml:")
    assert field in message


def test_that_an_unknown_model_is_named(bundled):
    with pytest.raises(InvalidInputError, match="nobody"):
        scenario_of(PLAIN.replace("llama-3.1-8b", "nobody"), bundled)


def estimate(*words, language="de"):
    parser = argparse.ArgumentParser()
    parser.add_argument("--model")
    parser.add_argument("--card")
    parser.add_argument("--cards", type=int, default=1)
    parser.add_argument("--headroom", type=int, default=15)
    parser.add_argument("--rank", type=int, default=16)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--language", default=language)
    serve_options.add_arguments(parser)
    out = io.StringIO()
    return serve_estimate.run(parser.parse_args(words), out), out.getvalue()


def test_that_the_estimate_prints_memory_requests_and_ranges():
    code, text = estimate(
        *("--model", "llama-3.3-70b", "--card", "rtx_pro_6000_blackwell_se", "--cards", "2", "--users", "32"),
        *("--weights", "nvfp4", "--cache", "fp8", "--engine", "tensorrt-llm"),
    )
    assert code == 0
    assert "KV-Cache je Token" in text
    assert "163.840" in text
    assert "umgerechnet aus" in text
    assert "TensorRT-LLM 1.0" in text


def test_that_the_estimate_as_json_adds_up():
    code, text = estimate("--model", "llama-3.1-8b", "--card", "l40s", "--users", "8", "--json")
    form = json.loads(text)
    assert code == 0
    assert sum(form["per_card"].values()) == form["usable_bytes"]
    assert form["kv_bytes_per_token"] == 131_072
    assert form["speed"]["planned"]["users"] == 8


def test_that_what_cannot_be_served_ends_with_one():
    code, text = estimate("--model", "llama-3.3-70b", "--card", "l4", "--json")
    form = json.loads(text)
    assert code == 1
    assert form["problems"] == ["weights"]
    assert form["speed"] is None


@pytest.mark.parametrize(
    "words",
    [
        ("--model", "llama-3.1-8b"),
        ("--model", "nobody", "--card", "l4"),
        ("--model", "llama-3.1-8b", "--card", "nothing"),
        ("--model", "llama-3.1-8b", "--card", "l4", "--users", "0"),
        ("--model", "llama-3.1-8b", "--card", "l4", "--users", "3", "--requests-per-second", "3"),
        ("--model", "llama-3.1-8b", "--card", "l4", "--prompt", "0"),
        ("--model", "llama-3.1-8b", "--card", "l4", "--requests-per-second", "nan"),
        ("--model", "llama-3.1-8b", "--card", "l4", "--memory-share", "2"),
    ],
)
def test_that_bad_options_are_refused(words):
    with pytest.raises(InvalidInputError):
        estimate(*words)


def test_that_the_advice_is_printed_with_its_verdicts():
    out = io.StringIO()
    assert serve_advice.report(date(2026, 11, 30), out, Language.DE) == 0
    text = out.getvalue()
    assert text.count("gilt nicht mehr") >= 3
    assert "gilt weiterhin" in text
    assert "abgekündigt" in text


def test_that_a_model_with_compressed_keys_is_sized_without_a_speed():
    """No measurement stands behind latent attention: room is computed, a speed is not made up."""
    words = ("--model", "deepseek-v3", "--card", "b300_hgx", "--cards", "8", "--users", "2", "--weights", "fp8")
    code, text = estimate(*words, language="en")
    assert code == 0
    assert "Output tokens/s                   speed not stated" in text
    assert "One user" not in text
    _, form = estimate(*words, "--json")
    assert json.loads(form)["speed"] is None
